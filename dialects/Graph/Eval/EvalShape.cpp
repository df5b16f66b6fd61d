//===- EvalShape.cpp - creation and movement of whole tensors -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/EvalModels.h"
#include "dialects/Graph/Infer.h"

#include <cstring>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

HostTensor hgc::graph::transpose(const HostTensor &tensor, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> shape, strides, own = tensor.getStrides();
  for (int64_t dim : permutation) {
    shape.push_back(tensor.getDim(dim));
    strides.push_back(own[dim]);
  }
  return tensor.gatherStrided(shape, strides);
}

static LogicalResult evalConstant(ConstantOp op, Operands, EvalContext &context, Results &results) {
  llvm::Expected<HostTensor> value = HostTensor::fromAttr(op.getValue());
  if (!value)
    return context.error(op, llvm::toString(value.takeError()), "give the constant its data");
  results.push_back(std::move(*value));
  return success();
}

static LogicalResult evalIota(IotaOp op, Operands, EvalContext &context, Results &results) {
  FailureOr<SmallVector<int64_t>> shape = context.resolveShape(op, op.getShape(), std::nullopt);
  if (failed(shape))
    return failure();
  std::vector<int64_t> line((*shape)[op.getAxis()]);
  for (size_t i = 0; i < line.size(); ++i)
    line[i] = i;
  HostTensor counts = HostTensor::fromInts(op.getElement(), {static_cast<int64_t>(line.size())}, line);
  SmallVector<int64_t> strides(shape->size(), 0);
  strides[op.getAxis()] = 1;
  results.push_back(counts.gatherStrided(*shape, strides));
  return success();
}

static LogicalResult evalReshape(ReshapeOp op, Operands operands, EvalContext &context, Results &results) {
  FailureOr<SmallVector<int64_t>> shape = context.resolveShape(op, op.getShape(), operands[0].getNumElements());
  if (failed(shape))
    return failure();
  results.push_back(operands[0].reshape(*shape));
  return success();
}

static LogicalResult evalTranspose(TransposeOp op, Operands operands, EvalContext &, Results &results) {
  results.push_back(transpose(operands[0], op.getPermutation()));
  return success();
}

static LogicalResult evalBroadcast(BroadcastOp op, Operands operands, EvalContext &context, Results &results) {
  FailureOr<SmallVector<int64_t>> shape = context.resolveShape(op, op.getShape(), std::nullopt);
  if (failed(shape))
    return failure();
  SmallVector<int64_t> common(*shape);
  if (failed(broadcastShapes(context.getReportLoc(op), common, operands[0].getShape())))
    return failure();
  if (common != *shape)
    return context.error(
        op, "repeats shape " + shapeToString(operands[0].getShape()) + " to the smaller " + shapeToString(*shape),
        "a broadcast only enlarges; slice or reduce the input instead");
  results.push_back(broadcastTo(operands[0], *shape));
  return success();
}

static LogicalResult evalConcat(ConcatOp op, Operands operands, EvalContext &context, Results &results) {
  int64_t axis = op.getAxis();
  SmallVector<int64_t> shape(operands[0].getShape());
  shape[axis] = 0;
  for (const HostTensor &operand : operands) {
    SmallVector<int64_t> other(operand.getShape());
    other[axis] = shape[axis];
    if (other != shape)
      return context.error(
          op, "joins shapes " + shapeToString(operands[0].getShape()) + " and " + shapeToString(operand.getShape()),
          "all extents but those of 'axis' must agree");
    shape[axis] += operand.getDim(axis);
  }
  HostTensor result(operands[0].getElementType(), shape);
  char *out = result.mutableData();
  int64_t rows = *hgc::countElements(ArrayRef<int64_t>(shape).take_front(axis));
  for (int64_t row = 0; row < rows; ++row)
    for (const HostTensor &operand : operands) {
      int64_t bytes = operand.getNumBytes() / rows;
      std::memcpy(out, operand.data() + row * bytes, bytes);
      out += bytes;
    }
  results.push_back(result);
  return success();
}

void hgc::graph::attachShapeModels(MLIRContext *context) {
  attach<ConstantOp, evalConstant>(context);
  attach<IotaOp, evalIota>(context);
  attach<ReshapeOp, evalReshape>(context);
  attach<TransposeOp, evalTranspose>(context);
  attach<BroadcastOp, evalBroadcast>(context);
  attach<ConcatOp, evalConcat>(context);
}
