//===- QuantizedMatch.cpp - ops on dequantized integers -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "QuantizedMatch.h"

#include <cmath>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

/// Deeper sums of 8-bit products may not fit i32.
static constexpr int64_t kMostDepth = 32768;

/// Sums of more 8-bit numbers may not be exact in f32.
static constexpr int64_t kMostCount = 65536;

static bool isByte(Type element) { return element.isInteger(8); }

static ShapedType typeOf(Value value) { return cast<ShapedType>(value.getType()); }

/// `scale * (data - zero)` in f32; without a zero point that is null. The difference is
/// one of i32.
struct QuantizedMatcher::Dequantized {
  Value data, zero, scale, difference;
};

/// The operand of a commutative op that an `OpT` makes, and the other one.
template <typename OpT> static std::pair<OpT, Value> splitOperands(Operation *op) {
  for (unsigned i : {0u, 1u})
    if (auto found = op->getOperand(i).getDefiningOp<OpT>())
      return {found, op->getOperand(1 - i)};
  return {};
}

std::optional<QuantizedMatcher::Dequantized> QuantizedMatcher::matchDequantized(Value value) {
  auto mul = value.getDefiningOp<MulOp>();
  if (!mul || !getElementTypeOrSelf(value.getType()).isF32())
    return std::nullopt;
  auto [toFloat, scale] = splitOperands<CastOp>(mul);
  if (!toFloat || typeOf(toFloat).getShape() != typeOf(value).getShape())
    return std::nullopt;
  Value zero, integer = toFloat.getInput();
  if (auto sub = integer.getDefiningOp<SubOp>())
    zero = sub.getRhs(), integer = sub.getLhs();
  auto widen = integer.getDefiningOp<CastOp>();
  if (!widen || !getElementTypeOrSelf(integer.getType()).isInteger(32) ||
      typeOf(integer).getShape() != typeOf(value).getShape())
    return std::nullopt;
  return Dequantized{widen.getInput(), zero, scale, toFloat.getInput()};
}

/// Whether `value`, broadcast to `rank` dims, differs along `axis` only.
static bool isAlong(Value value, int64_t rank, int64_t axis) {
  ArrayRef<int64_t> shape = typeOf(value).getShape();
  int64_t offset = rank - static_cast<int64_t>(shape.size());
  for (auto [i, extent] : llvm::enumerate(shape))
    if (extent != 1 && static_cast<int64_t>(i) + offset != axis)
      return false;
  return offset >= 0;
}

bool QuantizedMatcher::isKnown(Value value) {
  return value && typeOf(value).hasStaticShape() && invariance.isInvariant(value);
}

std::optional<HostTensor> QuantizedMatcher::evaluate(Value value) {
  llvm::Expected<HostTensor> result = values.evaluate(value);
  values.forget();
  if (result)
    return *result;
  // A weights file that cannot be read is reported where it is needed.
  llvm::consumeError(result.takeError());
  return std::nullopt;
}

std::optional<double> QuantizedMatcher::evaluateScalar(Value value) {
  if (!isKnown(value) || typeOf(value).getNumElements() != 1)
    return std::nullopt;
  std::optional<HostTensor> result = evaluate(value);
  return result ? std::optional<double>(result->getDouble(0)) : std::nullopt;
}

bool QuantizedMatcher::matchData(const Dequantized &data, QuantizedMatch &match) {
  std::optional<double> scale = evaluateScalar(data.scale);
  std::optional<double> zero = data.zero ? evaluateScalar(data.zero) : std::optional<double>(0);
  if (!isByte(getElementTypeOrSelf(data.data.getType())) || !scale || !zero || !(*scale > 0))
    return false;
  match.data = data.data;
  match.dataZero = static_cast<int64_t>(*zero);
  for (float &factor : match.scales)
    factor = static_cast<float>(*scale) * factor;
  return true;
}

bool QuantizedMatcher::matchWeights(const Dequantized &weights, QuantizedMatch &match) {
  ShapedType type = typeOf(weights.data);
  int64_t rank = type.getRank();
  if (!isByte(type.getElementType()) || !isKnown(weights.data) || !isKnown(weights.scale) ||
      !isAlong(weights.scale, rank, match.weightsAxis) ||
      (weights.zero && (!isKnown(weights.zero) || !isAlong(weights.zero, rank, match.weightsAxis))))
    return false;
  std::optional<HostTensor> data = evaluate(weights.data), scale = evaluate(weights.scale), zero;
  if (weights.zero)
    zero = evaluate(weights.zero);
  if (!data || !scale || (weights.zero && !zero))
    return false;
  int64_t channels = type.getDimSize(match.weightsAxis), inner = 1;
  for (int64_t extent : type.getShape().drop_front(match.weightsAxis + 1))
    inner *= extent;
  match.sums.assign(channels, 0);
  match.weights = weights.data;
  match.shiftsWeights = type.getElementType().isUnsignedInteger();
  for (int64_t i = 0, e = data->getNumElements(); i < e; ++i) {
    int64_t channel = i / inner % channels;
    int64_t origin = zero ? zero->getInt(zero->getNumElements() == 1 ? 0 : channel) : 0;
    int64_t value = data->getInt(i) - origin;
    if (value < -128 || value > 127)
      return false;
    match.shiftsWeights |= origin != 0;
    match.sums[channel] += value;
  }
  match.weightsZero = weights.zero;
  for (double number : scale->toDoubles()) {
    match.scales.push_back(static_cast<float>(number));
    if (!(number > 0))
      return false;
  }
  return true;
}

