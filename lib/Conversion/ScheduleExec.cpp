//===- ScheduleExec.cpp - the order in which actions are issued -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion issues actions in the order of the graph. What stands behind a
// long CPU kernel there reaches the GPU late. This pass finds a better order for
// each run of actions that nothing has to stay in front of or behind of.
//===----------------------------------------------------------------------===//

#include "ExecTasks.h"

#include "hgc/Conversion/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_SCHEDULEEXEC
#include "hgc/Conversion/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;

/// The new order must be shorter by this part: reordering makes buffers live
/// longer, which is not worth a rounding error.
static constexpr int64_t kLeastGain = 100;

/// What only data has to order. Structure begins and ends with idle streams, and
/// what others do to the outside world keeps its place.
static bool isMovable(Operation *op) { return isa<exec::CopyOp, exec::FillOp, exec::LaunchOp, exec::SetExtentOp>(op); }

namespace {

/// Actions of one block with nothing but declarations between them.
class Run {
public:
  explicit Run(const ActionPrices &prices) : prices(prices) {}

  void add(Operation *op) {
    int64_t stream = chooseStream(op);
    Resource resource = stream == kHost ? kHostResource : getStreamResource(stream);
    tasks.push_back({"", resource, prices.getPs(op), dependences.add(op)});
    actions.push_back(op);
  }
  void declare(Operation *op) { declarations.push_back(op); }

  /// Puts the actions into a better order if there is one, and starts anew.
  void finish() {
    int64_t before = simulateTimeline(tasks).makespanPs;
    std::vector<unsigned> order = chooseOrder(tasks);
    int64_t gain = before - simulateTimeline(tasks, order).makespanPs;
    if (gain > 0 && gain >= before / kLeastGain)
      apply(order);
    tasks.clear();
    actions.clear();
    dependences = {};
    declarations.clear();
  }

private:
  void apply(ArrayRef<unsigned> order) {
    ActionMover mover(actions.front()->getBlock(), std::next(actions.back()->getIterator()), declarations);
    for (unsigned number : order)
      mover.move(actions[number]);
    mover.finish();
  }

  const ActionPrices &prices;
  std::vector<TimelineTask> tasks;
  SmallVector<Operation *> actions;
  DataDependences dependences;
  SmallVector<Operation *> declarations;
};

struct ScheduleExec final : hgc::impl::ScheduleExecBase<ScheduleExec> {
  void runOnOperation() override {
    ActionPrices prices(getOperation());
    for (auto program : getOperation().getOps<exec::ProgramOp>())
      if (program.isInGpuPlan() && !program.getLoad() && !isOrdered(program))
        program.walk([&](Block *block) { schedule(*block, prices); });
  }

  static bool isOrdered(exec::ProgramOp program) {
    return program
        .walk([](Operation *op) {
          return isa<exec::RecordOp, exec::WaitOp, exec::SyncOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  static void schedule(Block &block, const ActionPrices &prices) {
    Run run(prices);
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isMovable(&op))
        run.add(&op);
      else if (isDeclaration(&op))
        run.declare(&op);
      else
        run.finish();
    }
    run.finish();
  }
};

} // namespace
