//===- Shape.td - creation and data movement -------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_SHAPE_TD
#define HGC_GRAPH_SHAPE_TD

include "dialects/Graph/GraphDialect.td"

def HGC_ScatterKind : HGC_Enum<"ScatterKind", "how an update meets what is there", [
  I32EnumAttrCase<"Set", 0, "set">, I32EnumAttrCase<"Add", 1, "add">, I32EnumAttrCase<"Mul", 2, "mul">,
  I32EnumAttrCase<"Max", 3, "max">, I32EnumAttrCase<"Min", 4, "min">]>;
def HGC_ScatterKindAttr : HGC_EnumAttr<HGC_ScatterKind, "scatter_kind">;

def HGC_ConstantOp : HGC_Op<"constant", [Pure, ConstantLike, CostOp, FusibleOp, HGC_CheckedInference, InferTypeOpAdaptor]> {
  let summary = "a tensor known at compile time";
  let description = [{
    ```mlir
    %c = hgc.constant dense<[1.0, 2.0]> : tensor<2xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs HGC_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
  let extraClassDeclaration = [{
    static bool isCompatibleReturnTypes(::mlir::TypeRange lhs, ::mlir::TypeRange rhs) {
      return ::hgc::graph::areCompatible(lhs, rhs);
    }
    ::hgc::graph::FusionKind getFusionKind() { return ::hgc::graph::FusionKind::Opaque; }
  }];
}

def HGC_IotaOp : HGC_KindedOp<"iota", "Pointwise"> {
  let summary = "count along an axis";
  let description = [{
    Element `i` along `axis` is `i`, converted to the element type. `shape` holds
    extents or dim names.

    ```mlir
    %i = hgc.iota shape [4, 8] axis 1 of i32 : tensor<4x8xi32>
    ```
  }];
  let arguments = (ins ArrayAttr:$shape, I64Attr:$axis, TypeAttr:$element);
  let results = (outs HGC_NumberTensor:$result);
  let assemblyFormat = "`shape` $shape `axis` $axis `of` $element attr-dict `:` type($result)";
}

def HGC_ReshapeOp : HGC_KindedOp<"reshape", "View"> {
  let summary = "same elements in row-major order, other shape";
  let description = [{
    `shape` holds extents or dim names; one entry may be -1 and follows from the
    number of elements.

    ```mlir
    %y = hgc.reshape %x shape [-1, 784] : (tensor<32x28x28xf32>) -> tensor<32x784xf32>
    ```
  }];
  let arguments = (ins HGC_Tensor:$input, ArrayAttr:$shape);
  let results = (outs HGC_Tensor:$result);
  let assemblyFormat = "$input `shape` $shape attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def HGC_TransposeOp : HGC_KindedOp<"transpose", "IndexMap"> {
  let summary = "permute dims";
  let description = [{
    Dim `i` of the result is dim `permutation[i]` of the input.

    ```mlir
    %y = hgc.transpose %x permutation = [0, 2, 1] : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
    ```
  }];
  let arguments = (ins HGC_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs HGC_Tensor:$result);
  let assemblyFormat = "$input `permutation` `=` $permutation attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = compatibleDecl # [{
    ::hgc::graph::FusionKind getFusionKind() { return ::hgc::graph::FusionKind::IndexMap; }
    ::mlir::AffineMap getIndexingMap(unsigned number);
  }];
}

def HGC_BroadcastOp : HGC_KindedOp<"broadcast", "IndexMap"> {
  let summary = "repeat a tensor to a larger shape, as NumPy's broadcast_to";
  let description = [{
    `shape` holds extents or dim names.

    ```mlir
    %y = hgc.broadcast %x shape ["batch", 128] : (tensor<128xf32>) -> tensor<?x128xf32>
    ```
  }];
  let arguments = (ins HGC_Tensor:$input, ArrayAttr:$shape);
  let results = (outs HGC_Tensor:$result);
  let assemblyFormat = "$input `shape` $shape attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def HGC_ConcatOp : HGC_KindedOp<"concat", "Root"> {
  let summary = "join tensors along an axis";
  let description = [{
    ```mlir
    %z = hgc.concat %x, %y axis 1 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
    ```
  }];
  let arguments = (ins Variadic<HGC_Tensor>:$inputs, I64Attr:$axis);
  let results = (outs HGC_Tensor:$result);
  let assemblyFormat = "$inputs `axis` $axis attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def HGC_SliceOp : HGC_KindedOp<"slice", "IndexMap"> {
  let summary = "take a strided box out of a tensor";
  let description = [{
    Dim `i` of the result has `sizes[i]` elements, the first at `starts[i]`, then
    every `strides[i]`-th (negative strides walk backwards; absent: ones). A size
    of -1 takes all that is left after the start. The
    starts are an attribute or, in `at`, a one-dimensional operand; operand
    starts are clamped so that the box fits.

    ```mlir
    %y = hgc.slice %x starts = [1, 0] sizes = [2, 4] : (tensor<4x4xf32>) -> tensor<2x4xf32>
    %z = hgc.slice %x at %i sizes = [2, 4] : (tensor<4x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins HGC_Tensor:$input, Optional<HGC_IndexTensor>:$offsets, OptionalAttr<DenseI64ArrayAttr>:$starts,
                       DenseI64ArrayAttr:$sizes, OptionalAttr<DenseI64ArrayAttr>:$strides);
  let results = (outs HGC_Tensor:$result);
  let assemblyFormat = [{
    $input (`at` $offsets^)? (`starts` `=` $starts^)? `sizes` `=` $sizes (`strides` `=` $strides^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
  let extraClassDeclaration = compatibleDecl # [{
    ::hgc::graph::FusionKind getFusionKind() { return ::hgc::graph::FusionKind::IndexMap; }
    ::mlir::AffineMap getIndexingMap(unsigned number);
  }];
}

def HGC_PadOp : HGC_KindedOp<"pad", "Root"> {
  let summary = "enlarge a tensor at its borders";
  let description = [{
    `constant` fills with the scalar `value`, `edge` repeats the border, `reflect`
    mirrors without the border, `wrap` continues from the other side. Negative
    amounts crop.

    ```mlir
    %y = hgc.pad constant %x, %zero low = [1, 1] high = [1, 1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
    ```
  }];
  let arguments = (ins HGC_PadModeAttr:$mode, HGC_Tensor:$input, HGC_Tensor:$value,
                       DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high);
  let results = (outs HGC_Tensor:$result);
  let assemblyFormat = "$mode $input `,` $value `low` `=` $low `high` `=` $high attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def HGC_GatherOp : HGC_KindedOp<"gather", "IndexMap"> {
  let summary = "pick slices along an axis by index, as NumPy's take";
  let description = [{
    The result's shape is the input's with dim `axis` replaced by the shape of
    `indices`. A negative index counts from the end; what is still out of range is
    clamped.

    ```mlir
    %y = hgc.gather %table, %ids axis 0 : (tensor<1000x64xf32>, tensor<8xi64>) -> tensor<8x64xf32>
    ```
  }];
  let arguments = (ins HGC_Tensor:$input, HGC_IndexTensor:$indices, I64Attr:$axis);
  let results = (outs HGC_Tensor:$result);
  let assemblyFormat = "$input `,` $indices `axis` $axis attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = compatibleDecl # [{
    ::hgc::graph::FusionKind getFusionKind() { return ::hgc::graph::FusionKind::IndexMap; }
    ::mlir::AffineMap getIndexingMap(unsigned number);
  }];
}

def HGC_GatherAlongOp : HGC_KindedOp<"gather_along", "IndexMap"> {
  let summary = "pick elements along an axis by index, as NumPy's take_along_axis";
  let description = [{
    Element `[..., i, ...]` of the result is element `[..., indices[..., i, ...],
    ...]` of the input; both differ along `axis` only. A negative index counts from
    the end; what is still out of range is clamped.

    ```mlir
    %y = hgc.gather_along %x, %ids axis 1 : (tensor<8x10xf32>, tensor<8x3xi64>) -> tensor<8x3xf32>
    ```
  }];
  let arguments = (ins HGC_Tensor:$input, HGC_IndexTensor:$indices, I64Attr:$axis);
  let results = (outs HGC_Tensor:$result);
  let assemblyFormat = "$input `,` $indices `axis` $axis attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = compatibleDecl # [{
    ::hgc::graph::FusionKind getFusionKind() { return ::hgc::graph::FusionKind::IndexMap; }
    ::mlir::AffineMap getIndexingMap(unsigned number);
  }];
}

