//===- ExecOps.td - ops of the exec dialect --------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_EXEC_OPS_TD
#define HGC_EXEC_OPS_TD

include "dialects/Exec/ExecDialect.td"

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

def Exec_BlobOp : Exec_Op<"blob", [Symbol]> {
  let summary = "bytes that belong to the model: weights, constants, state";
  let description = [{
    An immutable blob lies at `offset` of the weights section; a mutable one at
    `offset` of the instance's state, its initial value at `init_offset` of the
    weights section (absent: all zeros). Offsets are set by `hgc-plan-memory`.
    `parameter` names the model parameter it holds, if any; `packed` says that it
    does so in panel layout. `device_offsets` has a place in the weights (of a
    mutable blob: in the state) of each GPU that the GPU plan keeps it on; with
    `device_only` it is nowhere else, and the load program computes it.

    ```mlir
    exec.blob @fc1.weight : memref<8x784x16xf32> = dense_resource<w> {parameter = "fc1.weight", packed}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<AnyMemRef>:$type, AnyAttr:$value,
    UnitAttr:$is_mutable, OptionalAttr<StrAttr>:$parameter, UnitAttr:$packed, OptionalAttr<I64Attr>:$offset,
    OptionalAttr<I64Attr>:$init_offset, OptionalAttr<DictionaryAttr>:$device_offsets,
    UnitAttr:$device_only);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MemRefType getBufferType() { return ::llvm::cast<::mlir::MemRefType>(getType()); }
    int64_t getByteSize();
    /// Its place on the GPU of `space`; on the host (null) its `offset`.
    std::optional<int64_t> getOffsetIn(::mlir::Attribute space);
  }];
}

def Exec_KernelOp : Exec_Op<"kernel", [Symbol, IsolatedFromAbove, SingleBlock, NoTerminator]> {
  let summary = "one unit of code generation on buffers";
  let description = [{
    Block arguments are the input buffers, then the output buffers. The body loads
    inputs as tensors, computes with graph ops and ends with one store to each
    output; all have the same shape. Buffers never overlap. An output that is loaded,
    too, is updated in place: each of its elements is read only where the element is
    computed that takes its place. `ops` lists the graph ops for people. Code generation
    sets `units` (iterations that threads may share), `grain` (fewest units worth a
    thread) and `scratch_bytes` (per thread). `price_ps` is its modelled time.

    ```mlir
    exec.kernel @k0 inputs 1 {
    ^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
      %0 = exec.load %x : memref<8xf32> -> tensor<8xf32>
      %1 = hgc.relu %0 : tensor<8xf32>
      exec.store %1, %y : tensor<8xf32>, memref<8xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$input_count, OptionalAttr<StrAttr>:$schedule,
    OptionalAttr<I64Attr>:$units, OptionalAttr<I64Attr>:$grain, OptionalAttr<I64Attr>:$scratch_bytes,
    OptionalAttr<AnyAttr>:$device, OptionalAttr<StrAttr>:$ops, OptionalAttr<I64Attr>:$price_ps);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `inputs` $input_count attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The stores that end the body, one for each output.
    ::llvm::SmallVector<::hgc::exec::StoreOp, 4> getStores();
    /// Whether an output is loaded, too.
    bool updatesInPlace();
    /// Whether every element of `buffer` that is loaded serves only the elements
    /// of the outputs at the same place, and the root not at all.
    bool readsElementwise(::mlir::BlockArgument buffer);
  }];
}

def Exec_ProgramOp : Exec_Op<"program", [Symbol, IsolatedFromAbove, SingleBlock, NoTerminator]> {
  let summary = "one entry of the model for one combination of dims";
  let description = [{
    Block arguments are the caller's buffers: inputs, then outputs. `entry` is the
    name users call it by, `dims` the extents of the entry's named dims (in the
    order of `dim_names`) this program serves. A library has a program per entry
    and combination of dims in its CPU plan, and one more in its GPU plan (`plan =
    "gpu"`). The program with `load` fills the weights of all GPUs; it has no
    tensors. `makespan_ps` is its modelled time, set by `hgc-simulate-exec`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$entry, I64Attr:$input_count,
    DefaultValuedAttr<StrArrayAttr, "{}">:$dim_names, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$dims,
    ArrayAttr:$tensors, OptionalAttr<I64Attr>:$arena_bytes, OptionalAttr<StrAttr>:$plan, UnitAttr:$load,
    OptionalAttr<I64Attr>:$makespan_ps);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `entry` $entry `inputs` $input_count attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isInGpuPlan() { return getPlan() == "gpu"; }
  }];
}

