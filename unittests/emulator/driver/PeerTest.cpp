//===- PeerTest.cpp - two emulated devices --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Emulator.h"

namespace {

class PeerTest : public EmulatorTest {
protected:
  void SetUp() override {
    EmulatorTest::SetUp();
    configure({"HGC_EMU_DEVICES=2"});
    ctx[1] = start(1);
    b = floats(64, 1);
    s1 = stream();
    ctx[0] = start(0);
    a = floats(64, 5);
    s0 = stream();
  }
  void use(int device) { EXPECT_OK(cuCtxSetCurrent(ctx[device])); }

  hgc_cu_context ctx[2];
  hgc_cu_ptr a, b;
  hgc_cu_stream s0, s1;
};

} // namespace

TEST_F(PeerTest, AddressesAreDistinct) {
  int ordinal = -1, can = 0;
  EXPECT_OK(cuPointerGetAttribute(&ordinal, 9, b));
  EXPECT_EQ(ordinal, 1);
  EXPECT_OK(cuDeviceCanAccessPeer(&can, 0, 1));
  EXPECT_EQ(can, 1);
  EXPECT_OK(cuDeviceCanAccessPeer(&can, 1, 1));
  EXPECT_EQ(can, 0);
}

TEST_F(PeerTest, PeerCopyWithEvents) {
  hgc_cu_event e = event();
  EXPECT_OK(scale(a, a, 2, 64, s0));
  EXPECT_OK(cuMemcpyPeerAsync(b, ctx[1], a, ctx[0], 256, s0));
  EXPECT_OK(cuEventRecord(e, s0));
  use(1);
  module = nullptr;
  EXPECT_OK(cuStreamWaitEvent(s1, e, 0));
  EXPECT_OK(scale(b, b, 3, 64, s1));
  EXPECT_OK(cuStreamSynchronize(s1));
  EXPECT_EQ(read(b, 64)[63], 30.0f);
  EXPECT_EQ(hgcemu_findings(), 0u) << lastFinding();
}

TEST_F(PeerTest, MissingWaitAcrossDevices) {
  EXPECT_OK(cuMemcpyPeerAsync(b, ctx[1], a, ctx[0], 256, s0));
  use(1);
  module = nullptr;
  EXPECT_OK(scale(b, b, 3, 64, s1));
  EXPECT_OK(cuStreamSynchronize(s1));
  use(0);
  EXPECT_EQ(cuStreamSynchronize(s0), HGC_CU_ERROR_LAUNCH_FAILED);
  EXPECT_NE(lastFinding().find("of device 1"), std::string::npos) << lastFinding();
}

TEST_F(PeerTest, CopiesWithoutAStreamAreSerialised) {
  EXPECT_OK(scale(a, a, 2, 64, s0));
  EXPECT_OK(cuMemcpyPeer(b, ctx[1], a, ctx[0], 256));
  use(1);
  EXPECT_EQ(read(b, 64)[0], 10.0f);
  EXPECT_EQ(hgcemu_findings(), 0u) << lastFinding();
}

TEST_F(PeerTest, UnifiedCopiesFindTheDevice) {
  EXPECT_OK(cuMemcpyDtoDAsync_v2(b, a, 256, s0));
  EXPECT_OK(cuStreamSynchronize(s0));
  std::vector<float> out = read(b, 64);
  EXPECT_EQ(out[9], 5.0f);
}

TEST_F(PeerTest, RefusesBadArguments) {
  EXPECT_EQ(cuMemcpyPeerAsync(b, nullptr, a, ctx[0], 16, s0), HGC_CU_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuMemcpyPeerAsync(b, ctx[0], a, ctx[1], 16, s0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemcpyPeerAsync(b, ctx[1], a, ctx[0], 4096, s0), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuCtxEnablePeerAccess(ctx[0], 0), HGC_CU_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxEnablePeerAccess(ctx[1], 1), HGC_CU_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuCtxDisablePeerAccess(ctx[1]), HGC_CU_ERROR_PEER_ACCESS_NOT_ENABLED);
  EXPECT_OK(cuCtxEnablePeerAccess(ctx[1], 0));
  EXPECT_EQ(cuCtxEnablePeerAccess(ctx[1], 0), HGC_CU_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  EXPECT_OK(cuCtxDisablePeerAccess(ctx[1]));
  // A launch needs a stream of its own context, an event likewise.
  hgc_cu_event e = event();
  EXPECT_EQ(cuEventRecord(e, s1), HGC_CU_ERROR_INVALID_HANDLE);
  EXPECT_EQ(scale(a, a, 1, 4, s1), HGC_CU_ERROR_INVALID_HANDLE);
  // A copy does not.
  EXPECT_OK(cuMemcpyDtoDAsync_v2(a, a + 128, 64, s1));
  EXPECT_OK(cuStreamSynchronize(s1));
}

TEST_F(PeerTest, DirectCopiesAreFaster) {
  auto timed = [&] {
    hgc_cu_event begin = event(), end = event();
    EXPECT_OK(cuEventRecord(begin, s0));
    EXPECT_OK(cuMemcpyPeerAsync(b, ctx[1], a, ctx[0], 256, s0));
    EXPECT_OK(cuEventRecord(end, s0));
    EXPECT_OK(cuEventSynchronize(end));
    float ms = 0;
    EXPECT_OK(cuEventElapsedTime(&ms, begin, end));
    return ms;
  };
  float staged = timed();
  EXPECT_OK(cuCtxEnablePeerAccess(ctx[1], 0));
  EXPECT_LT(timed(), staged);
}

TEST_F(PeerTest, MemoryIsPerDevice) {
  size_t free0 = 0, free1 = 0, total = 0;
  EXPECT_OK(cuMemGetInfo_v2(&free0, &total));
  use(1);
  alloc(1 << 20);
  EXPECT_OK(cuMemGetInfo_v2(&free1, &total));
  EXPECT_EQ(free0 - free1, 1u << 20);
}
