//===- GradBox.cpp - gradients of slice and pad ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GradModels.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// Adds slices of `value` along `axis` to zeros: slice `i` at `places[i]`.
Value addSlices(const Rule &rule, Value value, Value places, int64_t axis, int64_t extent) {
  SmallVector<int64_t> shape(shapeOf(value));
  shape[axis] = extent;
  Value zeros = rule.zeros(RankedTensorType::get(shape, elementOf(value)));
  return rule.make<ScatterOp>(ScatterKind::Add, zeros, places, value, axis, /*slices=*/true);
}

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

int64_t strideOf(SliceOp op, size_t dim) { return op.getStrides() ? (*op.getStrides())[dim] : 1; }

/// A box at a known place: zeros between its elements, then around them.
Value growBox(SliceOp op, const Rule &rule) {
  SmallVector<int64_t> starts, steps, factors, low, high;
  Ints sizes = shapeOf(rule.gradient), extents = shapeOf(op.getInput());
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t stride = strideOf(op, i), first = (*op.getStarts())[i];
    starts.push_back(stride < 0 ? sizes[i] - 1 : 0);
    steps.push_back(stride < 0 ? -1 : 1);
    factors.push_back(sizes[i] > 1 ? std::abs(stride) : 1);
    low.push_back(stride < 0 ? first + (sizes[i] - 1) * stride : first);
    high.push_back(extents[i] - low[i] - sizes[i] * factors[i]);
  }
  Value box = rule.gradient;
  if (llvm::is_contained(steps, -1))
    box = rule.slice(box, starts, sizes, steps);
  return rule.pad(rule.spread(box, factors), low, high);
}

/// A box whose place is an operand: one dim after the other.
Value placeBox(SliceOp op, const Rule &rule) {
  Value box = rule.gradient, offsets = op.getOffsets();
  Type index = elementOf(offsets);
  SmallVector<int64_t> sizes(shapeOf(box));
  Ints extents = shapeOf(op.getInput());
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t stride = strideOf(op, i), reach = sizes[i] > 0 ? (sizes[i] - 1) * stride : 0;
    int64_t lowest = std::max<int64_t>(-reach, 0), highest = extents[i] - 1 - std::max<int64_t>(reach, 0);
    if (sizes[i] == extents[i] && stride == 1)
      continue;
    // Where the op itself moves a start that does not fit.
    Value start = rule.slice(offsets, {static_cast<int64_t>(i)}, {1});
    start = rule.make<MaxOp>(rule.make<MinOp>(start, rule.scalar(index, highest)), rule.scalar(index, lowest));
    Value steps = rule.mul(rule.iota({sizes[i]}, 0, index), rule.scalar(index, stride));
    box = addSlices(rule, box, rule.add(steps, start), i, extents[i]);
  }
  return box;
}

void ruleOfSlice(SliceOp op, const Rule &rule) {
  if (ShapedType::getNumElements(shapeOf(rule.gradient)) == 0)
    return;
  rule.give(0, op.getStarts() ? growBox(op, rule) : placeBox(op, rule));
}

//===----------------------------------------------------------------------===//
// Pad
//===----------------------------------------------------------------------===//

SmallVector<int64_t> negate(Ints amounts) {
  return llvm::map_to_vector(amounts, [](int64_t amount) { return -amount; });
}

/// Index in the input of each index along a dim of the result.
SmallVector<int64_t> findSources(PadMode mode, int64_t extent, int64_t low, int64_t padded) {
  SmallVector<int64_t> sources;
  for (int64_t i = 0; i < padded; ++i) {
    int64_t at = i - low;
    if (mode == PadMode::Edge) {
      at = std::clamp<int64_t>(at, 0, extent - 1);
    } else if (mode == PadMode::Wrap) {
      at = llvm::mod(at, extent);
    } else {
      at = extent == 1 ? 0 : llvm::mod(at, 2 * (extent - 1));
      at = at < extent ? at : 2 * (extent - 1) - at;
    }
    sources.push_back(at);
  }
  return sources;
}

/// Copies give their gradients back to what they are copies of.
Value foldBorders(PadOp op, const Rule &rule) {
  Value box = rule.gradient;
  Ints extents = shapeOf(op.getInput());
  for (size_t i = 0; i < extents.size(); ++i)
    if (op.getLow()[i] != 0 || op.getHigh()[i] != 0)
      box = addSlices(rule, box, rule.indices(findSources(op.getMode(), extents[i], op.getLow()[i], shapeOf(box)[i])),
                      i, extents[i]);
  return box;
}

void ruleOfPad(PadOp op, const Rule &rule) {
  if (op.getMode() != PadMode::Constant) {
    if (rule.needs(0))
      rule.give(0, foldBorders(op, rule));
    return;
  }
  Value inner = rule.pad(rule.gradient, negate(op.getLow()), negate(op.getHigh()));
  if (rule.needs(0))
    rule.give(0, inner);
  if (!rule.needs(1))
    return;
  // All that is not the input's is the value's.
  Value border = rule.sub(rule.gradient, rule.pad(inner, op.getLow(), op.getHigh()));
  rule.give(1, rule.sumTo(border, shapeOf(op.getValue())));
}

} // namespace

void hgc::attachBoxRules(MLIRContext *context) {
  attachRule<SliceOp, ruleOfSlice>(context);
  attachRule<PadOp, ruleOfPad>(context);
}
