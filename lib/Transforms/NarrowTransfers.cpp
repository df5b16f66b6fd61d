//===- NarrowTransfers.cpp - compute where fewer bytes travel -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op that shrinks what a copy brings moves in front of the copy, one that
// enlarges what a copy takes away moves behind it. Its kernel may lose what it
// was fused with, so the whole saving of those edges counts against the move,
// and nothing is hoped for on the other side.
//===----------------------------------------------------------------------===//

#include "TransferUtils.h"
#include "Utils.h"

#include "hgc/Analysis/Pricing.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Transforms/Passes.h"

#include "llvm/ADT/SetVector.h"

namespace hgc {
#define GEN_PASS_DEF_NARROWTRANSFERS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// Moves one op or chain of a function; analyses hold until then.
class Mover {
public:
  Mover(func::FuncOp function, const Pricing &pricing)
      : function(function), pricing(pricing), invariance(function->getParentOfType<ModuleOp>()),
        forest(function, mayFuse), copies(function, invariance) {}

  /// Whether something moved.
  bool moveOne() {
    SmallVector<TransferOp> transfers;
    function.walk<WalkOrder::PreOrder>([&](TransferOp op) { transfers.push_back(op); });
    return llvm::any_of(transfers, [&](TransferOp op) { return moveForward(op) || moveBackward(op); });
  }

private:
  static bool isMovable(Operation *op) {
    return isComputing(op) && op->getNumResults() == 1 && !op->getNumRegions() && !op->hasAttr(kPinAttr);
  }

  /// Price of `ops` where they are: with the edges that are contracted there.
  int64_t priceHere(ArrayRef<Operation *> ops) const {
    int64_t price = 0;
    llvm::SetVector<const FusionEdge *> edges;
    for (Operation *op : ops) {
      price += pricing.priceOp(op, getDevice(op));
      edges.insert(forest.getEdge(op));
      for (Value operand : op->getOperands())
        if (Operation *producer = operand.getDefiningOp())
          if (const FusionEdge *edge = forest.getEdge(producer); edge && edge->consumer == op)
            edges.insert(edge);
    }
    for (const FusionEdge *edge : edges)
      if (edge && getDevice(edge->producer) == getDevice(edge->consumer))
        price -= pricing.getSaving(*edge, getDevice(edge->producer));
    return price;
  }

  static void recordMove(Operation *op, DeviceAttr device) {
    op->setAttr(HGCDialect::kDevice, device);
    // What was known about the other place does not hold any more.
    op->removeAttr(kDecisionAttr);
    op->removeAttr(kFusesAttr);
  }

  /// What a move changes.
  struct Balance {
    int64_t bytesBefore = 0, bytesAfter = 0, psBefore = 0, psAfter = 0;
    bool isGood() const { return bytesAfter < bytesBefore && psAfter < psBefore; }
  };

  bool canMove(Operation *op, DeviceAttr to, Operation *besides) const {
    return isMovable(op) && pricing.hasKernel(op, to) && getTripWeight(op) == getTripWeight(besides);
  }

  /// Adds what it takes to read the operands of `op` on `to`, but for `inside`.
  void addOperands(Operation *op, DeviceAttr to, Value inside, Balance &balance) {
    for (Value operand : llvm::SetVector<Value>(op->operand_begin(), op->operand_end())) {
      if (operand == inside)
        continue;
      balance.psAfter += copies.priceSecondReader(operand, to, op, forest, pricing);
      if (copies.isFree(operand, to, op))
        continue;
      balance.bytesAfter += getBytes(operand);
      balance.psAfter += pricing.priceTransfer(getBytes(operand), getDevice(op), to);
    }
  }

