//===- MergeKernels.cpp - several results in one pass over memory ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fusion gives a kernel one result. What several results have in common is then
// read by several kernels, such as the gradient by all that an optimiser keeps of
// it. And heads of an attention are copied only to be read once. This pass brings
// such launches together, near the first of them: there the memory of its operands
// is free again soon.
//===----------------------------------------------------------------------===//

#include "ExecTasks.h"
#include "KernelMerger.h"

#include "hgc/Conversion/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_MERGEKERNELS
#include "hgc/Conversion/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;

/// How many launches before a launch are looked at, and past how many the first of
/// two may move: its operands stay in memory until then.
static constexpr size_t kWindow = 256;
static constexpr size_t kMostPassed = 4;
/// Results up to this size may be computed earlier without a thought of memory.
static constexpr int64_t kLightBytes = 64;

namespace {

/// Memory that an action and the ops in it use.
struct Footprint {
  explicit Footprint(Operation *op) {
    op->walk([&](Operation *inner) {
      SmallVector<Value> read, written;
      getAccesses(inner, read, written);
      for (Value buffer : read)
        reads.push_back(findMemory(buffer));
      for (Value buffer : written)
        writes.push_back(findMemory(buffer));
      fails |= isa<exec::FailIfOp, exec::LibraryOp>(inner);
      changesState |= llvm::any_of(written, isState);
    });
  }

  static bool isState(Value buffer) {
    while (auto alias = buffer.getDefiningOp<exec::AliasOp>())
      buffer = alias.getSource();
    return buffer.getDefiningOp<exec::WeightOp>() != nullptr;
  }

  /// Whether the two must stay in their order.
  bool conflicts(const Footprint &other) const {
    auto meet = [](ArrayRef<MemoryRoot> a, ArrayRef<MemoryRoot> b) {
      return llvm::any_of(a, [&](const MemoryRoot &memory) { return llvm::is_contained(b, memory); });
    };
    return meet(writes, other.reads) || meet(writes, other.writes) || meet(reads, other.writes) ||
           (fails && (other.changesState || other.fails)) || (changesState && other.fails);
  }

  SmallVector<MemoryRoot, 4> reads, writes;
  bool fails = false, changesState = false;
};

/// One block of a program.
class BlockMerger {
public:
  BlockMerger(Block &block, KernelMerger &kernels) : block(block), kernels(kernels) {}

  void run() {
    for (Operation *next = &block.front(); next;) {
      auto launch = dyn_cast<exec::LaunchOp>(next);
      exec::LaunchOp merged = launch ? mergeWithEarlier(launch) : exec::LaunchOp();
      // The new launch may be merged again.
      next = merged ? merged.getOperation() : next->getNextNode();
    }
  }

private:
  /// Merges `second` with the nearest launch before it that it can be merged with.
  exec::LaunchOp mergeWithEarlier(exec::LaunchOp second) {
    size_t seen = 0;
    for (Operation *op = second->getPrevNode(); op && seen < kWindow; op = op->getPrevNode()) {
      auto first = dyn_cast<exec::LaunchOp>(op);
      seen += first != nullptr;
      if (!first || !kernels.canMerge(first, second))
        continue;
      if (Operation *position = bringTogether(first, second))
        return kernels.merge(first, second, position);
    }
    return {};
  }

  /// A kernel whose results are so small that they may come earlier.
  bool isLight(Operation *op) {
    auto launch = dyn_cast<exec::LaunchOp>(op);
    return launch && llvm::all_of(launch.getOutputs(), [](Value buffer) {
             return buffer.getDefiningOp<exec::ViewOp>() &&
                    graph::getTensorBytes(cast<MemRefType>(buffer.getType())) <= kLightBytes;
           });
  }

  /// Moves what `second` needs, and finds a place that both can move to. Null if
  /// there is none.
  Operation *bringTogether(exec::LaunchOp first, exec::LaunchOp second) {
    SmallVector<Operation *> earlier;
    SmallVector<Footprint> moving{Footprint(second)};
    Footprint own(first);
    Operation *barrier = nullptr;
    for (Operation *op = second->getPrevNode(); op != first; op = op->getPrevNode()) {
      if (isDeclaration(op))
        continue;
      Footprint print(op);
      bool isInTheWay = llvm::any_of(moving, [&](const Footprint &other) { return print.conflicts(other); });
      if (!isInTheWay)
        continue;
      if (!isLight(op) || print.conflicts(own)) {
        barrier = op;
        break;
      }
      earlier.push_back(op);
      moving.push_back(std::move(print));
    }
    if (barrier && !mayPass(first, own, barrier))
      return nullptr;
    Operation *position = barrier ? barrier->getNextNode() : first->getNextNode();
    for (Operation *op : llvm::reverse(earlier)) {
      hoistDeclarations(op->getOperands(), position);
      if (op == position)
        position = op->getNextNode();
      else
        op->moveBefore(position);
    }
    hoistDeclarations(second->getOperands(), position);
    return position;
  }

  /// Whether `first` may go behind `last`, and that is not far.
  bool mayPass(exec::LaunchOp first, const Footprint &own, Operation *last) {
    size_t passed = 0;
    for (Operation *op = first->getNextNode();; op = op->getNextNode()) {
      if (!isDeclaration(op)) {
        passed += !isLight(op);
        if (passed > kMostPassed || own.conflicts(Footprint(op)))
          return false;
      }
      if (op == last)
        return true;
    }
  }

  void hoistDeclarations(ValueRange buffers, Operation *&position) {
    for (Value buffer : buffers) {
      Operation *op = buffer.getDefiningOp();
      if (!op || op->getBlock() != &block || op->isBeforeInBlock(position))
        continue;
      if (op == position) {
        position = op->getNextNode();
        continue;
      }
      hoistDeclarations(op->getOperands(), position);
      op->moveBefore(position);
    }
  }

  Block &block;
  KernelMerger &kernels;
};

struct MergeKernels final : hgc::impl::MergeKernelsBase<MergeKernels> {
  void runOnOperation() override {
    KernelMerger kernels(getOperation());
    for (auto program : getOperation().getOps<exec::ProgramOp>()) {
      if (program.isInGpuPlan() || program.getLoad())
        continue;
      SmallVector<Block *> blocks;
      program.walk([&](Block *block) { blocks.push_back(block); });
      for (Block *inner : blocks)
        if (!inner->empty() && !isa<exec::ParallelOp>(inner->getParentOp()))
          BlockMerger(*inner, kernels).run();
    }
    eraseUnusedKernels(getOperation());
    kernels.restoreNames(getOperation());
  }
};

} // namespace
