//===- PlacementProblem.h - placement as plain numbers ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What there is to decide, free of IR: nodes with a cost per kind of device,
// values that are copied at most once to each device that reads them, and
// savings for neighbours that share a kernel. All costs are picoseconds of one
// call of each entry.
//===----------------------------------------------------------------------===//

#ifndef HGC_PLACEMENT_PLACEMENTPROBLEM_H
#define HGC_PLACEMENT_PLACEMENTPROBLEM_H

#include <cstdint>
#include <vector>

namespace hgc {

/// Devices as bits: 1 is the CPU, 2 << g is GPU g.
using DeviceMask = uint16_t;
inline constexpr DeviceMask kOnCpu = 1;
inline constexpr DeviceMask onGpu(unsigned gpu) { return static_cast<DeviceMask>(2u << gpu); }
inline constexpr bool isOnGpu(DeviceMask mask) { return mask > kOnCpu; }
/// GPUs one plan can have.
inline constexpr unsigned kMaxGpus = 8;

using NodeId = uint32_t;

/// The problem. Nodes are in program order: only values that loops carry are
/// read by nodes before their producer.
struct PlacementProblem {
  /// Producer of what is on the host from the start.
  static constexpr NodeId kHost = UINT32_MAX;

  struct Node {
    int64_t cpuCost = 0, gpuCost = 0;
    /// The devices it may be on; pins leave one.
    DeviceMask allowed = kOnCpu | onGpu(0);
    /// May be on several devices at once, paying for each. Never the consumer of
    /// a fusion: its producer would have to be copied, and could not be fused.
    bool mayRepeat = false;
  };

  /// A value and its readers: `numReaders` of `readers` from `firstReader`.
  struct Value {
    NodeId producer = kHost;
    uint32_t firstReader = 0, numReaders = 0;
    /// The host reads it, too: a result of an entry, or a predicate.
    bool hostReads = false;
    /// Prices of copies from the CPU, to the CPU and between two GPUs.
    int64_t uploadCost = 0, downloadCost = 0, peerCost = 0;
  };

  /// What is saved when both ends are on the same device.
  struct Fusion {
    NodeId producer = 0, consumer = 0;
    int64_t cpuSaving = 0, gpuSaving = 0;
  };

  /// The part of one entry: up to these numbers, from the entry before.
  struct Entry {
    uint32_t endNode = 0, endValue = 0, endFusion = 0;
  };

  std::vector<Node> nodes;
  std::vector<Value> values;
  std::vector<NodeId> readers;
  std::vector<Fusion> fusions;
  std::vector<Entry> entries;
  unsigned numGpus = 1;

  NodeId addNode(const Node &node);
  void addValue(Value value, const std::vector<NodeId> &readersOfIt);
};

/// Where each node is; of a node that may repeat, all of its devices.
using Placement = std::vector<DeviceMask>;

/// The price of moving a value that is on `from` to all of `to`, from the
/// cheapest source each.
int64_t priceCopies(const PlacementProblem::Value &value, DeviceMask from, DeviceMask to);

/// Cost of a placement by the definition above: no cut, no flow.
int64_t computeCost(const PlacementProblem &problem, const Placement &placement);

/// The same for each entry.
std::vector<int64_t> computeEntryCosts(const PlacementProblem &problem, const Placement &placement);

/// Whether every node is on allowed devices, and on one unless it may repeat.
bool isValid(const PlacementProblem &problem, const Placement &placement);

} // namespace hgc

#endif // HGC_PLACEMENT_PLACEMENTPROBLEM_H
