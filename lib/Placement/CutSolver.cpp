//===- CutSolver.cpp - cheapest placement on two devices ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first side of the cut is the CPU. A node is one vertex; one that may be on
// both devices is two: `cpu`, on the first side iff it is on the CPU, and `gpu`,
// on the second side iff it is on the GPU. A value is uploaded once if its
// producer is not on the GPU and any reader is: the arc from the producer to a
// vertex that every reader on the GPU pulls to the second side. Downloads mirror
// that. A saving for two nodes on one side lowers the producer's cost there and
// is due as an arc when they part.
//===----------------------------------------------------------------------===//

#include "hgc/Placement/CutSolver.h"

#include "hgc/Placement/CutGraph.h"

#include <algorithm>
#include <cassert>

using namespace hgc;

namespace {

class CutBuilder {
public:
  CutBuilder(const PlacementProblem &problem, DeviceMask gpu) : problem(problem), gpu(gpu) {}

  CutResult solve() {
    for (const PlacementProblem::Node &node : problem.nodes)
      addNode(node);
    for (const PlacementProblem::Value &value : problem.values)
      addValue(value);
    for (const PlacementProblem::Fusion &fusion : problem.fusions)
      addFusion(fusion);
    CutGraph::Solution solution = graph.solve();
    CutResult result;
    result.bound = solution.cost;
    for (NodeId id = 0; id < nodes.size(); ++id) {
      DeviceMask devices = 0;
      if (!solution.isSecond[nodes[id].cpu])
        devices |= kOnCpu;
      if (solution.isSecond[nodes[id].gpu])
        devices |= chooseGpu(problem.nodes[id]);
      result.placement.push_back(devices);
    }
    return result;
  }

private:
  struct Vertices {
    CutGraph::Vertex cpu, gpu;
  };

  /// The GPU of a node: another one only where a pin says so.
  DeviceMask chooseGpu(const PlacementProblem::Node &node) const {
    DeviceMask gpus = node.allowed & ~kOnCpu;
    return gpus & gpu ? gpu : static_cast<DeviceMask>(gpus & -gpus);
  }

  void addNode(const PlacementProblem::Node &node) {
    CutGraph::Vertex vertex = graph.addVertex();
    nodes.push_back({vertex, vertex});
    bool mayCpu = node.allowed & kOnCpu, mayGpu = isOnGpu(node.allowed);
    assert((mayCpu || mayGpu) && "a node without a device");
    if (!node.mayRepeat || !mayCpu || !mayGpu) {
      graph.addCosts(vertex, mayCpu ? node.cpuCost : CutGraph::kForbidden,
                     mayGpu ? node.gpuCost : CutGraph::kForbidden);
      return;
    }
    nodes.back().gpu = graph.addVertex();
    graph.addCosts(nodes.back().cpu, node.cpuCost, 0);
    graph.addCosts(nodes.back().gpu, 0, node.gpuCost);
    // On neither device.
    graph.addArc(nodes.back().gpu, nodes.back().cpu, CutGraph::kForbidden);
  }

  /// The vertex that is always on the CPU.
  CutGraph::Vertex getHost() {
    if (host == kNone) {
      host = graph.addVertex();
      graph.addCosts(host, 0, CutGraph::kForbidden);
    }
    return host;
  }

  void addValue(const PlacementProblem::Value &value) {
    const NodeId *readers = problem.readers.data() + value.firstReader;
    bool isHosts = value.producer == PlacementProblem::kHost;
    if (value.numReaders && value.uploadCost) {
      CutGraph::Vertex from = isHosts ? getHost() : nodes[value.producer].gpu;
      if (value.numReaders == 1) {
        graph.addArc(from, nodes[*readers].gpu, value.uploadCost);
      } else {
        CutGraph::Vertex copy = graph.addVertex();
        graph.addArc(from, copy, value.uploadCost);
        for (uint32_t i = 0; i < value.numReaders; ++i)
          graph.addArc(copy, nodes[readers[i]].gpu, CutGraph::kForbidden);
      }
    }
    if (isHosts || !value.downloadCost)
      return;
    CutGraph::Vertex to = nodes[value.producer].cpu;
    if (value.hostReads) {
      graph.addArc(getHost(), to, value.downloadCost);
    } else if (value.numReaders == 1) {
      graph.addArc(nodes[*readers].cpu, to, value.downloadCost);
    } else if (value.numReaders) {
      CutGraph::Vertex copy = graph.addVertex();
      graph.addArc(copy, to, value.downloadCost);
      for (uint32_t i = 0; i < value.numReaders; ++i)
        graph.addArc(nodes[readers[i]].cpu, copy, CutGraph::kForbidden);
    }
  }

  void addFusion(const PlacementProblem::Fusion &fusion) {
    const Vertices &producer = nodes[fusion.producer], &consumer = nodes[fusion.consumer];
    assert(consumer.cpu == consumer.gpu && "the consumer of a fusion may not repeat");
    graph.addCosts(producer.cpu, -fusion.cpuSaving, 0);
    graph.addArc(producer.cpu, consumer.cpu, fusion.cpuSaving);
    graph.addCosts(producer.gpu, 0, -fusion.gpuSaving);
    graph.addArc(consumer.gpu, producer.gpu, fusion.gpuSaving);
  }

  static constexpr CutGraph::Vertex kNone = UINT32_MAX;
  const PlacementProblem &problem;
  DeviceMask gpu;
  CutGraph graph;
  std::vector<Vertices> nodes;
  CutGraph::Vertex host = kNone;
};

/// Takes nodes from devices where nobody reads them. Readers come later in
/// program order, but for what loops carry, so that one sweep from the end sees
/// them first.
void dropUnread(const PlacementProblem &problem, Placement &placement) {
  if (std::none_of(placement.begin(), placement.end(), [](DeviceMask devices) { return devices & (devices - 1); }))
    return;
  std::vector<std::vector<uint32_t>> valuesOf(problem.nodes.size());
  for (uint32_t i = 0; i < problem.values.size(); ++i)
    if (problem.values[i].producer != PlacementProblem::kHost && problem.nodes[problem.values[i].producer].mayRepeat)
      valuesOf[problem.values[i].producer].push_back(i);
  for (NodeId node = static_cast<NodeId>(problem.nodes.size()); node-- > 0;) {
    DeviceMask devices = placement[node];
    if (!(devices & (devices - 1)))
      continue;
    DeviceMask wanted = 0;
    for (uint32_t number : valuesOf[node]) {
      const PlacementProblem::Value &value = problem.values[number];
      wanted |= value.hostReads ? kOnCpu : 0;
      for (uint32_t i = 0; i < value.numReaders; ++i)
        wanted |= placement[problem.readers[value.firstReader + i]];
    }
    if (DeviceMask kept = devices & wanted)
      placement[node] = kept;
    else
      placement[node] = devices & kOnCpu ? kOnCpu : static_cast<DeviceMask>(devices & -devices);
  }
}

} // namespace

CutResult hgc::placeByCut(const PlacementProblem &problem, unsigned gpu) {
  CutResult result = CutBuilder(problem, onGpu(gpu)).solve();
  dropUnread(problem, result.placement);
  result.cost = computeCost(problem, result.placement);
  return result;
}
