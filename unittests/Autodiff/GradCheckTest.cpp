//===- GradCheckTest.cpp - gradients against finite differences -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every case becomes a loss, the sum of its result with given weights. The reference
// evaluator computes the gradient that was built and central differences in f64.
//===----------------------------------------------------------------------===//

#include "GradCases.h"

#include "../Eval/EvalFixture.h"
#include "hgc/Autodiff/Gradients.h"

#include "mlir/IR/Verifier.h"
#include <cmath>
#include <map>
#include <random>
#include <set>

using namespace mlir;
using namespace hgc;

namespace {

struct GradCheck : EvalFixture {
  GradCheck() {
    DialectRegistry registry;
    registerGradModels(registry);
    context.appendDialectRegistry(registry);
  }

  /// A tensor with numbers between `low` and `high` that are not too close to each
  /// other, so that no step passes from one maximum to another.
  HostTensor draw(StringRef shape, double low, double high) {
    SmallVector<int64_t> extents;
    SmallVector<StringRef> parts;
    shape.split(parts, 'x', -1, false);
    int64_t count = 1;
    for (StringRef part : parts) {
      extents.push_back(std::stoll(part.str()));
      count *= extents.back();
    }
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i)
      values.push_back(low + (high - low) * (i + 0.2 + 0.6 * std::uniform_real_distribution<>()(random)) / count);
    std::shuffle(values.begin(), values.end(), random);
    return HostTensor::fromDoubles(Float64Type::get(&context), extents, values);
  }

  func::FuncOp parse(const GradCase &test, std::vector<HostTensor> &inputs) {
    std::string text = "func.func @f(";
    for (auto [i, input] : llvm::enumerate(test.inputs)) {
      bool isGiven = StringRef(input).contains('=');
      inputs.push_back(isGiven ? literal(input) : draw(input, test.low, test.high));
      text += "%a" + std::to_string(i) + ": " + (isGiven ? typeOf(input) : f64(input)) + ", ";
    }
    inputs.push_back(draw(test.result, -2, 2));
    std::string axes, type = f64(test.result);
    for (int64_t i = 0; i < inputs.back().getRank(); ++i)
      axes += (i ? ", " : "") + std::to_string(i);
    text += "%weights: " + type + ") -> tensor<f64> {\n" + test.body + "\n%weighted = hgc.mul %y, %weights : (" + type +
            ", " + type + ") -> " + type + "\n%loss = hgc.reduce sum %weighted axes = [" + axes + "] : (" + type +
            ") -> tensor<f64>\nreturn %loss : tensor<f64>\n}\n";
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module) {
      ADD_FAILURE() << message << text;
      return {};
    }
    return *module->getOps<func::FuncOp>().begin();
  }

  std::vector<HostTensor> evaluate(func::FuncOp function, const std::vector<HostTensor> &inputs) {
    FailureOr<graph::EvalResult> result = graph::evaluateEntry(function, inputs, {});
    if (succeeded(result))
      return std::vector<HostTensor>(result->outputs.begin(), result->outputs.end());
    ADD_FAILURE() << message;
    return {};
  }

  void check(const GradCase &test);
  /// Gradient of the sum of `%y`, of this shape, by `%a0`.
  std::string slope(const std::string &input, const std::string &body, const std::string &result);

  std::mt19937_64 random{7};
  /// Ops that gradients went through, by name.
  std::set<std::string> covered;
};

void GradCheck::check(const GradCase &test) {
  SCOPED_TRACE(test.body);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
    message += diag.str() + "\n";
    return success();
  });
  message.clear();
  std::vector<HostTensor> inputs;
  func::FuncOp function = parse(test, inputs);
  if (!function)
    return;
  function.walk([&](Operation *op) { covered.insert(op->getName().getStringRef().str()); });
  func::FuncOp gradient = function.clone();
  module->push_back(gradient);
  gradient.setName("g");
  SmallVector<Value> wrt;
  SmallVector<size_t> numbers;
  for (auto [i, input] : llvm::enumerate(test.inputs))
    if (!StringRef(input).contains('=')) {
      wrt.push_back(gradient.getArgument(i));
      numbers.push_back(i);
    }
  Operation *end = gradient.front().getTerminator();
  OpBuilder builder(end);
  FailureOr<SmallVector<Value>> built = buildGradients(builder, end->getOperand(0), wrt);
  ASSERT_TRUE(succeeded(built)) << message;
  end->setOperands(*built);
  gradient.setFunctionType(FunctionType::get(&context, gradient.getArgumentTypes(), ValueRange(*built).getTypes()));
  ASSERT_TRUE(succeeded(verify(*module))) << message;
  std::vector<HostTensor> found = evaluate(gradient, inputs);
  ASSERT_EQ(found.size(), numbers.size());

  for (auto [number, slopes] : llvm::zip_equal(numbers, found)) {
    ASSERT_EQ(slopes.getShape(), inputs[number].getShape());
    for (int64_t i = 0; i < slopes.getNumElements(); ++i) {
      double step = 1e-5, at = inputs[number].getDouble(i), ends[2];
      for (int side : {0, 1}) {
        std::vector<HostTensor> moved = inputs;
        moved[number].setDouble(i, at + (side ? step : -step));
        std::vector<HostTensor> loss = evaluate(function, moved);
        ASSERT_EQ(loss.size(), 1u);
        ends[side] = loss.front().getDouble(0);
      }
      double expected = (ends[1] - ends[0]) / (2 * step), actual = slopes.getDouble(i);
      ASSERT_LE(std::fabs(actual - expected), 2e-7 * std::max(1.0, std::fabs(expected)))
          << "input " << number << ", element " << i << ": " << actual << ", by differences " << expected;
    }
  }
}

