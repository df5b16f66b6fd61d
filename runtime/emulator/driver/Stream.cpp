//===- Stream.cpp - cuStream* ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StreamRef.h"

using namespace hgc::emu;
using namespace hgc::emu::driver;

namespace {

Result create(Call &call, hgc_cu_stream *out, unsigned flags, int priority) {
  if (!call)
    return call.result();
  if (!out || flags > HGC_CU_STREAM_NON_BLOCKING)
    return HGC_CU_ERROR_INVALID_VALUE;
  static uint64_t number = 0;
  std::shared_ptr<Stream> stream = call.driver.createStream(
      *call.context, "stream " + std::to_string(++number));
  stream->flags = flags;
  stream->blocking = !(flags & HGC_CU_STREAM_NON_BLOCKING);
  stream->priority = std::max(-5, std::min(0, priority));
  stream->handle = call.driver.streams.add(stream);
  *out = stream->handle;
  return HGC_CU_SUCCESS;
}

Result synchronize(hgc_cu_stream handle, bool perThread) {
  Call call("cuStreamSynchronize", Needs::Context);
  if (!call)
    return call.result();
  StreamRef ref(call, handle, perThread);
  if (!ref)
    return ref.error;
  if (!call.skipped)
    call.driver.scheduler.hostWait(ref.stream->last);
  return call.done(ref.context->sticky);
}

Result query(hgc_cu_stream handle, bool perThread) {
  Call call("cuStreamQuery", Needs::Context);
  if (!call)
    return call.result();
  StreamRef ref(call, handle, perThread);
  if (!ref)
    return ref.error;
  OpPtr last = ref.stream->last;
  if (last && !last->done) {
    // A client that polls makes the stream go on, one operation at a time.
    call.driver.scheduler.step(last);
    return call.done(ref.context->sticky ? ref.context->sticky
                                         : HGC_CU_ERROR_NOT_READY);
  }
  call.driver.scheduler.hostWait(last);
  return call.done(ref.context->sticky);
}

Result waitEvent(hgc_cu_stream handle, hgc_cu_event eventHandle, unsigned flags,
                 bool perThread) {
  Call call("cuStreamWaitEvent", Needs::Context);
  if (!call)
    return call.result();
  if (flags > 1)
    return HGC_CU_ERROR_INVALID_VALUE;
  std::shared_ptr<Event> event = call.driver.events.find(eventHandle);
  StreamRef ref(call, handle, perThread);
  if (!event)
    return HGC_CU_ERROR_INVALID_HANDLE;
  if (!ref)
    return ref.error;
  // An event that was never recorded is no reason to wait.
  if (!event->record || call.skipped)
    return HGC_CU_SUCCESS;
  auto op = std::make_shared<Op>();
  op->what = "cuStreamWaitEvent";
  op->dependencies.push_back(event->record);
  call.driver.scheduler.issue(ref.context, ref.stream, op);
  return HGC_CU_SUCCESS;
}

/// Answers a question about a stream.
template <typename T, typename Answer>
Result ask(const char *name, hgc_cu_stream handle, bool perThread, T *out,
           Answer answer) {
  Call call(name, Needs::Context);
  if (!call)
    return call.result();
  if (!out)
    return HGC_CU_ERROR_INVALID_VALUE;
  StreamRef ref(call, handle, perThread);
  if (!ref)
    return ref.error;
  *out = answer(ref);
  return HGC_CU_SUCCESS;
}

Result getContext(hgc_cu_stream stream, hgc_cu_context *ctx, bool perThread) {
  return ask("cuStreamGetCtx", stream, perThread, ctx,
             [](const StreamRef &ref) { return ref.context->handle; });
}

Result getFlags(hgc_cu_stream stream, unsigned *flags, bool perThread) {
  return ask("cuStreamGetFlags", stream, perThread, flags,
             [](const StreamRef &ref) { return ref.stream->flags; });
}

Result getPriority(hgc_cu_stream stream, int *priority, bool perThread) {
  return ask("cuStreamGetPriority", stream, perThread, priority,
             [](const StreamRef &ref) { return ref.stream->priority; });
}

Result getContextOrGreen(hgc_cu_stream stream, hgc_cu_context *ctx,
                         void **green, bool perThread) {
  Result result = getContext(stream, ctx, perThread);
  if (result == HGC_CU_SUCCESS && green)
    *green = nullptr;
  return result;
}

} // namespace

