//===- NativeCpu.cpp - the table for a machine at hand --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Target/NativeCpu.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include <functional>
#include <map>

using namespace llvm;
using namespace hgc;

HostCpu hgc::describeHost() {
  HostCpu host{sys::getHostCPUName().str(), Triple(sys::getDefaultTargetTriple()).isX86(), CpuVendor::Other,
               sys::getHostCPUFeatures()};
  using sys::detail::x86::VendorSignatures;
  VendorSignatures vendor = host.isX86 ? sys::detail::x86::getVendorSignature() : VendorSignatures::UNKNOWN;
  if (vendor == VendorSignatures::GENUINE_INTEL)
    host.vendor = CpuVendor::Intel;
  else if (vendor == VendorSignatures::AUTHENTIC_AMD)
    host.vendor = CpuVendor::Amd;
  return host;
}

static SmallVector<StringRef> listFeatures(StringRef name) {
  SmallVector<StringRef> features;
  X86::getFeaturesForCPU(name, features);
  return features;
}

/// Whether LLVM picks instructions of a feature; those for systems (pku, mwaitx, ...) are never picked and often
/// hidden.
static bool isPicked(StringRef feature) {
  return any_of(ArrayRef<StringRef>{"sse", "avx", "fma", "f16c", "bmi", "amx", "gfni", "lzcnt", "popcnt", "movbe"},
                [&](StringRef family) { return feature.starts_with(family); });
}

static bool runs(const HostCpu &host, StringRef name) {
  if (!host.isX86)
    return name == host.name;
  return all_of(listFeatures(name),
                [&](StringRef feature) { return !isPicked(feature) || host.features.lookup(feature); });
}

static CpuVendor getVendor(const DeviceTable &table) {
  if (!StringRef(table.triple).starts_with("x86_64") || StringRef(table.llvmCpu).starts_with("x86-64"))
    return CpuVendor::Other;
  return StringRef(table.llvmCpu).starts_with("znver") ? CpuVendor::Amd : CpuVendor::Intel;
}

/// The vendor's CPUs, those with the most features first; an alias after its table.
static SmallVector<StringRef> listRelatives(CpuVendor vendor) {
  std::multimap<size_t, StringRef, std::greater<>> byFeatures;
  for (StringRef name : listCpus())
    if (vendor != CpuVendor::Other && getVendor(**lookupCpu(name)) == vendor)
      byFeatures.emplace(listFeatures(name).size(), name);
  return SmallVector<StringRef>(make_second_range(byFeatures));
}

std::optional<std::string> hgc::chooseNativeCpu(const HostCpu &host) {
  SmallVector<StringRef> names = {host.name};
  append_range(names, listRelatives(host.vendor));
  append_range(names, ArrayRef<StringRef>{"x86-64-v4", "x86-64-v3", "x86-64-v2"});
  for (StringRef name : names)
    if (is_contained(listCpus(), name) && runs(host, name))
      return name.str();
  return std::nullopt;
}

std::optional<int64_t> hgc::readLastCacheBytes() {
  auto file = MemoryBuffer::getFileAsStream("/sys/devices/system/cpu/cpu0/cache/index3/size");
  StringRef size = file ? (*file)->getBuffer().trim() : "";
  int64_t kilobytes = 0;
  if (!size.consume_back("K") || size.getAsInteger(10, kilobytes) || kilobytes <= 0)
    return std::nullopt;
  return kilobytes << 10;
}

DeviceTable hgc::adaptToHost(DeviceTable table, int64_t cores, std::optional<int64_t> lastCacheBytes) {
  // Tables have the cores of a usual machine. How many share its memory decides what large weights cost.
  table.cores = cores;
  // Of a cache that dozens of cores share, a program has a part.
  constexpr int64_t kPrograms = 12;
  table.l3Bytes = std::max(table.l3Bytes, lastCacheBytes.value_or(0) / kPrograms);
  return table;
}
