//===- SimulateExec.cpp - modelled time of programs -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the program as the machine would: streams are queues, an event lets one
// wait for another, the host waits where the program says so.
//===----------------------------------------------------------------------===//

#include "ExecTasks.h"

#include "hgc/Analysis/OpNames.h"
#include "hgc/Conversion/Passes.h"

#include "mlir/IR/Builders.h"

namespace hgc {
#define GEN_PASS_DEF_SIMULATEEXEC
#include "hgc/Conversion/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;

/// The stream of a loop that the host only hands over, else `kHost`.
static int64_t getLoopStream(Operation *op) {
  if (!isa<exec::ForOp>(op))
    return kHost;
  std::optional<int64_t> only;
  WalkResult walk = op->walk([&](Operation *nested) {
    if (isDeclaration(nested) || isa<exec::ForOp>(nested))
      return WalkResult::advance();
    int64_t stream = getStream(nested);
    bool isOther = stream == kHost || (only && *only != stream);
    only = stream;
    return isOther ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted() ? kHost : only.value_or(kHost);
}

static std::string describeAction(Operation *op) {
  if (auto launch = dyn_cast<exec::LaunchOp>(op))
    return launch.getKernel().str();
  StringRef name = hgc::getOpName(op), kind = op->getName().stripDialect();
  return name.empty() ? kind.str() : (kind + " " + name).str();
}

namespace {

class TaskCollector {
public:
  explicit TaskCollector(const ActionPrices &prices) : prices(prices) {}

  std::vector<TimelineTask> collect(Region &region) && {
    for (Operation &op : region.getOps())
      visit(&op);
    return std::move(tasks);
  }

private:
  void visit(Operation *op) {
    if (isDeclaration(op) || isa<exec::ReturnOp>(op))
      return;
    if (auto record = dyn_cast<exec::RecordOp>(op)) {
      events[record.getEvent()] = last.lookup(record.getStream());
    } else if (auto wait = dyn_cast<exec::WaitOp>(op)) {
      addDependence(waits[wait.getStream()], events.lookup(wait.getEvent()));
    } else if (auto sync = dyn_cast<exec::SyncOp>(op)) {
      addDependence(waits[kHost], last.lookup(sync.getStream()));
      add("sync", kHost, 0);
    } else {
      add(describeAction(op), op->getNumRegions() ? getLoopStream(op) : getStream(op), prices.getPs(op));
    }
  }

  static void addDependence(SmallVectorImpl<unsigned> &list, unsigned numberPlusOne) {
    if (numberPlusOne)
      list.push_back(numberPlusOne - 1);
  }

  void add(std::string name, int64_t stream, int64_t duration) {
    Resource resource = stream == kHost ? kHostResource : getStreamResource(stream);
    tasks.push_back({std::move(name), resource, duration, std::exchange(waits[stream], {})});
    last[stream] = tasks.size();
  }

  const ActionPrices &prices;
  std::vector<TimelineTask> tasks;
  /// Number of the latest task of a stream, and of the last one before an event,
  /// plus 1; 0: none.
  llvm::DenseMap<int64_t, unsigned> last, events;
  /// What the next task of a stream waits for.
  llvm::DenseMap<int64_t, SmallVector<unsigned, 4>> waits;
};

struct SimulateExec final : hgc::impl::SimulateExecBase<SimulateExec> {
  void runOnOperation() override {
    ActionPrices prices(getOperation());
    Builder builder(&getContext());
    for (auto program : getOperation().getOps<exec::ProgramOp>()) {
      if (program.getLoad())
        continue;
      int64_t makespan = simulateExec(program, prices).timeline.makespanPs;
      program.setMakespanPsAttr(builder.getI64IntegerAttr(makespan));
    }
    markAllAnalysesPreserved();
  }
};

} // namespace

std::vector<TimelineTask> hgc::collectTasks(Region &region, const ActionPrices &prices) {
  return TaskCollector(prices).collect(region);
}

ExecTimeline hgc::simulateExec(exec::ProgramOp program, const ActionPrices &prices) {
  ExecTimeline result;
  result.tasks = collectTasks(program.getBody(), prices);
  result.timeline = simulateTimeline(result.tasks);
  return result;
}
