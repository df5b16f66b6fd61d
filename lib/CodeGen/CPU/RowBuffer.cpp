//===- RowBuffer.cpp - values between two passes over a row ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ReductionNest.h"
#include "hgc/CodeGen/CPU/StreamedStores.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace hgc::cpu {

/// Whether the output buffer holds values of the compute type of `element`.
static bool fitsOutput(exec::KernelOp kernel, Type compute) {
  auto output = cast<RankedTensorType>(getStore(kernel).getValue().getType());
  return output.getElementType() == compute;
}

static Type getCompute(Value input) {
  return graph::getComputeType(cast<RankedTensorType>(input.getType()).getElementType());
}

int64_t RowBuffer::scratchBytes(exec::KernelOp kernel, const ReductionPlan &plan, Value input, bool freesOutput) {
  Type compute = getCompute(input);
  if (!freesOutput && fitsOutput(kernel, compute))
    return 0;
  return plan.count * (plan.isRow ? 1 : plan.lanes) * graph::getElementBytes(compute);
}

RowBuffer::RowBuffer(KernelContext &context, const ReductionPlan &plan, Value input, bool freesOutput)
    : context(context), plan(plan), type(cast<RankedTensorType>(input.getType())), element(getCompute(input)),
      isOutput(!freesOutput && fitsOutput(context.kernel, element)) {
  if (isOutput) {
    buffer = context.buffers.lookup(getStore(context.kernel).getBuffer());
    return;
  }
  IndexBuilder b(context.builder, context.loc);
  int64_t elements = plan.count * (plan.isRow ? 1 : plan.lanes);
  auto flat = MemRefType::get({elements}, graph::getStorageType(element));
  buffer = memref::ViewOp::create(context.builder, context.loc, flat, context.scratch, b.constant(0), ValueRange{});
}

LaneIndex RowBuffer::offset(const ReductionPoint &point, ElementEmitter &emitter) {
  if (isOutput)
    return emitter.flatten(point.index, type.getShape());
  IndexBuilder b(context.builder, context.loc);
  Value base = plan.isRow ? point.position : b.mul(point.position, plan.lanes);
  if (point.lane)
    base = b.add(base, point.lane);
  return {base, point.lanes == 1 ? 0 : 1};
}

Value RowBuffer::load(const ReductionPoint &point) {
  ElementEmitter emitter(context, point.lanes);
  return emitter.load(buffer, offset(point, emitter), element);
}

void RowBuffer::store(const ReductionPoint &point, Value value) {
  ElementEmitter emitter(context, point.lanes);
  emitter.limitStores(point.fresh);
  emitter.store(value, buffer, offset(point, emitter), element);
}

/// Bytes of a cache line.
static constexpr int64_t kLine = 64;

void ReductionNest::prefetch(const ReductionPoint &point, RankedTensorType type, Value buffer, int64_t ahead,
                             bool isWrite) {
  bool isLine = plan.isRow && plan.reduced.size() == 1;
  if (!isLine || graph::getTensorBytes(type) <= context.target.l2Bytes)
    return;
  // A row that starts within a line ends within one more: all fetch a line further.
  int64_t line = kLine / graph::getElementBytes(type.getElementType());
  LaneIndex at = ElementEmitter(context, point.lanes).flatten(point.index, type.getShape());
  Value next = b.min(b.add(at.base, ahead + line), b.constant(type.getNumElements() - point.lanes));
  for (int64_t lane = 0; lane < point.lanes; lane += line)
    memref::PrefetchOp::create(context.builder, context.loc, buffer, b.add(next, lane), isWrite, /*localityHint=*/3,
                               /*isDataCache=*/true);
}

void ReductionNest::prefetchNextRow(const ReductionPoint &point, Value input, int64_t mostLines) {
  auto load = input.getDefiningOp<exec::LoadOp>();
  if (!load)
    return;
  int64_t bytes = graph::getElementBytes(getElementTypeOrSelf(input.getType()));
  int64_t ahead = mostLines ? std::min(plan.count, mostLines * kLine / bytes) : plan.count;
  prefetch(point, cast<RankedTensorType>(input.getType()), context.buffers.lookup(load.getBuffer()), ahead,
           /*isWrite=*/false);
}

void ReductionNest::prefetchResult(const ReductionPoint &point) {
  if (plan.streamsStores(context.kernel, context.target))
    return;
  exec::StoreOp store = getStore(context.kernel);
  prefetch(point, cast<RankedTensorType>(store.getValue().getType()), context.buffers.lookup(store.getBuffer()),
           /*ahead=*/0, /*isWrite=*/true);
}

void ReductionNest::storeResult(const ReductionPoint &point, ElementEmitter &emitter) {
  if (point.isStreamed)
    emitter.streamStores(getStreamAlignment(context.kernel, point.lanes));
  emitter.storeResult(point.index);
}

} // namespace hgc::cpu
