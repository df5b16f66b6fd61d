//===- ControlFlow.cpp - If, Loop and Scan of ONNX ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The branches of an If may give tensors of different shapes: the result is then
// bounded by the larger extents, and the branch that runs tells the actual ones.
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "lib/Frontend/ONNX/OpTable.h"

using namespace mlir;

namespace hgc::onnx {

namespace {

/// An extent of output `output` that is known only when a branch ran.
struct OpenExtent {
  size_t output;
  int64_t dim;
};

class BranchJoiner {
public:
  explicit BranchJoiner(Node &node) : node(node) {}

  /// Pads the results of both branches to common shapes and appends the extents
  /// that differ.
  LogicalResult join(Block *thenBlock, Values &first, Block *elseBlock, Values &second) {
    if (first.size() != second.size() || first.size() < node.getNumOutputs())
      return node.invalid("the branches give " + Twine(first.size()) + " and " + Twine(second.size()) + " values for " +
                              Twine(node.getNumOutputs()) + " outputs",
                          "both branches need as many outputs as the node");
    count = first.size();
    for (size_t i = 0; i < count; ++i)
      if (failed(open(i, first[i], second[i])))
        return failure();
    widen(thenBlock, first);
    widen(elseBlock, second);
    return success();
  }

  void setOutputs(ArrayRef<Value> results) {
    for (auto [i, entry] : llvm::enumerate(extents))
      node.setExtent(results[entry.output], entry.dim, results[count + i]);
    for (unsigned i = 0; i < node.getNumOutputs(); ++i)
      node.setOutput(i, results[i]);
  }

private:
  LogicalResult open(size_t output, Value a, Value b) {
    if (Node::elementOf(a) != Node::elementOf(b))
      return node.invalid("the branches give elements of different types", "cast one of them in its branch");
    if (Node::rankOf(a) != Node::rankOf(b))
      return node.unsupported(
          "the branches give tensors of different ranks and the condition is known only at run time");
    Extents shape;
    for (int64_t dim = 0; dim < Node::rankOf(a); ++dim) {
      int64_t left = Node::shapeOf(a)[dim], right = Node::shapeOf(b)[dim];
      shape.push_back(std::max(left, right));
      if (left != right || node.getExtent(a, dim) || node.getExtent(b, dim))
        extents.push_back({output, dim});
    }
    shapes.push_back(shape);
    return success();
  }

  /// Adds the padding and the extents of one branch at its end.
  void widen(Block *block, Values &values) {
    node.getBuilder().setInsertionPointToEnd(block);
    Values actual;
    for (OpenExtent entry : extents) {
      Value value = values[entry.output], extent = node.getExtent(value, entry.dim);
      double size = static_cast<double>(Node::shapeOf(value)[entry.dim]);
      actual.push_back(extent ? extent : node.scalar(node.getBuilder().getI64Type(), size));
    }
    for (size_t i = 0; i < count; ++i) {
      Shape from = Node::shapeOf(values[i]);
      Extents low(from.size(), 0), high;
      for (auto [have, want] : llvm::zip_equal(from, shapes[i]))
        high.push_back(want - have);
      if (from != Shape(shapes[i]))
        values[i] = node.pad(values[i], node.scalar(Node::elementOf(values[i]), 0), low, high);
    }
    llvm::append_range(values, actual);
  }

  Node &node;
  size_t count = 0;
  SmallVector<Extents> shapes;
  SmallVector<OpenExtent> extents;
};

} // namespace

static LogicalResult importIf(Node &node) {
  std::optional<HostTensor> known = node.getConstant(node.getInput(0));
  if (known && known->getNumElements() == 1) {
    FailureOr<Values> results = node.importGraph(known->getInt(0) ? "then_branch" : "else_branch", {});
    if (failed(results))
      return failure();
    for (unsigned i = 0; i < node.getNumOutputs() && i < results->size(); ++i)
      node.setOutput(i, (*results)[i]);
    return success();
  }
  BranchJoiner joiner(node);
  FailureOr<Values> results = buildIf(
      node, node.getInput(0), [&] { return node.importGraph("then_branch", {}); },
      [&] { return node.importGraph("else_branch", {}); },
      [&](Block *thenBlock, Values &first, Block *elseBlock, Values &second) {
        return joiner.join(thenBlock, first, elseBlock, second);
      });
  if (failed(results))
    return failure();
  joiner.setOutputs(*results);
  return success();
}

void addControlFlowOps(OpTable &table) {
  table.add("If", importIf, 1, "branches of different ranks need a condition that is known at compile time");
  table.add(
      "Loop", importLoop, 1,
      "loop-carried tensors keep their shape; a trip count of the run time needs declared shapes of scan outputs");
  table.add("Scan", importScan, 8, "states keep their shape");
}

} // namespace hgc::onnx
