//===- GradReduction.cpp - gradients of reductions ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equal extremes share the gradient evenly, as in JAX and PyTorch's amax.
//===----------------------------------------------------------------------===//

#include "GradModels.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// `value`, of the shape of the result, with the reduced dims as ones.
Value keepDims(ReduceOp op, const Rule &rule, Value value) {
  SmallVector<int64_t> shape(shapeOf(op.getInput()));
  for (int64_t axis : op.getAxes())
    shape[axis] = 1;
  return rule.reshape(value, shape);
}

int64_t countReduced(ReduceOp op) {
  int64_t count = 1;
  for (int64_t axis : op.getAxes())
    count *= shapeOf(op.getInput())[axis];
  return count;
}

Value gradOfExtreme(ReduceOp op, const Rule &rule, Value gradient) {
  Type element = elementOf(op.getInput()), work = getComputeType(element);
  Value isExtreme = rule.equal(op.getInput(), keepDims(op, rule, op.getResult()));
  Value count = rule.sum(rule.cast(isExtreme, work), op.getAxes());
  Value share = rule.cast(rule.div(rule.cast(gradient, work), count), element);
  return rule.where(isExtreme, rule.broadcast(share, shapeOf(op.getInput())));
}

/// The product of all other factors, also where some are zero: zeros are left out
/// of the product and counted.
Value gradOfProduct(ReduceOp op, const Rule &rule, Value gradient) {
  Value input = rule.widen(op.getInput());
  Type work = elementOf(input);
  Value zero = rule.scalar(work, 0), one = rule.scalar(work, 1);
  Value isZero = rule.equal(input, zero);
  Value factors = rule.select(isZero, one, input);
  Value product = rule.reduce(ReduceKind::Prod, factors, op.getAxes(), true);
  Value zeros = rule.sum(rule.cast(isZero, work), op.getAxes());
  Value others = rule.where(rule.equal(zeros, zero), rule.div(product, factors));
  Value alone = rule.both(isZero, rule.equal(zeros, one));
  Value slope = rule.select(alone, product, others);
  return rule.cast(rule.mul(rule.cast(gradient, work), slope), elementOf(op.getInput()));
}

void ruleOfReduce(ReduceOp op, const Rule &rule) {
  Value gradient = keepDims(op, rule, rule.gradient);
  Ints shape = shapeOf(op.getInput());
  switch (op.getKind()) {
  case ReduceKind::Sum:
    return rule.give(0, rule.broadcast(gradient, shape));
  case ReduceKind::Mean: {
    // Divided before it is repeated: there are fewer elements.
    Value count = rule.scalar(elementOf(gradient), static_cast<double>(countReduced(op)));
    return rule.give(0, rule.broadcast(rule.div(gradient, count), shape));
  }
  case ReduceKind::Prod:
    return rule.give(0, gradOfProduct(op, rule, gradient));
  case ReduceKind::Max:
  case ReduceKind::Min:
    return rule.give(0, gradOfExtreme(op, rule, gradient));
  case ReduceKind::Any:
  case ReduceKind::All:
    llvm_unreachable("truth values have no gradient");
  }
}

} // namespace

void hgc::attachReductionRules(MLIRContext *context) { attachRule<ReduceOp, ruleOfReduce>(context); }
