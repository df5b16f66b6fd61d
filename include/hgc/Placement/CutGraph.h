//===- CutGraph.h - minimum s-t cuts ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain numbers in, sides out. Memory is linear in vertices and arcs.
//===----------------------------------------------------------------------===//

#ifndef HGC_PLACEMENT_CUTGRAPH_H
#define HGC_PLACEMENT_CUTGRAPH_H

#include <cstdint>
#include <vector>

namespace hgc {

/// A choice between two sides for every vertex, with costs for single vertices
/// and for pairs. The cheapest choice is a minimum cut.
class CutGraph {
public:
  using Vertex = uint32_t;
  /// A price that no solution pays if another one exists.
  static constexpr int64_t kForbidden = INT64_MAX;

  Vertex addVertex();
  uint32_t getNumVertices() const { return static_cast<uint32_t>(excess.size()); }

  /// Costs of `vertex` on the first and on the second side; they add up over
  /// calls and may be negative. At most one of them may be `kForbidden`.
  void addCosts(Vertex vertex, int64_t first, int64_t second);

  /// A price, at least 0, that is due when `from` is on the first side and `to`
  /// on the second.
  void addArc(Vertex from, Vertex to, int64_t price);

  /// A cheapest choice and its cost. Of several, the one with most vertices on
  /// the first side; it is unique.
  struct Solution {
    int64_t cost = 0;
    std::vector<bool> isSecond;
  };
  Solution solve() const;

private:
  struct Arc {
    Vertex from, to;
    int64_t price;
  };
  /// By how much the second side is dearer; `base` holds what is due anyway.
  std::vector<int64_t> excess;
  std::vector<int8_t> forced;
  std::vector<Arc> arcs;
  int64_t base = 0;
};

} // namespace hgc

#endif // HGC_PLACEMENT_CUTGRAPH_H
