//===- PlacementIndex.h - what hangs on each node ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_PLACEMENT_PLACEMENTINDEX_H
#define HGC_PLACEMENT_PLACEMENTINDEX_H

#include "hgc/Placement/PlacementProblem.h"

#include "llvm/ADT/ArrayRef.h"

namespace hgc {

/// The values and fusions of each node, in linear memory.
class PlacementIndex {
public:
  explicit PlacementIndex(const PlacementProblem &problem);

  /// Numbers of the values that `node` makes, reads, and of its fusions.
  llvm::ArrayRef<uint32_t> getMade(NodeId node) const { return made.get(node); }
  llvm::ArrayRef<uint32_t> getRead(NodeId node) const { return read.get(node); }
  llvm::ArrayRef<uint32_t> getFusions(NodeId node) const { return fusions.get(node); }

private:
  /// Lists of numbers by node, one behind the other.
  struct Lists {
    template <typename ForEach> Lists(size_t nodes, ForEach forEach) : ends(nodes + 1, 0) {
      forEach([&](NodeId node, uint32_t) { ++ends[node + 1]; });
      for (size_t i = 1; i < ends.size(); ++i)
        ends[i] += ends[i - 1];
      numbers.resize(ends.back());
      std::vector<uint32_t> next(ends.begin(), ends.end() - 1);
      forEach([&](NodeId node, uint32_t number) { numbers[next[node]++] = number; });
    }
    llvm::ArrayRef<uint32_t> get(NodeId node) const {
      return llvm::ArrayRef(numbers).slice(ends[node], ends[node + 1] - ends[node]);
    }
    std::vector<uint32_t> ends, numbers;
  };
  Lists made, read, fusions;
};

/// What a change of one node costs, in time that depends on that node alone.
class MovePrices {
public:
  MovePrices(const PlacementProblem &problem, const Placement &placement);

  /// Parts of the difference a move makes; their sum is the whole.
  struct Difference {
    int64_t computing = 0, copying = 0, fusing = 0;
    int64_t getTotal() const { return computing + copying + fusing; }
  };
  Difference getDifference(NodeId node, DeviceMask devices) const;

  /// Makes the move; later questions start from there.
  void move(NodeId node, DeviceMask devices);

  const Placement &getPlacement() const { return placement; }
  const PlacementIndex &getIndex() const { return index; }

private:
  /// Devices from which `value` is read, with one reader left out.
  DeviceMask getReaders(uint32_t value, DeviceMask without) const;
  void count(NodeId node, int difference);

  const PlacementProblem &problem;
  Placement placement;
  PlacementIndex index;
  unsigned numDevices;
  /// Readers of each value by device.
  std::vector<uint32_t> counts;
};

} // namespace hgc

#endif // HGC_PLACEMENT_PLACEMENTINDEX_H
