//===- ExecTimeline.h - modelled time of a program --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CONVERSION_EXECTIMELINE_H
#define HGC_CONVERSION_EXECTIMELINE_H

#include "dialects/Exec/ExecOps.h"
#include "hgc/Analysis/Pricing.h"
#include "hgc/Analysis/Timeline.h"

#include "llvm/ADT/DenseMap.h"

namespace hgc {

/// The actions of a program as tasks, in the order in which they are issued, and
/// when each of them runs. A loop or branch is one task.
struct ExecTimeline {
  std::vector<TimelineTask> tasks;
  Timeline timeline;
};

/// What actions take, in picoseconds. Kernels carry their price; one without is
/// priced by the ops in its body.
class ActionPrices {
public:
  explicit ActionPrices(mlir::ModuleOp module);

  /// Time of an action; of a loop, branch or parallel op that of all it does:
  /// a loop its body as often as it is expected to run, a branch its dearer
  /// side, a parallel op its longest branch. 0 for buffers, events and waits.
  int64_t getPs(mlir::Operation *op) const;

  const Pricing &getPricing() const { return pricing; }

private:
  int64_t priceCopy(exec::CopyOp op) const;
  int64_t priceFill(exec::FillOp op) const;
  int64_t priceStructure(mlir::Operation *op) const;

  Pricing pricing;
  mlir::MLIRContext *context;
  llvm::StringMap<int64_t> kernels;
};

/// Runs `program`, which has its streams and events, on the modelled machine.
ExecTimeline simulateExec(exec::ProgramOp program, const ActionPrices &prices);

} // namespace hgc

#endif // HGC_CONVERSION_EXECTIMELINE_H
