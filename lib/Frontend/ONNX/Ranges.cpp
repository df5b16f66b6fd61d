//===- Ranges.cpp - what integers of run-time shapes can be ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Ranges.h"

#include "Ops/Indexing.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;

namespace {

/// Longest value that is looked at, and numbers beyond which there are no bounds.
constexpr int64_t kMaxElements = 64, kMaxNumber = int64_t(1) << 40;

using Ranges = SmallVector<Bounds>;

/// Walks the ops a value comes from.
class RangeFinder {
public:
  explicit RangeFinder(Node &node) : node(node) {}

  std::optional<Ranges> find(Value value);

private:
  std::optional<Ranges> compute(Operation *op);
  std::optional<Ranges> combine(Operation *op, llvm::function_ref<std::optional<Bounds>(Bounds, Bounds)> combine);
  std::optional<Ranges> pick(graph::GatherOp op);
  std::optional<Ranges> slice(graph::SliceOp op);
  std::optional<Ranges> concat(graph::ConcatOp op);

  Node &node;
  /// Ops that may still be looked at: expressions share parts.
  unsigned budget = 256;
};

std::optional<Bounds> multiply(Bounds a, Bounds b) {
  int64_t products[] = {a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most};
  return Bounds{*llvm::min_element(products), *llvm::max_element(products)};
}

/// Quotients round to zero; divisors are positive.
std::optional<Bounds> divide(Bounds a, Bounds b) {
  if (b.least < 1)
    return std::nullopt;
  int64_t quotients[] = {a.least / b.least, a.least / b.most, a.most / b.least, a.most / b.most};
  return Bounds{*llvm::min_element(quotients), *llvm::max_element(quotients)};
}

} // namespace

std::optional<Ranges> RangeFinder::find(Value value) {
  if (!value || !isa<IntegerType>(Node::elementOf(value)) || Node::countOf(value) > kMaxElements || budget == 0)
    return std::nullopt;
  --budget;
  Ranges ranges;
  if (std::optional<Extents> known = node.getInts(value)) {
    for (int64_t number : *known)
      ranges.push_back({number, number});
  } else if (std::optional<int64_t> most = node.getLargestExtent(value)) {
    ranges.push_back({0, *most});
  } else if (Operation *op = value.getDefiningOp()) {
    std::optional<Ranges> computed = compute(op);
    if (!computed)
      return std::nullopt;
    ranges = *computed;
  }
  unsigned width = Node::elementOf(value).getIntOrFloatBitWidth();
  int64_t limit = width > 40 ? kMaxNumber : (int64_t(1) << (width - 1)) - 1;
  auto isBounded = [&](Bounds range) { return range.least >= -limit && range.most <= limit; };
  if (static_cast<int64_t>(ranges.size()) != Node::countOf(value) || !llvm::all_of(ranges, isBounded))
    return std::nullopt;
  return ranges;
}

std::optional<Ranges> RangeFinder::compute(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Ranges>>(op)
      .Case<graph::ReshapeOp, graph::CastOp>([&](auto) { return find(op->getOperand(0)); })
      .Case<graph::ConcatOp>([&](auto concatOp) { return concat(concatOp); })
      .Case<graph::SliceOp>([&](auto sliceOp) { return slice(sliceOp); })
      .Case<graph::GatherOp>([&](auto gather) { return pick(gather); })
      .Case<graph::AddOp>([&](auto) {
        return combine(op, [](Bounds a, Bounds b) { return Bounds{a.least + b.least, a.most + b.most}; });
      })
      .Case<graph::SubOp>([&](auto) {
        return combine(op, [](Bounds a, Bounds b) { return Bounds{a.least - b.most, a.most - b.least}; });
      })
      .Case<graph::MinOp>([&](auto) {
        return combine(op, [](Bounds a, Bounds b) {
          return Bounds{std::min(a.least, b.least), std::min(a.most, b.most)};
        });
      })
      .Case<graph::MaxOp>([&](auto) {
        return combine(op, [](Bounds a, Bounds b) {
          return Bounds{std::max(a.least, b.least), std::max(a.most, b.most)};
        });
      })
      .Case<graph::MulOp>([&](auto) { return combine(op, multiply); })
      .Case<graph::DivOp>([&](auto) { return combine(op, divide); })
      .Default(std::nullopt);
}

