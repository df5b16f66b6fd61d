//===- ConvGradientTest.cpp - transposed convolution, filter gradient -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each op is compared with a formula that gathers instead of scattering, and all
// three forms of a convolution must agree in <conv(x, w), y> =
// <x, conv_transpose(y, w)> = <w, conv_filter_grad(x, y)>.
//===----------------------------------------------------------------------===//

#include "EvalFixture.h"
#include "hgc/Support/Random.h"

using namespace hgc;

namespace {

/// A convolution over two spatial dims, channels last, filter in hwio order.
struct Conv {
  int64_t batch, input[2], channels, outputs, window[2], stride[2], low[2], high[2], dilation[2], groups;

  int64_t output(int d) const {
    return (input[d] + low[d] + high[d] - (window[d] - 1) * dilation[d] - 1) / stride[d] + 1;
  }
  std::string attrs() const {
    auto list = [](std::vector<int64_t> values) {
      std::string text;
      for (int64_t value : values)
        text += (text.empty() ? "" : ", ") + std::to_string(value);
      return "[" + text + "]";
    };
    return " strides = " + list({stride[0], stride[1]}) + " pads = " + list({low[0], low[1], high[0], high[1]}) +
           " dilations = " + list({dilation[0], dilation[1]}) + " groups = " + std::to_string(groups);
  }
  std::vector<int64_t> x() const { return {batch, input[0], input[1], channels}; }
  std::vector<int64_t> y() const { return {batch, output(0), output(1), outputs}; }
  std::vector<int64_t> w() const { return {window[0], window[1], channels / groups, outputs}; }
};

// Plain; strided; a stride that leaves pixels out; dilated; grouped; depthwise;
// padding beyond the window; a step and a dilation with a common divisor.
const Conv kConvs[] = {
    {1, {5, 4}, 2, 3, {3, 2}, {1, 1}, {0, 0}, {0, 0}, {1, 1}, 1},
    {2, {7, 6}, 3, 2, {3, 3}, {2, 2}, {1, 1}, {1, 0}, {1, 1}, 1},
    {1, {11, 8}, 1, 2, {2, 1}, {3, 4}, {0, 0}, {0, 0}, {1, 1}, 1},
    {2, {9, 7}, 2, 2, {3, 2}, {1, 2}, {2, 1}, {1, 2}, {2, 3}, 1},
    {1, {6, 6}, 4, 6, {3, 3}, {2, 1}, {1, 0}, {0, 1}, {1, 1}, 2},
    {1, {5, 5}, 5, 5, {3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, 5},
    {1, {3, 2}, 2, 2, {2, 2}, {1, 2}, {4, 3}, {5, 2}, {1, 1}, 1},
    {1, {13, 9}, 1, 1, {4, 3}, {4, 2}, {1, 2}, {3, 1}, {2, 4}, 1},
};

std::string typeText(const std::vector<int64_t> &shape) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + "f64>";
}

std::string listText(const int64_t (&values)[2]) {
  return "[" + std::to_string(values[0]) + ", " + std::to_string(values[1]) + "]";
}

struct ConvGradientTest : EvalFixture {
  HostTensor random(const std::vector<int64_t> &shape, uint64_t seed) {
    return makeRandomTensor(mlir::Float64Type::get(&context), shape, seed);
  }

  HostTensor evaluate(const std::string &head, const std::string &attrs, const HostTensor &a, const HostTensor &b,
                      const std::vector<int64_t> &result) {
    std::string ta = typeText(a.getShape().vec()), tb = typeText(b.getShape().vec()), tr = typeText(result);
    auto done =
        call("func.func @f(%a: " + ta + ", %b: " + tb + ") -> " + tr + " {\n%r = hgc." + head + " %a, %b " + attrs +
                 " channels_last hwio : (" + ta + ", " + tb + ") -> " + tr + "\nreturn %r : " + tr + " }",
             {a, b});
    EXPECT_TRUE(mlir::succeeded(done)) << message;
    return mlir::succeeded(done) ? done->outputs[0] : HostTensor(mlir::Float64Type::get(&context), result);
  }

