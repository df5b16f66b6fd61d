//===- ChooseConvForms.cpp - how the CPU computes convolutions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most convolutions have one form that fits them. Those with windows of 3x3 pixels
// have two more, with fewer products and more to do around them: the cost model says
// where they pay.
//===----------------------------------------------------------------------===//

#include "ExpressionKey.h"
#include "Utils.h"

#include "dialects/Graph/ElementTypes.h"
#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/Invariance.h"
#include "hgc/Analysis/KernelModel.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Target/ConvForm.h"
#include "hgc/Transforms/Passes.h"

#include "llvm/ADT/StringExtras.h"

#include <map>

namespace hgc {
#define GEN_PASS_DEF_CHOOSECONVFORMS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// What a form must save to be taken instead of the plain one: estimates are not exact.
constexpr double kLeastGain = 0.9;
/// What Winograd's forms must save beside the best of the others: they round more.
constexpr double kLeastWinogradGain = 0.85;
/// What a Winograd form must save beside the best whose filter keeps its size, where its own grows by more than so many
/// bytes.
constexpr double kLeastGrowthGain = 0.75;
constexpr int64_t kMostGrowth = 4 << 20;

struct ChooseConvForms final : hgc::impl::ChooseConvFormsBase<ChooseConvForms> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<ConvForm> forced = parseConvForm(force);
    if (!force.empty() && !forced) {
      InFlightDiagnostic diag = getOperation().emitError() << "unknown form of convolutions '" << force << "'";
      diag.attachNote() << "hint: the known ones are " << llvm::join(ArrayRef(kConvFormNames), ", ");
      return signalPassFailure();
    }
    // Both plans share their weights in panels, which other forms do not read.
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    if (forced)
      return forceAll(functions, *forced);
    if (llvm::any_of(functions, isInGpuPlan))
      return;
    candidates.clear();
    // Winograd's forms are compared with the best of those before them.
    if (matrix != "never")
      candidates.push_back(ConvForm::Matrix);
    if (!exact)
      candidates.append(
          {ConvForm::Winograd2Compact, ConvForm::Winograd4Compact, ConvForm::Winograd2, ConvForm::Winograd4});
    chooseAll(functions);
  }

private:
  void forceAll(ArrayRef<func::FuncOp> functions, ConvForm form) {
    const auto &invariance = getAnalysis<Invariance>();
    int64_t count = 0, refused = 0;
    for (func::FuncOp function : functions)
      function.walk([&](ConvOp op) {
        bool isDone = setForm(op, form, invariance);
        count += !isInGpuPlan(function);
        refused += !isDone && !isInGpuPlan(function);
      });
    if (refused == 0)
      return;
    InFlightDiagnostic diag = mlir::emitWarning(getOperation().getLoc())
                              << refused << " of " << count << " convolutions cannot have the form '" << stringify(form)
                              << "'";
    diag.attachNote() << "hint: they keep their own; 'hgc explain' shows it for each";
  }

  /// All convolutions with one filter have one form, so that it is stored once.
  void chooseAll(ArrayRef<func::FuncOp> functions) {
    const DeviceTable &table = getCpuTable(getOperation());
    const auto &invariance = getAnalysis<Invariance>();
    std::map<ExpressionKey, SmallVector<ConvOp>> users;
    for (func::FuncOp function : functions)
      function.walk([&](ConvOp op) {
        if (llvm::any_of(candidates, [&](ConvForm form) { return setForm(op, form, invariance); }))
          users[makeExpressionKey(op.getFilter().getDefiningOp())].push_back(op);
      });
    for (auto &[filter, ops] : users)
      chooseForm(ops, table, invariance);
  }

  /// Gives the op a form if it can have it.
  static bool setForm(ConvOp op, ConvForm form, const Invariance &invariance) {
    if (!canHaveForm(op, form))
      return false;
    // Transforms of filters that change would take longer than they save.
    if ((getWinogradTile(form) || form == ConvForm::Matrix) && !invariance.isInvariant(op.getFilter()))
      return false;
    if (getWinogradTile(form) && op->getParentOfType<func::FuncOp>()->hasAttr(kDifferentiatedAttr))
      return false;
    op->removeAttr(kConvFormAttr);
    if (getConvForm(op) != form)
      op->setAttr(kConvFormAttr, StringAttr::get(op.getContext(), stringify(form)));
    return true;
  }

  /// Bytes that a filter in that form takes more than as it is.
  static int64_t countGrowth(ConvOp op, ConvForm form) {
    constexpr int64_t taps = 9;
    int64_t side = getWinogradTile(form) + 2, bytes = getTensorBytes(op.getFilter().getType());
    return getWinogradTile(form) && !isCompact(form) ? bytes / taps * (side * side - taps) : 0;
  }

  void chooseForm(ArrayRef<ConvOp> ops, const DeviceTable &table, const Invariance &invariance) {
    auto price = [&] {
      ThreadTimes times;
      for (ConvOp op : ops)
        times.add(table, op);
      return times;
    };
    auto setAll = [&](std::optional<ConvForm> form) {
      for (ConvOp op : ops)
        if (!form || !setForm(op, *form, invariance))
          op->removeAttr(kConvFormAttr);
    };
    std::optional<ConvForm> best;
    setAll(best);
    ThreadTimes plain = price();
    double least = kLeastGain, others = 1, small = 1;
    for (ConvForm form : candidates) {
      setAll(form);
      double share = price().relativeTo(plain), limit = least;
      if (getWinogradTile(form))
        limit = std::min(limit, kLeastWinogradGain * others);
      else
        others = std::min(others, share);
      bool grows = countGrowth(ops.front(), form) > kMostGrowth;
      if (grows)
        limit = std::min(limit, kLeastGrowthGain * small);
      if (share >= limit)
        continue;
      best = form, least = share;
      if (!grows)
        small = share;
    }
    if (matrix == "always")
      best = ConvForm::Matrix;
    setAll(best);
  }

  /// Forms that may be chosen beside the plain one.
  SmallVector<ConvForm> candidates;
};

} // namespace
