//===- MakeTraining.cpp - entries that train a model ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Entries.h"
#include "TrainingMode.h"

#include "hgc/Autodiff/Training/Passes.h"
#include "hgc/Autodiff/Training/Trained.h"

namespace hgc {
#define GEN_PASS_DEF_MAKETRAINING
#include "hgc/Autodiff/Training/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;
using namespace hgc::training;

namespace {

/// The entry of this name that a model may have for its data.
constexpr llvm::StringLiteral kPreprocess = "preprocess";

struct MakeTraining final : hgc::impl::MakeTrainingBase<MakeTraining> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  LogicalResult findVariants(SmallVectorImpl<func::FuncOp> &variants);
  LogicalResult checkNames(func::FuncOp variant);
  FailureOr<Method> readMethod();
  LogicalResult findTrainable(func::FuncOp variant, Method &method);

  static StringRef getEntryName(func::FuncOp function) {
    auto of = function->getAttrOfType<StringAttr>(HGCDialect::kVariantOf);
    return of ? of.getValue() : function.getName();
  }
};

} // namespace

/// The variants of the only entry, or of the one called `predict`.
LogicalResult MakeTraining::findVariants(SmallVectorImpl<func::FuncOp> &variants) {
  ModuleOp module = getOperation();
  llvm::SetVector<StringRef> names;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function->hasAttr(HGCDialect::kEntry))
      continue;
    StringRef name = getEntryName(function);
    if (name == "init" || name == "train_step" || name == "evaluate" || name == "save" || name == "load")
      return emitWithHint(function.getLoc(), "the model has an entry '" + name + "' of its own",
                          "rename it, or compile without --train");
    if (name == kPreprocess) {
      // It prepares the next batch while a GPU trains.
      if (!function->hasAttr(HGCDialect::kDevice))
        function->setAttr(HGCDialect::kDevice, DeviceAttr::get(&getContext(), DeviceKind::CPU, 0));
      continue;
    }
    names.insert(name);
  }
  std::string wanted = entry;
  if (wanted.empty())
    wanted = names.size() == 1 ? names.front().str() : "predict";
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(HGCDialect::kEntry) && getEntryName(function) == wanted)
      variants.push_back(function);
  if (!variants.empty())
    return success();
  return emitWithHint(module.getLoc(), "the model has no entry '" + wanted + "' to train",
                      "name one with --train-entry: " + llvm::join(names, ", "));
}

LogicalResult MakeTraining::checkNames(func::FuncOp variant) {
  if (variant.getNumResults() == 0)
    return emitWithHint(variant.getLoc(), "entry '" + getEntryName(variant) + "' returns nothing to train",
                        "let its first result be the prediction");
  for (unsigned i = 0; i < variant.getNumArguments(); ++i) {
    auto name = variant.getArgAttrOfType<StringAttr>(i, HGCDialect::kName);
    if (name && (name == "labels" || name == "step" || name == "valid_rows" || name == "loss"))
      return emitWithHint(variant.getLoc(), "the model has an input '" + name.getValue() + "', as train_step has",
                          "rename the input");
  }
  return success();
}

FailureOr<Method> MakeTraining::readMethod() {
  static constexpr Argument kPenalties[] = {{"l1", 0}, {"l2", 0}};
  static const Kind kWeights[] = {{"weights", 0, kPenalties}};
  Location loc = getOperation().getLoc();
  FailureOr<Loss> chosenLoss = Loss::parse(loc, loss);
  if (failed(chosenLoss))
    return failure();
  FailureOr<std::vector<Metric>> chosenMetrics = Metric::parseAll(loc, metrics);
  if (failed(chosenMetrics))
    return failure();
  FailureOr<Optimizer> chosenOptimizer = Optimizer::parse(loc, optimizer);
  if (failed(chosenOptimizer))
    return failure();
  FailureOr<Schedule> chosenSchedule = Schedule::parse(loc, schedule);
  if (failed(chosenSchedule))
    return failure();
  FailureOr<Settings> penalties = parseSpec(loc, "penalty of", "weights:" + regularize, kWeights);
  if (failed(penalties))
    return failure();
  return Method{std::move(*chosenLoss),
                std::move(*chosenMetrics),
                std::move(*chosenOptimizer),
                std::move(*chosenSchedule),
                penalties->get("l1"),
                penalties->get("l2"),
                {}};
}

/// Float parameters that the prediction depends on, but no statistics of batches.
LogicalResult MakeTraining::findTrainable(func::FuncOp variant, Method &method) {
  llvm::SetVector<StringAttr> statistics = findStatistics(variant);
  llvm::SetVector<StringAttr> used;
  SmallVector<Value> work{variant.front().getTerminator()->getOperand(0)};
  llvm::SmallPtrSet<Operation *, 32> seen;
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    op->walk([&](Operation *inner) {
      work.append(inner->operand_begin(), inner->operand_end());
      if (auto read = dyn_cast<ReadOp>(inner))
        used.insert(read.getParameterAttr().getAttr());
    });
  }
  for (auto parameter : getOperation().getOps<ParameterOp>()) {
    bool isFloat = isa<FloatType>(parameter.getTensorType().getElementType());
    if (isFloat && used.contains(parameter.getSymNameAttr()) && !statistics.contains(parameter.getSymNameAttr()) &&
        !parameter->hasAttr(HGCDialect::kFrozen))
      method.trainable.push_back(parameter);
  }
  for (auto assign : variant.getOps<AssignOp>())
    if (llvm::any_of(method.trainable, [&](ParameterOp p) { return p.getSymName() == assign.getParameter(); }))
      return emitWithHint(assign.getLoc(),
                          "entry '" + getEntryName(variant) + "' assigns '" + assign.getParameter() +
                              "', which training changes, too",
                          "mark the parameter with hgc.frozen, or do not assign it");
  if (!method.trainable.empty())
    return success();
  return emitWithHint(variant.getLoc(), "entry '" + getEntryName(variant) + "' has no parameters to train",
                      "its first result must depend on float parameters without hgc.frozen");
}

LogicalResult MakeTraining::run() {
  FailureOr<Method> method = readMethod();
  SmallVector<func::FuncOp> variants;
  if (failed(method) || failed(findVariants(variants)) || failed(checkNames(variants.front())) ||
      failed(findTrainable(variants.front(), *method)))
    return failure();
  addState(*method, variants.front());
  Operation *last = variants.back();
  for (bool trains : {true, false})
    for (func::FuncOp variant : variants) {
      FailureOr<func::FuncOp> added = addStep(*method, variant, trains, last);
      if (failed(added))
        return failure();
      last = *added;
    }
  func::FuncOp init = addInit(*method, variants.front(), last);
  for (auto assign : init.getOps<AssignOp>())
    getOperation().lookupSymbol(assign.getParameter())->setAttr(kTrainedAttr, UnitAttr::get(&getContext()));
  return success();
}
