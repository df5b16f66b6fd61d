//===- Structure.td - state, control flow, kernels, transfers --*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_STRUCTURE_TD
#define HGC_GRAPH_STRUCTURE_TD

include "dialects/Graph/GraphDialect.td"

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

def HGC_ParameterOp : HGC_Op<"parameter", [Symbol]> {
  let summary = "a tensor that belongs to the model";
  let description = [{
    Immutable unless some entry assigns it. The initial value is a `dense` or
    `dense_resource` literal, a tensor of a safetensors file, or a seeded
    distribution.

    ```mlir
    hgc.parameter @fc1.weight : tensor<784x128xf32> = #hgc.file<"mlp.safetensors", "fc1.weight">
    hgc.parameter @fc1.bias : tensor<128xf32> = dense<0.0>
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<HGC_Tensor>:$type, AnyAttr:$value);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getTensorType() { return ::llvm::cast<::mlir::RankedTensorType>(getType()); }
  }];
}

def HGC_ReadOp : HGC_Op<"read", [Pure, CostOp, FusibleOp, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the value of a parameter at entry of the call";
  let description = [{
    ```mlir
    %w = hgc.read @fc1.weight : tensor<784x128xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$parameter);
  let results = (outs HGC_Tensor:$result);
  let assemblyFormat = "$parameter attr-dict `:` type($result)";
  let extraClassDeclaration = [{
    ::hgc::graph::FusionKind getFusionKind() { return ::hgc::graph::FusionKind::Opaque; }
  }];
}

def HGC_AssignOp : HGC_Op<"assign", [MemoryEffects<[MemWrite]>, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "give a parameter a new value at the end of the call";
  let description = [{
    At the top level of an entry, at most once per parameter and entry.

    ```mlir
    hgc.assign @counter, %next : tensor<i64>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$parameter, HGC_Tensor:$value);
  let assemblyFormat = "$parameter `,` $value attr-dict `:` type($value)";
}

def HGC_CheckOp : HGC_Op<"check", [MemoryEffects<[MemWrite]>]> {
  let summary = "fail the call unless a condition holds";
  let description = [{
    When the condition is false the call ends with the status of an invalid
    argument and this message; its outputs are unspecified. May stand inside of
    control flow. Runs on the CPU. A condition that is known to be false at the
    top level of an entry is an error of the model.

    ```mlir
    hgc.check %ok, "the index is out of range" : tensor<i1>
    ```
  }];
  let arguments = (ins HGC_BoolTensor:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

def HGC_YieldOp : HGC_Op<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "values a region hands to its op";
  let arguments = (ins Variadic<HGC_Tensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{}]>];
}

class HGC_ControlOp<string mnemonic, list<Trait> traits = []>
    : HGC_Op<mnemonic, !listconcat([CostOp, FusibleOp, RecursiveMemoryEffects], traits)> {
  let extraClassDeclaration = [{
    ::hgc::graph::FusionKind getFusionKind() { return ::hgc::graph::FusionKind::Opaque; }
  }];
  let hasRegionVerifier = 1;
}

def HGC_IfOp : HGC_ControlOp<"if", [SingleBlock]> {
  let summary = "run one of two regions";
  let description = [{
    ```mlir
    %y = hgc.if %c : tensor<i1> -> (tensor<4xf32>) {
      hgc.yield %a : tensor<4xf32>
    } else {
      hgc.yield %b : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins HGC_BoolTensor:$condition);
  let results = (outs Variadic<HGC_Tensor>:$results);
  let regions = (region SizedRegion<1>:$then_region, SizedRegion<1>:$else_region);
  let assemblyFormat = [{
    $condition `:` type($condition) (`->` `(` type($results)^ `)`)? attr-dict-with-keyword
    $then_region `else` $else_region
  }];
}

def HGC_WhileOp : HGC_ControlOp<"while", [SingleBlock]> {
  let summary = "repeat a region while a condition holds";
  let description = [{
    Both regions take the carried values. `trip_hint` is the expected number of
    iterations, for the cost model.

    ```mlir
    %n = hgc.while init(%zero : tensor<i32>) trip_hint 10 -> (tensor<i32>) cond {
    ^bb0(%i: tensor<i32>):
      %p = hgc.compare lt %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      hgc.yield %p : tensor<i1>
    } do {
    ^bb0(%i: tensor<i32>):
      %j = hgc.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
      hgc.yield %j : tensor<i32>
    }
    ```
  }];
  let arguments = (ins Variadic<HGC_Tensor>:$inits, DefaultValuedAttr<I64Attr, "10">:$trip_hint);
  let results = (outs Variadic<HGC_Tensor>:$results);
  let regions = (region SizedRegion<1>:$condition, SizedRegion<1>:$body);
  let assemblyFormat = [{
    `init` `(` $inits `:` type($inits) `)` (`trip_hint` $trip_hint^)? `->` `(` type($results) `)`
    attr-dict-with-keyword `cond` $condition `do` $body
  }];
}

def HGC_ScanOp : HGC_ControlOp<"scan", [SingleBlock, AttrSizedOperandSegments]> {
  let summary = "run a region over the slices of sequences, carrying state";
  let description = [{
    The body takes the states, then one slice (along dim 0) of each sequence; it
    yields the next states, then one slice of each stacked result. Results are the
    final states, then the stacked results. `reverse` walks from the end. The trip
    count is the sequences' first extent.

    ```mlir
    %h, %ys = hgc.scan init(%h0 : tensor<4xf32>) over(%xs : tensor<9x4xf32>)
        -> (tensor<4xf32>, tensor<9x4xf32>) {
    ^bb0(%s: tensor<4xf32>, %x: tensor<4xf32>):
      %n = hgc.add %s, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      hgc.yield %n, %n : tensor<4xf32>, tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<HGC_Tensor>:$inits, Variadic<HGC_Tensor>:$sequences, UnitAttr:$reverse);
  let results = (outs Variadic<HGC_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`init` `(` $inits^ `:` type($inits) `)`)? `over` `(` $sequences `:` type($sequences) `)`
    (`reverse` $reverse^)? `->` `(` type($results) `)` attr-dict-with-keyword $body
  }];
  let extraClassDeclaration = [{
    ::hgc::graph::FusionKind getFusionKind() { return ::hgc::graph::FusionKind::Opaque; }
    /// Number of iterations: the first extent of the sequences.
    int64_t getTripCount();
  }];
}

//===----------------------------------------------------------------------===//
// Placement and fusion
//===----------------------------------------------------------------------===//

def HGC_TransferOp : HGC_Op<"transfer", [Pure, SameOperandsAndResultType]> {
  let summary = "copy a tensor to another device";
  let description = [{
    Only `hgc-materialize-transfers` creates this op; later passes may move, split
    or delete it, none may raise the bytes moved.

    ```mlir
    %g = hgc.transfer %x from <cpu> to <gpu : 0> : tensor<64x64xf32>
    ```
  }];
  let arguments = (ins HGC_Tensor:$source, HGC_DeviceAttr:$from, HGC_DeviceAttr:$to);
  let results = (outs HGC_Tensor:$result);
  let assemblyFormat = "$source `from` $from `to` $to attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def HGC_KernelOp : HGC_Op<"kernel", [Pure, IsolatedFromAbove, SingleBlock, FusibleOp]> {
  let summary = "ops that become one unit of code generation";
  let description = [{
    The body holds at most one root op and pointwise or index-map ops before and
    after it; no control flow, state, transfer or nested kernel. Only the kernel
    carries a device.

    ```mlir
    %y = hgc.kernel(%x, %b : tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%0: tensor<8xf32>, %1: tensor<8xf32>):
      %2 = hgc.add %0, %1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      %3 = hgc.relu %2 : tensor<8xf32>
      hgc.yield %3 : tensor<8xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<HGC_Tensor>:$inputs);
  let results = (outs HGC_Tensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` ($inputs^ `:` type($inputs))? `)` `->` type($result) attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::hgc::graph::FusionKind getFusionKind() { return ::hgc::graph::FusionKind::Opaque; }
    /// The root op, or null for a kernel of pointwise and index-map ops only.
    ::mlir::Operation *getRoot();
    /// The value the body yields.
    ::mlir::Value getYielded();
  }];
}

#endif // HGC_GRAPH_STRUCTURE_TD
