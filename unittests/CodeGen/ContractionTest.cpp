//===- ContractionTest.cpp - what index maps of contractions can say ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps are interpreted on the host. Whole contractions of convolutions and of their
// gradients are computed that way and compared with the evaluator.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/Contraction.h"

#include "dialects/Graph/Eval/Evaluator.h"
#include "hgc/Support/Random.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <vector>

using namespace hgc;
using namespace hgc::gpu;

namespace {

/// Address of (row, depth); -1 where the map says there is nothing.
int64_t locate(const OperandMap &map, int64_t row, int64_t depth) {
  std::vector<int64_t> positions;
  for (const MapPosition &position : map.positions)
    positions.push_back(position.origin);
  int64_t offset = 0;
  auto walk = [&](const llvm::SmallVector<MapDigit> &digits, int64_t linear) {
    for (size_t i = digits.size(); i-- > 0;) {
      int64_t value = i > 0 ? linear % digits[i].extent : linear;
      linear /= digits[i].extent;
      if (digits[i].position >= 0)
        positions[digits[i].position] += value * digits[i].step;
      else
        offset += value * digits[i].stride;
    }
  };
  walk(map.rows, row);
  walk(map.depth, depth);
  for (size_t i = 0; i < positions.size(); ++i) {
    const MapPosition &position = map.positions[i];
    if (positions[i] < 0 || positions[i] % position.divisor != 0 || positions[i] / position.divisor >= position.extent)
      return -1;
    offset += positions[i] / position.divisor * position.stride;
  }
  return offset;
}

/// A convolution along one dim, channels last.
struct Conv1D {
  int64_t batch = 2, input = 9, channels = 3, outputs = 4, window = 3, stride = 2, dilation = 2, padLow = 2,
          padHigh = 1;
  int64_t output() const { return (input + padLow + padHigh - (window - 1) * dilation - 1) / stride + 1; }
};

/// The input as rows of windows; the depth is (window, channel).
OperandMap mapWindows(const Conv1D &c) {
  OperandMap map;
  map.positions = {{-c.padLow, c.input, 1, c.channels}};
  map.rows = {{c.batch, c.input * c.channels}, {c.output(), 0, 0, c.stride}};
  map.depth = {{c.window, 0, 0, c.dilation}, {c.channels, 1}};
  return map;
}

TEST(Contraction, ForwardWindowsReadInputOrPadding) {
  Conv1D c;
  OperandMap map = mapWindows(c);
  map.simplify();
  for (int64_t n = 0; n < c.batch; ++n)
    for (int64_t o = 0; o < c.output(); ++o)
      for (int64_t k = 0; k < c.window; ++k)
        for (int64_t i = 0; i < c.channels; ++i) {
          int64_t at = o * c.stride - c.padLow + k * c.dilation;
          int64_t expected = at < 0 || at >= c.input ? -1 : (n * c.input + at) * c.channels + i;
          EXPECT_EQ(locate(map, n * c.output() + o, k * c.channels + i), expected);
        }
}

// The filter's gradient sums over all output pixels: rows and depth change places.
TEST(Contraction, FilterGradientExchangesRowsAndDepth) {
  Conv1D c;
  OperandMap forward = mapWindows(c), map = forward;
  std::swap(map.rows, map.depth);
  map.simplify();
  for (int64_t row = 0; row < c.window * c.channels; ++row)
    for (int64_t depth = 0; depth < c.batch * c.output(); ++depth)
      EXPECT_EQ(locate(map, row, depth), locate(forward, depth, row));
}

// The input's gradient looks back: a pixel was seen through window position k by
// the output at (pixel + padding - k * dilation) / stride, if that divides.
TEST(Contraction, InputGradientDividesByTheStride) {
  Conv1D c;
  OperandMap map;
  map.positions = {{c.padLow, c.output(), c.stride, c.outputs}};
  map.rows = {{c.batch, c.output() * c.outputs}, {c.input, 0, 0, 1}};
  map.depth = {{c.window, 0, 0, -c.dilation}, {c.outputs, 1}};
  map.simplify();
  OperandMap forward = mapWindows(c);
  // Every pair of pixels that the forward form connects, and no other.
  for (int64_t pixel = 0; pixel < c.input; ++pixel)
    for (int64_t k = 0; k < c.window; ++k) {
      int64_t seen = -1;
      for (int64_t o = 0; o < c.output(); ++o)
        if (locate(forward, o, k * c.channels) == pixel * c.channels)
          seen = o;
      EXPECT_EQ(locate(map, pixel, k * c.outputs + 1), seen < 0 ? -1 : seen * c.outputs + 1);
    }
}

TEST(Contraction, PositionsThatStayInsideBecomeAddresses) {
  Conv1D c;
  c.padLow = c.padHigh = 0;
  OperandMap map = mapWindows(c), plain = map;
  plain.simplify();
  EXPECT_TRUE(plain.isTotal());
  for (int64_t row = 0; row < c.batch * c.output(); ++row)
    for (int64_t depth = 0; depth < c.window * c.channels; ++depth)
      EXPECT_EQ(locate(plain, row, depth), locate(map, row, depth));
}

TEST(Contraction, OnePixelAtATimeIsAMatrix) {
  Conv1D c;
  c.window = c.stride = c.dilation = 1;
  c.padLow = c.padHigh = 0;
  OperandMap map = mapWindows(c);
  map.simplify();
  EXPECT_TRUE(map.isMatrix());
  EXPECT_EQ(map.rows[0].extent, c.batch * c.input);
  EXPECT_EQ(map.rows[0].stride, c.channels);
}

// Padding is part of what an address can reach before anyone asks.
TEST(Contraction, NarrowNumbersHoldAllThatIsComputed) {
  Conv1D c;
  OperandMap map = mapWindows(c);
  map.elements = c.batch * c.input * c.channels;
  EXPECT_TRUE(map.isNarrow());
  map.positions[0].origin = -(int64_t(1) << 31);
  EXPECT_FALSE(map.isNarrow());
  map = mapWindows(c);
  map.elements = int64_t(1) << 31;
  EXPECT_FALSE(map.isNarrow());
}

// What is read in one access must start at a multiple of its width everywhere.
TEST(Contraction, AlignmentFollowsFromAllSteps) {
  OperandMap map;
  map.rows = {{100, 24}};
  map.depth = {{24, 1}};
  EXPECT_EQ(map.contiguousDepth(16), 8);
  EXPECT_EQ(map.contiguousDepth(4), 4);
  EXPECT_EQ(map.contiguousRows(4), 1);
  map.batchStrides = {2402};
  EXPECT_EQ(map.contiguousDepth(4), 2);
  map.batchStrides = {0};
  map.positions = {{-1, 5, 1, 3}};
  EXPECT_EQ(map.contiguousDepth(4), 1);
}

/// Computes contractions by their maps.
struct Interpreter : testing::Test {
  mlir::MLIRContext context;

