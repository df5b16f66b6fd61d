//===- Ordering.cpp - positions of extremes, sorting ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Infer.h"

using namespace mlir;
using namespace hgc::graph;

static Type getPositionType(ArrayRef<int64_t> shape, MLIRContext *context) {
  return RankedTensorType::get(shape, IntegerType::get(context, 64));
}

LogicalResult ArgReduceOp::inferReturnTypes(MLIRContext *context, MaybeLoc loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxis(loc, axis, input.getRank())))
    return failure();
  SmallVector<int64_t> shape(input.getShape());
  if (adaptor.getKeepdims())
    shape[axis] = 1;
  else
    shape.erase(shape.begin() + axis);
  if (input.getDimSize(axis) == 0 && countElements(shape) != 0)
    return emitWithHint(loc, "extreme along axis " + Twine(axis) + ", which has no elements",
                        "give the input at least one element along 'axis'");
  types.push_back(getPositionType(shape, context));
  return success();
}

LogicalResult ArgSortOp::inferReturnTypes(MLIRContext *context, MaybeLoc loc, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxis(loc, axis, input.getRank())))
    return failure();
  SmallVector<int64_t> shape(input.getShape());
  if (std::optional<uint64_t> k = adaptor.getK()) {
    auto count = static_cast<int64_t>(*k);
    int64_t extent = shape[axis];
    if (count < 0 || count > (ShapedType::isDynamic(extent) ? kMaxTensorBytes : extent))
      return emitWithHint(
          loc, "'k' is " + Twine(count) + ", but dim " + Twine(axis) + " has extent " + shapeToString(extent),
          "use a 'k' from 0 to the extent of dim 'axis'");
    shape[axis] = count;
  }
  types.push_back(getPositionType(shape, context));
  return success();
}
