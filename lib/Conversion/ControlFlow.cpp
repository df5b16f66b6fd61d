//===- ControlFlow.cpp - branches and loops of a program ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop keeps each carried value in one buffer: the state. An iteration reads
// the old states and leaves the new ones there, as if all were assigned at
// once. A kernel may write a state early only when nobody reads it any more.
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

using namespace mlir;
using namespace hgc;

/// Whether nothing reads `value` (or a view of it) at or after `op` in `block`.
static bool isDeadAt(Value value, Operation *op, Block &block) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    Operation *ancestor = block.findAncestorOpInBlock(*user);
    if (!ancestor || ancestor == op || !ancestor->isBeforeInBlock(op))
      return false;
    auto reshape = dyn_cast<graph::ReshapeOp>(user);
    return !reshape || isDeadAt(reshape.getResult(), op, block);
  });
}

LogicalResult ProgramBuilder::lowerInto(Block &block, ValueRange targets) {
  Operation *end = block.getTerminator();
  for (auto [value, target] : llvm::zip_equal(end->getOperands(), targets))
    request(value, target, block);
  if (failed(lowerBlock(block)))
    return failure();
  for (auto [value, target] : llvm::zip_equal(end->getOperands(), targets))
    copy(getBuffer(value), target, end->getLoc());
  return success();
}

LogicalResult ProgramBuilder::lowerBody(Block &block, ValueRange states, ValueRange stacked) {
  Operation *end = block.getTerminator();
  OperandRange nextStates = end->getOperands().take_front(states.size());
  OperandRange slices = end->getOperands().drop_front(states.size());
  for (auto [value, slice] : llvm::zip_equal(slices, stacked))
    request(value, slice, block);
  for (auto [value, state, argument] : llvm::zip(nextStates, states, block.getArguments()))
    if (Operation *producer = findProducer(value))
      if (producer->getBlock() == &block && isDeadAt(argument, producer, block))
        request(value, state, block);
  if (failed(lowerBlock(block)))
    return failure();

  // Slices first: they may be old states.
  for (auto [value, slice] : llvm::zip_equal(slices, stacked))
    copy(getBuffer(value), slice, end->getLoc());
  SmallVector<Move> moves;
  for (auto [value, state] : llvm::zip_equal(nextStates, states))
    moves.push_back({getBuffer(value), state});
  copyInParallel(std::move(moves), end->getLoc());
  return success();
}

SmallVector<Value> ProgramBuilder::initStates(Operation *op, ValueRange inits) {
  SmallVector<Value> states;
  for (auto [init, result] : llvm::zip(inits, op->getResults())) {
    states.push_back(makeTarget(result, getSpace(op->getAttr(graph::HGCDialect::kDevice))));
    copy(getBuffer(init), states.back(), op->getLoc());
  }
  return states;
}

LogicalResult ProgramBuilder::lowerIf(graph::IfOp op) {
  SmallVector<Value> targets;
  for (OpResult result : op->getResults())
    targets.push_back(makeTarget(result, getSpace(op->getAttr(graph::HGCDialect::kDevice))));
  auto branch = exec::IfOp::create(builder, op.getLoc(), getBuffer(op.getCondition()));
  for (auto [source, target] : llvm::zip_equal(op->getRegions(), branch->getRegions())) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&target.emplaceBlock());
    if (failed(lowerInto(source.front(), targets)))
      return failure();
  }
  return success();
}

LogicalResult ProgramBuilder::lowerWhile(graph::WhileOp op) {
  SmallVector<Value> states = initStates(op, op.getInits());
  Block &before = op.getCondition().front(), &body = op.getBody().front();
  Type flag = before.getTerminator()->getOperand(0).getType();
  Value condition = createView(getBufferType(flag), op.getLoc());
  auto loop = exec::WhileOp::create(builder, op.getLoc(), condition, op.getTripHint());
  for (Block *block : {&before, &body})
    for (auto [argument, state] : llvm::zip_equal(block->getArguments(), states))
      buffers[argument] = state;

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&loop.getBefore().emplaceBlock());
  if (failed(lowerInto(before, condition)))
    return failure();
  builder.setInsertionPointToStart(&loop.getBody().emplaceBlock());
  return lowerBody(body, states, {});
}

