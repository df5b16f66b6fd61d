//===- MergeRules.cpp - which kernels may be one --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rule asks what the two launches do to each other's buffers; whether the
// bodies fit, and whether that pays, is known to the form that they would have.
//===----------------------------------------------------------------------===//

#include "MergeRules.h"

#include "KernelAttention.h"
#include "KernelBodies.h"
#include "KernelStages.h"
#include "KernelViews.h"
#include "MergedOperands.h"
#include "StreamClock.h"

#include "hgc/Analysis/FusionForest.h"

using namespace mlir;
using namespace hgc;

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

static ArrayRef<int64_t> getShape(exec::KernelOp kernel) {
  return cast<MemRefType>(kernel.getBody().getArguments().back().getType()).getShape();
}

/// Whether an input of both is read element by element by both.
static bool shareInput(const LaunchPair &pair) {
  exec::LaunchOp first = pair.first, second = pair.second;
  exec::KernelOp a = pair.firstKernel, b = pair.secondKernel;
  for (auto [number, input] : llvm::enumerate(first.getInputs())) {
    int64_t at = findIn(second.getInputs(), input);
    if (at >= 0 && cast<MemRefType>(input.getType()).getShape() == getShape(a) &&
        a.readsElementwise(a.getBody().getArgument(number)) && b.readsElementwise(b.getBody().getArgument(at)))
      return true;
  }
  return false;
}

/// Whether `kernel` may have operand `number` as an output, too.
static bool mayOwn(exec::KernelOp kernel, size_t number) {
  return kernel.readsElementwise(kernel.getBody().getArgument(number));
}

/// Whether operand `number` of the second may have the memory it has when the first runs with it.
static bool mayMeet(const LaunchPair &pair, size_t number) {
  exec::LaunchOp first = pair.first, second = pair.second;
  exec::KernelOp a = pair.firstKernel, b = pair.secondKernel;
  Value operand = second->getOperand(number);
  bool isOutput = number >= b.getInputCount();
  // The second may read what the first makes, there and nowhere else.
  if (findIn(first.getOutputs(), operand) >= 0 && (isOutput || !mayOwn(b, number)))
    return false;
  // Parts of each other's buffers are not worth a proof.
  for (auto [place, other] : llvm::enumerate(first->getOperands())) {
    bool isWritten = isOutput || place >= a.getInputCount();
    if (!isWritten || findMemory(operand) != findMemory(other))
      continue;
    if (!areSameOperand(operand, other) || (isOutput && !mayOwn(a, place)))
      return false;
  }
  return true;
}

bool hgc::canJoinElements(const LaunchPair &pair) {
  exec::LaunchOp first = pair.first, second = pair.second;
  exec::KernelOp a = pair.firstKernel, b = pair.secondKernel;
  if (!mayUpdateInPlace(a) || !mayUpdateInPlace(b) || findRoot(b) || getShape(a) != getShape(b) || storesMoved(a))
    return false;
  bool isLinked = false;
  for (size_t number = 0; number < second->getNumOperands(); ++number) {
    if (!mayMeet(pair, number))
      return false;
    isLinked |= findIn(first.getOutputs(), second->getOperand(number)) >= 0;
  }
  if (!isLinked && (findRoot(a) || !shareInput(pair)))
    return false;
  MergedOperands operands(first, second);
  size_t ops = a.getBody().front().getOperations().size() + b.getBody().front().getOperations().size();
  return ops <= FusionForest::kMaxOps && operands.inputs.size() + operands.outputs.size() <= FusionForest::kMaxInputs;
}

//===----------------------------------------------------------------------===//
// Parts of what the first makes, when the second needs them
//===----------------------------------------------------------------------===//

static bool haveRoom(const LaunchPair &pair) {
  exec::KernelOp a = pair.firstKernel, b = pair.secondKernel;
  return a.getInputCount() + b.getInputCount() <= FusionForest::kMaxInputs;
}

/// Whether one of `results` is in memory that one of `others` is in: what the first reads is
/// still needed when the second writes.
static bool meet(ValueRange results, ValueRange others) {
  return llvm::any_of(results, [&](Value result) {
    return llvm::any_of(others, [&](Value other) { return findMemory(result) == findMemory(other); });
  });
}

/// The input of the second that only it reads, and which the first makes.
static std::optional<unsigned> findStaged(const LaunchPair &pair) {
  exec::LaunchOp first = pair.first, second = pair.second;
  if (first.getOutputs().size() != 1 || second.getOutputs().size() != 1)
    return std::nullopt;
  Value made = first.getOutputs().front();
  int64_t link = findIn(second.getInputs(), made);
  if (link < 0 || meet(second.getOutputs(), first->getOperands()) || isUsedElsewhere(made, first, second) ||
      !haveRoom(pair))
    return std::nullopt;
  return static_cast<unsigned>(link);
}

bool hgc::canStageRows(const LaunchPair &pair, const DeviceTable &cpu) {
  std::optional<unsigned> input = findStaged(pair);
  return input && paysToStage(pair.firstKernel, pair.secondKernel, *input, cpu);
}

bool hgc::canJoinAttention(const LaunchPair &pair, const DeviceTable &cpu) {
  std::optional<unsigned> input = findStaged(pair);
  return input && canAttend(pair.firstKernel, pair.secondKernel, *input, cpu);
}

//===----------------------------------------------------------------------===//
// Parts of what the first reads
//===----------------------------------------------------------------------===//

bool hgc::canReadParts(const LaunchPair &pair, const DeviceTable &cpu) {
  exec::LaunchOp first = pair.first, second = pair.second;
  if (first.getOutputs().size() != 1 || isUsedElsewhere(first.getOutputs().front(), first, second))
    return false;
  for (auto [number, operand] : llvm::enumerate(second.getInputs()))
    if (findWhole(first.getOutputs(), operand) == 0)
      return !meet(second.getOutputs(), first.getInputs()) && haveRoom(pair) &&
             canReadInPlace(pair.firstKernel, pair.secondKernel, number, cpu);
  return false;
}

bool hgc::canStoreMoved(const LaunchPair &pair) {
  exec::LaunchOp first = pair.first, second = pair.second;
  if (first.getOutputs().size() != 1 || second.getInputs().size() != 1 || second.getOutputs().size() != 1)
    return false;
  return !meet(second.getOutputs(), first.getInputs()) &&
         findWhole(first.getOutputs(), second.getInputs().front()) == 0 &&
         !isUsedElsewhere(first.getOutputs().front(), first, second) &&
         canStoreInPlace(pair.firstKernel, pair.secondKernel, 0);
}

bool hgc::canMerge(const LaunchPair &pair, const DeviceTable &cpu) {
  return canStageRows(pair, cpu) || canJoinAttention(pair, cpu) || canReadParts(pair, cpu) || canStoreMoved(pair) ||
         canJoinElements(pair);
}
