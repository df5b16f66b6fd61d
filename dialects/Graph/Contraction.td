//===- Contraction.td - matmul, convolution, packing -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_CONTRACTION_TD
#define HGC_GRAPH_CONTRACTION_TD

include "dialects/Graph/GraphDialect.td"

def HGC_Contractible : AnyTypeOf<[F32, F64, F16, BF16, I8]>;
def HGC_Accumulated : AnyTypeOf<[F32, F64, I32]>;
def HGC_ContractTensor : RankedTensorOf<[HGC_Contractible]>;
def HGC_AccumulatedTensor : RankedTensorOf<[HGC_Accumulated]>;

def HGC_MatmulOp : HGC_KindedOp<"matmul", "Root"> {
  let summary = "matrix product over the last two dims";
  let description = [{
    Leading dims broadcast as in NumPy; both operands have rank two or more.
    `transpose_lhs`/`transpose_rhs` swap the operand's last two dims. f16, bf16
    and f32 accumulate and result in f32, f64 in f64, i8 in i32.

    With `packed` the right operand is the output of `hgc.pack matmul_rhs`; the
    attribute holds its logical shape `[..., K, N]`.

    ```mlir
    %c = hgc.matmul %a, %b : (tensor<32x784xf32>, tensor<784x128xf32>) -> tensor<32x128xf32>
    ```
  }];
  let arguments = (ins HGC_ContractTensor:$lhs, HGC_ContractTensor:$rhs, UnitAttr:$transpose_lhs,
                       UnitAttr:$transpose_rhs, OptionalAttr<HGC_PackedAttr>:$packed);
  let results = (outs HGC_AccumulatedTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`transpose_lhs` $transpose_lhs^)? (`transpose_rhs` $transpose_rhs^)?
    (`packed` $packed^)? attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = compatibleDecl # [{
    ::hgc::graph::FusionKind getFusionKind() { return ::hgc::graph::FusionKind::Root; }
    /// Logical shape of the right operand before packing, transposition applied.
    ::llvm::SmallVector<int64_t> getRhsShape();
    /// Contraction depth K.
    int64_t getDepth();
  }];
}

