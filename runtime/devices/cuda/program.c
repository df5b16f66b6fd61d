/*===- program.c - what programs of the GPU plan call -----------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Everything here only puts work on a stream, except waiting. A failure is
 * reported once; the program then returns and the streams are drained.
 *===----------------------------------------------------------------------===*/

#include "cuda.h"

#include <string.h>

#define MAX_ARGS 512 /* what fits into a kernel's 4 KB of parameters */
#define FILL_BYTES 4096

/* Here, because an archive gives out the files that are asked for: whoever
 * calls a function of this file gets the table as well. */
const hgc_rti_gpu_ops hgc_rti_cuda = {
    .create = hgc_rti_cu_create,
    .destroy = hgc_rti_cu_destroy,
    .begin = hgc_rti_cu_begin,
    .end = hgc_rti_cu_end,
    .state_init = hgc_rti_cu_state_init,
    .param_get = hgc_rti_cu_param_get,
    .param_set = hgc_rti_cu_param_set,
    .device_bytes = hgc_rti_cu_device_bytes,
    .pinned_bytes = hgc_rti_cu_pinned_bytes,
    .prefetch_start = hgc_rti_cu_prefetch_start,
    .prefetch_end = hgc_rti_cu_prefetch_end,
    .pointer_gpu = hgc_rti_cu_pointer_gpu,
    .memory_alloc = hgc_rti_cu_memory_alloc,
    .memory_free = hgc_rti_cu_memory_free,
    .memory_copy = hgc_rti_cu_memory_copy,
};

static hgc_rt_status device_of(hgc_rt_ctx *ctx, int32_t gpu,
                               hgc_rti_cu_device **out) {
  hgc_rti_gpu *all = hgc_rti_model_of(ctx)->device.gpu;
  *out = &all->devices[gpu];
  return hgc_rti_cu_bind(all, gpu);
}

static hgc_rt_status launch_all(hgc_rti_cu_device *d, int32_t stream,
                                const hgc_rt_gpu_kernel_desc *k,
                                void **params) {
  for (int32_t i = 0; i < k->n_launches; ++i) {
    const hgc_rt_gpu_launch_desc *l = &k->launches[i];
    hgc_cu_function function = NULL;
    if (!l->grid[0] || !l->grid[1] || !l->grid[2])
      continue; /* an empty tensor */
    hgc_rt_status status = hgc_rti_cu_function(d, l, &function);
    if (status != HGC_RT_OK)
      return status;
    hgc_cu_result code = d->gpu->api.cuLaunchKernel(
        function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
        l->block[2], l->shared_bytes, d->streams[stream], params, NULL);
    if (code)
      return hgc_rti_cu_fail(d, code, "cuLaunchKernel", k->name);
  }
  return HGC_RT_OK;
}

static hgc_rt_status run(hgc_rti_cu_device *d, int32_t stream,
                         const hgc_rt_gpu_kernel_desc *k, void **args,
                         int64_t nargs) {
  void *params[MAX_ARGS];
  int32_t done = 0;
  hgc_rt_status status = HGC_RT_OK;
  if (k->gemm)
    status = hgc_rti_cu_gemm(d, stream, k, args, &done);
  if (status != HGC_RT_OK || done)
    return status;
  for (int64_t i = 0; i < nargs; ++i)
    params[i] = &args[i];
  return launch_all(d, stream, k, params);
}

static hgc_rt_status prepare(hgc_rti_cu_device *d, int32_t stream,
                             const hgc_rt_gpu_kernel_desc *k, void **args,
                             int64_t nargs) {
  if (stream >= d->gpu->plan->n_launch_streams)
    return hgc_rti_error(HGC_RT_INTERNAL, "report this as a bug in hgc",
                         "kernel '%s' is launched on stream %d of %d that have "
                         "memory for kernels",
                         k->name, stream, d->gpu->plan->n_launch_streams);
  if (nargs > MAX_ARGS || k->scratch_bytes > d->scratch_stride)
    return hgc_rti_error(HGC_RT_INTERNAL, "report this as a bug in hgc",
                         "kernel '%s' has %lld arguments and needs %lld bytes "
                         "of scratch, at most %d and %lld are possible",
                         k->name, (long long)nargs, (long long)k->scratch_bytes,
                         MAX_ARGS, (long long)d->scratch_stride);
  if (k->scratch_bytes > 0)
    args[nargs - 1] =
        (void *)(uintptr_t)(d->scratch +
                            (hgc_cu_ptr)(d->scratch_stride * stream));
  d->dirty[stream] = 1;
  return HGC_RT_OK;
}

