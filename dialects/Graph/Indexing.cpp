//===- Indexing.cpp - elements read and written by index ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Infer.h"

using namespace mlir;
using namespace hgc::graph;

/// Fails when there are indices, but nothing they could point to.
static LogicalResult checkPickable(MaybeLoc loc, StringRef what, RankedTensorType input, int64_t axis,
                                   RankedTensorType indices) {
  if (input.getDimSize(axis) != 0 || countElements(indices.getShape()) == 0)
    return success();
  return emitWithHint(loc, what + " along axis " + Twine(axis) + ", which has no elements",
                      "an index needs at least one element to pick");
}

/// Shape of `hgc.gather`: whole slices in the place of dim `axis`.
static FailureOr<SmallVector<int64_t>> inferSlices(RankedTensorType input, RankedTensorType indices, int64_t axis) {
  SmallVector<int64_t> shape(input.getShape().take_front(axis));
  llvm::append_range(shape, indices.getShape());
  llvm::append_range(shape, input.getShape().drop_front(axis + 1));
  return shape;
}

/// Shape of `hgc.gather_along`: that of the indices, which differ from the input
/// along `axis` only.
static FailureOr<SmallVector<int64_t>> inferAlong(MaybeLoc loc, RankedTensorType input, RankedTensorType indices,
                                                  int64_t axis) {
  SmallVector<int64_t> expected(input.getShape());
  if (indices.getRank() == input.getRank())
    expected[axis] = indices.getDimSize(axis);
  if (failed(verifyCompatibleShape(indices.getShape(), expected)))
    return emitWithHint(loc,
                        "indices of shape " + shapeToString(indices.getShape()) + " for an input of shape " +
                            shapeToString(input.getShape()),
                        "indices have the input's extents in all dims but 'axis'");
  // What one of them leaves open the other may know.
  for (auto [extent, known] : llvm::zip(expected, indices.getShape()))
    extent = ShapedType::isDynamic(extent) ? known : extent;
  return expected;
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  auto indices = cast<RankedTensorType>(adaptor.getIndices().getType());
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxis(loc, axis, input.getRank())) || failed(checkPickable(loc, "gather", input, axis, indices)))
    return failure();
  types.push_back(RankedTensorType::get(*inferSlices(input, indices, axis), input.getElementType()));
  return success();
}

AffineMap GatherOp::getIndexingMap(unsigned number) {
  if (number == 0)
    return {};
  SmallVector<AffineExpr> exprs;
  for (int64_t i = 0; i < getIndices().getType().getRank(); ++i)
    exprs.push_back(getAffineDimExpr(getAxis() + i, getContext()));
  return AffineMap::get(getType().getRank(), 0, exprs, getContext());
}

LogicalResult GatherAlongOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  auto indices = cast<RankedTensorType>(adaptor.getIndices().getType());
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxis(loc, axis, input.getRank())) || failed(checkPickable(loc, "gather_along", input, axis, indices)))
    return failure();
  FailureOr<SmallVector<int64_t>> shape = inferAlong(loc, input, indices, axis);
  if (failed(shape))
    return failure();
  types.push_back(RankedTensorType::get(*shape, input.getElementType()));
  return success();
}

AffineMap GatherAlongOp::getIndexingMap(unsigned number) {
  if (number == 0)
    return {};
  return AffineMap::getMultiDimIdentityMap(getType().getRank(), getContext());
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

LogicalResult ScatterOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  auto indices = cast<RankedTensorType>(adaptor.getIndices().getType());
  auto updates = cast<RankedTensorType>(adaptor.getUpdates().getType());
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxis(loc, axis, input.getRank())) || failed(checkPickable(loc, "scatter", input, axis, indices)) ||
      failed(checkElements(loc, input, updates)))
    return failure();
  FailureOr<SmallVector<int64_t>> shape =
      adaptor.getSlices() ? inferSlices(input, indices, axis) : inferAlong(loc, input, indices, axis);
  if (failed(shape))
    return failure();
  if (failed(verifyCompatibleShape(updates.getShape(), *shape)))
    return emitWithHint(loc,
                        "updates of shape " + shapeToString(updates.getShape()) + ", expected " + shapeToString(*shape),
                        "updates have the shape that the indices pick of the input; check 'axis' and 'slices'");
  types.push_back(input);
  return success();
}

LogicalResult ScatterOp::verify() {
  Type element = getInput().getType().getElementType();
  if (getKind() == ScatterKind::Set || !element.isInteger(1))
    return success();
  return emitWithHint(getLoc(), "scatter '" + stringifyScatterKind(getKind()) + "' of elements of type i1",
                      "use 'set', or convert the operands with hgc.cast");
}

OpFoldResult ScatterOp::fold(FoldAdaptor) {
  if (countElements(getUpdates().getType().getShape()) == 0 && getInput().getType() == getType())
    return getInput();
  return {};
}