  HostTensor transposed(const Conv &c, const HostTensor &y, const HostTensor &w) {
    return evaluate("conv_transpose", "extents = " + listText(c.input) + c.attrs(), y, w, c.x());
  }
  HostTensor filterGrad(const Conv &c, const HostTensor &x, const HostTensor &y) {
    return evaluate("conv_filter_grad", "window = " + listText(c.window) + c.attrs(), x, y, c.w());
  }
};

double dot(const HostTensor &a, const HostTensor &b) {
  double sum = 0;
  for (int64_t i = 0; i < a.getNumElements(); ++i)
    sum += a.getDouble(i) * b.getDouble(i);
  return sum;
}

int64_t at(const std::vector<int64_t> &shape, int64_t a, int64_t b, int64_t c, int64_t d) {
  return ((a * shape[1] + b) * shape[2] + c) * shape[3] + d;
}

/// The output that sees pixel `pixel` through tap `tap`, or -1.
int64_t findOutput(const Conv &c, int d, int64_t pixel, int64_t tap) {
  for (int64_t out = 0; out < c.output(d); ++out)
    if (out * c.stride[d] + tap * c.dilation[d] - c.low[d] == pixel)
      return out;
  return -1;
}

} // namespace

TEST_F(ConvGradientTest, AllFormsAreAdjoint) {
  for (const Conv &c : kConvs) {
    HostTensor x = random(c.x(), 1), w = random(c.w(), 2), y = random(c.y(), 3);
    double forward = dot(evaluate("conv", c.attrs(), x, w, c.y()), y);
    EXPECT_NEAR(forward, dot(x, transposed(c, y, w)), 1e-11) << c.attrs();
    EXPECT_NEAR(forward, dot(w, filterGrad(c, x, y)), 1e-11) << c.attrs();
  }
}

TEST_F(ConvGradientTest, TransposedGathersWhatSawThePixel) {
  for (const Conv &c : kConvs) {
    HostTensor y = random(c.y(), 5), w = random(c.w(), 6), x = transposed(c, y, w);
    int64_t inputs = c.channels / c.groups, outputs = c.outputs / c.groups;
    for (int64_t n = 0; n < c.batch; ++n)
      for (int64_t h = 0; h < c.input[0]; ++h)
        for (int64_t v = 0; v < c.input[1]; ++v)
          for (int64_t i = 0; i < c.channels; ++i) {
            double sum = 0;
            for (int64_t kh = 0; kh < c.window[0]; ++kh)
              for (int64_t kv = 0; kv < c.window[1]; ++kv) {
                int64_t oh = findOutput(c, 0, h, kh), ov = findOutput(c, 1, v, kv);
                for (int64_t o = 0; o < outputs && oh >= 0 && ov >= 0; ++o) {
                  int64_t output = i / inputs * outputs + o;
                  sum += y.getDouble(at(c.y(), n, oh, ov, output)) * w.getDouble(at(c.w(), kh, kv, i % inputs, output));
                }
              }
            ASSERT_NEAR(x.getDouble(at(c.x(), n, h, v, i)), sum, 1e-13) << c.attrs();
          }
  }
}

TEST_F(ConvGradientTest, FilterGradientSumsOverAllWindows) {
  for (const Conv &c : kConvs) {
    HostTensor x = random(c.x(), 7), y = random(c.y(), 8), w = filterGrad(c, x, y);
    int64_t inputs = c.channels / c.groups, outputs = c.outputs / c.groups;
    for (int64_t kh = 0; kh < c.window[0]; ++kh)
      for (int64_t kv = 0; kv < c.window[1]; ++kv)
        for (int64_t i = 0; i < inputs; ++i)
          for (int64_t o = 0; o < c.outputs; ++o) {
            double sum = 0;
            for (int64_t n = 0; n < c.batch; ++n)
              for (int64_t h = 0; h < c.input[0]; ++h)
                for (int64_t v = 0; v < c.input[1]; ++v) {
                  int64_t oh = findOutput(c, 0, h, kh), ov = findOutput(c, 1, v, kv);
                  if (oh >= 0 && ov >= 0)
                    sum += x.getDouble(at(c.x(), n, h, v, o / outputs * inputs + i)) *
                           y.getDouble(at(c.y(), n, oh, ov, o));
                }
            ASSERT_NEAR(w.getDouble(at(c.w(), kh, kv, i, o)), sum, 1e-12) << c.attrs();
          }
  }
}

