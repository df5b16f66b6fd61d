//===- CheckTest.cpp - what a kernel may not do, and what it may ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Harness.h"

using namespace hgc::emu;
using namespace hgc::emu::test;

namespace {

/// Runs one block of `threads` over a body that starts with prologue().
LaunchResult runBody(Device &device, const std::string &body, uint32_t threads, const std::vector<uint64_t> &params,
                     const std::string &before = "") {
  EXPECT_TRUE(device.loadBody(prologue() + body, 4, before)) << device.error;
  if (!device.module)
    return {};
  return device.run(1, threads, params);
}

const char *storeThread = "mul.wide.u32 %rd4, %r0, 4;\n"
                          "add.u64 %rd5, %rd0, %rd4;\n"
                          "st.global.u32 [%rd5], %r0;\n";
const char *loadThread = "mul.wide.u32 %rd4, %r0, 4;\n"
                         "add.u64 %rd5, %rd0, %rd4;\n"
                         "ld.global.u32 %r1, [%rd5];\n";

TEST(Check, GlobalBounds) {
  Device device;
  uint64_t a = device.memory.allocate(64 * 4);
  EXPECT_TRUE(runBody(device, storeThread, 64, {a, 0, 0, 0}).ok());
  LaunchResult result = runBody(device, storeThread, 65, {a, 0, 0, 0});
  expectFinding(result, Finding::OutOfBounds, "0 bytes past the end of 256");
  EXPECT_EQ(result.findings[0].thread[0], 64u);
  EXPECT_EQ(result.findings[0].address, a + 256);
  EXPECT_EQ(result.findings[0].source, "st.global.u32 [%rd5], %r0");
  expectFinding(runBody(device, storeThread, 1, {a - 4, 0, 0, 0}), Finding::OutOfBounds, "4 bytes before 256");
  expectFinding(runBody(device, storeThread, 1, {0, 0, 0, 0}), Finding::OutOfBounds, "at 0x0");
  expectFinding(runBody(device, "st.global.v4.u32 [%rd0], {%r0,%r0,%r0,%r0};", 1, {a + 8, 0, 0, 0}),
                Finding::Misaligned, "not a multiple of 16");
  // The last bytes of a vector count as well.
  uint64_t odd = device.memory.allocate(24);
  expectFinding(runBody(device, "st.global.v2.u64 [%rd0+16], {%rd0,%rd0};", 1, {odd, 0, 0, 0}), Finding::OutOfBounds,
                "reach 8 bytes past the end of 24");
}

TEST(Check, LanesInDifferentAllocations) {
  Device device;
  uint64_t a = device.memory.allocate(4), b = device.memory.allocate(4);
  EXPECT_TRUE(runBody(device,
                      "setp.eq.u32 %p0, %r0, 0;\nselp.b64 %rd5, %rd0, %rd1, "
                      "%p0;\nst.global.u32 [%rd5], %r0;",
                      2, {a, b, 0, 0})
                  .ok());
  EXPECT_EQ(device.get<uint32_t>(b, 1)[0], 1u);
}

TEST(Check, Misaligned) {
  Device device;
  uint64_t a = device.put(std::vector<uint32_t>(8, 1));
  EXPECT_TRUE(runBody(device, loadThread, 4, {a, 0, 0, 0}).ok());
  expectFinding(runBody(device, loadThread, 4, {a + 2, 0, 0, 0}), Finding::Misaligned, "not a multiple of 4");
}

TEST(Check, Uninitialised) {
  Device device;
  uint64_t a = device.memory.allocate(32);
  expectFinding(runBody(device, loadThread, 1, {a, 0, 0, 0}), Finding::Uninitialised, "byte 0 was never written");
  std::string error;
  device.memory.fill(a, 0, 1, 31, &error);
  EXPECT_TRUE(runBody(device, loadThread, 7, {a, 0, 0, 0}).ok());
  expectFinding(runBody(device, loadThread, 8, {a, 0, 0, 0}), Finding::Uninitialised, "byte 3 was never written");
  EXPECT_TRUE(runBody(device, storeThread, 8, {a, 0, 0, 0}).ok());
  EXPECT_TRUE(runBody(device, loadThread, 8, {a, 0, 0, 0}).ok());
  device.memory.poison(a + 4, 4, &error);
  expectFinding(runBody(device, loadThread, 8, {a, 0, 0, 0}), Finding::Uninitialised, "never written");
  device.config.checkUninitialised = false;
  EXPECT_TRUE(runBody(device, loadThread, 8, {a, 0, 0, 0}).ok());
}

TEST(Check, UseAfterFree) {
  Device device;
  uint64_t a = device.put(std::vector<uint32_t>(8, 1));
  EXPECT_TRUE(runBody(device, loadThread, 4, {a, 0, 0, 0}).ok());
  EXPECT_TRUE(device.memory.free(a));
  EXPECT_FALSE(device.memory.free(a));
  uint64_t b = device.put(std::vector<uint32_t>(8, 1));
  EXPECT_NE(a, b);
  expectFinding(runBody(device, loadThread, 4, {a, 0, 0, 0}), Finding::UseAfterFree, "that were freed");
}

TEST(Check, ConstantMemory) {
  Device device;
  std::string load = "ld.const.u32 %r1, [c+4];\nst.global.u32 [%rd0], %r1;";
  uint64_t a = device.memory.allocate(4);
  EXPECT_TRUE(runBody(device, load, 1, {a, 0, 0, 0}, ".const .u32 c[2] = {7, 9};").ok());
  EXPECT_EQ(device.get<uint32_t>(a, 1)[0], 9u);
  expectFinding(
      runBody(device, "mov.u64 %rd5, c;\nst.global.u32 [%rd5], %r0;", 1, {a, 0, 0, 0}, ".const .u32 c[2] = {7, 9};"),
      Finding::ReadOnlyWrite, "writes constant memory");
}

TEST(Check, LocalAndParamBounds) {
  Device device;
  std::string body = ".local .align 4 .b8 a[8];\nst.local.u32 [a+%1], %r0;\n"
                     "ld.local.u32 %r1, [a+%2];";
  auto with = [&](const char *first, const char *second) {
    std::string text = body;
    text.replace(text.find("%1"), 2, first);
    return text.replace(text.find("%2"), 2, second);
  };
  EXPECT_TRUE(runBody(device, with("4", "4"), 32, {0, 0, 0, 0}).ok());
  expectFinding(runBody(device, with("8", "4"), 32, {0, 0, 0, 0}), Finding::OutOfBounds, "at local address");
  expectFinding(runBody(device, with("0", "4"), 32, {0, 0, 0, 0}), Finding::Uninitialised, "at local address");
  expectFinding(runBody(device,
                        "mov.u64 %rd5, p0;\nld.param.u64 %rd6, "
                        "[%rd5+32];",
                        1, {0, 0, 0, 0}),
                Finding::OutOfBounds, "at parameter offset 0x20 of 32");
}

/// Thread t writes word t and reads word t ^ 32: another warp's.
std::string exchangeWords(const std::string &between, const std::string &after) {
  return ".shared .align 4 .b8 s[512];\n.reg .b32 %s, %a, %b;\n"
         "mov.u32 %s, s;\nmad.lo.u32 %a, %r0, 4, %s;\n"
         "xor.b32 %b, %r0, 32;\nmad.lo.u32 %b, %b, 4, %s;\n"
         "st.shared.u32 [%a], %r0;\n" +
         between + "\nld.shared.u32 %r1, [%b];\n" + after;
}

TEST(Check, SharedRaces) {
  Device device;
  std::vector<uint64_t> none = {0, 0, 0, 0};
  std::string sync = "bar.sync 0;", rewrite = "st.shared.u32 [%a], %r1;";
  EXPECT_TRUE(runBody(device, exchangeWords(sync, ""), 64, none).ok());
  EXPECT_TRUE(runBody(device, exchangeWords(sync, sync + rewrite), 64, none).ok());
  // Without the first barrier the second warp reads what the first wrote, and
  // the first what the second has not written yet.
  LaunchResult result = runBody(device, exchangeWords("", ""), 64, none);
  EXPECT_FALSE(result.ok());
  expectFinding(runBody(device, exchangeWords(sync, rewrite), 64, none), Finding::SharedRace,
                "without a barrier in between");
  std::string same = ".shared .align 4 .b8 s[4];\nst.shared.u32 [s], %r0;\n";
  expectFinding(runBody(device, same, 64, none), Finding::SharedRace, "wrote without a barrier in between");
  // Reading what another warp wrote, in the order the warps happen to run.
  expectFinding(runBody(device,
                        ".shared .align 4 .b8 s[4];\nsetp.eq.u32 %p0, %r0, 0;\n"
                        "@%p0 st.shared.u32 [s], %r0;\nsetp.gt.u32 %p1, %r0, "
                        "31;\n@%p1 ld.shared.u32 %r1, [s];",
                        64, none),
                Finding::SharedRace, "warp 1 reads shared address 0x400");
  device.config.checkRaces = false;
  EXPECT_TRUE(runBody(device, exchangeWords(sync, rewrite), 64, none).ok());
}

TEST(Check, NeighbouringHalvesDoNotRace) {
  Device device;
  std::string body = ".shared .align 4 .b8 s[256];\n.reg .b32 %s;\n"
                     "mov.u32 %s, s;\nshr.u32 %r2, %r0, 5;\n"
                     "and.b32 %r3, %r0, 31;\nmad.lo.u32 %r3, %r3, 4, %s;\n"
                     "mad.lo.u32 %r3, %r2, 2, %r3;\ncvt.u16.u32 %h1, %r0;\n"
                     "st.shared.u16 [%r3], %h1;";
  EXPECT_TRUE(runBody(device, body, 64, {0, 0, 0, 0}).ok());
}

TEST(Check, SharedAtomicsDoNotRace) {
  Device device;
  uint64_t a = device.memory.allocate(4);
  std::string body = ".shared .align 4 .b8 s[4];\nsetp.eq.u32 %p0, %r0, 0;\n"
                     "@%p0 st.shared.u32 [s], 0;\nbar.sync 0;\n"
                     "atom.shared.add.u32 %r1, [s], 2;\n";
  std::string read = "ld.shared.u32 %r2, [s];\nst.global.u32 [%rd0], %r2;";
  EXPECT_TRUE(runBody(device, body + "bar.sync 0;\n" + read, 96, {a, 0, 0, 0}).ok());
  EXPECT_EQ(device.get<uint32_t>(a, 1)[0], 192u);
  expectFinding(runBody(device, body + read, 96, {a, 0, 0, 0}), Finding::SharedRace, "without a barrier");
}

TEST(Check, SharedBounds) {
  Device device;
  std::string body = ".shared .align 4 .b8 s[128];\n.reg .b32 %s;\n"
                     "mov.u32 %s, s;\nmad.lo.u32 %s, %r0, 4, %s;\n"
                     "st.shared.u32 [%s], %r0;";
  EXPECT_TRUE(runBody(device, body, 32, {0, 0, 0, 0}).ok());
  expectFinding(runBody(device, body, 33, {0, 0, 0, 0}), Finding::OutOfBounds, "at shared address 0x480");
  expectFinding(runBody(device, "mov.u64 %rd5, 0;\nst.shared.u32 [%rd5], %r0;", 1, {0, 0, 0, 0}), Finding::OutOfBounds,
                "at shared address 0x0");
}

TEST(Check, AsyncCopies) {
  Device device;
  uint64_t a = device.put(std::vector<uint32_t>(128, 5));
  uint64_t out = device.memory.allocate(128);
  std::string copy = ".shared .align 16 .b8 s[512];\n.reg .b32 %s, %a;\n"
                     "mov.u32 %s, s;\nmad.lo.u32 %a, %r0, 16, %s;\n"
                     "mul.wide.u32 %rd4, %r0, 16;\nadd.u64 %rd5, %rd0, %rd4;\n"
                     "cp.async.cg.shared.global [%a], [%rd5], 16;\n";
  std::string commit = "cp.async.commit_group;\n";
  std::string read = "ld.shared.u32 %r1, [%a];\nmul.wide.u32 %rd6, %r0, 4;\n"
                     "add.u64 %rd6, %rd1, %rd6;\nst.global.u32 [%rd6], %r1;\n";
  std::vector<uint64_t> params = {a, out, 0, 0};
  EXPECT_TRUE(runBody(device, copy + commit + "cp.async.wait_group 0;\n" + read, 32, params).ok());
  EXPECT_EQ(device.get<uint32_t>(out, 32), std::vector<uint32_t>(32, 5));
  EXPECT_TRUE(runBody(device, copy + "cp.async.wait_all;\n" + read, 32, params).ok());
  expectFinding(runBody(device, copy + commit + read, 32, params), Finding::AsyncRace,
                "before the cp.async that fills it");
  expectFinding(runBody(device, copy + commit + "cp.async.wait_group 1;\n" + read, 32, params), Finding::AsyncRace,
                "before the cp.async that fills it");
  expectFinding(runBody(device, copy + "st.shared.u32 [%a], %r0;", 32, params), Finding::AsyncRace,
                "while a cp.async to it is under way");
  expectFinding(runBody(device, copy, 33, params), Finding::OutOfBounds, "past the end of 512");
  // Bytes beyond the source size are zero, and not read.
  std::string zeros = copy;
  zeros.replace(zeros.rfind("16;"), 3, "16, 4;");
  EXPECT_TRUE(runBody(device,
                      zeros + "cp.async.wait_all;\nld.shared.u32 %r1, "
                              "[%a+4];\nst.global.u32 [%rd1], %r1;",
                      1, {a + 508 - 12, out, 0, 0})
                  .ok());
  EXPECT_EQ(device.get<uint32_t>(out, 1)[0], 0u);
}

} // namespace
