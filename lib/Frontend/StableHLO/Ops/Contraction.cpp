//===- Contraction.cpp - products of matrices -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../Node.h"
#include "../OpTable.h"

using namespace mlir;

namespace hgc::stablehlo {

namespace {

/// An operand's dims by what becomes of them.
struct Side {
  Value value;
  Extents batch, contracted, free;

  Extents extents(Shape dims) const {
    Extents result;
    for (int64_t dim : dims)
      result.push_back(Node::shapeOf(value)[dim]);
    return result;
  }
};

Extents join(std::initializer_list<Shape> parts) {
  Extents result;
  for (Shape part : parts)
    llvm::append_range(result, part);
  return result;
}

bool isInOrder(Shape dims) { return llvm::equal(dims, llvm::seq<int64_t>(0, dims.size())); }

/// The operand as matrices, and whether they are transposed: `rowsFirst` for (free, contracted). A left operand
/// without batches may keep several free dims.
std::pair<Value, bool> makeMatrices(Node &node, const Side &side, bool rowsFirst, bool keepsFree) {
  Shape first = rowsFirst ? Shape(side.free) : Shape(side.contracted);
  Shape second = rowsFirst ? Shape(side.contracted) : Shape(side.free);
  Extents order = join({side.batch, first, second});
  bool isSwapped = !isInOrder(order) && isInOrder(join({side.batch, second, first}));
  if (isSwapped)
    std::swap(first, second);
  Value value = isSwapped ? side.value : node.transpose(side.value, order);
  Extents shape = side.extents(side.batch);
  if (keepsFree && !isSwapped && !first.empty())
    llvm::append_range(shape, side.extents(first));
  else
    shape.push_back(product(side.extents(first)));
  shape.push_back(product(side.extents(second)));
  return {node.reshape(value, shape), isSwapped};
}

/// Elements without a product of matrices: a product of all pairs, and its sum.
Value multiplyAndSum(Node &node, Value a, Value b) {
  int64_t depth = Node::rankOf(a) - 1;
  Value pairs = node.mul(node.unsqueeze(a, {depth + 1}), node.unsqueeze(b, {depth - 1}));
  return node.reduce(graph::ReduceKind::Sum, pairs, {depth}, /*keepdims=*/false);
}

Value buildProduct(Node &node, const Side &left, const Side &right) {
  Type element = node.getResultType(0).getElementType();
  Type from = Node::elementOf(left.value);
  bool isInteger = isa<IntegerType>(element);
  bool keepsFree = !isInteger && left.batch.empty() && right.free.size() <= 1;
  auto [a, isLeftSwapped] = makeMatrices(node, left, /*rowsFirst=*/true, keepsFree);
  auto [b, isRightSwapped] = makeMatrices(node, right, /*rowsFirst=*/false, /*keepsFree=*/false);
  if (!a || !b)
    return {};
  Value result;
  if (isInteger && !(from.isSignlessInteger(8) && element.isSignlessInteger(32))) {
    auto turn = [&](Value value, bool isSwapped) {
      Extents order(llvm::to_vector(llvm::seq<int64_t>(0, Node::rankOf(value))));
      if (isSwapped)
        std::swap(order[order.size() - 1], order[order.size() - 2]);
      return node.transpose(node.cast(value, element), order);
    };
    result = multiplyAndSum(node, turn(a, isLeftSwapped), turn(b, isRightSwapped));
  } else {
    auto flag = [&](bool isSet) { return isSet ? node.getBuilder().getUnitAttr() : UnitAttr(); };
    result = node.create<graph::MatmulOp>(a, b, flag(isLeftSwapped), flag(isRightSwapped), graph::PackedAttr());
  }
  return node.cast(node.reshape(result, node.getResultShape()), element);
}

/// Checks that dims that belong together have one extent.
LogicalResult checkExtents(Node &node, const Side &left, const Side &right) {
  if (left.extents(left.batch) == right.extents(right.batch) &&
      left.extents(left.contracted) == right.extents(right.contracted) &&
      Shape(join({left.extents(left.batch), left.extents(left.free), right.extents(right.free)})) ==
          node.getResultShape())
    return success();
  return node.invalid("dims of the operands and of the result do not match", "the program is damaged: export it again");
}

LogicalResult importProduct(Node &node, Side left, Side right) {
  for (Side *side : {&left, &right}) {
    for (int64_t dim = 0; dim < Node::rankOf(side->value); ++dim) {
      bool isBatch = llvm::is_contained(side->batch, dim), isContracted = llvm::is_contained(side->contracted, dim);
      if (isBatch && isContracted)
        return node.invalid("dim " + Twine(dim) + " is both a batch and contracted", "name it once");
      if (!isBatch && !isContracted)
        side->free.push_back(dim);
    }
  }
  if (Node::elementOf(left.value) != Node::elementOf(right.value))
    return node.unsupported("operands of different types");
  if (failed(checkExtents(node, left, right)))
    return failure();
  return node.done(buildProduct(node, left, right));
}

LogicalResult importDotGeneral(Node &node) {
  if (!node.hasOperands(2))
    return failure();
  Side sides[2];
  for (unsigned i : {0, 1}) {
    StringRef prefix = i == 0 ? "lhs_" : "rhs_";
    sides[i].value = node.getOperand(i);
    int64_t rank = Node::rankOf(sides[i].value);
    auto dims = [&](StringRef name) { return node.getDims("dot_dimension_numbers", (prefix + name).str(), rank); };
    std::optional<Extents> batch = dims("batching_dimensions"), contracted = dims("contracting_dimensions");
    if (!batch || !contracted)
      return failure();
    sides[i].batch = *batch;
    sides[i].contracted = *contracted;
  }
  return importProduct(node, sides[0], sides[1]);
}

/// The last dim of the left operand with the first of the right one.
LogicalResult importDot(Node &node) {
  if (!node.hasOperands(2))
    return failure();
  Side left{node.getOperand(0), {}, {Node::rankOf(node.getOperand(0)) - 1}, {}}, right{node.getOperand(1), {}, {0}, {}};
  if (Node::rankOf(left.value) == 0 || Node::rankOf(right.value) == 0)
    return node.invalid("operands are scalars", "give vectors or matrices");
  return importProduct(node, left, right);
}

} // namespace

void addContractionOps(OpTable &table) {
  table.add("stablehlo.dot_general", importDotGeneral, "operands of one type; precisions are not looked at");
  table.add("stablehlo.dot", importDot, "operands of one type");
}

} // namespace hgc::stablehlo
