//===- TrainProgress.h - how far a training run is --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_TRAINPROGRESS_H
#define HGC_TOOLS_TRAINPROGRESS_H

#include "TrainState.h"

#include <chrono>

namespace hgc::driver {

/// Shows a bar on a terminal, and lines elsewhere.
class TrainProgress {
public:
  enum class Mode { Bar, Lines, Off };

  /// `mode` as the option --progress has it.
  TrainProgress(llvm::StringRef mode, int64_t epochs, int64_t stepsPerEpoch, int64_t rowsPerEpoch);
  ~TrainProgress();

  /// After each step; prints now and then.
  void step(const TrainState &state, llvm::ArrayRef<std::string> results, double seconds);
  /// After each epoch.
  void epoch(const History &history);

private:
  using Clock = std::chrono::steady_clock;

  void erase();
  std::string describe(const TrainState &state, llvm::ArrayRef<std::string> results) const;

  Mode mode;
  int64_t epochs, stepsPerEpoch, rowsPerEpoch;
  Clock::time_point last;
  size_t shown = 0;
};

/// Seconds as `1:02:03` or `2:03`.
std::string spellDuration(double seconds);

} // namespace hgc::driver

#endif // HGC_TOOLS_TRAINPROGRESS_H
