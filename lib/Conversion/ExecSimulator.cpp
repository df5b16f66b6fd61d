//===- ExecSimulator.cpp - facts about buffers, op by op ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing here knows lifetimes: a plan is right if no read ever finds bytes
// that someone else wrote. That is another argument than the planner's, so the
// two do not share their mistakes.
//===----------------------------------------------------------------------===//

#include "ExecSimulator.h"

using namespace mlir;
using namespace hgc;

namespace {

LogicalResult withHint(InFlightDiagnostic diag, const Twine &hint) {
  diag.attachNote() << "hint: " << hint;
  return diag;
}

constexpr StringLiteral kReplan = "run hgc-plan-memory after the last pass that changes the program";

} // namespace

//===----------------------------------------------------------------------===//
// Buffers and places
//===----------------------------------------------------------------------===//

Value ExecSimulator::findBuffer(Value value) {
  while (auto alias = value.getDefiningOp<exec::AliasOp>())
    value = alias.getSource();
  if (auto weight = value.getDefiningOp<exec::WeightOp>())
    return weights.try_emplace({weight.getBlobAttr(), cast<MemRefType>(weight.getType()).getMemorySpace()}, value)
        .first->second;
  return value;
}

ExecSimulator::Place ExecSimulator::findPlace(Value value) {
  Value buffer = findBuffer(value);
  int64_t begin = 0, bytes = graph::getTensorBytes(cast<MemRefType>(value.getType()));
  for (auto alias = value.getDefiningOp<exec::AliasOp>(); alias;
       alias = alias.getSource().getDefiningOp<exec::AliasOp>()) {
    begin += alias.getOffset();
    if (!alias.getIndex())
      continue;
    begin = 0;
    bytes = graph::getTensorBytes(cast<MemRefType>(buffer.getType()));
    break;
  }
  auto view = buffer.getDefiningOp<exec::ViewOp>();
  if (!view)
    return {buffer.getAsOpaquePointer(), 0, begin, begin + bytes};
  Attribute space = cast<MemRefType>(view.getType()).getMemorySpace();
  const void *memory = space ? space.getAsOpaquePointer() : program.getAsOpaquePointer();
  if (view.getSlot())
    return {memory, static_cast<int64_t>(*view.getSlot()), begin, begin + bytes};
  begin += *view.getOffset();
  // Number -1: an arena, never a slot.
  return {memory, -1, begin, begin + bytes};
}

