//===- EvalConvGradients.cpp - transposed convolution, filter gradient ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both walk the products of the convolution they belong to, in its order, and add
// each one where it came from.
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/EvalContract.h"
#include "dialects/Graph/Eval/EvalModels.h"
#include "dialects/Graph/Eval/EvalWindow.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {
/// Steps of a filter's tap, input channel and output channel in a group, and from
/// group to group.
struct FilterSteps {
  int64_t tap, input, output, group;
};
} // namespace

/// Extents of the convolution between two channels-last shapes.
static ConvShape makeShape(ArrayRef<int64_t> input, ArrayRef<int64_t> output, int64_t groups,
                           const WindowAttrs &attrs) {
  ConvShape shape;
  shape.rank = attrs.window.size();
  shape.batch = input.front();
  shape.inChannels = input.back();
  shape.outChannels = output.back();
  shape.groups = groups;
  for (unsigned i = 0; i < shape.rank; ++i) {
    WindowDim &dim = shape.spatial[3 - shape.rank + i];
    dim = attrs.dim(i, input[i + 1]);
    dim.output = output[i + 1];
  }
  return shape;
}

/// Calls `fn(input, filter, output)` with the first element and the steps of every
/// group's products of a pixel and a tap.
template <typename Fn> static void forEachProduct(const ConvShape &shape, const FilterSteps &steps, Fn &&fn) {
  int64_t channels = shape.inChannels / shape.groups, outputs = shape.outChannels / shape.groups, outPixel = 0;
  forEachOutput(shape, [&](int64_t n, int64_t d, int64_t h, int64_t w) {
    forEachTap(shape, d, h, w, [&](int64_t pixel, int64_t tap) {
      for (int64_t g = 0; g < shape.groups; ++g)
        for (int64_t i = 0; i < channels; ++i) {
          int64_t from = (n * shape.inPixels() + pixel) * shape.inChannels + g * channels + i;
          int64_t weight = tap * steps.tap + i * steps.input + g * steps.group;
          int64_t to = outPixel * shape.outChannels + g * outputs;
          for (int64_t o = 0; o < outputs; ++o)
            fn(from, weight + o * steps.output, to + o);
        }
    });
    ++outPixel;
  });
}

//===----------------------------------------------------------------------===//
// Transposed convolution
//===----------------------------------------------------------------------===//

static LogicalResult evalConvTranspose(ConvTransposeOp op, Operands operands, EvalContext &context, Results &results) {
  HostTensor data = toChannelsLast(operands[0], op.getLayout());
  PackedAttr packed = op.getPackedAttr();
  int64_t groups = op.getGroups();
  HostTensor filter = packed ? unpackPanels(operands[1], packed.getShape(), packed.getWidth(), groups)
                             : filterToHwio(operands[1], op.getFilterLayout());
  ArrayRef<int64_t> extents = filter.getShape();
  // Panels are made of the filter with its channels exchanged.
  int64_t inner = extents[extents.size() - 2], outer = extents.back();
  int64_t inChannels = packed ? outer : inner * groups, outChannels = packed ? inner * groups : outer;
  if (outChannels != data.getShape().back() || outer % groups != 0)
    return context.error(op,
                         "transposes a convolution with " + Twine(outChannels) + " outputs in " + Twine(groups) +
                             " groups on data of " + Twine(data.getShape().back()) + " channels",
                         "make the channels of data and filter agree");
  WindowAttrs attrs{extents.drop_back(2), op.getStrides(), op.getPads(), op.getDilations()};
  auto spatial =
      inferTransposedWindow(context.getReportLoc(op), data.getShape().drop_front().drop_back(), attrs, op.getExtents());
  if (failed(spatial))
    return failure();
  SmallVector<int64_t> result{data.getDim(0)};
  llvm::append_range(result, *spatial);
  result.push_back(inChannels);
  ConvShape shape = makeShape(result, data.getShape(), groups, attrs);
  FilterSteps steps = packed ? FilterSteps{inner * outer, 1, outer, inChannels / groups}
                             : FilterSteps{inner * outer, outer, 1, outChannels / groups};
  auto spread = [&](auto values, auto weights) {
    using T = typename decltype(values)::value_type;
    std::vector<T> out(shape.batch * shape.inPixels() * shape.inChannels, T(0));
    forEachProduct(shape, steps,
                   [&](int64_t to, int64_t weight, int64_t from) { out[to] += values[from] * weights[weight]; });
    return out;
  };
  results.push_back(fromChannelsLast(contract(getResultElement(op), result, data, filter, spread), op.getLayout()));
  return success();
}

//===----------------------------------------------------------------------===//
// Filter gradient
//===----------------------------------------------------------------------===//

/// (spatial..., I, O) to (O, I, spatial...).
static HostTensor hwioTo(const HostTensor &filter, FilterLayout layout) {
  if (layout == FilterLayout::HWIO)
    return filter;
  int64_t rank = filter.getRank();
  SmallVector<int64_t> order{rank - 1, rank - 2};
  for (int64_t i = 0; i < rank - 2; ++i)
    order.push_back(i);
  return transpose(filter, order);
}

static LogicalResult evalConvFilterGrad(ConvFilterGradOp op, Operands operands, EvalContext &context,
                                        Results &results) {
  HostTensor input = toChannelsLast(operands[0], op.getLayout());
  HostTensor gradient = toChannelsLast(operands[1], op.getLayout());
  WindowAttrs attrs{op.getWindow(), op.getStrides(), op.getPads(), op.getDilations()};
  FailureOr<ConvShape> expected = getWindowShape(op, input, gradient.getShape().back(), attrs, context);
  if (failed(expected))
    return failure();
  int64_t groups = op.getGroups(), inputs = input.getShape().back(), outputs = gradient.getShape().back();
  if (ArrayRef<int64_t>(getOutputShape(*expected)) != gradient.getShape() || inputs % groups || outputs % groups)
    return context.error(op,
                         "takes data of shape " + shapeToString(input.getShape()) + " and a gradient of shape " +
                             shapeToString(gradient.getShape()) + " in " + Twine(groups) + " groups",
                         "the gradient has the shape of what the convolution results in");
  ConvShape shape = makeShape(input.getShape(), gradient.getShape(), groups, attrs);
  SmallVector<int64_t> hwio(op.getWindow());
  hwio.append({inputs / groups, outputs});
  FilterSteps steps{inputs / groups * outputs, outputs, 1, outputs / groups};
  auto collect = [&](auto values, auto gradients) {
    using T = typename decltype(values)::value_type;
    std::vector<T> out(graph::countElements(hwio), T(0));
    forEachProduct(shape, steps,
                   [&](int64_t from, int64_t weight, int64_t to) { out[weight] += values[from] * gradients[to]; });
    return out;
  };
  results.push_back(hwioTo(contract(getResultElement(op), hwio, input, gradient, collect), op.getFilterLayout()));
  return success();
}

void hgc::graph::attachConvGradientModels(MLIRContext *context) {
  attach<ConvTransposeOp, evalConvTranspose>(context);
  attach<ConvFilterGradOp, evalConvFilterGrad>(context);
}
