//===- Structure.cpp - control flow, transfers, kernels -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Infer.h"

using namespace mlir;
using namespace hgc::graph;

/// Checks that `region` takes and yields values of the given types.
static LogicalResult checkRegion(Operation *op, StringRef name, Region &region, TypeRange arguments,
                                 TypeRange yielded) {
  Block &block = region.front();
  if (!areCompatible(block.getArgumentTypes(), arguments)) {
    InFlightDiagnostic diag = op->emitOpError() << "region '" << name << "' takes (" << block.getArgumentTypes()
                                                << "), expected (" << arguments << ")";
    diag.attachNote() << "hint: declare the block arguments with the expected types";
    return diag;
  }
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (yield && areCompatible(yield.getValues().getTypes(), yielded))
    return success();
  InFlightDiagnostic diag = op->emitOpError() << "region '" << name << "' ends with ";
  if (yield)
    diag << "values of types (" << yield.getValues().getTypes() << ")";
  else
    diag << "'" << block.getTerminator()->getName() << "'";
  diag << ", expected (" << yielded << ")";
  diag.attachNote(block.getTerminator()->getLoc()) << "hint: end the region with hgc.yield of the expected types";
  return diag;
}

static LogicalResult checkResults(Operation *op, TypeRange expected) {
  if (areCompatible(op->getResultTypes(), expected))
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "has results (" << op->getResultTypes() << "), expected (" << expected << ")";
  diag.attachNote() << "hint: a carried value keeps its type";
  return diag;
}

/// A condition is one flag.
static LogicalResult checkCondition(Location loc, RankedTensorType type) {
  if (type.getRank() == 0)
    return success();
  return emitWithHint(loc, "condition of rank " + Twine(type.getRank()),
                      "a condition is one tensor<i1>; reduce it with 'any' or 'all'");
}

LogicalResult CheckOp::verify() {
  if (getMessage().empty())
    return emitWithHint(getLoc(), "the check has no message", "say what the caller did wrong");
  return checkCondition(getLoc(), getCondition().getType());
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void YieldOp::build(OpBuilder &, OperationState &) {}

LogicalResult IfOp::verifyRegions() {
  if (failed(checkCondition(getLoc(), getCondition().getType())))
    return failure();
  if (failed(checkRegion(*this, "then", getThenRegion(), {}, getResultTypes())))
    return failure();
  return checkRegion(*this, "else", getElseRegion(), {}, getResultTypes());
}

LogicalResult WhileOp::verifyRegions() {
  TypeRange carried = getInits().getTypes();
  Type flag = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  if (static_cast<int64_t>(getTripHint()) < 0)
    return emitWithHint(getLoc(), "'trip_hint' is " + Twine(static_cast<int64_t>(getTripHint())),
                        "give the expected number of iterations");
  if (failed(checkResults(*this, carried)) || failed(checkRegion(*this, "cond", getCondition(), carried, flag)))
    return failure();
  return checkRegion(*this, "do", getBody(), carried, carried);
}

/// Type of one slice along dim 0.
static Type sliceOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape().drop_front(), tensor.getElementType());
}

/// Checks that a sequence or stacked result has the trip count as first extent.
static LogicalResult checkSequence(ScanOp op, Type type, int64_t trips) {
  auto tensor = cast<RankedTensorType>(type);
  if (tensor.getRank() == 0)
    return emitWithHint(op.getLoc(), "scan over a scalar", "a sequence has its steps along dim 0");
  int64_t extent = tensor.getDimSize(0);
  if (extent == trips || ShapedType::isDynamic(extent) || ShapedType::isDynamic(trips))
    return success();
  return emitWithHint(op.getLoc(), "scan of " + Twine(trips) + " steps has a sequence of " + Twine(extent),
                      "all sequences and stacked results have the same first extent");
}

int64_t ScanOp::getTripCount() {
  for (Type type : getSequences().getTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    if (tensor.getRank() != 0 && !tensor.isDynamicDim(0))
      return tensor.getDimSize(0);
  }
  return ShapedType::kDynamic;
}

LogicalResult ScanOp::verifyRegions() {
  TypeRange states = getInits().getTypes(), results = getResultTypes();
  if (getSequences().empty())
    return emitWithHint(getLoc(), "scan over no sequence", "the first extent of a sequence is the trip count");
  if (results.size() < states.size() || !areCompatible(results.take_front(states.size()), states)) {
    InFlightDiagnostic diag = emitOpError()
                              << "has results (" << results << "), expected them to start with (" << states << ")";
    diag.attachNote() << "hint: results are the final states, then the stacked results";
    return diag;
  }
  SmallVector<Type> arguments(states), yielded(states);
  for (Type type : getSequences().getTypes()) {
    if (failed(checkSequence(*this, type, getTripCount())))
      return failure();
    arguments.push_back(sliceOf(type));
  }
  for (Type type : results.drop_front(states.size())) {
    if (failed(checkSequence(*this, type, getTripCount())))
      return failure();
    yielded.push_back(sliceOf(type));
  }
  return checkRegion(*this, "body", getBody(), arguments, yielded);
}

//===----------------------------------------------------------------------===//
// Placement and fusion
//===----------------------------------------------------------------------===//

LogicalResult TransferOp::verify() {
  if (getFrom() != getTo())
    return success();
  InFlightDiagnostic diag = emitOpError() << "moves its source from " << getFrom() << " to the same device";
  diag.attachNote() << "hint: use the source directly, or name another device after `to`";
  return diag;
}

/// Kind of an op as a kernel sees it: constants are arithmetic without operands.
static FusionKind kindInKernel(Operation *op) {
  if (isa<ConstantOp>(op))
    return FusionKind::Pointwise;
  auto fusible = dyn_cast<FusibleOp>(op);
  return fusible ? fusible.getFusionKind() : FusionKind::Opaque;
}

LogicalResult KernelOp::verifyRegions() {
  if (failed(checkRegion(*this, "body", getBody(), getInputs().getTypes(), getResult().getType())))
    return failure();
  Operation *root = nullptr;
  for (Operation &op : getBody().front().without_terminator()) {
    FusionKind kind = kindInKernel(&op);
    if (kind == FusionKind::Opaque || kind == FusionKind::View) {
      InFlightDiagnostic diag = emitOpError() << "holds '" << op.getName() << "', which cannot be fused";
      diag.attachNote(op.getLoc()) << "hint: move it out of the kernel";
      return diag;
    }
    if (op.hasAttr(HGCDialect::kDevice)) {
      InFlightDiagnostic diag = emitOpError() << "holds '" << op.getName() << "' with a device of its own";
      diag.attachNote(op.getLoc()) << "hint: put 'hgc.device' on the kernel";
      return diag;
    }
    if (kind == FusionKind::Root && std::exchange(root, &op)) {
      InFlightDiagnostic diag = emitOpError() << "holds more than one root";
      diag.attachNote(op.getLoc()) << "hint: '" << op.getName() << "' needs a kernel of its own";
      return diag;
    }
  }
  return success();
}

Operation *KernelOp::getRoot() {
  for (Operation &op : getBody().front().without_terminator())
    if (kindInKernel(&op) == FusionKind::Root)
      return &op;
  return nullptr;
}

Value KernelOp::getYielded() { return cast<YieldOp>(getBody().front().getTerminator()).getValues().front(); }
