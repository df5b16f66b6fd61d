//===- ControlTest.cpp - divergence, barriers, calls, limits ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Harness.h"

using namespace hgc::emu;
using namespace hgc::emu::test;

namespace {

const char *address = "mul.wide.u32 %rd4, %r0, 4;\nadd.u64 %rd5, %rd0, %rd4;\n";
const char *store = "st.global.u32 [%rd5], %r1;\nret;\n";

struct Control : testing::Test {
  Device device;
  uint64_t out = 0;

  LaunchResult run(const std::string &body, uint32_t threads = 32, const std::string &before = "") {
    out = device.memory.allocate(4 * 1024);
    EXPECT_TRUE(device.loadBody(prologue() + address + body, 4, before)) << device.error;
    return device.module ? device.run(1, threads, {out, 0, 0, 0}) : LaunchResult();
  }
  std::vector<uint32_t> values(size_t count) { return device.get<uint32_t>(out, count); }
};

TEST_F(Control, LoopsOfDifferentLengthsMeetAgain) {
  // r1 = sum of 0..tid; then all lanes together sum it up.
  LaunchResult result = run("mov.u32 %r1, 0;\nmov.u32 %r2, 0;\nloop:\nadd.u32 %r1, %r1, %r2;\n"
                            "add.u32 %r2, %r2, 1;\nsetp.le.u32 %p0, %r2, %r0;\n@%p0 bra loop;\n"
                            "redux.sync.add.u32 %r1, %r1, 0xffffffff;\n" +
                            std::string(store));
  ASSERT_TRUE(result.ok()) << messages(result);
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 32; ++i)
    sum += i * (i + 1) / 2;
  EXPECT_EQ(values(32), std::vector<uint32_t>(32, sum));
  EXPECT_GT(device.counters.divergentBranches, 0u);
}

TEST_F(Control, IndexedBranches) {
  std::string body = "and.b32 %r2, %r0, 3;\nmov.u32 %r1, 100;\n"
                     "targets: .branchtargets a, b, c;\n"
                     "setp.lt.u32 %p0, %r2, 3;\n@%p0 brx.idx %r2, targets;\n"
                     "bra done;\na: mov.u32 %r1, 1;\nbra done;\n"
                     "b: mov.u32 %r1, 2;\nbra done;\nc: mov.u32 %r1, 3;\n"
                     "done:\n";
  ASSERT_TRUE(run(body + store).ok());
  std::vector<uint32_t> have = values(32);
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(have[i], i % 4 == 3 ? 100 : i % 4 + 1);
  body.replace(body.find("@%p0 "), 5, "");
  expectFinding(run(body + store), Finding::OutOfBounds, "index 3 of 3 targets");
}

TEST_F(Control, CallsPassStructures) {
  std::string function = ".func (.param .b32 result) twice(.param .align 8 .b8 pair[12])\n{\n"
                         ".reg .b32 %x<3>; .reg .pred %q;\nld.param.u32 %x0, [pair];\n"
                         "ld.param.u32 %x1, [pair+8];\nsetp.gt.u32 %q, %x0, 7;\n@%q ret;\n"
                         "add.u32 %x2, %x0, %x1;\nst.param.b32 [result], %x2;\nret;\n}\n";
  std::string body = "{ .param .align 8 .b8 arg[12]; .param .b32 back;\n"
                     "st.param.b32 [back], 5;\nst.param.b32 [arg], %r0;\n"
                     "st.param.b32 [arg+8], 1000;\n"
                     "call.uni (back), twice, (arg);\n"
                     "ld.param.b32 %r1, [back]; }\n";
  LaunchResult result = run(body + store, 32, function);
  ASSERT_TRUE(result.ok()) << messages(result);
  std::vector<uint32_t> have = values(32);
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(have[i], i > 7 ? 5 : i + 1000);
}

