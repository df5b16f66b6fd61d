//===- Passes.td - passes on the graph dialect -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TRANSFORMS_PASSES_TD
#define HGC_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Stage graph
//===----------------------------------------------------------------------===//

def InlineCalls : Pass<"hgc-inline-calls", "::mlir::ModuleOp"> {
  let summary = "replace every call by the body of its callee";
  let description = [{
    Helper functions exist for the writer of a model; every later pass looks at
    one flat entry. Functions without `hgc.entry` that are private or were called
    disappear. A device pin of the callee becomes a pin of its ops. Recursion is an
    error.

    Needs nothing to have run. Guarantees that no `func.call` is left.

    ```mlir
    func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = hgc.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    %y = call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
    // becomes
    %y = hgc.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
}

def NameOps : Pass<"hgc-name-ops", "::mlir::ModuleOp"> {
  let summary = "move names into locations";
  let description = [{
    Turns the attribute `hgc.name` of an op into `loc("name"(file:line:col))`,
    because an attribute that differs would keep equal ops apart. Unnamed ops get
    `<op>_<n>`, counted per function. A name that occurs again gets a suffix, and a
    remark says so.

    Run it after `hgc-inline-calls` and before `hgc-bind-dims`, so that variants
    share names. Guarantees one distinct name per op of a function.

    ```mlir
    %0 = hgc.relu %x {hgc.name = "act"} : tensor<4xf32>
    // becomes
    %0 = hgc.relu %x : tensor<4xf32> loc("act"("model.mlir":3:8))
    ```
  }];
}

def BindDims : Pass<"hgc-bind-dims", "::mlir::ModuleOp"> {
  let summary = "make one static variant of each entry per choice of its dims";
  let description = [{
    An entry that uses the dims `batch = [1, 32]` is replaced by two clones in which
    every type is static: types are inferred again op by op, regions included.
    `dims` (`batch=1,32;seq=8`) overrides the module's `hgc.dims`. A clone carries
    `hgc.variant_of` (the entry's name) and `hgc.variant_dims`; arguments and
    results without a name get `arg<n>` and `result<n>`.

    Needs `hgc-inline-calls`. Guarantees static shapes in every entry.

    ```mlir
    func.func @f(%x: tensor<?x4xf32> {hgc.shape = ["batch", 4]}) -> tensor<?x4xf32> attributes {hgc.entry}
    // becomes, with batch=1,32
    func.func @f_batch1(%x: tensor<1x4xf32> ...) -> tensor<1x4xf32> attributes {
        hgc.entry, hgc.variant_of = "f", hgc.variant_dims = {batch = 1 : i64}}
    func.func @f_batch32(%x: tensor<32x4xf32> ...) -> tensor<32x4xf32> attributes {
        hgc.entry, hgc.variant_of = "f", hgc.variant_dims = {batch = 32 : i64}}
    ```
  }];
  let options = [
    Option<"dims", "dims", "std::string", "\"\"",
           "extents of dims, as in batch=1,32;seq=8">,
    Option<"maxVariants", "max-variants", "int64_t", "64",
           "most variants an entry may have">,
  ];
}

//===----------------------------------------------------------------------===//
// Stage fused
//===----------------------------------------------------------------------===//

def Fuse : Pass<"hgc-fuse", "::mlir::ModuleOp"> {
  let summary = "gather ops into kernels";
  let description = [{
    Contracts the edges of the fusion forest whose ends have the same device; every
    other computing op becomes a kernel of its own. Views, control flow, state and
    constants stay outside; splat constants are copied into the kernels that use
    them. The kernel has the device of its ops and the location of its root, or of
    its last op when it has none.

    Needs `hgc-place`. Guarantees that no computing op is left outside a kernel.

    ```mlir
    %0 = hgc.add %x, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %1 = hgc.relu %0 : tensor<8xf32>
    // becomes
    %1 = hgc.kernel(%x, %b : tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%2: tensor<8xf32>, %3: tensor<8xf32>):
      %4 = hgc.add %2, %3 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      %5 = hgc.relu %4 : tensor<8xf32>
      hgc.yield %5 : tensor<8xf32>
    }
    ```
  }];
}

#endif // HGC_TRANSFORMS_PASSES_TD
