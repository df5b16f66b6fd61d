//===- FoldPacks.cpp - weights in the form kernels read -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ops become parameters is the analysis FoldedOps' decision. Equal
// expressions in several variants share one.
//===----------------------------------------------------------------------===//

#include "ExpressionKey.h"
#include "LoadTimeValues.h"
#include "Utils.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/FoldedOps.h"
#include "hgc/Analysis/Invariance.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Transforms/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_FOLDPACKS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

struct FoldPacks final : hgc::impl::FoldPacksBase<FoldPacks> {
  using Base::Base;

  void runOnOperation() override {
    const auto &invariance = getAnalysis<Invariance>();
    LoadTimeValues values(getOperation(), baseDir);
    folded.clear();
    sources.clear();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      // What a load function does is not to be done at compile time.
      FoldedOps ops(function, invariance, /*packsOnly=*/function->hasAttr(kLoadAttr));
      // Placement priced what it could not know to be folded into panels.
      bool isCheaper =
          function
              .walk([&](Operation *op) {
                return ops.contains(op) && op->hasAttr(kDecisionAttr) ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
      if (isCheaper)
        function->setAttr(kRefinedAttr, UnitAttr::get(&getContext()));
      for (Operation *op : llvm::reverse(ops.getNeeded()))
        if (failed(fold(op, values)))
          return signalPassFailure();
      eraseDeadOps(function);
    }
    for (StringAttr name : sources) {
      Operation *parameter = values.getSymbols().lookup(name);
      if (SymbolTable::symbolKnownUseEmpty(parameter, getOperation()))
        values.getSymbols().erase(parameter);
    }
  }

private:
  LogicalResult fold(Operation *op, LoadTimeValues &values) {
    FlatSymbolRefAttr &parameter = folded[makeExpressionKey(op)];
    if (!parameter) {
      FailureOr<ParameterOp> made = makeParameter(op, values);
      if (failed(made))
        return failure();
      parameter = FlatSymbolRefAttr::get(made->getSymNameAttr());
    }
    OpBuilder builder(op);
    auto read = ReadOp::create(builder, op->getLoc(), op->getResult(0).getType(), parameter);
    if (Attribute device = op->getAttr(HGCDialect::kDevice))
      read->setAttr(HGCDialect::kDevice, device);
    op->getResult(0).replaceAllUsesWith(read);
    return success();
  }

  FailureOr<ParameterOp> makeParameter(Operation *op, LoadTimeValues &values) {
    llvm::SetVector<Operation *> leaves;
    FoldedOps::collectSources(op, leaves);
    ReadOp first;
    int reads = 0;
    for (Operation *leaf : leaves)
      if (auto read = dyn_cast<ReadOp>(leaf)) {
        sources.insert(read.getParameterAttr().getAttr());
        ++reads;
        if (!first || getTensorBytes(first.getType()) < getTensorBytes(read.getType()))
          first = read;
      }

    llvm::Expected<HostTensor> value = values.evaluate(op->getResult(0));
    values.forget();
    if (!value) {
      InFlightDiagnostic diag = op->emitError() << llvm::toString(value.takeError());
      diag.attachNote() << "hint: check the value of the parameter this op reads";
      return diag;
    }
    std::string name = first ? first.getParameter().str() : "constant";
    name += isa<PackOp>(op) ? ".packed" : ".folded";
    OpBuilder builder(&getContext());
    auto parameter = ParameterOp::create(builder, op->getLoc(), builder.getStringAttr(name),
                                         TypeAttr::get(op->getResult(0).getType()), value->toAttr(name));
    if (reads == 1)
      parameter->setAttr("hgc.packed_from", first.getParameterAttr().getAttr());
    // Beside its source, so that the order of weights follows the model's.
    Operation *place = first ? values.getSymbols().lookup(first.getParameter()) : nullptr;
    values.getSymbols().insert(parameter, place ? Block::iterator(place) : getOperation().getBody()->begin());
    return parameter;
  }

  std::map<ExpressionKey, FlatSymbolRefAttr> folded;
  llvm::SetVector<StringAttr> sources;
};

} // namespace