HGC_EMU_API Result cuStreamCreate(hgc_cu_stream *stream, unsigned flags) {
  Call call("cuStreamCreate", Needs::Context);
  return create(call, stream, flags, 0);
}

HGC_EMU_API Result cuStreamCreateWithPriority(hgc_cu_stream *stream,
                                              unsigned flags, int priority) {
  Call call("cuStreamCreateWithPriority", Needs::Context);
  return create(call, stream, flags, priority);
}

HGC_EMU_API Result cuStreamDestroy_v2(hgc_cu_stream handle) {
  Call call("cuStreamDestroy", Needs::Context, handle);
  if (!call)
    return call.result();
  std::shared_ptr<Stream> stream = call.driver.streams.find(handle);
  if (!stream)
    return HGC_CU_ERROR_INVALID_HANDLE;
  // Its work goes on; only the name is gone.
  call.driver.scheduler.destroy(stream);
  call.driver.streams.erase(handle);
  return call.done();
}

HGC_EMU_API Result cuStreamSynchronize(hgc_cu_stream stream) {
  return synchronize(stream, false);
}
HGC_EMU_API Result cuStreamSynchronize_ptsz(hgc_cu_stream stream) {
  return synchronize(stream, true);
}

HGC_EMU_API Result cuStreamQuery(hgc_cu_stream stream) {
  return query(stream, false);
}
HGC_EMU_API Result cuStreamQuery_ptsz(hgc_cu_stream stream) {
  return query(stream, true);
}

HGC_EMU_API Result cuStreamWaitEvent(hgc_cu_stream stream, hgc_cu_event event,
                                     unsigned flags) {
  return waitEvent(stream, event, flags, false);
}
HGC_EMU_API Result cuStreamWaitEvent_ptsz(hgc_cu_stream stream,
                                          hgc_cu_event event, unsigned flags) {
  return waitEvent(stream, event, flags, true);
}

HGC_EMU_API Result cuStreamGetCtx(hgc_cu_stream stream, hgc_cu_context *ctx) {
  return getContext(stream, ctx, false);
}
HGC_EMU_API Result cuStreamGetCtx_ptsz(hgc_cu_stream stream,
                                       hgc_cu_context *ctx) {
  return getContext(stream, ctx, true);
}
HGC_EMU_API Result cuStreamGetCtx_v2(hgc_cu_stream stream, hgc_cu_context *ctx,
                                     void **green) {
  return getContextOrGreen(stream, ctx, green, false);
}
HGC_EMU_API Result cuStreamGetCtx_v2_ptsz(hgc_cu_stream stream,
                                          hgc_cu_context *ctx, void **green) {
  return getContextOrGreen(stream, ctx, green, true);
}

HGC_EMU_API Result cuStreamGetFlags(hgc_cu_stream stream, unsigned *flags) {
  return getFlags(stream, flags, false);
}
HGC_EMU_API Result cuStreamGetFlags_ptsz(hgc_cu_stream stream,
                                         unsigned *flags) {
  return getFlags(stream, flags, true);
}

HGC_EMU_API Result cuStreamGetPriority(hgc_cu_stream stream, int *priority) {
  return getPriority(stream, priority, false);
}
HGC_EMU_API Result cuStreamGetPriority_ptsz(hgc_cu_stream stream,
                                            int *priority) {
  return getPriority(stream, priority, true);
}