def HGC_ScatterOp : HGC_KindedOp<"scatter", "Root"> {
  let summary = "write or combine elements along an axis by index";
  let description = [{
    The result is the input, with each element of `updates` set, added, multiplied
    or compared (`max`, `min`; NaN wins) at its index along `axis`. `updates` has
    the type that `hgc.gather_along` of the input with these indices would have,
    with `slices` the type of `hgc.gather`: then an index stands for a whole slice.
    Indices are treated as by those ops. Updates of one element are combined in the
    order of their positions along `axis` (with `slices`: in `indices`); of several
    `set` the last one stays. Sums and products of half precision are rounded once.

    ```mlir
    %y = hgc.scatter set %x, %i, %u axis 1
        : (tensor<8x10xf32>, tensor<8x3xi64>, tensor<8x3xf32>) -> tensor<8x10xf32>
    %g = hgc.scatter add %zero, %ids, %rows axis 0 slices
        : (tensor<1000x64xf32>, tensor<8xi64>, tensor<8x64xf32>) -> tensor<1000x64xf32>
    ```
  }];
  let arguments = (ins HGC_ScatterKindAttr:$kind, HGC_Tensor:$input, HGC_IndexTensor:$indices, HGC_Tensor:$updates,
                       I64Attr:$axis, UnitAttr:$slices);
  let results = (outs HGC_Tensor:$result);
  let assemblyFormat = [{
    $kind $input `,` $indices `,` $updates `axis` $axis (`slices` $slices^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // HGC_GRAPH_SHAPE_TD