TEST_F(ConvGradientTest, LayoutsAndTypes) {
  // One pixel spreads over a window; two input channels add up.
  EXPECT_EQ(op("conv_transpose %a0, %a1 strides = [2] channels_first oihw "
               ": (tensor<1x2x2xf32>, tensor<2x1x2xf32>) -> tensor<1x1x4xf32>",
               {"1x2x2xf32=1,2,3,4", "2x1x2xf32=1,10,100,1000"}, "tensor<1x1x4xf32>"),
            "1x1x4xf32=301,3010,402,4020");
  EXPECT_EQ(op("conv_transpose %a0, %a1 channels_last hwio : (tensor<1x1x1xi8>, tensor<2x1x1xi8>) -> tensor<1x2x1xi32>",
               {"1x1x1xi8=-128", "2x1x1xi8=-128,127"}, "tensor<1x2x1xi32>"),
            "1x2x1xi32=16384,-16256");
  EXPECT_EQ(op("conv_filter_grad %a0, %a1 window = [2] channels_first oihw "
               ": (tensor<1x1x3xf16>, tensor<1x2x2xf16>) -> tensor<2x1x2xf32>",
               {"1x1x3xf16=1,2,3", "1x2x2xf16=1,10,100,1000"}, "tensor<2x1x2xf32>"),
            "2x1x2xf32=21,32,2100,3200");
}

// Pixels that no window reaches are zero; they may be as many as fit between two.
TEST_F(ConvGradientTest, ExtentsBeyondTheWindows) {
  EXPECT_EQ(op("conv_transpose %a0, %a1 extents = [5] strides = [3] channels_last hwio "
               ": (tensor<1x2x1xf32>, tensor<1x1x1xf32>) -> tensor<1x5x1xf32>",
               {"1x2x1xf32=1,2", "1x1x1xf32=10"}, "tensor<1x5x1xf32>"),
            "1x5x1xf32=10,0,0,20,0");
}

TEST_F(ConvGradientTest, PackedFilter) {
  // Panels of (window, input channels, result channels).
  EXPECT_EQ(op("conv_transpose %a0, %a1 channels_last hwio packed <2, [2, 1, 3]> "
               ": (tensor<1x1x1xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x3xf32>",
               {"1x1x1xf32=10", "1x2x2x2xf32=1,2,4,5,3,0,6,0"}, "tensor<1x2x3xf32>"),
            "1x2x3xf32=10,20,30,40,50,60");
}

TEST_F(ConvGradientTest, ValuesThatDoNotFit) {
  std::string data = "tensor<1x?x?xf32>";
  expectFailure(run("func.func @f(%x: " + data + ", %w: tensor<1x1x2xf32>) -> " + data +
                        " {\n"
                        "%r = hgc.conv_transpose %x, %w channels_last hwio : (" +
                        data + ", tensor<1x1x2xf32>) -> " + data + "\nreturn %r : " + data + " }",
                    {"1x2x3xf32=1,2,3,4,5,6", "1x1x2xf32=1,2"}),
                "transposes a convolution with 2 outputs in 1 groups on data of 3 channels");
  expectFailure(run("func.func @f(%x: " + data + ", %y: " + data +
                        ") -> tensor<2x?x?xf32> {\n"
                        "%r = hgc.conv_filter_grad %x, %y window = [2] channels_last hwio : (" +
                        data + ", " + data + ") -> tensor<2x?x?xf32>\nreturn %r : tensor<2x?x?xf32> }",
                    {"1x3x1xf32=1,2,3", "1x3x1xf32=1,2,3"}),
                "takes data of shape 1x3x1 and a gradient of shape 1x3x1 in 1 groups");
}
