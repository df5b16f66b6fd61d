//===- CopyTest.cpp - copies and fills of the emulated driver -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Emulator.h"

#include <cstring>
#include <numeric>
#include <sys/mman.h>

using namespace hgc::emu;

namespace {

class CopyTest : public EmulatorTest {};

uint64_t bits(const void *pointer) { return reinterpret_cast<uint64_t>(pointer); }

} // namespace

TEST_F(CopyTest, RoundTrip) {
  start();
  std::vector<int> in(1000), out(1000);
  std::iota(in.begin(), in.end(), 5);
  hgc_cu_ptr a = alloc(4000), b = alloc(4000);
  EXPECT_OK(cuMemcpyHtoD_v2(a, in.data(), 4000));
  EXPECT_OK(cuMemcpyDtoD_v2(b, a, 4000));
  EXPECT_OK(cuMemcpyDtoH_v2(out.data(), b, 4000));
  EXPECT_EQ(in, out);
  // The generic form finds out by itself where memory is.
  std::vector<int> again(1000), third(1000);
  EXPECT_OK(cuMemcpy(bits(again.data()), b, 4000));
  EXPECT_EQ(in, again);
  EXPECT_OK(cuMemcpy(bits(third.data()), bits(again.data()), 4000));
  EXPECT_EQ(in, third);
}

TEST_F(CopyTest, HostSeesPoisonUntilTheCopyHasRun) {
  start();
  hgc_cu_stream s = stream();
  hgc_cu_ptr a = floats(4, 3);
  float *h = pinned(4, 0);
  EXPECT_OK(cuMemcpyDtoHAsync_v2(h, a, 16, s));
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(reinterpret_cast<unsigned char *>(h)[i], 0xcb);
  EXPECT_OK(cuStreamSynchronize(s));
  EXPECT_EQ(h[3], 3.0f);
}

