//===- Memset.cpp - cuMemset* ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neither form waits for the device: the one without a stream only puts its
// work on the default stream.
//
//===----------------------------------------------------------------------===//

#include "StreamRef.h"

using namespace hgc::emu;
using namespace hgc::emu::driver;

namespace {

Result fill(const char *name, uint64_t dst, uint32_t value, unsigned width,
            size_t count, hgc_cu_stream handle, bool perThread) {
  Call call(name, Needs::Context);
  if (!call)
    return call.result();
  StreamRef ref(call, handle, perThread);
  if (!ref)
    return ref.error;
  if (count == 0)
    return HGC_CU_SUCCESS;
  Device *device = call.driver.deviceOf(dst);
  uint64_t bytes = uint64_t(count) * width;
  if (!device || dst % width || bytes / width != count)
    return HGC_CU_ERROR_INVALID_VALUE;
  std::string error;
  if (!device->memory->check(dst, bytes, &error)) {
    call.driver.findings.report(std::string(name) + " writes " +
                                    std::to_string(bytes) + " bytes at " +
                                    hex(dst) + ": " + error,
                                "");
    return HGC_CU_ERROR_INVALID_VALUE;
  }
  auto op = std::make_shared<Op>();
  op->what = std::string(name) + " of " + std::to_string(bytes) + " bytes";
  op->accesses.push_back({dst, dst + bytes, true});
  op->engine = EngineKind::Compute;
  op->latency = Latency::kernel;
  op->hostCost = Latency::launch;
  op->cost = copyCost(*ref.context->device->table, EngineKind::Compute, bytes);
  op->run = [=](Op &self) {
    std::string problem;
    if (!device->memory->fill(dst, value, width, count, &problem))
      return Driver::get().fault(*self.context, HGC_CU_ERROR_ILLEGAL_ADDRESS,
                                 *self.stamp.who + ": " + problem,
                                 "keep the memory until the fill has run");
    Driver::get().counters.addCopy("fill", bytes, self.cost.seconds);
  };
  call.driver.scheduler.issue(ref.context, ref.stream, op);
  return HGC_CU_SUCCESS;
}

} // namespace

#define HGC_EMU_FILL(bits, Value)                                              \
  HGC_EMU_API Result cuMemsetD##bits##_v2(hgc_cu_ptr dst, Value value,         \
                                          size_t count) {                      \
    return fill("cuMemsetD" #bits, dst, value, bits / 8, count, nullptr,       \
                false);                                                        \
  }                                                                            \
  HGC_EMU_API Result cuMemsetD##bits##_v2_ptds(hgc_cu_ptr dst, Value value,    \
                                               size_t count) {                 \
    return fill("cuMemsetD" #bits, dst, value, bits / 8, count, nullptr,       \
                true);                                                         \
  }                                                                            \
  HGC_EMU_API Result cuMemsetD##bits##Async(hgc_cu_ptr dst, Value value,       \
                                            size_t count, hgc_cu_stream s) {   \
    return fill("cuMemsetD" #bits "Async", dst, value, bits / 8, count, s,     \
                false);                                                        \
  }                                                                            \
  HGC_EMU_API Result cuMemsetD##bits##Async_ptsz(                              \
      hgc_cu_ptr dst, Value value, size_t count, hgc_cu_stream s) {            \
    return fill("cuMemsetD" #bits "Async", dst, value, bits / 8, count, s,     \
                true);                                                         \
  }
HGC_EMU_FILL(8, unsigned char)
HGC_EMU_FILL(16, unsigned short)
HGC_EMU_FILL(32, unsigned)
