//===- SearchModel.cpp - the program a placement leads to -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Placement/Search.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace hgc;

namespace hgc {

/// Collects the tasks of one entry. Device 0 is the CPU, device g + 1 is GPU g.
class TaskBuilder {
public:
  TaskBuilder(const MakespanModel &model, const Placement &placement, uint32_t entry)
      : model(model), problem(model.problem), placement(placement), entry(entry) {
    if (entry > 0)
      first = problem.entries[entry - 1];
    last = problem.entries[entry];
  }

  void run() {
    contractFusions();
    for (NodeId node = first.endNode; node < last.endNode; ++node)
      forEachDevice(placement[node], [&](unsigned device) { addKernel({node, device}); });
    // What loops carry back, and what the host reads.
    for (uint32_t value = first.endValue; value < last.endValue; ++value)
      addMissingCopies(value);
  }

  std::vector<TimelineTask> tasks;
  /// The nodes that moving would change each task.
  std::vector<llvm::SmallVector<NodeId, 2>> owners;

private:
  using Tasks = llvm::SmallVector<unsigned, 4>;
  /// A node on one of its devices.
  using Instance = std::pair<NodeId, unsigned>;

  template <typename Function> static void forEachDevice(DeviceMask mask, Function function) {
    for (; mask; mask &= mask - 1)
      function(llvm::countr_zero(mask));
  }

  bool isHere(NodeId node) const { return model.entryOf[node] == entry; }
  DeviceMask getSource(const PlacementProblem::Value &value) const {
    return value.producer == PlacementProblem::kHost ? kOnCpu : placement[value.producer];
  }

  void contractFusions() {
    for (uint32_t i = first.endFusion; i < last.endFusion; ++i) {
      const PlacementProblem::Fusion &fusion = problem.fusions[i];
      DeviceMask shared = placement[fusion.producer] & placement[fusion.consumer];
      if (!shared)
        continue;
      unsigned device = llvm::countr_zero(shared);
      int64_t saving = device == 0 ? fusion.cpuSaving : fusion.gpuSaving;
      if (saving <= 0)
        continue;
      inner.insert({fusion.producer, device});
      members[{fusion.consumer, device}].push_back(fusion.producer);
      savings[{fusion.consumer, device}] += saving;
    }
  }

  /// What must be over before `value` is on `device`; makes the copy if need be.
  const Tasks &getReady(uint32_t number, unsigned device) {
    const PlacementProblem::Value &value = problem.values[number];
    if (getSource(value) & (1u << device))
      return value.producer == PlacementProblem::kHost ? none : done[{value.producer, device}];
    auto [it, isNew] = copies.try_emplace({number, device});
    if (!isNew)
      return it->second;
    Tasks result = addCopy(number, device);
    return copies[{number, device}] = std::move(result);
  }

  Tasks addCopy(uint32_t number, unsigned device) {
    const PlacementProblem::Value &value = problem.values[number];
    DeviceMask sources = getSource(value);
    unsigned from = llvm::countr_zero(sources);
    int64_t price = priceCopies(value, sources, static_cast<DeviceMask>(1u << device));
    Tasks ready = getReady(number, from);
    if (price == 0)
      return ready;
    int64_t stream = device == 0 ? (from - 1) * kResourcesPerGpu + 2 : (device - 1) * kResourcesPerGpu + 1;
    llvm::SmallVector<NodeId, 2> ends;
    if (value.producer != PlacementProblem::kHost)
      ends.push_back(value.producer);
    for (NodeId reader : llvm::ArrayRef(problem.readers).slice(value.firstReader, value.numReaders))
      if (placement[reader] & (1u << device))
        ends.push_back(reader);
    return addTask(getStreamResource(stream), price, std::move(ready), std::move(ends));
  }

  Tasks addTask(Resource resource, int64_t price, Tasks ready, llvm::SmallVector<NodeId, 2> nodes) {
    tasks.push_back({"", resource, price, std::move(ready)});
    owners.push_back(std::move(nodes));
    return {static_cast<unsigned>(tasks.size() - 1)};
  }

