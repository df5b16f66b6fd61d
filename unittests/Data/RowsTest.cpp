//===- RowsTest.cpp - rows of arrays as a model wants them ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Data/Rows.h"
#include "unittests/Support/TestFiles.h"

#include "mlir/IR/Builders.h"
#include <limits>

using namespace hgc;

namespace {

struct RowsTest : testing::Test {
  mlir::MLIRContext context;
  mlir::Builder b{&context};
  mlir::Type u8 = b.getIntegerType(8, /*isSigned=*/false);

  std::string check(mlir::Type from, double value, mlir::Type to) {
    return errorOf(checkConversion(HostTensor::fromDoubles(from, {2, 1}, {1, value}), to));
  }
};

} // namespace

TEST_F(RowsTest, ConversionsThatLoseData) {
  EXPECT_EQ(check(u8, 255, b.getF32Type()), "");
  EXPECT_EQ(check(u8, 255, b.getF16Type()), "");
  EXPECT_EQ(check(u8, 127, b.getI8Type()), "");
  expectError(check(u8, 128, b.getI8Type()), "row 1 has the ui8 value 128.00, which i8 cannot hold");
  EXPECT_EQ(check(b.getF64Type(), 3, b.getI32Type()), "");
  expectError(check(b.getF64Type(), 3.5, b.getI32Type()), "which i32 cannot hold");
  expectError(check(b.getF64Type(), -1, u8), "which ui8 cannot hold");
  expectError(check(b.getF64Type(), std::nan(""), b.getI32Type()), "which i32 cannot hold");
  expectError(check(b.getF64Type(), 9223372036854775808.0, b.getI64Type()), "which i64 cannot hold");
  // Floats are rounded, but do not become infinite.
  EXPECT_EQ(check(b.getF64Type(), 0.1, b.getF32Type()), "");
  EXPECT_EQ(check(b.getF64Type(), std::numeric_limits<double>::infinity(), b.getF32Type()), "");
  expectError(check(b.getF64Type(), 1e39, b.getF32Type()), "which f32 cannot hold");
  EXPECT_EQ(check(b.getI64Type(), 1 << 24, b.getF32Type()), "");
  expectError(check(b.getI64Type(), (1 << 24) + 1, b.getF32Type()), "which f32 cannot hold");
  EXPECT_EQ(check(u8, 1, b.getI1Type()), "");
  expectError(check(u8, 2, b.getI1Type()), "which i1 cannot hold");
  EXPECT_EQ(check(b.getI1Type(), 1, b.getF32Type()), "");
}

TEST_F(RowsTest, ShapesOfRows) {
  EXPECT_TRUE(isSameRow({28, 28}, {28, 28}));
  EXPECT_TRUE(isSameRow({28, 28}, {784}));
  EXPECT_TRUE(isSameRow({28, 28}, {1, 28, 28}));
  EXPECT_TRUE(isSameRow({784}, {28, 28, 1}));
  EXPECT_TRUE(isSameRow({}, {1}));
  EXPECT_FALSE(isSameRow({28, 28}, {14, 56}));
  EXPECT_FALSE(isSameRow({28, 28}, {783}));
  EXPECT_FALSE(isSameRow({}, {10}));
  EXPECT_FALSE(isSameRow({28, 28, 3}, {3, 28, 28}));
}

// Rows come in the order asked for; the rest repeats the first of them.
TEST_F(RowsTest, Gather) {
  HostTensor from = HostTensor::fromInts(u8, {3, 2}, {1, 2, 3, 4, 5, 6});
  for (mlir::Type type : {u8, mlir::Type(b.getF32Type()), mlir::Type(b.getF16Type()), mlir::Type(b.getI64Type())}) {
    HostTensor to(type, {4, 2});
    gatherRows(from, {2, 0}, to);
    EXPECT_EQ(to.toDoubles(), std::vector<double>({5, 6, 1, 2, 5, 6, 5, 6}));
  }
  HostTensor flags = HostTensor::fromInts(b.getI1Type(), {2}, {0, 1}), asFloat(b.getF32Type(), {2, 1});
  gatherRows(flags, {1, 0}, asFloat);
  EXPECT_EQ(asFloat.toDoubles(), std::vector<double>({1, 0}));
  HostTensor numbers = HostTensor::fromDoubles(b.getF64Type(), {2}, {1, 0}), asFlag(b.getI1Type(), {2});
  gatherRows(numbers, {0, 1}, asFlag);
  EXPECT_EQ(asFlag.toInts(), std::vector<int64_t>({1, 0}));
}
