//===- Shape.cpp - creation and data movement -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Infer.h"

using namespace mlir;
using namespace hgc::graph;

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto type = dyn_cast<RankedTensorType>(adaptor.getValue().getType());
  if (!type)
    return emitWithHint(loc, "constant is not a ranked tensor", "write its type as in dense<0.0> : tensor<4xf32>");
  types.push_back(type);
  return success();
}

LogicalResult IotaOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  FailureOr<SmallVector<int64_t>> shape = resolveShape(loc, adaptor.getShape(), std::nullopt);
  if (failed(shape) || failed(checkAxis(loc, adaptor.getAxis(), shape->size())))
    return failure();
  if (!adaptor.getElement().isIntOrFloat())
    return emitWithHint(loc, "iota of a type that is no number", "name an element type such as i32 after `of`");
  types.push_back(RankedTensorType::get(*shape, adaptor.getElement()));
  return success();
}

//===----------------------------------------------------------------------===//
// Reshape, transpose, broadcast
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  int64_t elements = countElements(input.getShape());
  FailureOr<SmallVector<int64_t>> shape = resolveShape(loc, adaptor.getShape(), elements);
  if (failed(shape))
    return failure();
  int64_t count = countElements(*shape);
  if (!ShapedType::isDynamic(count) && !ShapedType::isDynamic(elements) && count != elements)
    return emitWithHint(loc,
                        "input of shape " + shapeToString(input.getShape()) + " has " + Twine(elements) +
                            " elements, shape " + shapeToString(*shape) + " has " + Twine(count),
                        "both must be equal; one extent may be -1 and follows from the others");
  types.push_back(RankedTensorType::get(*shape, input.getElementType()));
  return success();
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  if (failed(checkCount(loc, "permutation", permutation, input.getRank())))
    return failure();
  SmallVector<bool> seen(permutation.size());
  SmallVector<int64_t> shape;
  for (int64_t axis : permutation) {
    if (failed(checkAxis(loc, axis, input.getRank())))
      return failure();
    if (std::exchange(seen[axis], true))
      return emitWithHint(loc, "'permutation' names axis " + Twine(axis) + " twice", "name each axis exactly once");
    shape.push_back(input.getDimSize(axis));
  }
  types.push_back(RankedTensorType::get(shape, input.getElementType()));
  return success();
}

AffineMap TransposeOp::getIndexingMap(unsigned) {
  SmallVector<AffineExpr> exprs(getPermutation().size());
  for (auto [i, axis] : llvm::enumerate(getPermutation()))
    exprs[axis] = getAffineDimExpr(i, getContext());
  return AffineMap::get(exprs.size(), 0, exprs, getContext());
}

LogicalResult BroadcastOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  FailureOr<SmallVector<int64_t>> shape = resolveShape(loc, adaptor.getShape(), std::nullopt);
  if (failed(shape))
    return failure();
  ArrayRef<int64_t> from = input.getShape();
  bool fits = from.size() <= shape->size();
  for (size_t i = 0; fits && i < from.size(); ++i) {
    int64_t to = (*shape)[shape->size() - from.size() + i];
    fits = from[i] == 1 || from[i] == to || ShapedType::isDynamic(from[i]) || ShapedType::isDynamic(to);
  }
  if (!fits)
    return emitWithHint(loc, "shape " + shapeToString(from) + " does not broadcast to " + shapeToString(*shape),
                        "each extent must equal the last extents of 'shape' or be 1");
  types.push_back(RankedTensorType::get(*shape, input.getElementType()));
  return success();
}

//===----------------------------------------------------------------------===//
// Concat
//===----------------------------------------------------------------------===//

/// Joins `next` to `shape` along `axis`.
static LogicalResult joinShapes(MaybeLoc loc, MutableArrayRef<int64_t> shape, ArrayRef<int64_t> next, int64_t axis,
                                size_t number) {
  if (next.size() != shape.size())
    return emitWithHint(
        loc, "input " + Twine(number) + " has rank " + Twine(next.size()) + ", input 0 has rank " + Twine(shape.size()),
        "reshape the inputs to the same rank");
  for (auto [i, extent] : llvm::enumerate(next)) {
    int64_t &out = shape[i];
    if (static_cast<int64_t>(i) == axis) {
      bool isDynamic = ShapedType::isDynamic(out) || ShapedType::isDynamic(extent);
      if (isDynamic || llvm::AddOverflow(out, extent, out))
        out = isDynamic ? ShapedType::kDynamic : std::numeric_limits<int64_t>::max();
    } else if (ShapedType::isDynamic(out)) {
      out = extent;
    } else if (!ShapedType::isDynamic(extent) && extent != out) {
      return emitWithHint(loc,
                          "input " + Twine(number) + " has extent " + Twine(extent) + " in dim " + Twine(i) +
                              ", expected " + Twine(out),
                          "inputs may differ along 'axis' only");
    }
  }
  return success();
}

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  if (adaptor.getInputs().empty())
    return emitWithHint(loc, "concat of no inputs", "give at least one input");
  auto first = cast<RankedTensorType>(adaptor.getInputs().front().getType());
  if (failed(checkAxis(loc, adaptor.getAxis(), first.getRank())))
    return failure();
  SmallVector<int64_t> shape(first.getShape());
  for (auto [i, input] : llvm::enumerate(adaptor.getInputs().drop_front())) {
    auto type = cast<RankedTensorType>(input.getType());
    if (type.getElementType() != first.getElementType()) {
      if (!loc)
        return failure();
      InFlightDiagnostic diag = mlir::emitError(*loc)
                                << "input " << i + 1 << " has element type " << type.getElementType()
                                << ", input 0 has " << first.getElementType();
      diag.attachNote() << "hint: convert one of them with hgc.cast";
      return diag;
    }
    if (failed(joinShapes(loc, shape, type.getShape(), adaptor.getAxis(), i + 1)))
      return failure();
  }
  types.push_back(RankedTensorType::get(shape, first.getElementType()));
  return success();
}
