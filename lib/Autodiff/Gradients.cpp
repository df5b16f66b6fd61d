//===- Gradients.cpp - reverse-mode differentiation -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value is active if it is a float that depends on what is differentiated by.
// Ops are visited backwards; those without active inputs, or whose results the
// loss does not depend on, get no gradient ops.
//===----------------------------------------------------------------------===//

#include "hgc/Autodiff/Gradients.h"

#include "GradModels.h"

#include "hgc/Analysis/OpNames.h"
#include "hgc/Target/ConvForm.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

Location hgc::getGradLoc(Operation *op) {
  StringRef name = getOpName(op);
  if (name.empty())
    return op->getLoc();
  return NameLoc::get(StringAttr::get(op->getContext(), name + ".grad"), op->getLoc());
}

/// What the results of `op` may depend on.
static SmallVector<Value> getInputs(Operation *op) {
  if (auto grad = dyn_cast<GradOp>(op))
    return grad.getGradInputs();
  SmallVector<Value> inputs(op->getOperands());
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  inputs.append(captured.begin(), captured.end());
  return inputs;
}

void hgc::findActive(ArrayRef<Operation *> ops, llvm::DenseSet<Value> &active) {
  for (Operation *op : ops) {
    if (isa<StopGradientOp>(op) || !llvm::any_of(getInputs(op), [&](Value input) { return active.contains(input); }))
      continue;
    for (Value result : op->getResults())
      if (isDifferentiable(result.getType()))
        active.insert(result);
  }
}

namespace {

class Differentiation {
public:
  Differentiation(OpBuilder &builder, ArrayRef<Value> wrt) : builder(builder) {
    for (Value value : wrt)
      active.insert(value);
  }

  LogicalResult run(ArrayRef<Value> outputs, ArrayRef<Value> seeds);
  /// Sum of all that `value` contributes by; null for zero.
  Value getGradient(Value value);

private:
  bool isActive(Value value) const { return active.contains(value); }
  LogicalResult visit(Operation *op);

  OpBuilder &builder;
  llvm::DenseSet<Value> active;
  /// Per value, what is to be added up.
  llvm::DenseMap<Value, SmallVector<Value, 2>> parts;
};

} // namespace

Value Differentiation::getGradient(Value value) {
  auto found = parts.find(value);
  if (found == parts.end())
    return {};
  Location loc = value.getDefiningOp() ? getGradLoc(value.getDefiningOp()) : value.getLoc();
  SmallVector<Value, 2> &terms = found->second;
  Value total = terms.front();
  for (Value term : llvm::drop_begin(terms))
    total = GradBuilder(builder, loc).add(total, term);
  terms.assign({total});
  return total;
}

/// Why there is no gradient, and what to do about it.
static LogicalResult reportMissing(Operation *op) {
  InFlightDiagnostic diag = op->emitOpError("has no gradient");
  if (isa<WhileOp>(op))
    diag.attachNote() << "hint: walk a known number of steps with hgc.scan, or cut the gradient with hgc.stop_gradient";
  else
    diag.attachNote() << "hint: cut the gradient with hgc.stop_gradient, or compute it from other ops";
  return diag;
}

LogicalResult Differentiation::visit(Operation *op) {
  SmallVector<Value> results(op->getNumResults());
  bool any = false;
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    if (isActive(result))
      any |= static_cast<bool>(results[i] = getGradient(result));
  if (!any)
    return success();
  SmallVector<Value> inputs = getInputs(op);
  SmallVector<bool> needed;
  for (Value input : inputs)
    needed.push_back(isActive(input));
  // The value itself is what is differentiated by.
  if (llvm::none_of(needed, [](bool is) { return is; }))
    return success();
  // Packed operands are made behind differentiation.
  auto grad = dyn_cast<GradOp>(op);
  if (!grad || op->getAttr("packed"))
    return reportMissing(op);
  SmallVector<Value> gradients(inputs.size());
  if (failed(grad.buildGradients(builder, results, needed, gradients)))
    return failure();
  for (auto [i, gradient] : llvm::enumerate(gradients)) {
    if (!gradient || !needed[i])
      continue;
    assert(gradient.getType() == inputs[i].getType() && "a gradient has its value's type");
    parts[inputs[i]].push_back(gradient);
  }
  return success();
}

