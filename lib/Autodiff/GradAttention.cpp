//===- GradAttention.cpp - gradient of attention --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weights are computed again: keeping them would take the square of the
// sequence's length. Everything is in f32 at least.
//===----------------------------------------------------------------------===//

#include "GradModels.h"

#include <limits>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// `scores` where `seen` holds, elsewhere minus infinity.
Value hideScores(const Rule &rule, Value seen, Value scores) {
  return rule.select(seen, scores, rule.scalar(elementOf(scores), -std::numeric_limits<double>::infinity()));
}

/// softmax(scale * query * key^T + mask).
Value buildWeights(AttentionOp op, const Rule &rule, Value query, Value key) {
  Value scores = rule.mul(rule.matmul(query, key, false, true), op.getFactor());
  if (Value mask = op.getMask()) {
    bool isTruth = elementOf(mask).isInteger(1);
    scores = isTruth ? hideScores(rule, mask, scores) : rule.add(scores, rule.widen(mask));
  }
  if (op.getCausal()) {
    Ints shape = shapeOf(scores).take_back(2);
    Type index = rule.getBuilder().getI64Type();
    Value row = rule.iota({shape[0], 1}, 0, index), column = rule.iota({1, shape[1]}, 1, index);
    scores = hideScores(rule, rule.compare(ComparePredicate::LE, column, row), scores);
  }
  return rule.make<SoftmaxOp>(scores, static_cast<uint64_t>(typeOf(scores).getRank() - 1));
}

void ruleOfAttention(AttentionOp op, const Rule &rule) {
  Value query = rule.widen(op.getQuery()), key = rule.widen(op.getKey()), value = rule.widen(op.getValue());
  Value gradient = rule.widen(rule.gradient);
  auto give = [&](unsigned number, Value part) {
    Value like = op->getOperand(number);
    rule.give(number, rule.cast(rule.sumTo(part, shapeOf(like)), elementOf(like)));
  };
  Value weights = buildWeights(op, rule, query, key);
  if (rule.needs(2))
    give(2, rule.matmul(weights, gradient, true, false));
  bool hasMask = op.getMask() && rule.needs(3);
  if (!rule.needs(0) && !rule.needs(1) && !hasMask)
    return;
  Value byWeights = rule.matmul(gradient, value, false, true);
  Value mean = rule.sum(rule.mul(byWeights, weights), {typeOf(weights).getRank() - 1});
  Value byScores = rule.mul(weights, rule.sub(byWeights, mean));
  if (hasMask)
    give(3, byScores);
  Value scaled = rule.mul(byScores, op.getFactor());
  if (rule.needs(0))
    give(0, rule.matmul(scaled, key, false, false));
  if (rule.needs(1))
    give(1, rule.matmul(scaled, query, true, false));
}

} // namespace

void hgc::attachAttentionRules(MLIRContext *context) { attachRule<AttentionOp, ruleOfAttention>(context); }
