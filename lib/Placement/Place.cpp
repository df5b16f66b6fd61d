//===- Place.cpp - give every op a device ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three steps that stay apart: the plan becomes numbers (ProblemBuilder), the
// numbers are solved (CutSolver), the solution is written with its reasons.
//===----------------------------------------------------------------------===//

#include "Decisions.h"
#include "ProblemBuilder.h"

#include "hgc/Placement/Baselines.h"
#include "hgc/Placement/CutSolver.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Placement/Passes.h"
#include "hgc/Placement/Search.h"

namespace hgc {
#define GEN_PASS_DEF_PLACE
#include "hgc/Placement/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

struct Place final : hgc::impl::PlaceBase<Place> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    markAllAnalysesPreserved();
    if (missingOnly && isComplete(module))
      return;
    if (objective != "serial" && objective != "makespan") {
      InFlightDiagnostic diag = module.emitError()
                                << "unknown objective '" << objective << "', expected 'serial' or 'makespan'";
      diag.attachNote() << "hint: use objective=serial for the certified plan, objective=makespan to search on";
      return signalPassFailure();
    }
    bool hasGpuPlan = false;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (isInGpuPlan(function))
        hasGpuPlan = true;
      else
        placeOnHost(function);
    }
    if (hasGpuPlan && failed(placeOnDevices(module)))
      signalPassFailure();
  }

