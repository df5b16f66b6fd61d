//===- LaunchTest.cpp - modules and launches of the emulated driver -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Emulator.h"

#include <cstring>

using namespace hgc::emu;

namespace {

class LaunchTest : public EmulatorTest {
protected:
  hgc_cu_result load(const std::string &ptx, std::string *log = nullptr) {
    char buffer[512] = "";
    int options[] = {cuda::jitErrorLog, cuda::jitErrorLogBytes};
    void *values[] = {buffer, reinterpret_cast<void *>(uintptr_t(sizeof buffer))};
    hgc_cu_module loaded = nullptr;
    hgc_cu_result result = cuModuleLoadDataEx(&loaded, ptx.c_str(), 2, options, values);
    if (log)
      *log = buffer;
    EXPECT_EQ(std::strlen(buffer), reinterpret_cast<uintptr_t>(values[1]));
    return result;
  }
  int attribute(hgc_cu_function function, int which) {
    int value = -1;
    EXPECT_OK(cuFuncGetAttribute(&value, which, function));
    return value;
  }
  hgc_cu_result launchBounded(unsigned gx, unsigned bx, unsigned shared = 0) {
    hgc_cu_ptr x = alloc(4);
    void *params[] = {&x};
    return cuLaunchKernel(kernel("bounded"), gx, 1, 1, bx, 1, 1, shared, nullptr, params, nullptr);
  }
};

std::string head(const char *version, const char *target) {
  return std::string(".version ") + version + "\n.target " + target +
         "\n.address_size 64\n.visible .entry nothing() { ret; }\n";
}

} // namespace

TEST_F(LaunchTest, RunsAKernel) {
  start();
  hgc_cu_ptr x = floats(300, 2), y = alloc(1200);
  EXPECT_OK(scale(x, y, 1.5f, 300, nullptr));
  for (float value : read(y, 300))
    EXPECT_EQ(value, 3.0f);
}

TEST_F(LaunchTest, ArgumentsInOneBuffer) {
  start();
  hgc_cu_ptr x = floats(64, 2), y = alloc(256);
  struct {
    hgc_cu_ptr x, y;
    float a;
    unsigned n;
  } args = {x, y, 4, 64};
  size_t bytes = sizeof args;
  void *extra[] = {reinterpret_cast<void *>(cuda::paramBuffer), &args, reinterpret_cast<void *>(cuda::paramBytes),
                   &bytes, nullptr};
  hgc_cu_function f = kernel("scale");
  EXPECT_OK(cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
  // The arguments were taken: changing them later has no effect.
  args.a = 100;
  EXPECT_EQ(read(y, 64)[63], 8.0f);
  bytes = 8;
  EXPECT_EQ(cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra), HGC_CU_ERROR_INVALID_VALUE);
  void *params[] = {&x, &y, &args.a, &args.n};
  EXPECT_EQ(cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, params, extra), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr), HGC_CU_ERROR_INVALID_VALUE);
}

TEST_F(LaunchTest, ConfigurationStruct) {
  start();
  hgc_cu_ptr x = floats(64, 2), y = alloc(256);
  float a = 2;
  unsigned n = 64;
  void *params[] = {&x, &y, &a, &n};
  cuda::LaunchAttribute attribute = {};
  attribute.id = cuda::attributePriority;
  cuda::LaunchConfig config = {};
  config.grid[0] = config.grid[1] = config.grid[2] = 1;
  config.block[0] = 64;
  config.block[1] = config.block[2] = 1;
  config.attributes = &attribute;
  config.attributeCount = 1;
  EXPECT_OK(cuLaunchKernelEx(&config, kernel("scale"), params, nullptr));
  EXPECT_EQ(read(y, 64)[1], 4.0f);
  attribute.id = 4; // clusters
  EXPECT_EQ(cuLaunchKernelEx(&config, kernel("scale"), params, nullptr), HGC_CU_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cuLaunchKernelEx(nullptr, kernel("scale"), params, nullptr), HGC_CU_ERROR_INVALID_VALUE);
}

