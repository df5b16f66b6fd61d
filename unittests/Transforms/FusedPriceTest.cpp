//===- FusedPriceTest.cpp - the cut's price is the fused program's --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placement adds up prices of ops and savings of edges before anything is fused.
// For any devices, the kernels that fusion makes must cost exactly that.
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/Pricing.h"
#include "hgc/Transforms/Passes.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// Ops on 16x16 matrices and their rows, with values that several ops read.
std::string makeModule(std::mt19937 &rng, int ops) {
  const std::string matrix = "tensor<16x16xf32>", row = "tensor<16xf32>";
  std::string text = "module attributes {hgc.target_gpu = \"a100\"} {\nfunc.func @f(%v0: " + matrix + ", %r: " + row +
                     ") -> " + matrix + " {\n%s = hgc.constant dense<2.0> : " + row + "\n";
  for (int i = 1; i <= ops; ++i) {
    // Recent values, so that chains arise.
    auto pick = [&] { return "%v" + std::to_string(std::max<int>(0, i - 1 - static_cast<int>(rng() % 3))); };
    std::string a = pick(), b = pick(), result = "%v" + std::to_string(i) + " = hgc.";
    auto two = [&](const std::string &rhs) { return " : (" + matrix + ", " + rhs + ") -> " + matrix + "\n"; };
    switch (rng() % 9) {
    case 0:
      text += result + "add " + a + ", " + b + two(matrix);
      break;
    case 1:
      text += result + "mul " + a + ", %r" + two(row);
      break;
    case 2:
      text += result + "sub " + a + ", %s" + two(row);
      break;
    case 3:
      text += result + "tanh " + a + " : " + matrix + "\n";
      break;
    case 4:
      text += result + "matmul " + a + ", " + b + two(matrix);
      break;
    case 5:
      text += result + "transpose " + a + " permutation = [1, 0] : (" + matrix + ") -> " + matrix + "\n";
      break;
    case 6:
      text += result + "softmax " + a + " axis 1 : " + matrix + "\n";
      break;
    case 7:
      text += "%m" + std::to_string(i) + " = hgc.reduce sum " + a + " axes = [0] : (" + matrix + ") -> " + row + "\n";
      text += result + "div " + b + ", %m" + std::to_string(i) + two(row);
      break;
    default:
      text += result + "neg " + a + " : " + matrix + "\n";
      break;
    }
  }
  return text + "return %v" + std::to_string(ops) + " : " + matrix + "\n}\n}";
}

TEST(FusedPriceTest, KernelsCostWhatTheEdgesPromised) {
  MLIRContext context;
  context.loadDialect<HGCDialect, func::FuncDialect>();
  DeviceAttr devices[] = {DeviceAttr::get(&context, DeviceKind::CPU, 0), DeviceAttr::get(&context, DeviceKind::GPU, 0)};
  int64_t contracted = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 rng(seed);
    std::string text = makeModule(rng, 24);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    unsigned mixing = rng() % 4;
    module->walk([&](Operation *op) {
      if (isa_and_present<HGCDialect>(op->getDialect()))
        op->setAttr(HGCDialect::kDevice, devices[rng() % 4 < mixing]);
    });
    auto deviceOf = [](Operation *op) { return op->getAttrOfType<DeviceAttr>(HGCDialect::kDevice); };
    Pricing pricing(*module);
    FusionForest forest(*module);
    int64_t planned = 0, fused = 0;
    module->walk([&](Operation *op) {
      if (isComputing(op))
        planned += pricing.priceOp(op, deviceOf(op));
    });
    for (const FusionEdge &edge : forest.getEdges())
      if (deviceOf(edge.producer) == deviceOf(edge.consumer)) {
        int64_t saving = pricing.getSaving(edge, deviceOf(edge.producer));
        planned -= saving;
        contracted += saving > 0;
      }
    PassManager passes(&context);
    passes.addPass(createFuse());
    ASSERT_TRUE(succeeded(passes.run(*module)));
    module->walk([&](KernelOp kernel) {
      int64_t price = pricing.priceKernel(kernel, deviceOf(kernel));
      EXPECT_GT(price, 0);
      fused += price;
    });
    EXPECT_EQ(planned, fused) << "seed " << seed;
  }
  EXPECT_GT(contracted, 500);
}

} // namespace