LogicalResult Differentiation::run(ArrayRef<Value> outputs, ArrayRef<Value> seeds) {
  SmallVector<Operation *> ops;
  for (auto it = builder.getBlock()->begin(), end = builder.getInsertionPoint(); it != end; ++it)
    ops.push_back(&*it);
  findActive(ops, active);
  for (auto [output, seed] : llvm::zip_equal(outputs, seeds))
    if (seed && isActive(output))
      parts[output].push_back(seed);
  for (Operation *op : llvm::reverse(ops))
    if (failed(visit(op)))
      return failure();
  return success();
}

FailureOr<SmallVector<Value>> hgc::differentiate(OpBuilder &builder, ArrayRef<Value> outputs, ArrayRef<Value> seeds,
                                                 ArrayRef<Value> wrt) {
  Differentiation pass(builder, wrt);
  if (failed(pass.run(outputs, seeds)))
    return failure();
  SmallVector<Value> gradients;
  for (Value value : wrt)
    gradients.push_back(pass.getGradient(value));
  return gradients;
}

/// Erases those of these ops whose results nobody uses, users first.
static void eraseDead(ArrayRef<Operation *> ops, ArrayRef<Value> kept) {
  for (Operation *op : llvm::reverse(ops)) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        eraseDeadOps(block);
    bool isKept = llvm::any_of(kept, [&](Value value) { return value.getDefiningOp() == op; });
    if (!isKept && isOpTriviallyDead(op))
      op->erase();
  }
}

void hgc::eraseDeadOps(Block &block) {
  eraseDead(llvm::map_to_vector(block, [](Operation &op) { return &op; }), {});
}

FailureOr<SmallVector<Value>> hgc::buildGradients(OpBuilder &builder, Value loss, ArrayRef<Value> wrt) {
  auto type = dyn_cast<RankedTensorType>(loss.getType());
  if (!type || type.getRank() != 0 || !isDifferentiable(type)) {
    InFlightDiagnostic diag = emitError(loss.getLoc()) << "a value of type " << loss.getType() << " is no loss";
    diag.attachNote() << "hint: a loss is one float: reduce it to rank 0, for example with hgc.reduce mean";
    return diag;
  }
  Block *block = builder.getBlock();
  Block::iterator end = builder.getInsertionPoint();
  Operation *before = end == block->begin() ? nullptr : &*std::prev(end);
  GradBuilder b(builder, loss.getLoc());
  FailureOr<SmallVector<Value>> gradients = differentiate(builder, {loss}, {b.scalar(type.getElementType(), 1)}, wrt);
  if (failed(gradients))
    return failure();
  for (auto [gradient, value] : llvm::zip_equal(*gradients, wrt))
    if (!gradient)
      gradient = GradBuilder(builder, value.getLoc()).zeros(value.getType());
  SmallVector<Operation *> made;
  for (Block::iterator it = before ? std::next(before->getIterator()) : block->begin(); it != end; ++it)
    made.push_back(&*it);
  eraseDead(made, *gradients);
  // Gradients stay as exact as they can be.
  if (auto function = dyn_cast_if_present<func::FuncOp>(block->getParentOp()))
    function->setAttr(kDifferentiatedAttr, builder.getUnitAttr());
  return gradients;
}

llvm::MapVector<StringAttr, Value> hgc::gatherReads(func::FuncOp entry) {
  llvm::MapVector<StringAttr, Value> values;
  SmallVector<ReadOp> reads;
  entry.walk<WalkOrder::PreOrder>([&](ReadOp op) { reads.push_back(op); });
  Operation *last = nullptr;
  for (ReadOp op : reads) {
    auto [entryOf, isFirst] = values.try_emplace(op.getParameterAttr().getAttr(), op.getResult());
    if (!isFirst) {
      op.getResult().replaceAllUsesWith(entryOf->second);
      op.erase();
      continue;
    }
    if (last)
      op->moveAfter(last);
    else
      op->moveBefore(&entry.front(), entry.front().begin());
    last = op;
  }
  return values;
}

void hgc::registerGradModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, HGCDialect *) {
    attachUnaryRules(context);
    attachBinaryRules(context);
    attachContractionRules(context);
    attachReductionRules(context);
    attachShapeRules(context);
    attachBoxRules(context);
    attachIndexingRules(context);
    attachNormalizationRules(context);
    attachAttentionRules(context);
    attachPoolRules(context);
    attachControlRules(context);
  });
}
