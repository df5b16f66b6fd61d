/*===- find.c - which GPUs there are, and which of them to use --------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * HGC_VISIBLE_DEVICES lists numbers of GPUs in the order in which models use
 * them. Those that are too old or closed to computing are passed over.
 *===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include "cuda.h"
#include "hgc_rt_cuda.h"

#include <stdlib.h>
#include <string.h>

/* Numbers `visible` from 1 in the order of the list; 0 means hidden. */
static hgc_rt_status read_visible(hgc_rti_cu_found *found, int32_t count) {
  const char *text = getenv("HGC_VISIBLE_DEVICES"), *p = text;
  for (int32_t i = 0; i < count; ++i)
    found[i].visible = text ? 0 : i + 1;
  for (int32_t rank = 1; p && *p; ++rank) {
    int32_t number = 0, digits = 0;
    for (; *p >= '0' && *p <= '9' && number < 100000; ++p, ++digits)
      number = number * 10 + (*p - '0');
    if (!digits || (*p && *p != ',') || number >= count ||
        found[number].visible)
      return hgc_rti_error(HGC_RT_NO_DEVICE,
                           "list numbers of GPUs, as `hgc devices` shows "
                           "them, with commas between",
                           "HGC_VISIBLE_DEVICES is '%.64s', expected different "
                           "numbers below %d",
                           text, count);
    found[number].visible = rank;
    p += *p == ',';
  }
  return HGC_RT_OK;
}

static hgc_cu_result look_at(const hgc_cu_api *api, int32_t ordinal,
                             hgc_rti_cu_found *found) {
  int major = 0, minor = 0, mode = 0, processors = 0;
  size_t bytes = 0;
  memset(found, 0, sizeof(*found));
  found->ordinal = ordinal;
  hgc_cu_result code = api->cuDeviceGet(&found->handle, ordinal);
  hgc_cu_device device = found->handle;
  if (!code)
    code = api->cuDeviceGetName(found->name, sizeof(found->name) - 1, device);
  if (!code)
    code = api->cuDeviceTotalMem_v2(&bytes, device);
  if (!code)
    code = api->cuDeviceGetAttribute(
        &major, HGC_CU_DEVICE_COMPUTE_CAPABILITY_MAJOR, device);
  if (!code)
    code = api->cuDeviceGetAttribute(
        &minor, HGC_CU_DEVICE_COMPUTE_CAPABILITY_MINOR, device);
  if (!code)
    code = api->cuDeviceGetAttribute(
        &processors, HGC_CU_DEVICE_MULTIPROCESSOR_COUNT, device);
  if (!code)
    code = api->cuDeviceGetAttribute(&mode, HGC_CU_DEVICE_COMPUTE_MODE, device);
  found->total_bytes = (int64_t)bytes;
  found->sm = major * 10 + minor;
  found->multiprocessors = processors;
  found->prohibited = mode == HGC_CU_COMPUTEMODE_PROHIBITED;
  return code;
}

/* `found` has room for HGC_RTI_CU_MAX_DEVICES. */
hgc_rt_status hgc_rti_cu_find(const hgc_cu_api *api, hgc_rti_cu_found *found,
                              int32_t *count) {
  int n = 0;
  hgc_cu_result code = api->cuDeviceGetCount(&n);
  if (n > HGC_RTI_CU_MAX_DEVICES)
    n = HGC_RTI_CU_MAX_DEVICES;
  for (int32_t i = 0; !code && i < n; ++i)
    code = look_at(api, i, &found[i]);
  if (code)
    return hgc_rti_error(HGC_RT_NO_DEVICE,
                         "run `nvidia-smi`: it must list the GPU",
                         "the GPUs cannot be listed: the driver gave %s (%d)",
                         hgc_rti_cu_code_name(api, code), code);
  *count = n;
  if (n == 0)
    return hgc_rti_error(HGC_RT_NO_DEVICE,
                         "run `nvidia-smi`, and check CUDA_VISIBLE_DEVICES",
                         "the NVIDIA driver finds no GPU");
  return read_visible(found, n);
}

static hgc_rt_status too_few(const hgc_rti_gpu *gpu,
                             const hgc_rti_cu_found *found, int32_t count,
                             int32_t usable) {
  const hgc_rt_gpu_plan *plan = gpu->plan;
  const hgc_rti_cu_found *old = NULL, *closed = NULL;
  int32_t visible = 0;
  for (int32_t i = 0; i < count; ++i) {
    visible += found[i].visible > 0;
    if (found[i].visible && found[i].sm < plan->min_sm)
      old = &found[i];
    else if (found[i].visible && found[i].prohibited)
      closed = &found[i];
  }
  if (visible == 0)
    return hgc_rti_error(HGC_RT_NO_DEVICE,
                         "list numbers of GPUs in it, or unset it",
                         "HGC_VISIBLE_DEVICES leaves none of %d GPUs", count);
  if (old)
    return hgc_rti_error(HGC_RT_NO_DEVICE,
                         "compile the model with --gpu for this GPU",
                         "GPU %d '%s' is too old: it is sm_%d, the model needs "
                         "sm_%d",
                         old->ordinal, old->name, old->sm, plan->min_sm);
  if (closed)
    return hgc_rti_error(HGC_RT_NO_DEVICE,
                         "allow computing with `nvidia-smi -c 0`",
                         "GPU %d '%s' is in compute mode 'prohibited'",
                         closed->ordinal, closed->name);
  return hgc_rti_error(HGC_RT_NO_DEVICE,
                       "compile the model for fewer GPUs, or show it more "
                       "with HGC_VISIBLE_DEVICES",
                       "the model uses %d GPUs, %d can be used",
                       plan->n_devices, usable);
}