  /// Readers that shrink what a copy brings read the source instead, and what they
  /// make is copied. Either all readers do, or a chain of single ones in the end.
  bool moveForward(TransferOp op) {
    DeviceAttr from = op.getFrom(), to = op.getTo();
    Balance balance;
    balance.bytesBefore = getBytes(op.getResult());
    balance.psBefore = pricing.priceTransfer(balance.bytesBefore, from, to);
    SmallVector<Operation *> moved;
    llvm::SetVector<Operation *> readers(op->user_begin(), op->user_end());
    Value inside = op.getResult();
    while (!readers.empty() && moved.size() + readers.size() <= kMaxMoved) {
      Balance next = balance;
      for (Operation *reader : readers) {
        int64_t others = next.bytesAfter;
        addOperands(reader, from, inside, next);
        // Copies the other way are not what this is for.
        if (!canMove(reader, from, op) || next.bytesAfter != others)
          return false;
        next.psAfter += pricing.priceOp(reader, from);
      }
      balance = next;
      // Uses are listed last first.
      llvm::append_range(moved, llvm::reverse(readers));
      Balance total = balance;
      total.psBefore += priceHere(moved);
      for (Operation *reader : readers) {
        total.bytesAfter += getBytes(reader->getResult(0));
        total.psAfter += pricing.priceTransfer(getBytes(reader->getResult(0)), from, to);
      }
      if (total.isGood()) {
        SmallVector<Operation *> last(readers.begin(), readers.end());
        return readSource(op, moved, last), true;
      }
      if (readers.size() > 1)
        return false;
      inside = moved.back()->getResult(0);
      readers = llvm::SetVector<Operation *>(inside.user_begin(), inside.user_end());
    }
    return false;
  }

  /// Lets `moved` run where `op` copies from; what the `last` of them make is
  /// copied.
  void readSource(TransferOp op, ArrayRef<Operation *> moved, ArrayRef<Operation *> last) {
    for (Operation *reader : moved) {
      for (OpOperand &use : reader->getOpOperands())
        use.set(use.get() == op.getResult() ? op.getSource() : copies.find(use.get(), op.getFrom(), reader));
      recordMove(reader, op.getFrom());
    }
    for (Operation *reader : llvm::reverse(last)) {
      OpBuilder builder(reader->getContext());
      builder.setInsertionPointAfter(reader);
      Value result = reader->getResult(0);
      Value copy = makeTransfer(builder, reader->getLoc(), result, op.getTo(), "the op before it makes fewer bytes");
      result.replaceAllUsesExcept(copy, copy.getDefiningOp());
    }
    op.erase();
  }

  /// The ops before a copy enlarge what they read, for the copy alone: what the
  /// first of them reads is copied instead.
  bool moveBackward(TransferOp op) {
    DeviceAttr from = op.getFrom(), to = op.getTo();
    Balance balance;
    balance.bytesBefore = getBytes(op.getSource());
    balance.psBefore = pricing.priceTransfer(balance.bytesBefore, from, to);
    SmallVector<Operation *> moved;
    Operation *maker = op.getSource().getDefiningOp();
    while (maker && moved.size() < kMaxMoved && canMove(maker, to, op) && maker->getResult(0).hasOneUse()) {
      moved.push_back(maker);
      balance.psAfter += pricing.priceOp(maker, to);
      Balance total = balance;
      total.psBefore += priceHere(moved);
      addOperands(maker, to, {}, total);
      if (total.isGood())
        return copyOperands(op, moved), true;
      // Only a single value may lead further up.
      llvm::SetVector<Value> rest;
      for (Value operand : maker->getOperands())
        if (!copies.isFree(operand, to, maker))
          rest.insert(operand);
      maker = rest.size() == 1 ? rest.front().getDefiningOp() : nullptr;
    }
    return false;
  }

  void copyOperands(TransferOp op, ArrayRef<Operation *> moved) {
    for (Operation *maker : llvm::reverse(moved)) {
      recordMove(maker, op.getTo());
      for (OpOperand &use : maker->getOpOperands())
        use.set(copies.get(use.get(), op.getTo(), maker));
    }
    op.replaceAllUsesWith(op.getSource());
    op.erase();
  }

  /// Longer chains are hardly ever worth it.
  static constexpr size_t kMaxMoved = 8;

  func::FuncOp function;
  const Pricing &pricing;
  Invariance invariance;
  FusionForest forest;
  DeviceCopies copies;
};

struct NarrowTransfers final : hgc::impl::NarrowTransfersBase<NarrowTransfers> {
  void runOnOperation() override {
    Pricing pricing(getOperation());
    for (func::FuncOp function : findGpuEntries(getOperation())) {
      if (isPlacedToOverlap(function))
        continue;
      bool changed = false;
      // Each move makes fewer bytes travel, so this ends.
      while (Mover(function, pricing).moveOne())
        changed = true;
      if (!changed)
        continue;
      eraseDeadOps(function);
      function->setAttr(kRefinedAttr, UnitAttr::get(&getContext()));
    }
  }
};

} // namespace
