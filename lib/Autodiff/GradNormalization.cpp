//===- GradNormalization.cpp - gradients of softmax and normalisations ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statistics and sums are in f32 at least. They are computed again from the input
// where the op does not give them.
//===----------------------------------------------------------------------===//

#include "GradModels.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

void ruleOfSoftmax(SoftmaxOp op, const Rule &rule) {
  Value y = rule.widen(op.getResult()), gradient = rule.widen(rule.gradient);
  Value mean = rule.sum(rule.mul(gradient, y), {static_cast<int64_t>(op.getAxis())});
  rule.give(0, rule.cast(rule.mul(y, rule.sub(gradient, mean)), elementOf(op.getInput())));
}

void ruleOfLogSoftmax(LogSoftmaxOp op, const Rule &rule) {
  Value y = rule.widen(op.getResult()), gradient = rule.widen(rule.gradient);
  Value total = rule.sum(gradient, {static_cast<int64_t>(op.getAxis())});
  Value moved = rule.mul(rule.unary<ExpOp>(y), total);
  rule.give(0, rule.cast(rule.sub(gradient, moved), elementOf(op.getInput())));
}

/// Numbers from `begin` to `end`, the latter excluded.
SmallVector<int64_t> range(int64_t begin, int64_t end) { return llvm::to_vector(llvm::seq<int64_t>(begin, end)); }

void ruleOfLayerNorm(LayerNormOp op, const Rule &rule) {
  Value input = rule.widen(op.getInput()), gradient = rule.widen(rule.gradient);
  int64_t axis = op.getAxis(), rank = typeOf(input).getRank();
  SmallVector<int64_t> axes = range(axis, rank), others = range(0, axis);
  auto give = [&](unsigned number, Value value) {
    Value like = op->getOperand(number);
    rule.give(number, rule.cast(rule.reshape(value, shapeOf(like)), elementOf(like)));
  };
  if (rule.needs(2))
    give(2, rule.sum(gradient, others, false));
  if (!rule.needs(0) && !rule.needs(1))
    return;
  auto mean = [&](Value value) { return rule.reduce(ReduceKind::Mean, value, axes, true); };
  Value centred = rule.sub(input, mean(input));
  Value variance = mean(rule.square(centred));
  Value factor = rule.unary<RsqrtOp>(rule.add(variance, op.getEpsilon().convertToDouble()));
  Value normal = rule.mul(centred, factor);
  if (rule.needs(1))
    give(1, rule.sum(rule.mul(gradient, normal), others, false));
  if (!rule.needs(0))
    return;
  // What moves mean and deviation only is lost: it is taken out of the gradient.
  Value scaled = rule.mul(gradient, rule.widen(op.getScale()));
  Value along = rule.mul(normal, mean(rule.mul(scaled, normal)));
  give(0, rule.mul(factor, rule.sub(rule.sub(scaled, mean(scaled)), along)));
}

void ruleOfBatchNorm(BatchNormOp op, const Rule &rule) {
  Value input = rule.widen(op.getInput()), gradient = rule.widen(rule.gradient);
  int64_t axis = op.getAxis(), rank = typeOf(input).getRank();
  SmallVector<int64_t> others = range(0, axis);
  llvm::append_range(others, range(axis + 1, rank));
  // A vector of the channels, as something to multiply images with.
  auto spread = [&](Value vector) {
    SmallVector<int64_t> shape(rank - axis, 1);
    shape[0] = shapeOf(vector)[0];
    return rule.reshape(vector, shape);
  };
  auto give = [&](unsigned number, Value value) {
    rule.give(number, rule.cast(value, elementOf(op->getOperand(number))));
  };
  Value scale = rule.widen(op.getScale());
  Value factor = rule.unary<RsqrtOp>(rule.add(rule.widen(op.getVariance()), op.getEpsilon().convertToDouble()));
  Value slope = rule.mul(scale, factor);
  if (rule.needs(0))
    give(0, rule.mul(gradient, spread(slope)));
  if (!rule.needs(1) && !rule.needs(2) && !rule.needs(3) && !rule.needs(4))
    return;
  Value total = rule.sum(gradient, others, false);
  if (rule.needs(2))
    give(2, total);
  if (rule.needs(3))
    give(3, rule.neg(rule.mul(total, slope)));
  if (!rule.needs(1) && !rule.needs(4))
    return;
  Value centred = rule.sub(input, spread(rule.widen(op.getMean())));
  Value along = rule.mul(rule.sum(rule.mul(gradient, centred), others, false), factor);
  if (rule.needs(1))
    give(1, along);
  if (rule.needs(4))
    give(4, rule.mul(rule.mul(along, rule.mul(slope, factor)), -0.5));
}

} // namespace

void hgc::attachNormalizationRules(MLIRContext *context) {
  attachRule<SoftmaxOp, ruleOfSoftmax>(context);
  attachRule<LogSoftmaxOp, ruleOfLogSoftmax>(context);
  attachRule<LayerNormOp, ruleOfLayerNorm>(context);
  attachRule<BatchNormOp, ruleOfBatchNorm>(context);
}
