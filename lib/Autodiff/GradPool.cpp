//===- GradPool.cpp - gradients of pools ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of equal elements in a window the first one is the maximum, as in PyTorch and
// Keras: its number in the window is found again, and each element of the input
// takes the gradients of the windows whose maximum it is. Sums and means give
// each element the sum of the gradients of its windows, which is a pool, too.
//===----------------------------------------------------------------------===//

#include "GradModels.h"

#include <limits>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// One spatial dim of the tensors.
struct PoolDim : WindowDim {
  int64_t axis;
  /// No input element is in two windows, and each window is a run of elements.
  bool isApart() const { return (window == 1 || dilation == 1) && stride >= window; }
  /// All of the dim is one window.
  bool isWhole() const { return output == 1 && window == input && padLow == 0 && padHigh == 0; }
};

struct PoolGrad {
  PoolGrad(PoolOp op, const Rule &rule) : op(op), rule(rule), outer(shapeOf(rule.gradient)) {
    ConvShape shape = op.getShape();
    for (unsigned i = 0; i < shape.rank; ++i) {
      PoolDim dim{shape.spatial[3 - shape.rank + i], (shape.channelsLast ? 1 : 2) + static_cast<int64_t>(i)};
      // The only window has no next one to be a stride away from.
      if (dim.output == 1 && (dim.window == 1 || dim.dilation == 1))
        dim.stride = std::max(dim.stride, dim.window);
      dims.push_back(dim);
    }
  }

  Value ofMax();
  Value ofSum(Value gradient);
  Value divideByCount(Value gradient);

private:
  bool areApart() {
    return llvm::all_of(dims, [](const PoolDim &dim) { return dim.isApart(); });
  }
  int64_t countTaps() {
    int64_t count = 1;
    for (const PoolDim &dim : dims)
      count *= dim.window;
    return count;
  }
  Value findTaps();
  Value pickWhole();
  Value pickApart(Value taps);
  Value pickWindows(Value taps);
  Value vector(const PoolDim &dim, ArrayRef<int64_t> values);
  SmallVector<int64_t> split(bool isRepeated);
  Value join(Value pieces);

  PoolOp op;
  const Rule &rule;
  SmallVector<int64_t> outer;
  SmallVector<PoolDim> dims;
};

/// A number that no sum of tap numbers reaches again.
constexpr int64_t kNoTap = -(int64_t(1) << 28);

/// Elements of a window that is cheaper to search again than to keep a number of.
constexpr int64_t kMostSearched = 9;

} // namespace

//===----------------------------------------------------------------------===//
// Maximum
//===----------------------------------------------------------------------===//

/// Number of the maximum in each window, in row-major order.
Value PoolGrad::findTaps() {
  Value input = op.getInput();
  SmallVector<int64_t> low(outer.size(), 0), high(low), strides(outer.size(), 1);
  for (const PoolDim &dim : dims) {
    int64_t reach = (dim.output - 1) * dim.stride + (dim.window - 1) * dim.dilation + 1;
    low[dim.axis] = dim.padLow;
    high[dim.axis] = std::max<int64_t>(0, reach - dim.padLow - dim.input);
    strides[dim.axis] = dim.output == 1 ? 1 : dim.stride;
  }
  Value padded = rule.pad(input, low, high, -std::numeric_limits<double>::infinity());
  Type number = rule.getBuilder().getI32Type();
  int64_t count = countTaps();
  // From the last one to the first: each value here has one use, so that all of it fuses.
  Value taps = rule.scalar(number, count - 1);
  for (int64_t tap = count - 2; tap >= 0; --tap) {
    SmallVector<int64_t> starts(outer.size(), 0);
    int64_t rest = tap;
    for (const PoolDim &dim : llvm::reverse(dims)) {
      starts[dim.axis] = rest % dim.window * dim.dilation;
      rest /= dim.window;
    }
    Value isMaximum = rule.equal(rule.slice(padded, starts, outer, strides), op.getResult());
    taps = rule.select(isMaximum, rule.scalar(number, tap), taps);
  }
  return rule.broadcast(taps, outer);
}

/// `values` along the dim.
Value PoolGrad::vector(const PoolDim &dim, ArrayRef<int64_t> values) {
  SmallVector<int64_t> shape(outer.size() - dim.axis, 1);
  shape[0] = values.size();
  return rule.cast(rule.indices(values, shape), rule.getBuilder().getI32Type());
}