TEST_F(LaunchTest, Limits) {
  start();
  EXPECT_EQ(launchBounded(0, 32), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(launchBounded(1, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(launchBounded(1, 65), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(launchBounded(1, 32, 48 * 1024), HGC_CU_ERROR_INVALID_VALUE);
  hgc_cu_function f = kernel("bounded"), g = kernel("scale");
  EXPECT_OK(cuFuncSetAttribute(f, cuda::funcMaxDynamicShared, 100 * 1024));
  EXPECT_OK(launchBounded(1, 32, 48 * 1024));
  EXPECT_EQ(cuFuncSetAttribute(f, cuda::funcMaxDynamicShared, 163 * 1024), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuFuncSetAttribute(f, cuda::funcRegisters, 3), HGC_CU_ERROR_INVALID_VALUE);
  hgc_cu_ptr x = floats(4, 1);
  float a = 1;
  unsigned n = 0;
  void *params[] = {&x, &x, &a, &n};
  auto launch = [&](unsigned gx, unsigned gy, unsigned bx, unsigned by, unsigned bz) {
    return cuLaunchKernel(g, gx, gy, 1, bx, by, bz, 0, nullptr, params, nullptr);
  };
  EXPECT_OK(launch(1, 1, 1024, 1, 1));
  EXPECT_EQ(launch(1, 1, 1025, 1, 1), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(1, 1, 1024, 2, 1), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(1, 1, 1, 1, 65), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(1, 65536, 1, 1, 1), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_OK(cuCtxSynchronize());
}

TEST_F(LaunchTest, RegistersLimitTheBlock) {
  start();
  // 200 values that are all alive before the first is used.
  std::string ptx = ".version 7.0\n.target sm_80\n.address_size 64\n"
                    ".visible .entry wide(.param .u64 x) {\n"
                    ".reg .b64 %rd<2>;\n.reg .b32 %r<201>;\n"
                    "ld.param.u64 %rd1, [x];\n";
  for (int i = 0; i < 200; ++i)
    ptx += "ld.global.b32 %r" + std::to_string(i) + ", [%rd1+" + std::to_string(4 * i) + "];\n";
  for (int i = 1; i < 200; ++i)
    ptx += "add.s32 %r0, %r0, %r" + std::to_string(i) + ";\n";
  ptx += "bar.sync 0;\nst.global.b32 [%rd1], %r0;\nret;\n}\n";
  ASSERT_OK(cuModuleLoadData(&module, ptx.c_str()));
  hgc_cu_function f = kernel("wide");
  EXPECT_GE(attribute(f, cuda::funcRegisters), 200);
  EXPECT_LT(attribute(f, cuda::funcMaxThreadsPerBlock), 512);
  hgc_cu_ptr x = floats(200, 0);
  void *params[] = {&x};
  auto launch = [&](unsigned threads) {
    return cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, nullptr, params, nullptr);
  };
  EXPECT_OK(launch(256));
  EXPECT_EQ(launch(1024), HGC_CU_ERROR_LAUNCH_OUT_OF_RESOURCES);
  // The context survives.
  EXPECT_OK(cuCtxSynchronize());
}

TEST_F(LaunchTest, FunctionAttributes) {
  start();
  hgc_cu_function f = kernel("bounded");
  EXPECT_EQ(attribute(f, cuda::funcMaxThreadsPerBlock), 64);
  EXPECT_EQ(attribute(f, cuda::funcSharedSize), 1024);
  EXPECT_EQ(attribute(f, cuda::funcLocalSize), 0);
  EXPECT_EQ(attribute(f, cuda::funcPtxVersion), 80);
  EXPECT_EQ(attribute(f, cuda::funcBinaryVersion), 80);
  EXPECT_EQ(attribute(f, cuda::funcMaxDynamicShared), 47 * 1024);
  EXPECT_GT(attribute(f, cuda::funcRegisters), 0);
  int value = 0;
  EXPECT_EQ(cuFuncGetAttribute(&value, 99, f), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuFuncGetAttribute(nullptr, 0, f), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuFuncGetAttribute(&value, 0, nullptr), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, f, 64, 0));
  EXPECT_EQ(value, 32);
  EXPECT_OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, f, 64, 40 * 1024));
  EXPECT_EQ(value, 3);
  EXPECT_OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, f, 128, 0));
  EXPECT_EQ(value, 0);
  EXPECT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, f, 0, 0), HGC_CU_ERROR_INVALID_VALUE);
}

TEST_F(LaunchTest, WrongHandles) {
  start();
  hgc_cu_function f = kernel("bounded");
  void *params[] = {&f};
  EXPECT_EQ(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, reinterpret_cast<hgc_cu_stream>(0x50), params, nullptr),
            HGC_CU_ERROR_INVALID_HANDLE);
  hgc_cu_stream s = stream();
  // Neither function nor stream may belong to another context.
  hgc_cu_context other;
  ASSERT_OK(cuCtxCreate_v2(&other, 0, 0));
  EXPECT_EQ(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr), HGC_CU_ERROR_INVALID_HANDLE);
  module = nullptr;
  f = kernel("bounded");
  EXPECT_EQ(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, params, nullptr), HGC_CU_ERROR_INVALID_HANDLE);
  ASSERT_OK(cuModuleUnload(module));
  EXPECT_EQ(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuModuleUnload(module), HGC_CU_ERROR_INVALID_HANDLE);
}

