//===- Lanes.cpp - elements in memory and in registers --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/Lanes.h"

#include "dialects/Graph/ElementTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace hgc::codegen {

Type getLaneType(Type element, int64_t lanes) { return lanes == 1 ? element : Type(VectorType::get({lanes}, element)); }

int64_t getLanes(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  return type ? type.getNumElements() : 1;
}

Value spread(OpBuilder &builder, Location loc, Value value, int64_t lanes) {
  if (getLanes(value) == lanes)
    return value;
  assert(!isa<VectorType>(value.getType()) && "only scalars can be spread");
  return vector::BroadcastOp::create(builder, loc, VectorType::get({lanes}, value.getType()), value);
}

Value createConstant(OpBuilder &builder, Location loc, Type type, double value) {
  Type element = getElementTypeOrSelf(type);
  TypedAttr attr;
  if (isa<FloatType>(element))
    attr = builder.getFloatAttr(element, value);
  else
    attr = builder.getIntegerAttr(element, static_cast<int64_t>(value));
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, Attribute(attr));
  return arith::ConstantOp::create(builder, loc, attr);
}

/// `value`'s shape with another element type.
static Type like(Value value, Type element) { return getLaneType(element, getLanes(value)); }

static Value intConstant(OpBuilder &builder, Location loc, Value shape, unsigned width, int64_t value) {
  return createConstant(builder, loc, like(shape, builder.getIntegerType(width)), static_cast<double>(value));
}

/// bf16 is the upper half of an f32. Integer code instead of extf: the backend
/// must not fall back to a library call where the CPU lacks bf16 instructions.
static Value extendBF16(OpBuilder &builder, Location loc, Value stored) {
  Value bits = arith::BitcastOp::create(builder, loc, like(stored, builder.getI16Type()), stored);
  Value wide = arith::ExtUIOp::create(builder, loc, like(stored, builder.getI32Type()), bits);
  Value shifted = arith::ShLIOp::create(builder, loc, wide, intConstant(builder, loc, wide, 32, 16));
  return arith::BitcastOp::create(builder, loc, like(stored, builder.getF32Type()), shifted);
}

/// Rounds to nearest even by adding just below half of the last kept bit; a NaN
/// keeps its upper half and becomes quiet, so that it cannot turn into infinity.
static Value truncateToBF16(OpBuilder &builder, Location loc, Value value) {
  Type i32 = like(value, builder.getI32Type());
  auto constant = [&](int64_t v) { return intConstant(builder, loc, value, 32, v); };
  Value bits = arith::BitcastOp::create(builder, loc, i32, value);
  Value upper = arith::ShRUIOp::create(builder, loc, bits, constant(16));
  Value odd = arith::AndIOp::create(builder, loc, upper, constant(1));
  Value bias = arith::AddIOp::create(builder, loc, odd, constant(0x7fff));
  Value sum = arith::AddIOp::create(builder, loc, bits, bias);
  Value rounded = arith::ShRUIOp::create(builder, loc, sum, constant(16));
  Value quiet = arith::OrIOp::create(builder, loc, upper, constant(0x40));
  Value isNan = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, value, value);
  Value chosen = arith::SelectOp::create(builder, loc, isNan, quiet, rounded);
  Value half = arith::TruncIOp::create(builder, loc, like(value, builder.getI16Type()), chosen);
  return arith::BitcastOp::create(builder, loc, like(value, builder.getBF16Type()), half);
}

Value toCompute(OpBuilder &builder, Location loc, Value stored, Type element) {
  if (element.isBF16())
    return extendBF16(builder, loc, stored);
  if (element.isF16())
    return arith::ExtFOp::create(builder, loc, like(stored, builder.getF32Type()), stored);
  if (element.isInteger(1))
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, stored,
                                 createConstant(builder, loc, stored.getType(), 0));
  return stored;
}

Value toStorage(OpBuilder &builder, Location loc, Value value, Type element) {
  if (element.isBF16())
    return truncateToBF16(builder, loc, value);
  if (element.isF16())
    return arith::TruncFOp::create(builder, loc, like(value, element), value);
  if (element.isInteger(1))
    return arith::ExtUIOp::create(builder, loc, like(value, builder.getI8Type()), value);
  return value;
}

Value roundTo(OpBuilder &builder, Location loc, Value value, Type element) {
  if (!element.isBF16() && !element.isF16())
    return value;
  return toCompute(builder, loc, toStorage(builder, loc, value, element), element);
}

Value slice(OpBuilder &builder, Location loc, Value vector, int64_t begin, int64_t count) {
  if (count == getLanes(vector))
    return vector;
  if (count == 1)
    return vector::ExtractOp::create(builder, loc, vector, ArrayRef<int64_t>{begin});
  return vector::ExtractStridedSliceOp::create(builder, loc, vector, ArrayRef<int64_t>{begin}, ArrayRef<int64_t>{count},
                                               ArrayRef<int64_t>{1});
}

