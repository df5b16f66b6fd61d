//===- HostTensorTest.cpp - a tensor's value in host memory ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/HostTensor.h"
#include "dialects/Graph/Eval/Half.h"
#include "hgc/Support/Literal.h"
#include "hgc/Support/Random.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace hgc;

namespace {
struct HostTensorTest : testing::Test {
  mlir::MLIRContext context;
  mlir::Builder b{&context};
  mlir::Type f32 = b.getF32Type();
};

/// Compares conversions with LLVM's for all encodings and for random doubles.
template <typename Float> void checkAgainstAPFloat(const llvm::fltSemantics &semantics) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    llvm::APFloat expected(semantics, llvm::APInt(16, bits));
    double value = Float{uint16_t(bits)}.toDouble();
    if (expected.isNaN()) {
      ASSERT_TRUE(std::isnan(value)) << bits;
      continue;
    }
    bool loses;
    expected.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &loses);
    ASSERT_EQ(value, expected.convertToDouble()) << bits;
    ASSERT_EQ(Float::fromDouble(value).bits, bits);
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    double value = std::ldexp(double(int64_t(random())), -63 + int(random() % 300) - 160);
    llvm::APFloat expected(value);
    bool loses;
    expected.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &loses);
    ASSERT_EQ(Float::fromDouble(value).bits, expected.bitcastToAPInt().getZExtValue()) << value;
  }
}
} // namespace

TEST_F(HostTensorTest, HalfConversionsAreExact) {
  checkAgainstAPFloat<Half>(llvm::APFloat::IEEEhalf());
  checkAgainstAPFloat<BFloat>(llvm::APFloat::BFloat());
}

TEST_F(HostTensorTest, RoundsOnce) {
  // Just above the midpoint of two halves; over float it would round to even.
  double value = 1 + std::ldexp(1, -11) + std::ldexp(1, -40);
  EXPECT_EQ(HostTensor::splat(b.getF16Type(), {}, value).getDouble(0), 1 + std::ldexp(1, -10));
  EXPECT_EQ(roundToFloat(b.getF16Type(), 65520), INFINITY);
}

TEST_F(HostTensorTest, IntegersWrap) {
  EXPECT_EQ(HostTensor::fromInts(b.getIntegerType(8), {2}, {128, -129}).str(), "2xi8=-128,127");
  EXPECT_EQ(HostTensor::fromInts(b.getIntegerType(8, false), {2}, {256, -1}).str(), "2xui8=0,255");
  EXPECT_EQ(HostTensor::fromInts(b.getI1Type(), {2}, {2, 3}).str(), "2xi1=0,1");
  EXPECT_EQ(HostTensor::fromInts(b.getIntegerType(64, false), {1}, {-1}).getUInt(0), UINT64_MAX);
  EXPECT_EQ(wrapToInt(b.getIntegerType(16), 65535), -1);
}

TEST_F(HostTensorTest, CopiesShareUntilWritten) {
  HostTensor a = HostTensor::fromDoubles(f32, {2}, {1, 2}), copy = a;
  EXPECT_EQ(a.data(), copy.data());
  copy.setDouble(0, 5);
  EXPECT_EQ(a.str(), "2xf32=1,2");
  EXPECT_EQ(copy.str(), "2xf32=5,2");
  EXPECT_NE(a, copy);
}

TEST_F(HostTensorTest, BorrowedMemoryIsKeptAndNotWritten) {
  auto owner = std::make_shared<std::vector<float>>(std::vector<float>{1, 2});
  const char *data = reinterpret_cast<const char *>(owner->data());
  HostTensor tensor = HostTensor::borrow(f32, {2}, data, owner);
  EXPECT_EQ(owner.use_count(), 2);
  tensor.setDouble(0, 9);
  EXPECT_EQ((*owner)[0], 1);
  EXPECT_EQ(owner.use_count(), 1);
}

TEST_F(HostTensorTest, Views) {
  HostTensor tensor = HostTensor::fromInts(b.getI32Type(), {2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(tensor.reshape({3, 2}).str(), "3x2xi32=1,2,3,4,5,6");
  EXPECT_EQ(tensor.gatherStrided({3, 2}, {1, 3}).str(), "3x2xi32=1,4,2,5,3,6");
  EXPECT_EQ(tensor.gatherStrided({2}, {-1}, 5).str(), "2xi32=6,5");
  EXPECT_EQ(tensor.bitcast(f32).getElementType(), f32);
  EXPECT_EQ(HostTensor::splat(f32, {0, 2}, 1).getNumElements(), 0);
}

TEST_F(HostTensorTest, CountElements) {
  EXPECT_EQ(countElements({2, 3}), 6);
  EXPECT_EQ(countElements({}), 1);
  EXPECT_EQ(countElements({-1}), std::nullopt);
  EXPECT_EQ(countElements({INT64_MAX, 2}), std::nullopt);
  EXPECT_EQ(countElements({INT64_MAX, 0, 2}), std::nullopt);
  EXPECT_EQ(countElements({INT64_MAX / 2}, 8), std::nullopt);
}

TEST_F(HostTensorTest, Attributes) {
  for (const char *name : {"f16", "bf16", "f32", "f64", "i1", "i8", "i16", "i32", "i64", "ui8", "ui64"})
    for (int64_t count : {0, 1, 7, 5000}) {
      HostTensor tensor = makeRandomTensor(parseElementType(name, &context), {count}, 3);
      mlir::ElementsAttr attr = tensor.toAttr();
      EXPECT_EQ(mlir::isa<mlir::DenseResourceElementsAttr>(attr), tensor.getNumBytes() > 1024) << name << count;
      // Printed modules hold it: it does not tell where the memory is.
      if (auto resource = mlir::dyn_cast<mlir::DenseResourceElementsAttr>(attr))
        EXPECT_EQ(resource.getRawHandle().getBlob()->getDataAlignment(), static_cast<size_t>(tensor.getElementBytes()));
      llvm::Expected<HostTensor> back = HostTensor::fromAttr(attr);
      ASSERT_TRUE(static_cast<bool>(back));
      EXPECT_EQ(*back, tensor) << name << count;
    }
  HostTensor splat = HostTensor::splat(f32, {100000}, 2);
  EXPECT_TRUE(splat.isSplat());
  EXPECT_TRUE(mlir::cast<mlir::DenseElementsAttr>(splat.toAttr()).isSplat());
  EXPECT_EQ(*HostTensor::fromAttr(splat.toAttr()), splat);
}

TEST_F(HostTensorTest, BadAttributes) {
  auto type = mlir::RankedTensorType::get({4}, f32);
  mlir::ElementsAttr wrong = mlir::DenseResourceElementsAttr::get(
      type, "short", mlir::UnmanagedAsmResourceBlob::allocateInferAlign<char>({1, 2}));
  EXPECT_EQ(llvm::toString(HostTensor::fromAttr(wrong).takeError()), "resource 'short' has 2 bytes, its type needs 16");
}
