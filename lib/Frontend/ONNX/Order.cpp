//===- Order.cpp - nodes in an order in which they can run ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include "onnx.pb.h"

#include "llvm/ADT/StringSet.h"
#include <queue>

using namespace mlir;
using namespace hgc;
using ::onnx::GraphProto;
using ::onnx::NodeProto;

/// Calls `visit` with every name that `node` reads, also through the graphs in its
/// attributes, unless such a graph defines it. The parser has limited the depth.
static void visitReads(const NodeProto &node, llvm::function_ref<void(StringRef)> visit);

static void visitOuterReads(const GraphProto &graph, llvm::function_ref<void(StringRef)> visit) {
  llvm::StringSet<> own;
  for (const auto &input : graph.input())
    own.insert(input.name());
  for (const auto &tensor : graph.initializer())
    own.insert(tensor.name());
  for (const NodeProto &node : graph.node())
    for (const std::string &output : node.output())
      own.insert(output);
  auto visitOuter = [&](StringRef name) {
    if (!own.contains(name))
      visit(name);
  };
  for (const NodeProto &node : graph.node())
    visitReads(node, visitOuter);
  for (const auto &output : graph.output())
    visitOuter(output.name());
}

static void visitReads(const NodeProto &node, llvm::function_ref<void(StringRef)> visit) {
  for (const std::string &input : node.input())
    if (!input.empty())
      visit(input);
  for (const auto &attribute : node.attribute()) {
    if (attribute.has_g())
      visitOuterReads(attribute.g(), visit);
    for (const GraphProto &graph : attribute.graphs())
      visitOuterReads(graph, visit);
  }
}

FailureOr<std::vector<const NodeProto *>> hgc::onnx::sortNodes(ArrayRef<const NodeProto *> nodes,
                                                               MLIRContext &context) {
  llvm::StringMap<size_t> producers;
  for (auto [i, node] : llvm::enumerate(nodes))
    for (const std::string &output : node->output())
      if (!output.empty())
        producers.try_emplace(output, i);

  std::vector<SmallVector<size_t>> readers(nodes.size());
  std::vector<size_t> waitsFor(nodes.size(), 0);
  for (auto [i, node] : llvm::enumerate(nodes))
    visitReads(*node, [&, i = i](StringRef name) {
      auto producer = producers.find(name);
      if (producer == producers.end())
        return;
      readers[producer->second].push_back(i);
      ++waitsFor[i];
    });

  std::priority_queue<size_t, std::vector<size_t>, std::greater<size_t>> ready;
  for (size_t i = 0; i < nodes.size(); ++i)
    if (waitsFor[i] == 0)
      ready.push(i);
  std::vector<const NodeProto *> order;
  while (!ready.empty()) {
    size_t next = ready.top();
    ready.pop();
    order.push_back(nodes[next]);
    for (size_t reader : readers[next])
      if (--waitsFor[reader] == 0)
        ready.push(reader);
  }
  if (order.size() == nodes.size())
    return order;
  size_t first = llvm::find_if(waitsFor, [](size_t count) { return count > 0; }) - waitsFor.begin();
  const NodeProto &node = *nodes[first];
  return graph::emitWithHint(UnknownLoc::get(&context),
                             "the graph has a cycle: node '" + Twine(node.name()) + "' (" + node.op_type() +
                                 ") needs its own result",
                             "an ONNX graph has no cycles; loops are the ops Loop and Scan");
}
