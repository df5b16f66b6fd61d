//===- LiteralTest.cpp - tensors on the command line ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Support/Literal.h"
#include "TestFiles.h"

#include <cmath>

using namespace hgc;

namespace {
struct LiteralTest : testing::Test {
  mlir::MLIRContext context;
  HostTensor parse(llvm::StringRef text) {
    llvm::Expected<HostTensor> tensor = parseLiteral(text, &context);
    EXPECT_TRUE(static_cast<bool>(tensor)) << text.str();
    if (tensor)
      return *tensor;
    ADD_FAILURE() << llvm::toString(tensor.takeError());
    return HostTensor(mlir::Float32Type::get(&context), {});
  }
  std::string errorText(llvm::StringRef text) { return errorOf(parseLiteral(text, &context)); }
};
} // namespace

TEST_F(LiteralTest, Values) {
  EXPECT_EQ(parse("4xf32=1,2,3.5,-4").str(), "4xf32=1,2,3.5,-4");
  EXPECT_EQ(parse("2x2xi32=7").str(), "2x2xi32=7,7,7,7");
  EXPECT_EQ(parse("f32=3").getRank(), 0);
  EXPECT_EQ(parse("2xi8=-128, 127").str(), "2xi8=-128,127");
  EXPECT_EQ(parse("ui64=18446744073709551615").getUInt(0), UINT64_MAX);
  EXPECT_EQ(parse("3xi1=1,false,true").str(), "3xi1=1,0,1");
  EXPECT_EQ(parse("0xf32=").getNumElements(), 0);
  EXPECT_TRUE(std::isnan(parse("f16=nan").getDouble(0)));
  EXPECT_EQ(parse("bf16=-inf").getDouble(0), -INFINITY);
  EXPECT_EQ(parse("f16=2049").getDouble(0), 2048);
}

TEST_F(LiteralTest, Errors) {
  expectError(errorText("4xf32=1,2"), "'4xf32' needs 4 values, got 2");
  expectError(errorText("4xf32"), "'4xf32' has no values");
  expectError(errorText("4xf31=1"), "'f31' is not an element type");
  expectError(errorText("4f32=1"), "'4f32' is not a tensor type");
  expectError(errorText("i8=128"), "'128' is not a value of type i8");
  expectError(errorText("ui8=-1"), "'-1' is not a value of type ui8");
  expectError(errorText("i1=2"), "i1 takes 0, 1, true or false");
  expectError(errorText("f32=one"), "'one' is not a value of type f32");
  expectError(errorText("99999999x99999999x99999999xf32=1"), "has too many elements");
  expectError(errorText("99999999999999999999xf32=1"), "is not a tensor type");
  expectError(errorText("0xf32=1"), "needs 0 values, got 1");
}
