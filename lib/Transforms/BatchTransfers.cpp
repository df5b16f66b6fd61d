//===- BatchTransfers.cpp - small copies travel together ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy of few bytes takes as long as an empty one. Those of one direction that
// nobody reads before the last of them is made become one: joined on one side,
// cut apart on the other. Joining and cutting must cost less than the copies
// that are saved, and so must the time by which the first one is late.
//===----------------------------------------------------------------------===//

#include "TransferUtils.h"

#include "hgc/Analysis/FusionForest.h"
#include "hgc/Analysis/Pricing.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Transforms/Passes.h"

#include "llvm/ADT/MapVector.h"

namespace hgc {
#define GEN_PASS_DEF_BATCHTRANSFERS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// Copies that could travel together, in program order.
struct Batch {
  SmallVector<TransferOp> members;
  /// The first op of the block that reads one of them.
  Operation *limit = nullptr;
};

struct BatchTransfers final : hgc::impl::BatchTransfersBase<BatchTransfers> {
  void runOnOperation() override {
    Pricing prices(getOperation());
    pricing = &prices;
    for (func::FuncOp function : findGpuEntries(getOperation())) {
      bool changed = false;
      function.walk([&](Block *block) {
        for (Batch &batch : findBatches(*block))
          changed |= merge(batch.members);
      });
      if (changed)
        function->setAttr(kRefinedAttr, UnitAttr::get(&getContext()));
    }
  }

private:
  /// Whether the bytes matter less than that there is a copy at all.
  bool isSmall(TransferOp op) const {
    int64_t bytes = getBytes(op.getResult());
    return bytes > 0 && pricing->priceTransfer(bytes, op.getFrom(), op.getTo()) <
                            2 * pricing->priceTransfer(0, op.getFrom(), op.getTo());
  }

  static Operation *findFirstReader(TransferOp op) {
    Operation *first = op->getBlock()->getTerminator();
    for (Operation *user : op->getUsers()) {
      Operation *reader = op->getBlock()->findAncestorOpInBlock(*user);
      if (reader->isBeforeInBlock(first))
        first = reader;
    }
    return first;
  }

  SmallVector<Batch> findBatches(Block &block) const {
    using Key = std::tuple<Attribute, Attribute, Type>;
    llvm::MapVector<Key, Batch> open;
    SmallVector<Batch> done;
    for (auto op : block.getOps<TransferOp>()) {
      if (!isSmall(op))
        continue;
      Batch &batch = open[Key{op.getFrom(), op.getTo(), getElementTypeOrSelf(op.getType())}];
      if (batch.limit && !op->isBeforeInBlock(batch.limit)) {
        done.push_back(std::move(batch));
        batch = {};
      }
      batch.members.push_back(op);
      Operation *reader = findFirstReader(op);
      if (!batch.limit || reader->isBeforeInBlock(batch.limit))
        batch.limit = reader;
    }
    for (auto &[key, batch] : open)
      done.push_back(std::move(batch));
    return done;
  }

  /// How long the first copy waits for the last one.
  int64_t priceDelay(TransferOp first, TransferOp last) const {
    int64_t delay = 0;
    for (Operation *op = first->getNextNode(); op != last; op = op->getNextNode())
      if (isComputing(op))
        delay += pricing->priceOp(op, getDevice(op));
    return delay;
  }

  bool merge(ArrayRef<TransferOp> members) const {
    if (members.size() < 2)
      return false;
    TransferOp first = members.front(), last = members.back();
    DeviceAttr from = last.getFrom(), to = last.getTo();
    int64_t delay = priceDelay(first, last);
    OpBuilder builder(last);
    SmallVector<Operation *> made;
    auto keep = [&](Value value, DeviceAttr device) {
      Operation *op = value.getDefiningOp();
      op->setAttr(HGCDialect::kDevice, device);
      made.push_back(op);
      return value;
    };
    auto makeFlat = [&](TransferOp op) -> Value {
      int64_t elements = cast<ShapedType>(op.getType()).getNumElements();
      Type flat = RankedTensorType::get({elements}, getElementTypeOrSelf(op.getType()));
      Value view = makeView(builder, op.getLoc(), op.getSource(), flat);
      return view == op.getSource() ? view : keep(view, from);
    };
    SmallVector<Value> parts = llvm::map_to_vector(members, makeFlat);
    Value joined = keep(ConcatOp::create(builder, last.getLoc(), parts, 0), from);
    Value copy = keep(makeTransfer(builder, last.getLoc(), joined, to, "small copies travel together"), to);
    int64_t saved = -pricing->priceTransfer(getBytes(copy), from, to) - pricing->priceOp(joined.getDefiningOp(), from);
    SmallVector<Value> pieces;
    int64_t offset = 0;
    for (TransferOp op : members) {
      int64_t elements = cast<ShapedType>(op.getType()).getNumElements();
      Value piece = keep(SliceOp::create(builder, op.getLoc(), copy, Value(), builder.getDenseI64ArrayAttr({offset}),
                                         builder.getDenseI64ArrayAttr({elements}), DenseI64ArrayAttr()),
                         to);
      saved += pricing->priceTransfer(getBytes(op.getResult()), from, to) - pricing->priceOp(piece.getDefiningOp(), to);
      Value view = makeView(builder, op.getLoc(), piece, op.getType());
      pieces.push_back(view == piece ? view : keep(view, to));
      offset += elements;
    }
    if (saved <= delay) {
      for (Operation *op : llvm::reverse(made))
        op->erase();
      return false;
    }
    for (auto [op, piece] : llvm::zip_equal(members, pieces)) {
      op->getResult(0).replaceAllUsesWith(piece);
      op->erase();
    }
    return true;
  }

  const Pricing *pricing = nullptr;
};

} // namespace
