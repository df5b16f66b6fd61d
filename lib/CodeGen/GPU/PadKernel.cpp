//===- PadKernel.cpp - GPU kernels with a pad -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/CodeGen/Common/PadIndex.h"
#include "hgc/CodeGen/GPU/Emitters.h"
#include "hgc/CodeGen/GPU/PointSpace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;
using graph::PadMode;

namespace {

struct Pad {
  explicit Pad(exec::KernelOp kernel) : op(cast<graph::PadOp>(getRoot(kernel))) {
    inShape.assign(cast<RankedTensorType>(op.getInput().getType()).getShape());
    outShape.assign(cast<RankedTensorType>(op.getResult().getType()).getShape());
  }
  bool isConstant() { return op.getMode() == PadMode::Constant; }
  bool isPadded(size_t dim) { return op.getLow()[dim] != 0 || op.getHigh()[dim] != 0; }

  /// Points that are all inside, or all outside, from every multiple of the
  /// result on: along the innermost dim with more than one element.
  int64_t getUnit() {
    for (size_t d = outShape.size(); d-- > 0;) {
      if (outShape[d] == 1)
        continue;
      if (!isPadded(d))
        return 0;
      int64_t low = op.getLow()[d];
      return isConstant() ? std::gcd(std::max<int64_t>(low, 0), low + inShape[d]) : 1;
    }
    return 0;
  }

  PointSpace makeSpace(exec::KernelOp kernel, const GpuTable &target) {
    SmallVector<LinearForm> forms = identityForms(outShape.size());
    SmallVector<Access> accesses;
    // A padded dim stays a loop of its own: its position is tested.
    for (size_t d = 0; d < outShape.size(); ++d) {
      if (!isPadded(d))
        continue;
      Access barrier(outShape.size(), 0);
      barrier[d] = 1;
      accesses.push_back(barrier);
    }
    collectAccesses(op.getInput(), forms, {}, accesses);
    return PointSpace(kernel, target, getStore(kernel).getValue(), op.getResult(), accesses, getUnit());
  }

  graph::PadOp op;
  SmallVector<int64_t> inShape, outShape;
};

struct PadEmitter final : KernelEmitter {
  FailureOr<KernelPlan> plan(exec::KernelOp kernel, const GpuTable &target) const override {
    PointSpace space = Pad(kernel).makeSpace(kernel, target);
    KernelPlan plan;
    plan.launches.push_back(space.getLaunch());
    plan.text = llvm::formatv("pad dims={0} lanes={1}", space.axes.size(), space.lanes);
    return plan;
  }
  LogicalResult emit(KernelContext &context, size_t) const override;
};

} // namespace

/// Elements of the result at `at`.
static Value evalPad(KernelContext &context, Pad &pad, ArrayRef<LaneIndex> at, int64_t lanes) {
  IndexBuilder b(context.builder, context.loc);
  SmallVector<LaneIndex> source(at);
  Value isInside = arith::ConstantIntOp::create(b.builder, b.loc, 1, 1);
  for (size_t d = 0; d < at.size(); ++d) {
    if (!pad.isPadded(d))
      continue;
    source[d].base = emitPadSource(b, pad.op.getMode(), at[d].base, pad.op.getLow()[d], pad.inShape[d]);
    if (!pad.isConstant())
      continue;
    if (pad.op.getLow()[d] > 0)
      isInside = b.both(isInside, b.lessThan(b.constant(-1), source[d].base));
    if (pad.op.getHigh()[d] > 0)
      isInside = b.both(isInside, b.lessThan(source[d].base, b.constant(pad.inShape[d])));
  }
  auto inside = [&]() -> SmallVector<Value> {
    return {ElementEmitter(context, lanes).eval(pad.op.getInput(), source)};
  };
  if (!pad.isConstant())
    return inside().front();
  Type compute = graph::getComputeType(cast<RankedTensorType>(pad.op.getResult().getType()).getElementType());
  return b
      .select(isInside, getLaneType(compute, lanes), inside,
              [&]() -> SmallVector<Value> { return {ElementEmitter(context, lanes).eval(pad.op.getValue(), {})}; })
      .front();
}

LogicalResult PadEmitter::emit(KernelContext &context, size_t) const {
  Pad pad(context.kernel);
  pad.makeSpace(context.kernel, context.target).emit(context, [&](ArrayRef<LaneIndex> at, int64_t lanes) {
    Value value = evalPad(context, pad, at, lanes);
    ElementEmitter emitter(context, lanes);
    emitter.bind(pad.op.getResult(), value);
    emitter.storeResult(at);
  });
  return success();
}

std::unique_ptr<KernelEmitter> hgc::gpu::createPadEmitter() { return std::make_unique<PadEmitter>(); }