private:
  static bool isComplete(ModuleOp module) {
    for (auto function : module.getOps<func::FuncOp>()) {
      WalkResult walk = function.walk([&](Operation *op) {
        return isPlaced(op) && !getDevice(op) ? WalkResult::interrupt() : WalkResult::advance();
      });
      if (walk.wasInterrupted())
        return false;
    }
    return true;
  }

  void placeOnHost(func::FuncOp function) {
    DeviceAttr host = getHost(&getContext());
    function.walk([&](Operation *op) {
      if (isPlaced(op))
        op->setAttr(HGCDialect::kDevice, host);
    });
  }

  LogicalResult placeOnDevices(ModuleOp module) {
    Pricing pricing(module);
    ProblemOptions options;
    options.numGpus = std::clamp(gpus.getValue(), 1u, kMaxGpus);
    options.memoryPrice = memoryPrice;
    options.weightsOnly = weightsOnly;
    options.fuses = !keepApart;
    // A second placement follows decomposition: what is whole now stays whole.
    options.decomposes = !missingOnly;
    ProblemBuilder builder(module, pricing, options);
    if (failed(builder.build()))
      return failure();
    const PlacementProblem &problem = builder.getProblem();
    CutResult result = problem.numGpus > 1 ? placeByExpansion(problem) : placeByCut(problem);
    if (problem.numGpus == 1 && result.bound != result.cost)
      return module.emitError() << "internal error: the plan costs " << result.cost << " ps, its bound is "
                                << result.bound << " ps";
    // A price on memory is part of the cut's objective, not of a makespan.
    bool isSearched = objective == "makespan" && memoryPrice == 0;
    Placement cut = result.placement;
    if (isSearched)
      improveMakespan(problem, result);
    writeDevices(builder, result.placement);
    writeDecisions(builder, result.placement);
    writeFusions(builder, result.placement);
    writeCertificates(builder, result, cut);
    if (memoryPrice > 0 && !module->hasAttr(kMemoryCostAttr))
      writeMemoryCost(module, problem, result);
    if (isSearched)
      writeMakespans(builder, result.placement, cut);
    return success();
  }

  DeviceAttr toAttr(DeviceMask device) {
    if (device & kOnCpu)
      return getHost(&getContext());
    return DeviceAttr::get(&getContext(), DeviceKind::GPU, llvm::countr_zero(static_cast<unsigned>(device)) - 1);
  }

  /// Of an op on two devices, the one where its first operand is comes first.
  void writeNode(Operation *op, DeviceMask devices) {
    op->removeAttr(kAlsoOnAttr);
    DeviceAttr device = toAttr(devices);
    if ((devices & kOnCpu) && isOnGpu(devices)) {
      DeviceAttr gpu = toAttr(devices & ~kOnCpu);
      bool onGpuFirst = op->getNumOperands() && isGpu(getDevice(op->getOperand(0)));
      // Views are made again wherever they are read.
      if (!isa<ReshapeOp>(op))
        op->setAttr(kAlsoOnAttr, onGpuFirst ? device : gpu);
      device = onGpuFirst ? gpu : device;
    }
    op->setAttr(HGCDialect::kDevice, device);
  }

  void writeDevices(const ProblemBuilder &builder, const Placement &placement) {
    for (func::FuncOp entry : builder.getEntries()) {
      SmallVector<Operation *> free;
      entry.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (std::optional<NodeId> node = builder.getNode(op))
          writeNode(op, placement[*node]);
        else if (isPlaced(op))
          free.push_back(op);
      });
      // What is free goes where it is read; uses are listed last first.
      for (Operation *op : llvm::reverse(free)) {
        auto device = op->getAttrOfType<DeviceAttr>(kPinAttr);
        for (OpOperand &use : op->getUses())
          if (DeviceAttr required = getRequiredDevice(use); required && !op->hasAttr(kPinAttr))
            device = required;
        op->setAttr(HGCDialect::kDevice, device ? device : getHost(&getContext()));
      }
    }
  }

  void writeDecisions(const ProblemBuilder &builder, const Placement &placement) {
    const PlacementProblem &problem = builder.getProblem();
    MovePrices prices(problem, placement);
    Builder attributes(&getContext());
    for (NodeId node = 0; node < problem.nodes.size(); ++node) {
      Operation *op = builder.getOp(node);
      if (!op || !isComputing(op))
        continue;
      Decision decision = explain(prices, problem, node, op->hasAttr(kPinAttr));
      op->setAttr(kDecisionAttr,
                  attributes.getDictionaryAttr({
                      attributes.getNamedAttr("cpu_ps", attributes.getI64IntegerAttr(problem.nodes[node].cpuCost)),
                      attributes.getNamedAttr("gpu_ps", attributes.getI64IntegerAttr(problem.nodes[node].gpuCost)),
                      attributes.getNamedAttr("switch_ps", attributes.getI64IntegerAttr(decision.switchPs)),
                      attributes.getNamedAttr("reason", attributes.getStringAttr(decision.reason)),
                  }));
    }
  }

  /// Marks the producers that hgc-fuse is to join with their readers.
  void writeFusions(const ProblemBuilder &builder, const Placement &placement) {
    const PlacementProblem &problem = builder.getProblem();
    for (func::FuncOp entry : builder.getEntries())
      entry.walk([](Operation *op) { op->removeAttr(kFusesAttr); });
    for (auto [edge, fusion] : llvm::zip(builder.getEdges(), problem.fusions)) {
      DeviceMask shared = placement[fusion.producer] & placement[fusion.consumer];
      if (shared && (shared & kOnCpu ? fusion.cpuSaving : fusion.gpuSaving) > 0)
        edge.producer->setAttr(kFusesAttr, UnitAttr::get(&getContext()));
    }
  }

  void writeMemoryCost(ModuleOp module, const PlacementProblem &problem, const CutResult &result) {
    Builder attributes(&getContext());
    int64_t memory = result.cost;
    for (int64_t cost : computeEntryCosts(problem, result.placement))
      memory -= cost;
    module->setAttr(
        kMemoryCostAttr,
        attributes.getDictionaryAttr({attributes.getNamedAttr("total_ps", attributes.getI64IntegerAttr(result.bound)),
                                      attributes.getNamedAttr("memory_ps", attributes.getI64IntegerAttr(memory))}));
  }

  void writeCertificates(const ProblemBuilder &builder, const CutResult &result, const Placement &cut) {
    const PlacementProblem &problem = builder.getProblem();
    std::vector<int64_t> costs = computeEntryCosts(problem, result.placement);
    std::vector<int64_t> cutCosts = computeEntryCosts(problem, cut);
    int64_t gap = computeCost(problem, cut) - result.bound;
    Builder attributes(&getContext());
    std::vector<SmallVector<NamedAttribute>> alternatives(costs.size());
    for (const Baseline &baseline : getBaselines()) {
      std::vector<int64_t> others = computeEntryCosts(problem, baseline.place(problem));
      for (size_t i = 0; i < others.size(); ++i)
        alternatives[i].push_back(attributes.getNamedAttr(baseline.name, attributes.getI64IntegerAttr(others[i])));
    }
    for (auto [i, entry] : llvm::enumerate(builder.getEntries())) {
      // What the cut as a whole costs above the bound is shared by its entries.
      int64_t bound = std::min(costs[i], cutCosts[i] - gap);
      entry->setAttr(kCertificateAttr,
                     attributes.getDictionaryAttr({
                         attributes.getNamedAttr("serial_ps", attributes.getI64IntegerAttr(costs[i])),
                         attributes.getNamedAttr("bound_ps", attributes.getI64IntegerAttr(bound)),
                         attributes.getNamedAttr("alternatives", attributes.getDictionaryAttr(alternatives[i])),
                     }));
    }
  }

  /// Adds to the certificates what the plan and what the search started from take.
  void writeMakespans(const ProblemBuilder &builder, const Placement &placement, const Placement &cut) {
    const PlacementProblem &problem = builder.getProblem();
    if (problem.nodes.size() > SearchOptions().mostNodes)
      return;
    Builder attributes(&getContext());
    std::vector<SmallVector<NamedAttribute>> starts(builder.getEntries().size());
    for (const SearchStart &start : getSearchStarts(problem, cut))
      for (auto [list, makespan] : llvm::zip_equal(starts, computeEntryMakespans(problem, start.placement)))
        list.push_back(attributes.getNamedAttr(start.name, attributes.getI64IntegerAttr(makespan)));
    std::vector<int64_t> makespans = computeEntryMakespans(problem, placement);
    for (auto [i, entry] : llvm::enumerate(builder.getEntries())) {
      NamedAttrList certificate(entry->getAttrOfType<DictionaryAttr>(kCertificateAttr));
      certificate.set("makespan_ps", attributes.getI64IntegerAttr(makespans[i]));
      certificate.set("makespans", attributes.getDictionaryAttr(starts[i]));
      entry->setAttr(kCertificateAttr, certificate.getDictionary(&getContext()));
    }
  }
};

} // namespace
