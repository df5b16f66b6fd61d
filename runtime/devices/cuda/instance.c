/*===- instance.c - the GPU part of an instance -----------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Create takes everything or nothing, so that the CPU plan can take over. When
 * a call ends, well or not, all streams are idle: no copy touches memory of the
 * caller afterwards, and the next call may use all of ours.
 *===----------------------------------------------------------------------===*/

#include "cuda.h"

#include <stdio.h>
#include <string.h>

#define POISON 0xCB

static void *take(char **next, int64_t count, size_t size) {
  char *start = *next;
  *next += hgc_rti_round_up(count * (int64_t)size, HGC_RTI_CACHE_LINE);
  return start;
}

/* State is copied on the first stream, whatever the programs use. */
static int32_t streams_of(const hgc_rt_gpu_plan *plan) {
  return plan->n_streams > 1 ? plan->n_streams : 1;
}

/* Lays the arrays out behind `gpu`, or only counts their bytes. */
static int64_t lay_out(const hgc_rt_gpu_plan *plan, hgc_rti_gpu *gpu) {
  hgc_rti_gpu none;
  hgc_rti_cu_device device;
  hgc_rti_gpu *g = gpu ? gpu : &none;
  char *base = (char *)gpu, *next = base;
  take(&next, 1, sizeof(*gpu));
  g->bases = take(&next, plan->n_devices, sizeof(*g->bases));
  g->devices = take(&next, plan->n_devices, sizeof(*g->devices));
  for (int32_t i = 0; i < plan->n_devices; ++i) {
    hgc_rti_cu_device *d = gpu ? &gpu->devices[i] : &device;
    d->functions = take(&next, plan->n_functions, sizeof(*d->functions));
    d->shared = take(&next, plan->n_functions, sizeof(*d->shared));
    d->streams = take(&next, streams_of(plan), sizeof(*d->streams));
    d->dirty = take(&next, streams_of(plan), sizeof(*d->dirty));
    d->events = take(&next, plan->n_events, sizeof(*d->events));
    d->guarded = take(&next, plan->devices[i].n_guarded, sizeof(*d->guarded));
  }
  return next - base;
}

static hgc_rti_gpu *allocate(hgc_rti_model *model) {
  const hgc_rt_gpu_plan *plan = model->desc->gpu;
  int64_t bytes = lay_out(plan, NULL);
  hgc_rti_gpu *gpu = hgc_rti_alloc(&model->options, bytes, HGC_RTI_CACHE_LINE);
  if (!gpu)
    return NULL;
  memset(gpu, 0, (size_t)bytes);
  lay_out(plan, gpu);
  gpu->model = model;
  gpu->plan = plan;
  gpu->n_streams = streams_of(plan);
  gpu->block_bytes = bytes;
  gpu->current = -1;
  gpu->owns_first_stream = 1;
  for (int32_t i = 0; i < plan->n_devices; ++i) {
    gpu->devices[i].gpu = gpu;
    gpu->devices[i].number = i;
  }
  return gpu;
}

/* Waits for everything without a word: the call has failed already. */
static void abandon(hgc_rti_gpu *gpu) {
  char message[HGC_RTI_ERROR_SIZE];
  memcpy(message, hgc_rt_last_error(), sizeof(message));
  for (int32_t i = 0; i < gpu->plan->n_devices; ++i) {
    hgc_rti_cu_device *d = &gpu->devices[i];
    hgc_rt_status status = hgc_rti_cu_bind(gpu, i);
    for (int32_t s = 0; s < gpu->n_streams; ++s) {
      if (status == HGC_RT_OK)
        HGC_RTI_CU(d, cuStreamSynchronize, d->streams[s]);
      d->dirty[s] = 0;
    }
    hgc_rti_cu_staging_drop(d);
    if (d->clock)
      d->clock->count = 0;
  }
  hgc_rti_error_set(message);
}

hgc_rt_status hgc_rti_cu_end(hgc_rti_model *model, hgc_rt_status status) {
  hgc_rti_gpu *gpu = model->device.gpu;
  for (int32_t i = 0; status == HGC_RT_OK && i < gpu->plan->n_devices; ++i) {
    hgc_rti_cu_device *d = &gpu->devices[i];
    for (int32_t s = 0; status == HGC_RT_OK && s < gpu->n_streams; ++s) {
      if (!d->dirty[s])
        continue;
      status = hgc_rti_cu_bind(gpu, i);
      if (status == HGC_RT_OK)
        status = hgc_rti_cu_sync(d, s);
    }
    if (status == HGC_RT_OK && d->clock)
      status = hgc_rti_cu_clock_report(d);
  }
  if (status == HGC_RT_OK)
    hgc_rti_cu_uploads_end(gpu);
  else
    abandon(gpu);
  hgc_rt_status unbound = hgc_rti_cu_bind(gpu, -1);
  return status == HGC_RT_OK ? unbound : status;
}

