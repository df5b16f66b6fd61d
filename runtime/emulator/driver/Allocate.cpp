//===- Allocate.cpp - cuMemAlloc*, cuMemFree*, cuMemHost* -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Freeing memory that an operation in flight uses is a finding, even where the
// real driver happens to wait for the device.
//
//===----------------------------------------------------------------------===//

#include "StreamRef.h"

using namespace hgc::emu;
using namespace hgc::emu::driver;

namespace {

/// The host takes a range away: nothing in flight may use it.
void endUse(Call &call, const char *name, uint64_t begin, uint64_t bytes) {
  Scheduler &scheduler = call.driver.scheduler;
  scheduler.completeDevice(nullptr);
  auto user = scheduler.inFlight(begin, begin + bytes);
  // In a lost context nothing is in flight any more.
  if (!user || call.context->sticky != HGC_CU_SUCCESS)
    return scheduler.forget(begin, begin + bytes);
  std::string what = *user->other.who;
  scheduler.forget(begin, begin + bytes);
  call.driver.fault(
      *call.context, HGC_CU_ERROR_LAUNCH_FAILED,
      std::string(name) + " releases " + std::to_string(bytes) + " bytes at " +
          hex(begin) + " that " + what +
          (user->otherWrote ? " still writes" : " still reads"),
      "synchronise with the stream before the memory is released");
}

Result notAnAllocation(Call &call, const char *name, uint64_t pointer) {
  Device *device = call.driver.deviceOf(pointer);
  std::string where =
      device ? device->memory->describe(pointer, 1) : "not device memory";
  call.driver.findings.report(std::string(name) + " of " + hex(pointer) +
                                  ", which is no live allocation: " + where,
                              "");
  return HGC_CU_ERROR_INVALID_VALUE;
}

Result allocate(Call &call, Context &context, hgc_cu_ptr *out, size_t bytes) {
  if (!out || bytes == 0)
    return HGC_CU_ERROR_INVALID_VALUE;
  uint64_t address = context.device->memory->allocate(bytes);
  if (!address)
    return HGC_CU_ERROR_OUT_OF_MEMORY;
  // What is known of the addresses belongs to an earlier allocation.
  call.driver.scheduler.forget(address, address + bytes);
  call.driver.blocks[address] = {&context, bytes, false, 0};
  *out = address;
  return HGC_CU_SUCCESS;
}

Result allocateAsync(hgc_cu_ptr *out, size_t bytes, hgc_cu_stream handle,
                     bool perThread) {
  Call call("cuMemAllocAsync", Needs::Context);
  if (!call)
    return call.result();
  StreamRef ref(call, handle, perThread);
  if (!ref)
    return ref.error;
  if (Result error = allocate(call, *ref.context, out, bytes))
    return error;
  // Whoever uses the memory must come after this point of the stream.
  auto op = std::make_shared<Op>();
  op->what = "cuMemAllocAsync of " + std::to_string(bytes) + " bytes";
  op->accesses.push_back({*out, *out + bytes, true});
  call.driver.scheduler.issue(ref.context, ref.stream, op);
  return HGC_CU_SUCCESS;
}

Result freeAsync(hgc_cu_ptr pointer, hgc_cu_stream handle, bool perThread) {
  Call call("cuMemFreeAsync", Needs::Context,
            reinterpret_cast<const void *>(pointer));
  if (!call)
    return call.result();
  StreamRef ref(call, handle, perThread);
  if (!ref.stream)
    return ref.error;
  auto it = call.driver.blocks.find(pointer);
  if (it == call.driver.blocks.end())
    return notAnAllocation(call, "cuMemFreeAsync", pointer);
  auto op = std::make_shared<Op>();
  op->what = "cuMemFreeAsync of " + std::to_string(it->second.bytes) + " bytes";
  op->accesses.push_back({pointer, pointer + it->second.bytes, true});
  Memory *memory = call.driver.deviceOf(pointer)->memory.get();
  op->run = [memory, pointer](Op &) { memory->free(pointer); };
  op->always = true;
  call.driver.blocks.erase(it);
  call.driver.scheduler.issue(ref.context, ref.stream, op);
  return call.done();
}

Result hostAllocate(Call &call, void **out, size_t bytes, unsigned flags) {
  if (!call)
    return call.result();
  if (!out || bytes == 0 || flags > cuda::hostAllocAll)
    return HGC_CU_ERROR_INVALID_VALUE;
  *out = call.driver.host.allocate(*call.context, bytes, flags);
  return *out ? HGC_CU_SUCCESS : HGC_CU_ERROR_OUT_OF_MEMORY;
}

} // namespace

