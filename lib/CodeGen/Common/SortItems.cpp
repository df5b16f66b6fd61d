//===- SortItems.cpp - what a sort moves about ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/SortItems.h"

#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace hgc::codegen {

SortItems::SortItems(graph::ArgSortOp op) : input(op.getInput()), result(op.getResult()), axis(op.getAxis()) {
  auto type = cast<RankedTensorType>(input.getType());
  length = type.getDimSize(axis);
  kept = cast<RankedTensorType>(result.getType()).getDimSize(axis);
  outer.assign(type.getShape().begin(), type.getShape().end());
  outer[axis] = 1;
  for (int64_t extent : outer)
    lines *= extent;
  key = {type.getElementType(), op.getDescending(), !op.getDescending()};
  isJoined = key.getType().getWidth() == 32 && length < (int64_t(1) << 31);
}

SortItem SortItems::build(EmitContext &context, SmallVectorImpl<LaneIndex> &index, Value position) const {
  OpBuilder &b = context.builder;
  Location loc = context.loc;
  index[axis] = position;
  Value order = key.build(b, loc, ElementEmitter(context, 1).eval(input, index));
  Type i64 = b.getI64Type();
  Value number = arith::IndexCastOp::create(b, loc, i64, position);
  if (order.getType() != i64)
    order = arith::ExtSIOp::create(b, loc, i64, order);
  if (!isJoined)
    return {order, number};
  Value high = arith::ShLIOp::create(b, loc, order, createConstant(b, loc, i64, 32));
  return {arith::OrIOp::create(b, loc, high, number)};
}

SortItem SortItems::buildLast(EmitContext &context, Value position) const {
  OpBuilder &b = context.builder;
  Value most = arith::ConstantOp::create(b, context.loc, b.getI64IntegerAttr(INT64_MAX));
  if (isJoined)
    return {most};
  return {most, arith::IndexCastOp::create(b, context.loc, b.getI64Type(), position)};
}

Value SortItems::lessKey(EmitContext &context, const SortItem &a, const SortItem &b) const {
  return arith::CmpIOp::create(context.builder, context.loc, arith::CmpIPredicate::slt, a[0], b[0]);
}

Value SortItems::less(EmitContext &context, const SortItem &a, const SortItem &b) const {
  Value isLess = lessKey(context, a, b);
  if (isJoined)
    return isLess;
  OpBuilder &builder = context.builder;
  Value isEqual = arith::CmpIOp::create(builder, context.loc, arith::CmpIPredicate::eq, a[0], b[0]);
  Value isEarlier = arith::CmpIOp::create(builder, context.loc, arith::CmpIPredicate::slt, a[1], b[1]);
  Value wins = arith::AndIOp::create(builder, context.loc, isEqual, isEarlier);
  return arith::OrIOp::create(builder, context.loc, isLess, wins);
}

void SortItems::write(EmitContext &context, SmallVectorImpl<LaneIndex> &index, Value number,
                      const SortItem &item) const {
  OpBuilder &b = context.builder;
  Value position = item.back();
  if (isJoined) {
    Value mask = createConstant(b, context.loc, position.getType(), 0xffffffffu);
    position = arith::AndIOp::create(b, context.loc, position, mask);
  }
  index[axis] = number;
  ElementEmitter emitter(context, 1);
  emitter.bind(result, position);
  emitter.storeResult(index);
}

SortItem SortItems::load(EmitContext &context, ValueRange arrays, Value at) {
  SortItem item;
  for (Value array : arrays)
    item.push_back(memref::LoadOp::create(context.builder, context.loc, array, at));
  return item;
}

void SortItems::store(EmitContext &context, ValueRange arrays, Value at, const SortItem &item) {
  for (auto [value, array] : llvm::zip_equal(item, arrays))
    memref::StoreOp::create(context.builder, context.loc, value, array, at);
}

} // namespace hgc::codegen
