//===- PoolWindow.cpp - results of a sliding window reduction -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/PoolWindow.h"

#include "dialects/Graph/ElementTypes.h"
#include "hgc/CodeGen/Common/Combine.h"
#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/CodeGen/Common/ReduceElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace hgc::codegen {

using graph::PoolKind;
using graph::WindowDim;

/// Window volume from which f32 sums are taken in f64.
static constexpr int64_t kLongSum = 256;

/// Whether every window lies inside the input along `dim`.
static bool isUnpadded(const WindowDim &dim) {
  return dim.padLow == 0 && (dim.output - 1) * dim.stride + (dim.window - 1) * dim.dilation < dim.input;
}

std::pair<int64_t, int64_t> findInnerResults(const WindowDim &dim) {
  int64_t first = std::min<int64_t>(dim.output, llvm::divideCeil(dim.padLow, dim.stride));
  int64_t room = dim.input - 1 - (dim.window - 1) * dim.dilation + dim.padLow;
  return {first, room < 0 ? first : std::clamp<int64_t>(room / dim.stride + 1, first, dim.output)};
}

PoolWindow::PoolWindow(EmitContext &context, graph::PoolOp pool, Reader reader)
    : context(context), b(context.builder, context.loc), pool(pool), reader(std::move(reader)), shape(pool.getShape()) {
  for (const WindowDim &dim : shape.spatial)
    volume *= dim.window;
}

SmallVector<LaneIndex> PoolWindow::toTensor(const LaneIndex &batch, const LaneIndex &channel,
                                            ArrayRef<LaneIndex> spatial) {
  SmallVector<LaneIndex> index{batch};
  if (!shape.channelsLast)
    index.push_back(channel);
  index.append(spatial.end() - shape.rank, spatial.end());
  if (shape.channelsLast)
    index.push_back(channel);
  return index;
}

/// Taps of the window at `position` that lie inside the input.
std::pair<Value, Value> PoolWindow::tapRange(const WindowDim &dim, const LaneIndex &position, bool isInner) {
  Value lower = b.constant(0), upper = b.constant(dim.window);
  if (isInner || isUnpadded(dim))
    return {lower, upper};
  // Tap k reads start + k * dilation.
  Value start = b.add(b.mul(position.base, dim.stride), -dim.padLow);
  Value before = b.max(b.sub(b.constant(0), start), b.constant(0));
  Value after = b.max(b.sub(b.constant(dim.input), start), b.constant(0));
  lower = b.min(b.div(b.add(before, dim.dilation - 1), dim.dilation), upper);
  upper = b.min(b.div(b.add(after, dim.dilation - 1), dim.dilation), upper);
  return {lower, upper};
}

Type PoolWindow::accumulatorType() {
  Type compute = graph::getComputeType(elementType());
  if (pool.getKind() == PoolKind::Max)
    return compute;
  if (compute.isF32() && volume >= kLongSum)
    return context.builder.getF64Type();
  return isa<IntegerType>(compute) ? context.builder.getI64Type() : compute;
}

/// An element in the type of the accumulator.
Value PoolWindow::widen(Value value) {
  return codegen::widen(context.builder, context.loc, value, accumulatorType(), graph::isUnsigned(elementType()));
}

/// Number of elements an average divides by, in each lane of `type`.
Value PoolWindow::divisor(ArrayRef<std::pair<Value, Value>> ranges, Type type) {
  OpBuilder &builder = context.builder;
  Value count = b.constant(1);
  for (auto [lower, upper] : ranges)
    count = b.mul(count, b.sub(upper, lower));
  if (pool.getCountIncludePad())
    count = b.constant(volume);
  if (std::optional<int64_t> known = getConstant(count))
    return createConstant(builder, context.loc, type, static_cast<double>(*known));
  Type element = getElementTypeOrSelf(type);
  Value number = arith::IndexCastOp::create(builder, context.loc, builder.getI64Type(), count);
  if (isa<FloatType>(element))
    number = arith::SIToFPOp::create(builder, context.loc, element, number);
  auto vector = dyn_cast<VectorType>(type);
  return spread(builder, context.loc, number, vector ? vector.getNumElements() : 1);
}

Value PoolWindow::finish(Value total, ArrayRef<std::pair<Value, Value>> ranges) {
  OpBuilder &builder = context.builder;
  Location loc = context.loc;
  if (pool.getKind() == PoolKind::Avg) {
    Value by = divisor(ranges, total.getType());
    if (isa<FloatType>(getElementTypeOrSelf(total.getType())))
      total = arith::DivFOp::create(builder, loc, total, by);
    else if (graph::isUnsigned(elementType()))
      total = arith::DivUIOp::create(builder, loc, total, by);
    else
      total = arith::DivSIOp::create(builder, loc, total, by);
  }
  Type compute = graph::getComputeType(elementType());
  if (isa<FloatType>(compute))
    return convertFloat(builder, loc, total, compute);
  Type type = getLaneType(compute, getLanes(total));
  return total.getType() == type ? total : Value(arith::TruncIOp::create(builder, loc, type, total));
}

void PoolWindow::emit(const PoolPoint &out, int64_t lanes) {
  Combiner combiner{pool.getKind() == PoolKind::Max ? graph::ReduceKind::Max : graph::ReduceKind::Sum,
                    graph::isUnsigned(elementType())};
  Value total = combiner.neutral(context.builder, context.loc, getLaneType(accumulatorType(), lanes));
  SmallVector<std::pair<Value, Value>> ranges;
  for (size_t d = 0; d < 3; ++d)
    ranges.push_back(tapRange(shape.spatial[d], out.spatial[d], d == 2 && out.isInner));
  SmallVector<LaneIndex> source;
  std::function<Value(Value)> taps = [&](Value carried) -> Value {
    size_t d = source.size();
    if (d == 3) {
      SmallVector<LaneIndex> at = toTensor(out.batch, out.channel, source);
      Value value = reader ? reader(at, lanes) : ElementEmitter(context, lanes).eval(pool.getInput(), at);
      return combiner.combine(context.builder, context.loc, carried, widen(value));
    }
    const WindowDim &dim = shape.spatial[d];
    return b
        .loop(ranges[d].first, ranges[d].second, 1, ValueRange{carried},
              [&](Value k, ValueRange values) -> SmallVector<Value> {
                Value start = b.add(b.mul(out.spatial[d].base, dim.stride), -dim.padLow);
                source.push_back({b.add(start, b.mul(k, dim.dilation)), out.spatial[d].step * dim.stride});
                Value next = taps(values[0]);
                source.pop_back();
                return {next};
              })
        .front();
  };
  total = finish(taps(total), ranges);
  ElementEmitter result(context, lanes);
  result.bind(pool.getResult(), total);
  result.storeResult(toTensor(out.batch, out.channel, out.spatial));
}

} // namespace hgc::codegen
