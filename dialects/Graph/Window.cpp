//===- Window.cpp - geometry of convolutions and pools --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Infer.h"

using namespace mlir;
using namespace hgc::graph;

int64_t ConvShape::depth() const {
  int64_t volume = groups ? inChannels / groups : 0;
  for (const WindowDim &dim : spatial)
    volume *= dim.window;
  return volume;
}

int64_t ConvShape::outPixels() const { return spatial[0].output * spatial[1].output * spatial[2].output; }

int64_t ConvShape::inPixels() const { return spatial[0].input * spatial[1].input * spatial[2].input; }

WindowDim WindowAttrs::dim(size_t i, int64_t input) const {
  WindowDim dim;
  dim.input = input;
  dim.window = window[i];
  if (strides)
    dim.stride = (*strides)[i];
  if (dilations)
    dim.dilation = (*dilations)[i];
  if (pads) {
    dim.padLow = (*pads)[i];
    dim.padHigh = (*pads)[window.size() + i];
  }
  return dim;
}

/// Checks count and range of one attribute.
static LogicalResult checkEntries(MaybeLoc loc, StringRef name, std::optional<ArrayRef<int64_t>> values, size_t count,
                                  int64_t least) {
  if (!values)
    return success();
  if (values->size() != count)
    return emitWithHint(loc, "'" + name + "' has " + Twine(values->size()) + " entries, expected " + Twine(count),
                        name == "pads" ? "give the low pads of all spatial dims, then the high ones"
                                       : "give one entry per spatial dim");
  for (int64_t value : *values)
    if (value < least || value > kMaxWindow)
      return emitWithHint(loc, "'" + name + "' holds " + Twine(value), "use values from " + Twine(least) + " to 2^24");
  return success();
}

LogicalResult hgc::graph::checkWindow(MaybeLoc loc, const WindowAttrs &attrs, size_t count) {
  return success(succeeded(checkEntries(loc, "window", attrs.window, count, 1)) &&
                 succeeded(checkEntries(loc, "strides", attrs.strides, count, 1)) &&
                 succeeded(checkEntries(loc, "dilations", attrs.dilations, count, 1)) &&
                 succeeded(checkEntries(loc, "pads", attrs.pads, 2 * count, 0)));
}

FailureOr<SmallVector<int64_t>> hgc::graph::inferWindow(MaybeLoc loc, ArrayRef<int64_t> spatial,
                                                        const WindowAttrs &attrs) {
  size_t count = spatial.size();
  if (failed(checkWindow(loc, attrs, count)))
    return failure();
  SmallVector<int64_t> output;
  for (size_t i = 0; i < count; ++i) {
    WindowDim dim = attrs.dim(i, spatial[i]);
    if (ShapedType::isDynamic(dim.input)) {
      output.push_back(ShapedType::kDynamic);
      continue;
    }
    int64_t reach = dim.dilation * (dim.window - 1) + 1;
    int64_t padded = dim.input + dim.padLow + dim.padHigh;
    if (reach > padded)
      return emitWithHint(loc,
                          "window of spatial dim " + Twine(i) + " spans " + Twine(reach) +
                              " elements, but the padded input has only " + Twine(padded),
                          "enlarge 'pads' or use a smaller window or dilation");
    output.push_back((padded - reach) / dim.stride + 1);
  }
  return output;
}

ConvShape hgc::graph::makeWindowShape(RankedTensorType input, RankedTensorType result, DataLayout layout,
                                      const WindowAttrs &attrs) {
  ConvShape shape;
  DataDims dims(layout, input.getRank());
  shape.rank = attrs.window.size();
  shape.batch = input.getDimSize(0);
  shape.inChannels = input.getDimSize(dims.channel);
  shape.outChannels = result.getDimSize(dims.channel);
  shape.channelsLast = layout == DataLayout::ChannelsLast;
  for (unsigned i = 0; i < shape.rank; ++i) {
    WindowDim &dim = shape.spatial[3 - shape.rank + i];
    dim = attrs.dim(i, input.getDimSize(dims.spatial + i));
    dim.output = result.getDimSize(dims.spatial + i);
  }
  return shape;
}