TEST_F(Control, BarriersOfSubsetsOrderTheirWarps) {
  // Warps 0 and 1 meet at barrier 1, while warp 2 never comes.
  std::string body = ".shared .align 4 .b8 s[512];\n.reg .b32 %s;\nmov.u32 %s, s;\n"
                     "mad.lo.u32 %r2, %r0, 4, %s;\nmov.u32 %r1, 0;\n"
                     "setp.ge.u32 %p0, %r0, 64;\n@%p0 bra done;\n"
                     "st.shared.u32 [%r2], %r0;\nbar.sync 1, 64;\nxor.b32 %r3, %r0, 32;\n"
                     "mad.lo.u32 %r3, %r3, 4, %s;\nld.shared.u32 %r1, [%r3];\ndone:\n";
  LaunchResult result = run(body + store, 96);
  ASSERT_TRUE(result.ok()) << messages(result);
  EXPECT_EQ(values(64)[40], 8u);
  std::string waits = body;
  waits.replace(waits.find("1, 64"), 5, "1, 96");
  expectFinding(run(waits + store, 96), Finding::Deadlock, "barrier 1 waits for 96 threads, only 64 can reach it");
}

TEST_F(Control, ArriveDoesNotWait) {
  // Warp 1 produces and arrives; warp 0 waits and reads.
  std::string body = ".shared .align 4 .b8 s[256];\n.reg .b32 %s;\nmov.u32 %s, s;\n"
                     "and.b32 %r3, %r0, 31;\nmad.lo.u32 %r2, %r3, 4, %s;\nmov.u32 %r1, 0;\n"
                     "setp.ge.u32 %p0, %r0, 32;\n@%p0 bra produce;\nbar.sync 2, 64;\n"
                     "ld.shared.u32 %r1, [%r2];\nbra done;\nproduce:\n"
                     "st.shared.u32 [%r2], %r0;\nbar.arrive 2, 64;\nLATE\ndone:\n";
  std::string fine = body, late = body;
  fine.replace(fine.find("LATE"), 4, "");
  late.replace(late.find("LATE"), 4, "st.shared.u32 [%r2], %r0;");
  LaunchResult result = run(fine + store, 64);
  ASSERT_TRUE(result.ok()) << messages(result);
  EXPECT_EQ(values(32)[3], 35u);
  expectFinding(run(late + store, 64), Finding::SharedRace, "without a barrier");
}

TEST_F(Control, BarrierReductions) {
  std::string body = "setp.lt.u32 %p0, %r0, 5;\nbar.red.popc.u32 %r1, 0, %p0;\n"
                     "bar.red.or.pred %p1, 0, %p0;\n@%p1 add.u32 %r1, %r1, "
                     "100;\nbar.red.and.pred %p2, 0, !%p0;\n@%p2 add.u32 %r1, "
                     "%r1, 1000;\n";
  LaunchResult result = run(body + store, 64);
  ASSERT_TRUE(result.ok()) << messages(result);
  EXPECT_EQ(values(64), std::vector<uint32_t>(64, 105));
}

TEST_F(Control, DivergentBarriers) {
  std::string half = "and.b32 %r2, %r0, 1;\nsetp.eq.u32 %p0, %r2, 0;\n"
                     "mov.u32 %r1, 1;\n";
  expectFinding(run(half + "@%p0 bar.sync 0;\n" + store), Finding::DivergentBarrier, "guard of the barrier differs");
  expectFinding(run(half +
                    "@%p0 bra other;\nbar.sync 0;\nbra end;\nother:\n"
                    "bar.sync 0;\nend:\n" +
                    store),
                Finding::DivergentBarrier, "wait elsewhere");
  // Threads that have exited need not come.
  EXPECT_TRUE(run(half + "@%p0 exit;\nbar.sync 0;\n" + store).ok());
  // Uniform within each warp is enough.
  EXPECT_TRUE(run("setp.lt.u32 %p0, %r0, 32;\nmov.u32 %r1, 2;\n@%p0 bra low;\n"
                  "bar.sync 0;\nbra end;\nlow:\nbar.sync 0;\nend:\n" +
                      std::string(store),
                  64)
                  .ok());
}