/// Every iteration has buffers of its own, so that streams may run ahead.
LogicalResult ProgramBuilder::lowerUnrolled(graph::ScanOp op, ValueRange states, ValueRange stacked) {
  int64_t count = op.getTripCount();
  Block &body = op.getBody().front();
  OperandRange yielded = body.getTerminator()->getOperands().drop_front(states.size());
  for (auto [argument, state] : llvm::zip(body.getArguments(), states))
    buffers[argument] = state;
  for (int64_t i = 0; i < count; ++i) {
    auto slice = [&](Value sequence, Type type) -> Value {
      MemRefType sliceType = getBufferType(type, cast<MemRefType>(sequence.getType()).getMemorySpace());
      int64_t offset = (op.getReverse() ? count - 1 - i : i) * graph::getTensorBytes(sliceType);
      return exec::AliasOp::create(builder, op.getLoc(), sliceType, sequence, builder.getI64IntegerAttr(offset),
                                   /*index=*/Value(), /*stride=*/nullptr);
    };
    // What an iteration was to compute into is not where the next one does.
    body.walk([&](Operation *nested) {
      for (Value result : nested->getResults())
        destinations.erase(result);
    });
    for (auto [argument, sequence] : llvm::zip_equal(body.getArguments().drop_front(states.size()), op.getSequences()))
      buffers[argument] = slice(getBuffer(sequence), argument.getType());
    SmallVector<Value> slices;
    for (auto [buffer, value] : llvm::zip_equal(stacked, yielded))
      slices.push_back(slice(buffer, value.getType()));
    if (failed(lowerBody(body, states, slices)))
      return failure();
  }
  return success();
}

LogicalResult ProgramBuilder::lowerScan(graph::ScanOp op) {
  size_t stateCount = op.getInits().size();
  SmallVector<Value> states = initStates(op, op.getInits()), stacked, slices;
  for (OpResult result : op->getResults().drop_front(stateCount))
    stacked.push_back(makeTarget(result, getSpace(op->getAttr(graph::HGCDialect::kDevice))));
  int64_t count = op.getTripCount();
  // Without iterations the final states are the initial ones, and a slice of an
  // empty sequence does not exist.
  if (count == 0)
    return success();
  if (op->hasAttr("hgc.unroll"))
    return lowerUnrolled(op, states, stacked);

  auto loop = exec::ForOp::create(builder, op.getLoc(), count);
  Block &block = loop.getBody().emplaceBlock(), &body = op.getBody().front();
  Value index = block.addArgument(builder.getIndexType(), op.getLoc());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&block);
  auto slice = [&](Value sequence, Type type) -> Value {
    auto space = cast<MemRefType>(sequence.getType()).getMemorySpace();
    MemRefType sliceType = getBufferType(type, space);
    int64_t stride = graph::getTensorBytes(sliceType);
    int64_t offset = op.getReverse() ? (count - 1) * stride : 0;
    return exec::AliasOp::create(builder, op.getLoc(), sliceType, sequence, builder.getI64IntegerAttr(offset), index,
                                 builder.getI64IntegerAttr(op.getReverse() ? -stride : stride));
  };
  for (auto [argument, state] : llvm::zip(body.getArguments(), states))
    buffers[argument] = state;
  for (auto [argument, sequence] : llvm::zip_equal(body.getArguments().drop_front(stateCount), op.getSequences()))
    buffers[argument] = slice(getBuffer(sequence), argument.getType());
  OperandRange yielded = body.getTerminator()->getOperands().drop_front(stateCount);
  for (auto [buffer, value] : llvm::zip_equal(stacked, yielded))
    slices.push_back(slice(buffer, value.getType()));
  return lowerBody(body, states, slices);
}
