//===- Elementwise.td - one element from one element each ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_ELEMENTWISE_TD
#define HGC_GRAPH_ELEMENTWISE_TD

include "dialects/Graph/GraphDialect.td"

class HGC_PointwiseOp<string mnemonic, list<Trait> traits = []>
    : HGC_InferredOp<mnemonic, !listconcat(
        [DeclareOpInterfaceMethods<FusibleOp, ["buildScalar"]>], traits)>;

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

class HGC_UnaryOp<string mnemonic, Type type, string text>
    : HGC_Op<mnemonic, [Pure, CostOp, SameOperandsAndResultType,
                        DeclareOpInterfaceMethods<FusibleOp, ["buildScalar"]>]> {
  let summary = text;
  let description = "Computes " # text # " of each element.\n\n```mlir\n%y = hgc." # mnemonic # " %x : tensor<4xf32>\n```\n";
  let arguments = (ins type:$input);
  let results = (outs type:$result);
  let assemblyFormat = "$input attr-dict `:` type($result)";
}

def HGC_AbsOp : HGC_UnaryOp<"abs", HGC_NumberTensor, "the absolute value"> { let hasFolder = 1; }
def HGC_NegOp : HGC_UnaryOp<"neg", HGC_NumberTensor, "the negation"> { let hasFolder = 1; }
def HGC_SignOp : HGC_UnaryOp<"sign", HGC_NumberTensor, "the sign (-1, 0 or 1)">;
def HGC_ExpOp : HGC_UnaryOp<"exp", HGC_FloatTensor, "the exponential">;
def HGC_Expm1Op : HGC_UnaryOp<"expm1", HGC_FloatTensor, "the exponential minus one">;
def HGC_LogOp : HGC_UnaryOp<"log", HGC_FloatTensor, "the natural logarithm">;
def HGC_Log1pOp : HGC_UnaryOp<"log1p", HGC_FloatTensor, "the natural logarithm of one plus the value">;
def HGC_SqrtOp : HGC_UnaryOp<"sqrt", HGC_FloatTensor, "the square root">;
def HGC_RsqrtOp : HGC_UnaryOp<"rsqrt", HGC_FloatTensor, "the reciprocal square root">;
def HGC_SinOp : HGC_UnaryOp<"sin", HGC_FloatTensor, "the sine">;
def HGC_CosOp : HGC_UnaryOp<"cos", HGC_FloatTensor, "the cosine">;
def HGC_TanOp : HGC_UnaryOp<"tan", HGC_FloatTensor, "the tangent">;
def HGC_AsinOp : HGC_UnaryOp<"asin", HGC_FloatTensor, "the arc sine">;
def HGC_AcosOp : HGC_UnaryOp<"acos", HGC_FloatTensor, "the arc cosine">;
def HGC_AtanOp : HGC_UnaryOp<"atan", HGC_FloatTensor, "the arc tangent">;
def HGC_SinhOp : HGC_UnaryOp<"sinh", HGC_FloatTensor, "the hyperbolic sine">;
def HGC_CoshOp : HGC_UnaryOp<"cosh", HGC_FloatTensor, "the hyperbolic cosine">;
def HGC_TanhOp : HGC_UnaryOp<"tanh", HGC_FloatTensor, "the hyperbolic tangent">;
def HGC_AsinhOp : HGC_UnaryOp<"asinh", HGC_FloatTensor, "the inverse hyperbolic sine">;
def HGC_AcoshOp : HGC_UnaryOp<"acosh", HGC_FloatTensor, "the inverse hyperbolic cosine">;
def HGC_AtanhOp : HGC_UnaryOp<"atanh", HGC_FloatTensor, "the inverse hyperbolic tangent">;
def HGC_ErfOp : HGC_UnaryOp<"erf", HGC_FloatTensor, "the error function">;
def HGC_FloorOp : HGC_UnaryOp<"floor", HGC_FloatTensor, "the largest integer not above the value">;
def HGC_CeilOp : HGC_UnaryOp<"ceil", HGC_FloatTensor, "the smallest integer not below the value">;
def HGC_RoundOp : HGC_UnaryOp<"round", HGC_FloatTensor, "the nearest integer, halves to even">;
def HGC_TruncOp : HGC_UnaryOp<"trunc", HGC_FloatTensor, "the integer part">;
def HGC_ReluOp : HGC_UnaryOp<"relu", HGC_NumberTensor, "max(x, 0)"> { let hasFolder = 1; }
def HGC_SigmoidOp : HGC_UnaryOp<"sigmoid", HGC_FloatTensor, "the logistic function 1 / (1 + exp(-x))">;
def HGC_SiluOp : HGC_UnaryOp<"silu", HGC_FloatTensor, "the sigmoid linear unit x * sigmoid(x)">;
def HGC_GeluOp : HGC_UnaryOp<"gelu", HGC_FloatTensor, "the Gaussian error linear unit x / 2 * (1 + erf(x / sqrt(2)))">;
def HGC_GeluTanhOp : HGC_UnaryOp<"gelu_tanh", HGC_FloatTensor, "the tanh approximation of gelu">;
def HGC_StopGradientOp : HGC_UnaryOp<"stop_gradient", HGC_Tensor, "the value, without a gradient"> {
  let description = [{
    The input itself, which differentiation takes for a constant. It is gone once
    that is done.

    ```mlir
    %y = hgc.stop_gradient %x : tensor<4xf32>
    ```
  }];
}
def HGC_NotOp : HGC_UnaryOp<"not", HGC_IntTensor, "the bitwise complement (logical not for i1)"> { let hasFolder = 1; }