TEST_F(CopyTest, RefusesBadRanges) {
  start();
  hgc_cu_ptr a = alloc(64);
  std::vector<char> h(128);
  EXPECT_EQ(cuMemcpyHtoD_v2(a, h.data(), 65), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_NE(lastFinding().find("cuMemcpyHtoD writes 65 bytes at"), std::string::npos) << lastFinding();
  EXPECT_EQ(cuMemcpyDtoH_v2(h.data(), a + 1, 64), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_NE(lastFinding().find("cuMemcpyDtoH reads 64 bytes at"), std::string::npos) << lastFinding();
  EXPECT_EQ(cuMemcpyHtoD_v2(bits(h.data()), h.data(), 4), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(a, nullptr, 4, nullptr), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemcpyDtoHAsync_v2(nullptr, a, 4, nullptr), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemcpyDtoDAsync_v2(a, bits(h.data()), 4, nullptr), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(a, h.data(), 4, reinterpret_cast<hgc_cu_stream>(0x44)), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_OK(cuMemcpyHtoD_v2(a, h.data(), 0));
  EXPECT_OK(cuCtxSynchronize());
}

TEST_F(CopyTest, MemoryNeverWrittenDoesNotReachTheHost) {
  start();
  hgc_cu_ptr a = alloc(64), b = alloc(64);
  std::vector<char> h(64);
  EXPECT_OK(cuMemcpyHtoD_v2(a, h.data(), 32));
  // What was never written stays so in a copy on the device.
  EXPECT_OK(cuMemcpyDtoD_v2(b, a, 64));
  EXPECT_OK(cuMemcpyDtoH_v2(h.data(), b, 32));
  EXPECT_EQ(cuMemcpyDtoH_v2(h.data(), b, 33), HGC_CU_ERROR_LAUNCH_FAILED);
  EXPECT_NE(lastFinding().find("to the host that was never written"), std::string::npos) << lastFinding();
}

TEST_F(CopyTest, InitialisationCheckCanBeOff) {
  configure({"HGC_EMU_CHECKS=races,order"});
  start();
  hgc_cu_ptr a = alloc(64);
  char h[64];
  EXPECT_OK(cuMemcpyDtoH_v2(h, a, 64));
  EXPECT_EQ(hgcemu_findings(), 0u);
}

TEST_F(CopyTest, SourceMustNotChangeInFlight) {
  start();
  hgc_cu_stream s = stream();
  hgc_cu_ptr a = alloc(40);
  float *h = pinned(10, 1);
  EXPECT_OK(cuMemcpyHtoDAsync_v2(a, h, 40, s));
  h[7] = 2;
  EXPECT_EQ(cuStreamSynchronize(s), HGC_CU_ERROR_LAUNCH_FAILED);
  EXPECT_NE(lastFinding().find("changed before it was copied"), std::string::npos) << lastFinding();
}

TEST_F(CopyTest, SourceMayChangeAfterwards) {
  start();
  hgc_cu_stream s = stream();
  hgc_cu_ptr a = alloc(40);
  float *h = pinned(10, 1);
  EXPECT_OK(cuMemcpyHtoDAsync_v2(a, h, 40, s));
  EXPECT_OK(cuStreamSynchronize(s));
  h[7] = 2;
  EXPECT_EQ(read(a, 10)[7], 1.0f);
  EXPECT_EQ(hgcemu_findings(), 0u);
}

TEST_F(CopyTest, DestinationMustNotBeWrittenInFlight) {
  start();
  hgc_cu_stream s = stream();
  hgc_cu_ptr a = floats(4, 1);
  float *h = pinned(4, 0);
  EXPECT_OK(cuMemcpyDtoHAsync_v2(h, a, 16, s));
  h[0] = 5;
  EXPECT_EQ(cuStreamSynchronize(s), HGC_CU_ERROR_LAUNCH_FAILED);
  EXPECT_NE(lastFinding().find("was written while a copy into it"), std::string::npos) << lastFinding();
}

TEST_F(CopyTest, BufferMayGoThereAndBackInOneStream) {
  start();
  hgc_cu_stream s = stream();
  hgc_cu_ptr a = alloc(16), b = floats(4, 9);
  float *h = pinned(4, 4);
  EXPECT_OK(cuMemcpyHtoDAsync_v2(a, h, 16, s));
  EXPECT_OK(cuMemcpyDtoHAsync_v2(h, b, 16, s));
  EXPECT_OK(cuMemcpyHtoDAsync_v2(b, h, 16, s));
  EXPECT_OK(cuStreamSynchronize(s));
  EXPECT_EQ(read(a, 4)[0], 4.0f);
  EXPECT_EQ(read(b, 4)[0], 9.0f);
  EXPECT_EQ(hgcemu_findings(), 0u);
}

TEST_F(CopyTest, HostMemoryMustExist) {
  start();
  hgc_cu_ptr a = floats(4, 1);
  void *nowhere = reinterpret_cast<void *>(uint64_t(4096));
  EXPECT_EQ(cuMemcpyDtoHAsync_v2(nowhere, a, 16, nullptr), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(a, nowhere, 16, nullptr), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(lastFinding(), "cuMemcpyHtoDAsync of 16 bytes: there is no host "
                           "memory at 0x1000");
}

TEST_F(CopyTest, HostMemoryMustStayUntilTheCopyHasRun) {
  start();
  hgc_cu_stream s = stream();
  hgc_cu_ptr a = floats(4, 1);
  void *page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  EXPECT_OK(cuMemcpyHtoDAsync_v2(a, page, 16, s));
  munmap(page, 4096);
  EXPECT_NE(cuStreamSynchronize(s), HGC_CU_SUCCESS);
  EXPECT_EQ(hgcemu_findings(), 1u);
}

TEST_F(CopyTest, EagerCopyOfMissingHostMemoryIsAFinding) {
  configure({"HGC_EMU_SCHEDULE=eager"});
  start();
  hgc_cu_ptr a = alloc(16);
  void *gone = reinterpret_cast<void *>(uint64_t(4096));
  EXPECT_OK(cuMemcpyHtoDAsync_v2(a, gone, 16, nullptr));
  EXPECT_EQ(cuCtxSynchronize(), HGC_CU_ERROR_ILLEGAL_ADDRESS);
  EXPECT_NE(lastFinding().find("there is no host memory at 0x1000"), std::string::npos) << lastFinding();
}

TEST_F(CopyTest, Fills) {
  start();
  hgc_cu_ptr a = alloc(64);
  EXPECT_OK(cuMemsetD32_v2(a, 0x01020304, 16));
  EXPECT_OK(cuMemsetD16Async(a + 4, 0xabcd, 2, nullptr));
  EXPECT_OK(cuMemsetD8Async(a + 8, 0x7f, 3, nullptr));
  unsigned out[16];
  EXPECT_OK(cuMemcpyDtoH_v2(out, a, 64));
  EXPECT_EQ(out[0], 0x01020304u);
  EXPECT_EQ(out[1], 0xabcdabcdu);
  EXPECT_EQ(out[2], 0x017f7f7fu);
  EXPECT_EQ(cuMemsetD32Async(a + 2, 0, 1, nullptr), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemsetD16Async(a + 1, 0, 1, nullptr), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemsetD8_v2(a, 0, 65), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_NE(lastFinding().find("cuMemsetD8 writes 65 bytes at"), std::string::npos);
  EXPECT_EQ(cuMemsetD8_v2(bits(out), 0, 4), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_OK(cuMemsetD8_v2(a, 0, 0));
}

TEST_F(CopyTest, Rectangles) {
  start();
  std::vector<int> in(6 * 8), out(6 * 8, -1);
  std::iota(in.begin(), in.end(), 0);
  hgc_cu_ptr a = alloc(4 * 64);
  cuda::Copy2D up = {};
  up.srcType = cuda::memoryHost;
  up.srcHost = in.data();
  up.srcPitch = 32;
  up.srcX = 8;
  up.srcY = 1;
  up.dstType = cuda::memoryDevice;
  up.dstDevice = a;
  up.dstPitch = 64;
  up.width = 16;
  up.height = 4;
  EXPECT_OK(cuMemcpy2D_v2(&up));
  cuda::Copy2D down = {};
  down.srcType = cuda::memoryUnified;
  down.srcDevice = a;
  down.srcPitch = 64;
  down.dstType = cuda::memoryHost;
  down.dstHost = out.data();
  down.dstPitch = 32;
  down.width = 16;
  down.height = 4;
  EXPECT_OK(cuMemcpy2DAsync_v2(&down, nullptr));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(out[0], in[8 + 2]);
  EXPECT_EQ(out[3 * 8 + 3], in[4 * 8 + 5]);
  EXPECT_EQ(out[4], -1);

  EXPECT_EQ(cuMemcpy2D_v2(nullptr), HGC_CU_ERROR_INVALID_VALUE);
  up.srcPitch = 12;
  EXPECT_EQ(cuMemcpy2D_v2(&up), HGC_CU_ERROR_INVALID_VALUE);
  up.srcPitch = 32;
  up.srcType = cuda::memoryArray;
  EXPECT_EQ(cuMemcpy2D_v2(&up), HGC_CU_ERROR_NOT_SUPPORTED);
  up.srcType = 9;
  EXPECT_EQ(cuMemcpy2D_v2(&up), HGC_CU_ERROR_INVALID_VALUE);
  up.srcType = cuda::memoryHost;
  up.height = 5;
  EXPECT_EQ(cuMemcpy2D_v2(&up), HGC_CU_ERROR_INVALID_VALUE);
  up.height = 0;
  EXPECT_OK(cuMemcpy2D_v2(&up));
}