Value joinLanes(OpBuilder &builder, Location loc, ArrayRef<Value> parts) {
  if (parts.size() == 1)
    return parts.front();
  auto part = cast<VectorType>(parts.front().getType());
  int64_t lanes = part.getNumElements(), count = static_cast<int64_t>(parts.size());
  Value all = createConstant(builder, loc, VectorType::get({lanes * count}, part.getElementType()), 0);
  for (auto [number, value] : llvm::enumerate(parts))
    all = vector::InsertStridedSliceOp::create(builder, loc, value, all, static_cast<int64_t>(number) * lanes,
                                               ArrayRef<int64_t>{1});
  return all;
}

Value hideBF16(OpBuilder &builder, Location loc, Value value) {
  if (!getElementTypeOrSelf(value.getType()).isBF16())
    return value;
  return arith::BitcastOp::create(builder, loc, like(value, builder.getI16Type()), value);
}

Value showBF16(OpBuilder &builder, Location loc, Value value, Type storage) {
  return storage.isBF16() ? arith::BitcastOp::create(builder, loc, like(value, storage), value) : value;
}

Value pickLanes(OpBuilder &builder, Location loc, ArrayRef<Value> vectors, ArrayRef<int64_t> picks) {
  auto lanes = static_cast<int64_t>(picks.size());
  assert(lanes == getLanes(vectors.front()) && "vectors of another length than the result");
  // One vector joins the picked lanes at a time: shuffles of two are instructions.
  constexpr int64_t any = vector::ShuffleOp::kPoisonIndex;
  SmallVector<int64_t> mask(lanes, any);
  Value first, picked;
  for (auto [number, vector] : llvm::enumerate(vectors)) {
    bool isUsed = false;
    for (auto [lane, pick] : llvm::enumerate(picks))
      if (pick / lanes == static_cast<int64_t>(number)) {
        mask[lane] = (first ? lanes : 0) + pick % lanes;
        isUsed = true;
      }
    if (isUsed && first) {
      picked = vector::ShuffleOp::create(builder, loc, picked ? picked : first, vector, mask);
      for (auto [lane, from] : llvm::enumerate(mask))
        from = from == any ? any : static_cast<int64_t>(lane);
    } else if (isUsed) {
      first = vector;
    }
  }
  return picked ? picked : Value(vector::ShuffleOp::create(builder, loc, first, first, mask));
}

SmallVector<Value> interleaveLanes(OpBuilder &builder, Location loc, ArrayRef<Value> streams) {
  int64_t lanes = getLanes(streams.front());
  Type storage = getElementTypeOrSelf(streams.front().getType());
  // Streams get longer as they become fewer.
  SmallVector<SmallVector<Value>> rest;
  for (Value stream : streams)
    rest.push_back({hideBF16(builder, loc, stream)});
  // Of an even number, each of the first half takes turns with one of the second.
  while (rest.size() % 2 == 0) {
    SmallVector<SmallVector<Value>> paired(rest.size() / 2);
    for (auto [number, pair] : llvm::enumerate(paired))
      for (auto [one, other] : llvm::zip_equal(rest[number], rest[number + paired.size()]))
        for (int64_t half = 0; half < 2; ++half) {
          SmallVector<int64_t> picks;
          for (int64_t l = 0; l < lanes; ++l)
            picks.push_back(l % 2 * lanes + (half * lanes + l) / 2);
          pair.push_back(pickLanes(builder, loc, {one, other}, picks));
        }
    rest = std::move(paired);
  }
  auto count = static_cast<int64_t>(rest.size());
  SmallVector<Value> result;
  for (size_t piece = 0; piece < rest.front().size(); ++piece) {
    SmallVector<Value> vectors;
    for (ArrayRef<Value> stream : rest)
      vectors.push_back(stream[piece]);
    for (int64_t v = 0; v < count; ++v) {
      SmallVector<int64_t> picks;
      for (int64_t at = v * lanes; at < (v + 1) * lanes; ++at)
        picks.push_back(at % count * lanes + at / count);
      Value taken = count == 1 ? vectors.front() : pickLanes(builder, loc, vectors, picks);
      result.push_back(showBF16(builder, loc, taken, storage));
    }
  }
  return result;
}

int64_t fitLanes(int64_t extent, int64_t limit) {
  int64_t lanes = 1;
  while (lanes * 2 <= extent && lanes * 2 <= limit)
    lanes *= 2;
  return lanes;
}

} // namespace hgc::codegen
