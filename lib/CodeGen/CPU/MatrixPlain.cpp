//===- MatrixPlain.cpp - sums of tiles that are not finite ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of what is not finite are no numbers, and so would be all sums of them. Such
// tiles are rare: their elements are put together again and multiplied one by one.
//===----------------------------------------------------------------------===//

#include "MatrixLoops.h"

#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// Elements of bf16 in a row of a tile, and in a tile.
static constexpr int64_t kRowElements = 32, kAllElements = kRowElements * graph::kTileSide;

/// i32 (scalar or vector) shifted by 16 bits, or by none.
static Value shiftHalf(IndexBuilder &index, Value bits, Value isSecond, bool isLeft) {
  OpBuilder &builder = index.builder;
  Value amount = arith::IndexCastOp::create(builder, index.loc, builder.getI32Type(), index.mul(isSecond, 16));
  amount = spread(builder, index.loc, amount, getLanes(bits));
  return isLeft ? Value(arith::ShLIOp::create(builder, index.loc, bits, amount))
                : Value(arith::ShRUIOp::create(builder, index.loc, bits, amount));
}

/// The sum of three parts, whose bits are upper halves; the first one, where the others are no numbers because it is
/// not finite.
static Value joinParts(IndexBuilder &index, ArrayRef<Value> bits) {
  OpBuilder &builder = index.builder;
  auto widen = [&](Value half) {
    Value upper = shiftHalf(index, half, index.constant(1), /*isLeft=*/true);
    Type type = getLaneType(builder.getF32Type(), getLanes(half));
    return Value(arith::BitcastOp::create(builder, index.loc, type, upper));
  };
  Value first = widen(bits[0]);
  Value rest = arith::AddFOp::create(builder, index.loc, widen(bits[1]), widen(bits[2]));
  Value sum = arith::AddFOp::create(builder, index.loc, first, rest);
  Value isOdd = arith::CmpFOp::create(builder, index.loc, arith::CmpFPredicate::UNO, rest, rest);
  return arith::SelectOp::create(builder, index.loc, isOdd, first, sum);
}

Value MatrixLoops::loadColumns(Value at, Value isSecond) {
  if (plan.shape.isWhole)
    return emitLoad(index, rhs, index.add(at, index.mul(isSecond, graph::kTileSide)), graph::kTileSide);
  OpBuilder &builder = context.builder;
  auto bits = VectorType::get({graph::kTileSide}, builder.getI32Type());
  SmallVector<Value> halves;
  for (int64_t part = 0; part < 3; ++part) {
    Value pairs = emitLoad(index, rhs, index.add(at, part * plan.shape.width * kRowElements), 2 * graph::kTileSide);
    pairs = vector::BitCastOp::create(builder, index.loc, bits, pairs);
    halves.push_back(shiftHalf(index, pairs, isSecond, /*isLeft=*/false));
  }
  return joinParts(index, halves);
}

/// `start` plus the sums of a row, whose tile begins at `lhs`, and of 16 columns, whose tiles begin at `panel`.
Value MatrixLoops::emitPlainSum(const MatrixBlock &block, Value lhs, Value panel, Value start) {
  OpBuilder &builder = context.builder;
  int64_t lanes = graph::kTileSide;
  auto joinFactor = [&](Value at) {
    SmallVector<Value> halves;
    for (int64_t part = 0; part < 3; ++part) {
      Value half = emitLoad(index, rows.buffer, index.add(at, part * rows.part), 1);
      halves.push_back(arith::ExtUIOp::create(builder, index.loc, builder.getI32Type(), half));
    }
    return spread(builder, index.loc, joinParts(index, halves), lanes);
  };
  auto addStep = [&](Value step, ValueRange outer) {
    Value from = index.add(lhs, locateStep(step)), group = index.add(panel, index.mul(step, stepElements()));
    return index.loop(index.constant(0), countElements(step), 1, outer, [&](Value k, ValueRange carried) {
      Value columns = index.add(group, index.mul(index.div(k, 2), 2 * lanes));
      Value sum = emitMultiplyAdd(index, joinFactor(index.add(from, k)), loadColumns(columns, index.rem(k, 2)),
                                  carried.front());
      return SmallVector<Value>{sum};
    });
  };
  return index.loop(block.step, block.stepEnd, 1, start, addStep).front();
}

/// The sums of `count` tiles of rows from `tile` on, in f32, and of what has waited for them.
void MatrixLoops::emitPlainSums(const MatrixBlock &block, Value tile, int64_t count, Value panel, Value wait,
                                int64_t columnTiles) {
  int64_t side = graph::kTileSide;
  Value zero = emitStickyStart(index);
  index.loop(count * side, [&](Value row) {
    Value begin = locateTile(index.add(tile, index.div(row, side)));
    Value lhs = index.add(begin, index.mul(index.rem(row, side), rows.row));
    for (int64_t column = 0; column < columnTiles; ++column) {
      Value at = index.add(index.mul(row, plan.shape.width), column * side), start = zero;
      if (wait)
        start = index
                    .select(
                        index.equal(block.step, index.constant(0)), zero.getType(),
                        [&] { return SmallVector<Value>{zero}; },
                        [&] { return SmallVector<Value>{emitLoad(index, waiting, index.add(wait, at), side)}; })
                    .front();
      Value sum = emitPlainSum(block, lhs, index.add(panel, column * kAllElements), start);
      emitStore(index, sum, sums, at);
    }
  });
}
