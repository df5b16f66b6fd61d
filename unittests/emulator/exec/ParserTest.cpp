//===- ParserTest.cpp - what the front end refuses --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Harness.h"

#include <random>

using namespace hgc::emu;
using namespace hgc::emu::test;

namespace {

struct Refused {
  const char *body;
  const char *message;
};

/// Bodies of a kernel with %p, %h (b16), %r (b32), %rd (b64), %f (f32).
const Refused refusedBodies[] = {
    {"foo.u32 %r1, %r2;", "unknown instruction 'foo'"},
    {"add.u32 %r1, %r2;", "an operand is missing"},
    {"add.u32 %r1, %r2, %r3, %r4;", "too many operands"},
    {"add.u33 %r1, %r2, %r3;", "unknown modifier '.u33'"},
    {"add.u32.foo %r1, %r2, %r3;", "unknown modifier '.foo'"},
    {"add.foo.u32 %r1, %r2, %r3;", "unknown modifier '.foo'"},
    {"add.sat.u32 %r1, %r2, %r3;", "'.sat' needs add.s32 or sub.s32"},
    {"add.u64 %r1, %rd2, %rd3;", "does not fit the type .u64"},
    {"add.u32 %r1, %rd2, %r3;", "does not fit the type .u32"},
    {"add.u32 %f1, %r2, %r3;", "does not match the type .u32"},
    {"add.f32 %f1, %f2, 1;", "is no constant of type .f32"},
    {"add.u32 %r1, %r2, 0f3F800000;", "is no constant of type .u32"},
    {"add.u32 %r1, %r2, 4294967296;", "does not fit the type .u32"},
    {"add.u32 5, %r2, %r3;", "is not a register"},
    {"add.u32 %r1, %x, %r3;", "unknown register '%x'"},
    {"add.u32 %r1, y, %r3;", "unknown name 'y'"},
    {"add.u32 %r01, %r2, %r3;", "is not a register"},
    {"add.u32 %r1|%p1, %r2, %r3;", "is not a register"},
    {"fma.f32 %f1, %f2, %f3, %f4;", "a rounding is missing"},
    {"mul.u32 %r1, %r2, %r3;", "'.lo', '.hi' or '.wide' is missing"},
    {"mul.wide.u64 %rd1, %rd2, %rd3;", "'.wide' needs 16 or 32 bits"},
    {"setp.foo.u32 %p1, %r2, %r3;", "a comparison is missing"},
    {"setp.equ.u32 %p1, %r2, %r3;", "unsupported combination of types"},
    {"setp.eq.u32 %r1, %r2, %r3;", "is not a predicate"},
    {"cvt.f32.s32 %f1, %r1;", "a rounding is missing"},
    {"cvt.rn.s32.f32 %r1, %f1;", "a rounding to integers is missing"},
    {"cvt.rn.u32.u64 %r1, %rd1;", "does not go with these types"},
    {"ld.global.u32 %r1, [%r2];", "cannot hold an address"},
    {"ld.global.u32 %r1, %rd2;", "is not an address"},
    {"ld.global.v2.u32 %r1, [%rd2];", "2 values are needed, not 1"},
    {"ld.global.v2.u32 {%r1, %rd1}, [%rd2];", "have different sizes"},
    {"ld.global.v8.u64 {%rd1, %rd1, %rd1, %rd1, %rd1, %rd1, %rd1, %rd1}, "
     "[%rd2];",
     "wider than the hardware's"},
    {"st.const.u32 [%rd2], %r1;", "memory are not allowed"},
    {"ld.shared.u32 %r1, [p0];", "is in .param memory"},
    {"bra nowhere;", "unknown label 'nowhere'"},
    {"brx.idx %r1, nowhere;", "unknown list of targets 'nowhere'"},
    {"shfl.bfly.b32 %r1, %r2, 1, 31;", "only the '.sync' forms"},
    {"mma.sync.aligned.m16n8k64.row.col.f32.f16.f16.f32 %r1, %r1, %r1, %r1;", "this shape or layout is not supported"},
    {"cp.async.cg.shared.global [%r1], [%rd1], 4;", "the size of a copy is 4, 8 or 16"},
    {"atom.global.min.f32 %f1, [%rd1], %f2;", "does not go with .f32"},
    {"lop3.b32 %r1, %r2, %r3, %r4, 256;", "constant below 256"},
    {"call f, (%r1);", "call of undefined function 'f'"},
    {"call (%r1), %rd1, (%r1);", "indirect calls are not supported"},
    {"wgmma.fence.sync.aligned;", "unknown instruction 'wgmma'"},
    {"div.f32 %f1, %f2, %f3;", "one of .approx, .full or a rounding"},
    {"@%r1 bra x;", "expected a predicate register"},
    {"x: x: ret;", "label 'x' is defined twice"},
    {".reg .b32 %r<3>;", "register '%r' is declared twice"},
    {".foo 3;", "expected an instruction"},
    {"add.u32 %r1, %r2, %r3", "expected ','"},
    {"mov.b64 {%r1, %h1}, %rd1;", "does not fit the type .b32"},
};

TEST(Parser, RefusesBodies) {
  for (const Refused &refused : refusedBodies) {
    Device device;
    std::string body = "\n.reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<8>;"
                       ".reg .b64 %rd<4>; .reg .f32 %f<8>;\n";
    EXPECT_FALSE(device.loadBody(body + refused.body)) << refused.body;
    EXPECT_NE(device.error.find(refused.message), std::string::npos) << refused.body << "\n  " << device.error;
    EXPECT_EQ(device.error.substr(0, 5), "line ") << device.error;
  }
}

const Refused refusedModules[] = {
    {"", "expected '.version'"},
    {".version 7\n", "expected a version such as 7.0"},
    {".version 7.0\n.target gfx90", "expected a target such as sm_80"},
    {".version 7.0\n.target sm_80\n.address_size 32", "64-bit addresses"},
    {"@", "expected '.version'"},
    {"/* open", "comment is not closed"},
    {"\x01", "unexpected character 0x01"},
    {"H.entry k() { ret; } .entry k() { ret; }", "is defined twice"},
    {"H.entry k() { ret; ", "expected an instruction"},
    {"H.global .u32 x[2] = {1, 2, 3};", "12 bytes of initial values"},
    {"H.global .u32 x; .global .u32 x;", "'x' is declared twice"},
    {"H.extern .global .u32 x;", "has no definition"},
    {"H.global .align 3 .u32 x;", "is not a power of two"},
    {"H.global .foo x;", "unknown type or attribute '.foo'"},
    {"H.global .u64 x = y;", "'y' has no address"},
    {"H.blocksareclusters;", "unknown directive"},
    {"H.func f() { .reg .b32 %r; call f; ret; } .entry k() { call f; }", "recursive call of 'f'"},
    {"H.func f() { frob.b32; } .entry k() { ret; }", "unknown instruction"},
    {"H.func f(.param .b32 a) { ret; } .entry k() { call f; }", "'f' takes 1 values, not 0"},
    {"H.entry k(.param .align 8 .b8 a[40000]) { ret; }", "more than 32764"},
};

TEST(Parser, RefusesModules) {
  for (const Refused &refused : refusedModules) {
    Device device;
    std::string text = refused.body;
    if (text.substr(0, 1) == "H")
      text = ".version 7.0\n.target sm_80\n.address_size 64\n" + text.substr(1);
    EXPECT_FALSE(device.load(text)) << refused.body;
    EXPECT_NE(device.error.find(refused.message), std::string::npos) << refused.body << "\n  " << device.error;
  }
}

TEST(Parser, NamesTheLine) {
  Device device;
  EXPECT_FALSE(device.loadBody(".reg .b32 %r<4>;\n\nmov.u32 %r1, 1;\n"
                               "bogus.b32   %r1,\n  %r2;"));
  EXPECT_EQ(device.error, "line 10: unknown instruction 'bogus': "
                          "bogus.b32 %r1, %r2");
}

TEST(Parser, KernelProperties) {
  Device device;
  ASSERT_TRUE(device.load(".version 7.0\n.target sm_80, debug\n.address_size 64\n"
                          ".file 1 \"x.cu\"\n.global .align 8 .b8 data[3] = {1, 0x2, 3};\n"
                          ".const .f32 c = 0f3F800000;\n.global .u64 ptr = data+1;\n"
                          ".visible .entry k(.param .u32 a, .param .u64 .ptr .global .align 16 b,"
                          " .param .align 4 .b8 s[12])\n.maxntid 128, 2\n.minnctapersm 3\n"
                          "{ .loc 1 3 4\n .reg .b32 %r<2>; .shared .align 16 .b8 sh[100];"
                          " .pragma \"nounroll\";\n mov.u32 %r1, sh; ret; }\n"
                          ".section .debug_info { .b8 1 }\n"))
      << device.error;
  const Kernel *kernel = device.module->kernel("k");
  ASSERT_NE(kernel, nullptr);
  ASSERT_EQ(kernel->params.size(), 3u);
  EXPECT_EQ(kernel->params[1].offset, 8u);
  EXPECT_EQ(kernel->params[2].offset, 16u);
  EXPECT_EQ(kernel->paramBytes, 28u);
  EXPECT_EQ(kernel->maxThreads[1], 2u);
  EXPECT_EQ(kernel->maxThreads[2], 1u);
  EXPECT_EQ(kernel->minBlocks, 3u);
  EXPECT_EQ(kernel->staticShared, 100u);
  EXPECT_EQ(device.module->targetSm(), 80u);
  EXPECT_EQ(device.module->ptxVersion(), 70u);
  const GlobalVariable *data = device.module->global("data");
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(device.get<uint8_t>(data->address, 3), (std::vector<uint8_t>{1, 2, 3}));
  const GlobalVariable *pointer = device.module->global("ptr");
  EXPECT_EQ(device.get<uint64_t>(pointer->address, 1)[0], data->address + 1);
  EXPECT_TRUE(device.module->global("c")->readOnly);
  EXPECT_EQ(device.module->global("d"), nullptr);
  device.module.reset();
  EXPECT_EQ(device.memory.liveAllocations(), 0u);
}

/// Whatever the text, loading ends in a module or in an error.
TEST(Parser, SurvivesMutations) {
  std::mt19937 random(7);
  const char *files[] = {"softmax.ptx", "tensor.ptx", "control.ptx", "reduce.ptx"};
  unsigned refused = 0;
  for (const char *name : files) {
    std::ifstream file(std::string(HGC_EMU_PTX_DIR) + "/" + name);
    std::stringstream stream;
    stream << file.rdbuf();
    const std::string original = stream.str();
    ASSERT_FALSE(original.empty());
    for (unsigned round = 0; round < 250; ++round) {
      std::string text = original;
      unsigned changes = 1 + random() % 4;
      for (unsigned k = 0; k < changes; ++k) {
        size_t at = random() % text.size(), other = random() % text.size();
        size_t length = 1 + random() % 12;
        switch (random() % 5) {
        case 0:
          text[at] = static_cast<char>(32 + random() % 95);
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(at, text.substr(other, length));
          break;
        case 3:
          std::swap(text[at], text[other]);
          break;
        default:
          text.resize(at + 1);
        }
      }
      Device device;
      bool ok = device.load(text);
      EXPECT_EQ(ok, device.error.empty());
      refused += !ok;
    }
  }
  EXPECT_GT(refused, 500u);
}

} // namespace
