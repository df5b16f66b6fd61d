//===- Context.cpp - cuCtx* and cuDevicePrimaryCtx* -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Driver.h"

using namespace hgc::emu;
using namespace hgc::emu::driver;

namespace {

/// Stands for the primary context of a device among the released handles.
const void *primaryTag(hgc_cu_device device) {
  return reinterpret_cast<const void *>(intptr_t(device) + 1);
}

Result createContext(Call &call, hgc_cu_context *out, unsigned flags,
                     hgc_cu_device ordinal) {
  if (!call)
    return call.result();
  if (!out || flags > cuda::contextAll)
    return HGC_CU_ERROR_INVALID_VALUE;
  Device *device = call.driver.device(ordinal);
  if (!device)
    return HGC_CU_ERROR_INVALID_DEVICE;
  if (ThreadState::get().full())
    return HGC_CU_ERROR_OUT_OF_MEMORY;
  *out = call.driver.createContext(*device, flags)->handle;
  ThreadState::get().push(*out);
  return HGC_CU_SUCCESS;
}

void dropPrimary(Driver &driver, Device &device) {
  std::shared_ptr<Context> primary = std::move(device.primary);
  device.primary.reset();
  device.primaryRefs = 0;
  driver.destroyContext(primary);
}

} // namespace

HGC_EMU_API Result cuDevicePrimaryCtxRetain(hgc_cu_context *ctx,
                                            hgc_cu_device ordinal) {
  Call call("cuDevicePrimaryCtxRetain", Needs::Init);
  if (!call)
    return call.result();
  if (!ctx)
    return HGC_CU_ERROR_INVALID_VALUE;
  Device *device = call.driver.device(ordinal);
  if (!device)
    return HGC_CU_ERROR_INVALID_DEVICE;
  if (!device->primary) {
    device->primary = call.driver.createContext(*device, device->primaryFlags);
    device->primary->primary = true;
  }
  ++device->primaryRefs;
  *ctx = device->primary->handle;
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuDevicePrimaryCtxRelease_v2(hgc_cu_device ordinal) {
  Call call("cuDevicePrimaryCtxRelease", Needs::Init, primaryTag(ordinal));
  if (!call)
    return call.result();
  Device *device = call.driver.device(ordinal);
  if (!device)
    return HGC_CU_ERROR_INVALID_DEVICE;
  if (device->primaryRefs == 0)
    return HGC_CU_ERROR_INVALID_CONTEXT;
  if (--device->primaryRefs == 0)
    dropPrimary(call.driver, *device);
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuDevicePrimaryCtxReset_v2(hgc_cu_device ordinal) {
  Call call("cuDevicePrimaryCtxReset", Needs::Init, primaryTag(ordinal));
  if (!call)
    return call.result();
  Device *device = call.driver.device(ordinal);
  if (!device)
    return HGC_CU_ERROR_INVALID_DEVICE;
  if (device->primary)
    dropPrimary(call.driver, *device);
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuDevicePrimaryCtxSetFlags_v2(hgc_cu_device ordinal,
                                                 unsigned flags) {
  Call call("cuDevicePrimaryCtxSetFlags", Needs::Init);
  if (!call)
    return call.result();
  Device *device = call.driver.device(ordinal);
  if (flags > cuda::contextAll)
    return HGC_CU_ERROR_INVALID_VALUE;
  if (!device)
    return HGC_CU_ERROR_INVALID_DEVICE;
  device->primaryFlags = flags;
  if (device->primary)
    device->primary->flags = flags;
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuDevicePrimaryCtxGetState(hgc_cu_device ordinal,
                                              unsigned *flags, int *active) {
  Call call("cuDevicePrimaryCtxGetState", Needs::Init);
  if (!call)
    return call.result();
  if (!flags || !active)
    return HGC_CU_ERROR_INVALID_VALUE;
  Device *device = call.driver.device(ordinal);
  if (!device)
    return HGC_CU_ERROR_INVALID_DEVICE;
  *flags = device->primaryFlags;
  *active = device->primary != nullptr;
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuCtxCreate_v2(hgc_cu_context *ctx, unsigned flags,
                                  hgc_cu_device device) {
  Call call("cuCtxCreate", Needs::Init);
  return createContext(call, ctx, flags, device);
}

HGC_EMU_API Result cuCtxCreate_v3(hgc_cu_context *ctx, void *affinity,
                                  int affinities, unsigned flags,
                                  hgc_cu_device device) {
  Call call("cuCtxCreate", Needs::Init);
  if (call && (affinity || affinities))
    return HGC_CU_ERROR_NOT_SUPPORTED;
  return createContext(call, ctx, flags, device);
}

HGC_EMU_API Result cuCtxCreate_v4(hgc_cu_context *ctx, void *params,
                                  unsigned flags, hgc_cu_device device) {
  Call call("cuCtxCreate", Needs::Init);
  if (call && params)
    return HGC_CU_ERROR_NOT_SUPPORTED;
  return createContext(call, ctx, flags, device);
}

HGC_EMU_API Result cuCtxDestroy_v2(hgc_cu_context ctx) {
  Call call("cuCtxDestroy", Needs::Init, ctx);
  if (!call)
    return call.result();
  std::shared_ptr<Context> context = call.driver.context(ctx);
  // The primary context is given back to its device, not destroyed.
  if (!context || context->primary)
    return HGC_CU_ERROR_INVALID_CONTEXT;
  call.driver.destroyContext(context);
  ThreadState &thread = ThreadState::get();
  if (thread.current() == ctx)
    thread.pop();
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuCtxSetCurrent(hgc_cu_context ctx) {
  Call call("cuCtxSetCurrent", Needs::Init);
  if (!call)
    return call.result();
  if (ctx && !call.driver.context(ctx))
    return HGC_CU_ERROR_INVALID_CONTEXT;
  ThreadState &thread = ThreadState::get();
  thread.pop();
  if (ctx)
    thread.push(ctx);
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuCtxGetCurrent(hgc_cu_context *ctx) {
  Call call("cuCtxGetCurrent", Needs::Init);
  if (!call)
    return call.result();
  if (!ctx)
    return HGC_CU_ERROR_INVALID_VALUE;
  *ctx = ThreadState::get().current();
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuCtxPushCurrent_v2(hgc_cu_context ctx) {
  Call call("cuCtxPushCurrent", Needs::Init);
  if (!call)
    return call.result();
  if (!call.driver.context(ctx))
    return HGC_CU_ERROR_INVALID_CONTEXT;
  if (ThreadState::get().full())
    return HGC_CU_ERROR_OUT_OF_MEMORY;
  ThreadState::get().push(ctx);
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuCtxPopCurrent_v2(hgc_cu_context *ctx) {
  Call call("cuCtxPopCurrent", Needs::Init);
  if (!call)
    return call.result();
  ThreadState &thread = ThreadState::get();
  if (!thread.depth)
    return HGC_CU_ERROR_INVALID_CONTEXT;
  if (ctx)
    *ctx = thread.current();
  thread.pop();
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuCtxGetDevice(hgc_cu_device *device) {
  Call call("cuCtxGetDevice", Needs::Context);
  if (!call)
    return call.result();
  if (!device)
    return HGC_CU_ERROR_INVALID_VALUE;
  *device = call.context->device->ordinal;
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuCtxGetFlags(unsigned *flags) {
  Call call("cuCtxGetFlags", Needs::Context);
  if (!call)
    return call.result();
  if (!flags)
    return HGC_CU_ERROR_INVALID_VALUE;
  *flags = call.context->flags;
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  Call call("cuCtxGetStreamPriorityRange", Needs::Context);
  if (!call)
    return call.result();
  if (least)
    *least = 0;
  if (greatest)
    *greatest = -5;
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuCtxSynchronize(void) {
  Call call("cuCtxSynchronize", Needs::Context);
  if (!call)
    return call.result();
  if (!call.skipped)
    call.driver.scheduler.hostWaitContext(call.context.get());
  return call.done();
}

HGC_EMU_API Result cuCtxEnablePeerAccess(hgc_cu_context ctx, unsigned flags) {
  Call call("cuCtxEnablePeerAccess", Needs::Context);
  if (!call)
    return call.result();
  std::shared_ptr<Context> peer = call.driver.context(ctx);
  if (flags != 0)
    return HGC_CU_ERROR_INVALID_VALUE;
  if (!peer || peer == call.context)
    return HGC_CU_ERROR_INVALID_CONTEXT;
  if (peer->device == call.context->device)
    return HGC_CU_ERROR_PEER_ACCESS_UNSUPPORTED;
  if (!call.context->peers.insert(peer->handle).second)
    return HGC_CU_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuCtxDisablePeerAccess(hgc_cu_context ctx) {
  Call call("cuCtxDisablePeerAccess", Needs::Context);
  if (!call)
    return call.result();
  if (!call.driver.context(ctx))
    return HGC_CU_ERROR_INVALID_CONTEXT;
  if (!call.context->peers.erase(ctx))
    return HGC_CU_ERROR_PEER_ACCESS_NOT_ENABLED;
  return HGC_CU_SUCCESS;
}