/* --arena=separate: what an earlier call left behind must not look right. The
 * emulator knows of new memory that nobody has written it. */
static hgc_rt_status poison(hgc_rti_cu_device *d) {
  const hgc_rt_gpu_device_desc *desc = &d->gpu->plan->devices[d->number];
  hgc_rt_status status = HGC_RT_OK;
  if (d->gpu->emulated)
    return hgc_rti_cu_guarded_renew(d);
  for (int64_t i = 0; status == HGC_RT_OK && i < desc->n_guarded; ++i)
    if (desc->guarded_sizes[i] > 0)
      status = HGC_RTI_CU(d, cuMemsetD8Async, d->guarded[i], POISON,
                          (size_t)desc->guarded_sizes[i], d->streams[0]);
  return status == HGC_RT_OK && desc->n_guarded > 0 ? hgc_rti_cu_sync(d, 0)
                                                    : status;
}

/* Everything waits for what the caller has put on its stream. */
static hgc_rt_status follow_caller(hgc_rti_cu_device *d) {
  hgc_rt_status status = HGC_RTI_CU(d, cuEventRecord, d->caller, d->streams[0]);
  for (int32_t i = 1; status == HGC_RT_OK && i < d->gpu->n_streams; ++i)
    status = HGC_RTI_CU(d, cuStreamWaitEvent, d->streams[i], d->caller, 0);
  return status;
}

hgc_rt_status hgc_rti_cu_begin(hgc_rti_model *model) {
  hgc_rti_gpu *gpu = model->device.gpu;
  hgc_rt_status status = HGC_RT_OK;
  for (int32_t i = gpu->plan->n_devices; status == HGC_RT_OK && i-- > 0;) {
    hgc_rti_cu_device *d = &gpu->devices[i];
    status = hgc_rti_cu_bind(gpu, i);
    if (status == HGC_RT_OK && d->caller)
      status = follow_caller(d);
    if (status == HGC_RT_OK && gpu->calls > 0)
      status = poison(d);
    if (status == HGC_RT_OK && d->clock)
      status = hgc_rti_cu_clock_start(d);
  }
  if (status != HGC_RT_OK)
    return hgc_rti_cu_end(model, status);
  hgc_rti_cu_uploads_begin(gpu);
  if (gpu->calls < 1)
    ++gpu->calls;
  return HGC_RT_OK;
}

static hgc_rt_status init_device_state(hgc_rti_cu_device *d) {
  const hgc_rt_gpu_plan *plan = d->gpu->plan;
  const hgc_rti_model *model = d->gpu->model;
  int64_t bytes = plan->devices[d->number].state_bytes;
  if (bytes <= 0)
    return HGC_RT_OK;
  hgc_rt_status status = hgc_rti_cu_bind(d->gpu, d->number);
  if (status == HGC_RT_OK)
    status = HGC_RTI_CU(d, cuMemsetD8Async, d->state, 0, (size_t)bytes,
                        d->streams[0]);
  d->dirty[0] = 1;
  for (int32_t i = 0; status == HGC_RT_OK && i < plan->n_params; ++i) {
    const hgc_rt_gpu_param_desc *home = &plan->params[i];
    const hgc_rt_param_desc *p = &model->desc->params[home->param];
    if (home->device == d->number && p->init_offset >= 0)
      status = hgc_rti_cu_to_device(d, 0, d->state + (hgc_cu_ptr)home->offset,
                                    model->ctx.weights + p->init_offset,
                                    p->info.bytes);
  }
  return status;
}

hgc_rt_status hgc_rti_cu_state_init(hgc_rti_model *model) {
  hgc_rti_gpu *gpu = model->device.gpu;
  hgc_rt_status status = HGC_RT_OK;
  for (int32_t i = 0; status == HGC_RT_OK && i < gpu->plan->n_devices; ++i)
    status = init_device_state(&gpu->devices[i]);
  return hgc_rti_cu_end(model, status);
}

hgc_rt_status hgc_rti_cu_param_get(hgc_rti_model *model,
                                   const hgc_rt_gpu_param_desc *home,
                                   void *data) {
  hgc_rti_cu_device *d = &model->device.gpu->devices[home->device];
  hgc_rt_status status = hgc_rti_cu_bind(d->gpu, d->number);
  if (status == HGC_RT_OK)
    status = hgc_rti_cu_to_host(d, 0, data, d->state + (hgc_cu_ptr)home->offset,
                                model->desc->params[home->param].info.bytes);
  return hgc_rti_cu_end(model, status);
}

