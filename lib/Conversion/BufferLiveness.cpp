//===- BufferLiveness.cpp - lifetimes for the memory planner --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BufferLiveness.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace hgc;

namespace {

struct Liveness {
  explicit Liveness(exec::ProgramOp program) {
    number(program.getBody());
    collect(program.getBody());
  }

  /// Time at which an op starts and ends; equal for ops without regions.
  struct Span {
    int64_t first = 0, last = 0;
  };

  void number(Region &region) {
    for (Operation &op : region.getOps()) {
      int64_t first = clock++;
      for (Region &nested : op.getRegions())
        number(nested);
      spans[&op] = {first, op.getNumRegions() ? clock++ : first};
    }
  }

  void collect(Region &region) {
    for (Operation &op : region.getOps()) {
      if (auto view = dyn_cast<exec::ViewOp>(op)) {
        int64_t bytes = graph::getTensorBytes(view.getType());
        indices[view] = views.size();
        views.push_back({view, {bytes, spans[&op].first, spans[&op].first}, {}, {}});
        used.push_back(false);
      } else if (!isa<exec::AliasOp>(op)) {
        StreamAction action = tracker.issue(&op);
        for (Value operand : op.getOperands())
          touch(operand, &op, action);
      }
      for (Region &nested : op.getRegions())
        collect(nested);
    }
  }

  /// The time `op`'s access of `view` stands for.
  Span getAccess(Operation *op, exec::ViewOp view) {
    Span span = spans[op];
    // A branch reads its condition before it starts; a loop reads it each time.
    if (isa<exec::IfOp>(op))
      span.last = span.first;
    for (Operation *parent = op->getParentOp(); !isa<exec::ProgramOp>(parent); parent = parent->getParentOp()) {
      bool repeats = isa<exec::ForOp, exec::WhileOp>(parent) && !parent->isProperAncestor(view);
      if (repeats || isa<exec::ParallelOp>(parent))
        span = spans[parent];
    }
    return span;
  }

  void touch(Value buffer, Operation *op, const StreamAction &action) {
    while (auto alias = buffer.getDefiningOp<exec::AliasOp>())
      buffer = alias.getSource();
    auto view = buffer.getDefiningOp<exec::ViewOp>();
    if (!view)
      return;
    Span span = getAccess(op, view);
    size_t index = indices[view];
    BufferInterval &interval = views[index].interval;
    interval.first = used[index] ? std::min(interval.first, span.first) : span.first;
    interval.last = used[index] ? std::max(interval.last, span.last) : span.last;
    if (!used[index])
      views[index].known = action.clock;
    if (action.stream != kHost)
      views[index].used.set(action.stream, action.position);
    used[index] = true;
  }

  int64_t clock = 0;
  llvm::DenseMap<Operation *, Span> spans;
  llvm::DenseMap<Operation *, size_t> indices;
  StreamTracker tracker;
  SmallVector<LiveView> views;
  SmallVector<bool> used;
};

} // namespace

SmallVector<LiveView> hgc::computeLiveViews(exec::ProgramOp program) { return Liveness(program).views; }