class HGC_TestOp<string mnemonic, string text> : HGC_PointwiseOp<mnemonic> {
  let summary = text;
  let description = "Yields true where the element is " # text # ".\n\n```mlir\n%y = hgc." # mnemonic # " %x : (tensor<4xf32>) -> tensor<4xi1>\n```\n";
  let arguments = (ins HGC_FloatTensor:$input);
  let results = (outs HGC_BoolTensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *context,
        ::std::optional<::mlir::Location>, Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      types.push_back(::hgc::graph::withElement(adaptor.getInput().getType(),
                                                ::mlir::IntegerType::get(context, 1)));
      return ::mlir::success();
    }
  }];
}
def HGC_IsNanOp : HGC_TestOp<"is_nan", "not a number">;
def HGC_IsInfOp : HGC_TestOp<"is_inf", "an infinity">;

def HGC_CastOp : HGC_PointwiseOp<"cast"> {
  let summary = "convert each element to another type";
  let description = [{
    Float to integer truncates toward zero and saturates (NaN gives 0); integer
    to integer wraps; anything to i1 is `!= 0`.

    `in_range` says that floats are numbers in the range of the integer type, as
    whoever makes the op must know; the result of others is arbitrary.

    ```mlir
    %h = hgc.cast %x to f16 : (tensor<4xf32>) -> tensor<4xf16>
    %i = hgc.cast %x to i32 in_range : (tensor<4xf32>) -> tensor<4xi32>
    ```
  }];
  let arguments = (ins HGC_Tensor:$input, TypeAttr:$to, UnitAttr:$in_range);
  let results = (outs HGC_Tensor:$result);
  let assemblyFormat = "$input `to` $to (`in_range` $in_range^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Two operands, NumPy broadcasting
//===----------------------------------------------------------------------===//

class HGC_BinaryOp<string mnemonic, Type type, string text, list<Trait> traits = []>
    : HGC_PointwiseOp<mnemonic, !listconcat([SameOperandsAndResultElementType], traits)> {
  let summary = text;
  let description = "Computes " # text # "; shapes broadcast as in NumPy.\n\n```mlir\n%z = hgc." # mnemonic
    # " %x, %y : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>\n```\n";
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *,
        ::std::optional<::mlir::Location> loc, Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::hgc::graph::inferBroadcast(loc, adaptor.getOperands().getTypes(), {}, types);
    }
  }];
}
def HGC_AddOp : HGC_BinaryOp<"add", HGC_NumberTensor, "the sum", [Commutative]> { let hasFolder = 1; }
def HGC_SubOp : HGC_BinaryOp<"sub", HGC_NumberTensor, "the difference"> { let hasFolder = 1; }
def HGC_MulOp : HGC_BinaryOp<"mul", HGC_NumberTensor, "the product", [Commutative]> { let hasFolder = 1; }
def HGC_DivOp : HGC_BinaryOp<"div", HGC_NumberTensor, "the quotient (integers truncate; x / 0 is 0)"> { let hasFolder = 1; }
def HGC_RemOp : HGC_BinaryOp<"rem", HGC_NumberTensor, "the remainder with the sign of the dividend (integers: x rem 0 is 0)">;
def HGC_PowOp : HGC_BinaryOp<"pow", HGC_FloatTensor, "the left operand to the power of the right"> { let hasFolder = 1; }
def HGC_MaxOp : HGC_BinaryOp<"max", HGC_NumberTensor, "the larger value; NaN wins", [Commutative]>;
def HGC_MinOp : HGC_BinaryOp<"min", HGC_NumberTensor, "the smaller value; NaN wins", [Commutative]>;
def HGC_Atan2Op : HGC_BinaryOp<"atan2", HGC_FloatTensor, "the angle of the point (rhs, lhs)">;
def HGC_AndOp : HGC_BinaryOp<"and", HGC_IntTensor, "the bitwise and", [Commutative]> { let hasFolder = 1; }
def HGC_OrOp : HGC_BinaryOp<"or", HGC_IntTensor, "the bitwise or", [Commutative]> { let hasFolder = 1; }
def HGC_XorOp : HGC_BinaryOp<"xor", HGC_IntTensor, "the bitwise exclusive or", [Commutative]>;
def HGC_ShlOp : HGC_BinaryOp<"shl", HGC_IntTensor, "the left shift; a shift by the width or more gives 0">;
def HGC_ShrOp : HGC_BinaryOp<"shr", HGC_IntTensor, "the right shift, arithmetic for signed types; a shift by the width or more fills">;