hgc_rt_status hgc_rti_cu_param_set(hgc_rti_model *model,
                                   const hgc_rt_gpu_param_desc *home,
                                   const void *data) {
  hgc_rti_cu_device *d = &model->device.gpu->devices[home->device];
  hgc_rt_status status = hgc_rti_cu_bind(d->gpu, d->number);
  if (status == HGC_RT_OK)
    status =
        hgc_rti_cu_to_device(d, 0, d->state + (hgc_cu_ptr)home->offset, data,
                             model->desc->params[home->param].info.bytes);
  return hgc_rti_cu_end(model, status);
}

void hgc_rti_cu_destroy(hgc_rti_model *model) {
  hgc_rti_gpu *gpu = model->device.gpu;
  /* A forked child may not even ask the driver. */
  int forked = atomic_load(&model->device.lost) == HGC_RTI_LOST_FORK;
  for (int32_t i = 0; i < gpu->plan->n_devices; ++i) {
    hgc_rti_cu_device *d = &gpu->devices[i];
    if (!forked)
      hgc_rti_cu_device_destroy(d);
    hgc_rti_free(&model->options, d->clock, (int64_t)sizeof(*d->clock),
                 HGC_RTI_CACHE_LINE);
  }
  hgc_rti_free(&model->options, gpu, gpu->block_bytes, HGC_RTI_CACHE_LINE);
  model->device.gpu = NULL;
  model->ctx.gpus = NULL;
}

static hgc_rt_status fill(hgc_rti_gpu *gpu, const hgc_rti_device_wish *wish) {
  hgc_rti_model *model = gpu->model;
  void *driver = NULL;
  gpu->emulated = wish->kind == HGC_RTI_EMULATED;
  hgc_rt_status status =
      hgc_rti_cu_open(wish, &gpu->api, &gpu->driver_version, &driver);
  if (status == HGC_RT_OK)
    status = hgc_rti_cu_choose(gpu);
  for (int32_t i = 0; status == HGC_RT_OK && i < gpu->plan->n_devices; ++i)
    status = hgc_rti_cu_device_create(&gpu->devices[i]);
  if (status != HGC_RT_OK)
    return status;
  hgc_rti_cu_peers(gpu);
  hgc_rti_cu_blas_create(gpu, driver);
  hgc_rti_error_clear();
  model->ctx.gpus = gpu->bases;
  status = hgc_rti_state_init(model);
  if (status == HGC_RT_OK && gpu->plan->load) {
    status = hgc_rti_cu_begin(model);
    if (status == HGC_RT_OK)
      status = hgc_rti_cu_end(model, gpu->plan->load(&model->ctx, NULL));
  }
  return status;
}

hgc_rt_status hgc_rti_cu_create(hgc_rti_model *model,
                                const hgc_rti_device_wish *wish) {
  char message[HGC_RTI_ERROR_SIZE];
  hgc_rti_gpu *gpu = allocate(model);
  if (!gpu)
    return HGC_RT_OUT_OF_MEMORY;
  model->device.gpu = gpu;
  hgc_rt_status status = fill(gpu, wish);
  if (status == HGC_RT_OK) {
    const hgc_rti_cu_device *d = &gpu->devices[0];
    snprintf(model->device.name, sizeof(model->device.name), "%s (sm_%d)",
             d->name, d->sm);
    model->device.kind = gpu->emulated ? HGC_RTI_EMULATED : HGC_RTI_GPU;
    return HGC_RT_OK;
  }
  /* The CPU plan starts with a clean sheet, and the caller with the reason. */
  memcpy(message, hgc_rt_last_error(), sizeof(message));
  hgc_rti_cu_bind(gpu, -1);
  hgc_rti_cu_destroy(model);
  atomic_store(&model->device.lost, 0);
  hgc_rti_error_set(message);
  return status;
}

int64_t hgc_rti_cu_device_bytes(const hgc_rti_gpu *gpu) {
  int64_t sum = 0;
  for (int32_t i = 0; i < gpu->plan->n_devices; ++i) {
    sum += gpu->devices[i].bytes;
    for (int32_t s = 0; s < HGC_RTI_DEPTH; ++s)
      sum += gpu->devices[i].prefetch[s].bytes;
  }
  return sum;
}

int64_t hgc_rti_cu_pinned_bytes(const hgc_rti_gpu *gpu) {
  int64_t sum = 0;
  for (int32_t i = 0; i < gpu->plan->n_devices; ++i)
    sum += gpu->devices[i].staging.bytes;
  return sum;
}
