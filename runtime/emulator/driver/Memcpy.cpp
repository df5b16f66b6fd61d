//===- Memcpy.cpp - cuMemcpy* ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Copy.h"

using namespace hgc::emu;
using namespace hgc::emu::driver;

namespace {

/// What a function says about an address.
enum class Where { Host, Device, Any };

bool place(Driver &driver, Where where, uint64_t address, Side &side) {
  side.address = address;
  side.device = driver.deviceOf(address);
  return where == Where::Any || (where == Where::Device) == !!side.device;
}

uint64_t bits(const void *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

/// Stream argument of functions that have none.
constexpr hgc_cu_stream noStream = nullptr;

struct Form {
  const char *name;
  Where dst, src;
  bool hostWaits;
};
constexpr Form htod = {"cuMemcpyHtoD", Where::Device, Where::Host, true};
constexpr Form htodAsync = {"cuMemcpyHtoDAsync", Where::Device, Where::Host,
                            false};
constexpr Form dtoh = {"cuMemcpyDtoH", Where::Host, Where::Device, true};
constexpr Form dtohAsync = {"cuMemcpyDtoHAsync", Where::Host, Where::Device,
                            false};
constexpr Form dtod = {"cuMemcpyDtoD", Where::Device, Where::Device, false};
constexpr Form dtodAsync = {"cuMemcpyDtoDAsync", Where::Device, Where::Device,
                            false};
constexpr Form any = {"cuMemcpy", Where::Any, Where::Any, true};
constexpr Form anyAsync = {"cuMemcpyAsync", Where::Any, Where::Any, false};

Result copy(const Form &form, uint64_t dst, uint64_t src, size_t bytes,
            hgc_cu_stream stream, bool perThread) {
  Call call(form.name, Needs::Context);
  if (!call)
    return call.result();
  CopyJob job;
  job.name = form.name;
  job.width = bytes;
  if (!place(call.driver, form.dst, dst, job.dst) ||
      !place(call.driver, form.src, src, job.src))
    return bytes == 0 ? HGC_CU_SUCCESS : HGC_CU_ERROR_INVALID_VALUE;
  // Between device addresses even cuMemcpy does not wait.
  job.hostWaits = form.hostWaits && !(job.dst.device && job.src.device);
  return issueCopy(call, StreamRef(call, stream, perThread), job);
}

Result copyPeer(const char *name, uint64_t dst, hgc_cu_context dstCtx,
                uint64_t src, hgc_cu_context srcCtx, size_t bytes,
                hgc_cu_stream stream, bool perThread, bool serialised) {
  Call call(name, Needs::Context);
  if (!call)
    return call.result();
  std::shared_ptr<Context> to = call.driver.context(dstCtx);
  std::shared_ptr<Context> from = call.driver.context(srcCtx);
  if (!to || !from)
    return HGC_CU_ERROR_INVALID_CONTEXT;
  CopyJob job;
  job.name = name;
  job.width = bytes;
  job.dst = {to->device, dst, 0};
  job.src = {from->device, src, 0};
  if (bytes && (call.driver.deviceOf(dst) != to->device ||
                call.driver.deviceOf(src) != from->device))
    return HGC_CU_ERROR_INVALID_VALUE;
  // The form without a stream comes after all work of the three contexts, and
  // before what follows in their default streams.
  if (serialised)
    for (const std::shared_ptr<Context> &context : {to, from}) {
      if (context->legacy->last)
        job.after.push_back(context->legacy->last);
      for (const std::shared_ptr<Stream> &other : context->streams)
        if (other->last)
          job.after.push_back(other->last);
    }
  OpPtr op;
  Result result = issueCopy(call, StreamRef(call, stream, perThread), job, &op);
  if (serialised && op)
    to->legacy->last = from->legacy->last = op;
  return result;
}

Result side2D(Driver &driver, unsigned type, const void *host,
              hgc_cu_ptr device, size_t x, size_t y, size_t pitch,
              const cuda::Copy2D &copy, Side &side) {
  if (pitch == 0)
    pitch = copy.width;
  if (pitch < copy.width + x && copy.height > 1)
    return HGC_CU_ERROR_INVALID_VALUE;
  uint64_t offset = y * pitch + x;
  Where where = type == cuda::memoryHost     ? Where::Host
                : type == cuda::memoryDevice ? Where::Device
                                             : Where::Any;
  if (type == cuda::memoryArray)
    return HGC_CU_ERROR_NOT_SUPPORTED;
  if (type < cuda::memoryHost || type > cuda::memoryUnified)
    return HGC_CU_ERROR_INVALID_VALUE;
  uint64_t base = type == cuda::memoryHost ? bits(host) : device;
  if (!place(driver, where, base + offset, side))
    return HGC_CU_ERROR_INVALID_VALUE;
  side.pitch = pitch;
  return HGC_CU_SUCCESS;
}

Result copy2D(const char *name, const cuda::Copy2D *copy, hgc_cu_stream stream,
              bool perThread, bool hostWaits) {
  Call call(name, Needs::Context);
  if (!call)
    return call.result();
  if (!copy)
    return HGC_CU_ERROR_INVALID_VALUE;
  if (copy->width == 0 || copy->height == 0)
    return HGC_CU_SUCCESS;
  CopyJob job;
  job.name = name;
  job.width = copy->width;
  job.height = copy->height;
  if (Result error =
          side2D(call.driver, copy->dstType, copy->dstHost, copy->dstDevice,
                 copy->dstX, copy->dstY, copy->dstPitch, *copy, job.dst))
    return error;
  if (Result error =
          side2D(call.driver, copy->srcType, copy->srcHost, copy->srcDevice,
                 copy->srcX, copy->srcY, copy->srcPitch, *copy, job.src))
    return error;
  job.hostWaits = hostWaits && !(job.dst.device && job.src.device);
  return issueCopy(call, StreamRef(call, stream, perThread), job);
}

} // namespace

// X(function, suffix of its per-thread form, form, destination, source)
#define HGC_EMU_SYNC_COPIES(X)                                                 \
  X(cuMemcpyHtoD_v2, htod, hgc_cu_ptr, const void *, dst, bits(src))           \
  X(cuMemcpyDtoH_v2, dtoh, void *, hgc_cu_ptr, bits(dst), src)                 \
  X(cuMemcpyDtoD_v2, dtod, hgc_cu_ptr, hgc_cu_ptr, dst, src)                   \
  X(cuMemcpy, any, hgc_cu_ptr, hgc_cu_ptr, dst, src)
#define HGC_EMU_ASYNC_COPIES(X)                                                \
  X(cuMemcpyHtoDAsync_v2, htodAsync, hgc_cu_ptr, const void *, dst, bits(src)) \
  X(cuMemcpyDtoHAsync_v2, dtohAsync, void *, hgc_cu_ptr, bits(dst), src)       \
  X(cuMemcpyDtoDAsync_v2, dtodAsync, hgc_cu_ptr, hgc_cu_ptr, dst, src)         \
  X(cuMemcpyAsync, anyAsync, hgc_cu_ptr, hgc_cu_ptr, dst, src)

#define HGC_EMU_SYNC(name, form, Dst, Src, to, from)                           \
  HGC_EMU_API Result name(Dst dst, Src src, size_t bytes) {                    \
    return copy(form, to, from, bytes, noStream, false);                       \
  }                                                                            \
  HGC_EMU_API Result name##_ptds(Dst dst, Src src, size_t bytes) {             \
    return copy(form, to, from, bytes, noStream, true);                        \
  }
