//===- IntegerContractions.cpp - products of quantized operands -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With x = sx (q - zx) and w = sw v, the product of dequantized operands is
//   sum x w = sx sw (sum q v - zx sum v)
// and what stands in brackets is exact in i32. The sums of weights are known, so
// that zero points are part of the bias. A q that is not signed is taken as i8 by
// turning its top bit over, which subtracts 128 from it and from its zero point.
//===----------------------------------------------------------------------===//

#include "QuantizedMatch.h"
#include "Utils.h"

#include "hgc/Transforms/Passes.h"

#include <cmath>
#include <limits>

namespace hgc {
#define GEN_PASS_DEF_INTEGERCONTRACTIONS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

static ShapedType typeOf(Value value) { return cast<ShapedType>(value.getType()); }

namespace {

/// Rewrites the ops of a module.
class Rewriter {
public:
  Rewriter(ModuleOp module, StringRef baseDir, const Invariance &invariance)
      : module(module), matcher(module, baseDir, invariance) {}

  /// Whether anything has changed.
  bool run();

private:
  void rewrite(const QuantizedMatch &match);
  Value shiftData(OpBuilder &builder, Value data);
  Value contract(OpBuilder &builder, const QuantizedMatch &match);
  void requantize(OpBuilder &builder, const QuantizedMatch &match, Value sum, Operation *last);
  void quantize(OpBuilder &builder, Value number, ArrayRef<Operation *> limits, float divisor,
                Quantization quantization);
  float getLimit(Operation *op, float divisor);
  void shareShifted();

  ModuleOp module;
  QuantizedMatcher matcher;
  /// Data that is not signed, and as i8.
  llvm::MapVector<Value, XorOp> shifted;
};

struct IntegerContractions final : hgc::impl::IntegerContractionsBase<IntegerContractions> {
  using Base::Base;

  void runOnOperation() override {
    if (!Rewriter(getOperation(), baseDir, getAnalysis<Invariance>()).run())
      markAllAnalysesPreserved();
  }
};

} // namespace

Value Rewriter::shiftData(OpBuilder &builder, Value data) {
  if (!getElementTypeOrSelf(data.getType()).isUnsignedInteger())
    return data;
  XorOp &result = shifted[data];
  if (!result) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(data);
    Type i8 = builder.getI8Type();
    Value bits = makeCast(builder, data.getLoc(), data, i8);
    Value top = ConstantOp::create(builder, data.getLoc(), HostTensor::splat(i8, {}, -128).toAttr());
    result = XorOp::create(builder, data.getLoc(), bits, top);
  }
  return result;
}

/// The sum of products of i8 operands.
Value Rewriter::contract(OpBuilder &builder, const QuantizedMatch &match) {
  Location loc = match.op->getLoc();
  Type i8 = builder.getI8Type(), i32 = builder.getI32Type();
  Value data = shiftData(builder, match.data), weights = match.weights;
  if (match.shiftsWeights) {
    Value wide = makeCast(builder, loc, weights, i32);
    if (match.weightsZero)
      wide = SubOp::create(builder, loc, wide, match.weightsZero);
    weights = makeCast(builder, loc, wide, i8);
  }
  if (auto matmul = dyn_cast<MatmulOp>(match.op))
    return MatmulOp::create(builder, loc, data, weights, matmul.getTransposeLhs(), matmul.getTransposeRhs(),
                            PackedAttr());
  auto conv = cast<ConvOp>(match.op);
  DenseI64ArrayAttr pads = conv.getPadsAttr();
  int64_t zero = match.dataZero - (data == match.data ? 0 : 128);
  if (zero != 0 && pads && !llvm::all_of(pads.asArrayRef(), [](int64_t pad) { return pad == 0; })) {
    // What stands for zero is the zero point, so that is what surrounds the data.
    int64_t rank = typeOf(data).getRank(), spatial = rank - 2, first = match.axis == 1 ? 2 : 1;
    SmallVector<int64_t> low(rank, 0), high(rank, 0);
    for (int64_t i = 0; i < spatial; ++i)
      low[first + i] = pads[i], high[first + i] = pads[spatial + i];
    Value filler = ConstantOp::create(builder, loc, HostTensor::splat(i8, {}, static_cast<double>(zero)).toAttr());
    data = PadOp::create(builder, loc, PadMode::Constant, data, filler, low, high);
    pads = {};
  }
  return ConvOp::create(builder, loc, data, weights, conv.getStridesAttr(), pads, conv.getDilationsAttr(),
                        static_cast<uint64_t>(conv.getGroups()), conv.getLayout(), conv.getFilterLayout(),
                        PackedAttr());
}

