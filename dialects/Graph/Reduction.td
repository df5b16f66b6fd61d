//===- Reduction.td - windows, reductions, normalisations ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_REDUCTION_TD
#define HGC_GRAPH_REDUCTION_TD

include "dialects/Graph/GraphDialect.td"

def HGC_PoolOp : HGC_KindedOp<"pool", "Root"> {
  let summary = "reduce a sliding window over one to three spatial dims";
  let description = [{
    Padding never wins a maximum; `avg` divides by the elements inside the input,
    or by the whole window with `count_include_pad`. A window that lies wholly in
    the padding is an error of the verifier.

    ```mlir
    %y = hgc.pool max %x window = [2, 2] strides = [2, 2] channels_last
        : (tensor<1x28x28x32xf32>) -> tensor<1x14x14x32xf32>
    ```
  }];
  let arguments = (ins HGC_PoolKindAttr:$kind, HGC_NumberTensor:$input, DenseI64ArrayAttr:$window,
    OptionalAttr<DenseI64ArrayAttr>:$strides, OptionalAttr<DenseI64ArrayAttr>:$pads,
    OptionalAttr<DenseI64ArrayAttr>:$dilations, UnitAttr:$count_include_pad, HGC_DataLayoutAttr:$layout);
  let results = (outs HGC_NumberTensor:$result);
  let assemblyFormat = [{
    $kind $input `window` `=` $window (`strides` `=` $strides^)? (`pads` `=` $pads^)?
    (`dilations` `=` $dilations^)? (`count_include_pad` $count_include_pad^)? $layout attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = compatibleDecl # [{
    ::hgc::graph::FusionKind getFusionKind() { return ::hgc::graph::FusionKind::Root; }
    /// Extents, window and layout in one canonical form (see Window.h).
    ::hgc::graph::ConvShape getShape();
  }];
}

def HGC_ReduceOp : HGC_KindedOp<"reduce", "Root"> {
  let summary = "reduce over axes";
  let description = [{
    `any` and `all` take i1, the others numbers. `mean` of integers truncates.
    An empty `axes` reduces nothing; axes are in ascending order.

    ```mlir
    %s = hgc.reduce sum %x axes = [1] keepdims : (tensor<8x4xf32>) -> tensor<8x1xf32>
    ```
  }];
  let arguments = (ins HGC_ReduceKindAttr:$kind, HGC_Tensor:$input, DenseI64ArrayAttr:$axes, UnitAttr:$keepdims);
  let results = (outs HGC_Tensor:$result);
  let assemblyFormat = "$kind $input `axes` `=` $axes (`keepdims` $keepdims^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

class HGC_SoftmaxLikeOp<string mnemonic, string text> : HGC_Op<mnemonic, [Pure, CostOp, FusibleOp, SameOperandsAndResultType]> {
  let summary = text;
  let description = "Computes " # text # ".\n\n```mlir\n%y = hgc." # mnemonic # " %x axis 1 : tensor<8x10xf32>\n```\n";
  let arguments = (ins HGC_FloatTensor:$input, I64Attr:$axis);
  let results = (outs HGC_FloatTensor:$result);
  let assemblyFormat = "$input `axis` $axis attr-dict `:` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::hgc::graph::FusionKind getFusionKind() { return ::hgc::graph::FusionKind::Root; }
  }];
}
def HGC_SoftmaxOp : HGC_SoftmaxLikeOp<"softmax", "the softmax along an axis">;
def HGC_LogSoftmaxOp : HGC_SoftmaxLikeOp<"log_softmax", "the logarithm of the softmax along an axis">;

def HGC_LayerNormOp : HGC_KindedOp<"layer_norm", "Root"> {
  let summary = "normalise over the trailing dims";
  let description = [{
    Mean and (biased) variance over the dims from `axis` on; then scale and bias,
    whose shape is that of those dims.

    ```mlir
    %y = hgc.layer_norm %x, %scale, %bias axis 1 epsilon 1.0e-05
        : (tensor<8x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<8x64xf32>
    ```
  }];
  let arguments = (ins HGC_FloatTensor:$input, HGC_FloatTensor:$scale, HGC_FloatTensor:$bias, I64Attr:$axis, F64Attr:$epsilon);
  let results = (outs HGC_FloatTensor:$result);
  let assemblyFormat = "$input `,` $scale `,` $bias `axis` $axis `epsilon` $epsilon attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def HGC_BatchNormOp : HGC_KindedOp<"batch_norm", "Opaque"> {
  let summary = "normalise each channel with given statistics";
  let description = [{
    `(x - mean) / sqrt(variance + epsilon) * scale + bias`, all four of the shape
    of dim `axis`. `hgc-decompose` rewrites it into pointwise ops. In `train_step`
    (`hgc compile --train`) the statistics are those of the batch, and parameters
    that stand for `mean` and `variance` become `momentum` times their value plus
    the rest of those.

    ```mlir
    %y = hgc.batch_norm %x, %scale, %bias, %mean, %variance axis 3 epsilon 1.0e-03
        : (tensor<1x8x8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>
    ```
  }];
  let arguments = (ins HGC_FloatTensor:$input, HGC_FloatTensor:$scale, HGC_FloatTensor:$bias,
                       HGC_FloatTensor:$mean, HGC_FloatTensor:$variance, I64Attr:$axis, F64Attr:$epsilon,
                       DefaultValuedAttr<F64Attr, "::llvm::APFloat(0.99)">:$momentum);
  let results = (outs HGC_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $scale `,` $bias `,` $mean `,` $variance `axis` $axis `epsilon` $epsilon
    (`momentum` $momentum^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // HGC_GRAPH_REDUCTION_TD
