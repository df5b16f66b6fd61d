//===- Padding.cpp - Pad --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../Bounded.h"
#include "../Ranges.h"
#include "Indexing.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;
using graph::PadMode;

namespace {
/// Amounts before and after each dim.
struct Pads {
  Value low, high;
};
} // namespace

static std::optional<PadMode> readMode(Node &node) {
  StringRef name = node.getString("mode", "constant");
  auto mode = llvm::StringSwitch<std::optional<PadMode>>(name)
                  .Case("constant", PadMode::Constant)
                  .Case("edge", PadMode::Edge)
                  .Case("reflect", PadMode::Reflect)
                  .Case("wrap", PadMode::Wrap)
                  .Default(std::nullopt);
  if (!mode)
    (void)node.invalid("mode '" + name + "' is unknown", "use constant, edge, reflect or wrap");
  return mode;
}

/// Attributes before opset 11 (of another name in opset 1), then inputs.
static std::optional<Pads> readPads(Node &node, int64_t rank) {
  if (node.getOpset() >= 11 && failed(checkInputs(node, 2)))
    return std::nullopt;
  Value pads = node.getOpset() >= 11 ? asList(node, node.getInput(1))
                                     : node.ints(node.getIntList(node.hasAttribute("pads") ? "pads" : "paddings"));
  Value axes =
      node.hasInput(3) ? asList(node, node.getInput(3)) : node.ints(llvm::to_vector(llvm::seq<int64_t>(0, rank)));
  int64_t count = Node::shapeOf(axes)[0];
  if (Node::shapeOf(pads)[0] != 2 * count) {
    (void)node.invalid("there are " + Twine(Node::shapeOf(pads)[0]) + " pads for " + Twine(count) + " axes",
                       "give the amounts before all axes, then those after them");
    return std::nullopt;
  }
  if (std::optional<Extents> known = node.getInts(axes); known && !normalizeAxes(node, *known, rank))
    return std::nullopt;
  Value zero = i64(node, 0);
  return Pads{byAxis(node, axes, node.sliceAxis(pads, 0, 0, count), rank, zero),
              byAxis(node, axes, node.sliceAxis(pads, 0, count, count), rank, zero)};
}

static Value readFill(Node &node, Type element) {
  if (node.getOpset() < 11)
    return node.scalar(element, node.getFloat("value", 0));
  return node.hasInput(2) ? node.reshape(node.getInput(2), {}) : node.scalar(element, 0);
}

/// Where the elements of a padded dim come from.
static Value sourceIndex(Node &node, PadMode mode, Value place, Value extent) {
  Value one = i64(node, 1), last = node.sub(extent, one);
  switch (mode) {
  case PadMode::Constant:
  case PadMode::Edge:
    return clamp(node, place, i64(node, 0), last);
  case PadMode::Wrap:
    return modulo(node, place, node.max(extent, one));
  case PadMode::Reflect:
    break;
  }
  // There and back again without repeating the ends.
  Value period = node.max(node.add(last, last), one), phase = modulo(node, place, period);
  return node.min(phase, node.sub(period, phase));
}

/// Pads one dim after the other through indices; this also covers amounts known
/// only at run time and ones that go around more than once.
static Value padByIndex(Node &node, PadMode mode, const Pads &pads, Value fill, Shape result) {
  Value value = node.getInput(0), isInside;
  int64_t rank = Node::rankOf(value);
  for (int64_t dim = 0; dim < rank; ++dim) {
    Value extent = getActualExtent(node, node.getInput(0), dim);
    Value low = element(node, pads.low, dim);
    Value place = node.sub(node.iota({result[dim]}, 0, node.getBuilder().getI64Type()), low);
    value = node.gather(value, sourceIndex(node, mode, place, extent), dim);
    if (mode != PadMode::Constant)
      continue;
    Value isIn = along(node, inRange(node, place, i64(node, 0), extent), rank, dim);
    isInside = isInside ? both(node, isInside, isIn) : isIn;
  }
  return isInside ? node.select(isInside, value, fill) : value;
}