std::string GradCheck::slope(const std::string &input, const std::string &body, const std::string &result) {
  std::string axes = result.empty() ? "" : "0";
  module = parseSourceString<ModuleOp>("func.func @f(%a0: " + typeOf(input) + ") -> tensor<f64> {\n" + body +
                                           "\n%loss = hgc.reduce sum %y axes = [" + axes + "] : (" + f64(result) +
                                           ") -> tensor<f64>\nreturn %loss : tensor<f64>\n}\n",
                                       &context);
  if (!module)
    return "error";
  func::FuncOp function = *module->getOps<func::FuncOp>().begin();
  Operation *end = function.front().getTerminator();
  OpBuilder builder(end);
  FailureOr<SmallVector<Value>> built = buildGradients(builder, end->getOperand(0), {function.getArgument(0)});
  if (failed(built))
    return "error";
  end->setOperands(*built);
  function.setFunctionType(FunctionType::get(&context, function.getArgumentTypes(), built->front().getType()));
  return evaluate(function, {literal(input)}).front().str();
}

/// Why an op has no gradient.
const std::map<std::string, std::string> kWithoutGradient = {
    {"hgc.and", "integers"},
    {"hgc.arg_reduce", "positions"},
    {"hgc.arg_sort", "positions"},
    {"hgc.assign", "state is written after the call"},
    {"hgc.check", "no result"},
    {"hgc.compare", "truth values"},
    {"hgc.constant", "no operands"},
    {"hgc.iota", "no operands"},
    {"hgc.is_inf", "truth values"},
    {"hgc.is_nan", "truth values"},
    {"hgc.kernel", "made behind differentiation"},
    {"hgc.not", "integers"},
    {"hgc.or", "integers"},
    {"hgc.pack", "made behind differentiation"},
    {"hgc.parameter", "no result"},
    {"hgc.random", "integers"},
    {"hgc.read", "no operands"},
    {"hgc.shl", "integers"},
    {"hgc.shr", "integers"},
    {"hgc.stop_gradient", "its purpose"},
    {"hgc.transfer", "made behind differentiation"},
    {"hgc.while", "the number of steps is not known, nor are the states it went through"},
    {"hgc.xor", "integers"},
    {"hgc.yield", "part of its op"},
};

TEST_F(GradCheck, EveryOp) {
  GradCases cases;
  addElementwiseCases(cases);
  addContractionCases(cases);
  addReductionCases(cases);
  addMovementCases(cases);
  addControlCases(cases);
  for (const GradCase &test : cases)
    check(test);
  for (RegisteredOperationName op : context.getRegisteredOperations()) {
    std::string name = op.getStringRef().str();
    if (op.getDialectNamespace() != "hgc")
      continue;
    bool hasRule = op.hasInterface<graph::GradOp>(), isListed = kWithoutGradient.count(name);
    EXPECT_NE(hasRule, isListed) << name << " needs a gradient or a reason why there is none";
    EXPECT_TRUE(!hasRule || covered.count(name)) << name << " has a gradient that no case checks";
  }
}

/// What docs/training.md says about kinks and ties.
TEST_F(GradCheck, Conventions) {
  EXPECT_EQ(slope("3xf64=-2,0,3", "%y = hgc.abs %a0 : tensor<3xf64>", "3"), "3xf64=-1,0,1");
  EXPECT_EQ(slope("3xf64=-2,0,3", "%y = hgc.relu %a0 : tensor<3xf64>", "3"), "3xf64=0,0,1");
  EXPECT_EQ(slope("3xf64=-2,0,3", "%y = hgc.floor %a0 : tensor<3xf64>", "3"), "3xf64=0,0,0");
  for (const char *op : {"max", "min"}) {
    std::string text = std::string("%c = hgc.constant dense<1.0> : tensor<f64>\n%y = hgc.") + op +
                       " %a0, %c : (tensor<3xf64>, tensor<f64>) -> tensor<3xf64>";
    EXPECT_EQ(slope("3xf64=0,1,2", text, "3"), std::string(op) == "max" ? "3xf64=0,0.5,1" : "3xf64=1,0.5,0");
    text = std::string("%y = hgc.reduce ") + op + " %a0 axes = [0] : (tensor<4xf64>) -> tensor<f64>";
    EXPECT_EQ(slope("4xf64=5,5,5,5", text, ""), "4xf64=0.25,0.25,0.25,0.25");
  }
  EXPECT_EQ(slope("1x4x1xf64=7,7,7,7",
                  "%p = hgc.pool max %a0 window = [2] strides = [2] channels_last : (tensor<1x4x1xf64>) -> "
                  "tensor<1x2x1xf64>\n%y = hgc.reshape %p shape [2] : (tensor<1x2x1xf64>) -> tensor<2xf64>",
                  "2"),
            "1x4x1xf64=1,0,1,0");
  EXPECT_EQ(slope("2xf64=0,2",
                  "%c = hgc.constant dense<0.0> : tensor<f64>\n"
                  "%y = hgc.pow %a0, %c : (tensor<2xf64>, tensor<f64>) -> tensor<2xf64>",
                  "2"),
            "2xf64=0,0");
  EXPECT_EQ(slope("2xf64=0,2",
                  "%c = hgc.constant dense<0.0> : tensor<f64>\n"
                  "%y = hgc.pow %c, %a0 : (tensor<f64>, tensor<2xf64>) -> tensor<2xf64>",
                  "2"),
            "2xf64=0,0");
  EXPECT_EQ(slope("2xf64=3,4",
                  "%s = hgc.stop_gradient %a0 : tensor<2xf64>\n%y = hgc.mul %a0, %s : "
                  "(tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>",
                  "2"),
            "2xf64=3,4");
}

} // namespace
