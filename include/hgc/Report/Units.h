//===- Units.h - times and sizes for people ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_REPORT_UNITS_H
#define HGC_REPORT_UNITS_H

#include <cstdint>
#include <string>

namespace hgc::plans {

/// `12.3 us`: three digits that matter. Signs are kept.
std::string formatTime(int64_t picoseconds);

/// `401.5 KiB`.
std::string formatBytes(int64_t bytes);

} // namespace hgc::plans

#endif // HGC_REPORT_UNITS_H