/// The shape with each spatial dim as windows times positions in a window.
SmallVector<int64_t> PoolGrad::split(bool isRepeated) {
  SmallVector<int64_t> shape;
  size_t next = 0;
  for (auto [axis, extent] : llvm::enumerate(outer)) {
    shape.push_back(extent);
    if (next < dims.size() && dims[next].axis == static_cast<int64_t>(axis))
      shape.push_back(isRepeated ? dims[next++].stride : (++next, 1));
  }
  return shape;
}

/// Windows side by side, cut or filled to the extents of the input.
Value PoolGrad::join(Value pieces) {
  SmallVector<int64_t> shape(outer), low(outer.size(), 0), high(low);
  for (const PoolDim &dim : dims) {
    shape[dim.axis] *= dim.stride;
    low[dim.axis] = -dim.padLow;
    high[dim.axis] = dim.input + dim.padLow - shape[dim.axis];
  }
  return rule.pad(rule.reshape(pieces, shape), low, high);
}

/// One window for each image and channel.
Value PoolGrad::pickWhole() {
  Value input = op.getInput();
  int64_t first = dims.front().axis, last = dims.back().axis;
  SmallVector<int64_t> shape(shapeOf(input).take_front(first));
  int64_t count = ShapedType::getNumElements(shapeOf(input).slice(first, dims.size()));
  shape.push_back(count);
  llvm::append_range(shape, shapeOf(input).drop_front(last + 1));
  Value line = rule.reshape(input, shape);
  Value winner = rule.make<ArgReduceOp>(ArgReduceKind::Max, line, first, /*keepdims=*/true);
  SmallVector<int64_t> counted(shape.size() - first, 1);
  counted[0] = count;
  Value isWinner = rule.equal(rule.iota(counted, 0, rule.getBuilder().getI64Type()), winner);
  Value gradient = rule.reshape(rule.gradient, shapeOf(winner));
  return rule.reshape(rule.where(isWinner, rule.broadcast(gradient, shape)), shapeOf(input));
}

Value PoolGrad::pickApart(Value taps) {
  SmallVector<int64_t> single = split(false), whole = split(true);
  Value expected;
  int64_t volume = 1;
  for (auto [i, dim] : llvm::enumerate(llvm::reverse(dims))) {
    SmallVector<int64_t> numbers(dim.stride, kNoTap), shape(whole.size(), 1);
    for (int64_t tap = 0; tap < dim.window; ++tap)
      numbers[tap] = tap * volume;
    volume *= dim.window;
    // Each spatial dim before this one has become two.
    shape[dim.axis + dims.size() - i] = dim.stride;
    Value part = rule.cast(rule.indices(numbers, shape), rule.getBuilder().getI32Type());
    expected = expected ? rule.add(expected, part) : part;
  }
  Value isWinner = rule.equal(rule.reshape(taps, single), expected);
  return join(rule.where(isWinner, rule.broadcast(rule.reshape(rule.gradient, single), whole)));
}

namespace {
/// Per element of a dim, a window that it is in and its number there.
struct Cover {
  SmallVector<int64_t> windows, taps;
};
} // namespace

/// All windows of all elements of a dim: the first of each, the second of each, ...
static SmallVector<Cover> coverDim(const WindowDim &dim) {
  SmallVector<Cover> covers;
  for (int64_t i = 0; i < dim.input; ++i) {
    size_t found = 0;
    for (int64_t tap = 0; tap < dim.window; ++tap) {
      int64_t from = i + dim.padLow - tap * dim.dilation;
      if (from < 0 || from % dim.stride != 0 || from / dim.stride >= dim.output)
        continue;
      if (found == covers.size())
        covers.push_back({SmallVector<int64_t>(dim.input, 0), SmallVector<int64_t>(dim.input, kNoTap)});
      covers[found].windows[i] = from / dim.stride;
      covers[found++].taps[i] = tap;
    }
  }
  return covers;
}