/// Whether hgc.pad does it: other modes than `constant` go around once at most.
static bool isPlain(PadMode mode, Shape shape, Shape low, Shape high) {
  if (mode == PadMode::Constant)
    return true;
  for (auto [extent, before, after] : llvm::zip_equal(shape, low, high)) {
    int64_t limit = mode == PadMode::Reflect ? extent - 1 : extent;
    if (before < 0 || after < 0 || (mode != PadMode::Edge && std::max(before, after) > limit))
      return false;
  }
  return true;
}

/// Pad where data or pads are bounded.
static LogicalResult padBounded(Node &node, PadMode mode, const Pads &pads, Value fill) {
  Value data = node.getInput(0);
  std::optional<SmallVector<Bounds>> low = getRanges(node, pads.low), high = getRanges(node, pads.high);
  if (!low || !high)
    return refuseUnbounded(node);
  Extents shape;
  Values actual;
  for (int64_t dim = 0; dim < Node::rankOf(data); ++dim) {
    Bounds before = (*low)[dim], after = (*high)[dim];
    shape.push_back(std::max<int64_t>(Node::shapeOf(data)[dim] + before.most + after.most, 0));
    Value extent = node.getExtent(data, dim);
    actual.push_back(extent);
    if (!extent && before.isExact() && after.isExact())
      continue;
    Value added = node.add(element(node, pads.low, dim), element(node, pads.high, dim));
    Value own = getActualExtent(node, data, dim);
    actual.back() = node.max(node.add(own, added), i64(node, 0));
    if (mode == PadMode::Constant)
      continue;
    Value isFine = node.create<graph::OrOp>(node.compare(graph::ComparePredicate::GT, own, i64(node, 0)),
                                            node.compare(graph::ComparePredicate::EQ, actual.back(), i64(node, 0)));
    node.require(isFine, "'" + node.getName() + "' pads a dim without elements in another mode than 'constant'");
  }
  if (!hgc::countElements(shape, 8))
    return refuseUnbounded(node);
  return doneWith(node, padByIndex(node, mode, pads, fill, shape), actual);
}

static LogicalResult importPad(Node &node) {
  Value data = node.getInput(0);
  if (failed(refuseBounded(node, 1)))
    return failure();
  Shape shape = Node::shapeOf(data);
  int64_t rank = shape.size();
  std::optional<PadMode> mode = readMode(node);
  if (!mode)
    return failure();
  if (rank == 0)
    return node.done(data);
  std::optional<Pads> pads = readPads(node, rank);
  if (!pads)
    return failure();
  Value fill = readFill(node, Node::elementOf(data));
  std::optional<Extents> low = node.getInts(pads->low), high = node.getInts(pads->high);
  if (node.isBounded(data) ||
      (!(low && high) && !node.getDeclaredType(0) && getRanges(node, pads->low) && getRanges(node, pads->high)))
    return padBounded(node, *mode, *pads, fill);
  if (low && high && isPlain(*mode, shape, *low, *high)) {
    OpBuilder &builder = node.getBuilder();
    return node.done(node.create<graph::PadOp>(*mode, data, fill, builder.getDenseI64ArrayAttr(*low),
                                               builder.getDenseI64ArrayAttr(*high)));
  }
  Value sums = node.add(node.ints(shape), node.add(pads->low, pads->high));
  std::optional<Extents> result = node.getInts(sums);
  if (!result) {
    RankedTensorType type = needType(node, 0, rank);
    if (!type)
      return failure();
    result = Extents(type.getShape());
    requireInts(node, sums, *result, "pads");
  }
  for (auto [from, to] : llvm::zip_equal(shape, *result))
    if (to < 0 || (from == 0 && to > 0 && *mode != PadMode::Constant))
      return node.invalid("the pads make extent " + Twine(to) + " of extent " + Twine(from),
                          "crop less; only mode 'constant' makes elements from nothing");
  return node.done(padByIndex(node, *mode, *pads, fill, *result));
}

void hgc::onnx::addPaddingOps(OpTable &table) { table.addBounded("Pad", withInputs<1, importPad>); }