HGC_EMU_SYNC_COPIES(HGC_EMU_SYNC)

#define HGC_EMU_ASYNC(name, form, Dst, Src, to, from)                          \
  HGC_EMU_API Result name(Dst dst, Src src, size_t bytes, hgc_cu_stream s) {   \
    return copy(form, to, from, bytes, s, false);                              \
  }                                                                            \
  HGC_EMU_API Result name##_ptsz(Dst dst, Src src, size_t bytes,               \
                                 hgc_cu_stream s) {                            \
    return copy(form, to, from, bytes, s, true);                               \
  }
HGC_EMU_ASYNC_COPIES(HGC_EMU_ASYNC)

HGC_EMU_API Result cuMemcpyPeer(hgc_cu_ptr dst, hgc_cu_context dstCtx,
                                hgc_cu_ptr src, hgc_cu_context srcCtx,
                                size_t bytes) {
  return copyPeer("cuMemcpyPeer", dst, dstCtx, src, srcCtx, bytes, noStream,
                  false, true);
}
HGC_EMU_API Result cuMemcpyPeer_ptds(hgc_cu_ptr dst, hgc_cu_context dstCtx,
                                     hgc_cu_ptr src, hgc_cu_context srcCtx,
                                     size_t bytes) {
  return copyPeer("cuMemcpyPeer", dst, dstCtx, src, srcCtx, bytes, noStream,
                  true, true);
}
HGC_EMU_API Result cuMemcpyPeerAsync(hgc_cu_ptr dst, hgc_cu_context dstCtx,
                                     hgc_cu_ptr src, hgc_cu_context srcCtx,
                                     size_t bytes, hgc_cu_stream stream) {
  return copyPeer("cuMemcpyPeerAsync", dst, dstCtx, src, srcCtx, bytes, stream,
                  false, false);
}
HGC_EMU_API Result cuMemcpyPeerAsync_ptsz(hgc_cu_ptr dst, hgc_cu_context dstCtx,
                                          hgc_cu_ptr src, hgc_cu_context srcCtx,
                                          size_t bytes, hgc_cu_stream stream) {
  return copyPeer("cuMemcpyPeerAsync", dst, dstCtx, src, srcCtx, bytes, stream,
                  true, false);
}

HGC_EMU_API Result cuMemcpy2D_v2(const cuda::Copy2D *copy) {
  return copy2D("cuMemcpy2D", copy, noStream, false, true);
}
HGC_EMU_API Result cuMemcpy2D_v2_ptds(const cuda::Copy2D *copy) {
  return copy2D("cuMemcpy2D", copy, noStream, true, true);
}
HGC_EMU_API Result cuMemcpy2DUnaligned_v2(const cuda::Copy2D *copy) {
  return copy2D("cuMemcpy2DUnaligned", copy, noStream, false, true);
}
HGC_EMU_API Result cuMemcpy2DUnaligned_v2_ptds(const cuda::Copy2D *copy) {
  return copy2D("cuMemcpy2DUnaligned", copy, noStream, true, true);
}
HGC_EMU_API Result cuMemcpy2DAsync_v2(const cuda::Copy2D *copy,
                                      hgc_cu_stream stream) {
  return copy2D("cuMemcpy2DAsync", copy, stream, false, false);
}
HGC_EMU_API Result cuMemcpy2DAsync_v2_ptsz(const cuda::Copy2D *copy,
                                           hgc_cu_stream stream) {
  return copy2D("cuMemcpy2DAsync", copy, stream, true, false);
}
