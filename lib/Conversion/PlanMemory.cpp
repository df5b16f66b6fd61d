//===- PlanMemory.cpp - places of blobs and views -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs last on the exec dialect: any op added later would be without memory.
// What it decides is proved by hgc-verify-exec.
//===----------------------------------------------------------------------===//

#include "BufferLiveness.h"

#include "hgc/Conversion/Passes.h"
#include "hgc/Target/GpuTable.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

namespace hgc {
#define GEN_PASS_DEF_PLANMEMORY
#include "hgc/Conversion/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;

namespace {

constexpr int64_t kAlignment = 64;
constexpr int64_t kPage = 4096;
/// Blobs from this size on start a page: a few of them cost little padding, and
/// each can be mapped or advised on its own.
constexpr int64_t kLargeBlob = 16 * kPage;
/// Workspace that cuBLAS recommends, by the newest GPU of the plan.
constexpr int64_t kWorkspace = 4 << 20, kWorkspaceFromSm90 = 32 << 20;

/// Hands out places in a section, one after the other.
struct Section {
  int64_t place(int64_t size) {
    int64_t offset = alignTo(bytes, size >= kLargeBlob ? kPage : kAlignment);
    bytes = alignTo(offset + size, kAlignment);
    return offset;
  }
  int64_t bytes = 0;
};

/// Whether all bytes of a blob's initial value are zero, so that it needs no
/// copy in the library.
bool isZero(Attribute value) {
  if (auto init = dyn_cast<graph::InitAttr>(value))
    return init.getKind() == graph::InitKind::Zeros;
  auto dense = dyn_cast<DenseElementsAttr>(value);
  return dense && dense.isSplat() && llvm::all_of(dense.getRawData(), [](char byte) { return byte == 0; });
}

/// Memory of one space: the largest arena any program needs, and what is there
/// from load to destruction.
struct SpaceTotals {
  int64_t arenaBytes = 0, lowerBound = 0;
  /// Working memory of kernels and of cuBLAS: on the host per thread, on a GPU
  /// for all streams that run kernels.
  int64_t scratchBytes = 0, workspaceBytes = 0;
  Section weights, state;
  SmallVector<int64_t> slots;
};

struct PlanMemory final : hgc::impl::PlanMemoryBase<PlanMemory> {
  using PlanMemoryBase::PlanMemoryBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (arena != "packed" && arena != "separate") {
      InFlightDiagnostic diag = module.emitError()
                                << "unknown arena '" << arena << "', expected 'packed' or 'separate'";
      diag.attachNote() << "hint: use arena=packed, or arena=separate to find wrong accesses";
      return signalPassFailure();
    }
    totals.clear();
    placeBlobs(module, totals[Attribute()]);
    placeResidents(module);
    // A GPU on which the caller alone has memory is one of the plan's, too.
    for (auto program : module.getOps<exec::ProgramOp>())
      for (Type buffer : program.getBody().getArgumentTypes())
        totals[cast<MemRefType>(buffer).getMemorySpace()];
    for (auto program : module.getOps<exec::ProgramOp>())
      arena == "packed" ? placePacked(program) : placeSeparate(program);
    for (auto kernel : module.getOps<exec::KernelOp>())
      countWorkingMemory(kernel, module);
    describe(module);
  }

  /// All blobs in the order in which launches first read them, then the others: kernels
  /// fetch what follows their weights, and the first call touches pages in sequence.
  SmallVector<exec::BlobOp> orderByUse(ModuleOp module) {
    SymbolTable symbols(module);
    llvm::SetVector<exec::BlobOp> order;
    module.walk([&](exec::LaunchOp launch) {
      for (Value operand : launch.getOperands())
        if (auto weight = operand.getDefiningOp<exec::WeightOp>())
          order.insert(symbols.lookup<exec::BlobOp>(weight.getBlob()));
    });
    auto blobs = module.getOps<exec::BlobOp>();
    order.insert(blobs.begin(), blobs.end());
    return order.takeVector();
  }

  /// Small blobs first: each section then has one run of cache-line aligned
  /// blobs and one of page aligned ones.
  void placeBlobs(ModuleOp module, SpaceTotals &host) {
    Builder builder(module.getContext());
    SmallVector<exec::BlobOp> blobs = orderByUse(module);
    for (bool large : {false, true})
      for (exec::BlobOp blob : blobs) {
        int64_t size = blob.getByteSize();
        if ((size >= kLargeBlob) != large || blob.getDeviceOnly())
          continue;
        Section &home = blob.getIsMutable() ? host.state : host.weights;
        blob.setOffsetAttr(builder.getI64IntegerAttr(home.place(size)));
        if (blob.getIsMutable() && !isZero(blob.getValue()))
          blob.setInitOffsetAttr(builder.getI64IntegerAttr(host.weights.place(size)));
        else
          blob.removeInitOffsetAttr();
      }
  }

