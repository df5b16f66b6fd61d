//===- Det.cpp - determinants of a batch of matrices ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gaussian elimination with row pivoting, one column a step of an hgc.scan.
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "Signal.h"

using namespace mlir;

namespace hgc::onnx {

using graph::ComparePredicate;

namespace {

class Elimination {
public:
  Elimination(Node &node, int64_t batch, int64_t size, Type element)
      : node(node), batch(batch), size(size), element(element), i64(node.getBuilder().getI64Type()) {
    rows = node.iota({1, size}, 1, i64);
  }

  /// Eliminates column `column` (rank-0) of `matrix`; gives what remains and the
  /// product so far.
  FailureOr<Values> buildStep(Value matrix, Value product, Value column) {
    Value entries = node.gather(matrix, column, 2); // [batch, size]
    Value left = node.compare(ComparePredicate::GE, rows, column);
    Value sizes = node.select(left, node.create<graph::AbsOp>(entries), node.scalar(element, -1));
    Value pivot = node.create<graph::ArgReduceOp>(graph::ArgReduceKind::Max, sizes, 1, true); // [batch, 1]

    Value here = node.unsqueeze(node.gather(matrix, column, 1), {1});
    Value wanted = node.broadcast(node.reshape(pivot, {batch, 1, 1}), {batch, 1, size});
    Value best = node.create<graph::GatherAlongOp>(matrix, wanted, 1);
    Value value = node.create<graph::GatherAlongOp>(entries, pivot, 1); // [batch, 1]

    // The pivot's row changes places with this one.
    auto isRow = [&](Value index) { return node.unsqueeze(node.compare(ComparePredicate::EQ, rows, index), {2}); };
    Value swapped = node.select(isRow(pivot), here, matrix);
    swapped = node.select(isRow(column), best, swapped);
    Value below = node.compare(ComparePredicate::GT, rows, column);
    Value nonzero = node.compare(ComparePredicate::NE, value, node.scalar(element, 0));
    Value factors = node.div(node.gather(swapped, column, 2), value);
    factors = node.select(node.create<graph::AndOp>(below, nonzero), factors, node.scalar(element, 0));
    Value next = node.sub(swapped, node.mul(node.unsqueeze(factors, {2}), best));

    Value same = node.compare(ComparePredicate::EQ, pivot, column);
    Value sign = node.select(same, node.scalar(element, 1), node.scalar(element, -1));
    Value grown = node.mul(product, node.reshape(node.mul(sign, value), {batch}));
    return Values{next, grown};
  }

private:
  Node &node;
  int64_t batch, size;
  Type element, i64;
  Value rows;
};

} // namespace

LogicalResult importDet(Node &node) {
  Value x = node.getInput(0);
  int64_t rank = x ? Node::rankOf(x) : 0;
  if (rank < 2 || Node::shapeOf(x)[rank - 1] != Node::shapeOf(x)[rank - 2])
    return node.invalid("the input holds no square matrices", "the last two dims are the matrix");
  Shape outer = Node::shapeOf(x).drop_back(2);
  int64_t size = Node::shapeOf(x).back(), batch = 1;
  for (int64_t extent : outer)
    batch *= extent;
  Type narrow = Node::elementOf(x), element = narrow.isF64() ? narrow : node.getBuilder().getF32Type();
  Value matrix = node.reshape(node.cast(x, element), {batch, size, size});
  Value one = node.splat(element, {batch}, 1);
  if (size == 0)
    return node.done(node.reshape(node.cast(one, narrow), outer));
  Elimination elimination(node, batch, size, element);
  FailureOr<Values> results = buildScan(
      node, {matrix, one}, node.iota({size}, 0, node.getBuilder().getI64Type()), false,
      [&](ValueRange states, ValueRange slices) { return elimination.buildStep(states[0], states[1], slices[0]); });
  if (failed(results))
    return failure();
  return node.done(node.reshape(node.cast((*results)[1], narrow), outer));
}

} // namespace hgc::onnx
