//===- MatrixRows.cpp - rows become tiles ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MatrixRows.h"

#include "MatrixLoops.h"

#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// Bytes of a step of the depth.
static constexpr int64_t kStepBytes = 64;
/// Elements of f32 in a step, and in a vector.
static constexpr int64_t kStep = 32, kHalf = 16;

static int64_t getBytes(Value buffer) { return cast<MemRefType>(buffer.getType()).getElementTypeBitWidth() / 8; }

/// Calls `body(i, valid)` for each step of a run: with the number of elements that are left in the last one.
static SmallVector<Value> forEachStep(IndexBuilder &index, int64_t count, int64_t step, ValueRange init,
                                      llvm::function_ref<SmallVector<Value>(Value, int64_t, ValueRange)> body) {
  int64_t whole = count / step;
  SmallVector<Value> carried = index.loop(index.constant(0), index.constant(whole), 1, init,
                                          [&](Value i, ValueRange values) { return body(i, step, values); });
  return count % step ? body(index.constant(whole), count % step, carried) : carried;
}

Value cpu::toBits(IndexBuilder &index, Value vector) {
  auto type = VectorType::get({kHalf}, index.builder.getI32Type());
  return arith::BitcastOp::create(index.builder, index.loc, type, vector);
}

static Value fromBits(IndexBuilder &index, Value bits) {
  auto type = VectorType::get({kHalf}, index.builder.getF32Type());
  return arith::BitcastOp::create(index.builder, index.loc, type, bits);
}

Value cpu::constantBits(IndexBuilder &index, uint32_t number) {
  auto type = VectorType::get({kHalf}, index.builder.getI32Type());
  return arith::ConstantOp::create(index.builder, index.loc,
                                   DenseElementsAttr::get(type, static_cast<int32_t>(number)));
}

/// The upper halves of two vectors, side by side.
static Value joinUpper(IndexBuilder &index, Value a, Value b) {
  auto halves = VectorType::get({kStep}, index.builder.getI16Type());
  auto split = [&](Value vector) {
    return vector::BitCastOp::create(index.builder, index.loc, halves, toBits(index, vector));
  };
  SmallVector<int64_t> odd;
  for (int64_t i = 0; i < kStep; ++i)
    odd.push_back(2 * i + 1);
  return vector::ShuffleOp::create(index.builder, index.loc, split(a), split(b), odd);
}

ThreeParts::ThreeParts(IndexBuilder &index, Value vector) {
  OpBuilder &builder = index.builder;
  Value upper = constantBits(index, 0xffff0000u);
  // Towards zero, so that nothing overflows; the rest to the nearest.
  high = fromBits(index, arith::AndIOp::create(builder, index.loc, toBits(index, vector), upper));
  Value rest = arith::SubFOp::create(builder, index.loc, vector, high);
  Value up = arith::AddIOp::create(builder, index.loc, toBits(index, rest), constantBits(index, 0x8000));
  middle = fromBits(index, arith::AndIOp::create(builder, index.loc, up, upper));
  low = arith::SubFOp::create(builder, index.loc, rest, middle);
}

/// Writes the parts of a step of a run, of which `valid` elements exist, and returns the sums of the last ones.
static Value splitStep(IndexBuilder &index, const MatrixRun &run, Value step, int64_t valid) {
  Value from = index.add(run.offset, index.mul(step, kStep)), to = index.add(run.at, index.mul(step, run.step));
  ThreeParts a(index, emitLoadPart(index, run.source, from, kHalf, valid));
  ThreeParts b(index, emitLoadPart(index, run.source, index.add(from, kHalf), kHalf, valid - kHalf));
  emitStore(index, joinUpper(index, a.high, b.high), run.target, to);
  emitStore(index, joinUpper(index, a.middle, b.middle), run.target, index.add(to, run.part));
  emitStore(index, joinUpper(index, a.low, b.low), run.target, index.add(to, 2 * run.part));
  return arith::AddFOp::create(index.builder, index.loc, a.low, b.low);
}

Value cpu::emitSplitStep(IndexBuilder &index, const MatrixRun &run, Value step) {
  return splitStep(index, run, step, kStep);
}

/// Two neighbours along the depth in each lane: upper halves of both.
static Value joinPairs(IndexBuilder &index, Value first, Value second) {
  OpBuilder &builder = index.builder;
  Value low = arith::ShRUIOp::create(builder, index.loc, toBits(index, first), constantBits(index, 16));
  Value high = arith::AndIOp::create(builder, index.loc, toBits(index, second), constantBits(index, 0xffff0000u));
  return arith::OrIOp::create(builder, index.loc, low, high);
}

void cpu::emitPairs(IndexBuilder &index, Value first, Value second, Value target, Value at, int64_t part) {
  auto type = VectorType::get({kStep}, cast<MemRefType>(target.getType()).getElementType());
  ThreeParts a(index, first), b(index, second);
  for (auto [i, halves] : llvm::enumerate(llvm::zip_equal(a.all(), b.all()))) {
    Value pairs = joinPairs(index, std::get<0>(halves), std::get<1>(halves));
    emitStore(index, vector::BitCastOp::create(index.builder, index.loc, type, pairs), target,
              index.add(at, static_cast<int64_t>(i) * part));
  }
}

Value cpu::emitSplitRun(IndexBuilder &index, const MatrixRun &run, Value sticky) {
  auto body = [&](Value step, int64_t valid, ValueRange carried) -> SmallVector<Value> {
    Value both = splitStep(index, run, step, valid);
    return {arith::AddFOp::create(index.builder, index.loc, carried.front(), both)};
  };
  return forEachStep(index, run.count, kStep, sticky, body).front();
}

void cpu::emitCopyRun(IndexBuilder &index, const MatrixRun &run) {
  int64_t lanes = kStepBytes / getBytes(run.source);
  auto type = VectorType::get({lanes}, cast<MemRefType>(run.target.getType()).getElementType());
  auto body = [&](Value step, int64_t valid, ValueRange) -> SmallVector<Value> {
    Value vector = emitLoadPart(index, run.source, index.add(run.offset, index.mul(step, lanes)), lanes, valid);
    if (vector.getType() != type)
      vector = vector::BitCastOp::create(index.builder, index.loc, type, vector);
    emitStore(index, vector, run.target, index.add(run.at, index.mul(step, run.step)));
    return {};
  };
  forEachStep(index, run.count, lanes, {}, body);
}

SmallVector<Value> cpu::emitRun(IndexBuilder &index, const MatrixRun &run, ValueRange sticky) {
  if (!sticky.empty())
    return {emitSplitRun(index, run, sticky.front())};
  emitCopyRun(index, run);
  return {};
}

Value cpu::emitStickyStart(IndexBuilder &index) {
  return emitZero(index, VectorType::get({kHalf}, index.builder.getF32Type()));
}

Value cpu::emitIsOdd(IndexBuilder &index, Value sticky) {
  OpBuilder &builder = index.builder;
  Value lanes = arith::CmpFOp::create(builder, index.loc, arith::CmpFPredicate::UNO, sticky, sticky);
  return vector::ReductionOp::create(builder, index.loc, vector::CombiningKind::OR, lanes);
}
