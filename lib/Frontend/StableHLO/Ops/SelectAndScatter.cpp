//===- SelectAndScatter.cpp - the gradient of a maximum over windows ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The offset of the chosen element is found window by window; then each offset's
// share of the source goes back to where it was. Windows that do not overlap lie
// side by side, and all of that is elementwise.
//===----------------------------------------------------------------------===//

#include "../OpTable.h"
#include "Bodies.h"
#include "Shape.h"
#include "Windows.h"

using namespace mlir;

namespace hgc::stablehlo {

using graph::ComparePredicate;

namespace {

class SelectAndScatter {
public:
  SelectAndScatter(Node &node, WindowAttributes window)
      : node(node), window(std::move(window)), operand(node.getOperand(0)), source(node.getOperand(1)) {}

  LogicalResult import();

private:
  /// Number of the chosen offset of each window.
  Value choose(Block &select);
  Value spreadApart(Value chosen);
  Value spreadOverlapping(Value chosen);
  Value number(int64_t value) { return node.scalar(node.getBuilder().getI32Type(), static_cast<double>(value)); }
  Value zero() { return node.scalar(Node::elementOf(source), 0); }

  Node &node;
  WindowAttributes window;
  Value operand, source;
};

Value SelectAndScatter::choose(Block &select) {
  WindowAttributes inner = window;
  bool isLeast = false;
  if (Operation *op = select.back().getOperand(0).getDefiningOp())
    if (auto word = dyn_cast_or_null<StringAttr>(findAttribute(op, "comparison_direction")))
      isLeast = word.getValue().starts_with("L");
  Value padded = padWindow(node, operand, extreme(node, Node::elementOf(operand), isLeast), inner);
  Value best, chosen = node.broadcast(number(0), Node::shapeOf(source));
  for (auto [i, offset] : llvm::enumerate(listOffsets(window.extents))) {
    Value element = sliceWindow(node, padded, inner, offset, Node::shapeOf(source));
    if (!element)
      return {};
    if (i == 0) {
      best = element;
      continue;
    }
    FailureOr<SmallVector<Value>> keeps = node.importLanes(select, {best, element});
    if (failed(keeps) || keeps->size() != 1)
      return {};
    best = node.select(keeps->front(), best, element);
    chosen = node.select(keeps->front(), chosen, number(static_cast<int64_t>(i)));
  }
  return chosen;
}

/// Windows of a stride not less than their extent: (.., windows, elements of one, ..).
Value SelectAndScatter::spreadApart(Value chosen) {
  Shape result = Node::shapeOf(operand), windows = Node::shapeOf(source);
  Extents split, elements, joined, low, high, gapLow, gapHigh;
  for (auto [dim, extent] : llvm::enumerate(windows)) {
    split.append({extent, 1});
    elements.append({1, window.extents[dim]});
    joined.push_back(extent * window.strides[dim]);
    gapLow.append({0, 0});
    gapHigh.append({0, window.strides[dim] - window.extents[dim]});
    low.push_back(-window.low[dim]);
    high.push_back(result[dim] + window.low[dim] - joined.back());
  }
  int64_t count = product(window.extents);
  Value offsets = node.reshape(node.iota({count}, 0, node.getBuilder().getI32Type()), elements);
  Value isChosen = node.compare(ComparePredicate::EQ, node.reshape(chosen, split), offsets);
  Value shares = node.select(isChosen, node.reshape(source, split), zero());
  return node.pad(node.reshape(node.pad(shares, zero(), gapLow, gapHigh), joined), zero(), low, high);
}

Value SelectAndScatter::spreadOverlapping(Value chosen) {
  Shape result = Node::shapeOf(operand), windows = Node::shapeOf(source);
  Value sum;
  for (auto [i, offset] : llvm::enumerate(listOffsets(window.extents))) {
    Value isChosen = node.compare(ComparePredicate::EQ, chosen, number(static_cast<int64_t>(i)));
    Value share = node.select(isChosen, source, zero());
    Extents low, high, interior;
    for (auto [dim, extent] : llvm::enumerate(windows)) {
      interior.push_back(window.strides[dim] - 1);
      low.push_back(offset[dim] - window.low[dim]);
      high.push_back(result[dim] - low.back() - ((extent - 1) * window.strides[dim] + 1));
    }
    share = padInterior(node, share, zero(), low, high, interior);
    sum = sum ? node.add(sum, share) : share;
  }
  return sum;
}

LogicalResult SelectAndScatter::import() {
  Block *select = node.getBody(0, 2), *scatter = node.getBody(1, 2);
  if (!select || !scatter)
    return failure();
  Value init = node.getOperand(2);
  if (select->back().getNumOperands() != 1 || Node::elementOf(operand) != Node::elementOf(source) ||
      Node::elementOf(init) != Node::elementOf(source) || Node::rankOf(init) != 0 ||
      !fitsWindow(window, Node::shapeOf(operand), Node::shapeOf(source)))
    return node.invalid("operand, source and window do not match", "the program is damaged: export it again");
  if (getCombiner(*scatter) != "add")
    return node.unsupported("elements that are not added where they are scattered to");
  if (product(window.extents) > kMaxUnrolled || Node::countOf(source) == 0)
    return node.unsupported("a window of more than " + Twine(kMaxUnrolled) + " elements, or none at all");
  bool isApart = true;
  for (auto [extent, stride] : llvm::zip_equal(window.extents, window.strides))
    isApart &= extent <= stride;
  Value chosen = choose(*select);
  if (!chosen)
    return failure();
  Value result = isApart ? spreadApart(chosen) : spreadOverlapping(chosen);
  return node.done(node.getSplat(init) == 0.0 ? result : node.add(result, init));
}

LogicalResult importSelectAndScatter(Node &node) {
  if (!node.hasOperands(3))
    return failure();
  std::optional<WindowAttributes> window = readWindow(node, Node::rankOf(node.getOperand(0)));
  return window ? SelectAndScatter(node, *window).import() : failure();
}

} // namespace

void addSelectAndScatter(OpTable &table) {
  table.add("stablehlo.select_and_scatter", importSelectAndScatter, "sums; windows of up to 256 elements");
}

} // namespace hgc::stablehlo
