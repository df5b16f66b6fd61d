//===- CollectExec.cpp - code and time of a plan --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MemoryCurve.h"

#include "hgc/CodeGen/CPU/KernelContext.h"
#include "hgc/CodeGen/GPU/KernelContext.h"
#include "hgc/Conversion/ExecTimeline.h"
#include "hgc/Report/Collect.h"
#include "hgc/Target/TileChoice.h"

#include <set>

using namespace mlir;
using namespace hgc;
using namespace hgc::plans;

/// What was measured for the root of a kernel.
static std::optional<TunedPlan> readTuned(exec::KernelOp op) {
  Operation *root = codegen::getRoot(op);
  auto times = root ? root->getAttrOfType<DictionaryAttr>(kTunedAttr) : DictionaryAttr();
  if (!times)
    return std::nullopt;
  auto get = [&](StringRef name) {
    auto number = times.getAs<IntegerAttr>(name);
    return number ? number.getInt() : 0;
  };
  return TunedPlan{get("measured_ps"), get("untuned_ps"), get("modelled_ps"), get("candidates"),
                   getTileChoice(root).str()};
}

/// What code generation will do. A kernel without code is reported by the pass
/// that needs it, not here.
static void describeCode(exec::KernelOp op, ModuleOp module, plans::KernelPlan &kernel) {
  ScopedDiagnosticHandler silence(module.getContext(), [](Diagnostic &) { return success(); });
  if (codegen::isGpuKernel(op)) {
    FailureOr<hgc::gpu::KernelPlan> plan = hgc::gpu::planKernel(op, getGpuTable(module));
    if (failed(plan))
      return;
    kernel.launches = plan->launches.size();
    kernel.schedule = plan->launches.empty() ? "empty" : plan->text;
    kernel.scratchBytes = plan->scratchBytes;
    return;
  }
  FailureOr<cpu::KernelSchedule> schedule = cpu::planKernel(op, getCpuTable(module));
  if (failed(schedule))
    return;
  kernel.schedule = schedule->text;
  kernel.scratchBytes = schedule->scratchBytes;
  kernel.tuned = readTuned(op);
}

/// When each action runs, for a picture; instants are not drawn.
static std::vector<TimelineItem> listTimeline(const ExecTimeline &exec) {
  std::vector<TimelineItem> items;
  for (auto [task, time] : llvm::zip_equal(exec.tasks, exec.timeline.times))
    if (time.endPs > time.startPs)
      items.push_back({task.name, describeResource(task.resource), time.startPs, time.endPs});
  return items;
}

EntryKey hgc::plans::getEntryKey(exec::ProgramOp program) {
  EntryKey key;
  key.entry = program.getEntry().str();
  key.plan = program.isInGpuPlan() ? "gpu" : "cpu";
  for (auto [name, extent] : llvm::zip(program.getDimNames().getAsRange<StringAttr>(), program.getDims()))
    key.dims[name.str()] = extent;
  return key;
}

/// The kernels of stage `fused` that a launch stands for, in their order.
static SmallVector<size_t> takeParts(exec::LaunchOp launch, KernelQueue &queue) {
  SmallVector<Attribute> places{LocationAttr(launch.getLoc())};
  if (auto parts = launch->getAttrOfType<ArrayAttr>(exec::kPartsAttr))
    places.assign(parts.begin(), parts.end());
  SmallVector<size_t> found;
  for (Attribute place : places) {
    std::deque<size_t> &waiting = queue[place.getAsOpaquePointer()];
    if (waiting.empty())
      continue;
    found.push_back(waiting.front());
    waiting.pop_front();
  }
  llvm::sort(found);
  return found;
}

/// `kernels` come from stage `fused`; a compilation that starts later has only
/// what is launched.
void PlanCollector::visitKernels(exec::ProgramOp program, SymbolTable &symbols) {
  EntryKey key = getEntryKey(program);
  EntryPlan &entry = getEntry(key);
  KernelQueue &queue = kernels[key];
  bool isKnown = !entry.kernels.empty();
  std::set<size_t, std::greater<>> gone;
  program.walk([&](exec::LaunchOp launch) {
    auto op = symbols.lookup<exec::KernelOp>(launch.getKernel());
    if (!op)
      return;
    SmallVector<size_t> found = takeParts(launch, queue);
    if (isKnown && found.empty())
      return;
    size_t index = entry.kernels.size();
    if (isKnown) {
      index = found.front();
      for (size_t part : ArrayRef<size_t>(found).drop_front()) {
        std::vector<std::string> &ops = entry.kernels[part].ops;
        entry.kernels[index].ops.insert(entry.kernels[index].ops.end(), ops.begin(), ops.end());
        gone.insert(part);
      }
    } else {
      std::optional<unsigned> gpu = exec::getActionGpu(launch);
      entry.kernels.emplace_back().device = gpu ? "gpu:" + std::to_string(*gpu) : "cpu";
    }
    plans::KernelPlan &kernel = entry.kernels[index];
    kernel.name = op.getSymName().str();
    describeCode(op, program->getParentOfType<ModuleOp>(), kernel);
    for (OpPlan &other : entry.ops)
      if (llvm::is_contained(kernel.ops, other.name))
        other.kernel = kernel.name;
  });
  for (size_t index : gone)
    entry.kernels.erase(entry.kernels.begin() + static_cast<ptrdiff_t>(index));
  if (std::optional<int64_t> makespan = program.getMakespanPs())
    entry.makespanPs = *makespan;
}

void PlanCollector::visitExec(ModuleOp module) {
  if (plan.variants.empty())
    visitTarget(module);
  SymbolTable symbols(module);
  ActionPrices prices(module);
  for (auto program : module.getOps<exec::ProgramOp>()) {
    if (program.getLoad())
      continue;
    visitKernels(program, symbols);
    getEntry(getEntryKey(program)).timeline = listTimeline(simulateExec(program, prices));
    addMemory(program, module, getPlan(getEntryKey(program)).memory);
  }
}
