//===- CutGraph.cpp - minimum s-t cuts ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only file that knows Boost.Graph. The graph is in compressed rows, all of
// its properties are plain arrays. Costs of one vertex become one arc from the
// source or to the sink: only their difference decides.
//===----------------------------------------------------------------------===//

#include "hgc/Placement/CutGraph.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <numeric>

#define BOOST_NO_EXCEPTIONS
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/throw_exception.hpp>

// Compiler code has no exceptions; Boost only throws on graphs we do not make.
void boost::throw_exception(const std::exception &) { std::abort(); }
void boost::throw_exception(const std::exception &, const boost::source_location &) { std::abort(); }

using namespace hgc;

namespace {

using FlowGraph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                     boost::no_property, uint32_t, uint32_t>;
using FlowArc = boost::graph_traits<FlowGraph>::edge_descriptor;

/// Arcs in the order of their sources, each with its reverse.
struct Network {
  explicit Network(uint32_t vertices) : rows(vertices + 1, 0) {}

  void reserve(uint32_t from, uint32_t to) {
    ++rows[from + 1];
    ++rows[to + 1];
  }

  /// Turns the counts of `reserve` into positions.
  void layOut() {
    std::partial_sum(rows.begin(), rows.end(), rows.begin());
    next.assign(rows.begin(), rows.end() - 1);
    ends.resize(rows.back());
    capacities.resize(rows.back());
    reverses.resize(rows.back());
  }

  void add(uint32_t from, uint32_t to, int64_t capacity) {
    uint32_t there = next[from]++, back = next[to]++;
    ends[there] = {from, to};
    ends[back] = {to, from};
    capacities[there] = capacity;
    capacities[back] = 0;
    reverses[there] = FlowArc(to, back);
    reverses[back] = FlowArc(from, there);
  }

  uint32_t getNumVertices() const { return static_cast<uint32_t>(rows.size() - 1); }

  std::vector<uint32_t> rows, next;
  std::vector<std::pair<uint32_t, uint32_t>> ends;
  std::vector<int64_t> capacities;
  std::vector<FlowArc> reverses;
};

/// Runs the flow and leaves what is left of the capacities in `residual`.
int64_t maximizeFlow(const Network &network, uint32_t source, uint32_t sink, std::vector<int64_t> &residual) {
  uint32_t vertices = network.getNumVertices();
  FlowGraph graph(boost::edges_are_sorted, network.ends.begin(), network.ends.end(), vertices,
                  static_cast<uint32_t>(network.ends.size()));
  residual.assign(network.capacities.size(), 0);
  std::vector<FlowArc> predecessors(vertices);
  std::vector<boost::default_color_type> colors(vertices);
  std::vector<uint32_t> distances(vertices);
  auto arcIndex = get(boost::edge_index, graph);
  auto vertexIndex = get(boost::vertex_index, graph);
  auto ofArcs = [&](auto &array) { return boost::make_iterator_property_map(array.begin(), arcIndex); };
  auto ofVertices = [&](auto &array) { return boost::make_iterator_property_map(array.begin(), vertexIndex); };
  return boost::boykov_kolmogorov_max_flow(graph, ofArcs(network.capacities), ofArcs(residual),
                                           ofArcs(network.reverses), ofVertices(predecessors), ofVertices(colors),
                                           ofVertices(distances), vertexIndex, source, sink);
}

/// Vertices from which the sink is still reached: those that every minimum cut
/// puts on the second side.
std::vector<bool> findSinkSide(const Network &network, const std::vector<int64_t> &residual, uint32_t sink) {
  std::vector<bool> reaches(network.getNumVertices());
  std::vector<uint32_t> worklist{sink};
  reaches[sink] = true;
  while (!worklist.empty()) {
    uint32_t vertex = worklist.back();
    worklist.pop_back();
    for (uint32_t arc = network.rows[vertex]; arc != network.rows[vertex + 1]; ++arc) {
      uint32_t other = network.ends[arc].second;
      if (reaches[other] || residual[network.reverses[arc].idx] == 0)
        continue;
      reaches[other] = true;
      worklist.push_back(other);
    }
  }
  return reaches;
}

} // namespace

CutGraph::Vertex CutGraph::addVertex() {
  excess.push_back(0);
  forced.push_back(0);
  return static_cast<Vertex>(excess.size() - 1);
}

void CutGraph::addCosts(Vertex vertex, int64_t first, int64_t second) {
  if (first == kForbidden || second == kForbidden) {
    forced[vertex] = first == kForbidden ? 1 : -1;
    base += first == kForbidden ? second : first;
    return;
  }
  base += first;
  excess[vertex] += second - first;
}

void CutGraph::addArc(Vertex from, Vertex to, int64_t price) {
  if (price > 0 && from != to)
    arcs.push_back({from, to, price});
}

CutGraph::Solution CutGraph::solve() const {
  uint32_t vertices = getNumVertices(), source = vertices, sink = vertices + 1;
  // Above everything a solution without forbidden choices can pay.
  int64_t bound = 1;
  for (int64_t difference : excess)
    bound += std::abs(difference);
  for (const Arc &arc : arcs)
    bound += arc.price == kForbidden ? 0 : arc.price;

  Network network(vertices + 2);
  auto forEachArc = [&](auto visit) {
    for (Vertex vertex = 0; vertex < vertices; ++vertex) {
      int64_t difference = forced[vertex] ? forced[vertex] * -bound : excess[vertex];
      if (difference > 0)
        visit(source, vertex, difference);
      else if (difference < 0)
        visit(vertex, sink, -difference);
    }
    for (const Arc &arc : arcs)
      visit(arc.from, arc.to, arc.price == kForbidden ? bound : arc.price);
  };
  forEachArc([&](uint32_t from, uint32_t to, int64_t) { network.reserve(from, to); });
  network.layOut();
  forEachArc([&](uint32_t from, uint32_t to, int64_t capacity) { network.add(from, to, capacity); });

  Solution solution;
  std::vector<int64_t> residual;
  solution.cost = base + maximizeFlow(network, source, sink, residual);
  // The second side pays `excess` when it is positive; when it is negative the
  // first side was charged too much already.
  for (Vertex vertex = 0; vertex < vertices; ++vertex)
    if (forced[vertex] > 0 || (!forced[vertex] && excess[vertex] < 0))
      solution.cost += excess[vertex];
  solution.isSecond = findSinkSide(network, residual, sink);
  solution.isSecond.resize(vertices);
  return solution;
}
