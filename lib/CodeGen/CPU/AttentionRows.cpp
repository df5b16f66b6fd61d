//===- AttentionRows.cpp - softmax of rows in scratch ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row is short: most of its time is the way from one step to the next, so two rows
// go side by side.
//===----------------------------------------------------------------------===//

#include "AttentionRows.h"

#include "hgc/CodeGen/CPU/ExpOfDifference.h"
#include "hgc/CodeGen/CPU/GemmTile.h"
#include "hgc/CodeGen/Common/Combine.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <limits>

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;
using graph::ReduceKind;

/// Vectors of a row that are in work at once.
static constexpr int64_t kVectors = 4;

Type AttentionRows::elementType() const { return cast<MemRefType>(scores.getType()).getElementType(); }

void AttentionRows::emitPadding(Value count) {
  if (keys % lanes == 0)
    return;
  Value none = createConstant(index.builder, index.loc, getLaneType(elementType(), lanes),
                              -std::numeric_limits<double>::infinity());
  index.loop(index.constant(0), count, 1, [&](Value row) {
    emitStore(index, none, scores, index.add(index.mul(row, stride), keys / lanes * lanes));
  });
}

AttentionRows::Rows AttentionRows::reduce(ReduceKind kind, const Rows &starts, Visit visit) {
  OpBuilder &builder = index.builder;
  // A NaN among the scores is in the sum of exponentials again.
  Combiner combiner{kind, /*isUnsigned=*/false, /*mayIgnoreNan=*/true};
  int64_t wide = kVectors * lanes, main = stride / wide * wide;
  auto combine = [&](Value a, Value b) { return combiner.combine(builder, index.loc, a, b); };
  SmallVector<Value> totals(starts.size(), combiner.neutral(builder, index.loc, getLaneType(elementType(), wide)));
  totals = index.loop(index.constant(0), index.constant(main), wide, totals, [&](Value at, ValueRange carried) {
    SmallVector<Value> next;
    for (auto [row, start] : llvm::enumerate(starts))
      next.push_back(combine(carried[row], visit(row, index.add(start, at), wide)));
    return next;
  });
  Rows results;
  for (auto [row, start] : llvm::enumerate(starts)) {
    Value wideTotal = totals[row];
    auto part = [&](int64_t i) { return slice(builder, index.loc, wideTotal, i * lanes, lanes); };
    Value total = combine(combine(part(0), part(1)), combine(part(2), part(3)));
    for (int64_t at = main; at < stride; at += lanes)
      total = combine(total, visit(row, index.add(start, at), lanes));
    results.push_back(combiner.fold(builder, index.loc, total));
  }
  return results;
}

void AttentionRows::emitSoftmax(Value count) {
  OpBuilder &b = index.builder;
  index.loop(index.constant(0), count, kRows, [&](Value first) {
    // Beside the last of an odd number is a row that nobody reads.
    Rows starts;
    for (int64_t i = 0; i < kRows; ++i)
      starts.push_back(index.mul(index.add(first, i), stride));
    Rows greatest = reduce(ReduceKind::Max, starts,
                           [&](size_t, Value at, int64_t width) { return emitLoad(index, scores, at, width); });
    Rows sums = reduce(ReduceKind::Sum, starts, [&](size_t row, Value at, int64_t width) {
      Value score = emitLoad(index, scores, at, width);
      Value power = emitExpOfDifference(
          context, arith::SubFOp::create(b, index.loc, score, spread(b, index.loc, greatest[row], width)), scale);
      emitStore(index, power, scores, at);
      return power;
    });
    Value one = createConstant(b, index.loc, elementType(), 1);
    for (auto [i, sum] : llvm::enumerate(sums))
      emitStore(index, arith::DivFOp::create(b, index.loc, one, sum), factors, index.add(first, i));
  });
}

Value AttentionRows::emitFactor(Value row) { return emitLoad(index, factors, row, 1); }
