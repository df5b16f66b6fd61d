/*===- context.c - contexts, streams and memory of one GPU ------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The primary context is shared with everything else in the process that uses
 * the GPU, so that pointers and streams of the caller are valid in it. It is
 * current only while a call of ours runs.
 *===----------------------------------------------------------------------===*/

#include "cuda.h"

#include <stdio.h>

#define ALIGNMENT 256

hgc_rt_status hgc_rti_cu_bind(hgc_rti_gpu *gpu, int32_t number) {
  hgc_cu_context popped = NULL;
  hgc_rt_status status = HGC_RT_OK;
  if (gpu->current == number)
    return HGC_RT_OK;
  if (gpu->current >= 0) {
    hgc_rti_cu_device *old = &gpu->devices[gpu->current];
    gpu->current = -1;
    status = HGC_RTI_CU(old, cuCtxPopCurrent_v2, &popped);
  }
  if (status != HGC_RT_OK || number < 0)
    return status;
  hgc_rti_cu_device *device = &gpu->devices[number];
  status = HGC_RTI_CU(device, cuCtxPushCurrent_v2, device->context);
  if (status == HGC_RT_OK)
    gpu->current = number;
  return status;
}

/* Adds up what the plan wants of this GPU; cuBLAS takes its own share later. */
int64_t hgc_rti_cu_wanted_bytes(const hgc_rti_cu_device *d) {
  const hgc_rt_gpu_plan *plan = d->gpu->plan;
  const hgc_rt_gpu_device_desc *desc = &plan->devices[d->number];
  int64_t sum =
      desc->arena_bytes + desc->weights_bytes + desc->state_bytes +
      hgc_rti_round_up(desc->scratch_bytes, ALIGNMENT) * plan->n_launch_streams;
  for (int64_t i = 0; i < desc->n_guarded; ++i)
    sum += desc->guarded_sizes[i];
  return sum;
}

static hgc_rt_status check_memory(hgc_rti_cu_device *d) {
  const hgc_rt_gpu_device_desc *desc = &d->gpu->plan->devices[d->number];
  size_t free_bytes = 0, total = 0;
  hgc_rti_device *device = &d->gpu->model->device;
  int64_t wanted = hgc_rti_cu_wanted_bytes(d);
  hgc_rt_status status = HGC_RTI_CU(d, cuMemGetInfo_v2, &free_bytes, &total);
  if (status == HGC_RT_OK && d->number == 0)
    snprintf(device->why, sizeof(device->why),
             "GPU %d has %lld bytes free and the plan needs %lld", d->ordinal,
             (long long)free_bytes, (long long)wanted);
  if (status != HGC_RT_OK || wanted <= (int64_t)free_bytes)
    return status;
  return hgc_rti_error(
      HGC_RT_OUT_OF_MEMORY,
      "free memory of the GPU, compile smaller variants, or set HGC_DEVICE=cpu",
      "model '%s' needs %lld bytes on GPU %d '%s' (arena %lld, weights %lld, "
      "state %lld, scratch %lld per stream), which has %lld of %lld free",
      d->gpu->model->desc->name, (long long)wanted, d->ordinal, d->name,
      (long long)desc->arena_bytes, (long long)desc->weights_bytes,
      (long long)desc->state_bytes, (long long)d->scratch_stride,
      (long long)free_bytes, (long long)total);
}

static hgc_rt_status allocate(hgc_rti_cu_device *d, int64_t bytes,
                              hgc_cu_ptr *out) {
  if (bytes <= 0)
    return HGC_RT_OK;
  hgc_rt_status status = HGC_RTI_CU(d, cuMemAlloc_v2, out, (size_t)bytes);
  if (status == HGC_RT_OK)
    d->bytes += bytes;
  else
    *out = 0;
  return status;
}

/* --arena=separate: new memory for each buffer. */
hgc_rt_status hgc_rti_cu_guarded_renew(hgc_rti_cu_device *d) {
  const hgc_rt_gpu_device_desc *desc = &d->gpu->plan->devices[d->number];
  hgc_rt_status status = HGC_RT_OK;
  for (int64_t i = 0; status == HGC_RT_OK && i < desc->n_guarded; ++i) {
    int64_t bytes = desc->guarded_sizes[i] > 0 ? desc->guarded_sizes[i] : 1;
    if (d->guarded[i]) {
      status = HGC_RTI_CU(d, cuMemFree_v2, d->guarded[i]);
      d->guarded[i] = 0;
      d->bytes -= bytes;
    }
    if (status == HGC_RT_OK)
      status = allocate(d, bytes, &d->guarded[i]);
  }
  return status;
}

static hgc_rt_status allocate_all(hgc_rti_cu_device *d) {
  const hgc_rt_gpu_plan *plan = d->gpu->plan;
  const hgc_rt_gpu_device_desc *desc = &plan->devices[d->number];
  d->scratch_stride = hgc_rti_round_up(desc->scratch_bytes, ALIGNMENT);
  hgc_rt_status status = check_memory(d);
  if (status == HGC_RT_OK)
    status = allocate(d, desc->arena_bytes, &d->arena);
  if (status == HGC_RT_OK)
    status = allocate(d, desc->weights_bytes, &d->weights);
  if (status == HGC_RT_OK)
    status = allocate(d, desc->state_bytes, &d->state);
  if (status == HGC_RT_OK)
    status =
        allocate(d, d->scratch_stride * plan->n_launch_streams, &d->scratch);
  if (status == HGC_RT_OK)
    status = hgc_rti_cu_guarded_renew(d);
  hgc_rt_gpu_bases *bases = &d->gpu->bases[d->number];
  bases->arena = d->arena;
  bases->weights = d->weights;
  bases->state = d->state;
  return status;
}

