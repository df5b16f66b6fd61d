//===- TrainProgress.cpp - how far a training run is ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TrainProgress.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace hgc;
using namespace hgc::driver;

static constexpr int64_t kBarWidth = 24;

std::string hgc::driver::spellDuration(double seconds) {
  int64_t all = std::llround(std::min(seconds, 1e9)), hours = all / 3600, minutes = all / 60 % 60;
  auto two = [](int64_t value) { return (value < 10 ? "0" : "") + std::to_string(value); };
  std::string text = hours ? std::to_string(hours) + ":" + two(minutes) : std::to_string(minutes);
  return text + ":" + two(all % 60);
}

TrainProgress::TrainProgress(llvm::StringRef wanted, int64_t epochs, int64_t stepsPerEpoch, int64_t rowsPerEpoch)
    : epochs(epochs), stepsPerEpoch(stepsPerEpoch), rowsPerEpoch(rowsPerEpoch), last(Clock::now()) {
  bool isBar = wanted == "bar" || (wanted == "auto" && llvm::outs().is_displayed());
  mode = wanted == "off" ? Mode::Off : isBar ? Mode::Bar : Mode::Lines;
}

TrainProgress::~TrainProgress() { erase(); }

void TrainProgress::erase() {
  if (shown)
    llvm::outs() << "\r" << std::string(shown, ' ') << "\r";
  shown = 0;
}

std::string TrainProgress::describe(const TrainState &state, llvm::ArrayRef<std::string> results) const {
  std::string text;
  for (auto [name, sum] : llvm::zip_equal(results, state.sums))
    text += llvm::formatv("{0} {1:F4}  ", name, sum / static_cast<double>(std::max<int64_t>(state.rows, 1)));
  return text;
}

void TrainProgress::step(const TrainState &state, llvm::ArrayRef<std::string> results, double seconds) {
  Clock::time_point now = Clock::now();
  double wait = mode == Mode::Bar ? 0.1 : 30;
  if (mode == Mode::Off || std::chrono::duration<double>(now - last).count() < wait)
    return;
  last = now;
  double speed = static_cast<double>(state.rows) / std::max(seconds, 1e-9);
  double left = static_cast<double>(rowsPerEpoch * (epochs - state.epoch) - state.rows) / std::max(speed, 1e-9);
  std::string text = llvm::formatv("epoch {0}/{1} ", state.epoch + 1, epochs).str();
  if (mode == Mode::Bar) {
    int64_t full = kBarWidth * state.batch / std::max<int64_t>(stepsPerEpoch, 1);
    text += "[" + std::string(full, '=') + std::string(kBarWidth - full, ' ') + "] ";
  }
  text += llvm::formatv("step {0}/{1}  {2}{3:F0} samples/s  ETA {4}", state.batch, stepsPerEpoch,
                        describe(state, results), speed, spellDuration(left));
  erase();
  llvm::outs() << text;
  if (mode == Mode::Bar)
    shown = text.size();
  else
    llvm::outs() << "\n";
  llvm::outs().flush();
}

void TrainProgress::epoch(const History &history) {
  erase();
  if (mode == Mode::Off)
    return;
  const History::Epoch &row = history.epochs.back();
  llvm::outs() << "epoch " << history.epochs.size() << "/" << epochs << ":";
  for (auto [name, value] : llvm::zip_equal(history.names, row.values))
    llvm::outs() << llvm::formatv(" {0} {1:F4}", name, value);
  llvm::outs() << llvm::formatv(", {0:F0} samples/s, {1:F1} s\n", row.samplesPerSecond, row.seconds);
  llvm::outs().flush();
}
