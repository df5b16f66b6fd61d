//===- EmitProgramsGpu.cpp - actions of GPU programs as LLVM ops ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host puts work on streams through the runtime; a call that fails ends the
// program with its status.
//===----------------------------------------------------------------------===//

#include "EmitProgramsBody.h"

#include "runtime/include/hgc_rt_gpu_abi.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

Value ProgramEmitter::gpuNumber(std::optional<unsigned> gpu) {
  return constant(gpu ? static_cast<int64_t>(*gpu) : HGC_RT_HOST, 32);
}

void ProgramEmitter::returnIfFailed(Value status) {
  Block *failure = addBlock(), *next = addBlock();
  Value failed = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, status, constant(HGC_RT_OK, 32));
  LLVM::CondBrOp::create(builder, loc, failed, failure, next);
  builder.setInsertionPointToEnd(failure);
  LLVM::ReturnOp::create(builder, loc, status);
  builder.setInsertionPointToEnd(next);
}

void ProgramEmitter::callGpu(StringRef name, int64_t stream, ArrayRef<Value> arguments) {
  SmallVector<Value> operands = {context, constant(stream / exec::kStreamsPerGpu, 32),
                                 constant(stream % exec::kStreamsPerGpu, 32)};
  llvm::append_range(operands, arguments);
  returnIfFailed(call(name, builder.getI32Type(), operands));
}

Value ProgramEmitter::loadGpuBase(unsigned gpu, size_t field) {
  int64_t place = static_cast<int64_t>(gpu * sizeof(hgc_rt_gpu_bases) + field);
  return LLVM::LoadOp::create(builder, loc, constants.pointerType(), advance(loadContext(kGpus), place));
}

void ProgramEmitter::emitGpuView(exec::ViewOp op, unsigned gpu) {
  if (!op.getSlot()) {
    values.map(op.getResult(), advance(loadGpuBase(gpu, offsetof(hgc_rt_gpu_bases, arena)), *op.getOffset()));
    return;
  }
  Value buffer =
      call("hgc_rt_gpu_guarded", constants.pointerType(), {context, gpuNumber(gpu), constant(*op.getSlot())});
  Value null = LLVM::ZeroOp::create(builder, loc, constants.pointerType());
  Value isNull = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, buffer, null);
  Value status =
      LLVM::SelectOp::create(builder, loc, isNull, constant(HGC_RT_DEVICE_FAILED, 32), constant(HGC_RT_OK, 32));
  returnIfFailed(status);
  values.map(op.getResult(), buffer);
}

void ProgramEmitter::emitGpuWeight(exec::WeightOp op, exec::BlobOp blob, unsigned gpu) {
  size_t field = blob.getIsMutable() ? offsetof(hgc_rt_gpu_bases, state) : offsetof(hgc_rt_gpu_bases, weights);
  Attribute space = cast<MemRefType>(op.getType()).getMemorySpace();
  values.map(op.getResult(), advance(loadGpuBase(gpu, field), *blob.getOffsetIn(space)));
}

void ProgramEmitter::emitGpuLaunch(exec::LaunchOp op) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<exec::KernelOp>(op, op.getKernelAttr());
  // Nothing to compute has no code.
  if (cast<MemRefType>(op.getOutputs().front().getType()).getNumElements() == 0)
    return;
  storeArguments(op.getOperands());
  int64_t count = op.getNumOperands() + (kernel.getScratchBytes().value_or(0) > 0);
  Value desc = LLVM::AddressOfOp::create(builder, loc, constants.pointerType(), kernelDescs.lookup(op.getKernel()));
  callGpu("hgc_rt_gpu_launch", op.getStream(), {desc, argumentArray, constant(count)});
}

void ProgramEmitter::emitGpuCopy(exec::CopyOp op) {
  int64_t bytes = graph::getTensorBytes(cast<ShapedType>(op.getSource().getType()));
  if (bytes == 0)
    return;
  Type source = op.getSource().getType(), target = op.getTarget().getType();
  callGpu("hgc_rt_gpu_copy", op.getStream(),
          {values.lookup(op.getTarget()), gpuNumber(exec::getGpu(target)), values.lookup(op.getSource()),
           gpuNumber(exec::getGpu(source)), constant(bytes)});
}

void ProgramEmitter::emitGpuFill(exec::FillOp op, Value pattern) {
  auto type = cast<MemRefType>(op.getTarget().getType());
  if (type.getNumElements() == 0)
    return;
  callGpu("hgc_rt_gpu_fill", op.getStream(),
          {values.lookup(op.getTarget()), pattern, constant(graph::getElementBytes(type.getElementType())),
           constant(type.getNumElements())});
}

LogicalResult ProgramEmitter::emitOrder(Operation *op) {
  // Outside the GPU plan the host finishes each action before the next one.
  if (!program.isInGpuPlan())
    return success();
  if (auto record = dyn_cast<exec::RecordOp>(op)) {
    callGpu("hgc_rt_gpu_record", record.getStream(), constant(record.getEvent(), 32));
    return success();
  }
  if (auto sync = dyn_cast<exec::SyncOp>(op)) {
    callGpu("hgc_rt_gpu_sync", sync.getStream(), {});
    return success();
  }
  auto wait = cast<exec::WaitOp>(op);
  std::optional<int64_t> owner;
  program.walk([&](exec::RecordOp record) {
    if (record.getEvent() == wait.getEvent())
      owner = record.getStream() / exec::kStreamsPerGpu;
  });
  if (!owner) {
    InFlightDiagnostic diag = op->emitOpError() << "waits for event " << wait.getEvent() << ", which nothing records";
    diag.attachNote() << "hint: run hgc-assign-streams, or add exec.record before it";
    return diag;
  }
  callGpu("hgc_rt_gpu_wait", wait.getStream(), {constant(*owner, 32), constant(wait.getEvent(), 32)});
  return success();
}
