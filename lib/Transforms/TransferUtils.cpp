//===- TransferUtils.cpp - what passes over transfers share ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TransferUtils.h"

#include "Utils.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

Value hgc::skipViews(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getInput();
  return value;
}

Value hgc::makeView(OpBuilder &builder, Location loc, Value value, Type type) {
  Value view = makeReshape(builder, loc, value, cast<ShapedType>(type).getShape());
  if (view != value)
    view.getDefiningOp()->setAttr(HGCDialect::kDevice, getDevice(value));
  return view;
}

Value hgc::makeTransfer(OpBuilder &builder, Location loc, Value value, DeviceAttr to, StringRef reason) {
  auto transfer = TransferOp::create(builder, loc, value.getType(), value, getDevice(value), to);
  transfer->setAttr(HGCDialect::kDevice, to);
  if (!reason.empty())
    transfer->setAttr(kReasonAttr, builder.getStringAttr(reason));
  return transfer;
}

int64_t hgc::getBytes(Value value) { return getTensorBytes(cast<ShapedType>(value.getType())); }

int64_t hgc::countTransferredBytes(func::FuncOp function) {
  int64_t bytes = 0;
  function.walk([&](TransferOp op) { bytes += getBytes(op.getResult()) * getTripWeight(op); });
  return bytes;
}

bool hgc::mayFuse(Operation *producer) {
  auto function = producer->getParentOfType<func::FuncOp>();
  return !function || !function->hasAttr(kCertificateAttr) || producer->hasAttr(kFusesAttr);
}

SmallVector<func::FuncOp> hgc::findGpuEntries(ModuleOp module) {
  return llvm::filter_to_vector(module.getOps<func::FuncOp>(), isInGpuPlan);
}

DeviceCopies::DeviceCopies(func::FuncOp function, const Invariance &invariance)
    : invariance(invariance), folded(function, invariance) {
  function.walk([&](TransferOp op) { add(op); });
}

void DeviceCopies::add(TransferOp transfer) {
  copies[{transfer.getSource(), transfer.getTo()}].push_back(transfer.getResult());
}

bool DeviceCopies::isDuplicable(Operation *op) const {
  if (!op || isa<ConstantOp>(op) || folded.contains(op))
    return op;
  auto read = dyn_cast<ReadOp>(op);
  return read && !invariance.isMutable(read.getParameterAttr().getAttr());
}

Value DeviceCopies::findExisting(Value value, DeviceAttr to, Operation *user) {
  if (getDevice(value) == to)
    return value;
  auto back = value.getDefiningOp<TransferOp>();
  if (back && back.getFrom() == to)
    return back.getSource();
  for (Value copy : copies.lookup({value, to}))
    if (dominance.properlyDominates(copy, user))
      return copy;
  return {};
}

int64_t DeviceCopies::priceSecondReader(Value value, DeviceAttr to, Operation *user, const FusionForest &forest,
                                        const Pricing &pricing) {
  Value existing = findExisting(value, to, user);
  Operation *maker = existing ? existing.getDefiningOp() : nullptr;
  const FusionEdge *edge = maker ? forest.getEdge(maker) : nullptr;
  return edge && getDevice(edge->consumer) == to ? pricing.getSaving(*edge, to) : 0;
}

bool DeviceCopies::isFree(Value value, DeviceAttr to, Operation *user) {
  if (findExisting(value, to, user) || isDuplicable(value.getDefiningOp()))
    return true;
  auto view = value.getDefiningOp<ReshapeOp>();
  return view && isFree(view.getInput(), to, user);
}

/// The compiler evaluates the whole expression, whatever it is made of.
Value DeviceCopies::duplicate(Operation *op, DeviceAttr to) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Operation *clone = builder.clone(*op);
  clone->setAttr(HGCDialect::kDevice, to);
  for (StringRef note : {kPinAttr, kDecisionAttr, kFusesAttr, kAlsoOnAttr})
    clone->removeAttr(note);
  for (OpOperand &use : clone->getOpOperands()) {
    Value existing = findExisting(use.get(), to, clone);
    use.set(existing ? existing : duplicate(use.get().getDefiningOp(), to));
  }
  copies[{op->getResult(0), to}].push_back(clone->getResult(0));
  return clone->getResult(0);
}

Value DeviceCopies::find(Value value, DeviceAttr to, Operation *user) {
  if (Value existing = findExisting(value, to, user))
    return existing;
  Operation *op = value.getDefiningOp();
  if (isDuplicable(op))
    return duplicate(op, to);
  Value source = isa_and_present<ReshapeOp>(op) ? find(op->getOperand(0), to, user) : Value();
  if (!source)
    return {};
  // At the reader: the copy that is seen may have been made behind the view.
  OpBuilder builder(user);
  Value copy = makeView(builder, op->getLoc(), source, value.getType());
  copies[{value, to}].push_back(copy);
  return copy;
}

/// Whether `value` or a view of it is read on `device`.
static bool isReadOn(Value value, DeviceAttr device, ReshapeOp except) {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    auto view = dyn_cast<ReshapeOp>(use.getOwner());
    return view ? view != except && isReadOn(view, device, except) : getRequiredDevice(use) == device;
  });
}

/// Whether something on `device` reads what `view` shows without it.
static bool isReadBeside(ReshapeOp view, DeviceAttr device) {
  auto outer = view.getInput().getDefiningOp<ReshapeOp>();
  return isReadOn(view.getInput(), device, view) || (outer && isReadBeside(outer, device));
}

Value DeviceCopies::get(Value value, DeviceAttr to, Operation *user) {
  if (Value copy = find(value, to, user))
    return copy;
  // Views of one value share its copy, whoever reads first.
  if (auto view = value.getDefiningOp<ReshapeOp>(); view && isReadBeside(view, to)) {
    get(view.getInput(), to, user);
    return find(value, to, user);
  }
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  Value copy = makeTransfer(builder, value.getLoc(), value, to);
  copies[{value, to}].push_back(copy);
  return copy;
}