  Interpreter() {
    mlir::DialectRegistry registry;
    registry.insert<graph::HGCDialect, mlir::func::FuncDialect>();
    graph::registerEvalModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The result's index of one element, linear.
  static int64_t place(const Contraction &problem, int64_t batch, int64_t row, int64_t column) {
    std::vector<int64_t> at(problem.resultShape.size(), 0);
    auto walk = [&](llvm::ArrayRef<ResultDigit> digits, int64_t linear) {
      for (size_t i = digits.size(); i-- > 0; linear /= digits[i].extent)
        at[digits[i].dim] += linear % digits[i].extent * digits[i].step;
    };
    walk(problem.batchDigits, batch);
    walk(problem.rowDigits, row);
    walk(problem.columnDigits, column);
    int64_t linear = 0;
    for (size_t d = 0; d < at.size(); ++d)
      linear = linear * problem.resultShape[d] + at[d];
    return linear;
  }

  static std::vector<int64_t> compute(const Contraction &problem, llvm::ArrayRef<HostTensor> operands) {
    std::vector<int64_t> left = operands[problem.lhsOperand].toInts(), right = operands[problem.rhsOperand].toInts();
    std::vector<int64_t> result(problem.batch * problem.rows * problem.columns, INT64_MIN);
    for (int64_t b = 0; b < problem.batch; ++b)
      for (int64_t row = 0; row < problem.rows; ++row)
        for (int64_t column = 0; column < problem.columns; ++column) {
          int64_t sum = 0;
          for (int64_t k = 0; k < problem.depth; ++k) {
            int64_t l = locate(problem.lhs, row, k), r = locate(problem.rhs, column, k);
            if (l >= 0 && r >= 0)
              sum += left[l + b * problem.lhs.batchStrides[0]] * right[r + b * problem.rhs.batchStrides[0]];
          }
          result[place(problem, b, row, column)] = sum;
        }
    return result;
  }

  /// Compares the only op of type `OpT` on operands of bytes, where sums are exact.
  template <typename OpT>
  void expectRight(const std::string &op, const std::string &a, const std::string &b, const std::string &result) {
    std::string source = "func.func @f(%a: " + a + ", %b: " + b + ") -> " + result + " {\n%r = hgc." + op + " : (" + a +
                         ", " + b + ") -> " + result + "\nreturn %r : " + result + " }";
    auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    ASSERT_TRUE(module) << source;
    auto function = *module->getOps<mlir::func::FuncOp>().begin();
    std::vector<HostTensor> operands;
    for (mlir::Type type : function.getArgumentTypes()) {
      auto tensor = mlir::cast<mlir::RankedTensorType>(type);
      operands.push_back(makeRandomTensor(tensor.getElementType(), tensor.getShape(), operands.size() + 1));
    }
    auto expected = graph::evaluateEntry(function, operands, {});
    ASSERT_TRUE(mlir::succeeded(expected));
    Contraction problem(*function.getOps<OpT>().begin());
    EXPECT_EQ(compute(problem, operands), expected->outputs[0].toInts()) << source;
  }
};

// All orders of data and filter; strides that leave a rest, dilations that share a
// divisor with them, groups, and padding on one side only.
TEST_F(Interpreter, ConvolutionsAndGradientsInAllLayouts) {
  for (bool last : {true, false})
    for (bool hwio : {true, false}) {
      std::string attrs = " strides = [2, 3] pads = [1, 2, 2, 0] dilations = [2, 1] groups = 2";
      attrs += last ? " channels_last" : " channels_first";
      attrs += hwio ? " hwio" : " oihw";
      auto data = [&](const std::string &spatial, int64_t channels, const std::string &type) {
        std::string c = std::to_string(channels);
        return "tensor<2x" + (last ? spatial + "x" + c : c + "x" + spatial) + "x" + type + ">";
      };
      auto filter = [&](const std::string &type) {
        return (hwio ? "tensor<3x2x2x6x" : "tensor<6x2x3x2x") + type + ">";
      };
      expectRight<graph::ConvOp>("conv %a, %b" + attrs, data("7x8", 4, "i8"), filter("i8"), data("3x3", 6, "i32"));
      expectRight<graph::ConvTransposeOp>("conv_transpose %a, %b extents = [7, 8]" + attrs, data("3x3", 6, "i8"),
                                          filter("i8"), data("7x8", 4, "i32"));
      expectRight<graph::ConvFilterGradOp>("conv_filter_grad %a, %b window = [3, 2]" + attrs, data("7x8", 4, "i8"),
                                           data("3x3", 6, "i8"), filter("i32"));
    }
}

} // namespace