/* Free memory is known only to a context, which a probe makes and drops. */
static int64_t free_bytes(const hgc_cu_api *api, hgc_cu_device device) {
  hgc_cu_context context = NULL, popped = NULL;
  size_t bytes = 0, total = 0;
  if (api->cuDevicePrimaryCtxRetain(&context, device))
    return -1;
  hgc_cu_result code = api->cuCtxPushCurrent_v2(context);
  if (!code) {
    code = api->cuMemGetInfo_v2(&bytes, &total);
    api->cuCtxPopCurrent_v2(&popped);
  }
  api->cuDevicePrimaryCtxRelease_v2(device);
  return code ? -1 : (int64_t)bytes;
}

static void take(hgc_rti_cu_device *d, const hgc_rti_cu_found *found) {
  d->handle = found->handle;
  d->ordinal = found->ordinal;
  d->sm = found->sm;
  memcpy(d->name, found->name, sizeof(d->name));
}

/* In the order the user gives them. Where there is a choice, those without room
 * for their part of the plan are passed over; if that leaves too few, the first
 * ones are taken, and what they lack is said when they are asked for it. */
hgc_rt_status hgc_rti_cu_choose(hgc_rti_gpu *gpu) {
  hgc_rti_cu_found found[HGC_RTI_CU_MAX_DEVICES];
  const hgc_rti_cu_found *usable[HGC_RTI_CU_MAX_DEVICES];
  int32_t count = 0, n = 0, chosen = 0, wanted = gpu->plan->n_devices;
  hgc_rt_status status = hgc_rti_cu_find(&gpu->api, found, &count);
  if (status != HGC_RT_OK)
    return status;
  for (int32_t rank = 1; rank <= count; ++rank)
    for (int32_t i = 0; i < count; ++i)
      if (found[i].visible == rank && found[i].sm >= gpu->plan->min_sm &&
          !found[i].prohibited)
        usable[n++] = &found[i];
  if (n < wanted)
    return too_few(gpu, found, count, n);
  for (int32_t i = 0; n > wanted && i < n && chosen < wanted; ++i) {
    hgc_rti_cu_device *d = &gpu->devices[chosen];
    if (free_bytes(&gpu->api, usable[i]->handle) < hgc_rti_cu_wanted_bytes(d))
      continue;
    take(d, usable[i]);
    ++chosen;
  }
  for (int32_t i = 0; chosen < wanted && i < wanted; ++i)
    take(&gpu->devices[i], usable[i]);
  return HGC_RT_OK;
}

hgc_rt_status hgc_rt_cuda_find(const char *device, const char *emulator,
                               hgc_rt_cuda_info *out) {
  hgc_rt_options options = hgc_rt_options_default();
  hgc_rti_device_wish wish;
  hgc_rti_cu_found found[HGC_RTI_CU_MAX_DEVICES];
  hgc_cu_api api;
  void *library = NULL;
  memset(out, 0, sizeof(*out));
  options.device = device;
  options.emulator = emulator;
  hgc_rti_error_clear();
  hgc_rt_status status = hgc_rti_device_wish_read(&options, &wish);
  if (status == HGC_RT_OK)
    status = hgc_rti_cu_open(&wish, &api, &out->driver_version, &library);
  if (status == HGC_RT_OK)
    status = hgc_rti_cu_find(&api, found, &out->n_gpus);
  for (int32_t i = 0; status == HGC_RT_OK && i < out->n_gpus; ++i) {
    hgc_rt_cuda_gpu *gpu = &out->gpus[i];
    memcpy(gpu->name, found[i].name, sizeof(gpu->name));
    gpu->ordinal = found[i].ordinal;
    gpu->sm = found[i].sm;
    gpu->multiprocessors = found[i].multiprocessors;
    gpu->visible = found[i].visible;
    gpu->prohibited = found[i].prohibited;
    gpu->total_bytes = found[i].total_bytes;
    gpu->free_bytes =
        found[i].prohibited ? -1 : free_bytes(&api, found[i].handle);
  }
  if (status != HGC_RT_OK)
    out->n_gpus = 0;
  memcpy(out->problem, hgc_rt_last_error(), sizeof(out->problem));
  return status;
}
