//===- ConcatKernel.cpp - GPU kernels with a concatenation ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread finds the input its elements come from by halving the list of inputs;
// the branch is the same for most threads of a warp.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/CodeGen/GPU/Emitters.h"
#include "hgc/CodeGen/GPU/PointSpace.h"

#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

namespace {

/// An input with elements and where they start along the axis.
struct Part {
  Value input;
  int64_t offset;
};

struct Concat {
  explicit Concat(exec::KernelOp kernel) : op(cast<graph::ConcatOp>(getRoot(kernel))) {
    int64_t offset = 0;
    for (Value input : op->getOperands()) {
      int64_t extent = cast<RankedTensorType>(input.getType()).getDimSize(op.getAxis());
      if (extent > 0)
        parts.push_back({input, offset});
      offset += extent;
    }
  }

  PointSpace makeSpace(exec::KernelOp kernel, const GpuTable &target) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getResult().getType()).getShape();
    SmallVector<LinearForm> forms = identityForms(shape.size());
    auto axis = static_cast<size_t>(op.getAxis());
    // The axis stays a loop of its own: its position decides which input is read.
    Access barrier(shape.size(), 0);
    barrier[axis] = 1;
    SmallVector<Access> accesses{barrier};
    bool isInnermost = llvm::all_of(shape.drop_front(axis + 1), [](int64_t extent) { return extent == 1; });
    int64_t unit = 0;
    for (const Part &part : parts) {
      collectAccesses(part.input, forms, {}, accesses);
      unit = std::gcd(unit, part.offset);
    }
    return PointSpace(kernel, target, getStore(kernel).getValue(), op.getResult(), accesses, isInnermost ? unit : 0);
  }

  graph::ConcatOp op;
  SmallVector<Part> parts;
};

struct ConcatEmitter final : KernelEmitter {
  FailureOr<KernelPlan> plan(exec::KernelOp kernel, const GpuTable &target) const override {
    Concat concat(kernel);
    PointSpace space = concat.makeSpace(kernel, target);
    KernelPlan plan;
    plan.launches.push_back(space.getLaunch());
    plan.text = llvm::formatv("concat inputs={0} lanes={1}", concat.parts.size(), space.lanes);
    return plan;
  }
  LogicalResult emit(KernelContext &context, size_t) const override;
};

} // namespace

/// Elements at `at` of the result, which come from one of `parts`.
static Value evalParts(KernelContext &context, ArrayRef<Part> parts, int64_t axis, ArrayRef<LaneIndex> at, Type type,
                       int64_t lanes) {
  IndexBuilder b(context.builder, context.loc);
  if (parts.size() == 1) {
    SmallVector<LaneIndex> source(at);
    source[axis].base = b.add(source[axis].base, -parts[0].offset);
    return ElementEmitter(context, lanes).eval(parts[0].input, source);
  }
  size_t half = parts.size() / 2;
  Value isLower = b.lessThan(at[axis].base, b.constant(parts[half].offset));
  auto branch = [&](ArrayRef<Part> some) {
    return [&context, some, axis, at, type, lanes]() -> SmallVector<Value> {
      return {evalParts(context, some, axis, at, type, lanes)};
    };
  };
  return b.select(isLower, type, branch(parts.take_front(half)), branch(parts.drop_front(half))).front();
}

LogicalResult ConcatEmitter::emit(KernelContext &context, size_t) const {
  Concat concat(context.kernel);
  Type element = cast<RankedTensorType>(concat.op.getResult().getType()).getElementType();
  PointSpace space = concat.makeSpace(context.kernel, context.target);
  space.emit(context, [&](ArrayRef<LaneIndex> at, int64_t lanes) {
    Type type = getLaneType(graph::getComputeType(element), lanes);
    Value value = evalParts(context, concat.parts, concat.op.getAxis(), at, type, lanes);
    ElementEmitter emitter(context, lanes);
    emitter.bind(concat.op.getResult(), value);
    emitter.storeResult(at);
  });
  return success();
}

std::unique_ptr<KernelEmitter> hgc::gpu::createConcatEmitter() { return std::make_unique<ConcatEmitter>(); }