//===----------------------------------------------------------------------===//
// Inside kernels
//===----------------------------------------------------------------------===//

def Exec_LoadOp : Exec_Op<"load", [Pure, HasParent<"KernelOp">]> {
  let summary = "an input buffer of a kernel as a tensor";
  let arguments = (ins AnyMemRef:$buffer);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer) `->` type($result)";
  let hasVerifier = 1;
}

def Exec_StoreOp : Exec_Op<"store", [HasParent<"KernelOp">]> {
  let summary = "write a tensor to an output buffer of a kernel";
  let arguments = (ins AnyRankedTensor:$value, Arg<AnyMemRef, "", [MemWrite]>:$buffer);
  let assemblyFormat = "$value `,` $buffer attr-dict `:` type($value) `,` type($buffer)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

def Exec_ViewOp : Exec_Op<"view"> {
  let summary = "a buffer in the arena";
  let description = [{
    `offset` (bytes) is set by `hgc-plan-memory`; `slot` instead names a guarded
    allocation of its own (`--arena=separate`).

    ```mlir
    %b = exec.view offset 4096 : memref<8xf32>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset, OptionalAttr<I64Attr>:$slot);
  // An allocation: two views are two buffers, never merged.
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$result);
  let assemblyFormat = "(`offset` $offset^)? (`slot` $slot^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Exec_WeightOp : Exec_Op<"weight", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the buffer of a blob";
  let description = [{
    On a GPU when its type says so: the blob's copy there.

    ```mlir
    %w = exec.weight @fc1.bias : memref<128xf32, #exec.space<gpu>>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$blob);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$blob attr-dict `:` type($result)";
}

def Exec_AliasOp : Exec_Op<"alias", [Pure]> {
  let summary = "part of another buffer, under another type";
  let description = [{
    Starts `offset` bytes into `source`, plus `index * stride` bytes.

    ```mlir
    %r = exec.alias %b offset 0 : memref<2x8xf32> to memref<16xf32>
    %s = exec.alias %xs offset 0 index %i stride 32 : memref<9x8xf32> to memref<8xf32>
    ```
  }];
  let arguments = (ins AnyMemRef:$source, I64Attr:$offset, Optional<Index>:$index, OptionalAttr<I64Attr>:$stride);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$source `offset` $offset (`index` $index^)? (`stride` $stride^)? attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Actions
//===----------------------------------------------------------------------===//

def Exec_CopyOp : Exec_Op<"copy"> {
  let summary = "copy all bytes of a buffer";
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$source, Arg<AnyMemRef, "", [MemWrite]>:$target, DefaultValuedAttr<I64Attr, "0">:$stream);
  let assemblyFormat = "$source `to` $target (`stream` $stream^)? attr-dict `:` type($source) `,` type($target)";
  let hasVerifier = 1;
}

def Exec_FillOp : Exec_Op<"fill"> {
  let summary = "set every element of a buffer to a constant";
  let arguments = (ins TypedAttrInterface:$value, Arg<AnyMemRef, "", [MemWrite]>:$target, DefaultValuedAttr<I64Attr, "0">:$stream);
  let assemblyFormat = "$target `with` $value (`stream` $stream^)? attr-dict `:` type($target)";
  let hasVerifier = 1;
}

def Exec_LaunchOp : Exec_Op<"launch", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "run a kernel";
  let description = [{
    ```mlir
    exec.launch @k0 ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Arg<Variadic<AnyMemRef>, "", [MemRead]>:$inputs,
    Arg<Variadic<AnyMemRef>, "", [MemWrite]>:$outputs, DefaultValuedAttr<I64Attr, "0">:$stream);
  let assemblyFormat = [{
    $kernel (`ins` `(` $inputs^ `:` type($inputs) `)`)? `outs` `(` $outputs `:` type($outputs) `)`
    (`stream` $stream^)? attr-dict
  }];
}

def Exec_LibraryOp : Exec_Op<"library", [AttrSizedOperandSegments]> {
  let summary = "call a C function `int f(void **buffers)`";
  let description = [{
    `symbol` is resolved when the model is linked or loaded; a result other than 0
    fails the call.
  }];
  let arguments = (ins StrAttr:$symbol, Arg<Variadic<AnyMemRef>, "", [MemRead]>:$inputs,
    Arg<Variadic<AnyMemRef>, "", [MemWrite]>:$outputs, DefaultValuedAttr<I64Attr, "0">:$stream);
  let assemblyFormat = [{
    $symbol (`ins` `(` $inputs^ `:` type($inputs) `)`)? `outs` `(` $outputs `:` type($outputs) `)`
    (`stream` $stream^)? attr-dict
  }];
}

// Streams and events are numbered over all GPUs of a plan: GPU g has the streams
// 3g (compute), 3g + 1 (copies to it) and 3g + 2 (copies from it).
def Exec_RecordOp : Exec_Op<"record", [MemoryEffects<[MemWrite]>]> {
  let summary = "mark a point in a stream";
  let arguments = (ins I64Attr:$event, I64Attr:$stream);
  let assemblyFormat = "`event` $event `stream` $stream attr-dict";
}
def Exec_WaitOp : Exec_Op<"wait", [MemoryEffects<[MemWrite]>]> {
  let summary = "let a stream wait for a recorded event";
  let arguments = (ins I64Attr:$event, I64Attr:$stream);
  let assemblyFormat = "`event` $event `stream` $stream attr-dict";
}
def Exec_SyncOp : Exec_Op<"sync", [MemoryEffects<[MemWrite]>]> {
  let summary = "let the host wait for a stream";
  let arguments = (ins I64Attr:$stream);
  let assemblyFormat = "`stream` $stream attr-dict";
}
def Exec_SetExtentOp : Exec_Op<"set_extent", [MemoryEffects<[MemWrite]>]> {
  let summary = "store the actual extent of a bounded dim";
  let description = "Copies the i64 in `value` to slot `slot` of the call's extents.";
  let arguments = (ins I64Attr:$slot, Arg<AnyMemRef, "", [MemRead]>:$value);
  let assemblyFormat = "$slot `,` $value attr-dict `:` type($value)";
  let hasVerifier = 1;
}
def Exec_FailIfOp : Exec_Op<"fail_if", [MemoryEffects<[MemWrite]>]> {
  let summary = "end the call with an error when a flag is set, or with `not` when it is not";
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$condition, StrAttr:$message, UnitAttr:$negated);
  let assemblyFormat = "(`not` $negated^)? $condition `,` $message attr-dict `:` type($condition)";
  let hasVerifier = 1;
}
def Exec_ReturnOp : Exec_Op<"return", [MemoryEffects<[MemWrite]>]> {
  let summary = "end of a program";
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

def Exec_IfOp : Exec_Op<"if", [SingleBlock, NoTerminator, RecursiveMemoryEffects]> {
  let summary = "run one of two sequences by the i1 in a buffer";
  let arguments = (ins AnyMemRef:$condition);
  let regions = (region SizedRegion<1>:$then_region, SizedRegion<1>:$else_region);
  let assemblyFormat = "$condition `:` type($condition) attr-dict-with-keyword $then_region `else` $else_region";
  let hasVerifier = 1;
}
def Exec_ForOp : Exec_Op<"for", [SingleBlock, NoTerminator, RecursiveMemoryEffects]> {
  let summary = "run a sequence for 0 <= i < count; the block argument is i";
  let arguments = (ins I64Attr:$count);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$count attr-dict-with-keyword $body";
  let hasVerifier = 1;
}
def Exec_WhileOp : Exec_Op<"while", [SingleBlock, NoTerminator, RecursiveMemoryEffects]> {
  let summary = "run `before`, then, while the i1 in `condition` is set, `body` and `before` again";
  let description = "`trip_hint` is how often `body` is expected to run, for the cost model.";
  let arguments = (ins AnyMemRef:$condition, DefaultValuedAttr<I64Attr, "10">:$trip_hint);
  let regions = (region SizedRegion<1>:$before, SizedRegion<1>:$body);
  let assemblyFormat = "$condition `:` type($condition) attr-dict-with-keyword $before `do` $body";
  let hasVerifier = 1;
}
def Exec_ParallelOp : Exec_Op<"parallel", [SingleBlock, NoTerminator, RecursiveMemoryEffects]> {
  let summary = "sequences that may run at the same time";
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
  let assemblyFormat = "attr-dict-with-keyword $branches";
  let hasVerifier = 1;
}

#endif // HGC_EXEC_OPS_TD
