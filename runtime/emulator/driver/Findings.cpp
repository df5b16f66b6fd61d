//===- Findings.cpp - what a program did wrong ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Findings.h"

#include <cinttypes>
#include <cstdio>

using namespace hgc::emu::driver;

void Findings::report(const std::string &message, const std::string &hint) {
  ++total;
  text = message;
  std::fprintf(stderr, "hgc-emu: error: %s\n", message.c_str());
  if (!hint.empty())
    std::fprintf(stderr, "hgc-emu: hint: %s\n", hint.c_str());
}

std::string hgc::emu::driver::hex(uint64_t value) {
  char buffer[24];
  std::snprintf(buffer, sizeof buffer, "0x%" PRIx64, value);
  return buffer;
}