ExecSimulator::State ExecSimulator::join(const State &a, const State &b) {
  State result = a;
  for (auto &[buffer, fact] : result.facts) {
    Fact other = b.facts.lookup(buffer);
    fact.isWritten &= other.isWritten;
    if (!fact.clobberedBy)
      fact.clobberedBy = other.clobberedBy;
  }
  result.tracker.joinBranch(b.tracker);
  llvm::append_range(result.touches, b.touches);
  return result;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool ExecSimulator::isLoading(exec::WeightOp weight) {
  return program.getLoad() && exec::getGpu(weight.getType()) &&
         !symbols.lookup<exec::BlobOp>(weight.getBlob()).getIsMutable();
}

LogicalResult ExecSimulator::read(Value value, Operation *op) {
  Value buffer = findBuffer(value);
  // Weights and empty buffers always hold their value, except on GPUs while they are loaded.
  if (auto weight = buffer.getDefiningOp<exec::WeightOp>(); weight && !isLoading(weight) && !state.facts.count(buffer))
    return success();
  if (graph::getTensorBytes(cast<MemRefType>(buffer.getType())) == 0)
    return success();
  Fact fact = state.facts.lookup(buffer);
  if (fact.clobberedBy) {
    InFlightDiagnostic diag = op->emitOpError("reads a buffer whose bytes were overwritten");
    diag.attachNote(fact.clobberedBy->getLoc()) << "overwritten here";
    diag.attachNote(buffer.getLoc()) << "buffer declared here";
    return withHint(std::move(diag), kReplan);
  }
  if (fact.isWritten)
    return success();
  InFlightDiagnostic diag = op->emitOpError("reads a buffer that was not written before");
  diag.attachNote(buffer.getLoc()) << "buffer declared here";
  return withHint(std::move(diag), "write it on every way to this op; a view inside a loop is new in each iteration");
}

LogicalResult ExecSimulator::write(Value value, Operation *op) {
  Value buffer = findBuffer(value);
  if (auto weight = buffer.getDefiningOp<exec::WeightOp>()) {
    auto blob = symbols.lookup<exec::BlobOp>(weight.getBlob());
    if (isLoading(weight)) {
      state.facts[buffer].isWritten = true;
      return success();
    }
    if (!blob.getIsMutable()) {
      InFlightDiagnostic diag = op->emitOpError() << "writes the immutable blob '" << weight.getBlob() << "'";
      diag.attachNote(blob.getLoc()) << "blob declared here";
      return withHint(std::move(diag), "mark the blob is_mutable, or write to a view");
    }
    return success();
  }
  if (auto argument = dyn_cast<BlockArgument>(buffer))
    if (argument.getArgNumber() < program.getInputCount())
      return withHint(op->emitOpError() << "writes input #" << argument.getArgNumber() << " of the program",
                      "inputs belong to the caller; write to a view or an output");
  Place place = findPlace(value);
  if (place.begin == place.end)
    return success();
  for (auto &[other, fact] : state.facts)
    if (other != buffer && fact.isWritten && !fact.clobberedBy && findPlace(other).overlaps(place))
      fact.clobberedBy = op;
  Fact &fact = state.facts[buffer];
  bool isWhole = graph::getTensorBytes(cast<MemRefType>(value.getType())) ==
                 graph::getTensorBytes(cast<MemRefType>(buffer.getType()));
  if (isWhole)
    fact.clobberedBy = nullptr;
  fact.isWritten = true;
  return success();
}

LogicalResult ExecSimulator::checkOverlap(Operation *op, ValueRange inputs, ValueRange outputs) {
  auto report = [&](Value a, Value b) {
    InFlightDiagnostic diag = op->emitOpError("writes a buffer that overlaps another of its buffers");
    diag.attachNote(a.getLoc()) << "written buffer";
    diag.attachNote(b.getLoc()) << "other buffer";
    return withHint(std::move(diag), kReplan);
  };
  for (auto [i, output] : llvm::enumerate(outputs)) {
    Place place = findPlace(output);
    for (Value input : inputs)
      if (findPlace(input).overlaps(place))
        return report(output, input);
    for (Value other : outputs.drop_front(i + 1))
      if (findPlace(other).overlaps(place))
        return report(output, other);
  }
  return success();
}

LogicalResult ExecSimulator::checkOrder(Operation *op, ValueRange reads, ValueRange writes) {
  StreamAction action = state.tracker.issue(op);
  // What the host has waited for is over for all that is issued from now on.
  StreamClock host = state.tracker.getKnown(kHost);
  llvm::erase_if(state.touches, [&](const Touch &touch) { return touch.position <= host.get(touch.stream); });
  auto check = [&](Value buffer, bool isWrite) -> LogicalResult {
    Place place = findPlace(buffer);
    for (const Touch &touch : state.touches) {
      bool isOrdered = touch.position <= action.clock.get(touch.stream) || (!isWrite && !touch.isWrite);
      if (isOrdered || !touch.place.overlaps(place))
        continue;
      InFlightDiagnostic diag = op->emitOpError()
                                << (isWrite ? "writes" : "reads") << " bytes that stream " << touch.stream
                                << " may still " << (touch.isWrite ? "write" : "read");
      diag.attachNote(touch.op->getLoc()) << "that action is here";
      return withHint(std::move(diag), "run hgc-assign-streams and hgc-plan-memory after the last pass that changes "
                                       "the program");
    }
    return success();
  };
  for (Value buffer : reads)
    if (failed(check(buffer, false)))
      return failure();
  for (Value buffer : writes)
    if (failed(check(buffer, true)))
      return failure();
  if (action.stream == kHost)
    return success();
  for (Value buffer : reads)
    state.touches.push_back({findPlace(buffer), false, action.stream, action.position, op});
  for (Value buffer : writes)
    state.touches.push_back({findPlace(buffer), true, action.stream, action.position, op});
  return success();
}

LogicalResult ExecSimulator::simulateAccesses(Operation *op) {
  SmallVector<Value> reads, writes;
  getAccesses(op, reads, writes);
  if (failed(checkOverlap(op, reads, writes)) || failed(checkOrder(op, reads, writes)))
    return failure();
  if (auto launch = dyn_cast<exec::LaunchOp>(op))
    addUpdated(launch, reads);
  for (Value buffer : reads)
    if (failed(read(buffer, op)))
      return failure();
  for (Value buffer : writes)
    if (failed(write(buffer, op)))
      return failure();
  return success();
}

/// What is updated in place is read, too.
void ExecSimulator::addUpdated(exec::LaunchOp launch, SmallVectorImpl<Value> &reads) {
  auto kernel = symbols.lookup<exec::KernelOp>(launch.getKernel());
  for (auto load : kernel.getBody().front().getOps<exec::LoadOp>()) {
    unsigned number = cast<BlockArgument>(load.getBuffer()).getArgNumber();
    if (number >= kernel.getInputCount())
      reads.push_back(launch->getOperand(number));
  }
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

LogicalResult ExecSimulator::simulate(Region &region) {
  for (Operation &op : region.getOps())
    if (failed(simulateOp(&op)))
      return failure();
  return success();
}

LogicalResult ExecSimulator::simulateOp(Operation *op) {
  if (auto view = dyn_cast<exec::ViewOp>(op))
    state.facts[view.getResult()] = {};
  if (auto branch = dyn_cast<exec::IfOp>(op))
    return simulateIf(branch);
  if (auto loop = dyn_cast<exec::ForOp>(op))
    return simulateFor(loop);
  if (auto loop = dyn_cast<exec::WhileOp>(op))
    return simulateWhile(loop);
  if (auto parallel = dyn_cast<exec::ParallelOp>(op))
    return simulateParallel(parallel);
  return simulateAccesses(op);
}

LogicalResult ExecSimulator::simulateIf(exec::IfOp op) {
  if (failed(read(op.getCondition(), op)) || failed(checkOrder(op, op.getCondition(), {})))
    return failure();
  State before = state;
  if (failed(simulate(op.getThenRegion())))
    return failure();
  State after = std::move(state);
  state = std::move(before);
  if (failed(simulate(op.getElseRegion())))
    return failure();
  state = join(state, after);
  return success();
}

/// What a body does to the facts does not depend on how often it ran before, so
/// the second iteration shows all that later ones would.
LogicalResult ExecSimulator::simulateFor(exec::ForOp op) {
  for (int64_t i = 0, count = std::min<int64_t>(op.getCount(), 2); i < count; ++i)
    if (failed(simulate(op.getBody())))
      return failure();
  return success();
}

LogicalResult ExecSimulator::simulateWhile(exec::WhileOp op) {
  auto test = [&] {
    return failure(failed(simulate(op.getBefore())) || failed(read(op.getCondition(), op)) ||
                   failed(checkOrder(op, op.getCondition(), {})));
  };
  if (failed(test()))
    return failure();
  State left = state;
  for (int i = 0; i < 2; ++i) {
    if (failed(simulate(op.getBody())) || failed(test()))
      return failure();
    left = join(left, state);
  }
  state = std::move(left);
  return success();
}

LogicalResult ExecSimulator::simulateParallel(exec::ParallelOp op) {
  SmallVector<SmallVector<Value>> reads(op->getNumRegions()), writes(op->getNumRegions());
  for (auto [i, region] : llvm::enumerate(op->getRegions())) {
    region.walk([&, i = i](Operation *nested) { getAccesses(nested, reads[i], writes[i]); });
  }
  for (auto [i, own] : llvm::enumerate(writes))
    for (size_t j = 0; j < writes.size(); ++j)
      for (Value written : own)
        for (Value other : llvm::concat<Value>(reads[j], writes[j])) {
          if (i == j || !findPlace(written).overlaps(findPlace(other)))
            continue;
          InFlightDiagnostic diag = op.emitOpError("has branches that use the same bytes, one of them writing");
          diag.attachNote(written.getLoc()) << "written buffer";
          diag.attachNote(other.getLoc()) << "buffer of another branch";
          return withHint(std::move(diag), kReplan);
        }
  for (Region &region : op->getRegions())
    if (failed(simulate(region)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

LogicalResult ExecSimulator::checkOutputs() {
  Block &block = program.getBody().front();
  for (BlockArgument output : block.getArguments().drop_front(program.getInputCount())) {
    bool isEmpty = graph::getTensorBytes(cast<MemRefType>(output.getType())) == 0;
    if (isEmpty || state.facts.lookup(output).isWritten)
      continue;
    auto description = cast<DictionaryAttr>(program.getTensors()[output.getArgNumber()]);
    return withHint(program.emitOpError()
                        << "does not write output " << description.get("name") << " on every way to its end",
                    "copy or launch into that block argument");
  }
  return success();
}

LogicalResult ExecSimulator::checkFinished() {
  SmallVector<int64_t> pending = state.tracker.getPending();
  if (pending.empty())
    return success();
  return withHint(program.emitOpError() << "ends before the host has waited for stream " << pending.front(),
                  "add exec.sync before exec.return");
}

LogicalResult ExecSimulator::run() {
  for (BlockArgument argument : program.getBody().front().getArguments())
    state.facts[argument].isWritten = argument.getArgNumber() < program.getInputCount();
  if (failed(simulate(program.getBody())))
    return failure();
  return failure(failed(checkFinished()) || failed(checkOutputs()));
}