/// The integer that bounds rounded numbers if `limit` bounds the numbers.
static int64_t roundLimit(float limit) {
  constexpr double largest = 1 << 24;
  return static_cast<int64_t>(std::nearbyint(std::clamp<double>(limit, -largest, largest)));
}

/// The number that bounds the operand of a `relu`, `max` or `min`, in steps of `divisor`.
float Rewriter::getLimit(Operation *op, float divisor) {
  return isa<ReluOp>(op) ? 0.0f : static_cast<float>(*matcher.evaluateScalar(op->getOperand(1))) / divisor;
}

/// Makes the quantization one of `number`. Limits are integers, or hold for what is rounded, so that all of them can
/// come last. Rounding is then part of a conversion, and the end of it is one that saturates.
void Rewriter::quantize(OpBuilder &builder, Value number, ArrayRef<Operation *> limits, float divisor,
                        Quantization quantization) {
  Location loc = quantization.cast.getLoc();
  Type i32 = builder.getI32Type();
  int64_t least = std::numeric_limits<int32_t>::min(), most = std::numeric_limits<int32_t>::max();
  auto limit = [&](bool isLeast, int64_t bound) {
    least = isLeast ? std::max(least, bound) : std::min(least, bound);
    most = isLeast ? std::max(most, bound) : std::min(most, bound);
  };
  for (Operation *op : limits)
    limit(!isa<MinOp>(op), quantization.zero + roundLimit(getLimit(op, divisor)));
  limit(/*isLeast=*/true, quantization.least);
  limit(/*isLeast=*/false, quantization.most);
  auto scalar = [&](int64_t value) {
    return ConstantOp::create(builder, loc, HostTensor::splat(i32, {}, static_cast<double>(value)).toAttr());
  };
  Value rounded = RoundOp::create(builder, loc, number.getType(), number);
  Value integer = CastOp::create(builder, loc, rounded, i32, /*in_range=*/true);
  if (quantization.zero)
    integer = AddOp::create(builder, loc, integer, scalar(quantization.zero));
  integer = MaxOp::create(builder, loc, integer, scalar(least));
  integer = MinOp::create(builder, loc, integer, scalar(most));
  quantization.cast.getInputMutable().assign(integer);
}

/// `sum` times the scales. Where activations and a quantization follow, the division
/// by the result's scale is part of the factor.
void Rewriter::requantize(OpBuilder &builder, const QuantizedMatch &match, Value sum, Operation *last) {
  Location loc = match.op->getLoc();
  Type f32 = builder.getF32Type();
  SmallVector<Operation *> between;
  Operation *next = last;
  std::optional<double> step;
  while (next->getResult(0).hasOneUse()) {
    Operation *user = *next->user_begin();
    if (auto div = dyn_cast<DivOp>(user)) {
      bool rounds = div.getLhs() == next->getResult(0) && div->hasOneUse() && isa<RoundOp>(*div->user_begin());
      step = rounds ? matcher.evaluateScalar(div.getRhs()) : std::nullopt;
      next = user;
      break;
    }
    bool isLimit = isa<MaxOp, MinOp>(user) && user->getOperand(0) == next->getResult(0) &&
                   matcher.evaluateScalar(user->getOperand(1));
    if (!isLimit && !isa<ReluOp>(user))
      break;
    between.push_back(user);
    next = user;
  }
  bool isFolded = step && *step > 0;
  float divisor = isFolded ? static_cast<float>(*step) : 1.0f;
  SmallVector<int64_t> shape(match.scales.size() == 1 ? 0 : typeOf(sum).getRank() - match.axis, 1);
  if (!shape.empty())
    shape[0] = match.scales.size();
  HostTensor factors(f32, shape);
  for (auto [i, scale] : llvm::enumerate(match.scales))
    factors.setDouble(i, scale / (divisor * static_cast<float>(match.count)));
  Value result =
      MulOp::create(builder, loc, makeCast(builder, loc, sum, f32), ConstantOp::create(builder, loc, factors.toAttr()));
  if (!isFolded)
    return last->getResult(0).replaceAllUsesWith(result);
  auto quantization = matcher.matchQuantization(cast<RoundOp>(*next->user_begin()));
  // Then no sum leaves the range of integers.
  bool isSmall = llvm::all_of(factors.toDoubles(), [](double factor) { return factor <= 0.5; });
  if (quantization && isSmall) {
    builder.setInsertionPoint(quantization->cast);
    return quantize(builder, result, between, divisor, *quantization);
  }
  for (Operation *op : between) {
    builder.setInsertionPoint(op);
    if (isa<ReluOp>(op)) {
      result = ReluOp::create(builder, op->getLoc(), result.getType(), result);
      continue;
    }
    float limit = getLimit(op, divisor);
    Value bound = ConstantOp::create(builder, op->getLoc(), HostTensor::splat(f32, {}, limit).toAttr());
    result = isa<MaxOp>(op) ? Value(MaxOp::create(builder, op->getLoc(), result, bound))
                            : Value(MinOp::create(builder, op->getLoc(), result, bound));
  }
  next->getResult(0).replaceAllUsesWith(result);
}