  /// Blobs that programs use on GPUs get a place there, too.
  void placeResidents(ModuleOp module) {
    Builder builder(module.getContext());
    SymbolTable symbols(module);
    llvm::MapVector<exec::BlobOp, llvm::SetVector<Attribute>> residents;
    for (auto blob : module.getOps<exec::BlobOp>())
      residents[blob] = {};
    module.walk([&](exec::WeightOp weight) {
      if (Attribute space = cast<MemRefType>(weight.getType()).getMemorySpace())
        residents[symbols.lookup<exec::BlobOp>(weight.getBlob())].insert(space);
    });
    for (auto &[blob, spaces] : residents) {
      SmallVector<NamedAttribute> offsets;
      for (Attribute space : spaces) {
        Section &home = blob.getIsMutable() ? totals[space].state : totals[space].weights;
        offsets.push_back(
            builder.getNamedAttr(exec::getSpaceName(space), builder.getI64IntegerAttr(home.place(blob.getByteSize()))));
      }
      if (offsets.empty())
        blob.removeDeviceOffsetsAttr();
      else
        blob.setDeviceOffsetsAttr(builder.getDictionaryAttr(offsets));
    }
  }

  /// Each memory space has an arena of its own.
  void placePacked(exec::ProgramOp program) {
    Builder builder(program.getContext());
    llvm::MapVector<Attribute, SmallVector<LiveView>> spaces;
    spaces[Attribute()] = {};
    for (const LiveView &live : computeLiveViews(program)) {
      exec::ViewOp view = live.view;
      spaces[cast<MemRefType>(view.getType()).getMemorySpace()].push_back(live);
    }
    for (auto &[space, views] : spaces) {
      SmallVector<BufferInterval> intervals;
      for (const LiveView &live : views)
        intervals.push_back(live.interval);
      auto conflict = [&, &views = views](size_t a, size_t b) {
        bool isFirst = views[a].interval.first < views[b].interval.first;
        return !views[isFirst ? a : b].endsBefore(views[isFirst ? b : a]);
      };
      MemoryPlan plan = planMemory(intervals, kAlignment, conflict);
      for (auto [live, offset] : llvm::zip_equal(views, plan.offsets)) {
        live.view.setOffsetAttr(builder.getI64IntegerAttr(offset));
        live.view.removeSlotAttr();
      }
      if (!space)
        program.setArenaBytesAttr(builder.getI64IntegerAttr(plan.bytes));
      SpaceTotals &total = totals[space];
      if (plan.bytes < total.arenaBytes)
        continue;
      total.arenaBytes = plan.bytes;
      total.lowerBound = plan.lowerBound;
    }
  }

  void placeSeparate(exec::ProgramOp program) {
    Builder builder(program.getContext());
    program.walk([&](exec::ViewOp view) {
      SmallVector<int64_t> &slots = totals[cast<MemRefType>(view.getType()).getMemorySpace()].slots;
      view.removeOffsetAttr();
      view.setSlotAttr(builder.getI64IntegerAttr(slots.size()));
      slots.push_back(graph::getTensorBytes(view.getType()));
    });
    program.setArenaBytesAttr(builder.getI64IntegerAttr(0));
  }

  /// Kernels of one stream follow each other, so the largest counts.
  void countWorkingMemory(exec::KernelOp kernel, ModuleOp module) {
    Attribute space = cast<MemRefType>(kernel.getBody().getArguments().back().getType()).getMemorySpace();
    SpaceTotals &total = totals[space];
    int64_t bytes = kernel.getScratchBytes().value_or(0);
    if (space)
      bytes = alignTo(bytes, exec::kGpuScratchAlignment) * exec::kLaunchStreams;
    total.scratchBytes = std::max(total.scratchBytes, alignTo(bytes, kAlignment));
    if (!kernel->hasAttr("gemm"))
      return;
    total.workspaceBytes = (getNewestSm(module) >= 90 ? kWorkspaceFromSm90 : kWorkspace) * exec::kLaunchStreams;
  }

  SmallVector<NamedAttribute> describe(const SpaceTotals &total) {
    Builder builder(&getContext());
    auto number = [&](StringRef name, int64_t value) {
      return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
    };
    SmallVector<NamedAttribute> entries = {
        number("arena_bytes", total.arenaBytes), number("lower_bound", total.lowerBound),
        number("weights_bytes", total.weights.bytes), number("state_bytes", total.state.bytes)};
    if (total.scratchBytes > 0)
      entries.push_back(number("scratch_bytes", total.scratchBytes));
    if (total.workspaceBytes > 0)
      entries.push_back(number("workspace_bytes", total.workspaceBytes));
    if (arena == "separate")
      entries.push_back(builder.getNamedAttr("slots", builder.getDenseI64ArrayAttr(total.slots)));
    return entries;
  }

  void describe(ModuleOp module) {
    Builder builder(module.getContext());
    SmallVector<NamedAttribute> entries = describe(totals[Attribute()]);
    for (auto &[space, total] : totals)
      if (space)
        entries.push_back(builder.getNamedAttr(exec::getSpaceName(space), builder.getDictionaryAttr(describe(total))));
    module->setAttr("exec.memory", builder.getDictionaryAttr(entries));
  }

  llvm::MapVector<Attribute, SpaceTotals> totals;
};

} // namespace
