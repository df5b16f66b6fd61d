//===- KeepValuesTest.cpp - passes do not change results ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference evaluator runs a model before and after a pass pipeline on the
// same inputs. What it gives may differ by rounding only.
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/Evaluator.h"
#include "hgc/Placement/Passes.h"
#include "hgc/Support/Parameters.h"
#include "hgc/Transforms/Passes.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

const char *const kToFused =
    "hgc-inline-calls,hgc-name-ops,hgc-bind-dims,hgc-simplify,hgc-fold-constants,cse,hgc-verify-graph,"
    "hgc-place,hgc-verify-placed,"
    "hgc-decompose,hgc-choose-layouts,canonicalize,hgc-fold-constants,hgc-pack-contractions,cse,hgc-fold-packs,"
    "hgc-fuse,cse,hgc-verify-fused";

class KeepValuesTest : public ::testing::Test {
protected:
  KeepValuesTest() {
    static bool once = [] {
      registerHgcTransformsPasses();
      registerHgcPlacementPasses();
      registerCanonicalizerPass();
      registerCSEPass();
      return true;
    }();
    (void)once;
    DialectRegistry registry;
    registry.insert<HGCDialect, func::FuncDialect>();
    registerEvalModels(registry);
    context.appendDialectRegistry(registry);
  }

  static SmallVector<HostTensor> makeInputs(func::FuncOp entry) {
    std::mt19937 rng(7);
    std::uniform_real_distribution<double> draw(-1, 1);
    SmallVector<HostTensor> inputs;
    for (Type type : entry.getArgumentTypes()) {
      auto tensor = cast<RankedTensorType>(type);
      std::vector<double> values(tensor.getNumElements());
      for (double &value : values)
        value = draw(rng);
      inputs.push_back(HostTensor::fromDoubles(tensor.getElementType(), tensor.getShape(), values));
    }
    return inputs;
  }

  static SmallVector<HostTensor> evaluate(ModuleOp module) {
    auto entry = *module.getOps<func::FuncOp>().begin();
    ParameterLoader loader(".");
    ParameterValues parameters;
    EXPECT_TRUE(succeeded(loader.loadAll(module, parameters)));
    FailureOr<EvalResult> result = evaluateEntry(entry, makeInputs(entry), parameters);
    EXPECT_TRUE(succeeded(result));
    return succeeded(result) ? result->outputs : SmallVector<HostTensor>();
  }

  /// Runs `pipeline` and returns the number of `op` left.
  int check(StringRef text, StringRef pipeline, StringRef op, double bound = 1e-5) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    if (!module)
      return -1;
    SmallVector<HostTensor> expected = evaluate(*module);
    PassManager pm(&context);
    EXPECT_TRUE(succeeded(parsePassPipeline(pipeline, pm)));
    EXPECT_TRUE(succeeded(pm.run(*module)));
    SmallVector<HostTensor> actual = evaluate(*module);
    EXPECT_EQ(actual.size(), expected.size());
    for (auto [a, e] : llvm::zip(actual, expected)) {
      Comparison result = compare(a, e, bound);
      EXPECT_TRUE(result.ok(bound)) << "error " << result.error << "\n" << a.str() << "\n" << e.str();
    }
    int count = 0;
    module->walk([&](Operation *other) { count += other->getName().getStringRef() == op; });
    return count;
  }

  MLIRContext context;
};

