//===- BlockRaceTest.cpp - blocks that meet in global memory ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Harness.h"

using namespace hgc::emu;
using namespace hgc::emu::test;

namespace {

/// %rd5 is p0 + 4 * thread + `stride` * block.
std::string address(unsigned stride) {
  return prologue() + "mov.u32 %r1, %ctaid.x;\nmul.wide.u32 %rd4, %r0, 4;\nmul.wide.u32 %rd6, %r1, " +
         std::to_string(stride) + ";\nadd.u64 %rd5, %rd0, %rd4;\nadd.u64 %rd5, %rd5, %rd6;\n";
}

LaunchResult run(const std::string &body, bool check = true, uint32_t blocks = 4) {
  Device device;
  device.config.checkBlocks = check;
  device.config.threads = 4;
  EXPECT_TRUE(device.loadBody(body)) << device.error;
  if (!device.module)
    return {};
  uint64_t a = device.put(std::vector<uint32_t>(1024, 1)), b = device.put(std::vector<uint32_t>(1024, 1));
  return device.run(blocks, 32, {a, b, 0, 0});
}

const char *store = "st.global.u32 [%rd5], %r0;\n";

TEST(BlockRace, WritesApart) {
  EXPECT_TRUE(run(address(128) + store).ok());
  // Neighbouring bytes are no race.
  EXPECT_TRUE(run(prologue() + "mov.u32 %r1, %ctaid.x;\ncvt.u64.u32 %rd4, %r1;\nadd.u64 %rd5, %rd0, %rd4;\n"
                               "st.global.u8 [%rd5], %h0;\n")
                  .ok());
}

TEST(BlockRace, TwoWrites) {
  LaunchResult result = run(address(64) + store);
  expectFinding(result, Finding::GlobalRace, "which block number 0 wrote in the same launch");
  EXPECT_EQ(result.findings[0].block[0], 1u);
  EXPECT_EQ(result.findings[0].thread[0], 0u);
  // Nobody looks unless asked to.
  EXPECT_TRUE(run(address(64) + store, false).ok());
  EXPECT_TRUE(run(address(64) + store, true, 1).ok());
}

TEST(BlockRace, ReadAfterWrite) {
  std::string body = address(128) + store + "setp.eq.u32 %p0, %r1, 2;\n@%p0 ld.global.u32 %r3, [%rd0];\n";
  expectFinding(run(body), Finding::GlobalRace, "load of 4 bytes at");
  // What every block only reads is shared.
  EXPECT_TRUE(run(address(128) + "ld.global.u32 %r3, [%rd1];\nst.global.u32 [%rd5], %r3;\n").ok());
}

TEST(BlockRace, WriteAfterRead) {
  std::string read = address(0) + "ld.global.u32 %r3, [%rd5];\nsetp.eq.u32 %p0, %r1, 3;\n";
  LaunchResult result = run(read + "@%p0 st.global.u32 [%rd5], %r3;\n");
  expectFinding(result, Finding::GlobalRace, "which several blocks read in the same launch");
  EXPECT_EQ(result.findings[0].block[0], 3u);
  expectFinding(run(read + "@%p0 st.global.u32 [%rd5], %r3;\n", true, 4), Finding::GlobalRace, "store of 4 bytes");
}

TEST(BlockRace, AsyncCopies) {
  std::string body = ".shared .align 16 .b8 s[512];\n" + address(0) +
                     "mov.u32 %r4, s;\nmad.lo.u32 %r4, %r0, 4, %r4;\ncp.async.ca.shared.global [%r4], [%rd5], 4;\n"
                     "cp.async.commit_group;\ncp.async.wait_group 0;\nsetp.eq.u32 %p0, %r1, 1;\n"
                     "@%p0 st.global.u32 [%rd5], %r0;\n";
  expectFinding(run(body), Finding::GlobalRace, "read in the same launch");
}

TEST(BlockRace, AtomicsOrderBlocks) {
  EXPECT_TRUE(run(address(0) + "red.global.add.u32 [%rd0], 1;\n").ok());
  EXPECT_TRUE(run(address(0) + "atom.global.add.u32 %r3, [%rd0], 1;\nst.global.u32 [%rd1], %r3;\n").ok());
}

} // namespace
