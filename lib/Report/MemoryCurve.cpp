//===- MemoryCurve.cpp - memory of a program over time --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes are those the memory plan wrote into the module; the curve shows which
// part of the arena holds something alive while each action runs.
//===----------------------------------------------------------------------===//

#include "MemoryCurve.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::plans;

namespace {

/// The memory plan places buffers at multiples of this.
constexpr int64_t kAlignment = 64;

/// Buffers of one memory space.
struct Space {
  int64_t arenaBytes = 0, sumOfSlots = 0;
  /// By action: bytes that come into use, less those that went out before.
  std::vector<int64_t> changes;

  std::vector<int64_t> getCurve() const {
    std::vector<int64_t> curve;
    int64_t live = 0;
    for (int64_t change : changes)
      curve.push_back(live += change);
    return curve;
  }
};

/// First and last action that uses `buffer` or a part of it.
std::pair<size_t, size_t> findUses(Value buffer, const llvm::DenseMap<Operation *, size_t> &numbers, Block &top) {
  size_t first = numbers.size(), last = 0;
  SmallVector<Value> todo{buffer};
  while (!todo.empty()) {
    for (Operation *user : todo.pop_back_val().getUsers()) {
      if (auto alias = dyn_cast<exec::AliasOp>(user))
        todo.push_back(alias.getResult());
      auto number = numbers.find(top.findAncestorOpInBlock(*user));
      if (number == numbers.end())
        continue;
      first = std::min(first, number->second);
      last = std::max(last, number->second);
    }
  }
  return {first, last};
}

/// What people know an action by.
std::string describeAction(Operation &op) {
  if (auto launch = dyn_cast<exec::LaunchOp>(op))
    return launch.getKernel().str();
  return op.getName().stripDialect().str();
}

bool isAction(Operation &op) {
  return !isa<exec::ViewOp, exec::WeightOp, exec::AliasOp, exec::RecordOp, exec::WaitOp, exec::SyncOp, exec::ReturnOp>(
      op);
}

/// The plan of `device`, added when it is new.
MemoryPlan &getDevice(std::vector<MemoryPlan> &memory, StringRef device) {
  for (MemoryPlan &plan : memory)
    if (plan.device == device)
      return plan;
  memory.emplace_back().device = device.str();
  return memory.back();
}

/// Numbers that hold for all programs of the library.
void readTotals(DictionaryAttr totals, MemoryPlan &plan) {
  auto read = [&](StringRef name) {
    auto number = totals ? totals.getAs<IntegerAttr>(name) : IntegerAttr();
    return number ? number.getInt() : 0;
  };
  plan.weightsBytes = read("weights_bytes");
  plan.stateBytes = read("state_bytes");
  plan.scratchBytes = read("scratch_bytes") + read("workspace_bytes");
}

/// What is proven about plans within the limits.
static void readBound(ModuleOp module, MemoryPlan &plan) {
  auto note = module->getAttrOfType<DictionaryAttr>("hgc.memory_limit");
  auto bound = note ? note.getAs<IntegerAttr>("bound_ps") : IntegerAttr();
  auto gap = note ? note.getAs<IntegerAttr>("gap_ps") : IntegerAttr();
  if (!plan.limit || !bound || !gap)
    return;
  plan.boundPs = bound.getInt();
  plan.gapPs = gap.getInt();
}

/// The limit the user set for a memory space, if any.
std::optional<int64_t> readLimit(ModuleOp module, StringRef space) {
  auto note = module->getAttrOfType<DictionaryAttr>("hgc.memory_limit");
  auto devices = note ? note.getAs<DictionaryAttr>("devices") : DictionaryAttr();
  auto limit = devices ? devices.getAs<IntegerAttr>(space) : IntegerAttr();
  return limit ? std::optional(limit.getInt()) : std::nullopt;
}

} // namespace

void hgc::plans::addMemory(exec::ProgramOp program, ModuleOp module, std::vector<MemoryPlan> &memory) {
  Block &top = program.getBody().front();
  llvm::DenseMap<Operation *, size_t> numbers;
  std::vector<std::string> names;
  for (Operation &op : top)
    if (isAction(op)) {
      numbers[&op] = names.size();
      names.push_back(describeAction(op));
    }
  llvm::MapVector<Attribute, Space> spaces;
  spaces[Attribute()];
  program.walk([&](Operation *op) {
    if (auto weight = dyn_cast<exec::WeightOp>(op))
      spaces[cast<MemRefType>(weight.getType()).getMemorySpace()];
    auto view = dyn_cast<exec::ViewOp>(op);
    if (!view)
      return;
    Space &space = spaces[cast<MemRefType>(view.getType()).getMemorySpace()];
    int64_t bytes = llvm::alignTo(graph::getTensorBytes(view.getType()), kAlignment);
    space.sumOfSlots += bytes;
    if (view.getOffset())
      space.arenaBytes = std::max<int64_t>(space.arenaBytes, *view.getOffset() + bytes);
    space.changes.resize(names.size() + 1);
    auto [first, last] = findUses(view, numbers, top);
    if (first > last)
      return;
    space.changes[first] += bytes;
    space.changes[last + 1] -= bytes;
  });
  auto totals = module->getAttrOfType<DictionaryAttr>("exec.memory");
  for (auto &[attr, space] : spaces) {
    auto own = attr && totals ? totals.getAs<DictionaryAttr>(exec::getSpaceName(attr)) : totals;
    auto kind = dyn_cast_if_present<exec::SpaceAttr>(attr);
    std::string name = !kind                                       ? "cpu"
                       : kind.getKind() == exec::SpaceKind::Pinned ? "pinned"
                                                                   : "gpu:" + std::to_string(kind.getIndex());
    MemoryPlan &plan = getDevice(memory, name);
    readTotals(own, plan);
    plan.limit = readLimit(module, attr ? exec::getSpaceName(attr) : "cpu");
    readBound(module, plan);
    // Guarded buffers share nothing.
    int64_t arena = space.arenaBytes ? space.arenaBytes : space.sumOfSlots;
    if (arena < plan.arenaBytes || (arena == 0 && !plan.curve.empty()))
      continue;
    plan.arenaBytes = arena;
    plan.curve = space.getCurve();
    plan.curveNames = names;
    plan.lowerBound = plan.curve.empty() ? 0 : *llvm::max_element(plan.curve);
  }
}
