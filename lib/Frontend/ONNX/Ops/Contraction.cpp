//===- Contraction.cpp - MatMul, Gemm, MatMulInteger ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Batches.h"
#include "Einsum.h"
#include "Products.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;

static LogicalResult importMatMul(Node &node) {
  Value lhs = node.getInput(0), rhs = node.getInput(1);
  auto multiply = [&](Value a, Value b) { return multiplyMatrices(node, a, b); };
  Value product = multiplyAsNumPy(node, lhs, rhs, multiply);
  // All rows meet the same matrix.
  int64_t rows = Node::rankOf(rhs) <= 2 ? Node::rankOf(lhs) - 1 : 0;
  return doneBatched(node, product, rows);
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
  Value product =
      multiplyMatrices(node, asMatrix(node, node.getInput(0)), asMatrix(node, node.getInput(1)), transA, transB);
  product = scaleBy(node, product, node.getFloat("alpha", 1));
  double beta = node.getFloat("beta", 1);
  Value bias = beta == 0 ? Value() : node.getInput(2);
  // Rows of the left matrix are alike unless each has a bias of its own.
  bool isAlike = !transA && Node::rankOf(node.getInput(0)) == 2;
  isAlike &= !bias || Node::rankOf(bias) < 2 || Node::shapeOf(bias)[0] == 1;
  if (product && bias)
    product = node.add(product, scaleBy(node, bias, beta));
  return doneBatched(node, product, isAlike ? 1 : 0);
}

void hgc::onnx::addContractionOps(OpTable &table) {
  table.addBounded("MatMul", withInputs<2, importMatMul>);
  table.add("MatMulInteger", withInputs<2, importMatMulInteger>, 10);
  table.addBounded("Gemm", withInputs<2, importGemm>);
  table.add("Einsum", withInputs<1, importEinsum>, 12);
}
