//===- PricingTest.cpp - prices of ops, kernels and transfers -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/Pricing.h"
#include "hgc/Analysis/KernelModel.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

class PricingTest : public ::testing::Test {
protected:
  PricingTest() {
    context.loadDialect<HGCDialect, func::FuncDialect>();
    cpu = DeviceAttr::get(&context, DeviceKind::CPU, 0);
    gpu = DeviceAttr::get(&context, DeviceKind::GPU, 0);
  }

  void parse(StringRef arguments, StringRef body) {
    std::string text = ("module attributes {hgc.target_gpu = \"a100\"} {\nfunc.func @f(" + arguments + ") {\n" + body +
                        "\nreturn\n}\n}")
                           .str();
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
  }

  template <typename Op> Op find() {
    Op found;
    module->walk([&](Op op) { found = op; });
    return found;
  }

  /// Price of the op of a kind in a function of its own.
  template <typename Op> int64_t price(StringRef arguments, StringRef body, DeviceAttr device) {
    parse(arguments, body);
    return Pricing(*module).priceOp(find<Op>(), device);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  DeviceAttr cpu, gpu;
};

TEST_F(PricingTest, ChargesNothingForWhatIsNoKernel) {
  parse("%x: tensor<8xf32>", R"(
    %0 = hgc.reshape %x shape [2, 4] : (tensor<8xf32>) -> tensor<2x4xf32>
    %1 = hgc.constant dense<1.0> : tensor<2x4xf32>)");
  Pricing pricing(*module);
  for (DeviceAttr device : {cpu, gpu}) {
    EXPECT_EQ(pricing.priceOp(find<ReshapeOp>(), device), 0);
    EXPECT_EQ(pricing.priceOp(find<ConstantOp>(), device), 0);
    EXPECT_EQ(pricing.priceOp(find<func::ReturnOp>(), device), 0);
  }
}

TEST_F(PricingTest, LargeProductsBelongToTheGpu) {
  auto product = [&](int64_t n, DeviceAttr device) {
    std::string type = "tensor<" + std::to_string(n) + "x" + std::to_string(n) + "xf32>";
    return price<MatmulOp>("%x: " + type, "%0 = hgc.matmul %x, %x : (" + type + ", " + type + ") -> " + type, device);
  };
  EXPECT_LT(product(4, cpu), product(4, gpu));
  EXPECT_GT(product(2048, cpu), 20 * product(2048, gpu));
  EXPECT_GE(product(4, gpu), getGpuTable(*module).launchPs);
}

TEST_F(PricingTest, TensorCoresServeHalfPrecision) {
  auto product = [&](StringRef element) {
    std::string type = "tensor<4096x4096x" + element.str() + ">";
    return price<MatmulOp>("%x: " + type,
                           "%0 = hgc.matmul %x, %x : (" + type + ", " + type + ") -> tensor<4096x4096xf32>", gpu);
  };
  EXPECT_GT(product("f32"), 5 * product("f16"));
  EXPECT_EQ(product("bf16"), product("f16"));
}

TEST_F(PricingTest, SmallWorkLeavesTheGpuIdle) {
  auto sum = [&](int64_t rows, int64_t columns) {
    std::string in = "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) + "xf32>";
    std::string out = "tensor<" + std::to_string(rows) + "xf32>";
    return price<ReduceOp>("%x: " + in, "%0 = hgc.reduce sum %x axes = [1] : (" + in + ") -> " + out, gpu);
  };
  EXPECT_GT(sum(1, 1 << 22), sum(1 << 10, 1 << 12));
}

TEST_F(PricingTest, ConstantsInTheCodeAreNotRead) {
  int64_t read =
      price<AddOp>("%x: tensor<1048576xf32>, %c: tensor<1048576xf32>",
                   "%0 = hgc.add %x, %c : (tensor<1048576xf32>, tensor<1048576xf32>) -> tensor<1048576xf32>", cpu);
  int64_t splat =
      price<AddOp>("%x: tensor<1048576xf32>",
                   "%c = hgc.constant dense<1.0> : tensor<1048576xf32>\n"
                   "%0 = hgc.add %x, %c : (tensor<1048576xf32>, tensor<1048576xf32>) -> tensor<1048576xf32>",
                   cpu);
  EXPECT_LT(splat, read);
}

TEST_F(PricingTest, WeightsOfLargeModelsComeFromFarAway) {
  parse("%x: tensor<8x128xf32>, %w: tensor<128x128xf32>", R"(
    %0 = hgc.matmul %x, %w : (tensor<8x128xf32>, tensor<128x128xf32>) -> tensor<8x128xf32>)");
  auto price = [&](std::optional<int64_t> callBytes) {
    if (callBytes)
      (*module)->setAttr(kCallBytesAttr, Builder(&context).getI64IntegerAttr(*callBytes));
    return Pricing(*module).priceOp(find<MatmulOp>(), cpu);
  };
  int64_t alone = price(std::nullopt), own = price(64 << 10), cached = price(8 << 20), far = price(int64_t(1) << 30);
  EXPECT_EQ(alone, own);
  EXPECT_LT(own, cached);
  EXPECT_LT(cached, far);
}

TEST_F(PricingTest, NarrowProductsAreSlower) {
  auto product = [&](int64_t columns) {
    std::string n = std::to_string(columns);
    return price<MatmulOp>(
        "%x: tensor<512x512xf32>, %w: tensor<512x" + n + "xf32>",
        "%0 = hgc.matmul %x, %w : (tensor<512x512xf32>, tensor<512x" + n + "xf32>) -> tensor<512x" + n + "xf32>", cpu);
  };
  // Twice the columns fill tiles of two vectors, at less than twice the time.
  EXPECT_LT(product(16), 3 * product(8) / 2);
}

TEST_F(PricingTest, LinesOfFewPixelsTakeAsLongAsOfFour) {
  auto conv = [&](int64_t width) {
    std::string n = std::to_string(width);
    return price<ConvOp>("%x: tensor<1x64x" + n + "x64xf32>, %w: tensor<3x1x64x64xf32>",
                         "%0 = hgc.conv %x, %w pads = [1, 0, 1, 0] channels_last hwio : (tensor<1x64x" + n +
                             "x64xf32>, tensor<3x1x64x64xf32>) -> tensor<1x64x" + n + "x64xf32>",
                         cpu);
  };
  EXPECT_GT(conv(2), conv(4) * 3 / 4);
  // Lines of one pixel are one line.
  EXPECT_LT(conv(1), conv(2) / 2);
  EXPECT_LT(conv(4), conv(8) * 3 / 4);
}

TEST_F(PricingTest, SquaresOfResultsTakeFewerProductsAndMoreWeights) {
  auto conv = [&](int64_t pixels, int64_t channels, StringRef form) {
    std::string n = std::to_string(pixels), c = std::to_string(channels);
    std::string data = "tensor<1x" + n + "x" + n + "x" + c + "xf32>", filter = "tensor<3x3x" + c + "x" + c + "xf32>";
    std::string note = form.empty() ? "" : " {hgc.form = \"" + form.str() + "\"}";
    return price<ConvOp>("%x: " + data + ", %w: " + filter,
                         "%0 = hgc.conv %x, %w pads = [1, 1, 1, 1] channels_last hwio" + note + " : (" + data + ", " +
                             filter + ") -> " + data,
                         cpu);
  };
  // Large images: four times fewer products, and the transforms.
  EXPECT_LT(conv(56, 64, "winograd4"), conv(56, 64, "winograd2"));
  EXPECT_LT(conv(56, 64, "winograd2"), conv(56, 64, ""));
  EXPECT_GT(conv(56, 64, "winograd4"), conv(56, 64, "") / 4);
  // Channels that fill half of the last panel take half of it.
  EXPECT_LT(conv(56, 72, "winograd4"), conv(56, 80, "winograd4") * 9 / 10);
  // One channel: the transforms are all there is.
  EXPECT_GT(conv(56, 1, "winograd4"), conv(56, 1, ""));
  // A few pixels meet each weight once, and there are four times as many.
  EXPECT_GT(conv(4, 512, "winograd4"), conv(4, 512, ""));
}

/// Price on one core of a convolution of 512 channels on 7x7 pixels.
static int64_t priceFewSquares(StringRef target, int64_t tile, int64_t callBytes, bool isCompact = false) {
  DeviceTable table = **lookupCpu(target);
  table.cores = 1;
  KernelWork work;
  work.family = KernelFamily::Conv;
  work.gemm = {1, 49, 512, 9 * 512};
  work.weightBytes = 9 * 512 * 512 * 4;
  work.cost.bytesRead = work.weightBytes + 49 * 512 * 4;
  work.cost.flops[static_cast<size_t>(FlopClass::F32)] = 2 * 49 * 512 * 9 * 512;
  work.winogradTile = tile;
  work.winogradTiles = tile ? (7 / tile + 1) * (7 / tile + 1) : 0;
  work.winogradCompact = isCompact;
  work.callBytes = callBytes;
  return estimateKernel(table, work).totalPs;
}

TEST_F(PricingTest, FewSquaresWaitForFiltersFromMemory) {
  EXPECT_LT(priceFewSquares("znver4", 4, 0), priceFewSquares("znver4", 2, 0));
  EXPECT_GT(priceFewSquares("znver4", 4, 100 << 20), priceFewSquares("znver4", 2, 100 << 20));
}

TEST_F(PricingTest, TransformingFiltersTakesAsLongWhereProductsAreFast) {
  // Measured: 1360 us, and more than 1600 for all products; 1110 and 770 us.
  auto share = [](StringRef target) {
    return static_cast<double>(priceFewSquares(target, 4, 100 << 20, /*isCompact=*/true)) /
           static_cast<double>(priceFewSquares(target, 0, 100 << 20));
  };
  EXPECT_LT(share("znver4"), 0.8);
  EXPECT_GT(share("znver5"), 0.9);
}

TEST_F(PricingTest, ColumnsAreSlowerThanRowsWhereTheyDoNotFillVectors) {
  auto sum = [&](int64_t columns, int64_t axis) {
    std::string n = std::to_string(columns), in = "tensor<512x" + n + "xf32>";
    std::string out = "tensor<" + (axis == 0 ? n : "512") + "xf32>";
    return price<ReduceOp>(
        "%x: " + in, "%0 = hgc.reduce sum %x axes = [" + std::to_string(axis) + "] : (" + in + ") -> " + out, cpu);
  };
  EXPECT_GT(sum(512, 0), sum(512, 1));
  // 40 columns are visited in two steps of 32.
  EXPECT_NEAR(sum(40, 0), sum(64, 0), 2);
}

TEST_F(PricingTest, DivisionsAreSlow) {
  parse("%x: tensor<4096xf32>, %y: tensor<4096xf32>", R"(
    %0 = hgc.div %x, %y : (tensor<4096xf32>, tensor<4096xf32>) -> tensor<4096xf32>
    %1 = hgc.mul %x, %y : (tensor<4096xf32>, tensor<4096xf32>) -> tensor<4096xf32>)");
  Pricing pricing(*module);
  double divisions = 4096 / pricing.getCpu().divisionRate * 1e12;
  EXPECT_GT(static_cast<double>(pricing.priceOp(find<DivOp>(), cpu) - pricing.priceOp(find<MulOp>(), cpu)),
            divisions / 2);
}

TEST_F(PricingTest, UnitDimsMoveFree) {
  auto transpose = [&](StringRef in, StringRef permutation, StringRef out) {
    return price<TransposeOp>(
        "%x: " + in.str(),
        "%0 = hgc.transpose %x permutation = " + permutation.str() + " : (" + in.str() + ") -> " + out.str(), cpu);
  };
  EXPECT_GT(transpose("tensor<64x64xf32>", "[1, 0]", "tensor<64x64xf32>"),
            transpose("tensor<1x4096xf32>", "[1, 0]", "tensor<4096x1xf32>"));
}

TEST_F(PricingTest, TensorsAddToTheLaunch) {
  parse("%x: tensor<1xf32>, %y: tensor<1xf32>", R"(
    %0 = hgc.add %x, %y : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %1 = hgc.add %0, %y : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>)");
  Pricing pricing(*module);
  const DeviceTable &table = pricing.getCpu();
  FusionForest forest(*module);
  ASSERT_EQ(forest.getEdges().size(), 1u);
  EXPECT_GE(pricing.priceOp(find<AddOp>(), cpu), table.launchPs + 3 * table.tensorPs);
  // The value between the two is neither stored nor loaded.
  EXPECT_GE(pricing.getSaving(forest.getEdges().front(), cpu), table.launchPs + 2 * table.tensorPs);
}

TEST_F(PricingTest, KernelsCostTheirOpsMinusTheSavings) {
  parse("%x: tensor<64x64xf32>, %b: tensor<64xf32>", R"(
    %k = hgc.kernel(%x, %b : tensor<64x64xf32>, tensor<64xf32>) -> tensor<64x64xf32> {
    ^bb0(%x0: tensor<64x64xf32>, %b0: tensor<64xf32>):
      %0 = hgc.matmul %x0, %x0 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %1 = hgc.add %0, %b0 : (tensor<64x64xf32>, tensor<64xf32>) -> tensor<64x64xf32>
      hgc.yield %1 : tensor<64x64xf32>
    })");
  Pricing pricing(*module);
  FusionForest forest(*module);
  ASSERT_EQ(forest.getEdges().size(), 1u);
  for (DeviceAttr device : {cpu, gpu}) {
    int64_t parts = pricing.priceOp(find<MatmulOp>(), device) + pricing.priceOp(find<AddOp>(), device);
    int64_t saving = pricing.getSaving(forest.getEdges().front(), device);
    EXPECT_EQ(pricing.priceKernel(find<KernelOp>(), device), parts - saving);
    // One launch less, at least.
    EXPECT_GE(saving, device == gpu ? pricing.getGpu().launchPs : pricing.getCpu().launchPs);
    EXPECT_GT(parts - saving, pricing.priceOp(find<MatmulOp>(), device) - saving);
  }
}

TEST_F(PricingTest, TransfersCostLatencyAndBytes) {
  parse("%x: tensor<8xf32>", "");
  Pricing pricing(*module);
  EXPECT_EQ(pricing.priceTransfer(1 << 20, cpu, cpu), 0);
  int64_t empty = pricing.priceTransfer(0, cpu, gpu), full = pricing.priceTransfer(25000, gpu, cpu);
  EXPECT_EQ(empty, pricing.getGpu().linkLatencyPs);
  EXPECT_EQ(full - empty, 1000000);
}

TEST_F(PricingTest, SharedMemoryIsOnlyFlushed) {
  DeviceTable host;
  GpuTable orin = llvm::cantFail(lookupGpu("orin"));
  Pricing pricing(host, orin);
  EXPECT_EQ(pricing.priceTransfer(1 << 30, cpu, gpu), orin.linkLatencyPs);
}

TEST_F(PricingTest, LoopsWeighWhatTheyRepeat) {
  parse("%h: tensor<4xf32>, %xs: tensor<9x4xf32>, %n: tensor<i32>", R"(
    %0:2 = hgc.scan init(%h : tensor<4xf32>) over(%xs : tensor<9x4xf32>) -> (tensor<4xf32>, tensor<9x4xf32>) {
    ^bb0(%s: tensor<4xf32>, %x: tensor<4xf32>):
      %1 = hgc.add %s, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %2 = hgc.while init(%n : tensor<i32>) trip_hint 7 -> (tensor<i32>) cond {
      ^bb0(%i: tensor<i32>):
        %c = hgc.compare lt %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        hgc.yield %c : tensor<i1>
      } do {
      ^bb0(%i: tensor<i32>):
        %j = hgc.mul %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i32>
        hgc.yield %j : tensor<i32>
      }
      hgc.yield %1, %1 : tensor<4xf32>, tensor<4xf32>
    })");
  EXPECT_EQ(getTripWeight(find<ScanOp>()), 1);
  EXPECT_EQ(getTripWeight(find<AddOp>()), 9);
  EXPECT_EQ(getTripWeight(find<MulOp>()), 63);
  EXPECT_EQ(Pricing(*module).priceOp(find<ScanOp>(), cpu), 0);
}

TEST_F(PricingTest, WideAttentionHasNoGpuCode) {
  auto parseAttention = [&](int64_t features) {
    std::string type = "tensor<8x" + std::to_string(features) + "xf32>";
    parse("%q: " + type, "%0 = hgc.attention %q, %q, %q : (" + type + ", " + type + ", " + type + ") -> " + type);
  };
  parseAttention(256);
  EXPECT_TRUE(Pricing(*module).canRun(find<AttentionOp>(), gpu));
  EXPECT_TRUE(Pricing(*module).hasKernel(find<AttentionOp>(), gpu));
  parseAttention(257);
  EXPECT_FALSE(Pricing(*module).canRun(find<AttentionOp>(), gpu));
  EXPECT_FALSE(Pricing(*module).hasKernel(find<AttentionOp>(), gpu));
  EXPECT_TRUE(Pricing(*module).canRun(find<AttentionOp>(), cpu));
  EXPECT_FALSE(Pricing(*module).hasKernel(find<AttentionOp>(), cpu));
}

} // namespace
