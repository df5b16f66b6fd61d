//===- Utils.cpp - small helpers of graph passes --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Utils.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Placement/Pins.h"

#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

/// The device of a neighbour of `op`, operands first.
static Attribute findNeighbourDevice(Operation *op) {
  for (Value operand : op->getOperands()) {
    auto argument = dyn_cast<BlockArgument>(operand);
    bool isInput = argument && isa<func::FuncOp>(argument.getOwner()->getParentOp());
    // Entries without plans may be unplaced still.
    if (isInput && !argument.getOwner()->getParentOp()->hasAttr(kPlanAttr))
      continue;
    if (Attribute device = getDevice(operand))
      return device;
  }
  for (Operation *user : op->getUsers())
    if (Attribute device = user->getAttr(HGCDialect::kDevice))
      return device;
  Operation *parent = op->getParentOp();
  return parent ? parent->getAttr(HGCDialect::kDevice) : Attribute();
}

void hgc::inheritDevices(Operation *scope) {
  // Forwards, then backwards: a chain of new ops may hang on either end.
  SmallVector<Operation *> bare;
  auto visit = [](Operation *op) {
    if (Attribute device = findNeighbourDevice(op))
      op->setAttr(HGCDialect::kDevice, device);
  };
  scope->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isPlaced(op) && !op->hasAttr(HGCDialect::kDevice) && !op->getParentOfType<KernelOp>())
      bare.push_back(op);
  });
  llvm::for_each(bare, visit);
  for (Operation *op : llvm::reverse(bare))
    if (!op->hasAttr(HGCDialect::kDevice))
      visit(op);
}

NoteKeeper::NoteKeeper(Operation *replaced) : pin(replaced->getAttr(kPinAttr)) {
  auto function = replaced->getParentOfType<func::FuncOp>();
  if (!function || !function->hasAttr(kCertificateAttr))
    device = replaced->getAttr(HGCDialect::kDevice);
}

void NoteKeeper::notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) {
  if (device)
    op->setAttr(HGCDialect::kDevice, device);
  if (pin)
    op->setAttr(kPinAttr, pin);
}

Value hgc::makeTranspose(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> merged(permutation);
  if (auto inner = value.getDefiningOp<TransposeOp>()) {
    for (int64_t &axis : merged)
      axis = inner.getPermutation()[axis];
    value = inner.getInput();
  }
  if (llvm::equal(merged, llvm::seq<int64_t>(0, merged.size())))
    return value;
  return TransposeOp::create(builder, loc, value, merged);
}

Value hgc::makeReshape(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> shape) {
  if (cast<ShapedType>(value.getType()).getShape() == shape)
    return value;
  return ReshapeOp::create(builder, loc, value, builder.getI64ArrayAttr(shape));
}

Value hgc::makeCast(OpBuilder &builder, Location loc, Value value, Type element) {
  if (getElementTypeOrSelf(value.getType()) == element)
    return value;
  return CastOp::create(builder, loc, value, element);
}

void hgc::eraseDeadOps(Operation *scope) {
  scope->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op) && isa_and_present<HGCDialect>(op->getDialect()))
      op->erase();
  });
}
