//===- MemoryTest.cpp - allocation in the emulated driver -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Emulator.h"

using namespace hgc::emu;

namespace {

class MemoryTest : public EmulatorTest {
protected:
  template <typename T> T attribute(int which, uint64_t pointer) {
    T value{};
    EXPECT_OK(cuPointerGetAttribute(&value, which, pointer));
    return value;
  }
};

uint64_t bits(const void *pointer) { return reinterpret_cast<uint64_t>(pointer); }

} // namespace

TEST_F(MemoryTest, CountsWhatIsUsed) {
  start();
  size_t before = 0, after = 0, total = 0;
  ASSERT_OK(cuMemGetInfo_v2(&before, &total));
  EXPECT_EQ(total, 64u << 20);
  EXPECT_EQ(before, total);
  hgc_cu_ptr p = alloc(1000);
  ASSERT_OK(cuMemGetInfo_v2(&after, &total));
  EXPECT_EQ(before - after, 1000u);
  EXPECT_OK(cuMemFree_v2(p));
  ASSERT_OK(cuMemGetInfo_v2(&after, &total));
  EXPECT_EQ(after, before);
  EXPECT_EQ(cuMemGetInfo_v2(nullptr, &total), HGC_CU_ERROR_INVALID_VALUE);
}

TEST_F(MemoryTest, IsLimited) {
  configure({"HGC_EMU_MEMORY=4k"});
  start();
  hgc_cu_ptr p = 7;
  EXPECT_EQ(cuMemAlloc_v2(&p, 4097), HGC_CU_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(p, 7u);
  EXPECT_OK(cuMemAlloc_v2(&p, 4096));
  hgc_cu_ptr q = 0;
  EXPECT_EQ(cuMemAllocAsync(&q, 1, nullptr), HGC_CU_ERROR_OUT_OF_MEMORY);
}

TEST_F(MemoryTest, RefusesBadArguments) {
  start();
  hgc_cu_ptr p = 0;
  void *h = nullptr;
  EXPECT_EQ(cuMemAlloc_v2(nullptr, 16), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAlloc_v2(&p, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemHostAlloc(nullptr, 16, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemHostAlloc(&h, 0, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemHostAlloc(&h, 16, 64), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemHostAlloc(&h, ~size_t(0), 0), HGC_CU_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cuMemFreeHost(nullptr), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFreeHost(&h), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAllocAsync(&p, 16, reinterpret_cast<hgc_cu_stream>(0x99)), HGC_CU_ERROR_INVALID_HANDLE);
}

TEST_F(MemoryTest, FreesOnlyAllocations) {
  start();
  hgc_cu_ptr p = alloc(256);
  EXPECT_EQ(cuMemFree_v2(p + 16), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFree_v2(0x1234), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_NE(lastFinding().find("not device memory"), std::string::npos);
  EXPECT_OK(cuMemFree_v2(p));
  EXPECT_EQ(cuMemFree_v2(p), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_NE(lastFinding().find("cuMemFree of"), std::string::npos);
  EXPECT_NE(lastFinding().find("freed"), std::string::npos) << lastFinding();
  EXPECT_EQ(cuMemFreeAsync(p, nullptr), HGC_CU_ERROR_INVALID_VALUE);
  // A bad argument does not end the context.
  EXPECT_OK(cuCtxSynchronize());
}

TEST_F(MemoryTest, StreamOrderedMemory) {
  start();
  hgc_cu_stream s = stream();
  hgc_cu_ptr p = 0;
  ASSERT_OK(cuMemAllocAsync(&p, 64, s));
  EXPECT_OK(cuMemsetD32Async(p, 5, 16, s));
  EXPECT_OK(cuMemFreeAsync(p, s));
  EXPECT_EQ(hgcemu_pending(), 3u);
  EXPECT_OK(cuStreamSynchronize(s));
  size_t free = 0, total = 0;
  EXPECT_OK(cuMemGetInfo_v2(&free, &total));
  EXPECT_EQ(free, total);
  EXPECT_EQ(hgcemu_findings(), 0u);
}

TEST_F(MemoryTest, PinnedMemory) {
  hgc_cu_context ctx = start();
  float *h = pinned(10, 1);
  EXPECT_EQ(attribute<unsigned>(cuda::pointerMemoryType, bits(h)), 1u);
  EXPECT_EQ(attribute<void *>(cuda::pointerHostPointer, bits(h) + 4), static_cast<void *>(h + 1));
  EXPECT_EQ(attribute<hgc_cu_context>(cuda::pointerContext, bits(h)), ctx);
  hgc_cu_ptr device = 0;
  EXPECT_OK(cuMemHostGetDevicePointer_v2(&device, h, 0));
  EXPECT_EQ(device, bits(h));
  EXPECT_OK(cuMemFreeHost(h));
  EXPECT_EQ(cuMemHostGetDevicePointer_v2(&device, h, 0), HGC_CU_ERROR_INVALID_VALUE);
  void *other = nullptr;
  EXPECT_OK(cuMemAllocHost_v2(&other, 64));
  EXPECT_OK(cuMemFreeHost(other));
}

TEST_F(MemoryTest, RegisteredMemory) {
  start();
  std::vector<char> own(8192);
  EXPECT_EQ(cuMemHostRegister_v2(nullptr, 4, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemHostRegister_v2(own.data(), 0, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_OK(cuMemHostRegister_v2(own.data(), 4096, 0));
  EXPECT_EQ(cuMemHostRegister_v2(own.data() + 100, 8, 0), cuda::hostAlreadyRegistered);
  EXPECT_EQ(cuMemHostUnregister(own.data() + 1), cuda::hostNotRegistered);
  EXPECT_EQ(cuMemFreeHost(own.data()), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_OK(cuMemHostUnregister(own.data()));
  EXPECT_EQ(cuMemHostUnregister(own.data()), cuda::hostNotRegistered);
}

TEST_F(MemoryTest, PointerAttributes) {
  hgc_cu_context ctx = start();
  hgc_cu_ptr p = alloc(512);
  EXPECT_EQ(attribute<unsigned>(cuda::pointerMemoryType, p + 7), 2u);
  EXPECT_EQ(attribute<hgc_cu_context>(cuda::pointerContext, p), ctx);
  EXPECT_EQ(attribute<int>(cuda::pointerDeviceOrdinal, p), 0);
  EXPECT_EQ(attribute<hgc_cu_ptr>(cuda::pointerRangeStart, p + 511), p);
  EXPECT_EQ(attribute<size_t>(cuda::pointerRangeSize, p), 512u);
  EXPECT_EQ(attribute<int>(cuda::pointerMapped, p + 512), 0);
  unsigned type = 0;
  EXPECT_EQ(cuPointerGetAttribute(&type, 2, bits(&type)), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuPointerGetAttribute(&type, 2, p + 512), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuPointerGetAttribute(nullptr, 2, p), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuPointerGetAttribute(&type, 999, p), HGC_CU_ERROR_INVALID_VALUE);
  hgc_cu_ptr base = 0;
  size_t bytes = 0;
  EXPECT_OK(cuMemGetAddressRange_v2(&base, &bytes, p + 3));
  EXPECT_EQ(base, p);
  EXPECT_EQ(bytes, 512u);
  EXPECT_EQ(cuMemGetAddressRange_v2(&base, &bytes, 64), HGC_CU_ERROR_NOT_FOUND);
}
