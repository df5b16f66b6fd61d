//===- NeededParts.cpp - which part of a tensor is read -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Readers before makers: what is needed of a tensor is known once all its readers
// have been visited, so one walk is enough.
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/NeededParts.h"

#include "dialects/Graph/GraphOps.h"

#include "mlir/IR/Iterators.h"

#include <numeric>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

static ArrayRef<int64_t> getShape(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

static int64_t countElements(ArrayRef<int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<int64_t>());
}

//===----------------------------------------------------------------------===//
// Runs and parts
//===----------------------------------------------------------------------===//

Part hgc::makeWhole(ArrayRef<int64_t> shape) {
  return llvm::map_to_vector(shape, [](int64_t extent) { return makeWhole(extent); });
}

SmallVector<int64_t> hgc::getExtents(const Part &part) {
  return llvm::map_to_vector(part, [](const Run &run) { return run.count; });
}

Run hgc::unite(Run a, Run b) {
  if (a.count == 0 || b.count == 0)
    return a.count == 0 ? b : a;
  int64_t start = std::min(a.start, b.start), last = std::max(a.last(), b.last());
  if (start == last)
    return a;
  int64_t step = std::gcd(a.count > 1 ? a.step : 0, b.count > 1 ? b.step : 0);
  step = std::gcd(step, std::max(a.start, b.start) - start);
  return {start, (last - start) / step + 1, step};
}

Part hgc::locate(const Part &part, const Part &whole) {
  Part result;
  for (auto [run, around] : llvm::zip_equal(part, whole))
    result.push_back({(run.start - around.start) / around.step, run.count, run.count > 1 ? run.step / around.step : 1});
  return result;
}

/// The elements of a box as a run of row-major positions; the box grows until they are one.
static Run flatten(ArrayRef<int64_t> shape, MutableArrayRef<Run> part) {
  int64_t inner = countElements(shape), start = 0;
  for (auto [i, run] : llvm::enumerate(part)) {
    inner /= shape[i];
    if (run.count == 1) {
      start += run.start * inner;
      continue;
    }
    for (size_t j = i + 1; j < part.size(); ++j)
      part[j] = makeWhole(shape[j]);
    if (inner > 1)
      run = {run.start, run.last() - run.start + 1, 1};
    return {start + run.start * inner, run.count * inner, run.step};
  }
  return {start, 1, 1};
}

/// The smallest box that holds a run of row-major positions.
static void unflatten(Run flat, ArrayRef<int64_t> shape, MutableArrayRef<Run> part) {
  int64_t inner = countElements(shape);
  for (auto [i, run] : llvm::enumerate(part)) {
    inner /= shape[i];
    int64_t first = flat.start / inner, last = flat.last() / inner;
    if (first == last) {
      run = {first, 1, 1};
      flat.start -= first * inner;
    } else if (inner == 1) {
      run = flat;
      flat = {0, 1, 1};
    } else {
      run = {first, last - first + 1, 1};
      for (size_t j = i + 1; j < part.size(); ++j)
        part[j] = makeWhole(shape[j]);
      return;
    }
  }
}

Part hgc::reshapePart(ArrayRef<int64_t> from, ArrayRef<int64_t> to, Part &part) {
  Part result(from.size());
  size_t i = 0, j = 0;
  // Group by group of dims with the same product on both sides.
  while (i < from.size() || j < to.size()) {
    size_t firstFrom = i, firstTo = j;
    int64_t a = i < from.size() ? from[i++] : 1, b = j < to.size() ? to[j++] : 1;
    while (a != b)
      (a < b ? a : b) *= a < b ? from[i++] : to[j++];
    ArrayRef<int64_t> fromDims = from.slice(firstFrom, i - firstFrom), toDims = to.slice(firstTo, j - firstTo);
    auto fromPart = MutableArrayRef<Run>(result).slice(firstFrom, i - firstFrom);
    auto toPart = MutableArrayRef<Run>(part).slice(firstTo, j - firstTo);
    Run flat = flatten(toDims, toPart), wide = flat;
    // Both sides grow until neither has to.
    do {
      flat = wide;
      unflatten(flat, fromDims, fromPart);
      unflatten(flatten(fromDims, fromPart), toDims, toPart);
      wide = flatten(toDims, toPart);
    } while (wide != flat);
  }
  return result;
}

