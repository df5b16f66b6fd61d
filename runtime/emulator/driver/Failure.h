//===- Failure.h - counted calls, and calls made to fail ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every driver call passes here first. HGC_EMU_FAIL picks calls that fail
// before they have any effect, HGC_EMU_SKIP waits that are left out in silence;
// HGC_EMU_CALLS lists how often each function was
// called, so that a test can fail every one of them in turn.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_FAILURE_H
#define HGC_EMU_FAILURE_H

#include "Config.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hgc::emu::driver {

class Failures {
public:
  explicit Failures(const Config &config)
      : rules(config.failures), skips(config.skips) {}

  /// Counts a call; the code it must fail with, or 0.
  int onCall(const char *function, int defaultCode);
  /// Whether the call just counted must do nothing.
  bool mustSkip(const char *function) const;
  /// Whether any call was made to fail so far.
  bool injected() const { return fired != 0; }
  uint64_t calls(const std::string &function) const;
  uint64_t calls() const { return total; }
  /// "any 12", then "cuInit 1", ... by name; false when it cannot be written.
  bool write(const std::string &path) const;

private:
  const std::vector<FailureRule> &rules, &skips;
  std::map<std::string, uint64_t> counts;
  uint64_t total = 0;
  uint64_t fired = 0;
};

} // namespace hgc::emu::driver

#endif // HGC_EMU_FAILURE_H
