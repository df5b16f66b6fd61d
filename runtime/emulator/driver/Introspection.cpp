//===- Introspection.cpp - hgcemu_* ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "hgc_emu.h"

#include <cstring>

using namespace hgc::emu::driver;

namespace {

/// Takes the lock for a function that is no driver call.
struct Locked {
  std::lock_guard<std::recursive_mutex> guard{Driver::lock()};
  Driver &driver = Driver::get();
};

size_t copyText(const std::string &from, char *text, size_t capacity) {
  if (text && capacity) {
    size_t length = std::min(capacity - 1, from.size());
    std::memcpy(text, from.data(), length);
    text[length] = 0;
  }
  return from.size();
}

} // namespace

HGC_EMU_API uint64_t hgcemu_findings(void) {
  return Locked().driver.findings.count();
}

HGC_EMU_API size_t hgcemu_last_finding(char *text, size_t capacity) {
  Locked locked;
  return copyText(locked.driver.findings.last(), text, capacity);
}

HGC_EMU_API uint64_t hgcemu_check(void) {
  Locked locked;
  std::vector<std::string> leaks = locked.driver.leaks.list(locked.driver);
  for (const std::string &leak : leaks)
    locked.driver.findings.report(leak, "");
  return leaks.size();
}

HGC_EMU_API double hgcemu_clock(void) {
  return Locked().driver.scheduler.hostTime();
}

HGC_EMU_API uint64_t hgcemu_pending(void) {
  return Locked().driver.scheduler.pendingCount();
}

HGC_EMU_API uint64_t hgcemu_calls(const char *function) {
  Locked locked;
  return function ? locked.driver.failures.calls(std::string(function))
                  : locked.driver.failures.calls();
}

HGC_EMU_API size_t hgcemu_counters(char *text, size_t capacity) {
  Locked locked;
  return copyText(locked.driver.counters.json(locked.driver), text, capacity);
}

HGC_EMU_API void hgcemu_reset(void) {
  stopProgress();
  Driver::reset();
}
