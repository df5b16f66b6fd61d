//===- ConvGradients.cpp - what convolutions need to be differentiated ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Infer.h"

using namespace mlir;
using namespace hgc::graph;

//===----------------------------------------------------------------------===//
// Transposed convolution
//===----------------------------------------------------------------------===//

namespace {
/// A filter of a transposed convolution: its window, and the channels it takes and
/// gives.
struct TransposedFilter {
  SmallVector<int64_t> window;
  int64_t inputs, outputs;
};
} // namespace

static int64_t timesGroups(int64_t extent, int64_t groups) {
  return ShapedType::isDynamic(extent) ? extent : countElements({extent, groups});
}

static FailureOr<TransposedFilter> inferFilter(MaybeLoc loc, ConvTransposeOp::Adaptor adaptor) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  auto filter = cast<RankedTensorType>(adaptor.getFilter().getType());
  int64_t groups = adaptor.getGroups();
  if (PackedAttr packed = adaptor.getPackedAttr()) {
    auto shape = inferPackedFilter(loc, packed, adaptor.getFilterLayout(), groups, input, filter);
    if (failed(shape))
      return failure();
    ArrayRef<int64_t> extents = *shape;
    return TransposedFilter{SmallVector<int64_t>(extents.drop_back(2)), timesGroups(extents.end()[-2], groups),
                            extents.back()};
  }
  if (failed(checkConvRanks(loc, input, filter)))
    return failure();
  SmallVector<int64_t> hwio = toHwio(filter.getShape(), adaptor.getFilterLayout());
  if (failed(checkGroups(loc, groups, hwio.back())))
    return failure();
  return TransposedFilter{SmallVector<int64_t>(ArrayRef<int64_t>(hwio).drop_back(2)), hwio.back(),
                          timesGroups(hwio.end()[-2], groups)};
}

/// The result's extent of one spatial dim, `wanted` if that is given.
static FailureOr<int64_t> inferExtent(MaybeLoc loc, size_t number, const WindowDim &dim,
                                      std::optional<int64_t> wanted) {
  if (ShapedType::isDynamic(dim.output))
    return wanted.value_or(ShapedType::kDynamic);
  if (dim.output == 0)
    return emitWithHint(loc, "data has no elements along spatial dim " + Twine(number),
                        "no convolution results in such data; it has at least one pixel");
  // Products of absurd extents end where the limit of tensors reports them.
  int64_t span = std::min(countElements({dim.output - 1, dim.stride}), 2 * kMaxTensorBytes);
  int64_t least = span + dim.dilation * (dim.window - 1) + 1 - dim.padLow - dim.padHigh;
  int64_t most = least + std::max(dim.stride, dim.dilation) - 1;
  if (!wanted) {
    if (least >= 1)
      return least;
    return emitWithHint(loc, "spatial dim " + Twine(number) + " of the result has the extent " + Twine(least),
                        "use smaller 'pads', or give the extents with 'extents'");
  }
  if (*wanted >= std::max<int64_t>(1, least) && *wanted <= most)
    return *wanted;
  return emitWithHint(loc,
                      "'extents' holds " + Twine(*wanted) + " for spatial dim " + Twine(number) + ", which can have " +
                          Twine(std::max<int64_t>(1, least)) + " to " + Twine(most),
                      "check 'strides' and 'pads', or leave out 'extents' for the smallest result");
}

FailureOr<SmallVector<int64_t>> hgc::graph::inferTransposedWindow(MaybeLoc loc, ArrayRef<int64_t> spatial,
                                                                  const WindowAttrs &attrs,
                                                                  std::optional<ArrayRef<int64_t>> wanted) {
  size_t count = spatial.size();
  if (failed(checkWindow(loc, attrs, count)) || (wanted && failed(checkCount(loc, "extents", *wanted, count))))
    return failure();
  SmallVector<int64_t> extents;
  for (size_t i = 0; i < count; ++i) {
    WindowDim dim = attrs.dim(i, ShapedType::kDynamic);
    dim.output = spatial[i];
    FailureOr<int64_t> extent = inferExtent(loc, i, dim, wanted ? std::optional<int64_t>((*wanted)[i]) : std::nullopt);
    if (failed(extent))
      return failure();
    extents.push_back(*extent);
  }
  return extents;
}

LogicalResult ConvTransposeOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor,
                                                SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  if (failed(checkElements(loc, input, adaptor.getFilter().getType())))
    return failure();
  FailureOr<TransposedFilter> filter = inferFilter(loc, adaptor);
  if (failed(filter))
    return failure();
  DataDims dims(adaptor.getLayout(), input.getRank());
  if (differ(input.getDimSize(dims.channel), filter->inputs))
    return emitWithHint(loc,
                        "data has " + Twine(input.getDimSize(dims.channel)) + " channels, but the filter has " +
                            Twine(filter->inputs) + " output channels",
                        "a transposed convolution reads what the convolution with this filter results in");
  if (ShapedType::isDynamicShape(filter->window))
    return emitWithHint(loc, "filter has a dynamic spatial extent",
                        "only batch, image and channel extents may be dynamic");
  WindowAttrs attrs{filter->window, adaptor.getStrides(), adaptor.getPads(), adaptor.getDilations()};
  size_t count = filter->window.size();
  auto spatial = inferTransposedWindow(loc, input.getShape().slice(dims.spatial, count), attrs, adaptor.getExtents());
  if (failed(spatial))
    return failure();
  SmallVector<int64_t> shape(input.getShape());
  shape[dims.channel] = filter->outputs;
  llvm::copy(*spatial, shape.begin() + dims.spatial);
  types.push_back(RankedTensorType::get(shape, getAccumulatorType(input.getElementType())));
  return success();
}

