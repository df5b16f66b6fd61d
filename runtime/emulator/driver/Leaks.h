//===- Leaks.h - objects nobody released ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An object leaks when it is alive at the end, or when its context was
// destroyed under it. Excused are objects whose release was made to fail, and
// contexts that were lost or cut off by an injected failure.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_LEAKS_H
#define HGC_EMU_LEAKS_H

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace hgc::emu::driver {

class Driver;
struct Context;

class Leaks {
public:
  /// The release of `handle` was made to fail.
  void excuse(uint64_t handle) { excused.insert(handle); }
  /// Notes what a context takes with it.
  void contextDestroyed(const Driver &driver, const Context &context);
  /// One line per leak so far, those of live contexts included.
  std::vector<std::string> list(const Driver &driver) const;

private:
  void collect(const Driver &driver, const Context *context,
               std::vector<std::string> &lines) const;

  std::set<uint64_t> excused;
  std::vector<std::string> past;
};

} // namespace hgc::emu::driver

#endif // HGC_EMU_LEAKS_H