Run hgc::slideWindow(const WindowDim &dim, Run &run, int64_t &low, int64_t &high) {
  low = dim.padLow;
  high = dim.padHigh;
  int64_t start = run.start * dim.stride - dim.padLow;
  int64_t end = run.last() * dim.stride - dim.padLow + dim.dilation * (dim.window - 1) + 1;
  int64_t first = std::max<int64_t>(start, 0), last = std::min(end, dim.input);
  if (run.count == dim.output) {
    // What is left over behind the last window.
    bool readsLess = first < last && last < dim.input;
    high = readsLess ? 0 : high;
    return makeWhole(readsLess ? last : dim.input);
  }
  run = first < last ? Run{run.start, run.last() - run.start + 1, 1} : makeWhole(dim.output);
  if (first >= last)
    return makeWhole(dim.input);
  low = first - start;
  high = end - last;
  return {first, last - first, 1};
}

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

/// Whether `part` leaves out enough of `value` to be worth a slice.
static bool isSmall(const Part &part, Value value) {
  int64_t all = countElements(getShape(value));
  return all > 0 && countElements(getExtents(part)) <= all - std::max<int64_t>(1, all / 8);
}

/// What is left out must be worth a slice of each operand, where it takes slices. An operand
/// of a concat may be gone altogether. Windows may leave out some of their input.
static bool isWorthIt(Operation *op, const PartRule &rule) {
  Value result = op->getResult(0);
  if (getExtents(rule.result) == getShape(result))
    return !rule.pads.empty() && isSmall(rule.operands.front(), op->getOperand(0));
  auto isWhole = [](auto pair) { return getExtents(std::get<1>(pair)) == getShape(std::get<0>(pair)); };
  return isa<ConcatOp>(op) || isSmall(rule.result, result) ||
         llvm::all_of(llvm::zip_equal(op->getOperands(), rule.operands), isWhole);
}

NeededParts::NeededParts(ModuleOp module) {
  module.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) { visit(op); });
}

const Part *NeededParts::get(Value value) const {
  auto it = parts.find(value);
  return it == parts.end() || !hasParts(value.getType()) ? nullptr : &it->second;
}

bool NeededParts::isWhole(Value value) const {
  const Part *part = get(value);
  return !part || getExtents(*part) == getShape(value);
}

void NeededParts::need(Value value, const Part &part) {
  auto [it, isNew] = parts.try_emplace(value);
  if (!hasParts(value.getType()))
    return;
  if (isNew)
    it->second = part;
  else
    for (auto [run, other] : llvm::zip_equal(it->second, part))
      run = unite(run, other);
}

bool NeededParts::isNeeded(Operation *op) const {
  return !op->getNumResults() || op->getNumRegions() || !isMemoryEffectFree(op) ||
         llvm::any_of(op->getResults(), [&](Value result) { return parts.contains(result); });
}

void NeededParts::visit(Operation *op) {
  // Only live readers need something of each operand. What is stored is not computed.
  if (!isNeeded(op) || isa<ReadOp, ConstantOp>(op))
    return;
  std::optional<PartRule> rule;
  if (op->getNumResults() == 1 && !op->getNumRegions() && hasParts(op->getResult(0).getType())) {
    Part &part = parts[op->getResult(0)];
    rule = findPartRule(op, part);
    if (rule && !takesPart(op) && !isWorthIt(op, *rule))
      rule.reset();
    part = rule ? rule->result : makeWhole(getShape(op->getResult(0)));
  }
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    if (!rule)
      need(operand, hasParts(operand.getType()) ? makeWhole(getShape(operand)) : Part());
    else if (llvm::all_of(rule->operands[i], [](const Run &run) { return run.count > 0; }))
      need(operand, rule->operands[i]);
  }
}