/// Two operands of the same length, or one of them a single number.
std::optional<Ranges> RangeFinder::combine(Operation *op,
                                           llvm::function_ref<std::optional<Bounds>(Bounds, Bounds)> combine) {
  std::optional<Ranges> lhs = find(op->getOperand(0)), rhs = find(op->getOperand(1));
  if (!lhs || !rhs || lhs->empty() || rhs->empty())
    return std::nullopt;
  size_t count = std::max(lhs->size(), rhs->size());
  Ranges result;
  for (size_t i = 0; i < count; ++i) {
    // Larger numbers are none of an extent, and their products would overflow.
    Bounds a = lhs->size() == 1 ? lhs->front() : (*lhs)[i], b = rhs->size() == 1 ? rhs->front() : (*rhs)[i];
    if (std::max({-a.least, a.most, -b.least, b.most}) > (int64_t(1) << 31))
      return std::nullopt;
    std::optional<Bounds> range = combine(a, b);
    if (!range)
      return std::nullopt;
    result.push_back(*range);
  }
  return result;
}

std::optional<Ranges> RangeFinder::concat(graph::ConcatOp op) {
  Ranges result;
  for (Value operand : op->getOperands()) {
    std::optional<Ranges> part = find(operand);
    if (!part || Node::rankOf(operand) != 1)
      return std::nullopt;
    llvm::append_range(result, *part);
  }
  return result;
}

std::optional<Ranges> RangeFinder::slice(graph::SliceOp op) {
  std::optional<Ranges> whole = op->getNumOperands() == 1 ? find(op->getOperand(0)) : std::nullopt;
  if (!whole || Node::rankOf(op->getOperand(0)) != 1 || !op.getStarts())
    return std::nullopt;
  int64_t start = op.getStarts()->front(), step = op.getStrides() ? op.getStrides()->front() : 1;
  Ranges result;
  for (int64_t i = 0; i < Node::countOf(op.getResult()); ++i)
    result.push_back((*whole)[start + i * step]);
  return result;
}

std::optional<Ranges> RangeFinder::pick(graph::GatherOp op) {
  std::optional<Extents> indices = node.getInts(op.getIndices());
  std::optional<Ranges> whole = indices ? find(op.getInput()) : std::nullopt;
  if (!whole || Node::rankOf(op.getInput()) != 1)
    return std::nullopt;
  Ranges result;
  int64_t count = whole->size();
  for (int64_t index : *indices) {
    index += index < 0 ? count : 0;
    if (index < 0 || index >= count)
      return std::nullopt;
    result.push_back((*whole)[index]);
  }
  return result;
}

std::optional<SmallVector<Bounds>> hgc::onnx::getRanges(Node &node, Value value) {
  return RangeFinder(node).find(value);
}

std::optional<BoundedShape> hgc::onnx::getBoundedShape(Node &node, Value list) {
  std::optional<Ranges> ranges = getRanges(node, list);
  if (!ranges)
    return std::nullopt;
  BoundedShape shape;
  Value numbers = asList(node, list);
  for (auto [i, range] : llvm::enumerate(*ranges)) {
    if (range.most < 0)
      return std::nullopt;
    shape.most.push_back(range.most);
    shape.actual.push_back(range.isExact() ? Value() : element(node, numbers, static_cast<int64_t>(i)));
    if (range.least < 0)
      node.require(node.compare(graph::ComparePredicate::GE, shape.actual.back(), i64(node, 0)),
                   "an extent that '" + node.getName() + "' computes with is negative");
  }
  if (!hgc::countElements(shape.most, 8))
    return std::nullopt;
  return shape;
}
