//===- VerifyExec.cpp - end of the stage exec -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First what can be seen of each place alone (present, aligned, in range), then
// each program is simulated; see ExecSimulator.
//===----------------------------------------------------------------------===//

#include "ExecSimulator.h"

#include "hgc/Conversion/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_VERIFYEXEC
#include "hgc/Conversion/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;

namespace {

constexpr int64_t kAlignment = 64;
constexpr StringLiteral kReplan = "run hgc-plan-memory after the last pass that changes the program";

LogicalResult withHint(InFlightDiagnostic diag, const Twine &hint) {
  diag.attachNote() << "hint: " << hint;
  return diag;
}

/// Checks a place in a section or arena of `limit` bytes.
LogicalResult checkPlace(Operation *op, int64_t offset, int64_t bytes, int64_t limit, StringRef where) {
  if (offset % kAlignment != 0)
    return withHint(op->emitOpError() << "starts at byte " << offset << " of the " << where
                                      << ", expected a multiple of " << kAlignment,
                    kReplan);
  if (offset + bytes > limit)
    return withHint(op->emitOpError() << "ends at byte " << offset + bytes << " of the " << where << ", which has "
                                      << limit << " bytes",
                    kReplan);
  return success();
}

struct VerifyExec final : hgc::impl::VerifyExecBase<VerifyExec> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    ModuleOp module = getOperation();
    memory = module->getAttrOfType<DictionaryAttr>("exec.memory");
    bool hasPlan = memory && getTotal("arena_bytes") && getTotal("weights_bytes") && getTotal("state_bytes");
    if (!hasPlan) {
      (void)withHint(module.emitError("module has no memory plan in 'exec.memory'"), "run hgc-plan-memory first");
      return signalPassFailure();
    }
    if (failed(checkBlobs(module)))
      return signalPassFailure();
    SymbolTable symbols(module);
    for (auto program : module.getOps<exec::ProgramOp>())
      if (failed(checkViews(program)) || failed(checkWeights(program, symbols)) || failed(checkLaunches(program)) ||
          failed(checkStreams(program)) || failed(checkReturn(program)) || failed(checkRefusals(program, symbols)) ||
          failed(ExecSimulator(program, symbols).run()))
        return signalPassFailure();
  }

  std::optional<int64_t> getTotal(StringRef name) {
    auto attr = memory.getAs<IntegerAttr>(name);
    return attr ? std::optional<int64_t>(attr.getInt()) : std::nullopt;
  }

  /// Blobs lie inside their section and beside each other.
  LogicalResult checkBlobs(ModuleOp module) {
    struct Extent {
      int64_t begin, end;
      exec::BlobOp blob;
    };
    SmallVector<Extent> sections[2];
    auto add = [&](exec::BlobOp blob, int64_t offset, bool inState) -> LogicalResult {
      sections[inState].push_back({offset, offset + blob.getByteSize(), blob});
      return checkPlace(blob, offset, blob.getByteSize(), *getTotal(inState ? "state_bytes" : "weights_bytes"),
                        inState ? "state" : "weights");
    };
    for (auto blob : module.getOps<exec::BlobOp>()) {
      if (blob.getDeviceOnly())
        continue;
      if (!blob.getOffset())
        return withHint(blob.emitOpError("has no place in memory"), "run hgc-plan-memory first");
      if (failed(add(blob, *blob.getOffset(), blob.getIsMutable())))
        return failure();
      if (blob.getInitOffset() && failed(add(blob, *blob.getInitOffset(), false)))
        return failure();
    }
    for (auto &section : sections) {
      llvm::erase_if(section, [](const Extent &extent) { return extent.begin == extent.end; });
      llvm::sort(section, [](const Extent &a, const Extent &b) {
        return std::tuple(a.begin, a.end) < std::tuple(b.begin, b.end);
      });
      for (size_t i = 1; i < section.size(); ++i) {
        if (section[i].begin >= section[i - 1].end)
          continue;
        InFlightDiagnostic diag = section[i].blob.emitOpError()
                                  << "overlaps blob '" << section[i - 1].blob.getSymName() << "'";
        diag.attachNote(section[i - 1].blob.getLoc()) << "the other blob";
        return withHint(std::move(diag), kReplan);
      }
    }
    return success();
  }

  /// Totals of a memory space: the module's own for the host.
  DictionaryAttr getTotals(Attribute space) {
    return space ? memory.getAs<DictionaryAttr>(exec::getSpaceName(space)) : memory;
  }

  LogicalResult checkView(exec::ViewOp view, exec::ProgramOp program) {
    int64_t bytes = graph::getTensorBytes(view.getType());
    Attribute space = view.getType().getMemorySpace();
    DictionaryAttr totals = getTotals(space);
    if (view.getSlot()) {
      auto slots = totals ? totals.getAs<DenseI64ArrayAttr>("slots") : DenseI64ArrayAttr();
      int64_t slot = *view.getSlot(), count = slots ? slots.size() : 0;
      if (slot < count && slots[slot] == bytes)
        return success();
      return withHint(view.emitOpError() << "needs " << bytes << " bytes in slot " << slot
                                         << ", which 'exec.memory' does not provide",
                      kReplan);
    }
    if (!view.getOffset() || !program.getArenaBytes())
      return withHint(view.emitOpError("has no place in memory"), "run hgc-plan-memory first");
    int64_t limit = *program.getArenaBytes();
    if (space) {
      auto attr = totals ? totals.getAs<IntegerAttr>("arena_bytes") : IntegerAttr();
      limit = attr ? attr.getInt() : 0;
    }
    return checkPlace(view, *view.getOffset(), bytes, limit, "arena");
  }

  /// Weights on a GPU have a place there.
  LogicalResult checkWeight(exec::WeightOp weight, SymbolTable &symbols) {
    Attribute space = cast<MemRefType>(weight.getType()).getMemorySpace();
    if (!space)
      return success();
    auto blob = symbols.lookup<exec::BlobOp>(weight.getBlob());
    std::optional<int64_t> offset = blob.getOffsetIn(space);
    if (!offset)
      return withHint(weight.emitOpError() << "uses blob '" << weight.getBlob() << "', which has no place in "
                                           << exec::getSpaceName(space),
                      "run hgc-plan-memory first");
    DictionaryAttr totals = getTotals(space);
    auto attr =
        totals ? totals.getAs<IntegerAttr>(blob.getIsMutable() ? "state_bytes" : "weights_bytes") : IntegerAttr();
    return checkPlace(weight, *offset, blob.getByteSize(), attr ? attr.getInt() : 0,
                      blob.getIsMutable() ? "state" : "weights");
  }

  /// A kernel works on the memory of one device.
  LogicalResult checkLaunch(exec::LaunchOp launch) {
    for (Value buffer : launch->getOperands()) {
      Attribute space = cast<MemRefType>(buffer.getType()).getMemorySpace();
      if (space == cast<MemRefType>(launch.getOutputs().front().getType()).getMemorySpace())
        continue;
      InFlightDiagnostic diag = launch.emitOpError("has buffers on several devices");
      diag.attachNote(buffer.getLoc()) << "this one is not where its output is";
      return withHint(std::move(diag), "copy it to the kernel's device with exec.copy");
    }
    return success();
  }

  LogicalResult checkLaunches(exec::ProgramOp program) {
    WalkResult result = program.walk([&](exec::LaunchOp launch) { return WalkResult(checkLaunch(launch)); });
    return failure(result.wasInterrupted());
  }

  /// Number of the first GPU that the module has no memory on.
  int64_t countGpus() {
    int64_t count = 0;
    for (NamedAttribute entry : memory)
      if (StringRef name = entry.getName(); name.consume_front("gpu_")) {
        int64_t number = 0;
        if (!name.getAsInteger(10, number))
          count = std::max(count, number + 1);
      }
    return count;
  }

  /// Work on a GPU is on one of its own streams.
  LogicalResult checkStream(Operation *op, int64_t gpus) {
    auto attr = op->getAttrOfType<IntegerAttr>("stream");
    int64_t stream = attr ? attr.getInt() : 0;
    std::optional<unsigned> gpu = exec::getActionGpu(op);
    bool isOrder = isa<exec::RecordOp, exec::WaitOp, exec::SyncOp>(op);
    bool isRight = gpu       ? stream / exec::kStreamsPerGpu == static_cast<int64_t>(*gpu) && stream >= 0
                   : isOrder ? stream >= 0 && stream < gpus * exec::kStreamsPerGpu
                             : true;
    if (isRight)
      return success();
    return withHint(op->emitOpError() << "uses stream " << stream << ", which its GPU does not have",
                    "run hgc-assign-streams; GPU g has the streams 3g to 3g + 2");
  }

  LogicalResult checkStreams(exec::ProgramOp program) {
    if (!program.isInGpuPlan())
      return success();
    int64_t gpus = countGpus();
    WalkResult result = program.walk([&](Operation *op) { return WalkResult(checkStream(op, gpus)); });
    return failure(result.wasInterrupted());
  }

  LogicalResult checkWeights(exec::ProgramOp program, SymbolTable &symbols) {
    WalkResult result = program.walk([&](exec::WeightOp weight) { return WalkResult(checkWeight(weight, symbols)); });
    return failure(result.wasInterrupted());
  }

  LogicalResult checkViews(exec::ProgramOp program) {
    int64_t needed = program.getArenaBytes().value_or(0), provided = *getTotal("arena_bytes");
    if (needed > provided)
      return withHint(program.emitOpError()
                          << "needs an arena of " << needed << " bytes, the module provides " << provided,
                      kReplan);
    WalkResult result = program.walk([&](exec::ViewOp view) { return WalkResult(checkView(view, program)); });
    return failure(result.wasInterrupted());
  }

  LogicalResult checkReturn(exec::ProgramOp program) {
    Block &block = program.getBody().front();
    if (block.empty() || !isa<exec::ReturnOp>(block.back()))
      return withHint(program.emitOpError("does not end with exec.return"), "add exec.return as its last op");
    WalkResult result = program.walk([&](exec::ReturnOp op) -> WalkResult {
      if (op.getOperation() == &block.back())
        return WalkResult::advance();
      return withHint(op.emitOpError("is not the last op of its program"),
                      "move it to the end; use exec.if to skip ops");
    });
    return failure(result.wasInterrupted());
  }

  /// Whether `op`, or an op in it, writes a mutable blob.
  static bool writesState(Operation *op, SymbolTable &symbols) {
    WalkResult result = op->walk([&](Operation *inner) {
      SmallVector<Value> reads, writes;
      getAccesses(inner, reads, writes);
      bool found = llvm::any_of(writes, [&](Value buffer) {
        while (auto alias = buffer.getDefiningOp<exec::AliasOp>())
          buffer = alias.getSource();
        auto weight = buffer.getDefiningOp<exec::WeightOp>();
        return weight && symbols.lookup<exec::BlobOp>(weight.getBlob()).getIsMutable();
      });
      return found ? WalkResult::interrupt() : WalkResult::advance();
    });
    return result.wasInterrupted();
  }

  /// A call that is refused has changed nothing.
  LogicalResult checkRefusals(exec::ProgramOp program, SymbolTable &symbols) {
    Operation *writer = nullptr;
    WalkResult result = program.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
      auto refusal = dyn_cast<exec::FailIfOp>(op);
      if (refusal && writer) {
        InFlightDiagnostic diag = refusal.emitOpError("ends the call when state may be written already");
        diag.attachNote(writer->getLoc()) << "state is written here";
        return withHint(std::move(diag), "write state behind the last exec.fail_if");
      }
      // What a loop writes is there in its next round.
      bool isWhole = isa<exec::ForOp, exec::WhileOp>(op) || op->getNumRegions() == 0;
      if (!writer && isWhole && writesState(op, symbols))
        writer = op;
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  DictionaryAttr memory;
};

} // namespace
