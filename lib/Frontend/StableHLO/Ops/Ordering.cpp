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

/// The operand whose two values an op compares so; `isSwapped` tells that the second one is on the left.
std::optional<unsigned> getCompared(Operation *compare, StringRef direction, bool &isSwapped) {
  if (!compare || compare->getName().getStringRef() != "stablehlo.compare" || compare->getNumOperands() != 2)
    return std::nullopt;
  BlockArgument a = findArgument(compare->getOperand(0)), b = findArgument(compare->getOperand(1));
  auto word = dyn_cast_or_null<StringAttr>(findAttribute(compare, "comparison_direction"));
  if (!a || !b || !word || word.getValue() != direction || a == b || a.getOwner() != compare->getBlock() ||
      b.getOwner() != compare->getBlock() || a.getArgNumber() / 2 != b.getArgNumber() / 2)
    return std::nullopt;
  isSwapped = a.getArgNumber() > b.getArgNumber();
  return a.getArgNumber() / 2;
}

std::optional<SortKey> getKey(Operation *compare) {
  bool isSwapped = false;
  if (std::optional<unsigned> operand = getCompared(compare, "LT", isSwapped))
    return SortKey{*operand, isSwapped};
  if (std::optional<unsigned> operand = getCompared(compare, "GT", isSwapped))
    return SortKey{*operand, !isSwapped};
  return std::nullopt;
}

/// Keys of a comparator, the one that counts most first: a comparison, or `a < b || (a == b && ...)`.
std::optional<SmallVector<SortKey>> getKeys(Block &body) {
  Operation *op = body.back().getNumOperands() == 1 ? body.back().getOperand(0).getDefiningOp() : nullptr;
  SmallVector<SortKey> keys;
  auto isLogic = [](Operation *op, StringRef name) {
    return op && op->getName().getStringRef() == name && op->getNumOperands() == 2;
  };
  while (isLogic(op, "stablehlo.or")) {
    std::optional<SortKey> key = getKey(op->getOperand(0).getDefiningOp());
    Operation *rest = op->getOperand(1).getDefiningOp();
    bool isSwapped = false;
    if (!key || !isLogic(rest, "stablehlo.and") ||
        getCompared(rest->getOperand(0).getDefiningOp(), "EQ", isSwapped) != key->operand)
      return std::nullopt;
    keys.push_back(*key);
    op = rest->getOperand(1).getDefiningOp();
  }
  std::optional<SortKey> last = getKey(op);
  if (!last)
    return std::nullopt;
  keys.push_back(*last);
  return keys;
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
  std::optional<SmallVector<SortKey>> keys = getKeys(*body);
  if (!keys)
    return node.unsupported("a comparator that does not compare elements of operands one after the other");
  OpBuilder &builder = node.getBuilder();
  SmallVector<Value> values;
  for (unsigned i = 0; i < count; ++i)
    values.push_back(node.getOperand(i));
  // Sorts are stable: by the least important key first.
  for (const SortKey &key : llvm::reverse(*keys)) {
    Value order = node.create<graph::ArgSortOp>(values[key.operand], builder.getI64IntegerAttr(*axis),
                                                key.isDescending ? builder.getUnitAttr() : UnitAttr(), IntegerAttr());
    for (Value &value : values)
      value = node.create<graph::GatherAlongOp>(value, order, builder.getI64IntegerAttr(*axis));
  }
  for (auto [i, value] : llvm::enumerate(values)) {
    if (!value)
      return failure();
    node.setResult(i, value);
  }
  return success();
}

} // namespace

void addOrderingOps(OpTable &table) {
  table.add("stablehlo.sort", importSort, "by keys that are compared one after the other; NaN counts as the greatest");
}

} // namespace hgc::stablehlo