std::optional<QuantizedMatch> QuantizedMatcher::matchMean(ReduceOp op) {
  std::optional<Dequantized> data = matchDequantized(op.getInput());
  QuantizedMatch match;
  match.op = op;
  match.scales = {1.0f};
  bool isStatic = typeOf(op.getInput()).hasStaticShape();
  if (op.getKind() != ReduceKind::Mean || !isStatic || !data || !matchData(*data, match))
    return std::nullopt;
  for (int64_t axis : op.getAxes())
    match.count *= typeOf(op.getInput()).getDimSize(axis);
  if (match.count == 0 || match.count > kMostCount)
    return std::nullopt;
  match.data = data->difference;
  return match;
}

std::optional<QuantizedMatch> QuantizedMatcher::match(Operation *op) {
  QuantizedMatch match;
  match.op = op;
  int64_t depth = 0;
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return matchMean(reduce);
  if (!isa<MatmulOp, ConvOp>(op))
    return std::nullopt;
  auto isStatic = [](Value value) { return typeOf(value).hasStaticShape(); };
  if (!llvm::all_of(op->getOperands(), isStatic) || !isStatic(op->getResult(0)))
    return std::nullopt;
  int64_t rank = typeOf(op->getResult(0)).getRank();
  if (auto matmul = dyn_cast<MatmulOp>(op)) {
    if (typeOf(matmul.getRhs()).getRank() != 2 || matmul.getPacked())
      return std::nullopt;
    match.axis = rank - 1;
    match.weightsAxis = matmul.getTransposeRhs() ? 0 : 1;
    depth = matmul.getDepth();
  } else {
    auto conv = cast<ConvOp>(op);
    if (conv.getPacked())
      return std::nullopt;
    match.axis = conv.getLayout() == graph::DataLayout::ChannelsFirst ? 1 : rank - 1;
    match.weightsAxis = conv.getFilterLayout() == FilterLayout::OIHW ? 0 : rank - 1;
    ShapedType filter = typeOf(conv.getFilter());
    depth = filter.getNumElements() / std::max<int64_t>(1, filter.getDimSize(match.weightsAxis));
  }
  if (depth == 0 || depth > kMostDepth || typeOf(op->getResult(0)).getNumElements() == 0)
    return std::nullopt;
  std::optional<Dequantized> data = matchDequantized(op->getOperand(0)), weights = matchDequantized(op->getOperand(1));
  if (!data || !weights || !matchWeights(*weights, match) || !matchData(*data, match))
    return std::nullopt;
  return match;
}

std::optional<Quantization> QuantizedMatcher::matchQuantization(RoundOp round) {
  Quantization found;
  Value value = round;
  // The number that an op of this kind, the only reader of the value, combines with it.
  auto take = [&](auto op, int64_t &number) {
    auto user = value.hasOneUse() ? dyn_cast<decltype(op)>(*value.user_begin()) : op;
    std::optional<double> known =
        user && user.getLhs() == value ? evaluateScalar(user.getRhs()) : std::optional<double>();
    if (!known || std::abs(*known) > 256 || *known != std::trunc(*known))
      return false;
    number = static_cast<int64_t>(*known);
    value = user;
    return true;
  };
  take(AddOp(), found.zero);
  if (!take(MaxOp(), found.least) || !take(MinOp(), found.most) || !value.hasOneUse())
    return std::nullopt;
  found.cast = dyn_cast<CastOp>(*value.user_begin());
  if (!found.cast || !isByte(getElementTypeOrSelf(found.cast.getType())) || found.least > found.most)
    return std::nullopt;
  int64_t low = getElementTypeOrSelf(found.cast.getType()).isUnsignedInteger() ? 0 : -128;
  return found.least >= low && found.most <= low + 255 ? std::optional<Quantization>(found) : std::nullopt;
}

AddOp QuantizedMatcher::findBias(const QuantizedMatch &match, SmallVectorImpl<int64_t> &bias) {
  Value result = match.op->getResult(0);
  auto add = result.hasOneUse() ? dyn_cast<AddOp>(*result.user_begin()) : AddOp();
  if (!add || add.getType() != result.getType())
    return {};
  Value other = add.getLhs() == result ? add.getRhs() : add.getLhs();
  int64_t rank = typeOf(result).getRank();
  if (!isKnown(other) || !isAlong(other, rank, match.axis))
    return {};
  while (auto view = other.getDefiningOp<ReshapeOp>())
    other = view.getInput();
  auto mul = other.getDefiningOp<MulOp>();
  auto [toFloat, scale] = mul ? splitOperands<CastOp>(mul) : std::pair<CastOp, Value>();
  if (!toFloat || !getElementTypeOrSelf(toFloat.getInput().getType()).isInteger(32))
    return {};
  std::optional<HostTensor> integers = evaluate(toFloat.getInput()), scales = evaluate(scale);
  if (!integers || !scales || integers->getNumElements() != typeOf(other).getNumElements())
    return {};
  // Formats say that this is the product of the operands' scales; rounded differently it
  // is off by less than half a step of any bias below 2^22.
  auto at = [](int64_t count, int64_t i) { return count == 1 ? 0 : i; };
  int64_t channels = match.sums.size();
  for (int64_t i = 0; i < channels; ++i) {
    float wanted = match.scales[at(match.scales.size(), i)];
    double given = scales->getDouble(at(scales->getNumElements(), i));
    if (!(std::abs(given - wanted) <= std::abs(wanted) * 1e-7 * 2))
      return {};
    bias.push_back(integers->getInt(at(integers->getNumElements(), i)));
  }
  return add;
}