/* The caller's stream serves as the first one of the first GPU. */
static hgc_rt_status adopt_stream(hgc_rti_cu_device *d) {
  hgc_cu_stream stream = d->gpu->model->options.cuda_stream;
  hgc_cu_context owner = NULL;
  hgc_cu_result code = d->gpu->api.cuStreamGetCtx(stream, &owner);
  if (code || owner != d->context)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                         "pass a stream of the GPU's primary context, as the "
                         "CUDA runtime makes them; HGC_VISIBLE_DEVICES chooses "
                         "the GPU",
                         "model '%s': options.cuda_stream is not a stream of "
                         "GPU %d '%s'",
                         d->gpu->model->desc->name, d->ordinal, d->name);
  d->streams[0] = stream;
  d->gpu->owns_first_stream = 0;
  return HGC_RTI_CU(d, cuEventCreate, &d->caller, HGC_CU_EVENT_DISABLE_TIMING);
}

static hgc_rt_status make_streams(hgc_rti_cu_device *d) {
  const hgc_rt_gpu_plan *plan = d->gpu->plan;
  hgc_rt_status status = HGC_RT_OK;
  int32_t first = 0;
  if (d->number == 0 && d->gpu->model->options.cuda_stream) {
    status = adopt_stream(d);
    first = 1;
  }
  for (int32_t i = first; status == HGC_RT_OK && i < d->gpu->n_streams; ++i)
    status = HGC_RTI_CU(d, cuStreamCreate, &d->streams[i],
                        HGC_CU_STREAM_NON_BLOCKING);
  for (int32_t i = 0; status == HGC_RT_OK && i < plan->n_events; ++i)
    status = HGC_RTI_CU(d, cuEventCreate, &d->events[i],
                        HGC_CU_EVENT_DISABLE_TIMING);
  return status;
}

hgc_rt_status hgc_rti_cu_device_create(hgc_rti_cu_device *d) {
  hgc_rt_status status =
      HGC_RTI_CU(d, cuDevicePrimaryCtxRetain, &d->context, d->handle);
  if (status != HGC_RT_OK) {
    d->context = NULL;
    return status;
  }
  status = hgc_rti_cu_bind(d->gpu, d->number);
  if (status == HGC_RT_OK)
    status = hgc_rti_cu_module_load(d);
  if (status == HGC_RT_OK)
    status = allocate_all(d);
  if (status == HGC_RT_OK)
    status = make_streams(d);
  if (status == HGC_RT_OK)
    status = hgc_rti_cu_staging_create(d);
  if (status == HGC_RT_OK && d->gpu->model->timing)
    status = hgc_rti_cu_clock_create(d);
  return status;
}

static void free_memory(hgc_rti_cu_device *d) {
  const hgc_rt_gpu_device_desc *desc = &d->gpu->plan->devices[d->number];
  const hgc_cu_ptr blocks[] = {d->arena, d->weights, d->state, d->scratch};
  for (int32_t i = 0; i < 4; ++i)
    if (blocks[i])
      d->gpu->api.cuMemFree_v2(blocks[i]);
  for (int64_t i = 0; i < desc->n_guarded; ++i)
    if (d->guarded[i])
      d->gpu->api.cuMemFree_v2(d->guarded[i]);
}

/* Errors change nothing here: whatever can be given back is. */
void hgc_rti_cu_device_destroy(hgc_rti_cu_device *d) {
  const hgc_cu_api *api = &d->gpu->api;
  const hgc_rt_gpu_plan *plan = d->gpu->plan;
  if (!d->context)
    return;
  if (hgc_rti_cu_bind(d->gpu, d->number) == HGC_RT_OK) {
    int32_t own = d->number > 0 || d->gpu->owns_first_stream ? 0 : 1;
    for (int32_t i = 0; i < d->gpu->n_streams; ++i)
      if (d->streams[i])
        api->cuStreamSynchronize(d->streams[i]);
    hgc_rti_cu_blas_destroy(d);
    hgc_rti_cu_clock_destroy(d);
    hgc_rti_cu_staging_destroy(d);
    hgc_rti_cu_prefetch_destroy(d);
    for (int32_t i = 0; i < plan->n_events; ++i)
      if (d->events[i])
        api->cuEventDestroy_v2(d->events[i]);
    if (d->caller)
      api->cuEventDestroy_v2(d->caller);
    for (int32_t i = own; i < d->gpu->n_streams; ++i)
      if (d->streams[i])
        api->cuStreamDestroy_v2(d->streams[i]);
    free_memory(d);
    if (d->module)
      api->cuModuleUnload(d->module);
    hgc_rti_cu_bind(d->gpu, -1);
  }
  api->cuDevicePrimaryCtxRelease_v2(d->handle);
  d->context = NULL;
}

/* Direct copies between GPUs where the machine can; the driver goes through
 * host memory otherwise, so no error matters. */
void hgc_rti_cu_peers(hgc_rti_gpu *gpu) {
  const hgc_cu_api *api = &gpu->api;
  for (int32_t i = 0; i < gpu->plan->n_devices; ++i)
    for (int32_t k = 0; k < gpu->plan->n_devices; ++k) {
      int can = 0;
      if (i != k &&
          !api->cuDeviceCanAccessPeer(&can, gpu->devices[i].handle,
                                      gpu->devices[k].handle) &&
          can && hgc_rti_cu_bind(gpu, i) == HGC_RT_OK)
        api->cuCtxEnablePeerAccess(gpu->devices[k].context, 0);
    }
}
