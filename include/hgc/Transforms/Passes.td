//===- Passes.td - passes on the graph dialect -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TRANSFORMS_PASSES_TD
#define HGC_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "hgc/Transforms/ContractionPasses.td"
include "hgc/Transforms/ShapePasses.td"
include "hgc/Transforms/TransferPasses.td"

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
    results without a name get `arg<n>` and `result<n>`. Results get an `hgc.shape`
    that says which dims their extents follow.

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

def FoldConstants : Pass<"hgc-fold-constants", "::mlir::ModuleOp"> {
  let summary = "evaluate ops whose operands are known";
  let description = [{
    An op whose operands are constants, or immutable parameters of at most
    `parameter-limit` bytes, becomes the constant the reference evaluator gives.
    Results larger than their operands and than `growth-limit` stay ops.

    Needs `hgc-bind-dims`. Guarantees that the model does not grow by more than
    `growth-limit` per op.

    ```mlir
    %v = hgc.read @variance : tensor<64xf32>
    %0 = hgc.add %v, %epsilon : (tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
    %1 = hgc.rsqrt %0 : tensor<64xf32>
    // becomes
    %1 = hgc.constant dense<...> : tensor<64xf32>
    ```
  }];
  let options = [
    Option<"baseDir", "base-dir", "std::string", "\".\"",
           "folder that paths of weights files are relative to">,
    Option<"parameterLimit", "parameter-limit", "int64_t", "65536",
           "largest parameter, in bytes, to look into">,
    Option<"growthLimit", "growth-limit", "int64_t", "1024",
           "bytes a result may always have">,
  ];
}

def Simplify : Pass<"hgc-simplify", "::mlir::ModuleOp"> {
  let summary = "rewrite ops into cheaper ones of the same value";
  let description = [{
    A transpose of the last two dims before a matmul becomes a flag of it, also where the
    right operand is scaled by a number in between or the transpose permutes other dims,
    too; an `if` with a constant condition becomes the branch that runs; `x * sigmoid(x)`
    of f32 or f64 becomes `silu`; `dropout` and `stop_gradient` become what they are
    of. Every rewrite is exact.

    Needs `hgc-differentiate` and `hgc-make-training` to have run, if they are to run.

    ```mlir
    %t = hgc.transpose %b permutation = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %c = hgc.matmul %a, %t : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
    // becomes
    %c = hgc.matmul %a, %b transpose_rhs : (tensor<2x4xf32>, tensor<8x4xf32>) -> tensor<2x8xf32>
    ```
  }];
}

