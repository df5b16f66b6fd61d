//===- GradShape.cpp - gradients of data movement -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GradModels.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

void ruleOfReshape(ReshapeOp op, const Rule &rule) {
  rule.give(0, rule.reshape(rule.gradient, shapeOf(op.getInput())));
}

void ruleOfTranspose(TransposeOp op, const Rule &rule) {
  SmallVector<int64_t> inverse(op.getPermutation().size());
  for (auto [i, from] : llvm::enumerate(op.getPermutation()))
    inverse[from] = i;
  rule.give(0, rule.transpose(rule.gradient, inverse));
}

void ruleOfBroadcast(BroadcastOp op, const Rule &rule) {
  rule.give(0, rule.sumTo(rule.gradient, shapeOf(op.getInput())));
}

void ruleOfConcat(ConcatOp op, const Rule &rule) {
  SmallVector<int64_t> starts(shapeOf(op.getResult()).size(), 0);
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    if (rule.needs(i))
      rule.give(i, rule.slice(rule.gradient, starts, shapeOf(input)));
    starts[op.getAxis()] += shapeOf(input)[op.getAxis()];
  }
}

} // namespace

void hgc::attachShapeRules(MLIRContext *context) {
  attachRule<ReshapeOp, ruleOfReshape>(context);
  attachRule<TransposeOp, ruleOfTranspose>(context);
  attachRule<BroadcastOp, ruleOfBroadcast>(context);
  attachRule<ConcatOp, ruleOfConcat>(context);
}
