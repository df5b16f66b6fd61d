//===- Windows.cpp - sums and the like of sliding windows -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Windows.h"

#include "../OpTable.h"
#include "Bodies.h"
#include "Shape.h"

using namespace mlir;

namespace hgc::stablehlo {

using graph::DataLayout;
using graph::PoolKind;
using graph::ReduceKind;

std::optional<WindowAttributes> readWindow(Node &node, int64_t rank) {
  std::optional<Extents> extents = node.getList("window_dimensions", rank),
                         strides = node.getList("window_strides", rank, 1),
                         base = node.getList("base_dilations", rank, 1),
                         dilations = node.getList("window_dilations", rank, 1),
                         pads = node.getList("padding", 2 * rank, 0);
  if (!extents || !strides || !base || !dilations || !pads)
    return std::nullopt;
  WindowAttributes window{*extents, *strides, *base, *dilations, {}, {}};
  for (const Extents &list : {window.extents, window.strides, window.base, window.dilations})
    if (llvm::any_of(list, [](int64_t value) { return value < 1; })) {
      (void)node.invalid("an extent, stride or dilation of the window is less than one", "one stands for none");
      return std::nullopt;
    }
  for (int64_t i = 0; i < rank; ++i) {
    window.low.push_back((*pads)[2 * i]);
    window.high.push_back((*pads)[2 * i + 1]);
  }
  return window;
}

Value padWindow(Node &node, Value value, Value fill, WindowAttributes &window) {
  Extents interior;
  for (int64_t &dilation : window.base)
    interior.push_back(std::exchange(dilation, 1) - 1);
  value = padInterior(node, value, fill, window.low, window.high, interior);
  window.low.assign(window.low.size(), 0);
  window.high = window.low;
  return value;
}

Value sliceWindow(Node &node, Value value, const WindowAttributes &window, Shape offset, Shape result) {
  Extents starts;
  for (auto [i, dilation] : llvm::zip_equal(offset, window.dilations))
    starts.push_back(i * dilation);
  return node.slice(value, starts, result, window.strides);
}

namespace {

struct WindowReduction {
  Block *body;
  SmallVector<Value> inputs, inits;
  WindowAttributes window;
  Extents shape;
};

/// Dims a window moves over, if they are neighbours and few enough for a pool.
std::optional<std::pair<int64_t, int64_t>> getSpatialRange(const WindowAttributes &window) {
  int64_t first = -1, last = -1, rank = static_cast<int64_t>(window.extents.size());
  for (int64_t dim = 0; dim < rank; ++dim)
    if (window.extents[dim] > 1 || window.strides[dim] > 1 || window.low[dim] != 0 || window.high[dim] != 0) {
      first = first < 0 ? dim : first;
      last = dim;
    }
  if (first < 0 || last - first > 2)
    return std::nullopt;
  return std::make_pair(first, last + 1);
}

Value buildPool(Node &node, PoolKind kind, Value value, const WindowReduction &reduction, int64_t begin, int64_t end) {
  const WindowAttributes &window = reduction.window;
  Shape shape = Node::shapeOf(value);
  int64_t outer = product(shape.take_front(begin)), inner = product(shape.drop_front(end));
  // Without dims behind it the window is over the last ones: channels come first.
  bool isFirst = inner == 1;
  Extents data = isFirst ? Extents{1, outer} : Extents{outer};
  llvm::append_range(data, shape.slice(begin, end - begin));
  if (!isFirst)
    data.push_back(inner);
  auto part = [&](const Extents &list) { return Shape(list).slice(begin, end - begin); };
  Extents pads(part(window.low));
  llvm::append_range(pads, part(window.high));
  OpBuilder &builder = node.getBuilder();
  auto list = [&](Shape values) { return builder.getDenseI64ArrayAttr(values); };
  Value pooled = node.create<graph::PoolOp>(
      graph::PoolKindAttr::get(builder.getContext(), kind), node.reshape(value, data), list(part(window.extents)),
      list(part(window.strides)), list(pads), list(part(window.dilations)), UnitAttr(),
      graph::DataLayoutAttr::get(builder.getContext(), isFirst ? DataLayout::ChannelsFirst : DataLayout::ChannelsLast));
  return node.reshape(pooled, reduction.shape);
}

/// Turned around, the least is the greatest.
Value flip(Node &node, Value value) {
  bool isFloat = value && isa<FloatType>(Node::elementOf(value));
  return isFloat ? node.create<graph::NegOp>(value) : node.create<graph::NotOp>(value);
}

/// A pool can leave padding out, but not have windows of nothing else, nor crop.
bool needsPadding(const WindowAttributes &window) {
  for (auto [dim, extent] : llvm::enumerate(window.extents)) {
    int64_t reach = (extent - 1) * window.dilations[dim];
    if (window.base[dim] > 1 || window.low[dim] < 0 || window.high[dim] < 0 || window.low[dim] > reach ||
        window.high[dim] > reach)
      return true;
  }
  return false;
}

Value buildPooled(Node &node, WindowReduction &reduction, ReduceKind kind) {
  Value value = reduction.inputs[0];
  if (!isIdentity(node, reduction.inits[0], kind) || needsPadding(reduction.window))
    value = padWindow(node, value, reduction.inits[0], reduction.window);
  auto range = getSpatialRange(reduction.window);
  if (!value || !range)
    return value;
  if (kind == ReduceKind::Min)
    return flip(node, buildPool(node, PoolKind::Max, flip(node, value), reduction, range->first, range->second));
  PoolKind pool = kind == ReduceKind::Max ? PoolKind::Max : PoolKind::Sum;
  return buildPool(node, pool, value, reduction, range->first, range->second);
}

/// The dim along which each window holds all elements up to its own, if that is what it does.
std::optional<int64_t> getCumulativeDim(const WindowReduction &reduction) {
  const WindowAttributes &window = reduction.window;
  Shape shape = Node::shapeOf(reduction.inputs[0]);
  auto range = getSpatialRange(window);
  if (!range || range->second - range->first != 1)
    return std::nullopt;
  int64_t dim = range->first, extent = shape[dim];
  bool isWhole = window.extents[dim] == extent && window.strides[dim] == 1 && window.dilations[dim] == 1 &&
                 window.base[dim] == 1 && std::min(window.low[dim], window.high[dim]) == 0 &&
                 std::max(window.low[dim], window.high[dim]) == extent - 1;
  return isWhole ? std::optional(dim) : std::nullopt;
}

/// Any body: elements of the windows at one offset after the other.
FailureOr<SmallVector<Value>> unroll(Node &node, WindowReduction &reduction) {
  if (product(reduction.window.extents) > kMaxUnrolled)
    return node.unsupported("a window of more than " + Twine(kMaxUnrolled) +
                            " elements whose body is no sum, maximum or minimum");
  WindowAttributes window;
  SmallVector<Value> padded, results(reduction.inits);
  for (auto [input, init] : llvm::zip_equal(reduction.inputs, reduction.inits)) {
    window = reduction.window;
    padded.push_back(padWindow(node, input, init, window));
  }
  for (const Extents &offset : listOffsets(window.extents)) {
    SmallVector<Value> arguments(results);
    for (Value value : padded)
      arguments.push_back(sliceWindow(node, value, window, offset, reduction.shape));
    if (llvm::is_contained(arguments, Value()))
      return failure();
    FailureOr<SmallVector<Value>> combined = node.importLanes(*reduction.body, arguments);
    if (failed(combined) || combined->size() != results.size())
      return failure();
    results = *combined;
  }
  return results;
}

FailureOr<SmallVector<Value>> buildWindows(Node &node, WindowReduction &reduction) {
  Type element = Node::elementOf(reduction.inputs[0]);
  std::optional<ReduceKind> kind = getReduceKind(getCombiner(*reduction.body), element);
  bool isPool = kind && reduction.inputs.size() == 1 && !element.isInteger(1) && *kind != ReduceKind::Prod;
  std::optional<int64_t> dim = getCumulativeDim(reduction);
  // Short sums are cheaper by their definition than by doubling.
  if (dim && kind && reduction.inputs.size() == 1 && isIdentity(node, reduction.inits[0], *kind) &&
      (!isPool || reduction.window.extents[*dim] > 16))
    return buildPrefixes(node, *reduction.body, reduction.inputs, reduction.inits, *dim,
                         reduction.window.low[*dim] == 0);
  // A range of more than three dims, or with gaps, is no pool.
  WindowAttributes padless = reduction.window;
  if (isPool && getSpatialRange(padless)) {
    bool isNeutral = isIdentity(node, reduction.inits[0], *kind);
    Value pooled = buildPooled(node, reduction, *kind);
    if (!pooled)
      return failure();
    if (isNeutral)
      return SmallVector<Value>{pooled};
    return node.importLanes(*reduction.body, {reduction.inits[0], pooled});
  }
  return unroll(node, reduction);
}

LogicalResult importReduceWindow(Node &node) {
  unsigned count = node.getNumResults();
  if (count == 0 || !node.hasOperands(2 * count))
    return failure();
  WindowReduction reduction;
  for (unsigned i = 0; i < count; ++i) {
    reduction.inputs.push_back(node.getOperand(i));
    reduction.inits.push_back(node.getOperand(count + i));
    if (Node::rankOf(reduction.inits[i]) != 0 ||
        Node::shapeOf(reduction.inputs[i]) != Node::shapeOf(reduction.inputs[0]) ||
        node.getResultShape(i) != node.getResultShape() ||
        Node::elementOf(reduction.inits[i]) != Node::elementOf(reduction.inputs[i]))
      return node.invalid("inputs have different shapes, or a start value is no scalar of its input's type",
                          "the program is damaged: export it again");
  }
  reduction.body = node.getBody(0, 2 * count);
  int64_t rank = Node::rankOf(reduction.inputs[0]);
  std::optional<WindowAttributes> window = reduction.body ? readWindow(node, rank) : std::nullopt;
  if (!window)
    return failure();
  reduction.window = *window;
  reduction.shape = Extents(node.getResultShape());
  if (!fitsWindow(*window, Node::shapeOf(reduction.inputs[0]), reduction.shape))
    return node.invalid("the result does not follow from the window", "the program is damaged: export it again");
  if (product(reduction.shape) == 0 || Node::countOf(reduction.inputs[0]) == 0)
    return node.unsupported("a tensor without elements");
  FailureOr<SmallVector<Value>> results = buildWindows(node, reduction);
  if (failed(results) || results->size() != count)
    return failure();
  for (auto [i, result] : llvm::enumerate(*results))
    node.setResult(i, node.broadcast(result, reduction.shape));
  return success();
}

} // namespace

bool fitsWindow(const WindowAttributes &window, Shape input, Shape result) {
  if (input.size() != result.size())
    return false;
  for (size_t i = 0; i < input.size(); ++i) {
    int64_t padded = (input[i] > 0 ? (input[i] - 1) * window.base[i] + 1 : 0) + window.low[i] + window.high[i];
    int64_t reach = (window.extents[i] - 1) * window.dilations[i] + 1;
    if (result[i] != (padded < reach ? 0 : (padded - reach) / window.strides[i] + 1))
      return false;
  }
  return true;
}

void addWindowOps(OpTable &table) {
  table.add("stablehlo.reduce_window", importReduceWindow,
            "sums, maxima and minima of neighbouring dims, cumulative ones; other windows of up to 256 elements");
  addSelectAndScatter(table);
}

} // namespace hgc::stablehlo
