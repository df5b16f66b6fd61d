//===- Ordering.cpp - sorts ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../Node.h"
#include "../OpTable.h"

using namespace mlir;

namespace hgc::stablehlo {

namespace {

/// The argument a value is made of by choices between it and constants: JAX makes zeros and NaNs equal so before it
/// compares them, which the graph's sort does by itself.
BlockArgument findArgument(Value value, unsigned depth = 0) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument;
  Operation *op = value.getDefiningOp();
  if (depth > 8 || !op || op->getName().getStringRef() != "stablehlo.select" || op->getNumOperands() != 3)
    return {};
  auto isConstant = [](Value operand) {
    Operation *op = operand.getDefiningOp();
    return op && op->getName().getStringRef() == "stablehlo.constant";
  };
  return isConstant(op->getOperand(1)) ? findArgument(op->getOperand(2), depth + 1) : BlockArgument();
}

struct SortKey {
  unsigned operand;
  bool isDescending;
};

/// A comparator that is one comparison of the two values of some operand.
std::optional<SortKey> getKey(Block &body) {
  Operation *compare = body.back().getNumOperands() == 1 ? body.back().getOperand(0).getDefiningOp() : nullptr;
  if (!compare || compare->getName().getStringRef() != "stablehlo.compare" || compare->getNumOperands() != 2)
    return std::nullopt;
  BlockArgument a = findArgument(compare->getOperand(0)), b = findArgument(compare->getOperand(1));
  auto word = dyn_cast_or_null<StringAttr>(findAttribute(compare, "comparison_direction"));
  if (!a || !b || a.getOwner() != &body || b.getOwner() != &body || a.getArgNumber() / 2 != b.getArgNumber() / 2 ||
      a == b || !word)
    return std::nullopt;
  bool isLess = word.getValue() == "LT";
  if (!isLess && word.getValue() != "GT")
    return std::nullopt;
  bool isSwapped = a.getArgNumber() > b.getArgNumber();
  return SortKey{a.getArgNumber() / 2, isLess == isSwapped};
}

LogicalResult importSort(Node &node) {
  unsigned count = node.getNumResults();
  if (count == 0 || !node.hasOperands(count))
    return failure();
  Value first = node.getOperand(0);
  int64_t rank = Node::rankOf(first);
  std::optional<int64_t> dim = node.getInt("dimension", -1);
  Block *body = node.getBody(0, 2 * count);
  if (!dim || !body)
    return failure();
  std::optional<int64_t> axis = normalizeAxis(*dim, rank);
  if (!axis)
    return node.invalid("dim " + Twine(*dim) + " is out of range", "operands have " + Twine(rank) + " dims");
  std::optional<SortKey> key = getKey(*body);
  if (!key)
    return node.unsupported("a comparator that is more than one comparison of an operand's elements");
  OpBuilder &builder = node.getBuilder();
  Value order = node.create<graph::ArgSortOp>(node.getOperand(key->operand), builder.getI64IntegerAttr(*axis),
                                              key->isDescending ? builder.getUnitAttr() : UnitAttr(), IntegerAttr());
  for (unsigned i = 0; i < count; ++i) {
    Value sorted = node.create<graph::GatherAlongOp>(node.getOperand(i), order, builder.getI64IntegerAttr(*axis));
    if (!sorted)
      return failure();
    node.setResult(i, sorted);
  }
  return success();
}

} // namespace

void addOrderingOps(OpTable &table) {
  table.add("stablehlo.sort", importSort, "by one key, ascending or descending; NaN counts as the greatest");
}

} // namespace hgc::stablehlo
