//===- TrainFlags.h - options of hgc train ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_TRAINFLAGS_H
#define HGC_TOOLS_TRAINFLAGS_H

#include "DeviceFlags.h"

#include "hgc/Data/Arrays.h"

namespace hgc::driver {

/// When to stop before the last epoch.
struct EarlyStopping {
  bool isOn = false;
  int64_t patience = 3;
  std::string monitor;
  double minDelta = 0;
  bool restoreBest = false;

  static llvm::Expected<EarlyStopping> parse(llvm::StringRef text);
  /// Whether a smaller value of what is monitored is better.
  bool prefersLess() const;
};

/// Options of `hgc train` as given, and what they mean.
struct TrainFlags {
  std::vector<std::string> paths, data, validation, test;
  std::string labels, history, curve, checkpoint, out, start, earlyStoppingText, weightsPath;
  std::string shuffle = "on", progress = "auto";
  int64_t epochs = 1, batchSize = 0, seed = 0, checkpointEvery = 0, threads = 0;
  double validationSplit = 0;
  bool resume = false, checkNumerics = false;
  DeviceFlags device;
  EarlyStopping earlyStopping;

  void addTo(ArgParser &parser);
  /// Checks what can be checked without the model and its data.
  llvm::Error finish();

  std::string checkpointPath() const;
};

/// `NAME=FILE` of an option as a source; without a name it is `fallback`.
ArraySource parseSource(llvm::StringRef text, llvm::StringRef fallback);

} // namespace hgc::driver

#endif // HGC_TOOLS_TRAINFLAGS_H
