//===- Trainer.h - the loop of a training run -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_TRAINER_H
#define HGC_TOOLS_TRAINER_H

#include "BatchFeed.h"
#include "StepReplay.h"
#include "TrainFlags.h"
#include "TrainProgress.h"

namespace hgc::driver {

/// Rows of a data set that a run uses for one purpose.
struct RowSet {
  const DataSet *data = nullptr;
  int64_t first = 0, count = 0;

  explicit operator bool() const { return data; }
};

/// Calls train_step and evaluate with batches until a run is over.
class Trainer {
public:
  Trainer(const TrainFlags &flags, ModelLibrary &library, hgc_rt_model *preprocessor, mlir::MLIRContext *context)
      : flags(flags), library(library), preprocessor(preprocessor), context(context) {}

  StepPlan trainPlan;
  std::optional<StepPlan> evaluatePlan;
  RowSet training, validation;
  TrainState state;
  TrainSettings settings;
  /// Finds where numbers stop to be finite, if that is wanted: on the CPU, and
  /// on GPUs.
  KernelWatch *watch = nullptr;
  StepReplay *replay = nullptr;

  /// All epochs that are left.
  llvm::Error run();
  /// Means of the results of `evaluate`.
  llvm::Expected<std::vector<double>> evaluate(const RowSet &rows);

private:
  llvm::Error trainEpoch(TrainProgress &progress);
  llvm::Error finishEpoch(TrainProgress &progress);
  llvm::Error account(Batch &batch);
  llvm::Error checkNumbers(Batch &batch, double loss);
  llvm::Error checkpoint();
  llvm::Error updateBest();
  bool isCheckpointDue(int64_t step) const;

  const TrainFlags &flags;
  ModelLibrary &library;
  hgc_rt_model *preprocessor;
  mlir::MLIRContext *context;
  std::chrono::steady_clock::time_point epochStart;
  double secondsBefore = 0;
};

/// Steps of an epoch, the last one with fewer rows.
int64_t countBatches(int64_t rows, int64_t batch);

} // namespace hgc::driver

#endif // HGC_TOOLS_TRAINER_H