ConvShape ConvTransposeOp::getShape() {
  SmallVector<int64_t> filter = getPacked() ? SmallVector<int64_t>(getPackedAttr().getShape())
                                            : toHwio(getFilter().getType().getShape(), getFilterLayout());
  WindowAttrs attrs{ArrayRef<int64_t>(filter).drop_back(2), getStrides(), getPads(), getDilations()};
  ConvShape shape = makeWindowShape(getType(), getInput().getType(), getLayout(), attrs);
  shape.groups = getGroups();
  return shape;
}

int64_t ConvTransposeOp::getDepth() {
  ConvShape shape = getShape();
  int64_t depth = shape.outChannels / shape.groups;
  for (const WindowDim &dim : shape.spatial)
    depth *= dim.window;
  return depth;
}

//===----------------------------------------------------------------------===//
// Filter gradient
//===----------------------------------------------------------------------===//

/// Fails unless `gradient` has the shape of what the convolution of `input` gives.
static LogicalResult checkGradient(MaybeLoc loc, RankedTensorType input, RankedTensorType gradient,
                                   const DataDims &dims, const WindowAttrs &attrs) {
  size_t count = input.getRank() - 2;
  FailureOr<SmallVector<int64_t>> spatial = inferWindow(loc, input.getShape().slice(dims.spatial, count), attrs);
  if (failed(spatial))
    return failure();
  if (differ(input.getDimSize(0), gradient.getDimSize(0)))
    return emitWithHint(
        loc, "input has " + Twine(input.getDimSize(0)) + " images, gradient has " + Twine(gradient.getDimSize(0)),
        "both belong to the same batch");
  for (size_t i = 0; i < count; ++i) {
    int64_t actual = gradient.getDimSize(dims.spatial + i);
    if (differ(actual, (*spatial)[i]))
      return emitWithHint(loc,
                          "gradient has the extent " + Twine(actual) + " in spatial dim " + Twine(i) +
                              ", the convolution gives " + Twine((*spatial)[i]),
                          "use the window, strides, pads and dilations of the convolution");
  }
  return success();
}

LogicalResult ConvFilterGradOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor,
                                                 SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  auto gradient = cast<RankedTensorType>(adaptor.getGradient().getType());
  if (failed(checkElements(loc, input, gradient)))
    return failure();
  if (input.getRank() < 3 || input.getRank() > 5 || gradient.getRank() != input.getRank())
    return emitWithHint(
        loc, "filter gradient of data of rank " + Twine(input.getRank()) + " and " + Twine(gradient.getRank()),
        "both have a batch dim, one to three spatial dims and a channel dim");
  DataDims dims(adaptor.getLayout(), input.getRank());
  WindowAttrs attrs{adaptor.getWindow(), adaptor.getStrides(), adaptor.getPads(), adaptor.getDilations()};
  if (failed(checkGradient(loc, input, gradient, dims, attrs)))
    return failure();
  int64_t inputs = input.getDimSize(dims.channel), outputs = gradient.getDimSize(dims.channel);
  int64_t groups = adaptor.getGroups();
  if (failed(checkGroups(loc, groups, outputs)))
    return failure();
  if (!ShapedType::isDynamic(inputs) && inputs % groups != 0)
    return emitWithHint(loc, Twine(inputs) + " input channels do not divide into " + Twine(groups) + " groups",
                        "choose 'groups' so that it divides both channel counts");
  int64_t groupInputs = ShapedType::isDynamic(inputs) ? inputs : inputs / groups;
  SmallVector<int64_t> shape(adaptor.getWindow());
  if (adaptor.getFilterLayout() == FilterLayout::HWIO)
    shape.append({groupInputs, outputs});
  else
    shape.insert(shape.begin(), {outputs, groupInputs});
  types.push_back(RankedTensorType::get(shape, getAccumulatorType(input.getElementType())));
  return success();
}

ConvShape ConvFilterGradOp::getShape() {
  WindowAttrs attrs{getWindow(), getStrides(), getPads(), getDilations()};
  ConvShape shape = makeWindowShape(getInput().getType(), getGradient().getType(), getLayout(), attrs);
  shape.groups = getGroups();
  return shape;
}

int64_t ConvFilterGradOp::getDepth() {
  ConvShape shape = getShape();
  return shape.batch * shape.outPixels();
}
