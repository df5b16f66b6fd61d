//===- BodyTest.cpp - values of pointwise bodies --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies are emitted on constants and folded by upstream's folders. These fold
// scalars only, so vectors are compared op by op.
//===----------------------------------------------------------------------===//

#include "GraphTest.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>

using namespace mlir;
using namespace hgc::graph;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

class BodyTest : public GraphTest {
protected:
  BodyTest() { context.loadDialect<arith::ArithDialect, math::MathDialect, func::FuncDialect>(); }

  /// Emits the body of `fusible` on constants into a function of its own.
  func::FuncOp build(FusibleOp fusible, ArrayRef<double> inputs, bool asVector) {
    OpBuilder builder(module->getBodyRegion());
    Location loc = builder.getUnknownLoc();
    auto function =
        func::FuncOp::create(builder, loc, asVector ? "vectors" : "scalars", builder.getFunctionType({}, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    SmallVector<Value> operands;
    for (auto [value, operand] : llvm::zip(inputs, fusible->getOperands()))
      operands.push_back(constant(builder, getElementTypeOrSelf(operand.getType()), value, asVector));
    Value result = fusible.buildScalar(builder, loc, operands);
    Type element = getComputeType(getElementTypeOrSelf(fusible->getResult(0).getType()));
    EXPECT_EQ(result.getType(), asVector ? Type(VectorType::get({4}, element)) : element);
    function.setFunctionType(builder.getFunctionType({}, result.getType()));
    func::ReturnOp::create(builder, loc, result);
    EXPECT_TRUE(succeeded(verify(function)));
    return function;
  }

  static Value constant(OpBuilder &builder, Type element, double value, bool asVector) {
    Type type = getComputeType(element);
    TypedAttr attr;
    if (isa<FloatType>(type)) {
      attr = builder.getFloatAttr(type, value);
    } else {
      uint64_t bits = value < 0 ? static_cast<uint64_t>(static_cast<int64_t>(value)) : static_cast<uint64_t>(value);
      attr = builder.getIntegerAttr(type, APInt(64, bits).trunc(type.getIntOrFloatBitWidth()));
    }
    if (asVector)
      attr = cast<TypedAttr>(DenseElementsAttr::get(VectorType::get({4}, type), Attribute(attr)));
    return arith::ConstantOp::create(builder, builder.getUnknownLoc(), attr);
  }

  /// Folds `function` and gives the constant it returns.
  double fold(func::FuncOp function, bool noSign) {
    FrozenRewritePatternSet none{RewritePatternSet(&context)};
    (void)applyPatternsGreedily(function, none);
    Attribute attr;
    if (!matchPattern(function.getBody().front().getTerminator()->getOperand(0), m_Constant(&attr))) {
      ADD_FAILURE() << "the body does not fold";
      return kNan;
    }
    if (auto number = dyn_cast<FloatAttr>(attr))
      return number.getValueAsDouble();
    APInt bits = cast<IntegerAttr>(attr).getValue();
    return noSign ? static_cast<double>(bits.getZExtValue()) : static_cast<double>(bits.getSExtValue());
  }

  static std::vector<std::string> getOpNames(func::FuncOp function) {
    std::vector<std::string> names;
    function->walk([&](Operation *op) { names.push_back(op->getName().getStringRef().str()); });
    return names;
  }

  /// Checks the value of the only op of `op`, which is on scalars %a0, %a1, ...
  /// of type `element`; on vectors it emits the same ops.
  void expect(StringRef op, StringRef element, ArrayRef<double> inputs, double expected) {
    SCOPED_TRACE(op.str());
    std::string arguments;
    for (size_t i = 0; i < inputs.size(); ++i)
      arguments += (i ? ", %a" : "%a") + std::to_string(i) + ": tensor<" + element.str() + ">";
    parse(arguments, op);
    FusibleOp fusible = find<FusibleOp>();
    func::FuncOp scalars = build(fusible, inputs, false), vectors = build(fusible, inputs, true);
    EXPECT_EQ(getOpNames(scalars), getOpNames(vectors));
    double actual = fold(scalars, isUnsigned(getElementTypeOrSelf(fusible->getResult(0).getType())));
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(actual)) << actual;
    else
      EXPECT_NEAR(actual, expected, std::isinf(expected) ? 0 : 1e-6 * std::abs(expected));
  }

  void expectUnary(StringRef name, StringRef element, double x, double expected) {
    expect(("%r = hgc." + name + " %a0 : tensor<" + element + ">").str(), element, {x}, expected);
  }

  void expectBinary(StringRef name, StringRef element, double x, double y, double expected) {
    std::string type = ("tensor<" + element + ">").str();
    expect(("%r = hgc." + name + " %a0, %a1 : (" + type + ", " + type + ") -> " + type).str(), element, {x, y},
           expected);
  }

  void expectCast(StringRef from, StringRef to, double x, double expected) {
    expect(("%r = hgc.cast %a0 to " + to + " : (tensor<" + from + ">) -> tensor<" + to + ">").str(), from, {x},
           expected);
  }

  void expectCompare(StringRef predicate, StringRef element, double x, double y, bool expected) {
    std::string type = ("tensor<" + element + ">").str();
    expect(("%r = hgc.compare " + predicate + " %a0, %a1 : (" + type + ", " + type + ") -> tensor<i1>").str(), element,
           {x, y}, expected);
  }
};

TEST_F(BodyTest, IntegerDivisionIsTotal) {
  expectBinary("div", "i8", 7, -2, -3);
  expectBinary("div", "i8", 7, 0, 0);
  expectBinary("div", "i8", -128, -1, -128);
  expectBinary("div", "i8", 100, -1, -100);
  expectBinary("div", "ui8", 255, 2, 127);
  expectBinary("div", "ui8", 254, 255, 0);
  expectBinary("div", "ui8", 9, 0, 0);
  expectBinary("rem", "i8", -7, 2, -1);
  expectBinary("rem", "i8", 7, 0, 0);
  expectBinary("rem", "i8", -128, -1, 0);
  expectBinary("rem", "ui8", 255, 10, 5);
  expectBinary("rem", "ui8", 255, 0, 0);
}

TEST_F(BodyTest, IntegersWrap) {
  expectBinary("add", "i8", 127, 1, -128);
  expectBinary("mul", "ui8", 16, 17, 16);
  expectUnary("neg", "i8", -128, -128);
  expectUnary("abs", "i8", -5, 5);
  expectUnary("abs", "ui8", 200, 200);
}

TEST_F(BodyTest, ShiftsBeyondTheWidthFill) {
  expectBinary("shl", "i8", 3, 2, 12);
  expectBinary("shl", "i8", 3, 8, 0);
  expectBinary("shl", "i8", 3, -1, 0);
  expectBinary("shr", "i8", -8, 1, -4);
  expectBinary("shr", "i8", -8, 100, -1);
  expectBinary("shr", "i8", 8, 100, 0);
  expectBinary("shr", "ui8", 248, 1, 124);
  expectBinary("shr", "ui8", 248, 8, 0);
  expectBinary("shl", "i1", 1, 0, 1);
  expectBinary("shl", "i1", 1, 1, 0);
}

TEST_F(BodyTest, SignOfTheTypeDecides) {
  expectBinary("max", "i8", -1, 1, 1);
  expectBinary("max", "ui8", 255, 1, 255);
  expectBinary("min", "i8", -1, 1, -1);
  expectBinary("min", "ui8", 255, 1, 1);
  expectCompare("lt", "i8", -1, 1, true);
  expectCompare("lt", "ui8", 255, 1, false);
  expectCompare("ge", "i1", 1, 0, true);
  expectUnary("sign", "i8", -77, -1);
  expectUnary("sign", "i8", 0, 0);
  expectUnary("sign", "ui8", 200, 1);
  expectUnary("relu", "i8", -3, 0);
  expectUnary("relu", "ui8", 200, 200);
  expectUnary("not", "i1", 1, 0);
  expectUnary("not", "i8", 0, -1);
}

TEST_F(BodyTest, NanPropagates) {
  expectBinary("max", "f32", kNan, 1, kNan);
  expectBinary("min", "f32", 1, kNan, kNan);
  expectUnary("relu", "f32", kNan, kNan);
  expectUnary("sign", "f32", kNan, kNan);
  expectUnary("sigmoid", "f32", kNan, kNan);
  expectUnary("relu", "f32", -2, 0);
  expectUnary("relu", "f32", 2, 2);
  expectUnary("sign", "f64", -2, -1);
  expectUnary("sign", "f16", 0, 0);
}

TEST_F(BodyTest, ComparisonsWithNan) {
  for (StringRef predicate : {"eq", "lt", "le", "gt", "ge"})
    expectCompare(predicate, "f32", kNan, kNan, false);
  expectCompare("ne", "f32", kNan, kNan, true);
  expectCompare("eq", "f32", 2, 2, true);
  expectCompare("gt", "f64", 3, 2, true);
}

TEST_F(BodyTest, TestsOfFloats) {
  for (double x : {0.0, kInf, -kInf, kNan}) {
    expect("%r = hgc.is_nan %a0 : (tensor<f32>) -> tensor<i1>", "f32", {x}, std::isnan(x));
    expect("%r = hgc.is_inf %a0 : (tensor<f32>) -> tensor<i1>", "f32", {x}, std::isinf(x));
  }
}

TEST_F(BodyTest, FloatToIntSaturates) {
  expectCast("f32", "i8", -3.9, -3);
  expectCast("f32", "i8", 300, 127);
  expectCast("f32", "i8", -300, -128);
  expectCast("f32", "i8", kNan, 0);
  expectCast("f32", "i8", -kInf, -128);
  expectCast("f32", "ui8", -1, 0);
  expectCast("f32", "ui8", 255.5, 255);
  expectCast("f32", "ui8", 1e9, 255);
  expectCast("f32", "i32", 3e9, 2147483647);
  expectCast("f32", "i32", 2147483520, 2147483520);
  expectCast("f64", "i64", kInf, 9223372036854775807.0);
  expectCast("f64", "ui64", 1e30, 18446744073709551615.0);
  expectCast("f16", "i16", 7.5, 7);
}

TEST_F(BodyTest, OtherConversions) {
  expectCast("i32", "i8", 300, 44);
  expectCast("i8", "i32", -3, -3);
  expectCast("ui8", "i32", 253, 253);
  expectCast("i8", "ui16", -1, 65535);
  expectCast("i1", "i32", 1, 1);
  expectCast("i1", "f32", 1, 1);
  expectCast("ui8", "f32", 255, 255);
  expectCast("i8", "f64", -1, -1);
  expectCast("f32", "i1", 0.5, 1);
  expectCast("f32", "i1", -0.0, 0);
  expectCast("f32", "i1", kNan, 1);
  expectCast("i32", "i1", 256, 1);
  expectCast("f64", "f16", 1.5, 1.5);
  expectCast("f16", "f64", 1.5, 1.5);
  expectCast("bf16", "f16", 1.5, 1.5);
}

TEST_F(BodyTest, Activations) {
  for (double x : {-3.0, -0.5, 0.0, 0.5, 3.0}) {
    expectUnary("sigmoid", "f64", x, 1 / (1 + std::exp(-x)));
    expectUnary("silu", "f64", x, x / (1 + std::exp(-x)));
    expectUnary("gelu", "f64", x, x / 2 * (1 + std::erf(x * std::sqrt(0.5))));
    expectUnary("gelu_tanh", "f64", x,
                x / 2 * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x))));
  }
  expectUnary("sigmoid", "f32", 1e4, 1);
  expectUnary("sigmoid", "f32", -1e4, 0);
  expectUnary("silu", "f32", -1e4, 0);
  expectUnary("gelu_tanh", "f32", 1e20, 1e20);
  expectUnary("round", "f32", 2.5, 2);
  expectUnary("round", "f32", 3.5, 4);
}

TEST_F(BodyTest, SelectTakesTheSideOfItsCondition) {
  StringRef op = "%r = hgc.select %a0, %a1, %a2 : (tensor<i1>, tensor<i1>, tensor<i1>) -> tensor<i1>";
  expect(op, "i1", {1, 0, 1}, 0);
  expect(op, "i1", {0, 0, 1}, 1);
}

} // namespace
