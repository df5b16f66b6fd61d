//===- KernelAttention.cpp - attention as one kernel ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelAttention.h"

#include "hgc/Target/Panel.h"

using namespace mlir;
using namespace hgc;

/// Whether `kernel` runs on the CPU and writes one result, to memory that it does not read.
static bool isPlain(exec::KernelOp kernel) {
  return kernel.getStores().size() == 1 && !kernel.updatesInPlace() &&
         !exec::getGpu(kernel.getBody().getArguments().back().getType());
}

/// The only root of a kernel, if it is of this type.
template <typename Op> static Op findOnlyRoot(exec::KernelOp kernel) {
  Op found;
  for (Operation &op : kernel.getBody().front())
    if (auto fusible = dyn_cast<graph::FusibleOp>(op); fusible && fusible.getFusionKind() == graph::FusionKind::Root) {
      if (found || !isa<Op>(op))
        return {};
      found = cast<Op>(op);
    }
  return found;
}

std::optional<AttentionForm> hgc::findAttention(exec::KernelOp kernel) {
  return exec::getGpu(kernel.getBody().getArguments().back().getType()) ? std::nullopt
                                                                        : AttentionForm::find(kernel.getBody().front());
}

/// Whether keys and values are worth a copy, and rows of scores find room beside them.
static bool pays(graph::SoftmaxOp softmax, const DeviceTable &cpu) {
  constexpr int64_t leastRows = 32;
  ArrayRef<int64_t> shape = softmax.getType().getShape();
  int64_t bytes = graph::getElementBytes(softmax.getType().getElementType());
  return shape.end()[-2] >= leastRows && kMostTileRows * shape.back() * bytes <= cpu.l2Bytes / 4;
}

bool hgc::canAttend(exec::KernelOp first, exec::KernelOp second, unsigned input, const DeviceTable &cpu) {
  BlockArgument buffer = second.getBody().getArgument(input);
  auto load = buffer.hasOneUse() ? dyn_cast<exec::LoadOp>(*buffer.user_begin()) : exec::LoadOp();
  if (!isPlain(first) || !isPlain(second) || !load || !load.getResult().hasOneUse())
    return false;
  Value stored = first.getStores().front().getValue();
  if (auto softmax = findOnlyRoot<graph::SoftmaxOp>(first)) {
    auto sums = findOnlyRoot<graph::MatmulOp>(second);
    return sums && stored == softmax.getResult() && softmax->hasOneUse() && sums.getLhs() == load.getResult() &&
           canAttend(softmax, sums) && pays(softmax, cpu);
  }
  auto scores = findOnlyRoot<graph::MatmulOp>(first);
  std::optional<AttentionForm> form = findAttention(second);
  return scores && scores->hasOneUse() && form && !form->scores && canAttend(scores, form->softmax) &&
         stored.getType() == load.getType() && isExpressionOf(stored, scores.getResult()) &&
         isExpressionOf(form->softmax.getInput(), load.getResult());
}
