//===- Findings.h - what a program did wrong ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings go to stderr, one line each and a hint where there is one, and make
// the context of the culprit unusable, as a fault does on hardware.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_FINDINGS_H
#define HGC_EMU_FINDINGS_H

#include <cstdint>
#include <string>

namespace hgc::emu::driver {

class Findings {
public:
  /// Prints "hgc-emu: error: <text>" and "hgc-emu: hint: <hint>".
  void report(const std::string &text, const std::string &hint);
  uint64_t count() const { return total; }
  /// The latest finding without prefix, or an empty text.
  const std::string &last() const { return text; }

private:
  uint64_t total = 0;
  std::string text;
};

/// Printed hexadecimal address.
std::string hex(uint64_t value);

} // namespace hgc::emu::driver

#endif // HGC_EMU_FINDINGS_H