  /// Adds what `instance` and all that is fused into it cost and wait for.
  void collect(Instance instance, int64_t &price, Tasks &ready, llvm::SmallVector<NodeId, 2> &nodes) {
    auto [node, device] = instance;
    nodes.push_back(node);
    price += device == 0 ? problem.nodes[node].cpuCost : problem.nodes[node].gpuCost;
    price -= savings.lookup(instance);
    llvm::ArrayRef<NodeId> fused;
    if (auto it = members.find(instance); it != members.end())
      fused = it->second;
    for (uint32_t number : model.index.getRead(node)) {
      NodeId producer = problem.values[number].producer;
      // Values of later nodes come from the iteration before.
      bool isEarlier = producer == PlacementProblem::kHost || (producer < node && isHere(producer));
      if (isEarlier && !llvm::is_contained(fused, producer))
        llvm::append_range(ready, getReady(number, device));
    }
    for (NodeId producer : fused)
      collect({producer, device}, price, ready, nodes);
  }

  void addKernel(Instance instance) {
    if (inner.contains(instance))
      return;
    int64_t price = 0;
    Tasks ready;
    llvm::SmallVector<NodeId, 2> nodes;
    collect(instance, price, ready, nodes);
    llvm::sort(ready);
    ready.erase(std::unique(ready.begin(), ready.end()), ready.end());
    unsigned device = instance.second;
    Resource resource = device == 0 ? kHostResource : getStreamResource((device - 1) * kResourcesPerGpu);
    done[instance] = price > 0 ? addTask(resource, price, std::move(ready), std::move(nodes)) : std::move(ready);
  }

  void addMissingCopies(uint32_t number) {
    const PlacementProblem::Value &value = problem.values[number];
    DeviceMask wanted = value.hostReads ? kOnCpu : 0;
    for (NodeId reader : llvm::ArrayRef(problem.readers).slice(value.firstReader, value.numReaders))
      wanted |= placement[reader];
    forEachDevice(wanted & ~getSource(value), [&](unsigned device) { getReady(number, device); });
  }

  const MakespanModel &model;
  const PlacementProblem &problem;
  const Placement &placement;
  uint32_t entry;
  PlacementProblem::Entry first, last;
  /// Producers that are part of their reader's kernel, and what they save there.
  llvm::DenseSet<Instance> inner;
  llvm::DenseMap<Instance, llvm::SmallVector<NodeId, 2>> members;
  llvm::DenseMap<Instance, int64_t> savings;
  /// What to wait for to have a node's results, or a copied value.
  llvm::DenseMap<Instance, Tasks> done;
  llvm::DenseMap<std::pair<uint32_t, unsigned>, Tasks> copies;
  Tasks none;
};

} // namespace hgc

MakespanModel::MakespanModel(const PlacementProblem &problem) : problem(problem), index(problem) {
  for (auto [number, entry] : llvm::enumerate(problem.entries))
    entryOf.resize(entry.endNode, number);
}

std::vector<TimelineTask> MakespanModel::buildTasks(const Placement &placement, uint32_t entry) const {
  TaskBuilder builder(*this, placement, entry);
  builder.run();
  return std::move(builder.tasks);
}

MakespanModel::Estimate MakespanModel::estimate(const Placement &placement) const {
  Estimate result;
  std::vector<bool> isListed(problem.nodes.size());
  for (uint32_t entry = 0; entry < problem.entries.size(); ++entry) {
    TaskBuilder builder(*this, placement, entry);
    builder.run();
    Timeline timeline = simulateTimeline(builder.tasks, chooseOrder(builder.tasks));
    result.makespanPs += timeline.makespanPs;
    for (unsigned task : timeline.criticalTasks)
      for (NodeId node : builder.owners[task]) {
        if (!isListed[node])
          result.critical.push_back(node);
        isListed[node] = true;
      }
  }
  return result;
}

std::vector<int64_t> hgc::computeEntryMakespans(const PlacementProblem &problem, const Placement &placement) {
  MakespanModel model(problem);
  std::vector<int64_t> makespans;
  for (uint32_t entry = 0; entry < problem.entries.size(); ++entry) {
    std::vector<TimelineTask> tasks = model.buildTasks(placement, entry);
    makespans.push_back(simulateTimeline(tasks, chooseOrder(tasks)).makespanPs);
  }
  return makespans;
}
