//===- ContextTest.cpp - contexts of the emulated driver ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Emulator.h"

#include <thread>

namespace {
class ContextTest : public EmulatorTest {};
} // namespace

TEST_F(ContextTest, PrimaryContextIsCounted) {
  ASSERT_OK(cuInit(0));
  unsigned flags = 9;
  int active = 9;
  EXPECT_OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT_EQ(active, 0);
  EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), HGC_CU_ERROR_INVALID_CONTEXT);
  hgc_cu_context a = nullptr, b = nullptr;
  EXPECT_OK(cuDevicePrimaryCtxRetain(&a, 0));
  EXPECT_OK(cuDevicePrimaryCtxRetain(&b, 0));
  EXPECT_EQ(a, b);
  EXPECT_OK(cuDevicePrimaryCtxRelease_v2(0));
  EXPECT_OK(cuCtxSetCurrent(a));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_OK(cuDevicePrimaryCtxRelease_v2(0));
  EXPECT_EQ(cuCtxSynchronize(), HGC_CU_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuCtxSetCurrent(a), HGC_CU_ERROR_INVALID_CONTEXT);
}

TEST_F(ContextTest, RefusesBadArguments) {
  ASSERT_OK(cuInit(0));
  hgc_cu_context ctx = nullptr;
  unsigned flags = 0;
  int active = 0;
  EXPECT_EQ(cuDevicePrimaryCtxRetain(nullptr, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDevicePrimaryCtxRetain(&ctx, 4), HGC_CU_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(4), HGC_CU_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuDevicePrimaryCtxReset_v2(4), HGC_CU_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuDevicePrimaryCtxSetFlags_v2(0, 0x100), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDevicePrimaryCtxGetState(0, nullptr, &active), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDevicePrimaryCtxGetState(3, &flags, &active), HGC_CU_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuCtxCreate_v2(nullptr, 0, 0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuCtxCreate_v2(&ctx, 0, 1), HGC_CU_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuCtxDestroy_v2(nullptr), HGC_CU_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxGetCurrent(nullptr), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuCtxPushCurrent_v2(nullptr), HGC_CU_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxPopCurrent_v2(&ctx), HGC_CU_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxSynchronize(), HGC_CU_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxEnablePeerAccess(nullptr, 0), HGC_CU_ERROR_INVALID_CONTEXT);
}

TEST_F(ContextTest, CurrentContextsAreAStack) {
  ASSERT_OK(cuInit(0));
  hgc_cu_context a, b, top;
  ASSERT_OK(cuCtxCreate_v2(&a, 0, 0));
  ASSERT_OK(cuCtxCreate_v2(&b, 0, 0));
  EXPECT_OK(cuCtxGetCurrent(&top));
  EXPECT_EQ(top, b);
  EXPECT_OK(cuCtxPopCurrent_v2(&top));
  EXPECT_EQ(top, b);
  EXPECT_OK(cuCtxGetCurrent(&top));
  EXPECT_EQ(top, a);
  EXPECT_OK(cuCtxPushCurrent_v2(b));
  EXPECT_OK(cuCtxDestroy_v2(b));
  EXPECT_OK(cuCtxGetCurrent(&top));
  EXPECT_EQ(top, a);
  EXPECT_EQ(cuCtxPushCurrent_v2(b), HGC_CU_ERROR_INVALID_CONTEXT);
  EXPECT_OK(cuCtxSetCurrent(nullptr));
  EXPECT_OK(cuCtxGetCurrent(&top));
  EXPECT_EQ(top, nullptr);
  EXPECT_OK(cuCtxDestroy_v2(a));
}

TEST_F(ContextTest, TheStackIsFinite) {
  hgc_cu_context ctx = start();
  hgc_cu_result result = HGC_CU_SUCCESS;
  for (int i = 0; i < 100 && result == HGC_CU_SUCCESS; ++i)
    result = cuCtxPushCurrent_v2(ctx);
  EXPECT_EQ(result, HGC_CU_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cuCtxCreate_v2(&ctx, 0, 0), HGC_CU_ERROR_OUT_OF_MEMORY);
}

TEST_F(ContextTest, PrimaryContextIsNotDestroyed) {
  hgc_cu_context ctx = start();
  EXPECT_EQ(cuCtxDestroy_v2(ctx), HGC_CU_ERROR_INVALID_CONTEXT);
  hgc_cu_device device = -1;
  EXPECT_OK(cuCtxGetDevice(&device));
  EXPECT_EQ(device, 0);
}

TEST_F(ContextTest, ThreadsHaveTheirOwnStack) {
  hgc_cu_context ctx = start();
  std::thread([&] {
    hgc_cu_context top = ctx;
    EXPECT_OK(cuCtxGetCurrent(&top));
    EXPECT_EQ(top, nullptr);
    EXPECT_EQ(cuCtxSynchronize(), HGC_CU_ERROR_INVALID_CONTEXT);
    EXPECT_OK(cuCtxSetCurrent(ctx));
    EXPECT_OK(cuCtxSynchronize());
  }).join();
}

TEST_F(ContextTest, ObjectsDieWithTheirContext) {
  ASSERT_OK(cuInit(0));
  hgc_cu_context doomed, other;
  ASSERT_OK(cuCtxCreate_v2(&doomed, 0, 0));
  hgc_cu_stream s = stream();
  hgc_cu_event e = event();
  hgc_cu_ptr p = alloc(256);
  hgc_cu_function f = kernel("scale");
  size_t before = 0, after = 0, total = 0;
  ASSERT_OK(cuMemGetInfo_v2(&before, &total));
  ASSERT_OK(cuCtxDestroy_v2(doomed));
  ASSERT_OK(cuCtxCreate_v2(&other, 0, 0));
  EXPECT_OK(cuMemGetInfo_v2(&after, &total));
  EXPECT_GT(after, before);
  EXPECT_EQ(cuStreamSynchronize(s), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuEventSynchronize(e), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuMemFree_v2(p), HGC_CU_ERROR_INVALID_VALUE);
  int value = 0;
  EXPECT_EQ(cuFuncGetAttribute(&value, 0, f), HGC_CU_ERROR_INVALID_HANDLE);
}

TEST_F(ContextTest, ResetEndsALostContext) {
  start();
  hgc_cu_ptr x = floats(4, 1), y = alloc(16);
  ASSERT_OK(scale(x, y, 1, 8, nullptr));
  EXPECT_EQ(cuCtxSynchronize(), HGC_CU_ERROR_ILLEGAL_ADDRESS);
  // Every call says so, until the context is gone.
  hgc_cu_ptr p = 0;
  EXPECT_EQ(cuMemAlloc_v2(&p, 16), HGC_CU_ERROR_ILLEGAL_ADDRESS);
  hgc_cu_stream s = nullptr;
  EXPECT_EQ(cuStreamCreate(&s, 0), HGC_CU_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cuMemFree_v2(x), HGC_CU_ERROR_ILLEGAL_ADDRESS);
  EXPECT_OK(cuDevicePrimaryCtxReset_v2(0));
  start();
  EXPECT_OK(cuMemAlloc_v2(&p, 16));
}
