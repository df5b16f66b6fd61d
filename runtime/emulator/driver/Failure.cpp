//===- Failure.cpp - counted calls, and calls made to fail ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Failure.h"

#include <cinttypes>
#include <cstdio>

using namespace hgc::emu::driver;

int Failures::onCall(const char *function, int defaultCode) {
  uint64_t mine = ++counts[function];
  ++total;
  for (const FailureRule &rule : rules) {
    bool any = rule.function == "any";
    if (!any && rule.function != function)
      continue;
    if (rule.call != (any ? total : mine))
      continue;
    ++fired;
    return rule.code ? rule.code : defaultCode;
  }
  return 0;
}

bool Failures::mustSkip(const char *function) const {
  for (const FailureRule &rule : skips)
    if (rule.function == function && rule.call == calls(function))
      return true;
  return false;
}

uint64_t Failures::calls(const std::string &function) const {
  auto it = counts.find(function);
  return it == counts.end() ? 0 : it->second;
}

bool Failures::write(const std::string &path) const {
  std::FILE *file = std::fopen(path.c_str(), "w");
  if (!file)
    return false;
  std::fprintf(file, "any %" PRIu64 "\n", total);
  for (const auto &entry : counts)
    std::fprintf(file, "%s %" PRIu64 "\n", entry.first.c_str(), entry.second);
  return std::fclose(file) == 0;
}