Value PoolGrad::pickWindows(Value taps) {
  SmallVector<SmallVector<Cover>> covers;
  for (const PoolDim &dim : dims)
    covers.push_back(coverDim(dim));
  SmallVector<size_t> choice(dims.size(), 0);
  Value total;
  while (true) {
    Value theirs = taps, gradient = rule.gradient, expected;
    int64_t volume = 1;
    for (size_t i = dims.size(); i-- > 0;) {
      const Cover &cover = covers[i][choice[i]];
      uint64_t axis = dims[i].axis;
      Value windows = rule.indices(cover.windows);
      theirs = rule.make<GatherOp>(theirs, windows, axis);
      gradient = rule.make<GatherOp>(gradient, windows, axis);
      SmallVector<int64_t> numbers =
          llvm::map_to_vector(cover.taps, [&](int64_t tap) { return tap < 0 ? kNoTap : tap * volume; });
      Value part = vector(dims[i], numbers);
      expected = expected ? rule.add(expected, part) : part;
      volume *= dims[i].window;
    }
    Value mine = rule.where(rule.equal(theirs, expected), gradient);
    total = total ? rule.add(total, mine) : mine;
    size_t i = dims.size();
    while (i-- > 0 && ++choice[i] == covers[i].size())
      choice[i] = 0;
    if (i == static_cast<size_t>(-1))
      return total;
  }
}

Value PoolGrad::ofMax() {
  if (llvm::all_of(dims, [](const PoolDim &dim) { return dim.isWhole(); }))
    return pickWhole();
  Value taps = findTaps();
  // Small windows are searched again for each of their elements, in one kernel with what
  // follows; that needs channels to be vectorised along.
  bool isSmall = op.getLayout() == graph::DataLayout::ChannelsLast && countTaps() <= kMostSearched;
  return areApart() && !isSmall ? pickApart(taps) : pickWindows(taps);
}

//===----------------------------------------------------------------------===//
// Sum and mean
//===----------------------------------------------------------------------===//

/// `gradient` by the number of elements that each mean is of.
Value PoolGrad::divideByCount(Value gradient) {
  Type element = elementOf(gradient);
  double volume = 1;
  Value counts;
  for (const PoolDim &dim : dims) {
    SmallVector<double> inside(dim.output, 0);
    for (int64_t o = 0; o < dim.output; ++o)
      for (int64_t tap = 0; tap < dim.window; ++tap) {
        int64_t at = o * dim.stride - dim.padLow + tap * dim.dilation;
        inside[o] += op.getCountIncludePad() || (at >= 0 && at < dim.input);
      }
    if (llvm::all_equal(inside)) {
      volume *= inside.front();
      continue;
    }
    SmallVector<int64_t> shape(outer.size() - dim.axis, 1);
    shape[0] = dim.output;
    Value part = rule.numbers(element, inside, shape);
    counts = counts ? rule.mul(counts, part) : part;
  }
  Value common = rule.scalar(element, volume);
  return rule.div(gradient, counts ? rule.mul(counts, common) : common);
}

Value PoolGrad::ofSum(Value gradient) {
  auto fills = [](const PoolDim &dim) { return dim.isApart() && dim.stride == dim.window; };
  if (llvm::all_of(dims, fills))
    return join(rule.broadcast(rule.reshape(gradient, split(false)), split(true)));
  // The pool of the gradients, a stride apart, over mirrored windows.
  SmallVector<int64_t> factors(outer.size(), 1), low(outer.size(), 0), high(low);
  for (const PoolDim &dim : dims) {
    factors[dim.axis] = dim.output == 1 ? 1 : dim.stride;
    int64_t reach = (dim.window - 1) * dim.dilation;
    low[dim.axis] = reach - dim.padLow;
    high[dim.axis] = dim.input + reach - low[dim.axis] - dim.output * factors[dim.axis];
  }
  Value padded = rule.pad(rule.spread(gradient, factors), low, high);
  return rule.make<PoolOp>(PoolKind::Sum, padded, op.getWindow(), DenseI64ArrayAttr(), DenseI64ArrayAttr(),
                           op.getDilationsAttr(), /*count_include_pad=*/false, op.getLayout());
}

static void ruleOfPool(PoolOp op, const Rule &rule) {
  PoolGrad grad(op, rule);
  switch (op.getKind()) {
  case PoolKind::Max:
    return rule.give(0, grad.ofMax());
  case PoolKind::Avg:
    return rule.give(0, grad.ofSum(grad.divideByCount(rule.gradient)));
  case PoolKind::Sum:
    return rule.give(0, grad.ofSum(rule.gradient));
  }
}

void hgc::attachPoolRules(MLIRContext *context) { attachRule<PoolOp, ruleOfPool>(context); }
