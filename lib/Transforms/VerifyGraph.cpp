//===- VerifyGraph.cpp - what holds at the end of stage graph -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StageRules.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Target/DeviceTable.h"
#include "hgc/Target/GpuTable.h"
#include "hgc/Transforms/Passes.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSet.h"

namespace hgc {
#define GEN_PASS_DEF_VERIFYGRAPH
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

struct VerifyGraph final : hgc::impl::VerifyGraphBase<VerifyGraph> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkTables(module)) || failed(checkTarget(module)) || failed(checkGpus(module)) ||
        failed(checkEntries(module)))
      return signalPassFailure();
    for (auto entry : module.getOps<func::FuncOp>())
      if (failed(checkOps(entry)) || failed(checkAssigns(entry)) || failed(checkNames(entry)) ||
          failed(checkExtents(entry)) || failed(checkConditions(entry)) || failed(checkLater(entry)))
        return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  LogicalResult checkGpus(ModuleOp module) {
    auto names = module->getAttrOfType<StringAttr>(kTargetGpuAttr);
    if (!names)
      return success();
    llvm::Expected<std::vector<GpuTable>> tables = lookupGpus(names.getValue());
    if (tables)
      return success();
    llvm::consumeError(tables.takeError());
    return failWithHint(module, "unknown GPU in '" + names.getValue() + "'",
                        "the known ones are sm_75 and later, " + llvm::join(listGpus(), ", "));
  }

  /// Tables inside the module are input like the rest of it.
  LogicalResult checkTables(ModuleOp module) {
    std::string problem;
    if (auto text = module->getAttrOfType<StringAttr>(kTargetCpuTableAttr))
      problem = llvm::toString(parseDeviceTable(text.getValue()).takeError());
    auto text = module->getAttrOfType<StringAttr>(kTargetGpuTableAttr);
    if (problem.empty() && text)
      problem = llvm::toString(parseGpuTable(text.getValue()).takeError());
    if (problem.empty())
      return success();
    return failWithHint(module, "bad table: " + problem, "a table of 'hgc calibrate' shows all keys");
  }

  LogicalResult checkTarget(ModuleOp module) {
    auto name = module->getAttrOfType<StringAttr>(kTargetCpuAttr);
    if (!name || module->hasAttr(kTargetCpuTableAttr))
      return success();
    llvm::Expected<const DeviceTable *> table = lookupCpu(name.getValue());
    if (table)
      return success();
    llvm::consumeError(table.takeError());
    return failWithHint(module, "unknown target cpu '" + name.getValue() + "'",
                        "the known ones are " + llvm::join(listCpus(), ", "));
  }

  /// The C prototype has one parameter per name.
  LogicalResult checkNames(func::FuncOp entry) {
    llvm::StringSet<> names;
    auto check = [&](Attribute attr) -> LogicalResult {
      auto name = dyn_cast_if_present<StringAttr>(attr);
      if (!name || names.insert(name.getValue()).second)
        return success();
      return failWithHint(
          entry, "entry '" + entry.getName() + "' has two arguments or results named '" + name.getValue() + "'",
          "give each its own hgc.name");
    };
    for (unsigned i = 0, e = entry.getNumArguments(); i < e; ++i)
      if (failed(check(entry.getArgAttr(i, HGCDialect::kName))))
        return failure();
    for (unsigned i = 0, e = entry.getNumResults(); i < e; ++i)
      if (failed(check(entry.getResultAttr(i, HGCDialect::kName))))
        return failure();
    return success();
  }

  /// A result of the largest shape names the result with its actual one.
  LogicalResult checkExtents(func::FuncOp entry) {
    for (unsigned i = 0, e = entry.getNumResults(); i < e; ++i) {
      auto name = entry.getResultAttrOfType<StringAttr>(i, HGCDialect::kExtents);
      if (!name)
        continue;
      auto type = cast<RankedTensorType>(entry.getResultTypes()[i]);
      auto wanted = RankedTensorType::get({type.getRank()}, IntegerType::get(&getContext(), 64));
      auto results = llvm::seq<unsigned>(0, e);
      auto shape =
          llvm::find_if(results, [&](unsigned j) { return entry.getResultAttr(j, HGCDialect::kName) == name; });
      if (shape != results.end() && entry.getResultTypes()[*shape] == wanted)
        continue;
      std::string text;
      llvm::raw_string_ostream(text) << wanted;
      return failWithHint(entry,
                          "result " + Twine(i) + " of entry '" + entry.getName() + "' has its extents in '" +
                              name.getValue() + "', which is no result of type " + text,
                          "return the actual shape as a result of that hgc.name and type");
    }
    return success();
  }

  /// What is sure to fail is told now. A branch may never be taken.
  LogicalResult checkConditions(func::FuncOp entry) {
    for (auto check : entry.getBody().front().getOps<CheckOp>()) {
      DenseElementsAttr condition;
      if (matchPattern(check.getCondition(), m_Constant(&condition)) && !*condition.value_begin<bool>())
        return failWithHint(check, "the check never holds: " + check.getMessage(),
                            "every call of entry '" + entry.getName() + "' would fail with this message");
    }
    return success();
  }

  /// Ops that only later stages make.
  LogicalResult checkLater(func::FuncOp entry) {
    WalkResult walk = entry.walk([&](Operation *op) -> WalkResult {
      if (isa<KernelOp, TransferOp, PackOp>(op))
        return failWithHint(op, "'" + op->getName().getStringRef() + "' does not belong to stage graph",
                            "start from the stage this module was written at, with --start-from");
      return WalkResult::advance();
    });
    return failure(walk.wasInterrupted());
  }
};

} // namespace
