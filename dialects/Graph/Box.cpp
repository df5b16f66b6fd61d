//===- Box.cpp - slice and pad --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Infer.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc::graph;

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

/// Checks lengths and that the starts come from exactly one place.
static LogicalResult checkSliceOperands(MaybeLoc loc, SliceOp::Adaptor adaptor, int64_t rank) {
  auto starts = adaptor.getStarts();
  if (static_cast<bool>(starts) == static_cast<bool>(adaptor.getOffsets()))
    return emitWithHint(loc, starts ? "slice with both 'starts' and an operand in `at`" : "slice without starts",
                        "give either `starts = [...]` or `at %offsets`");
  if (failed(checkCount(loc, "sizes", adaptor.getSizes(), rank)) ||
      (starts && failed(checkCount(loc, "starts", *starts, rank))) ||
      (adaptor.getStrides() && failed(checkCount(loc, "strides", *adaptor.getStrides(), rank))))
    return failure();
  if (starts)
    return success();
  auto offsets = cast<RankedTensorType>(adaptor.getOffsets().getType());
  if (succeeded(verifyCompatibleShape(offsets.getShape(), ArrayRef<int64_t>{rank})))
    return success();
  return emitWithHint(loc,
                      "offsets of shape " + shapeToString(offsets.getShape()) + " for an input of rank " + Twine(rank),
                      "give a one-dimensional tensor with one offset per dim");
}

/// One dim of a slice; `start` is absent when it is known only at run time.
struct SliceDim {
  int64_t extent, size, stride;
  std::optional<int64_t> start;
};

/// Gives the size, which follows from the rest of the dim if it is -1.
static FailureOr<int64_t> inferSliceDim(MaybeLoc loc, const SliceDim &dim, size_t i) {
  if (dim.stride == 0 || dim.stride < -kMaxTensorBytes || dim.stride > kMaxTensorBytes)
    return emitWithHint(loc, "slice of dim " + Twine(i) + " has stride " + Twine(dim.stride),
                        "use 1 to take every element, -1 to walk backwards");
  if (dim.size < -1 || dim.size > kMaxTensorBytes)
    return emitWithHint(loc, "slice of dim " + Twine(i) + " has size " + Twine(dim.size),
                        "use -1 for the rest of the dim");
  if (dim.start && (*dim.start < 0 || *dim.start > kMaxTensorBytes))
    return emitWithHint(loc, "slice of dim " + Twine(i) + " starts at " + Twine(*dim.start),
                        "count from the first element, which is 0");
  if (dim.size == -1 && !dim.start)
    return emitWithHint(loc, "slice of dim " + Twine(i) + " has size -1, but its start is an operand",
                        "write the size");
  if (dim.size == -1 && dim.stride < 0)
    return *dim.start / -dim.stride + 1;
  if (ShapedType::isDynamic(dim.extent))
    return dim.size == -1 ? ShapedType::kDynamic : dim.size;
  if (dim.size == -1)
    return *dim.start >= dim.extent ? 0 : static_cast<int64_t>(llvm::divideCeil(dim.extent - *dim.start, dim.stride));
  if (dim.size == 0)
    return dim.size;
  int64_t reach;
  bool overflow = llvm::MulOverflow(dim.size - 1, dim.stride, reach);
  int64_t first = dim.start.value_or(dim.stride < 0 && !overflow ? -reach : 0);
  if (overflow || first >= dim.extent || first + reach < 0 || first + reach >= dim.extent)
    return emitWithHint(loc,
                        "slice of dim " + Twine(i) + " takes " + Twine(dim.size) + " elements from " + Twine(first) +
                            " by " + Twine(dim.stride) + ", outside of extent " + Twine(dim.extent),
                        "move the start or take fewer elements");
  return dim.size;
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  if (failed(checkSliceOperands(loc, adaptor, input.getRank())))
    return failure();
  auto starts = adaptor.getStarts(), strides = adaptor.getStrides();
  SmallVector<int64_t> shape;
  for (auto [i, extent] : llvm::enumerate(input.getShape())) {
    SliceDim dim{extent, adaptor.getSizes()[i], strides ? (*strides)[i] : 1, std::nullopt};
    if (starts)
      dim.start = (*starts)[i];
    FailureOr<int64_t> size = inferSliceDim(loc, dim, i);
    if (failed(size))
      return failure();
    shape.push_back(*size);
  }
  types.push_back(RankedTensorType::get(shape, input.getElementType()));
  return success();
}

AffineMap SliceOp::getIndexingMap(unsigned number) {
  if (number != 0 || !getStarts())
    return {};
  SmallVector<AffineExpr> exprs;
  for (auto [i, start] : llvm::enumerate(*getStarts())) {
    int64_t stride = getStrides() ? (*getStrides())[i] : 1;
    exprs.push_back(getAffineDimExpr(i, getContext()) * stride + start);
  }
  return AffineMap::get(exprs.size(), 0, exprs, getContext());
}

//===----------------------------------------------------------------------===//
// Pad
//===----------------------------------------------------------------------===//

/// Checks one dim of a pad and gives the padded extent.
static FailureOr<int64_t> inferPadDim(MaybeLoc loc, PadMode mode, int64_t extent, int64_t low, int64_t high, size_t i) {
  for (int64_t amount : {low, high})
    if (amount < -kMaxTensorBytes || amount > kMaxTensorBytes)
      return emitWithHint(loc, "pad of dim " + Twine(i) + " by " + Twine(amount), "use amounts below 2^40");
  if (ShapedType::isDynamic(extent))
    return ShapedType::kDynamic;
  int64_t kept = extent + std::min<int64_t>(low, 0) + std::min<int64_t>(high, 0);
  if (kept < 0)
    return emitWithHint(loc, "pad of dim " + Twine(i) + " crops more than its extent of " + Twine(extent),
                        "crop less; negative amounts remove elements");
  int64_t most = std::max(low, high);
  int64_t limit = mode == PadMode::Reflect ? extent - 1 : extent;
  if (most > 0 && mode != PadMode::Constant && (mode == PadMode::Edge ? extent == 0 : most > limit))
    return emitWithHint(loc,
                        "mode '" + stringifyPadMode(mode) + "' cannot pad extent " + Twine(extent) + " of dim " +
                            Twine(i) + " by " + Twine(most),
                        "use mode 'constant', or pad by at most " + Twine(std::max<int64_t>(limit, 0)));
  return extent + low + high;
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  auto value = cast<RankedTensorType>(adaptor.getValue().getType());
  if (failed(checkCount(loc, "low", adaptor.getLow(), input.getRank())) ||
      failed(checkCount(loc, "high", adaptor.getHigh(), input.getRank())))
    return failure();
  if (value.getRank() != 0 || value.getElementType() != input.getElementType())
    return emitWithHint(loc, "padding value is not a scalar of the input's element type",
                        "make it a constant such as hgc.constant dense<0.0> : tensor<f32>");
  SmallVector<int64_t> shape;
  for (auto [i, extent] : llvm::enumerate(input.getShape())) {
    FailureOr<int64_t> padded =
        inferPadDim(loc, adaptor.getMode(), extent, adaptor.getLow()[i], adaptor.getHigh()[i], i);
    if (failed(padded))
      return failure();
    shape.push_back(*padded);
  }
  types.push_back(RankedTensorType::get(shape, input.getElementType()));
  return success();
}
