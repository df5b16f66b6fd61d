//===- GradIndexing.cpp - gradients of gather and scatter -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers and scatters are each other's transposes. Sorted values are gathered by
// hgc.arg_sort's positions, which are constants here.
//===----------------------------------------------------------------------===//

#include "GradModels.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

template <typename OpT> void ruleOfGather(OpT op, const Rule &rule) {
  Value zeros = rule.zeros(op.getInput().getType());
  rule.give(0, rule.make<ScatterOp>(ScatterKind::Add, zeros, op.getIndices(), rule.gradient, op.getAxis(),
                                    std::is_same_v<OpT, GatherOp>));
}

/// Reads and writes what a scatter writes to.
struct Places {
  Places(ScatterOp op, const Rule &rule) : op(op), rule(rule) {}

  Value read(Value from) {
    if (op.getSlices())
      return rule.make<GatherOp>(from, op.getIndices(), op.getAxis());
    return rule.make<GatherAlongOp>(from, op.getIndices(), op.getAxis());
  }

  Value write(ScatterKind kind, Value to, Value updates) {
    return rule.make<ScatterOp>(kind, to, op.getIndices(), updates, op.getAxis(), op.getSlices());
  }

  /// Zeros or ones of the shape of the input.
  Value like(double value, Type element) {
    return rule.filled(RankedTensorType::get(shapeOf(op.getInput()), element), value);
  }

  ScatterOp op;
  const Rule &rule;
};

/// Of several updates of one element the last one stays: only it has a gradient.
void ruleOfSet(Places &places, const Rule &rule) {
  ScatterOp op = places.op;
  Ints shape = shapeOf(op.getUpdates());
  if (rule.needs(0))
    rule.give(0, places.write(ScatterKind::Set, rule.gradient, rule.zeros(op.getUpdates().getType())));
  if (!rule.needs(2))
    return;
  Type index = rule.getBuilder().getI64Type();
  int64_t axis = op.getAxis(), rank = op.getSlices() ? typeOf(op.getIndices()).getRank() : 1;
  SmallVector<int64_t> picks(shape.slice(axis, rank)), spread(shape.size(), 1);
  llvm::copy(picks, spread.begin() + axis);
  int64_t count = ShapedType::getNumElements(picks);
  Value order = rule.broadcast(rule.reshape(rule.iota({count}, 0, index), spread), shape);
  Value last = places.read(places.write(ScatterKind::Set, places.like(0, index), order));
  rule.give(2, rule.where(rule.equal(order, last), places.read(rule.gradient)));
}

/// Products without one factor, also where factors are zero (see reduce prod).
void ruleOfProducts(Places &places, const Rule &rule) {
  ScatterOp op = places.op;
  Type element = elementOf(op.getInput()), work = getComputeType(element);
  Value gradient = rule.cast(rule.gradient, work), updates = rule.cast(op.getUpdates(), work);
  if (rule.needs(0)) {
    Value product = places.write(ScatterKind::Mul, places.like(1, work), updates);
    rule.give(0, rule.cast(rule.mul(gradient, product), element));
  }
  if (!rule.needs(2))
    return;
  Value zero = rule.scalar(work, 0), one = rule.scalar(work, 1), isZero = rule.equal(updates, zero);
  Value factors = rule.select(isZero, one, updates);
  Value product = places.read(places.write(ScatterKind::Mul, rule.cast(op.getInput(), work), factors));
  Value zeros = places.read(places.write(ScatterKind::Add, places.like(0, work), rule.cast(isZero, work)));
  Value others = rule.where(rule.equal(zeros, zero), rule.div(product, factors));
  Value slope = rule.select(rule.both(isZero, rule.equal(zeros, one)), product, others);
  rule.give(2, rule.cast(rule.mul(places.read(gradient), slope), element));
}

/// Equal extremes, the input among them, share the gradient evenly.
void ruleOfExtremes(Places &places, const Rule &rule) {
  ScatterOp op = places.op;
  Type element = elementOf(op.getInput()), work = getComputeType(element);
  Value isInput = rule.equal(op.getInput(), op.getResult());
  Value isUpdate = rule.equal(op.getUpdates(), places.read(op.getResult()));
  Value count = places.write(ScatterKind::Add, rule.cast(isInput, work), rule.cast(isUpdate, work));
  // Only elements that count have a gradient; where there are none (NaN), none is shared.
  Value share = rule.cast(rule.div(rule.cast(rule.gradient, work), count), element);
  if (rule.needs(0))
    rule.give(0, rule.where(isInput, share));
  if (rule.needs(2))
    rule.give(2, rule.where(isUpdate, places.read(share)));
}

void ruleOfScatter(ScatterOp op, const Rule &rule) {
  Places places(op, rule);
  switch (op.getKind()) {
  case ScatterKind::Add:
    if (rule.needs(0))
      rule.give(0, rule.gradient);
    if (rule.needs(2))
      rule.give(2, places.read(rule.gradient));
    return;
  case ScatterKind::Set:
    return ruleOfSet(places, rule);
  case ScatterKind::Mul:
    return ruleOfProducts(places, rule);
  case ScatterKind::Max:
  case ScatterKind::Min:
    return ruleOfExtremes(places, rule);
  }
}

} // namespace

void hgc::attachIndexingRules(MLIRContext *context) {
  attachRule<GatherOp, ruleOfGather<GatherOp>>(context);
  attachRule<GatherAlongOp, ruleOfGather<GatherAlongOp>>(context);
  attachRule<ScatterOp, ruleOfScatter>(context);
}
