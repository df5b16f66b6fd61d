//===- NativeCpuTest.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Target/NativeCpu.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include <gtest/gtest.h>

using namespace hgc;

/// A machine that has what the CPU `like` has, but for `hidden`, and calls itself `name`.
static HostCpu makeHost(llvm::StringRef name, CpuVendor vendor, llvm::StringRef like, llvm::StringRef hidden = "none") {
  HostCpu host{name.str(), true, vendor, {}};
  llvm::SmallVector<llvm::StringRef> features;
  llvm::X86::getFeaturesForCPU(like, features);
  for (llvm::StringRef feature : features)
    host.features[feature] = !feature.starts_with(hidden);
  return host;
}

TEST(NativeCpu, KnownNamesHaveTheirTable) {
  for (llvm::StringRef name : {"sapphirerapids", "emeraldrapids", "cascadelake", "skylake"})
    EXPECT_EQ(chooseNativeCpu(makeHost(name, CpuVendor::Intel, name)), name.str());
  for (llvm::StringRef name : {"znver2", "znver3", "znver4", "znver5"})
    EXPECT_EQ(chooseNativeCpu(makeHost(name, CpuVendor::Amd, name)), name.str());
}

TEST(NativeCpu, OtherNamesHaveTheTableOfWhatTheyCanDo) {
  // A virtual machine that calls a server's CPU by a desktop's name, and CPUs without tables.
  EXPECT_EQ(chooseNativeCpu(makeHost("rocketlake", CpuVendor::Intel, "sapphirerapids")), "sapphirerapids");
  EXPECT_EQ(chooseNativeCpu(makeHost("graniterapids", CpuVendor::Intel, "graniterapids")), "sapphirerapids");
  EXPECT_EQ(chooseNativeCpu(makeHost("rocketlake", CpuVendor::Intel, "rocketlake")), "icelake-server");
  EXPECT_EQ(chooseNativeCpu(makeHost("znver6", CpuVendor::Amd, "znver5")), "znver5");
  // Of other vendors nothing is known but what they can do.
  EXPECT_EQ(chooseNativeCpu(makeHost("new", CpuVendor::Other, "sapphirerapids")), "x86-64-v4");
}

TEST(NativeCpu, HiddenFeaturesAreNotUsed) {
  EXPECT_EQ(chooseNativeCpu(makeHost("sapphirerapids", CpuVendor::Intel, "sapphirerapids", "amx")), "icelake-server");
  EXPECT_EQ(chooseNativeCpu(makeHost("icelake-server", CpuVendor::Intel, "icelake-server", "gfni")), "cascadelake");
  EXPECT_EQ(chooseNativeCpu(makeHost("znver4", CpuVendor::Amd, "znver4", "avx512")), "znver3");
  EXPECT_EQ(chooseNativeCpu(makeHost("skylake", CpuVendor::Intel, "skylake", "avx")), "westmere");
  EXPECT_EQ(chooseNativeCpu(makeHost("nehalem", CpuVendor::Intel, "nehalem", "sse")), std::nullopt);
}

TEST(NativeCpu, OtherArchitecturesGoByName) {
  EXPECT_EQ(chooseNativeCpu({"neoverse-n1", /*isX86=*/false, CpuVendor::Other, {}}), "neoverse-n1");
  EXPECT_EQ(chooseNativeCpu({"unheard-of", /*isX86=*/false, CpuVendor::Other, {}}), std::nullopt);
}

TEST(NativeCpu, ThisMachineHasATable) {
  std::optional<std::string> name = chooseNativeCpu(describeHost());
  ASSERT_TRUE(name);
  EXPECT_TRUE(llvm::is_contained(listCpus(), *name));
}

TEST(NativeCpu, TablesAreAdaptedToTheMachine) {
  constexpr int64_t mib = 1 << 20;
  DeviceTable table;
  table.l3Bytes = 30 * mib;
  EXPECT_EQ(adaptToHost(table, 2, 480 * mib).l3Bytes, 40 * mib);
  EXPECT_EQ(adaptToHost(table, 2, 105 * mib).l3Bytes, 30 * mib);
  EXPECT_EQ(adaptToHost(table, 2, std::nullopt).l3Bytes, 30 * mib);
  EXPECT_EQ(adaptToHost(table, 2, std::nullopt).cores, 2);
}

TEST(NativeCpu, LastCacheHasASize) {
  // Systems that say nothing of it, such as some sandboxes, are left out.
  if (std::optional<int64_t> bytes = readLastCacheBytes()) {
    EXPECT_GE(*bytes, 256 << 10);
  }
}
