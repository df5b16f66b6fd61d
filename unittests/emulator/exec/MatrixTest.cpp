//===- MatrixTest.cpp - stmatrix, f16 and f64 sums, saturation --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Harness.h"
#include "exec/Half.h"

using namespace hgc::emu;
using namespace hgc::emu::test;

namespace {

const char *at = "mul.wide.u32 %rd4, %r0, 4;\nadd.u64 %rd5, %rd0, %rd4;\n";

std::vector<uint32_t> runWarp(Device &device, const std::string &body, size_t words) {
  uint64_t out = device.memory.allocate(words * 4);
  EXPECT_TRUE(device.loadBody(prologue() + at + body)) << device.error;
  if (!device.module)
    return {};
  LaunchResult result = device.run(1, 32, {out, 0, 0, 0});
  EXPECT_TRUE(result.ok()) << messages(result);
  return device.get<uint32_t>(out, words);
}

TEST(MatrixMemory, StoresAreReadBack) {
  for (std::string trans : {"", ".trans"}) {
    Device device;
    // Lane l gives the address of row l; the matrices hold l and l + 1000.
    std::vector<uint32_t> have =
        runWarp(device,
                ".shared .align 16 .b8 s[512];\n.reg .b32 %s;\nmov.u32 %s, s;\n"
                "and.b32 %r2, %r0, 15;\nmad.lo.u32 %s, %r2, 16, %s;\nadd.u32 %r3, %r0, 1000;\n"
                "stmatrix.sync.aligned.m8n8.x2" +
                    trans + ".shared.b16 [%s], {%r0, %r3};\nldmatrix.sync.aligned.m8n8.x2" + trans +
                    ".shared.b16 {%r4, %r5}, [%s];\nsub.u32 %r5, %r5, %r4;\nst.global.u32 [%rd5], %r4;\n"
                    "st.global.u32 [%rd5+128], %r5;\nld.shared.u16 %h1, [s+2];\ncvt.u32.u16 %r6, %h1;\n"
                    "st.global.u32 [%rd5+256], %r6;\n",
                96);
    ASSERT_EQ(have.size(), 96u);
    for (uint32_t i = 0; i < 32; ++i) {
      EXPECT_EQ(have[i], i);
      EXPECT_EQ(have[32 + i], 1000u);
    }
    // Element (0, 1): the high half of lane 0, or as (1, 0) the low one of lane 4.
    EXPECT_EQ(have[64], trans.empty() ? 0u : 4u);
  }
}

TEST(MatrixMemory, NeedsAlignedRowsAndWholeWarps) {
  Device device;
  std::string load = ".shared .align 16 .b8 s[256];\n.reg .b32 %s;\nmov.u32 %s, s+4;\n"
                     "ldmatrix.sync.aligned.m8n8.x1.shared.b16 %r1, [%s];";
  ASSERT_TRUE(device.loadBody(prologue() + load)) << device.error;
  expectFinding(device.run(1, 32, {0, 0, 0, 0}), Finding::Misaligned, "not a multiple of 16");
  expectFinding(device.run(1, 31, {0, 0, 0, 0}), Finding::BadMask, "all 32 lanes");
}

/// Every element of A is 3 and of B 2, so that each sum is 6 k + c.
TEST(MatrixSums, OtherTypes) {
  Device device;
  std::vector<uint32_t> halves =
      runWarp(device,
              "mov.b32 %r1, 0x42004200;\nmov.b32 %r2, 0x40004000;\nmov.b32 %r3, 0x3c003c00;\n"
              "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r4,%r5}, {%r1,%r1,%r1,%r1}, "
              "{%r2,%r2}, {%r3,%r3};\nst.global.u32 [%rd5], %r4;\nst.global.u32 [%rd5+128], %r5;",
              64);
  for (uint32_t word : halves) {
    EXPECT_EQ(fromHalf(uint16_t(word)), 97.0f);
    EXPECT_EQ(fromHalf(uint16_t(word >> 16)), 97.0f);
  }
  std::vector<uint32_t> doubles = runWarp(
      device,
      "mov.f64 %rd10, 0d4008000000000000;\nmov.f64 %rd11, 0d4000000000000000;\nmov.f64 %rd12, 0d3FF0000000000000;\n"
      "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd13,%rd14}, {%rd10}, {%rd11}, {%rd12,%rd12};\n"
      "add.f64 %rd13, %rd13, %rd14;\ncvt.rzi.s32.f64 %r1, %rd13;\nst.global.u32 [%rd5], %r1;",
      32);
  EXPECT_EQ(doubles, std::vector<uint32_t>(32, 50));
  std::string bytes = "mov.b32 %r1, 0x03030303;\nmov.b32 %r2, 0x02020202;\nmov.b32 %r3, 0x7ffffff0;\n"
                      "mma.sync.aligned.m16n8k32.row.col.SAT.s32.s8.u8.s32 {%r4,%r5,%r6,%r7}, {%r1,%r1,%r1,%r1}, "
                      "{%r2,%r2}, {%r3,%r3,%r3,%r3};\nst.global.u32 [%rd5], %r6;";
  std::string saturated = bytes, wrapped = bytes;
  saturated.replace(saturated.find("SAT"), 3, "satfinite");
  wrapped.replace(wrapped.find(".SAT"), 4, "");
  EXPECT_EQ(runWarp(device, saturated, 32), std::vector<uint32_t>(32, 0x7fffffff));
  EXPECT_EQ(runWarp(device, wrapped, 32), std::vector<uint32_t>(32, 0x7ffffff0u + 192));
}

} // namespace
