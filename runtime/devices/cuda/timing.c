/*===- timing.c - how long kernels take on a GPU ----------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Each kernel is put between two events, which are read when all streams are
 * idle: nothing waits for a kernel because it is timed. A third event, recorded
 * while the host's clock is read, ties the GPU's time to CLOCK_MONOTONIC.
 *===----------------------------------------------------------------------===*/

#include "cuda.h"

#include <string.h>

hgc_rt_status hgc_rti_cu_clock_create(hgc_rti_cu_device *d) {
  hgc_rti_cu_clock *clock = hgc_rti_alloc(
      &d->gpu->model->options, (int64_t)sizeof(*clock), HGC_RTI_CACHE_LINE);
  if (!clock)
    return HGC_RT_OUT_OF_MEMORY;
  memset(clock, 0, sizeof(*clock));
  d->clock = clock;
  hgc_rt_status status =
      HGC_RTI_CU(d, cuEventCreate, &clock->start, HGC_CU_EVENT_DEFAULT);
  for (int32_t i = 0; status == HGC_RT_OK && i < HGC_RTI_CU_TIMINGS; ++i) {
    hgc_rti_cu_timing *t = &clock->timings[i];
    status = HGC_RTI_CU(d, cuEventCreate, &t->begin, HGC_CU_EVENT_DEFAULT);
    if (status == HGC_RT_OK)
      status = HGC_RTI_CU(d, cuEventCreate, &t->end, HGC_CU_EVENT_DEFAULT);
  }
  return status;
}

static void destroy_event(const hgc_rti_cu_device *d, hgc_cu_event event) {
  if (event)
    d->gpu->api.cuEventDestroy_v2(event);
}

void hgc_rti_cu_clock_destroy(hgc_rti_cu_device *d) {
  hgc_rti_cu_clock *clock = d->clock;
  if (!clock)
    return;
  destroy_event(d, clock->start);
  for (int32_t i = 0; i < HGC_RTI_CU_TIMINGS; ++i) {
    destroy_event(d, clock->timings[i].begin);
    destroy_event(d, clock->timings[i].end);
  }
}

hgc_rt_status hgc_rti_cu_clock_start(hgc_rti_cu_device *d) {
  hgc_rti_cu_clock *clock = d->clock;
  clock->count = 0;
  hgc_rt_status status =
      HGC_RTI_CU(d, cuEventRecord, clock->start, d->streams[0]);
  if (status == HGC_RT_OK)
    status = HGC_RTI_CU(d, cuEventSynchronize, clock->start);
  clock->start_ns = hgc_rti_now_ns();
  return status;
}

hgc_rt_status hgc_rti_cu_clock_begin(hgc_rti_cu_device *d, int32_t stream,
                                     const hgc_rt_gpu_kernel_desc *kernel) {
  hgc_rti_cu_clock *clock = d->clock;
  hgc_rt_status status = HGC_RT_OK;
  if (clock->count == HGC_RTI_CU_TIMINGS) {
    for (int32_t i = 0; status == HGC_RT_OK && i < d->gpu->n_streams; ++i)
      status = hgc_rti_cu_sync(d, i);
    if (status == HGC_RT_OK)
      status = hgc_rti_cu_clock_report(d);
    if (status != HGC_RT_OK)
      return status;
  }
  hgc_rti_cu_timing *t = &clock->timings[clock->count];
  t->kernel = kernel;
  t->stream = stream;
  return HGC_RTI_CU(d, cuEventRecord, t->begin, d->streams[stream]);
}

hgc_rt_status hgc_rti_cu_clock_end(hgc_rti_cu_device *d) {
  hgc_rti_cu_timing *t = &d->clock->timings[d->clock->count];
  hgc_rt_status status =
      HGC_RTI_CU(d, cuEventRecord, t->end, d->streams[t->stream]);
  if (status == HGC_RT_OK)
    ++d->clock->count;
  return status;
}

static int64_t blocks(const hgc_rt_gpu_kernel_desc *k) {
  int64_t sum = 0;
  for (int32_t i = 0; i < k->n_launches; ++i) {
    const uint32_t *grid = k->launches[i].grid;
    sum += (int64_t)grid[0] * grid[1] * grid[2];
  }
  return sum;
}

hgc_rt_status hgc_rti_cu_clock_report(hgc_rti_cu_device *d) {
  hgc_rti_cu_clock *clock = d->clock;
  hgc_rt_status status = HGC_RT_OK;
  for (int32_t i = 0; status == HGC_RT_OK && i < clock->count; ++i) {
    const hgc_rti_cu_timing *t = &clock->timings[i];
    const hgc_rt_gpu_kernel_desc *k = t->kernel;
    float before = 0, took = 0; /* in milliseconds */
    status = HGC_RTI_CU(d, cuEventElapsedTime, &before, clock->start, t->begin);
    if (status == HGC_RT_OK)
      status = HGC_RTI_CU(d, cuEventElapsedTime, &took, t->begin, t->end);
    if (status != HGC_RT_OK)
      break;
    int64_t begin = clock->start_ns + (int64_t)((double)before * 1e6);
    hgc_rt_kernel_timing timing = {.size = (uint32_t)sizeof(timing),
                                   .version = HGC_RT_VERSION,
                                   .name = k->name,
                                   .ops = k->ops,
                                   .location = k->location,
                                   .begin_ns = begin,
                                   .end_ns =
                                       begin + (int64_t)((double)took * 1e6),
                                   .units = blocks(k),
                                   .ranges = k->n_launches,
                                   .flops = k->flops,
                                   .bytes = k->bytes,
                                   .gpu = d->number,
                                   .stream = t->stream};
    hgc_rti_trace_kernel(d->gpu->model, &timing);
  }
  clock->count = 0;
  return status;
}
