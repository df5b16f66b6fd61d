//===- Counters.cpp - what kernels and copies did, as JSON ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Counters.h"
#include "Driver.h"

#include <cinttypes>
#include <cstdio>

using namespace hgc::emu;
using namespace hgc::emu::driver;

namespace {

/// Fields of one JSON object; names are ours and need no escapes, values that
/// come from clients do.
class Object {
public:
  void text(const char *name, const std::string &value) {
    std::string quoted = "\"";
    for (unsigned char c : value) {
      if (c == '"' || c == '\\')
        quoted += '\\';
      if (c >= 0x20)
        quoted += char(c);
    }
    raw(name, quoted + "\"");
  }
  void number(const char *name, uint64_t value) {
    raw(name, std::to_string(value));
  }
  void real(const char *name, double value) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.6g", value);
    raw(name, buffer);
  }
  void raw(const char *name, const std::string &value) {
    body += (body.empty() ? "\"" : ", \"") + std::string(name) + "\": " + value;
  }
  std::string str() const { return "{" + body + "}"; }

private:
  std::string body;
};

double ratio(uint64_t part, uint64_t whole) {
  return whole ? double(part) / double(whole) : 1.0;
}

std::string list(const std::vector<std::string> &items) {
  std::string text = "[";
  for (const std::string &item : items)
    text += (text.size() == 1 ? "\n    " : ",\n    ") + item;
  return text + (items.empty() ? "]" : "\n  ]");
}

std::string kernelObject(const std::string &name, const Counters &c,
                         uint64_t uniqueBytes, double seconds) {
  Object object;
  object.text("name", name);
  object.number("launches", c.launches);
  object.number("blocks", c.blocks);
  object.number("warp_instructions", c.warpInstructions);
  object.number("thread_instructions", c.threadInstructions);
  object.number("flops", c.flops);
  object.number("bytes_loaded", c.globalBytesLoaded);
  object.number("bytes_stored", c.globalBytesStored);
  object.number("bytes_unique", uniqueBytes);
  object.number("sectors", c.globalSectors);
  object.number("sectors_ideal", c.globalSectorsIdeal);
  object.real("sector_efficiency",
              ratio(c.globalSectorsIdeal, c.globalSectors));
  object.number("shared_wavefronts", c.sharedWavefronts);
  object.number("shared_wavefronts_ideal", c.sharedWavefrontsIdeal);
  object.real("bank_conflict_factor",
              ratio(c.sharedWavefronts, c.sharedWavefrontsIdeal));
  object.number("barriers", c.barriers);
  object.number("divergent_branches", c.divergentBranches);
  Object classes;
  for (unsigned i = 0; i < Counters::classCount; ++i)
    if (c.byClass[i])
      classes.number(Counters::name(i), c.byClass[i]);
  object.raw("instructions", classes.str());
  object.real("virtual_us", seconds * 1e6);
  return object.str();
}

} // namespace

void CounterReport::addKernel(const std::string &name, const Counters &counters,
                              uint64_t uniqueBytes, double seconds) {
  KernelSum &sum = kernels[name];
  sum.counters.add(counters);
  sum.uniqueBytes += uniqueBytes;
  sum.seconds += seconds;
}

void CounterReport::addCopy(const char *direction, uint64_t bytes,
                            double seconds) {
  CopySum &sum = copies[direction];
  ++sum.count;
  sum.bytes += bytes;
  sum.seconds += seconds;
}

const Counters *CounterReport::kernel(const std::string &name) const {
  auto it = kernels.find(name);
  return it == kernels.end() ? nullptr : &it->second.counters;
}

std::string CounterReport::json(Driver &driver) const {
  std::vector<std::string> devices, kernelList, copyList;
  for (const std::unique_ptr<Device> &device : driver.devices) {
    Object object;
    object.number("ordinal", uint64_t(device->ordinal));
    object.text("table", device->table->key);
    object.number("peak_bytes", device->memory->peak());
    devices.push_back(object.str());
  }
  for (const auto &[name, sum] : kernels)
    kernelList.push_back(
        kernelObject(name, sum.counters, sum.uniqueBytes, sum.seconds));
  for (const auto &[name, sum] : copies) {
    Object object;
    object.text("direction", name);
    object.number("count", sum.count);
    object.number("bytes", sum.bytes);
    object.real("virtual_us", sum.seconds * 1e6);
    copyList.push_back(object.str());
  }
  char time[40];
  std::snprintf(time, sizeof time, "%.6g", driver.scheduler.hostTime() * 1e6);
  return "{\n  \"virtual_us\": " + std::string(time) +
         ",\n  \"findings\": " + std::to_string(driver.findings.count()) +
         ",\n  \"devices\": " + list(devices) +
         ",\n  \"copies\": " + list(copyList) +
         ",\n  \"kernels\": " + list(kernelList) + "\n}\n";
}