TEST_F(KeepValuesTest, ChannelsFirstNetwork) {
  const char *const text = R"mlir(
    hgc.parameter @w1 : tensor<6x3x3x3xf32> = #hgc.init<he_normal, seed = 1>
    hgc.parameter @w2 : tensor<6x3x3x3xf32> = #hgc.init<he_normal, seed = 2>
    hgc.parameter @scale : tensor<6xf32> = #hgc.init<uniform, seed = 3>
    hgc.parameter @bias : tensor<6xf32> = #hgc.init<uniform, seed = 4>
    hgc.parameter @mean : tensor<6xf32> = #hgc.init<uniform, seed = 5>
    hgc.parameter @variance : tensor<6xf32> = dense<[0.5, 1.0, 1.5, 2.0, 2.5, 3.0]>
    hgc.parameter @plane : tensor<1x6x7x1xf32> = #hgc.init<uniform, seed = 6>
    func.func @f(%x: tensor<2x3x9x7xf32>) -> (tensor<2x12xf32>, tensor<2x6x7x5xf32>) attributes {hgc.entry} {
      %w1 = hgc.read @w1 : tensor<6x3x3x3xf32>
      %w2 = hgc.read @w2 : tensor<6x3x3x3xf32>
      %s = hgc.read @scale : tensor<6xf32>
      %b = hgc.read @bias : tensor<6xf32>
      %m = hgc.read @mean : tensor<6xf32>
      %v = hgc.read @variance : tensor<6xf32>
      %p = hgc.read @plane : tensor<1x6x7x1xf32>
      %zero = hgc.constant dense<0.25> : tensor<f32>
      %0 = hgc.conv %x, %w1 channels_first oihw : (tensor<2x3x9x7xf32>, tensor<6x3x3x3xf32>) -> tensor<2x6x7x5xf32>
      %1 = hgc.batch_norm %0, %s, %b, %m, %v axis 1 epsilon 1.0e-03
          : (tensor<2x6x7x5xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<2x6x7x5xf32>
      %2 = hgc.relu %1 : tensor<2x6x7x5xf32>
      %3 = hgc.conv %2, %w2 pads = [1, 1, 1, 1] groups = 2 channels_first oihw
          : (tensor<2x6x7x5xf32>, tensor<6x3x3x3xf32>) -> tensor<2x6x7x5xf32>
      %4 = hgc.add %3, %2 : (tensor<2x6x7x5xf32>, tensor<2x6x7x5xf32>) -> tensor<2x6x7x5xf32>
      %5 = hgc.add %4, %p : (tensor<2x6x7x5xf32>, tensor<1x6x7x1xf32>) -> tensor<2x6x7x5xf32>
      %6 = hgc.pad constant %5, %zero low = [0, 0, 1, 0] high = [0, 0, 0, 2] : (tensor<2x6x7x5xf32>, tensor<f32>) -> tensor<2x6x8x7xf32>
      %7 = hgc.pool avg %6 window = [3, 2] strides = [2, 1] channels_first : (tensor<2x6x8x7xf32>) -> tensor<2x6x3x6xf32>
      %8 = hgc.concat %7, %7 axis 1 : (tensor<2x6x3x6xf32>, tensor<2x6x3x6xf32>) -> tensor<2x12x3x6xf32>
      %9 = hgc.slice %8 starts = [0, 0, 0, 1] sizes = [2, 12, 2, 3] strides = [1, 1, 2, 1] : (tensor<2x12x3x6xf32>) -> tensor<2x12x2x3xf32>
      %10 = hgc.softmax %9 axis 3 : tensor<2x12x2x3xf32>
      %11 = hgc.reduce max %10 axes = [2] : (tensor<2x12x2x3xf32>) -> tensor<2x12x3xf32>
      %12 = hgc.reduce sum %11 axes = [2] : (tensor<2x12x3xf32>) -> tensor<2x12xf32>
      return %12, %5 : tensor<2x12xf32>, tensor<2x6x7x5xf32>
    })mlir";
  EXPECT_EQ(check(text, "hgc-decompose,hgc-choose-layouts,hgc-fold-constants,hgc-fold-packs", "hgc.transpose"), 2);
  EXPECT_EQ(check(text, kToFused, "hgc.batch_norm"), 0);
}

TEST_F(KeepValuesTest, OneAndThreeSpatialDims) {
  const char *const text = R"mlir(
    hgc.parameter @w1 : tensor<4x2x3xf32> = #hgc.init<he_normal, seed = 1>
    hgc.parameter @w3 : tensor<4x2x1x2x2xf64> = #hgc.init<he_normal, seed = 2>
    func.func @f(%x: tensor<1x2x9xf32>, %y: tensor<1x2x3x4x5xf64>) -> (tensor<1x4x3xf32>, tensor<1x4x5x5x6xf64>) attributes {hgc.entry} {
      %w1 = hgc.read @w1 : tensor<4x2x3xf32>
      %w3 = hgc.read @w3 : tensor<4x2x1x2x2xf64>
      %0 = hgc.conv %x, %w1 strides = [2] channels_first oihw : (tensor<1x2x9xf32>, tensor<4x2x3xf32>) -> tensor<1x4x4xf32>
      %1 = hgc.pool max %0 window = [2] channels_first : (tensor<1x4x4xf32>) -> tensor<1x4x3xf32>
      %2 = hgc.conv %y, %w3 pads = [1, 1, 1, 1, 1, 1] channels_first oihw : (tensor<1x2x3x4x5xf64>, tensor<4x2x1x2x2xf64>) -> tensor<1x4x5x5x6xf64>
      return %1, %2 : tensor<1x4x3xf32>, tensor<1x4x5x5x6xf64>
    })mlir";
  EXPECT_EQ(check(text, kToFused, "hgc.pool"), 1);
}

