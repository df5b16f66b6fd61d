//===- StreamClock.cpp - what an action may rely on -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StreamClock.h"

using namespace mlir;
using namespace hgc;

int64_t hgc::getStream(Operation *op) {
  if (!exec::getActionGpu(op))
    return kHost;
  auto stream = op->getAttrOfType<IntegerAttr>("stream");
  return stream ? stream.getInt() : 0;
}

int64_t hgc::chooseStream(Operation *op) {
  std::optional<unsigned> gpu = exec::getActionGpu(op);
  if (!gpu)
    return kHost;
  int64_t kind = exec::kComputeStream;
  if (auto copy = dyn_cast<exec::CopyOp>(op)) {
    std::optional<unsigned> from = exec::getGpu(copy.getSource().getType());
    if (from != exec::getGpu(copy.getTarget().getType()))
      kind = from == gpu ? exec::kDownloadStream : exec::kUploadStream;
  }
  return *gpu * exec::kStreamsPerGpu + kind;
}

StreamClock StreamTracker::getKnown(int64_t stream) const {
  StreamClock clock = known.lookup(kHost);
  if (stream == kHost)
    return clock;
  // Actions of one stream follow each other.
  clock.join(known.lookup(stream));
  clock.set(stream, issued.lookup(stream));
  return clock;
}

void StreamTracker::wait(int64_t stream, const StreamAction &action) {
  StreamClock clock = action.clock;
  clock.set(action.stream, action.position);
  known[stream].join(clock);
}

void StreamTracker::sync(int64_t stream) { known[kHost] = getKnown(stream); }

StreamAction StreamTracker::issue(Operation *op) {
  if (auto record = dyn_cast<exec::RecordOp>(op))
    events[record.getEvent()] = getKnown(record.getStream());
  else if (auto wait = dyn_cast<exec::WaitOp>(op))
    known[wait.getStream()].join(events.lookup(wait.getEvent()));
  else if (auto sync = dyn_cast<exec::SyncOp>(op))
    this->sync(sync.getStream());
  int64_t stream = getStream(op);
  StreamAction action{stream, 0, getKnown(stream)};
  if (stream != kHost)
    action.position = ++issued[stream];
  return action;
}

SmallVector<int64_t> StreamTracker::getPending() const {
  SmallVector<int64_t> pending;
  StreamClock host = known.lookup(kHost);
  for (auto [stream, count] : issued)
    if (count > host.get(stream))
      pending.push_back(stream);
  llvm::sort(pending);
  return pending;
}

void StreamTracker::advance(const llvm::DenseMap<int64_t, int64_t> &counts) {
  for (auto [stream, count] : counts) {
    int64_t last = issued.lookup(stream);
    if (count <= last)
      continue;
    // Who has waited for the last one has waited for all.
    for (auto *clocks : {&known, &events})
      for (auto &entry : *clocks)
        if (entry.second.get(stream) == last)
          entry.second.set(stream, count);
    issued[stream] = count;
  }
}

void StreamTracker::joinBranch(const StreamTracker &other) {
  StreamTracker that = other;
  that.advance(issued);
  advance(that.issued);
  for (auto &entry : known)
    entry.second.meet(that.known.lookup(entry.first));
  for (auto &entry : events)
    entry.second.meet(that.events.lookup(entry.first));
}

MemoryRoot hgc::findMemory(Value buffer) {
  while (auto alias = buffer.getDefiningOp<exec::AliasOp>())
    buffer = alias.getSource();
  if (auto weight = buffer.getDefiningOp<exec::WeightOp>())
    return {weight.getBlobAttr().getAsOpaquePointer(), exec::getGpu(weight.getType())};
  return {buffer.getAsOpaquePointer(), std::nullopt};
}

void hgc::getAccesses(Operation *op, SmallVectorImpl<Value> &reads, SmallVectorImpl<Value> &writes) {
  auto add = [](SmallVectorImpl<Value> &list, ValueRange values) { list.append(values.begin(), values.end()); };
  if (auto copy = dyn_cast<exec::CopyOp>(op)) {
    add(reads, copy.getSource());
    add(writes, copy.getTarget());
  } else if (auto fill = dyn_cast<exec::FillOp>(op)) {
    add(writes, fill.getTarget());
  } else if (auto launch = dyn_cast<exec::LaunchOp>(op)) {
    add(reads, launch.getInputs());
    add(writes, launch.getOutputs());
  } else if (auto library = dyn_cast<exec::LibraryOp>(op)) {
    add(reads, library.getInputs());
    add(writes, library.getOutputs());
  } else if (isa<exec::SetExtentOp, exec::FailIfOp, exec::IfOp, exec::WhileOp>(op)) {
    add(reads, op->getOperands());
  }
}