def HGC_CompareOp : HGC_PointwiseOp<"compare"> {
  let summary = "compare two tensors element by element";
  let description = [{
    `eq`, `lt`, `le`, `gt`, `ge` are false and `ne` is true when an operand is NaN.

    ```mlir
    %m = hgc.compare lt %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    ```
  }];
  let arguments = (ins HGC_ComparePredicateAttr:$predicate, HGC_Tensor:$lhs, HGC_Tensor:$rhs);
  let results = (outs HGC_BoolTensor:$result);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *context,
        ::std::optional<::mlir::Location> loc, Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::hgc::graph::inferBroadcast(loc, adaptor.getOperands().getTypes(),
                                          ::mlir::IntegerType::get(context, 1), types);
    }
  }];
}

def HGC_SelectOp : HGC_PointwiseOp<"select"> {
  let summary = "choose between two tensors element by element";
  let description = [{
    All three operands broadcast against each other.

    ```mlir
    %z = hgc.select %m, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins HGC_BoolTensor:$condition, HGC_Tensor:$on_true, HGC_Tensor:$on_false);
  let results = (outs HGC_Tensor:$result);
  let assemblyFormat = "$condition `,` $on_true `,` $on_false attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *,
        ::std::optional<::mlir::Location> loc, Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::hgc::graph::inferBroadcast(
          loc, adaptor.getOperands().getTypes(),
          ::mlir::getElementTypeOrSelf(adaptor.getOnTrue().getType()), types);
    }
  }];
}

#endif // HGC_GRAPH_ELEMENTWISE_TD