TEST_F(KeepValuesTest, AttentionBlock) {
  const char *const text = R"mlir(
    hgc.parameter @wq : tensor<8x8xf32> = #hgc.init<glorot_uniform, seed = 1>
    hgc.parameter @wk : tensor<8x8xf32> = #hgc.init<glorot_uniform, seed = 2>
    hgc.parameter @wv : tensor<8x8xf32> = #hgc.init<glorot_uniform, seed = 3>
    hgc.parameter @one : tensor<8xf32> = dense<1.0>
    hgc.parameter @zero : tensor<8xf32> = dense<0.1>
    func.func private @norm(%x: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
      %one = hgc.read @one : tensor<8xf32>
      %zero = hgc.read @zero : tensor<8xf32>
      %0 = hgc.layer_norm %x, %one, %zero axis 2 epsilon 1.0e-05 : (tensor<2x5x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
      return %0 : tensor<2x5x8xf32>
    }
    func.func @f(%x: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> attributes {hgc.entry} {
      %wq = hgc.read @wq : tensor<8x8xf32>
      %wk = hgc.read @wk : tensor<8x8xf32>
      %wv = hgc.read @wv : tensor<8x8xf32>
      %n = call @norm(%x) : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
      %q = hgc.matmul %n, %wq transpose_rhs : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
      %k = hgc.matmul %n, %wk : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
      %v = hgc.matmul %n, %wv : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
      %kt = hgc.transpose %k permutation = [0, 2, 1] : (tensor<2x5x8xf32>) -> tensor<2x8x5xf32>
      %s = hgc.matmul %q, %kt : (tensor<2x5x8xf32>, tensor<2x8x5xf32>) -> tensor<2x5x5xf32>
      %c = hgc.constant dense<0.35> : tensor<f32>
      %t = hgc.mul %s, %c : (tensor<2x5x5xf32>, tensor<f32>) -> tensor<2x5x5xf32>
      %p = hgc.softmax %t axis 2 : tensor<2x5x5xf32>
      %o = hgc.matmul %p, %v : (tensor<2x5x5xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
      %r = hgc.add %o, %x : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
      %y = call @norm(%r) : (tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
      return %y : tensor<2x5x8xf32>
    })mlir";
  // The private helper stands first in the module, the entry is the only one left.
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  PassManager pm(&context);
  ASSERT_TRUE(succeeded(parsePassPipeline("hgc-inline-calls", pm)));
  ASSERT_TRUE(succeeded(pm.run(*module)));
  std::string inlined;
  llvm::raw_string_ostream(inlined) << *module;
  EXPECT_EQ(check(inlined, "hgc-simplify,canonicalize", "hgc.transpose"), 0);
  EXPECT_EQ(check(inlined, kToFused, "hgc.kernel"), 8);
}

TEST_F(KeepValuesTest, ControlFlowAndHalfPrecision) {
  const char *const text = R"mlir(
    hgc.parameter @w : tensor<4x4xf32> = #hgc.init<glorot_uniform, seed = 1>
    hgc.parameter @v : tensor<4xf16> = dense<[0.5, 1.0, 1.5, 2.0]>
    func.func @f(%xs: tensor<6x2x4xf32>, %h: tensor<2x4xf32>, %y: tensor<3x4xf16>) -> (tensor<2x4xf32>, tensor<6x2x4xf32>, tensor<3x4xf16>)
        attributes {hgc.entry} {
      %w = hgc.read @w : tensor<4x4xf32>
      %v = hgc.read @v : tensor<4xf16>
      %0:2 = hgc.scan init(%h : tensor<2x4xf32>) over(%xs : tensor<6x2x4xf32>) reverse -> (tensor<2x4xf32>, tensor<6x2x4xf32>) {
      ^bb0(%s: tensor<2x4xf32>, %x: tensor<2x4xf32>):
        %1 = hgc.matmul %s, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
        %2 = hgc.add %1, %x : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
        %3 = hgc.tanh %2 : tensor<2x4xf32>
        hgc.yield %3, %3 : tensor<2x4xf32>, tensor<2x4xf32>
      }
      %4 = hgc.batch_norm %y, %v, %v, %v, %v axis 1 epsilon 1.0e-03
          : (tensor<3x4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>) -> tensor<3x4xf16>
      return %0#0, %0#1, %4 : tensor<2x4xf32>, tensor<6x2x4xf32>, tensor<3x4xf16>
    })mlir";
  EXPECT_EQ(check(text, kToFused, "hgc.kernel", 1e-3), 2);
}

} // namespace