def VerifyGraph : Pass<"hgc-verify-graph", "::mlir::ModuleOp"> {
  let summary = "check what holds at the end of stage graph";
  let description = [{
    The module has an entry; every function is one and is bound to its dims; entries
    hold graph ops with static shapes; a parameter is assigned at the top level and
    at most once per entry; names of arguments and results are distinct; the target
    CPU is known.

    Needs `hgc-inline-calls` and `hgc-bind-dims`. Changes nothing.

    ```mlir
    func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> attributes {hgc.entry}  // error
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Stage placed
//===----------------------------------------------------------------------===//

def SplitPlans : Pass<"hgc-split-plans", "::mlir::ModuleOp"> {
  let summary = "make a CPU and a GPU plan of every entry";
  let description = [{
    When the module names a GPU (`hgc.target_gpu`), every entry gets a clone
    `<name>.gpu` behind it; the two carry `hgc.plan = "cpu"` and `"gpu"`. One library
    holds both, and chooses when an instance is made. Does nothing for a module
    without a GPU, or whose entries have plans already.

    Needs `hgc-bind-dims`.

    ```mlir
    func.func @f(...) attributes {hgc.entry}
    // becomes
    func.func @f(...) attributes {hgc.entry, hgc.plan = "cpu"}
    func.func @f.gpu(...) attributes {hgc.entry, hgc.plan = "gpu"}
    ```
  }];
}

def VerifyPlaced : Pass<"hgc-verify-placed", "::mlir::ModuleOp"> {
  let summary = "check what holds at the end of stage placed";
  let description = [{
    The rules of stage graph, every op has a device of the plan, and every operand
    is on the device its reader expects.

    Needs `hgc-place` and `hgc-materialize-transfers`. Changes nothing.

    ```mlir
    %0 = hgc.relu %x : tensor<4xf32>  // error: has no device
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Stage fused
//===----------------------------------------------------------------------===//

def Decompose : Pass<"hgc-decompose", "::mlir::ModuleOp"> {
  let summary = "rewrite composite ops into simpler ones";
  let description = [{
    `batch_norm` becomes `x * factor + shift`, with factor and shift computed per
    channel, in f32 for half precision. Behind a convolution whose filter and
    statistics are immutable the factor moves into the filter, unless
    `fold-into-filter` is off.

    `attention` becomes two products with a softmax between them: in the CPU plan,
    where the GPU has no kernel for it (f64, more than 256 features), and, behind
    `hgc-place`, where it is on the CPU of the GPU plan. The ops of that entry then have
    no device, only their pins: it is to be placed again. Ops that nobody reads vanish.

    Needs static shapes. Guarantees that no `batch_norm` is left, and no `attention`
    without a kernel.

    ```mlir
    %y = hgc.batch_norm %x, %scale, %bias, %mean, %variance axis 1 epsilon 1.0e-03 : ...
    // becomes
    %0 = hgc.mul %x, %factor : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    %y = hgc.add %0, %shift : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
    ```
  }];
  let options = [
    Option<"foldIntoFilter", "fold-into-filter", "bool", "true",
           "scale the filter of a convolution instead of its result">,
  ];
}

def ChooseLayouts : Pass<"hgc-choose-layouts", "::mlir::ModuleOp"> {
  let summary = "run convolutions and pools channels-last";
  let description = [{
    Converts `channels_first` data and `oihw` filters between transposes, then
    pushes the transposes down through pointwise ops, concat, pad, slice, softmax and
    reductions until they cancel. What is left stands where the model needs the
    other order: at arguments and results, before reshapes.

    Needs static shapes. Guarantees `channels_last` and `hwio`.

    ```mlir
    %y = hgc.conv %x, %w channels_first oihw : ...
    // becomes
    %0 = hgc.transpose %x permutation = [0, 2, 3, 1] : ...
    %1 = hgc.transpose %w permutation = [2, 3, 1, 0] : ...
    %2 = hgc.conv %0, %1 channels_last hwio : ...
    %y = hgc.transpose %2 permutation = [0, 3, 1, 2] : ...
    ```
  }];
}

def ChooseConvForms : Pass<"hgc-choose-conv-forms", "::mlir::ModuleOp"> {
  let summary = "choose how the CPU computes convolutions";
  let description = [{
    A convolution of f32 with a window of 3x3 pixels, stride 1 and a filter that no
    entry assigns gets `hgc.form = "winograd2"` or `"winograd4"` where the cost model
    expects that to be faster: squares of 2x2 or 4x4 results with fewer products. Filters that
    would grow by more than 4 MiB get `"winograd2-compact"` or `"winograd4-compact"`, which
    transform them at every call, unless that takes a third longer. Never
    in functions that compute gradients, where its error may exceed 5e-5, with `exact`,
    or in a module with a GPU plan, because both plans share their filters.

    Where the target has a matrix unit, convolutions of one group with such a filter may get `"matrix"` instead, if the
    cost model prefers it: all windows are rows of a product. `matrix` says whether: `auto`, `always` or `never`.

    `force` names a form that all convolutions get that can have it: `generic`,
    `depthwise`, `direct`, `gemm`, `winograd2`, `winograd4`, `matrix`, `winograd2-compact`
    or `winograd4-compact`. A warning counts those that cannot.

    Run it after `hgc-choose-layouts` and before `hgc-place`, which prices what is
    chosen here.

    ```mlir
    %y = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_last hwio : ...
    // becomes
    %y = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_last hwio {hgc.form = "winograd4"} : ...
    ```
  }];
  let options = [
    Option<"force", "force", "std::string", "\"\"", "form that all convolutions get that can have it">,
    Option<"exact", "exact", "bool", "false", "no form that rounds more than sums do">,
    Option<"matrix", "matrix", "std::string", "\"never\"", "use of matrix units: auto, always or never">];
}

def ShareWeights : Pass<"hgc-share-weights", "::mlir::ModuleOp"> {
  let summary = "let the GPU plan make its weights from the CPU plan's";
  let description = [{
    A weight that the CPU plan reads in panels only, and the GPU plan as it is, is
    stored in panels: the GPU plan reads a parameter `<name>.unpacked`
    (`hgc.loaded`: it has no bytes in the library), which the function `load`
    (`hgc.load`) fills when an instance is made. It copies the panels to the GPU and
    undoes the packing there, by transposes and slices.
    A weight that has more bytes than what it is made from is left to
    `hgc-hoist-to-load`. Entries that compute less than before get `hgc.refined`.

    Needs `hgc-pack-contractions`, and `hgc-fold-packs` behind it.

    ```mlir
    // CPU plan: hgc.pack matmul_rhs %w; GPU plan: hgc.matmul %x, %w; gives
    func.func @load() attributes {hgc.load, hgc.plan = "gpu"} {
      %p = hgc.pack matmul_rhs %w width 16 : (tensor<64x20xf32>) -> tensor<2x64x16xf32>
      %g = hgc.transfer %p from <cpu> to <gpu> : tensor<2x64x16xf32>
      %t = hgc.transpose %g [1, 0, 2] : (tensor<2x64x16xf32>) -> tensor<64x2x16xf32>
      ...
      hgc.assign @w.unpacked, %u : tensor<64x20xf32>
    }
    ```
  }];
}

def FoldPacks : Pass<"hgc-fold-packs", "::mlir::ModuleOp"> {
  let summary = "evaluate packs of immutable parameters";
  let description = [{
    What is made from immutable parameters and constants only is evaluated now and
    becomes a parameter `<name>.packed` (or `.folded`), shared between variants;
    `hgc.packed_from` names the one it was made from.
    Parameters nobody reads any more are dropped. An expression that would be larger
    than what it is made from stays, unless it is a pack.

    Run it after `hgc-pack-contractions`. Guarantees that packs are left on assigned
    parameters only.

    ```mlir
    %w = hgc.read @fc.weight : tensor<784x128xf32>
    %p = hgc.pack matmul_rhs %w width 16 : (tensor<784x128xf32>) -> tensor<8x784x16xf32>
    // becomes
    %p = hgc.read @fc.weight.packed : tensor<8x784x16xf32>
    ```
  }];
  let options = [
    Option<"baseDir", "base-dir", "std::string", "\".\"",
           "folder that paths of weights files are relative to">,
  ];
}

def HoistToLoad : Pass<"hgc-hoist-to-load", "::mlir::ModuleOp"> {
  let summary = "compute on the GPU once what never changes";
  let description = [{
    An expression of immutable parameters that a GPU would compute at every call, in a
    kernel of its own, becomes a parameter `<name>.hoisted` (`hgc.loaded`: it has no
    bytes in the library). The function `load` (`hgc.load`) copies what it reads to
    the GPU and computes it when an instance is made; parts that are on other devices
    are computed there, and copied. Entries that change get `hgc.refined`.

    Run it after `hgc-fold-packs`, which evaluates what does not make the library
    grow. Guarantees that no such parameter is larger than `max-bytes`.

    ```mlir
    %q = hgc.read @w {hgc.device = #hgc.device<gpu>} : tensor<784x128xi8>
    %f = hgc.cast %q to f32 {hgc.device = #hgc.device<gpu>} : (tensor<784x128xi8>) -> tensor<784x128xf32>
    // becomes
    %f = hgc.read @w.hoisted {hgc.device = #hgc.device<gpu>} : tensor<784x128xf32>
    ```
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", "268435456",
           "largest tensor, in bytes, to keep on the GPU instead of computing it">,
  ];
}

def LoadParameters : Pass<"hgc-load-parameters", "::mlir::ModuleOp"> {
  let summary = "replace files and distributions by their data";
  let description = [{
    The value of every parameter becomes a literal: tensors of files are mapped,
    seeded distributions drawn.

    Run it after `hgc-fold-packs`, which drops parameters that are needed in
    another form only. Guarantees that every parameter holds data.

    ```mlir
    hgc.parameter @b : tensor<2xf32> = #hgc.init<ones>
    // becomes
    hgc.parameter @b : tensor<2xf32> = dense<1.0>
    ```
  }];
  let options = [
    Option<"baseDir", "base-dir", "std::string", "\".\"",
           "folder that paths of weights files are relative to">,
  ];
}

def Fuse : Pass<"hgc-fuse", "::mlir::ModuleOp"> {
  let summary = "gather ops into kernels";
  let description = [{
    Contracts the edges of the fusion forest whose ends have the same device and gain
    from it there; in an entry with a certificate those that `hgc-place` counted on
    (`hgc.fuses`). Every other computing op becomes a kernel of its own. Views, control flow, state and
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
  let options = [
    Option<"keepApart", "keep-apart", "bool", "false",
           "contract no edge: every op becomes a kernel of its own">,
  ];
}

def Rematerialize : Pass<"hgc-rematerialize", "::mlir::ModuleOp"> {
  let summary = "compute tensors again instead of keeping them";
  let description = [{
    As long as the tensors that an entry keeps on a device at one time have more
    bytes than `limits` allows, lets the uses behind that time have a copy of the
    kernel that makes the tensor. Kernels are chosen by saved bytes per modelled
    time; what they read must not cost more memory than they free. A kernel that
    nobody needs earlier just moves. Stops where nothing helps: the limit is a
    target, whether it is met is known when memory is planned.

    Needs `hgc-fuse`. Adds no transfer. The time goes into `hgc.certificate`.

    ```mlir
    %a = hgc.kernel(%x : tensor<1024xf32>) -> tensor<1024xf32> { ... }
    // ... kernels that need much memory, then
    %b = hgc.kernel(%a : tensor<1024xf32>) -> tensor<1024xf32> { ... }
    // becomes
    %a2 = hgc.kernel(%x : tensor<1024xf32>) -> tensor<1024xf32> { ... }
    %b = hgc.kernel(%a2 : tensor<1024xf32>) -> tensor<1024xf32> { ... }
    ```
  }];
  let options = [
    Option<"limits", "limits", "std::string", "\"\"",
           "most bytes of tensors at one time, `gpu=64KiB,cpu=1MiB`">,
  ];
}

def Spill : Pass<"hgc-spill", "::mlir::ModuleOp"> {
  let summary = "park tensors of GPUs in host memory";
  let description = [{
    As long as the tensors that an entry keeps on a GPU at one time have more bytes
    than `limits` allows, sends one that nobody uses at that time to the host, and
    fetches it back before its next use. Tensors are chosen by bytes per modelled
    time of the copies; one that came from the host, or goes there anyway, needs
    only the way back, and an upload without earlier use just comes later. Such
    transfers carry `hgc.spill`: no pass cancels them.

    Needs `hgc-fuse`; run it after `hgc-rematerialize`. The only pass that may add
    transferred bytes. The time goes into `hgc.certificate`.

    ```mlir
    %a = hgc.kernel(%x : tensor<1024xf32>) -> tensor<1024xf32> { ... }
    // becomes
    %h = hgc.transfer %a from <gpu> to <cpu> {hgc.spill} : tensor<1024xf32>
    // ... kernels that need much memory, then
    %g = hgc.transfer %h from <cpu> to <gpu> {hgc.spill} : tensor<1024xf32>
    ```
  }];
  let options = [
    Option<"limits", "limits", "std::string", "\"\"",
           "most bytes of tensors at one time, `gpu=64KiB,gpu:1=1MiB`">,
  ];
}

def VerifyFused : Pass<"hgc-verify-fused", "::mlir::ModuleOp"> {
  let summary = "check what holds at the end of stage fused";
  let description = [{
    All computing ops are inside kernels. A kernel has a device, at most one root,
    and otherwise pointwise ops, index maps and splat constants; contractions read
    inputs of the kernel; the ops after the root are pointwise and keep its shape.

    The modelled time of an entry with a certificate, recomputed from its kernels and
    transfers, is the certificate's `serial_ps`; at most that if a pass behind
    `hgc-place` has set `hgc.refined`. Otherwise the pass fails, or with `repair` takes
    the certificate back: it then says what the kernels cost and `certified = false`,
    and has no bound.

    Needs `hgc-fuse`. Changes nothing else.

    ```mlir
    %0 = hgc.relu %x : tensor<4xf32>  // error: computes outside a kernel
    ```
  }];
  let options = [
    Option<"repair", "repair", "bool", "false",
           "correct a certificate that does not hold instead of failing">,
  ];
}

#endif // HGC_TRANSFORMS_PASSES_TD
