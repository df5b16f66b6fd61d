//===- UseMatrixUnit.cpp - products of weights in tiles -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix unit multiplies much faster, but rows must be written as tiles first, and
// weights that few rows share have half as many bytes again: few rows, or few columns,
// are not worth it.
//===----------------------------------------------------------------------===//

#include "ExpressionKey.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/Invariance.h"
#include "hgc/Analysis/KernelModel.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Target/ConvForm.h"
#include "hgc/Target/MatrixUnit.h"
#include "hgc/Transforms/Passes.h"

#include <map>

namespace hgc {
#define GEN_PASS_DEF_USEMATRIXUNIT
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// What the unit must save: estimates are not exact.
constexpr double kLeastGain = 0.9;

struct UseMatrixUnit final : hgc::impl::UseMatrixUnitBase<UseMatrixUnit> {
  using Base::Base;

  void runOnOperation() override {
    if (mode != "auto" && mode != "always" && mode != "never") {
      InFlightDiagnostic diag = getOperation().emitError() << "unknown use of matrix units '" << mode << "'";
      diag.attachNote() << "hint: the known ones are auto, always, never";
      return signalPassFailure();
    }
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    // Both plans share their weights in panels, which the GPU does not read in tiles.
    if (mode == "never" || llvm::any_of(functions, isInGpuPlan))
      return;
    const auto &invariance = getAnalysis<Invariance>();
    std::map<ExpressionKey, SmallVector<MatmulOp>> users;
    getOperation().walk([&](MatmulOp op) {
      if (!canUseMatrixUnit(op))
        return;
      if (invariance.isInvariant(op.getRhs()))
        users[makeExpressionKey(op.getRhs().getDefiningOp())].push_back(op);
      else if (isWorthPacking(op))
        choose(op);
    });
    for (auto &[weights, ops] : users)
      choose(ops);
  }

private:
  /// Whether so many rows share one matrix that writing it in tiles at every call is a small part of the work.
  static bool isWorthPacking(MatmulOp op) {
    constexpr int64_t leastRows = 256;
    SmallVector<int64_t> shape = op.getRhsShape();
    bool isOne = llvm::all_of(ArrayRef<int64_t>(shape).drop_back(2), [](int64_t extent) { return extent == 1; });
    int64_t rows = shape.back() ? op.getType().getNumElements() / shape.back() : 0;
    return isOne && rows >= leastRows && getElementTypeOrSelf(op.getLhs().getType()).isF32() &&
           isa_and_present<func::FuncOp>(op->getParentOp());
  }

  void choose(ArrayRef<MatmulOp> ops) {
    const DeviceTable &table = getCpuTable(getOperation());
    auto price = [&] {
      ThreadTimes times;
      for (MatmulOp op : ops)
        times.add(table, op);
      return times;
    };
    auto note = StringAttr::get(&getContext(), kMatrixForm);
    ThreadTimes plain = price();
    for (MatmulOp op : ops)
      op->setAttr(kConvFormAttr, note);
    if (mode == "always" || price().relativeTo(plain) < kLeastGain)
      return;
    for (MatmulOp op : ops)
      op->removeAttr(kConvFormAttr);
  }
};

} // namespace