HGC_EMU_API Result cuMemGetInfo_v2(size_t *free, size_t *total) {
  Call call("cuMemGetInfo", Needs::Context);
  if (!call)
    return call.result();
  if (!free || !total)
    return HGC_CU_ERROR_INVALID_VALUE;
  const Memory &memory = *call.context->device->memory;
  *free = memory.capacity() - memory.used();
  *total = memory.capacity();
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuMemAlloc_v2(hgc_cu_ptr *pointer, size_t bytes) {
  Call call("cuMemAlloc", Needs::Context);
  return call ? allocate(call, *call.context, pointer, bytes) : call.result();
}

HGC_EMU_API Result cuMemFree_v2(hgc_cu_ptr pointer) {
  Call call("cuMemFree", Needs::Context,
            reinterpret_cast<const void *>(pointer));
  if (!call)
    return call.result();
  auto it = call.driver.blocks.find(pointer);
  if (it == call.driver.blocks.end())
    return notAnAllocation(call, "cuMemFree", pointer);
  endUse(call, "cuMemFree", pointer, it->second.bytes);
  call.driver.deviceOf(pointer)->memory->free(pointer);
  call.driver.blocks.erase(pointer);
  return call.done();
}

HGC_EMU_API Result cuMemAllocAsync(hgc_cu_ptr *pointer, size_t bytes,
                                   hgc_cu_stream stream) {
  return allocateAsync(pointer, bytes, stream, false);
}
HGC_EMU_API Result cuMemAllocAsync_ptsz(hgc_cu_ptr *pointer, size_t bytes,
                                        hgc_cu_stream stream) {
  return allocateAsync(pointer, bytes, stream, true);
}
HGC_EMU_API Result cuMemFreeAsync(hgc_cu_ptr pointer, hgc_cu_stream stream) {
  return freeAsync(pointer, stream, false);
}
HGC_EMU_API Result cuMemFreeAsync_ptsz(hgc_cu_ptr pointer,
                                       hgc_cu_stream stream) {
  return freeAsync(pointer, stream, true);
}

HGC_EMU_API Result cuMemHostAlloc(void **pointer, size_t bytes,
                                  unsigned flags) {
  Call call("cuMemHostAlloc", Needs::Context);
  return hostAllocate(call, pointer, bytes, flags);
}

HGC_EMU_API Result cuMemAllocHost_v2(void **pointer, size_t bytes) {
  Call call("cuMemAllocHost", Needs::Context);
  return hostAllocate(call, pointer, bytes, 0);
}

HGC_EMU_API Result cuMemFreeHost(void *pointer) {
  Call call("cuMemFreeHost", Needs::Context, pointer);
  if (!call)
    return call.result();
  uint64_t begin = 0, address = reinterpret_cast<uint64_t>(pointer);
  const Block *block = call.driver.host.find(address, &begin);
  if (!block || begin != address || block->registered)
    return HGC_CU_ERROR_INVALID_VALUE;
  endUse(call, "cuMemFreeHost", begin, block->bytes);
  call.driver.host.free(pointer);
  return call.done();
}

HGC_EMU_API Result cuMemHostRegister_v2(void *pointer, size_t bytes,
                                        unsigned flags) {
  Call call("cuMemHostRegister", Needs::Context);
  if (!call)
    return call.result();
  if (!pointer || bytes == 0 || flags > cuda::hostRegisterAll)
    return HGC_CU_ERROR_INVALID_VALUE;
  return call.driver.host.pin(*call.context, pointer, bytes, flags);
}

HGC_EMU_API Result cuMemHostUnregister(void *pointer) {
  Call call("cuMemHostUnregister", Needs::Context, pointer);
  if (!call)
    return call.result();
  uint64_t begin = 0, address = reinterpret_cast<uint64_t>(pointer);
  if (!pointer)
    return HGC_CU_ERROR_INVALID_VALUE;
  if (const Block *block = call.driver.host.find(address, &begin))
    if (begin == address && block->registered)
      endUse(call, "cuMemHostUnregister", begin, block->bytes);
  return call.done(call.driver.host.unpin(pointer));
}

HGC_EMU_API Result cuMemHostGetDevicePointer_v2(hgc_cu_ptr *device,
                                                void *pointer, unsigned flags) {
  Call call("cuMemHostGetDevicePointer", Needs::Context);
  if (!call)
    return call.result();
  uint64_t address = reinterpret_cast<uint64_t>(pointer);
  if (!device || flags != 0 || !call.driver.host.find(address))
    return HGC_CU_ERROR_INVALID_VALUE;
  // One address for all, as with unified addressing; good for copies only.
  *device = address;
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuMemHostGetFlags(unsigned *flags, void *pointer) {
  Call call("cuMemHostGetFlags", Needs::Context);
  if (!call)
    return call.result();
  const Block *block =
      call.driver.host.find(reinterpret_cast<uint64_t>(pointer));
  if (!flags || !block)
    return HGC_CU_ERROR_INVALID_VALUE;
  *flags = block->flags;
  return HGC_CU_SUCCESS;
}