void Rewriter::rewrite(const QuantizedMatch &match) {
  NoteKeeper notes(match.op);
  OpBuilder builder(match.op);
  builder.setListener(&notes);
  if (auto mean = dyn_cast<ReduceOp>(match.op)) {
    Value sum =
        ReduceOp::create(builder, mean.getLoc(), ReduceKind::Sum, match.data, mean.getAxes(), mean.getKeepdims());
    return requantize(builder, match, sum, mean);
  }
  Location loc = match.op->getLoc();
  SmallVector<int64_t> bias;
  AddOp add = matcher.findBias(match, bias);
  int64_t channels = match.sums.size();
  bias.resize(channels, 0);
  int64_t zero = match.dataZero - (getElementTypeOrSelf(match.data.getType()).isUnsignedInteger() ? 128 : 0);
  for (auto [number, sum] : llvm::zip_equal(bias, match.sums))
    number -= zero * sum;
  Value sum = contract(builder, match);
  SmallVector<int64_t> shape(typeOf(sum).getRank() - match.axis, 1);
  shape[0] = channels;
  if (llvm::any_of(bias, [](int64_t number) { return number != 0; }))
    sum = AddOp::create(
        builder, loc, sum,
        ConstantOp::create(builder, loc, HostTensor::fromInts(builder.getI32Type(), shape, bias).toAttr()));
  requantize(builder, match, sum, add ? add.getOperation() : match.op);
}

/// Other readers of data that exists as i8 take it from there, so that one of both is
/// written to memory.
void Rewriter::shareShifted() {
  for (auto [data, result] : shifted)
    for (Operation *user : llvm::make_early_inc_range(data.getUsers())) {
      auto widen = dyn_cast<CastOp>(user);
      Type i32 = IntegerType::get(module.getContext(), 32);
      if (!widen || getElementTypeOrSelf(widen.getType()) != i32)
        continue;
      OpBuilder builder(widen);
      Value number = makeCast(builder, widen.getLoc(), result, i32);
      Value shift = ConstantOp::create(builder, widen.getLoc(), HostTensor::splat(i32, {}, 128).toAttr());
      widen.getResult().replaceAllUsesWith(AddOp::create(builder, widen.getLoc(), number, shift));
    }
}

bool Rewriter::run() {
  SmallVector<QuantizedMatch> matches;
  module.walk([&](Operation *op) {
    if (std::optional<QuantizedMatch> found = matcher.match(op))
      matches.push_back(std::move(*found));
  });
  for (const QuantizedMatch &match : matches)
    rewrite(match);
  // Dequantized operands nobody reads any more would count as readers of the data.
  eraseDeadOps(module);
  // Nor does anybody read the data of a contraction that was for nothing.
  llvm::DenseSet<Operation *> live;
  module.walk([&](XorOp op) { live.insert(op); });
  shifted.remove_if([&](const auto &entry) { return !live.contains(entry.second); });
  shareShifted();
  eraseDeadOps(module);
  return !matches.empty();
}
