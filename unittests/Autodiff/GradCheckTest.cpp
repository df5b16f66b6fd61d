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

} // namespace