hgc_rt_status hgc_rt_gpu_launch(hgc_rt_ctx *ctx, int32_t gpu, int32_t stream,
                                const hgc_rt_gpu_kernel_desc *kernel,
                                void **args, int64_t nargs) {
  hgc_rti_cu_device *d;
  hgc_rt_status status = device_of(ctx, gpu, &d);
  if (status == HGC_RT_OK)
    status = prepare(d, stream, kernel, args, nargs);
  if (status == HGC_RT_OK && d->clock)
    status = hgc_rti_cu_clock_begin(d, stream, kernel);
  if (status == HGC_RT_OK)
    status = run(d, stream, kernel, args, nargs);
  if (status == HGC_RT_OK && d->clock)
    status = hgc_rti_cu_clock_end(d);
  return status;
}

/* Between GPUs, or within one. */
static hgc_rt_status copy_on_gpus(hgc_rti_cu_device *d, int32_t stream,
                                  hgc_cu_ptr dst, int32_t dst_gpu,
                                  hgc_cu_ptr src, int32_t src_gpu,
                                  size_t bytes) {
  const hgc_rti_cu_device *devices = d->gpu->devices;
  if (dst_gpu == src_gpu)
    return HGC_RTI_CU(d, cuMemcpyDtoDAsync_v2, dst, src, bytes,
                      d->streams[stream]);
  return HGC_RTI_CU(d, cuMemcpyPeerAsync, dst, devices[dst_gpu].context, src,
                    devices[src_gpu].context, bytes, d->streams[stream]);
}

hgc_rt_status hgc_rt_gpu_copy(hgc_rt_ctx *ctx, int32_t gpu, int32_t stream,
                              void *dst, int32_t dst_gpu, const void *src,
                              int32_t src_gpu, int64_t bytes) {
  hgc_rti_cu_device *d;
  hgc_cu_ptr to = (hgc_cu_ptr)(uintptr_t)dst;
  hgc_cu_ptr from = (hgc_cu_ptr)(uintptr_t)src;
  hgc_rt_status status = device_of(ctx, gpu, &d);
  if (status != HGC_RT_OK || bytes <= 0 || (dst == src && dst_gpu == src_gpu))
    return status;
  d->dirty[stream] = 1;
  if (dst_gpu >= 0 && src_gpu >= 0)
    return copy_on_gpus(d, stream, to, dst_gpu, from, src_gpu, (size_t)bytes);
  if (dst_gpu >= 0) {
    int32_t done = 0;
    if (dst_gpu == gpu)
      status = hgc_rti_cu_upload_input(d, stream, to, src, bytes, &done);
    if (status != HGC_RT_OK || done)
      return status;
    return hgc_rti_cu_to_device(d, stream, to, src, bytes);
  }
  if (src_gpu >= 0)
    return hgc_rti_cu_to_host(d, stream, dst, from, bytes);
  status = hgc_rti_cu_sync(d, stream);
  if (status == HGC_RT_OK)
    memcpy(dst, src, (size_t)bytes);
  return status;
}

/* The widest unit of which `pattern` repeats one: 1, 2 or 4 bytes; else 0. */
static int64_t memset_unit(const uint8_t *pattern, int64_t elem_size) {
  for (int64_t unit = 1; unit <= 4; unit *= 2) {
    int64_t i = unit;
    while (i < elem_size && pattern[i] == pattern[i - unit])
      ++i;
    if (i >= elem_size && elem_size % unit == 0)
      return unit;
  }
  return 0;
}

