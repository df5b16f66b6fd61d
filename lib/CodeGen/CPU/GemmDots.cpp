//===- GemmDots.cpp - steps that take several of the depth ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GemmDots.h"

#include "dialects/Graph/Panels.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

Value hgc::cpu::reinterpret(IndexBuilder &index, Value vector, Type element, int64_t lanes) {
  return vector::BitCastOp::create(index.builder, index.loc, VectorType::get({lanes}, element), vector);
}

static unsigned getBits(Value buffer) { return cast<MemRefType>(buffer.getType()).getElementTypeBitWidth(); }

Type hgc::cpu::getStagedType(Type accumulator, int64_t interleave) {
  return interleave == 1 ? accumulator : IntegerType::get(accumulator.getContext(), 32 / interleave);
}

Value hgc::cpu::emitDotColumn(IndexBuilder &index, const GemmTile &tile, Value offset, int64_t lanes) {
  Value bytes = emitLoad(index, tile.rhs, offset, lanes * tile.interleave);
  return emitWiden(index, bytes, getStagedType(tile.accumulator, tile.interleave));
}

Value hgc::cpu::emitDotRow(IndexBuilder &index, const GemmTile &tile, Value offset, int64_t count) {
  OpBuilder &builder = index.builder;
  Type i32 = tile.accumulator;
  auto loadGroup = [&](Value at) {
    Value group = reinterpret(index, emitLoad(index, tile.lhs, at, tile.interleave), i32, 1);
    return Value(vector::ExtractOp::create(builder, index.loc, group, ArrayRef<int64_t>{0}));
  };
  auto constant = [&](int64_t number) {
    return Value(arith::ConstantOp::create(builder, index.loc, builder.getIntegerAttr(i32, number)));
  };
  if (count == tile.interleave)
    return loadGroup(offset);
  unsigned bits = getBits(tile.lhs);
  // The last whole group of the depth has them, unless there is none.
  std::optional<int64_t> steps = getConstant(tile.depth);
  if (steps && *steps > 0) {
    Value last = loadGroup(index.add(offset, count - tile.interleave));
    return arith::ShRUIOp::create(builder, index.loc, last, constant(bits * (tile.interleave - count)));
  }
  Value group;
  for (int64_t i = 0; i < count; ++i) {
    Value element = emitLoad(index, tile.lhs, index.add(offset, i), 1);
    element = arith::ExtUIOp::create(builder, index.loc, i32, element);
    if (i > 0)
      element = arith::ShLIOp::create(builder, index.loc, element, constant(bits * i));
    group = group ? Value(arith::OrIOp::create(builder, index.loc, group, element)) : element;
  }
  return group;
}

Value hgc::cpu::emitDot(IndexBuilder &index, int64_t interleave, Value row, Value column, Value sum) {
  OpBuilder &builder = index.builder;
  int64_t lanes = getLanes(sum);
  Value spreadRow = spread(builder, index.loc, row, lanes);
  auto call = [&](StringRef name, ValueRange operands) {
    auto intrinsic = builder.getStringAttr(name);
    return LLVM::CallIntrinsicOp::create(builder, index.loc, sum.getType(), intrinsic, operands)->getResult(0);
  };
  if (interleave == 2) {
    Value pairs = reinterpret(index, spreadRow, builder.getI16Type(), 2 * lanes);
    StringRef name = lanes == 16  ? "llvm.x86.avx512.pmaddw.d.512"
                     : lanes == 8 ? "llvm.x86.avx2.pmadd.wd"
                                  : "llvm.x86.sse2.pmadd.wd";
    return emitAdd(index, sum, call(name, {pairs, column}));
  }
  // One operand is not signed: the row is taken 128 too large, which heads of panels
  // make up for.
  auto top = DenseElementsAttr::get(cast<ShapedType>(sum.getType()), static_cast<int32_t>(0x80808080u));
  Value shift = arith::ConstantOp::create(builder, index.loc, top);
  Value bytes =
      reinterpret(index, arith::XOrIOp::create(builder, index.loc, spreadRow, shift), builder.getI8Type(), 4 * lanes);
  StringRef name = lanes == 16  ? "llvm.x86.avx512.vpdpbusd.512"
                   : lanes == 8 ? "llvm.x86.avx512.vpdpbusd.256"
                                : "llvm.x86.avx512.vpdpbusd.128";
  return call(name, {sum, bytes, column});
}

/// The lanes of two vectors by turns.
static Value interleavePair(IndexBuilder &index, Value a, Value b) {
  return vector::InterleaveOp::create(index.builder, index.loc, a, b);
}

Value hgc::cpu::emitGroups(IndexBuilder &index, int64_t interleave, ArrayRef<Value> parts) {
  OpBuilder &builder = index.builder;
  int64_t lanes = getLanes(parts.front()), count = static_cast<int64_t>(parts.size());
  Type i16 = builder.getI16Type(), i32 = builder.getI32Type();
  if (count == 1)
    return emitWiden(index, parts.front(), i32);
  if (interleave == 2)
    return reinterpret(index, emitWiden(index, interleavePair(index, parts[0], parts[1]), i16), i32, lanes);
  if (lanes == 16) {
    // Bytes of a long vector go anywhere in one instruction, or two.
    SmallVector<int64_t> mask;
    for (int64_t i = 0; i < 4 * lanes; ++i)
      mask.push_back(i % 4 < count ? i % 4 * lanes + i / 4 : vector::ShuffleOp::kPoisonIndex);
    Value joined = joinLanes(builder, index.loc, parts);
    return reinterpret(index, vector::ShuffleOp::create(builder, index.loc, joined, joined, mask), i32, lanes);
  }
  auto pair = [&](int64_t first) {
    Value other = parts[std::min(first + 1, count - 1)];
    return reinterpret(index, interleavePair(index, parts[std::min(first, count - 1)], other), i16, lanes);
  };
  return reinterpret(index, interleavePair(index, pair(0), pair(2)), i32, lanes);
}

SmallVector<Value> hgc::cpu::emitStart(IndexBuilder &index, const GemmTile &tile) {
  int64_t heads = graph::countHeadRows(tile.interleave);
  if (heads == 0)
    return emitZeros(index, tile);
  SmallVector<Value> sums;
  for (Value panel : tile.panelOffsets)
    for (const ColumnPiece &piece : tile.pieces) {
      Value offset = index.add(panel, piece.offset * tile.interleave - heads * tile.rhsStep);
      Value bytes = emitLoad(index, tile.rhs, offset, piece.lanes * tile.interleave);
      sums.push_back(reinterpret(index, bytes, tile.accumulator, piece.lanes));
    }
  // All rows start alike.
  size_t each = sums.size();
  while (sums.size() < tile.count())
    sums.push_back(Value(sums[sums.size() - each]));
  return sums;
}