def HGC_ConvOp : HGC_KindedOp<"conv", "Root"> {
  let summary = "convolution over one to three spatial dims";
  let description = [{
    Cross-correlates `input` with `filter`. Absent `strides` and `dilations` are
    ones, absent `pads` (lows, then highs, one each per spatial dim) zeros. Data
    is `channels_last` (N, spatial..., C) or `channels_first` (N, C, spatial...);
    the filter is `hwio` (spatial..., C/groups, O) or `oihw` (O, C/groups,
    spatial...). Element types follow the rules of `hgc.matmul`.

    With `packed` the filter is the output of `hgc.pack conv_filter`; the
    attribute holds its logical `hwio` shape. A filter of 3x3 pixels may have been
    transformed to squares of 4x4 or 6x6 points before, for Winograd's forms: the
    number of rows in its panels says so.

    ```mlir
    %y = hgc.conv %x, %w strides = [2, 2] pads = [1, 1, 1, 1] groups = 1 channels_last hwio
        : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x28x28x64xf32>
    ```
  }];
  let arguments = (ins HGC_ContractTensor:$input, HGC_ContractTensor:$filter,
    OptionalAttr<DenseI64ArrayAttr>:$strides, OptionalAttr<DenseI64ArrayAttr>:$pads,
    OptionalAttr<DenseI64ArrayAttr>:$dilations, DefaultValuedAttr<I64Attr, "1">:$groups,
    HGC_DataLayoutAttr:$layout, HGC_FilterLayoutAttr:$filter_layout, OptionalAttr<HGC_PackedAttr>:$packed);
  let results = (outs HGC_AccumulatedTensor:$result);
  let assemblyFormat = [{
    $input `,` $filter (`strides` `=` $strides^)? (`pads` `=` $pads^)? (`dilations` `=` $dilations^)?
    (`groups` `=` $groups^)? $layout $filter_layout (`packed` $packed^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = compatibleDecl # [{
    ::hgc::graph::FusionKind getFusionKind() { return ::hgc::graph::FusionKind::Root; }
    /// Extents, window and layout in one canonical form (see Window.h).
    ::hgc::graph::ConvShape getShape();
  }];
}

def HGC_ConvTransposeOp : HGC_KindedOp<"conv_transpose", "Root"> {
  let summary = "transposed convolution, the input gradient of a convolution";
  let description = [{
    Spreads every element of `input` over the window that `hgc.conv` with the same
    filter and attributes would have read it through: data of the shape that
    `hgc.conv` results in goes in, data of the shape that it reads comes out. Layouts
    and element types are those of `hgc.conv`; the filter is named as that one names
    it, so `hwio` is (spatial..., result channels / groups, input channels).

    `extents` are the result's spatial extents. Without them they are the smallest
    possible, `(input - 1) * stride + dilation * (window - 1) + 1 - pads`; up to
    `max(stride, dilation) - 1` more are accepted, which no window or only the last
    ones reach.

    With `packed` the filter is the output of `hgc.pack conv_filter`, applied after
    its channels changed places; the attribute holds that shape: (spatial..., input
    channels / groups, result channels).

    ```mlir
    %x = hgc.conv_transpose %y, %w extents = [56, 56] strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x28x28x64xf32>, tensor<3x3x32x64xf32>) -> tensor<1x56x56x32xf32>
    ```
  }];
  let arguments = (ins HGC_ContractTensor:$input, HGC_ContractTensor:$filter,
    OptionalAttr<DenseI64ArrayAttr>:$extents, OptionalAttr<DenseI64ArrayAttr>:$strides,
    OptionalAttr<DenseI64ArrayAttr>:$pads, OptionalAttr<DenseI64ArrayAttr>:$dilations,
    DefaultValuedAttr<I64Attr, "1">:$groups, HGC_DataLayoutAttr:$layout, HGC_FilterLayoutAttr:$filter_layout,
    OptionalAttr<HGC_PackedAttr>:$packed);
  let results = (outs HGC_AccumulatedTensor:$result);
  let assemblyFormat = [{
    $input `,` $filter (`extents` `=` $extents^)? (`strides` `=` $strides^)? (`pads` `=` $pads^)?
    (`dilations` `=` $dilations^)? (`groups` `=` $groups^)? $layout $filter_layout (`packed` $packed^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = compatibleDecl # [{
    ::hgc::graph::FusionKind getFusionKind() { return ::hgc::graph::FusionKind::Root; }
    /// Extents of the convolution this one transposes: its input is the result.
    ::hgc::graph::ConvShape getShape();
    /// Most terms of a sum.
    int64_t getDepth();
  }];
}

def HGC_ConvFilterGradOp : HGC_KindedOp<"conv_filter_grad", "Root"> {
  let summary = "filter gradient of a convolution";
  let description = [{
    The derivative of `hgc.conv` by its filter: for each element of the filter, the sum
    of `input` times `gradient` (data of the shape of the convolution's result) over
    all places at which the convolution multiplies it. `window` holds the filter's
    spatial extents; the other attributes, layouts and element types are those of
    `hgc.conv`, and `hwio` or `oihw` is the order of the result.

    ```mlir
    %dw = hgc.conv_filter_grad %x, %dy window = [3, 3] strides = [2, 2] pads = [1, 1, 1, 1] channels_last hwio
        : (tensor<1x56x56x32xf32>, tensor<1x28x28x64xf32>) -> tensor<3x3x32x64xf32>
    ```
  }];
  let arguments = (ins HGC_ContractTensor:$input, HGC_ContractTensor:$gradient, DenseI64ArrayAttr:$window,
    OptionalAttr<DenseI64ArrayAttr>:$strides, OptionalAttr<DenseI64ArrayAttr>:$pads,
    OptionalAttr<DenseI64ArrayAttr>:$dilations, DefaultValuedAttr<I64Attr, "1">:$groups,
    HGC_DataLayoutAttr:$layout, HGC_FilterLayoutAttr:$filter_layout);
  let results = (outs HGC_AccumulatedTensor:$result);
  let assemblyFormat = [{
    $input `,` $gradient `window` `=` $window (`strides` `=` $strides^)? (`pads` `=` $pads^)?
    (`dilations` `=` $dilations^)? (`groups` `=` $groups^)? $layout $filter_layout attr-dict
    `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = compatibleDecl # [{
    ::hgc::graph::FusionKind getFusionKind() { return ::hgc::graph::FusionKind::Root; }
    /// Extents of the convolution.
    ::hgc::graph::ConvShape getShape();
    /// Terms of each sum.
    int64_t getDepth();
  }];
}

def HGC_PackOp : HGC_KindedOp<"pack", "Root"> {
  let summary = "write a contraction operand in panels";
  let description = [{
    `matmul_rhs`: `[..., K, N]` becomes `[..., ceil(N / width), K, width]`.
    `conv_filter`: `hwio` with `groups` becomes
    `[groups, ceil(O / groups / width), spatial * I / groups, width]`. Columns
    past the end hold zeros.

    With `interleave` n, 2 or 4 elements of i8 that follow each other along the depth
    (of a filter: the input channels of one pixel) lie side by side, for instructions that
    multiply them at once: n rows become one of `n * width` elements, with zeros past the
    end of the depth. Such panels of 4 begin with a row of i32, -128 times the sum of each column:
    what is left of sums over operands of which one was taken 128 too large.

    With 64 (i8), 32 (bf16), 32 or 96 (f32) panels are made of tiles for matrix units: 16 columns times 64 bytes of
    the depth, of which 4 bytes lie side by side. Rows of the panel hold the tiles of all columns for 64 or 32
    elements of the depth; of a filter, the channels of neighbouring pixels are one stretch of it. An
    element of f32 is stored as three of bf16 whose sum it is, in tiles of their own: `[.., ceil(K / 32), 96 * width]` of
    bf16. One that is not finite is followed by parts that are no numbers. With 32 it stays f32, in the place that its
    parts would have: kernels make them, which takes less memory and suits weights that many rows share.

    Only `hgc-pack-contractions` creates this op; on an immutable parameter `hgc-fold-packs` evaluates it at
    compile time.

    ```mlir
    %p = hgc.pack matmul_rhs %w width 16 : (tensor<784x128xf32>) -> tensor<8x784x16xf32>
    ```
  }];
  let arguments = (ins HGC_PackKindAttr:$kind, HGC_ContractTensor:$input, I64Attr:$width,
                       DefaultValuedAttr<I64Attr, "1">:$groups, DefaultValuedAttr<I64Attr, "1">:$interleave);
  let results = (outs HGC_ContractTensor:$result);
  let assemblyFormat = [{
    $kind $input `width` $width (`groups` `=` $groups^)? (`interleave` `=` $interleave^)? attr-dict `:` functional-type(operands, results)
  }];
}

#endif // HGC_GRAPH_CONTRACTION_TD
