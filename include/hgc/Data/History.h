//===- History.h - what a training run has measured -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_DATA_HISTORY_H
#define HGC_DATA_HISTORY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace hgc {

/// Losses and metrics of a run: their names, a row for each epoch, the loss of
/// each step, and what the test data gave.
struct History {
  struct Epoch {
    std::vector<double> values;
    double seconds = 0, samplesPerSecond = 0;
  };

  std::string model;
  int64_t stepsPerEpoch = 0;
  std::vector<std::string> names;
  std::vector<Epoch> epochs;
  std::vector<float> stepLosses;
  std::vector<std::pair<std::string, double>> test;

  /// Values of one name by epoch; empty for a name it does not have.
  std::vector<double> column(llvm::StringRef name) const;
};

/// The epochs as JSON, and back; reading checks the form.
llvm::json::Value epochsToJson(const History &history);
llvm::Expected<std::vector<History::Epoch>> epochsFromJson(const llvm::json::Value &value, size_t columns);

/// Writes a history as its ending says: .json with everything, or .csv with one
/// row for each epoch.
llvm::Error checkHistoryName(llvm::StringRef path);
llvm::Error writeHistory(llvm::StringRef path, const History &history);

/// The epochs as a table for people.
std::string formatHistory(const History &history);

/// Writes a picture of the losses and, beside it, of the other metrics, as the
/// ending says: .svg or .png.
llvm::Error checkCurveName(llvm::StringRef path);
llvm::Error writeCurve(llvm::StringRef path, const History &history);

} // namespace hgc

#endif // HGC_DATA_HISTORY_H
