//===- Units.cpp - times and sizes for people -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Report/Units.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace hgc;

/// `value` with the first unit that leaves it below `step`.
static std::string format(double value, double step, llvm::ArrayRef<llvm::StringLiteral> units) {
  size_t unit = 0;
  // What rounds up to the step belongs to the next unit.
  for (; std::abs(value) >= step - 0.05 && unit + 1 < units.size(); ++unit)
    value /= step;
  return llvm::formatv(value == std::trunc(value) ? "{0:F0} {1}" : "{0:F1} {1}", value, units[unit]);
}

std::string hgc::plans::formatTime(int64_t picoseconds) {
  return format(static_cast<double>(picoseconds), 1000, {"ps", "ns", "us", "ms", "s"});
}

std::string hgc::plans::formatBytes(int64_t bytes) {
  return format(static_cast<double>(bytes), 1024, {"B", "KiB", "MiB", "GiB", "TiB"});
}