static hgc_rt_status set_units(hgc_rti_cu_device *d, int32_t stream,
                               hgc_cu_ptr dst, const uint8_t *pattern,
                               int64_t unit, size_t count) {
  hgc_cu_stream s = d->streams[stream];
  uint16_t half;
  uint32_t word;
  switch (unit) {
  case 1:
    return HGC_RTI_CU(d, cuMemsetD8Async, dst, pattern[0], count, s);
  case 2:
    memcpy(&half, pattern, 2);
    return HGC_RTI_CU(d, cuMemsetD16Async, dst, half, count, s);
  default:
    memcpy(&word, pattern, 4);
    return HGC_RTI_CU(d, cuMemsetD32Async, dst, word, count, s);
  }
}

/* Sends some elements and doubles what is there. */
static hgc_rt_status fill_by_copies(hgc_rti_cu_device *d, int32_t stream,
                                    hgc_cu_ptr dst, const uint8_t *pattern,
                                    int64_t elem_size, int64_t all) {
  uint8_t head[FILL_BYTES];
  int64_t done = elem_size > FILL_BYTES ? elem_size : 0;
  const uint8_t *first = elem_size > FILL_BYTES ? pattern : head;
  while (done < all && done + elem_size <= FILL_BYTES) {
    memcpy(head + done, pattern, (size_t)elem_size);
    done += elem_size;
  }
  hgc_rt_status status = hgc_rti_cu_to_device(d, stream, dst, first, done);
  while (status == HGC_RT_OK && done < all) {
    int64_t more = done <= all - done ? done : all - done;
    status = HGC_RTI_CU(d, cuMemcpyDtoDAsync_v2, dst + (hgc_cu_ptr)done, dst,
                        (size_t)more, d->streams[stream]);
    done += more;
  }
  return status;
}

hgc_rt_status hgc_rt_gpu_fill(hgc_rt_ctx *ctx, int32_t gpu, int32_t stream,
                              void *dst, const void *pattern, int64_t elem_size,
                              int64_t count) {
  hgc_rti_cu_device *d;
  hgc_cu_ptr to = (hgc_cu_ptr)(uintptr_t)dst;
  hgc_rt_status status = device_of(ctx, gpu, &d);
  if (status != HGC_RT_OK || elem_size <= 0 || count <= 0)
    return status;
  d->dirty[stream] = 1;
  int64_t unit = memset_unit(pattern, elem_size), all = elem_size * count;
  if (unit > 0 && to % (hgc_cu_ptr)unit == 0)
    return set_units(d, stream, to, pattern, unit, (size_t)(all / unit));
  return fill_by_copies(d, stream, to, pattern, elem_size, all);
}

hgc_rt_status hgc_rt_gpu_record(hgc_rt_ctx *ctx, int32_t gpu, int32_t stream,
                                int32_t event) {
  hgc_rti_cu_device *d;
  hgc_rt_status status = device_of(ctx, gpu, &d);
  if (status != HGC_RT_OK)
    return status;
  return HGC_RTI_CU(d, cuEventRecord, d->events[event], d->streams[stream]);
}

hgc_rt_status hgc_rt_gpu_wait(hgc_rt_ctx *ctx, int32_t gpu, int32_t stream,
                              int32_t event_gpu, int32_t event) {
  hgc_rti_cu_device *d;
  hgc_rt_status status = device_of(ctx, gpu, &d);
  if (status != HGC_RT_OK)
    return status;
  return HGC_RTI_CU(d, cuStreamWaitEvent, d->streams[stream],
                    d->gpu->devices[event_gpu].events[event], 0);
}

hgc_rt_status hgc_rt_gpu_sync(hgc_rt_ctx *ctx, int32_t gpu, int32_t stream) {
  hgc_rti_cu_device *d;
  hgc_rt_status status = device_of(ctx, gpu, &d);
  return status == HGC_RT_OK ? hgc_rti_cu_sync(d, stream) : status;
}

void *hgc_rt_gpu_guarded(hgc_rt_ctx *ctx, int32_t gpu, int64_t index) {
  return (void *)(uintptr_t)hgc_rti_model_of(ctx)
      ->device.gpu->devices[gpu]
      .guarded[index];
}
