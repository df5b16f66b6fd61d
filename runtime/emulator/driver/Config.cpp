//===- Config.cpp - settings of the emulated GPU --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Config.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <thread>

using namespace hgc::emu::driver;

namespace {

std::vector<std::string> split(const std::string &text, char at) {
  std::vector<std::string> parts;
  size_t begin = 0;
  while (begin <= text.size()) {
    size_t end = std::min(text.find(at, begin), text.size());
    if (end > begin)
      parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool number(const std::string &text, uint64_t &value) {
  char *end = nullptr;
  errno = 0;
  value = std::strtoull(text.c_str(), &end, 0);
  return !text.empty() && text[0] != '-' && *end == 0 && errno == 0;
}

/// 65536, 64k, 512m or 2g.
bool byteCount(std::string text, uint64_t &value) {
  unsigned shift = 0;
  switch (text.empty() ? 0 : text.back()) {
  case 'k':
  case 'K':
    shift = 10;
    break;
  case 'm':
  case 'M':
    shift = 20;
    break;
  case 'g':
  case 'G':
    shift = 30;
    break;
  }
  if (shift)
    text.pop_back();
  if (!number(text, value) || value == 0 ||
      value > (uint64_t(1) << 50 >> shift))
    return false;
  value <<= shift;
  return true;
}

/// Only what orders operations can be left out without a trace.
const char *const skippable[] = {"cuStreamWaitEvent", "cuEventRecord",
                                 "cuStreamSynchronize", "cuEventSynchronize",
                                 "cuCtxSynchronize"};

/// Reads variables and keeps the first complaint.
class Reader {
public:
  explicit Reader(Config &config) : config(config) {}

  void devices();
  void memory();
  void schedule();
  void failures();
  void checks();
  void others();

private:
  static bool rule(const std::string &text, FailureRule &out);
  std::string get(const char *name) {
    const char *value = std::getenv(name);
    return value ? value : "";
  }
  void complain(const char *name, const std::string &value,
                const std::string &expected) {
    if (config.error.empty())
      config.error =
          std::string(name) + " is '" + value + "', expected " + expected;
  }

  Config &config;
};

} // namespace

void Reader::devices() {
  std::string keys = get("HGC_EMU_DEVICE");
  std::vector<std::string> names = split(keys, ',');
  if (names.empty())
    names.push_back("a100");
  std::vector<const DeviceTable *> kinds;
  for (const std::string &name : names) {
    const DeviceTable *table = findDeviceTable(name);
    if (!table)
      return complain("HGC_EMU_DEVICE", name, "one of " + deviceTableKeys());
    kinds.push_back(table);
  }
  std::string count = get("HGC_EMU_DEVICES");
  uint64_t wanted = kinds.size();
  if (!count.empty() && (!number(count, wanted) || wanted > 64))
    return complain("HGC_EMU_DEVICES", count, "a number from 0 to 64");
  // The last kind serves all further devices.
  for (uint64_t i = 0; i < wanted; ++i)
    config.devices.push_back(kinds[std::min<size_t>(i, kinds.size() - 1)]);
}

void Reader::memory() {
  std::string text = get("HGC_EMU_MEMORY");
  if (!text.empty() && !byteCount(text, config.memoryBytes))
    complain("HGC_EMU_MEMORY", text, "a number of bytes such as 65536 or 2g");
}

void Reader::schedule() {
  std::string text = get("HGC_EMU_SCHEDULE");
  if (text.empty() || text == "lazy")
    config.schedule = Schedule::Lazy;
  else if (text == "eager")
    config.schedule = Schedule::Eager;
  else if (text.rfind("seed:", 0) == 0 && number(text.substr(5), config.seed))
    config.schedule = Schedule::Seed;
  else
    complain("HGC_EMU_SCHEDULE", text, "lazy, eager or seed:<number>");
}

bool Reader::rule(const std::string &text, FailureRule &out) {
  size_t colon = text.find(':'), equals = text.find('=');
  if (colon == std::string::npos || colon == 0)
    return false;
  uint64_t code = 0;
  if (equals != std::string::npos &&
      (!number(text.substr(equals + 1), code) || code == 0 || code > 9999))
    return false;
  equals = std::min(equals, text.size());
  out.function = text.substr(0, colon);
  out.code = int(code);
  return equals > colon &&
         number(text.substr(colon + 1, equals - colon - 1), out.call) &&
         out.call > 0;
}

void Reader::failures() {
  for (const std::string &text : split(get("HGC_EMU_FAIL"), ',')) {
    FailureRule parsed;
    if (!rule(text, parsed))
      return complain("HGC_EMU_FAIL", text, "<function>:<n-th call>[=<code>]");
    config.failures.push_back(parsed);
  }
  for (const std::string &text : split(get("HGC_EMU_SKIP"), ',')) {
    FailureRule parsed;
    bool known = rule(text, parsed) && !parsed.code &&
                 std::find(std::begin(skippable), std::end(skippable),
                           parsed.function) != std::end(skippable);
    if (!known)
      return complain("HGC_EMU_SKIP", text,
                      "<function>:<n-th call> of a function that orders "
                      "operations, such as cuStreamWaitEvent:1");
    config.skips.push_back(parsed);
  }
}

void Reader::checks() {
  std::string text = get("HGC_EMU_CHECKS");
  if (text.empty() || text == "all")
    return;
  config.checkRaces = config.checkInit = config.checkOrder = false;
  if (text == "none")
    return;
  for (const std::string &name : split(text, ',')) {
    if (name == "races")
      config.checkRaces = true;
    else if (name == "init")
      config.checkInit = true;
    else if (name == "order")
      config.checkOrder = true;
    else if (name == "blocks")
      config.checkBlocks = true;
    else
      complain("HGC_EMU_CHECKS", name,
               "all, none, or races, init, order, blocks");
  }
}

void Reader::others() {
  config.callsFile = get("HGC_EMU_CALLS");
  config.countersFile = get("HGC_EMU_COUNTERS");

  std::string leaks = get("HGC_EMU_LEAKS");
  config.reportLeaks = leaks == "1";
  if (!leaks.empty() && leaks != "0" && leaks != "1")
    complain("HGC_EMU_LEAKS", leaks, "0 or 1");

  uint64_t value = 0;
  std::string approx = get("HGC_EMU_APPROX");
  if (number(approx, value))
    config.approxSeed = value;
  else if (!approx.empty() && approx != "exact")
    complain("HGC_EMU_APPROX", approx, "exact or a number");

  std::string threads = get("HGC_EMU_THREADS");
  config.threads = std::clamp(std::thread::hardware_concurrency(), 1u, 8u);
  if (number(threads, value) && value >= 1 && value <= 256)
    config.threads = unsigned(value);
  else if (!threads.empty())
    complain("HGC_EMU_THREADS", threads, "a number from 1 to 256");

  std::string version = get("HGC_EMU_DRIVER");
  if (number(version, value) && value >= 10000 && value < 20000)
    config.driverVersion = int(value);
  else if (!version.empty())
    complain("HGC_EMU_DRIVER", version, "a version such as 12020");
}

Config Config::fromEnvironment() {
  Config config;
  Reader reader(config);
  reader.devices();
  reader.memory();
  reader.schedule();
  reader.failures();
  reader.checks();
  reader.others();
  return config;
}

unsigned hgc::emu::driver::newestPtx(int driverVersion) {
  unsigned major = unsigned(driverVersion) / 1000;
  unsigned minor = unsigned(driverVersion) % 1000 / 10;
  if (major == 10)
    return minor == 0 ? 63 : minor == 1 ? 64 : 65;
  if (major == 11)
    return 70 + std::min(minor, 8u);
  if (major == 12)
    return minor <= 5 ? 80 + minor : 80 + std::min(minor - 1, 8u);
  return 90 + minor;
}
