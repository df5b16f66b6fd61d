//===- Contraction.cpp - MatMul, Gemm, MatMulInteger ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../Bounded.h"
#include "Einsum.h"
#include "Products.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;

/// The dims that a product sums over are equally long: the call fails when those of
/// bounded operands are not. What lies beyond becomes zero on both sides.
static void joinDepths(Node &node, Value &lhs, int64_t lhsDim, Value &rhs, int64_t rhsDim) {
  if (!node.getExtent(lhs, lhsDim) && !node.getExtent(rhs, rhsDim))
    return;
  Value left = getActualExtent(node, lhs, lhsDim), right = getActualExtent(node, rhs, rhsDim);
  if (left != right)
    node.require(node.compare(graph::ComparePredicate::EQ, left, right),
                 "the matrices of '" + node.getName() + "' do not fit each other");
  int64_t depth = std::min(Node::shapeOf(lhs)[lhsDim], Node::shapeOf(rhs)[rhsDim]);
  auto cut = [&](Value value, int64_t dim) {
    Value filled = fillBeyond(node, value, node.scalar(Node::elementOf(value), 0), {dim});
    return Node::shapeOf(filled)[dim] == depth ? filled : node.sliceAxis(filled, dim, 0, depth);
  };
  lhs = cut(lhs, lhsDim);
  rhs = cut(rhs, rhsDim);
}

/// Extents of NumPy's product of the node's inputs.
static void setProductExtents(Node &node, Value product) {
  Value lhs = node.getInput(0), rhs = node.getInput(1);
  int64_t left = Node::rankOf(lhs), right = Node::rankOf(rhs), rank = Node::rankOf(product);
  // Dims of the product behind its batches: rows, unless the left side is a vector,
  // and columns, unless the right side is.
  int64_t own = (left > 1) + (right > 1);
  if (left > 1)
    joinExtents(node, product, rank - own, {{lhs, left - 2}});
  if (right > 1)
    joinExtents(node, product, rank - 1, {{rhs, right - 1}});
  for (int64_t dim = 0; dim < rank - own; ++dim) {
    int64_t fromEnd = rank - own - dim;
    SmallVector<DimOf> sources;
    for (Value operand : {lhs, rhs})
      if (int64_t place = Node::rankOf(operand) - 2 - fromEnd; place >= 0)
        sources.push_back({operand, place});
    joinExtents(node, product, dim, sources);
  }
}

static LogicalResult importMatMul(Node &node) {
  Value lhs = node.getInput(0), rhs = node.getInput(1);
  // Of scalars multiplyAsNumPy makes an error.
  if (Node::rankOf(lhs) > 0 && Node::rankOf(rhs) > 0)
    joinDepths(node, lhs, Node::rankOf(lhs) - 1, rhs, std::max<int64_t>(Node::rankOf(rhs) - 2, 0));
  auto multiply = [&](Value a, Value b) { return multiplyMatrices(node, a, b); };
  Value product = multiplyAsNumPy(node, lhs, rhs, multiply);
  if (product)
    setProductExtents(node, product);
  return node.done(product);
}

static LogicalResult importMatMulInteger(Node &node) {
  return node.done(multiplyIntegers(node, node.getInput(0), node.getInput(1), node.getInput(2), node.getInput(3)));
}

/// `value` times a factor of type float, truncated for integers as the result is.
static Value scaleBy(Node &node, Value value, double factor) {
  if (!value || factor == 1)
    return value;
  Type element = Node::elementOf(value);
  Type wide = isa<FloatType>(element) ? element : node.getBuilder().getF64Type();
  return node.cast(node.mul(node.cast(value, wide), node.scalar(wide, factor)), element);
}

/// The matrices of Gemm: opset 1 to 6 also have those of higher rank, as 2-D.
static Value asMatrix(Node &node, Value value) {
  if (!value || Node::rankOf(value) == 2)
    return value;
  Shape shape = Node::shapeOf(value);
  int64_t rows = shape.empty() ? 1 : shape[0];
  int64_t columns = rows ? Node::countOf(value) / rows : 0;
  return node.reshape(value, {rows, columns});
}

static LogicalResult importGemm(Node &node) {
  bool transA = node.getInt("transA", 0) != 0, transB = node.getInt("transB", 0) != 0;
  double beta = node.getFloat("beta", 1);
  Value a = node.getInput(0), b = node.getInput(1), bias = beta == 0 ? Value() : node.getInput(2);
  for (Value matrix : {a, b})
    if (Node::rankOf(matrix) != 2 && node.isBounded(matrix))
      return node.unsupported("an extent of its input is known only at run time");
  Value lhs = asMatrix(node, a), rhs = asMatrix(node, b);
  if (!lhs || !rhs)
    return failure();
  joinDepths(node, lhs, transA ? 0 : 1, rhs, transB ? 1 : 0);
  Value product = scaleBy(node, multiplyMatrices(node, lhs, rhs, transA, transB), node.getFloat("alpha", 1));
  if (product && bias)
    product = node.add(product, scaleBy(node, bias, beta));
  if (!product)
    return failure();
  SmallVector<DimOf> rows{{a, transA ? 1 : 0}}, columns{{b, transB ? 0 : 1}};
  if (bias && Node::rankOf(bias) > 1)
    rows.push_back({bias, Node::rankOf(bias) - 2});
  if (bias && Node::rankOf(bias) > 0)
    columns.push_back({bias, Node::rankOf(bias) - 1});
  if (Node::rankOf(a) == 2 && Node::rankOf(b) == 2 && Node::rankOf(product) == 2) {
    joinExtents(node, product, 0, rows);
    joinExtents(node, product, 1, columns);
  }
  return node.done(product);
}

void hgc::onnx::addContractionOps(OpTable &table) {
  table.addBounded("MatMul", withInputs<2, importMatMul>);
  table.add("MatMulInteger", withInputs<2, importMatMulInteger>, 10);
  table.addBounded("Gemm", withInputs<2, importGemm>);
  table.add("Einsum", withInputs<1, importEinsum>, 12);
}
