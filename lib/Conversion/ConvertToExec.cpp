//===- ConvertToExec.cpp - entries become programs ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only pass that goes from values to buffers. It decides which buffer holds
// what; where buffers lie is decided by hgc-plan-memory.
//===----------------------------------------------------------------------===//

#include "LoadProgram.h"
#include "ProgramBuilder.h"

#include "hgc/Conversion/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_CONVERTTOEXEC
#include "hgc/Conversion/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;

namespace {

/// Entries with one block and static types only.
LogicalResult checkEntry(func::FuncOp function) {
  if (!function->hasAttr(graph::HGCDialect::kEntry) || function.isExternal()) {
    InFlightDiagnostic diag = function.emitError() << "function '" << function.getSymName() << "' is not an entry";
    diag.attachNote() << "hint: inline it with hgc-inline-calls, or give it a body and hgc.entry";
    return diag;
  }
  auto check = [](Operation *op, TypeRange types) -> LogicalResult {
    for (Type type : types) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (tensor && tensor.hasStaticShape())
        continue;
      InFlightDiagnostic diag = op->emitError() << "has type " << type << ", expected a tensor of static shape";
      diag.attachNote() << "hint: run hgc-bind-dims before hgc-convert-to-exec";
      return diag;
    }
    return success();
  };
  if (failed(check(function, function.getArgumentTypes())))
    return failure();
  WalkResult result =
      function.getBody().walk([&](Operation *op) { return WalkResult(check(op, op->getResultTypes())); });
  return failure(result.wasInterrupted());
}

struct ConvertToExec final : hgc::impl::ConvertToExecBase<ConvertToExec> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> entries(module.getOps<func::FuncOp>());
    for (func::FuncOp entry : entries)
      if (failed(checkEntry(entry)))
        return signalPassFailure();
    if (entries.empty())
      return;

    SymbolNames names;
    for (auto symbol : module.getOps<SymbolOpInterface>())
      names.reserve(symbol.getName());
    BlobTable blobs(module, names);
    KernelTable kernels(entries.front(), names);
    for (func::FuncOp entry : entries)
      if (failed(ProgramBuilder(module, blobs, kernels).build(entry)))
        return signalPassFailure();
    buildLoadProgram(module, names);
    for (func::FuncOp entry : entries)
      entry.erase();
    for (auto parameter : llvm::make_early_inc_range(module.getOps<graph::ParameterOp>()))
      parameter.erase();
  }
};

} // namespace
