//===- DeviceTest.cpp - devices and settings of the emulated driver -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Emulator.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace hgc::emu;

namespace {

class DeviceTest : public EmulatorTest {
protected:
  int attribute(int which, int device = 0) {
    int value = -1;
    EXPECT_OK(cuDeviceGetAttribute(&value, which, device));
    return value;
  }
  hgc_cu_result initWith(const std::string &variable) {
    configure({variable});
    return cuInit(0);
  }
};

} // namespace

TEST_F(DeviceTest, NothingWorksBeforeInit) {
  int count = 0;
  EXPECT_EQ(cuDeviceGetCount(&count), HGC_CU_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(cuCtxSynchronize(), HGC_CU_ERROR_NOT_INITIALIZED);
  EXPECT_OK(cuDriverGetVersion(&count));
  EXPECT_EQ(count, 13000);
  EXPECT_EQ(cuInit(1), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_OK(cuInit(0));
  EXPECT_OK(cuInit(0));
  EXPECT_OK(cuDeviceGetCount(&count));
  EXPECT_EQ(count, 1);
}

TEST_F(DeviceTest, DescribesItself) {
  configure({"HGC_EMU_DEVICE=a100"});
  ASSERT_OK(cuInit(0));
  char name[64];
  ASSERT_OK(cuDeviceGetName(name, sizeof name, 0));
  EXPECT_STREQ(name, "hgc emulated A100");
  ASSERT_OK(cuDeviceGetName(name, 4, 0));
  EXPECT_STREQ(name, "hgc");
  size_t bytes = 0;
  ASSERT_OK(cuDeviceTotalMem_v2(&bytes, 0));
  EXPECT_EQ(bytes, 64u << 20);
  EXPECT_EQ(attribute(cuda::computeCapabilityMajor), 8);
  EXPECT_EQ(attribute(cuda::computeCapabilityMinor), 0);
  EXPECT_EQ(attribute(cuda::multiprocessorCount), 108);
  EXPECT_EQ(attribute(cuda::maxSharedPerBlockOptin), 163 * 1024);
  EXPECT_EQ(attribute(cuda::unifiedAddressing), 1);
  EXPECT_EQ(attribute(cuda::warpSize), 32);
  cuda::Uuid uuid;
  ASSERT_OK(cuDeviceGetUuid_v2(&uuid, 0));
  EXPECT_EQ(std::memcmp(uuid.bytes, "hgc emulated", 12), 0);
  char bus[16];
  ASSERT_OK(cuDeviceGetPCIBusId(bus, sizeof bus, 0));
  EXPECT_STREQ(bus, "0000:01:00.0");
}

TEST_F(DeviceTest, RefusesBadArguments) {
  ASSERT_OK(cuInit(0));
  int value = 0;
  size_t bytes = 0;
  char text[8];
  cuda::Uuid uuid;
  EXPECT_EQ(cuDeviceGetCount(nullptr), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceGet(nullptr, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceGet(&value, 1), HGC_CU_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuDeviceGet(&value, -1), HGC_CU_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuDeviceGetName(nullptr, 8, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceGetName(text, 0, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceGetName(text, 8, 9), HGC_CU_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuDeviceTotalMem_v2(nullptr, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceTotalMem_v2(&bytes, 2), HGC_CU_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuDeviceGetAttribute(nullptr, 1, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceGetAttribute(&value, 9999, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceGetAttribute(&value, 1, 3), HGC_CU_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuDeviceGetUuid_v2(nullptr, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceGetUuid_v2(&uuid, 7), HGC_CU_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuDeviceGetPCIBusId(nullptr, 8, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceGetPCIBusId(text, 8, 1), HGC_CU_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuDriverGetVersion(nullptr), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceCanAccessPeer(nullptr, 0, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceCanAccessPeer(&value, 0, 1), HGC_CU_ERROR_INVALID_DEVICE);
}

TEST_F(DeviceTest, TablesDifferAndTheLastServesTheRest) {
  configure({"HGC_EMU_DEVICE=T4,h100", "HGC_EMU_DEVICES=3"});
  ASSERT_OK(cuInit(0));
  int count = 0;
  ASSERT_OK(cuDeviceGetCount(&count));
  EXPECT_EQ(count, 3);
  EXPECT_EQ(attribute(cuda::computeCapabilityMinor, 0), 5);
  EXPECT_EQ(attribute(cuda::computeCapabilityMajor, 1), 9);
  EXPECT_EQ(attribute(cuda::computeCapabilityMajor, 2), 9);
  for (const char *key : {"a100-80", "a10", "h100-pcie", "b200", "l4", "rtx4090", "orin"}) {
    EXPECT_OK(initWith(std::string("HGC_EMU_DEVICE=") + key)) << key;
    EXPECT_GT(attribute(cuda::multiprocessorCount), 0);
  }
}

// The compiler plans for the same GPUs that the emulator imitates.
TEST_F(DeviceTest, TablesAreTheCompilers) {
  int seen = 0;
  for (const auto &entry : std::filesystem::directory_iterator(HGC_DEVICE_TABLES)) {
    std::ifstream file(entry.path());
    std::string text((std::istreambuf_iterator<char>(file)), {});
    if (text.find("\"kind\": \"gpu\"") == std::string::npos)
      continue;
    ++seen;
    std::string name = entry.path().stem().string();
    auto field = [&](const std::string &key) {
      size_t at = text.find("\"" + key + "\": ");
      EXPECT_NE(at, std::string::npos) << name << " " << key;
      return std::strtoll(text.c_str() + at + key.size() + 4, nullptr, 10);
    };
    ASSERT_OK(initWith("HGC_EMU_DEVICE=" + name)) << lastFinding();
    EXPECT_EQ(attribute(cuda::computeCapabilityMajor) * 10 + attribute(cuda::computeCapabilityMinor), field("sm"))
        << name;
    EXPECT_EQ(attribute(cuda::multiprocessorCount), field("sms")) << name;
    EXPECT_EQ(attribute(cuda::clockRate), field("clock_hz") / 1000) << name;
    EXPECT_EQ(attribute(cuda::l2CacheSize), field("l2_bytes")) << name;
    EXPECT_EQ(attribute(cuda::maxSharedPerBlockOptin), field("shared_bytes_per_block")) << name;
    EXPECT_EQ(attribute(cuda::maxSharedPerMultiprocessor), field("shared_bytes_per_sm")) << name;
    configure({"HGC_EMU_DEVICE=" + name});
    unsetenv("HGC_EMU_MEMORY");
    ASSERT_OK(cuInit(0));
    size_t bytes = 0;
    ASSERT_OK(cuDeviceTotalMem_v2(&bytes, 0));
    EXPECT_EQ(int64_t(bytes), field("memory_bytes")) << name;
  }
  EXPECT_GE(seen, 8);
}

TEST_F(DeviceTest, NoDevice) { EXPECT_EQ(initWith("HGC_EMU_DEVICES=0"), HGC_CU_ERROR_NO_DEVICE); }

TEST_F(DeviceTest, DriverVersion) {
  configure({"HGC_EMU_DRIVER=11040"});
  int version = 0;
  EXPECT_OK(cuDriverGetVersion(&version));
  EXPECT_EQ(version, 11040);
}

TEST_F(DeviceTest, BadVariablesAreRefusedWithAReason) {
  struct Case {
    const char *setting, *finding;
  };
  const Case cases[] = {
      {"HGC_EMU_DEVICE=gtx", "HGC_EMU_DEVICE is 'gtx', expected one of a100"},
      {"HGC_EMU_DEVICES=many", "expected a number from 0 to 64"},
      {"HGC_EMU_MEMORY=lots", "expected a number of bytes such as"},
      {"HGC_EMU_MEMORY=0", "HGC_EMU_MEMORY is '0'"},
      {"HGC_EMU_SCHEDULE=random", "expected lazy, eager or seed:<number>"},
      {"HGC_EMU_FAIL=cuInit", "expected <function>:<n-th call>[=<code>]"},
      {"HGC_EMU_FAIL=cuInit:0", "HGC_EMU_FAIL is 'cuInit:0'"},
      {"HGC_EMU_SKIP=cuMemFree:1", "of a function that orders operations"},
      {"HGC_EMU_CHECKS=some", "expected all, none, or races, init, order, blocks"},
      {"HGC_EMU_APPROX=rough", "HGC_EMU_APPROX is 'rough', expected exact or a number"},
      {"HGC_EMU_LEAKS=yes", "HGC_EMU_LEAKS is 'yes', expected 0 or 1"},
      {"HGC_EMU_THREADS=0", "expected a number from 1 to 256"},
      {"HGC_EMU_DRIVER=new", "expected a version such as 12020"},
  };
  for (const Case &c : cases) {
    EXPECT_EQ(initWith(c.setting), HGC_CU_ERROR_SYSTEM_NOT_READY) << c.setting;
    EXPECT_NE(lastFinding().find(c.finding), std::string::npos) << lastFinding();
  }
}

TEST_F(DeviceTest, ErrorsHaveNamesAndTexts) {
  const char *text = nullptr;
  EXPECT_OK(cuGetErrorName(HGC_CU_ERROR_OUT_OF_MEMORY, &text));
  EXPECT_STREQ(text, "CUDA_ERROR_OUT_OF_MEMORY");
  EXPECT_OK(cuGetErrorString(HGC_CU_ERROR_INVALID_VALUE, &text));
  EXPECT_STREQ(text, "invalid argument");
  EXPECT_EQ(cuGetErrorName(12345, &text), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
  EXPECT_EQ(cuGetErrorString(0, nullptr), HGC_CU_ERROR_INVALID_VALUE);
}

TEST_F(DeviceTest, FindsFunctionsByNameAndVersion) {
  void *found = nullptr;
  int status = -1;
  EXPECT_OK(cuGetProcAddress_v2("cuMemAlloc", &found, 12000, 0, &status));
  EXPECT_EQ(found, reinterpret_cast<void *>(&cuMemAlloc_v2));
  EXPECT_EQ(status, cuda::procFound);
  EXPECT_OK(cuGetProcAddress_v2("cuMemAlloc", &found, 2000, 0, &status));
  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(status, cuda::procVersionTooOld);
  EXPECT_OK(cuGetProcAddress_v2("cuNothing", &found, 12000, 0, &status));
  EXPECT_EQ(status, cuda::procNotFound);
  EXPECT_EQ(cuGetProcAddress("cuNothing", &found, 12000, 0), HGC_CU_ERROR_NOT_FOUND);
  EXPECT_EQ(cuGetProcAddress_v2("cuInit", &found, 99000, 0, nullptr), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuGetProcAddress_v2(nullptr, &found, 12000, 0, nullptr), HGC_CU_ERROR_INVALID_VALUE);
  // The per-thread form differs where there is one.
  void *perThread = nullptr;
  EXPECT_OK(cuGetProcAddress_v2("cuLaunchKernel", &found, 12000, 1, nullptr));
  EXPECT_OK(cuGetProcAddress_v2("cuLaunchKernel", &perThread, 12000, 2, nullptr));
  EXPECT_EQ(found, reinterpret_cast<void *>(&cuLaunchKernel));
  EXPECT_NE(perThread, found);
}
