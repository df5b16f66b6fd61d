//===- TrainState.h - where a training run stands ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_TRAINSTATE_H
#define HGC_TOOLS_TRAINSTATE_H

#include "ModelLibrary.h"

#include "hgc/Data/History.h"
#include "hgc/Support/Npy.h"

#include "llvm/Support/JSON.h"

namespace hgc::driver {

/// Everything that decides how a run goes on, but for the parameters.
struct TrainState {
  /// Epochs that are complete, batches of the one under way, steps in all.
  int64_t epoch = 0, batch = 0, step = 0;
  /// Sums over the rows of the epoch under way, one for each result, and how
  /// many rows; seconds spent on them.
  std::vector<double> sums;
  int64_t rows = 0;
  double seconds = 0;
  /// Early stopping: best value so far, its epoch (from 1), whether it is over.
  double best = 0;
  int64_t bestEpoch = 0;
  bool hasStopped = false;
  /// Parameters of the best epoch, if they are to be restored.
  NamedTensors bestParameters;
  History history;
};

/// What a run must have in common with the one that wrote a checkpoint, by the
/// option or thing that decides it.
using TrainSettings = std::vector<std::pair<std::string, std::string>>;

/// Parameters the model can change. Values that are not finite are an error
/// when `mustBeFinite`.
llvm::Expected<NamedTensors> readParameters(const ModelLibrary &library, mlir::MLIRContext *context,
                                            bool mustBeFinite = false);
/// Sets parameters by name. All must be there, with the right type and shape,
/// unless `mayLack` says that some may be missing.
llvm::Error writeParameters(const ModelLibrary &library, const NamedTensors &parameters, mlir::MLIRContext *context,
                            bool mayLack = false);
/// Parameters without the state of the optimiser: `w.adam_m` belongs to `w`.
NamedTensors dropOptimizerState(const NamedTensors &parameters);

/// Writes a checkpoint; the old one stays until the new one is on the disk.
llvm::Error writeCheckpoint(llvm::StringRef path, const TrainState &state, const NamedTensors &parameters,
                            const TrainSettings &settings);
/// Reads one of this model and these settings.
llvm::Expected<NamedTensors> readCheckpoint(llvm::StringRef path, const TrainSettings &settings, TrainState &state,
                                            mlir::MLIRContext *context);

} // namespace hgc::driver

#endif // HGC_TOOLS_TRAINSTATE_H