TEST_F(Control, Limits) {
  device.config.instructionLimit = 10000;
  expectFinding(run("loop: bra loop;"), Finding::InstructionLimit, "10000 warp instructions");
  expectFinding(run("setp.eq.u32 %p0, %r0, 3;\n@%p0 trap;\nret;"), Finding::Trap, "thread (3,0,0)");
}

TEST_F(Control, BadLaunches) {
  ASSERT_TRUE(device.load(".version 7.0\n.target sm_80\n.address_size 64\n"
                          ".entry a() .maxntid 64 { ret; }\n"
                          ".entry b() .reqntid 8, 2 { ret; }\n"
                          ".extern .shared .b8 dyn[];\n.entry c(.param .u32 x)"
                          " { .reg .b32 %r; mov.u32 %r, dyn; ret; }"));
  expectFinding(device.run("a", 1, 65, {}), Finding::BadLaunch, ".maxntid");
  expectFinding(device.run("b", 1, 16, {}), Finding::BadLaunch, ".reqntid");
  expectFinding(device.run("a", 0, 1, {}), Finding::BadLaunch, "is empty");
  expectFinding(device.run("a", 1, 1025, {}), Finding::BadLaunch, "too many threads");
  device.config.grid[1] = 65536;
  expectFinding(device.run("a", 1, 1, {}), Finding::BadLaunch, "too large");
  device.config.grid[1] = 1;
  expectFinding(device.run("c", 1, 1, {}), Finding::BadLaunch, "0 bytes of parameters, the kernel takes 4");
  device.config.dynamicShared = 300 * 1024;
  expectFinding(device.run("c", 1, 1, {0, 0, 0, 0}), Finding::BadLaunch, "bytes of shared memory");
  device.config.dynamicShared = 0;
  EXPECT_TRUE(device.run("c", 1, 1, {0, 0, 0, 0}).ok());
}

/// Counters, ranges and results are the same on one host thread and on two.
TEST_F(Control, HostThreadsChangeNothing) {
  std::string body = "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
                     "mad.lo.u32 %r1, %r2, %r3, %r0;\nmul.wide.u32 %rd4, %r1, "
                     "4;\nadd.u64 %rd5, %rd0, %rd4;\nadd.u64 %rd6, %rd1, "
                     "%rd4;\nld.global.u32 %r1, [%rd6];\n";
  ASSERT_TRUE(device.loadBody(prologue() + body + store));
  uint64_t in = device.put(std::vector<uint32_t>(64 * 40, 3));
  uint64_t to = device.memory.allocate(64 * 40 * 4);
  device.config.trackRanges = true;
  LaunchResult results[2];
  Counters counters[2];
  for (unsigned k = 0; k < 2; ++k) {
    device.config.threads = k + 1;
    device.counters = Counters();
    results[k] = device.run(40, 64, {to, in, 0, 0});
    counters[k] = device.counters;
    ASSERT_TRUE(results[k].ok());
    ASSERT_EQ(results[k].reads.size(), 1u);
    ASSERT_EQ(results[k].writes.size(), 1u);
    EXPECT_EQ(results[k].reads[0].begin, in);
    EXPECT_EQ(results[k].reads[0].end, in + 64 * 40 * 4);
    EXPECT_EQ(results[k].writes[0].begin, to);
    EXPECT_EQ(results[k].writes[0].end, to + 64 * 40 * 4);
    EXPECT_EQ(counters[k].globalBytesLoaded, 64u * 40 * 4);
    EXPECT_EQ(counters[k].globalSectors, 64u * 40 / 8 * 2);
    EXPECT_EQ(counters[k].globalSectorsIdeal, counters[k].globalSectors);
    EXPECT_EQ(counters[k].blocks, 40u);
  }
  EXPECT_EQ(counters[0].warpInstructions, counters[1].warpInstructions);
  // The lowest failing block decides, however many run at once.
  uint64_t little = device.memory.allocate(64 * 20 * 4);
  LaunchResult bad = device.run(40, 64, {little, in, 0, 0});
  expectFinding(bad, Finding::OutOfBounds, "block (20,0,0), thread (0,0,0)");
}

} // namespace
