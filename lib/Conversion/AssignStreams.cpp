//===- AssignStreams.cpp - streams, events and waits of a program ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Program order is right; this pass keeps of it only what data needs. An action
// waits for those of other streams that wrote what it reads, or that read or
// wrote what it overwrites, unless something it waits for has done so already.
// Branches and loops begin and end with idle streams, except loops whose work is
// all on one stream: its order is enough.
//===----------------------------------------------------------------------===//

#include "StreamClock.h"

#include "hgc/Conversion/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

namespace hgc {
#define GEN_PASS_DEF_ASSIGNSTREAMS
#include "hgc/Conversion/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;

namespace {

/// An action that was issued.
struct Issued {
  Operation *op = nullptr;
  StreamAction action;
};

/// Who touched a buffer since it was last written.
struct History {
  std::optional<Issued> writer;
  SmallVector<Issued> readers;
};

class StreamAssigner {
public:
  StreamAssigner(exec::ProgramOp program, bool serial)
      : program(program), builder(program.getContext()), serial(serial) {}

  void run() { assign(program.getBody()); }

private:
  void assign(Region &region) {
    for (Operation &op : llvm::make_early_inc_range(region.getOps())) {
      if (std::optional<int64_t> stream = findOnlyStream(&op)) {
        joinPending(*stream, &op);
        assign(op.getRegion(0));
        continue;
      }
      bool isBorder = op.getNumRegions() || isa<exec::ReturnOp>(op);
      if (isBorder)
        syncAll(&op);
      for (Region &nested : op.getRegions()) {
        assign(nested);
        builder.setInsertionPointToEnd(&nested.front());
        syncPending(op.getLoc());
      }
      if (!op.getNumRegions())
        issue(&op);
    }
  }

  /// The stream of a loop that has nothing to do elsewhere.
  static std::optional<int64_t> findOnlyStream(Operation *op) {
    if (!isa<exec::ForOp>(op))
      return std::nullopt;
    std::optional<int64_t> only;
    WalkResult walk = op->walk([&](Operation *nested) {
      if (isa<exec::ViewOp, exec::WeightOp, exec::AliasOp, exec::ForOp>(nested))
        return WalkResult::advance();
      int64_t stream = chooseStream(nested);
      bool isOther = stream == kHost || (only && *only != stream);
      only = stream;
      return isOther ? WalkResult::interrupt() : WalkResult::advance();
    });
    return walk.wasInterrupted() ? std::nullopt : only;
  }

  /// Lets `stream` wait for all that others have under way.
  void joinPending(int64_t stream, Operation *before) {
    for (int64_t other : tracker.getPending())
      if (other != stream)
        join(other, stream, before);
  }

  void join(int64_t first, int64_t second, Operation *before) {
    builder.setInsertionPoint(before);
    tracker.issue(exec::RecordOp::create(builder, before->getLoc(), events, first));
    tracker.issue(exec::WaitOp::create(builder, before->getLoc(), events++, second));
  }

  void syncAll(Operation *before) {
    builder.setInsertionPoint(before);
    syncPending(before->getLoc());
  }

  void syncPending(Location loc) {
    // From the last one: copies to the host have waited for most of the rest.
    for (auto pending = tracker.getPending(); !pending.empty(); pending = tracker.getPending()) {
      exec::SyncOp::create(builder, loc, pending.back());
      tracker.sync(pending.back());
    }
  }

  /// The latest action of each stream that `op` must come after.
  llvm::MapVector<int64_t, Issued> findDependences(ArrayRef<Value> reads, ArrayRef<Value> writes) {
    llvm::MapVector<int64_t, Issued> latest;
    auto add = [&](const Issued &issued) {
      Issued &slot = latest[issued.action.stream];
      if (issued.action.position > slot.action.position)
        slot = issued;
    };
    for (Value buffer : reads)
      if (const std::optional<Issued> &writer = histories[findMemory(buffer)].writer)
        add(*writer);
    for (Value buffer : writes) {
      const History &history = histories[findMemory(buffer)];
      if (history.writer)
        add(*history.writer);
      llvm::for_each(history.readers, add);
    }
    latest.erase(kHost);
    return latest;
  }

  void issue(Operation *op) {
    SmallVector<Value> reads, writes;
    getAccesses(op, reads, writes);
    int64_t stream = chooseStream(op);
    if (stream != kHost)
      op->setAttr("stream", builder.getI64IntegerAttr(stream));
    for (auto &[other, issued] : findDependences(reads, writes))
      if (tracker.getKnown(stream).get(other) < issued.action.position)
        order(issued, op, stream);
    Issued issued{op, tracker.issue(op)};
    for (Value buffer : reads)
      histories[findMemory(buffer)].readers.push_back(issued);
    for (Value buffer : writes)
      histories[findMemory(buffer)] = {issued, {}};
    if (serial && stream != kHost) {
      builder.setInsertionPointAfter(op);
      syncPending(op->getLoc());
    }
  }

  /// Lets `op`, about to be issued on `stream`, wait for `first`.
  void order(const Issued &first, Operation *op, int64_t stream) {
    builder.setInsertionPoint(op);
    if (stream == kHost) {
      exec::SyncOp::create(builder, op->getLoc(), first.action.stream);
      tracker.sync(first.action.stream);
      return;
    }
    // Behind a loop there is one point to wait for, inside many.
    if (first.op->getBlock() != op->getBlock())
      return join(first.action.stream, stream, op);
    auto [event, isNew] = recorded.try_emplace(first.op, events);
    if (isNew) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointAfter(first.op);
      exec::RecordOp::create(builder, first.op->getLoc(), events++, first.action.stream);
    }
    exec::WaitOp::create(builder, op->getLoc(), event->second, stream);
    tracker.wait(stream, first.action);
  }

  exec::ProgramOp program;
  OpBuilder builder;
  bool serial;
  StreamTracker tracker;
  std::map<MemoryRoot, History> histories;
  llvm::DenseMap<Operation *, int64_t> recorded;
  int64_t events = 0;
};

struct AssignStreams final : hgc::impl::AssignStreamsBase<AssignStreams> {
  using AssignStreamsBase::AssignStreamsBase;

  void runOnOperation() override {
    for (auto program : getOperation().getOps<exec::ProgramOp>())
      if (program.isInGpuPlan())
        StreamAssigner(program, serial).run();
  }
};

} // namespace
