//===- EvalConv.cpp - convolution -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/EvalContract.h"
#include "dialects/Graph/Eval/EvalModels.h"
#include "dialects/Graph/Eval/EvalWindow.h"
#include "dialects/Graph/Winograd.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

//===----------------------------------------------------------------------===//
// Geometry
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> channelPermutation(int64_t rank, bool toLast) {
  SmallVector<int64_t> order{0};
  for (int64_t i = 1; i < rank - 1; ++i)
    order.push_back(toLast ? i + 1 : i);
  order.insert(toLast ? order.end() : order.begin() + 1, toLast ? 1 : rank - 1);
  return order;
}

HostTensor hgc::graph::toChannelsLast(const HostTensor &tensor, DataLayout layout) {
  if (layout == DataLayout::ChannelsLast)
    return tensor;
  return transpose(tensor, channelPermutation(tensor.getRank(), true));
}

HostTensor hgc::graph::fromChannelsLast(const HostTensor &tensor, DataLayout layout) {
  if (layout == DataLayout::ChannelsLast)
    return tensor;
  return transpose(tensor, channelPermutation(tensor.getRank(), false));
}

FailureOr<ConvShape> hgc::graph::getWindowShape(Operation *op, const HostTensor &input, int64_t outChannels,
                                                const WindowAttrs &attrs, EvalContext &context) {
  ArrayRef<int64_t> spatial = input.getShape().drop_front().drop_back();
  FailureOr<SmallVector<int64_t>> outputs = inferWindow(context.getReportLoc(op), spatial, attrs);
  if (failed(outputs))
    return failure();
  ConvShape shape;
  shape.rank = spatial.size();
  shape.batch = input.getDim(0);
  shape.inChannels = input.getShape().back();
  shape.outChannels = outChannels;
  for (unsigned i = 0; i < shape.rank; ++i) {
    WindowDim &dim = shape.spatial[3 - shape.rank + i];
    dim = attrs.dim(i, spatial[i]);
    dim.output = (*outputs)[i];
  }
  return shape;
}

SmallVector<int64_t> hgc::graph::getOutputShape(const ConvShape &shape) {
  SmallVector<int64_t> result{shape.batch};
  for (unsigned i = 3 - shape.rank; i < 3; ++i)
    result.push_back(shape.spatial[i].output);
  result.push_back(shape.outChannels);
  return result;
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

HostTensor hgc::graph::filterToHwio(const HostTensor &filter, FilterLayout layout) {
  if (layout == FilterLayout::HWIO)
    return filter;
  SmallVector<int64_t> order;
  for (int64_t i = 2; i < filter.getRank(); ++i)
    order.push_back(i);
  order.append({1, 0});
  return transpose(filter, order);
}

/// The filter that was transformed to `squares`.
static HostTensor undoTransform(const HostTensor &squares, int64_t tile, ArrayRef<int64_t> hwio) {
  Winograd form(tile);
  SmallVector<double> inverse = squareTransform(form.inverse, form.extent());
  int64_t taps = 9, points = form.extent() * form.extent(), each = hwio[2] * hwio[3];
  std::vector<double> values = squares.toDoubles(), filter(taps * each, 0);
  for (int64_t tap = 0; tap < taps; ++tap)
    for (int64_t point = 0; point < points; ++point)
      for (int64_t i = 0; i < each; ++i)
        filter[tap * each + i] += inverse[tap * points + point] * values[point * each + i];
  return HostTensor::fromDoubles(squares.getElementType(), hwio, filter);
}

/// The filter in hwio order, panels undone.
static HostTensor canonicalFilter(ConvOp op, const HostTensor &filter) {
  if (PackedAttr packed = op.getPackedAttr()) {
    SmallVector<int64_t> shape(packed.getShape());
    int64_t tile = getPackedTile(packed, op.getFilter().getType());
    if (tile)
      shape[0] = shape[1] = tile + 2;
    HostTensor held = unpackPanels(filter, shape, packed.getWidth(), op.getGroups());
    return tile ? undoTransform(held, tile, packed.getShape()) : held;
  }
  return filterToHwio(filter, op.getFilterLayout());
}

/// Input channels last, filter [taps, channels a group, outputs]. The innermost
/// loop runs over the outputs of a group, contiguous in filter and result.
template <typename T> static std::vector<T> convolve(const ConvShape &shape, ArrayRef<T> input, ArrayRef<T> filter) {
  int64_t channels = shape.inChannels / shape.groups, outputs = shape.outChannels / shape.groups;
  std::vector<T> out(shape.batch * shape.outPixels() * shape.outChannels, T(0));
  T *result = out.data();
  forEachOutput(shape, [&](int64_t n, int64_t d, int64_t h, int64_t w) {
    forEachTap(shape, d, h, w, [&](int64_t pixel, int64_t tap) {
      const T *in = input.data() + (n * shape.inPixels() + pixel) * shape.inChannels;
      for (int64_t g = 0; g < shape.groups; ++g)
        for (int64_t c = 0; c < channels; ++c) {
          T value = in[g * channels + c];
          const T *row = filter.data() + (tap * channels + c) * shape.outChannels + g * outputs;
          T *sums = result + g * outputs;
          for (int64_t o = 0; o < outputs; ++o)
            sums[o] += value * row[o];
        }
    });
    result += shape.outChannels;
  });
  return out;
}

static LogicalResult evalConv(ConvOp op, Operands operands, EvalContext &context, Results &results) {
  HostTensor input = toChannelsLast(operands[0], op.getLayout());
  HostTensor filter = canonicalFilter(op, operands[1]);
  ArrayRef<int64_t> hwio = filter.getShape();
  WindowAttrs attrs{hwio.drop_back(2), op.getStrides(), op.getPads(), op.getDilations()};
  FailureOr<ConvShape> shape = getWindowShape(op, input, hwio.back(), attrs, context);
  if (failed(shape))
    return failure();
  shape->groups = op.getGroups();
  int64_t channels = hwio[hwio.size() - 2];
  if (channels * shape->groups != shape->inChannels || shape->outChannels % shape->groups != 0)
    return context.error(op,
                         "convolves " + Twine(shape->inChannels) + " channels in " + Twine(shape->groups) +
                             " groups with a filter of " + Twine(channels) + " and " + Twine(shape->outChannels) +
                             " outputs",
                         "make the channels of data and filter agree");
  results.push_back(fromChannelsLast(contract(getResultElement(op), getOutputShape(*shape), input, filter,
                                              [&](auto a, auto b) { return convolve(*shape, a, b); }),
                                     op.getLayout()));
  return success();
}

void hgc::graph::attachConvModels(MLIRContext *context) { attach<ConvOp, evalConv>(context); }
