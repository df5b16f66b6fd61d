//===- Event.cpp - cuEvent* -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StreamRef.h"

using namespace hgc::emu;
using namespace hgc::emu::driver;

namespace {

Result record(const char *name, hgc_cu_event handle, hgc_cu_stream streamHandle,
              unsigned flags, bool perThread) {
  Call call(name, Needs::Context);
  if (!call)
    return call.result();
  if (flags > 1)
    return HGC_CU_ERROR_INVALID_VALUE;
  std::shared_ptr<Event> event = call.driver.events.find(handle);
  StreamRef ref(call, streamHandle, perThread);
  if (!event)
    return HGC_CU_ERROR_INVALID_HANDLE;
  if (!ref)
    return ref.error;
  if (event->context != ref.context.get())
    return HGC_CU_ERROR_INVALID_HANDLE;
  if (call.skipped)
    return HGC_CU_SUCCESS;
  auto op = std::make_shared<Op>();
  op->what = "cuEventRecord";
  event->record = call.driver.scheduler.issue(ref.context, ref.stream, op);
  return HGC_CU_SUCCESS;
}

Result elapsed(float *ms, hgc_cu_event startHandle, hgc_cu_event endHandle) {
  Call call("cuEventElapsedTime", Needs::Context);
  if (!call)
    return call.result();
  if (!ms)
    return HGC_CU_ERROR_INVALID_VALUE;
  std::shared_ptr<Event> start = call.driver.events.find(startHandle);
  std::shared_ptr<Event> end = call.driver.events.find(endHandle);
  if (!start || !end || start->context->device != end->context->device)
    return HGC_CU_ERROR_INVALID_HANDLE;
  if ((start->flags | end->flags) & cuda::eventDisableTiming)
    return HGC_CU_ERROR_INVALID_HANDLE;
  if (!start->record || !end->record)
    return HGC_CU_ERROR_INVALID_HANDLE;
  if (!start->record->done || !end->record->done)
    return HGC_CU_ERROR_NOT_READY;
  call.driver.scheduler.force(start->record);
  call.driver.scheduler.force(end->record);
  *ms = float((end->record->end - start->record->end) * 1e3);
  return call.done();
}

} // namespace

HGC_EMU_API Result cuEventCreate(hgc_cu_event *out, unsigned flags) {
  Call call("cuEventCreate", Needs::Context);
  if (!call)
    return call.result();
  constexpr unsigned known = cuda::eventBlockingSync | cuda::eventDisableTiming;
  if (!out || flags & ~known)
    return HGC_CU_ERROR_INVALID_VALUE;
  auto event = std::make_shared<Event>();
  event->context = call.context.get();
  event->flags = flags;
  *out = call.driver.events.add(event);
  return HGC_CU_SUCCESS;
}

HGC_EMU_API Result cuEventDestroy_v2(hgc_cu_event handle) {
  Call call("cuEventDestroy", Needs::Context, handle);
  if (!call)
    return call.result();
  if (!call.driver.events.find(handle))
    return HGC_CU_ERROR_INVALID_HANDLE;
  call.driver.events.erase(handle);
  return call.done();
}

HGC_EMU_API Result cuEventRecord(hgc_cu_event event, hgc_cu_stream stream) {
  return record("cuEventRecord", event, stream, 0, false);
}
HGC_EMU_API Result cuEventRecord_ptsz(hgc_cu_event event,
                                      hgc_cu_stream stream) {
  return record("cuEventRecord", event, stream, 0, true);
}
HGC_EMU_API Result cuEventRecordWithFlags(hgc_cu_event event,
                                          hgc_cu_stream stream,
                                          unsigned flags) {
  return record("cuEventRecordWithFlags", event, stream, flags, false);
}
HGC_EMU_API Result cuEventRecordWithFlags_ptsz(hgc_cu_event event,
                                               hgc_cu_stream stream,
                                               unsigned flags) {
  return record("cuEventRecordWithFlags", event, stream, flags, true);
}

HGC_EMU_API Result cuEventSynchronize(hgc_cu_event handle) {
  Call call("cuEventSynchronize", Needs::Context);
  if (!call)
    return call.result();
  std::shared_ptr<Event> event = call.driver.events.find(handle);
  if (!event)
    return HGC_CU_ERROR_INVALID_HANDLE;
  if (!call.skipped)
    call.driver.scheduler.hostWait(event->record);
  return call.done(event->context->sticky);
}

HGC_EMU_API Result cuEventQuery(hgc_cu_event handle) {
  Call call("cuEventQuery", Needs::Context);
  if (!call)
    return call.result();
  std::shared_ptr<Event> event = call.driver.events.find(handle);
  if (!event)
    return HGC_CU_ERROR_INVALID_HANDLE;
  if (event->record && !event->record->done) {
    call.driver.scheduler.step(event->record);
    Result sticky = event->context->sticky;
    return call.done(sticky ? sticky : HGC_CU_ERROR_NOT_READY);
  }
  call.driver.scheduler.hostWait(event->record);
  return call.done(event->context->sticky);
}

HGC_EMU_API Result cuEventElapsedTime(float *ms, hgc_cu_event start,
                                      hgc_cu_event end) {
  return elapsed(ms, start, end);
}
HGC_EMU_API Result cuEventElapsedTime_v2(float *ms, hgc_cu_event start,
                                         hgc_cu_event end) {
  return elapsed(ms, start, end);
}