TEST_F(LaunchTest, ModulesAndTheirNames) {
  start();
  kernel("scale");
  hgc_cu_function f = nullptr;
  EXPECT_EQ(cuModuleGetFunction(&f, module, "none"), HGC_CU_ERROR_NOT_FOUND);
  EXPECT_EQ(cuModuleGetFunction(nullptr, module, "scale"), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuModuleGetFunction(&f, nullptr, "scale"), HGC_CU_ERROR_INVALID_HANDLE);
  hgc_cu_ptr p = 0;
  size_t bytes = 0;
  ASSERT_OK(cuModuleGetGlobal_v2(&p, &bytes, module, "table"));
  EXPECT_EQ(bytes, 16u);
  unsigned values[4];
  EXPECT_OK(cuMemcpyDtoH_v2(values, p, 16));
  EXPECT_EQ(values[2], 3u);
  EXPECT_EQ(cuModuleGetGlobal_v2(&p, &bytes, module, "none"), HGC_CU_ERROR_NOT_FOUND);
  EXPECT_EQ(cuModuleGetGlobal_v2(nullptr, nullptr, module, "table"), HGC_CU_ERROR_INVALID_VALUE);
}

TEST_F(LaunchTest, ImagesThatAreRefused) {
  configure({"HGC_EMU_DRIVER=12000"});
  start();
  std::string log;
  EXPECT_EQ(load("\x7f"
                 "ELF and more",
                 &log),
            HGC_CU_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(log, "the emulated GPU runs PTX only, this image is machine code");
  EXPECT_EQ(load("hello", &log), HGC_CU_ERROR_INVALID_IMAGE);
  EXPECT_EQ(log, "the image is no PTX: '.version' or '.target' is missing");
  EXPECT_EQ(load(head("8.3", "sm_80"), &log), HGC_CU_ERROR_UNSUPPORTED_PTX_VERSION);
  EXPECT_EQ(log, "PTX 8.3 is newer than the 8.0 this driver knows");
  EXPECT_EQ(load(head("7.8", "sm_90"), &log), HGC_CU_ERROR_INVALID_PTX);
  EXPECT_EQ(log, "PTX for sm_90 cannot run on sm_80");
  EXPECT_OK(load(head("7.0", "sm_75"), &log));
  EXPECT_EQ(load(head("7.0", "sm_80") + ".visible .entry f() { blah; }", &log), HGC_CU_ERROR_INVALID_PTX);
  EXPECT_NE(log.find("line"), std::string::npos) << log;
  hgc_cu_module m = nullptr;
  int badOption = 77;
  void *value = nullptr;
  EXPECT_EQ(cuModuleLoadDataEx(&m, testPtx, 1, &badOption, &value), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuModuleLoadDataEx(&m, testPtx, 1, nullptr, nullptr), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuModuleLoadData(nullptr, testPtx), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuModuleLoadData(&m, nullptr), HGC_CU_ERROR_INVALID_VALUE);
}

TEST_F(LaunchTest, CodeForOneGpuOnly) {
  configure({"HGC_EMU_DEVICE=b200"});
  start();
  std::string log;
  EXPECT_EQ(load(head("8.0", "sm_90a"), &log), HGC_CU_ERROR_INVALID_PTX);
  EXPECT_EQ(log, "PTX for sm_90a cannot run on sm_100");
}

TEST_F(LaunchTest, KernelFaultsNameTheInstruction) {
  start();
  hgc_cu_ptr x = floats(4, 1), y = alloc(16);
  EXPECT_OK(scale(x, y, 1, 5, nullptr));
  EXPECT_EQ(cuCtxSynchronize(), HGC_CU_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(hgcemu_findings(), 1u);
  EXPECT_NE(lastFinding().find("kernel 'scale'"), std::string::npos) << lastFinding();
  EXPECT_NE(lastFinding().find("ld.global.f32"), std::string::npos) << lastFinding();
}

TEST_F(LaunchTest, MisalignedAccess) {
  start();
  hgc_cu_ptr x = floats(8, 1), y = alloc(64);
  EXPECT_OK(scale(x + 2, y, 1, 4, nullptr));
  EXPECT_EQ(cuCtxSynchronize(), HGC_CU_ERROR_MISALIGNED_ADDRESS);
}
