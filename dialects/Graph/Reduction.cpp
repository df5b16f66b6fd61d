//===- Reduction.cpp - windows, reductions, normalisations ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Infer.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc::graph;

//===----------------------------------------------------------------------===//
// Pool
//===----------------------------------------------------------------------===//

LogicalResult PoolOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  if (input.getRank() < 3 || input.getRank() > 5)
    return emitWithHint(loc, "pooling of data of rank " + Twine(input.getRank()) + ", expected 3 to 5",
                        "data has a batch dim, one to three spatial dims and a channel dim");
  DataDims dims(adaptor.getLayout(), input.getRank());
  WindowAttrs attrs{adaptor.getWindow(), adaptor.getStrides(), adaptor.getPads(), adaptor.getDilations()};
  FailureOr<SmallVector<int64_t>> spatial =
      inferWindow(loc, input.getShape().slice(dims.spatial, input.getRank() - 2), attrs);
  if (failed(spatial))
    return failure();
  SmallVector<int64_t> shape(input.getShape());
  llvm::copy(*spatial, shape.begin() + dims.spatial);
  types.push_back(RankedTensorType::get(shape, input.getElementType()));
  return success();
}

/// Whether some window of `dim` (whose input is static) holds padding only.
static bool hasEmptyWindow(const WindowDim &dim) {
  int64_t reach = dim.dilation * (dim.window - 1);
  int64_t last = (dim.input + dim.padLow + dim.padHigh - reach - 1) / dim.stride * dim.stride - dim.padLow;
  if (dim.padLow > reach || last >= dim.input)
    return true;
  if (dim.dilation <= dim.input)
    return false;
  // A dilated window can step over the whole input; its phase repeats after
  // `dilation` windows.
  int64_t starts = std::min(llvm::divideCeil(dim.padLow, dim.stride), static_cast<uint64_t>(dim.dilation));
  for (int64_t i = 0; i < starts; ++i) {
    int64_t first = llvm::mod(i * dim.stride - dim.padLow, dim.dilation);
    if (first >= dim.input)
      return true;
  }
  return false;
}

LogicalResult PoolOp::verify() {
  ConvShape shape = getShape();
  for (auto [i, dim] : llvm::enumerate(ArrayRef(shape.spatial).take_back(shape.rank))) {
    if (ShapedType::isDynamic(dim.input) || !hasEmptyWindow(dim))
      continue;
    InFlightDiagnostic diag = emitOpError() << "has a window of spatial dim " << i << " that lies in the padding";
    diag.attachNote() << "hint: pad by less than the window spans";
    return diag;
  }
  return success();
}

ConvShape PoolOp::getShape() {
  WindowAttrs attrs{getWindow(), getStrides(), getPads(), getDilations()};
  return makeWindowShape(getInput().getType(), getType(), getLayout(), attrs);
}

//===----------------------------------------------------------------------===//
// Reduce
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  ArrayRef<int64_t> axes = adaptor.getAxes();
  for (auto [i, axis] : llvm::enumerate(axes)) {
    if (failed(checkAxis(loc, axis, input.getRank())))
      return failure();
    if (i && axes[i - 1] >= axis)
      return emitWithHint(loc, "axis " + Twine(axis) + " follows axis " + Twine(axes[i - 1]),
                          "list each axis once, in ascending order");
  }
  SmallVector<int64_t> shape;
  for (auto [i, extent] : llvm::enumerate(input.getShape())) {
    if (!llvm::is_contained(axes, static_cast<int64_t>(i)))
      shape.push_back(extent);
    else if (adaptor.getKeepdims())
      shape.push_back(1);
  }
  types.push_back(RankedTensorType::get(shape, input.getElementType()));
  return success();
}

LogicalResult ReduceOp::verify() {
  bool isLogical = getKind() == ReduceKind::Any || getKind() == ReduceKind::All;
  Type element = getInput().getType().getElementType();
  if (isLogical == element.isInteger(1))
    return success();
  InFlightDiagnostic diag = emitOpError()
                            << "'" << stringifyReduceKind(getKind()) << "' of elements of type " << element;
  diag.attachNote() << (isLogical ? "hint: compare the operand with hgc.compare first"
                                  : "hint: reduce i1 with 'any' or 'all', or convert it with hgc.cast");
  return diag;
}

//===----------------------------------------------------------------------===//
// Normalisations
//===----------------------------------------------------------------------===//

LogicalResult SoftmaxOp::verify() { return checkAxis(getLoc(), getAxis(), getType().getRank()); }

LogicalResult LogSoftmaxOp::verify() { return checkAxis(getLoc(), getAxis(), getType().getRank()); }

/// Checks that `operand` of a normalisation has the given shape and the input's
/// element type.
static LogicalResult checkStatistic(MaybeLoc loc, StringRef name, Type operand, ArrayRef<int64_t> shape, Type element) {
  auto type = cast<RankedTensorType>(operand);
  if (type.getElementType() != element) {
    if (!loc)
      return failure();
    InFlightDiagnostic diag = emitError(*loc) << "'" << name << "' has element type " << type.getElementType()
                                              << ", the input has " << element;
    diag.attachNote() << "hint: convert it with hgc.cast";
    return diag;
  }
  if (succeeded(verifyCompatibleShape(type.getShape(), shape)))
    return success();
  return emitWithHint(
      loc, "'" + name + "' has shape " + shapeToString(type.getShape()) + ", expected " + shapeToString(shape),
      "it has the shape of the normalised dims; check 'axis'");
}

LogicalResult LayerNormOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxis(loc, axis, input.getRank())))
    return failure();
  ArrayRef<int64_t> shape = input.getShape().drop_front(axis);
  if (failed(checkStatistic(loc, "scale", adaptor.getScale().getType(), shape, input.getElementType())) ||
      failed(checkStatistic(loc, "bias", adaptor.getBias().getType(), shape, input.getElementType())))
    return failure();
  types.push_back(input);
  return success();
}

LogicalResult BatchNormOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxis(loc, axis, input.getRank())))
    return failure();
  static constexpr StringLiteral kNames[] = {"scale", "bias", "mean", "variance"};
  for (auto [name, value] : llvm::zip(kNames, adaptor.getOperands().drop_front()))
    if (failed(checkStatistic(loc, name, value.getType(), input.getShape().slice(axis, 1), input.getElementType())))
      return failure();
  types.push_back(input);
  return success();
}

/// The variance is never negative, so any epsilon from zero on keeps the root
/// real.
static LogicalResult checkEpsilon(Location loc, APFloat epsilon) {
  if (epsilon.isFinite() && !epsilon.isNegative())
    return success();
  return emitWithHint(loc, "'epsilon' is negative or not finite", "use a small positive value such as 1.0e-05");
}

LogicalResult LayerNormOp::verify() { return checkEpsilon(getLoc(), getEpsilon()); }

LogicalResult BatchNormOp::verify() {
  double momentum = getMomentum().convertToDouble();
  if (momentum >= 0 && momentum <= 1)
    return checkEpsilon(getLoc(), getEpsilon());
  return emitWithHint(getLoc(), "'momentum' is not from 0 to 1", "use a value such as 9.9e-01");
}
