//===- WarpTest.cpp - shuffles, votes, matrices, atomics --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Harness.h"
#include "exec/Half.h"

#include <algorithm>
#include <random>

using namespace hgc::emu;
using namespace hgc::emu::test;

namespace {

/// Lane i starts with x[i] in %r1 and ends with %r2 stored.
struct Warps : testing::Test {
  Device device;
  std::vector<uint32_t> x, y;

  LaunchResult run(const std::string &body, uint32_t threads = 32) {
    std::mt19937 random(5);
    x.clear();
    for (unsigned i = 0; i < threads; ++i)
      x.push_back(random() % 4 ? random() : 7);
    uint64_t in = device.put(x), out = device.put(x);
    std::string text = prologue() +
                       "mul.wide.u32 %rd4, %r0, 4;\nadd.u64 %rd5, %rd0, %rd4;\n"
                       "add.u64 %rd6, %rd1, %rd4;\nld.global.u32 %r1, [%rd5];\n" +
                       body + "\nst.global.u32 [%rd6], %r2;\nret;\n";
    EXPECT_TRUE(device.loadBody(text)) << device.error;
    if (!device.module)
      return {};
    LaunchResult result = device.run(1, threads, {in, out, 0, 0});
    y = device.get<uint32_t>(out, threads);
    return result;
  }
};

TEST_F(Warps, Shuffles) {
  struct {
    const char *text;
    int (*from)(int lane);
  } cases[] = {
      {"shfl.sync.bfly.b32 %r2, %r1, 5, 31, -1;", [](int lane) { return lane ^ 5; }},
      {"shfl.sync.down.b32 %r2, %r1, 3, 31, -1;", [](int lane) { return lane + 3 < 32 ? lane + 3 : lane; }},
      {"shfl.sync.up.b32 %r2, %r1, 4, 0, -1;", [](int lane) { return lane >= 4 ? lane - 4 : lane; }},
      {"shfl.sync.idx.b32 %r2, %r1, 9, 31, -1;", [](int) { return 9; }},
      // Segments of eight lanes.
      {"shfl.sync.down.b32 %r2, %r1, 3, 0x1807, -1;", [](int lane) { return lane % 8 + 3 < 8 ? lane + 3 : lane; }},
      {"shfl.sync.up.b32 %r2, %r1, 2, 0x1800, -1;", [](int lane) { return lane % 8 >= 2 ? lane - 2 : lane; }},
      {"shfl.sync.idx.b32 %r2, %r1, 5, 0x1807, -1;", [](int lane) { return lane / 8 * 8 + 5; }}};
  for (auto &test : cases) {
    LaunchResult result = run(test.text);
    ASSERT_TRUE(result.ok()) << test.text << messages(result);
    for (int i = 0; i < 32; ++i)
      EXPECT_EQ(y[i], x[test.from(i)]) << test.text << " lane " << i;
  }
  ASSERT_TRUE(run("shfl.sync.down.b32 %r3|%p1, %r1, 3, 31, -1;\n"
                  "selp.u32 %r2, 1, 0, %p1;")
                  .ok());
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(y[i], i + 3 < 32);
}

TEST_F(Warps, Votes) {
  ASSERT_TRUE(run("setp.gt.s32 %p1, %r1, 100;\n"
                  "vote.sync.ballot.b32 %r2, %p1, -1;")
                  .ok());
  uint32_t ballot = 0;
  for (unsigned i = 0; i < 32; ++i)
    ballot |= uint32_t(int32_t(x[i]) > 100) << i;
  EXPECT_EQ(y, std::vector<uint32_t>(32, ballot));
  ASSERT_TRUE(run("match.any.sync.b32 %r2, %r1, -1;").ok());
  for (unsigned i = 0; i < 32; ++i) {
    uint32_t same = 0;
    for (unsigned j = 0; j < 32; ++j)
      same |= uint32_t(x[i] == x[j]) << j;
    EXPECT_EQ(y[i], same);
  }
  ASSERT_TRUE(run("setp.eq.u32 %p1, %r1, %r1;\nvote.sync.all.pred %p2, %p1, "
                  "-1;\nvote.sync.any.pred %p3, !%p1, -1;\n"
                  "selp.u32 %r2, 1, 0, %p2;\n@%p3 mov.u32 %r2, 5;")
                  .ok());
  EXPECT_EQ(y, std::vector<uint32_t>(32, 1));
  ASSERT_TRUE(run("redux.sync.min.s32 %r2, %r1, -1;").ok());
  int32_t least = INT32_MAX;
  for (uint32_t value : x)
    least = std::min(least, int32_t(value));
  EXPECT_EQ(y[17], uint32_t(least));
  ASSERT_TRUE(run("and.b32 %r3, %r0, 1;\nsetp.eq.u32 %p1, %r3, 0;\n"
                  "mov.u32 %r2, 0;\n@%p1 activemask.b32 %r2;")
                  .ok());
  EXPECT_EQ(y[4], 0x55555555u);
}

TEST_F(Warps, MemberMasks) {
  std::string half = "setp.lt.u32 %p1, %r0, 16;\n";
  // Each half with its own mask, diverged: fine.
  EXPECT_TRUE(run(half + "@%p1 bra low;\n"
                         "shfl.sync.bfly.b32 %r2, %r1, 1, 31, 0xffff0000;\n"
                         "bra end;\nlow:\n"
                         "shfl.sync.bfly.b32 %r2, %r1, 2, 31, 0x0000ffff;\nend:")
                  .ok());
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(y[i], x[i ^ (i < 16 ? 2 : 1)]);
  expectFinding(run(half + "@%p1 bra low;\n"
                           "shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;\nbra end;\n"
                           "low:\nshfl.sync.bfly.b32 %r2, %r1, 2, 31, -1;\nend:"),
                Finding::BadMask, "wait elsewhere");
  expectFinding(run(half + "@%p1 shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;"), Finding::BadMask,
                "the guard excludes a lane");
  expectFinding(run("shfl.sync.bfly.b32 %r2, %r1, 1, 31, 0x7fffffff;"), Finding::BadMask,
                "not in its own member mask 0x7fffffff");
  expectFinding(run("shfl.sync.bfly.b32 %r2, %r1, 16, 31, -1;", 48), Finding::BadMask, "which does not take part");
  EXPECT_TRUE(run("bar.warp.sync -1;\nmov.u32 %r2, 1;", 48).ok());
  expectFinding(run("bar.warp.sync 1;\nmov.u32 %r2, 1;"), Finding::BadMask, "without being in its mask");
}

TEST_F(Warps, Atomics) {
  struct {
    const char *text;
    uint32_t start;
    uint32_t (*want)(const std::vector<uint32_t> &x, uint32_t start);
  } cases[] = {
      {"atom.global.add.u32 %r2, [%rd2], %r1;", 5,
       [](const std::vector<uint32_t> &x, uint32_t s) {
         for (uint32_t value : x)
           s += value;
         return s;
       }},
      {"red.global.max.s32 [%rd2], %r1;\nmov.u32 %r2, 0;", 0,
       [](const std::vector<uint32_t> &x, uint32_t s) {
         for (uint32_t value : x)
           s = std::max(int32_t(s), int32_t(value));
         return s;
       }},
      {"atom.global.xor.b32 %r2, [%rd2], %r1;", 99,
       [](const std::vector<uint32_t> &x, uint32_t s) {
         for (uint32_t value : x)
           s ^= value;
         return s;
       }},
      {"atom.global.inc.u32 %r2, [%rd2], 10;", 3,
       [](const std::vector<uint32_t> &x, uint32_t s) {
         for (size_t i = 0; i < x.size(); ++i)
           s = s >= 10 ? 0 : s + 1;
         return s;
       }},
      {"atom.cas.b32 %r2, [%rd2], 7, %r0;", 7, [](const std::vector<uint32_t> &, uint32_t) { return 0u; }},
      {"atom.add.noftz.f16x2 %r2, [%rd2], 0x3c003c00;", 0,
       [](const std::vector<uint32_t> &, uint32_t) {
         return 0x50005000u; // 32 in both halves
       }},
      {"atom.global.add.f32 %r2, [%rd2], 0f3F800000;", 0x3f800000, [](const std::vector<uint32_t> &, uint32_t) {
         return 0x42040000u; // 33
       }}};
  for (auto &test : cases) {
    uint64_t cell = device.put(std::vector<uint32_t>{test.start});
    std::string move = "mov.u64 %rd2, " + std::to_string(cell) + ";\n";
    LaunchResult result = run(move + test.text);
    ASSERT_TRUE(result.ok()) << test.text << messages(result);
    EXPECT_EQ(device.get<uint32_t>(cell, 1)[0], test.want(x, test.start)) << test.text;
  }
}

/// mma fragments from the definition of PTX, element by element.
template <class Read>
void expectMma(Device &device, const std::string &name, unsigned depth, unsigned perReg, const std::string &element,
               Read read) {
  unsigned aRegs = 16 * depth / (32 * perReg), bRegs = aRegs / 2;
  std::mt19937 random(depth);
  std::vector<uint32_t> a(32 * aRegs), b(32 * bRegs);
  for (std::vector<uint32_t> *list : {&a, &b})
    for (uint32_t &word : *list)
      word = perReg == 4         ? random()
             : perReg == 1       ? 0x3f800000u + (random() % 64 << 17)
             : element == "bf16" ? 0x3f803f80u + (random() % 64) + ((random() % 64) << 16)
                                 : 0x3c003c00u + (random() % 1000) + ((random() % 900) << 16);
  std::string body = prologue() + "mul.wide.u32 %rd4, %r0, 4;\n";
  auto load = [&](const char *base, unsigned count, unsigned first) {
    for (unsigned r = 0; r < count; ++r)
      body += "add.u64 %rd5, " + std::string(base) +
              ", %rd4;\nld.global.u32 "
              "%r" +
              std::to_string(first + r) + ", [%rd5+" + std::to_string(128 * r) + "];\n";
  };
  auto list = [](unsigned first, unsigned count) {
    std::string text = "{";
    for (unsigned r = 0; r < count; ++r)
      text += (r ? ",%r" : "%r") + std::to_string(first + r);
    return text + "}";
  };
  load("%rd0", aRegs, 10);
  load("%rd1", bRegs, 20);
  body += "mov.u32 %r30, 0; mov.u32 %r31, 0; mov.u32 %r32, 0; mov.u32 %r33, "
          "0;\nmma.sync.aligned." +
          name + " " + list(30, 4) + ", " + list(10, aRegs) + ", " + list(20, bRegs) + ", " + list(30, 4) +
          ";\nadd.u64 %rd5, %rd2, %rd4;\n";
  for (unsigned r = 0; r < 4; ++r)
    body += "st.global.u32 [%rd5+" + std::to_string(128 * r) + "], %r3" + std::to_string(r) + ";\n";
  ASSERT_TRUE(device.loadBody(body)) << name << device.error;
  uint64_t out = device.memory.allocate(512);
  LaunchResult result = device.run(1, 32, {device.put(a), device.put(b), out, 0});
  ASSERT_TRUE(result.ok()) << messages(result);
  std::vector<uint32_t> have = device.get<uint32_t>(out, 128);
  for (unsigned m = 0; m < 16; ++m)
    for (unsigned n = 0; n < 8; ++n) {
      double sum = 0;
      for (unsigned k = 0; k < depth; ++k) {
        unsigned lanePart = k / perReg % 4, block = k / perReg / 4;
        uint32_t wa = a[32 * (2 * block + m / 8) + 4 * (m % 8) + lanePart];
        uint32_t wb = b[32 * block + 4 * n + lanePart];
        sum += read(wa, k % perReg) * read(wb, k % perReg);
      }
      uint32_t word = have[32 * (2 * (m / 8) + n % 2) + 4 * (m % 8) + n / 2];
      float value;
      std::memcpy(&value, &word, 4);
      double got = perReg == 4 ? double(int32_t(word)) : double(value);
      EXPECT_NEAR(got, sum, 1e-4) << name << " " << m << "," << n;
    }
}

TEST(Matrix, Products) {
  Device device;
  auto half = [](uint32_t word, unsigned e) { return widen(word >> 16 * e & 0xffff, formatF16); };
  auto brain = [](uint32_t word, unsigned e) { return widen(word >> 16 * e & 0xffff, formatBF16); };
  auto single = [](uint32_t word, unsigned) { return widen(word, formatF32); };
  expectMma(device, "m16n8k8.row.col.f32.f16.f16.f32", 8, 2, "f16", half);
  expectMma(device, "m16n8k16.row.col.f32.f16.f16.f32", 16, 2, "f16", half);
  expectMma(device, "m16n8k8.row.col.f32.bf16.bf16.f32", 8, 2, "bf16", brain);
  expectMma(device, "m16n8k16.row.col.f32.bf16.bf16.f32", 16, 2, "bf16", brain);
  expectMma(device, "m16n8k4.row.col.f32.tf32.tf32.f32", 4, 1, "f32", single);
  expectMma(device, "m16n8k8.row.col.f32.tf32.tf32.f32", 8, 1, "f32", single);
  for (bool as : {false, true})
    for (bool bs : {false, true}) {
      if (as != bs)
        continue; // the reference reads both operands alike
      std::string types = as ? ".s8.s8.s32" : ".u8.u8.s32";
      auto byte = [&](uint32_t word, unsigned e) {
        uint8_t value = word >> 8 * e;
        return as ? double(int8_t(value)) : double(value);
      };
      expectMma(device, "m16n8k16.row.col.s32" + types, 16, 4, "s8", byte);
      expectMma(device, "m16n8k32.row.col.s32" + types, 32, 4, "s8", byte);
    }
}

} // namespace
