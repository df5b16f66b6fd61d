//===- Counters.h - what kernels and copies did, as JSON ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_COUNTERS_H
#define HGC_EMU_COUNTERS_H

#include "../exec/Launch.h"
#include "Clock.h"

#include <map>
#include <string>

namespace hgc::emu::driver {

class Driver;

/// Sums over all launches of a kernel and over all copies of a direction.
class CounterReport {
public:
  void addKernel(const std::string &name, const Counters &counters,
                 uint64_t uniqueBytes, double seconds);
  void addCopy(const char *direction, uint64_t bytes, double seconds);
  /// Counters of a kernel, or null if it never ran.
  const Counters *kernel(const std::string &name) const;
  std::string json(Driver &driver) const;

private:
  struct KernelSum {
    Counters counters;
    uint64_t uniqueBytes = 0;
    double seconds = 0;
  };
  struct CopySum {
    uint64_t count = 0, bytes = 0;
    double seconds = 0;
  };
  std::map<std::string, KernelSum> kernels;
  std::map<std::string, CopySum> copies;
};

} // namespace hgc::emu::driver

#endif // HGC_EMU_COUNTERS_H
