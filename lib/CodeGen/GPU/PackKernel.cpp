//===- PackKernel.cpp - panels of a matrix, written on a GPU --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/CodeGen/Common/Packing.h"
#include "hgc/CodeGen/GPU/Emitters.h"
#include "hgc/CodeGen/GPU/PointSpace.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

static constexpr int64_t kBlock = 256;

namespace {
struct PackEmitter final : KernelEmitter {
  FailureOr<KernelPlan> plan(exec::KernelOp kernel, const GpuTable &) const override {
    auto op = cast<graph::PackOp>(getRoot(kernel));
    if (failed(verifyRootOperands(op)))
      return failure();
    if (getStore(kernel).getValue() != op.getResult()) {
      InFlightDiagnostic diag = op.emitOpError("is followed by other ops in its kernel, expected none");
      diag.attachNote() << "hint: give them a kernel of their own";
      return diag;
    }
    if (op.getInterleave() != 1) {
      InFlightDiagnostic diag = op.emitOpError("interleaves rows, expected none");
      diag.attachNote() << "hint: interleaved panels are the CPU's; drop 'interleave'";
      return diag;
    }
    Packing packing(op);
    KernelPlan plan;
    plan.launches.emplace_back();
    plan.launches[0].block[0] = kBlock;
    plan.launches[0].grid[0] =
        llvm::divideCeil(packing.matrices * packing.panels * packing.depth * packing.width, kBlock);
    plan.text = "pack: panels of " + std::to_string(packing.width);
    return plan;
  }
  LogicalResult emit(KernelContext &context, size_t) const override;
};
} // namespace

LogicalResult PackEmitter::emit(KernelContext &context, size_t) const {
  auto op = cast<graph::PackOp>(getRoot(context.kernel));
  Packing packing(op);
  Type element = cast<RankedTensorType>(op.getInput().getType()).getElementType();
  Type stored = cast<RankedTensorType>(op.getResult().getType()).getElementType();
  IndexBuilder b(context.builder, context.loc);
  Value id = context.globalId();
  int64_t total = packing.matrices * packing.panels * packing.depth * packing.width;
  b.ifThen(b.lessThan(id, b.constant(total)), [&] {
    SmallVector<Value> at = b.delinearize(id, {packing.matrices, packing.panels, packing.depth, packing.width});
    Value column = b.add(b.mul(at[1], packing.width), at[3]);
    Value source = b.add(b.mul(at[0], packing.matrixStride), b.add(b.mul(at[2], packing.rowStride), column));
    ElementEmitter emitter(context, 1);
    Type type = graph::getComputeType(element);
    auto load = [&]() -> SmallVector<Value> {
      return {emitter.load(getRootBuffer(context, op.getInput()), source, element)};
    };
    // Columns that the last panel has beyond the matrix are zero.
    auto zero = [&]() -> SmallVector<Value> { return {createConstant(context.builder, context.loc, type, 0)}; };
    bool isWhole = packing.columns % packing.width == 0;
    Value value =
        isWhole ? load().front() : b.select(b.lessThan(column, b.constant(packing.columns)), type, load, zero).front();
    emitter.store(value, context.buffers.lookup(getStore(context.kernel).getBuffer()), id, stored);
  });
  return success();
}

std::unique_ptr<KernelEmitter> hgc::gpu::createPackEmitter() { return std::make_unique<PackEmitter>(); }
