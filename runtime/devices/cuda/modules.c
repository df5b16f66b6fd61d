/*===- modules.c - code of the kernels --------------------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A cubin that fits saves the driver's compilation; PTX always serves, unless
 * the driver is older than its version. Functions are looked up when they are
 * launched for the first time.
 *===----------------------------------------------------------------------===*/

#include "cuda.h"

#include <string.h>

/* The newest cubin of the GPU's own major version; PTX runs on any later sm. */
static const hgc_rt_gpu_image *best_image(const hgc_rti_cu_device *d,
                                          int32_t kind) {
  const hgc_rt_gpu_plan *plan = d->gpu->plan;
  const hgc_rt_gpu_image *best = NULL;
  for (int32_t i = 0; i < plan->n_images; ++i) {
    const hgc_rt_gpu_image *image = &plan->images[i];
    if (image->kind != kind || image->sm > d->sm ||
        (kind == HGC_RT_IMAGE_CUBIN && image->sm / 10 != d->sm / 10))
      continue;
    if (!best || image->sm > best->sm)
      best = image;
  }
  return best;
}

/* `.version 7.8` as 78; 0 when there is none. */
static int32_t ptx_version(const char *ptx) {
  const char *p = strstr(ptx, ".version");
  int32_t major = 0, minor = 0;
  if (!p)
    return 0;
  for (p += 8; *p == ' ' || *p == '\t';)
    ++p;
  for (; *p >= '0' && *p <= '9' && major < 100; ++p)
    major = major * 10 + (*p - '0');
  if (*p == '.')
    for (++p; *p >= '0' && *p <= '9' && minor < 10; ++p)
      minor = minor * 10 + (*p - '0');
  return major * 10 + minor;
}

/* First CUDA version whose driver knows a PTX version, as 12040. PTX 8.6 came
 * with 12.7, so the minor numbers part there. */
static int32_t cuda_of_ptx(int32_t ptx) {
  int32_t major = ptx / 10, minor = ptx % 10;
  if (ptx >= 86 && ptx < 90)
    ++minor;
  if (major == 6)
    return minor < 3 ? 9000 : 10000 + (minor - 3) * 10;
  return major < 6 ? 0 : (major + 4) * 1000 + minor * 10;
}

static hgc_rt_status check_ptx(const hgc_rti_cu_device *d,
                               const hgc_rt_gpu_image *image) {
  int32_t ptx = ptx_version(image->data), needed = cuda_of_ptx(ptx);
  int32_t has = d->gpu->driver_version;
  if (has >= needed)
    return HGC_RT_OK;
  return hgc_rti_error(HGC_RT_NO_DEVICE,
                       "install a newer NVIDIA driver; `nvidia-smi` shows "
                       "which CUDA version it supports",
                       "the NVIDIA driver is too old: it supports CUDA %d.%d, "
                       "the model's PTX %d.%d needs %d.%d",
                       has / 1000, has % 1000 / 10, ptx / 10, ptx % 10,
                       needed / 1000, needed % 1000 / 10);
}

static hgc_cu_result load(hgc_rti_cu_device *d, const hgc_rt_gpu_image *image,
                          char *log, size_t log_bytes) {
  int options[] = {HGC_CU_JIT_ERROR_LOG_BUFFER,
                   HGC_CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)log_bytes};
  log[0] = 0;
  hgc_cu_result code = d->gpu->api.cuModuleLoadDataEx(&d->module, image->data,
                                                      2, options, values);
  log[log_bytes - 1] = 0;
  if (code)
    d->module = NULL;
  return code;
}

static hgc_rt_status load_ptx(hgc_rti_cu_device *d,
                              const hgc_rt_gpu_image *image) {
  char log[512];
  hgc_rt_status status = check_ptx(d, image);
  if (status != HGC_RT_OK)
    return status;
  hgc_cu_result code = load(d, image, log, sizeof(log));
  if (code == HGC_CU_SUCCESS)
    return HGC_RT_OK;
  if (!log[0] || code == HGC_CU_ERROR_OUT_OF_MEMORY)
    return hgc_rti_cu_fail(d, code, "cuModuleLoadDataEx", NULL);
  const char *hint = code == HGC_CU_ERROR_JIT_COMPILER_NOT_FOUND
                         ? "install the whole driver: libnvidia-ptxjitcompiler "
                           "is missing"
                         : "report this as a bug in hgc; HGC_DEVICE=cpu avoids "
                           "the GPU";
  return hgc_rti_error(HGC_RT_DEVICE_FAILED, hint,
                       "model '%s': GPU %d '%s' refuses the kernels: %s (%d): "
                       "%s",
                       d->gpu->model->desc->name, d->ordinal, d->name,
                       hgc_rti_cu_code_name(&d->gpu->api, code), code, log);
}

hgc_rt_status hgc_rti_cu_module_load(hgc_rti_cu_device *d) {
  const hgc_rt_gpu_image *cubin = best_image(d, HGC_RT_IMAGE_CUBIN);
  const hgc_rt_gpu_image *ptx = best_image(d, HGC_RT_IMAGE_PTX);
  char log[512];
  if (d->gpu->plan->n_functions == 0)
    return HGC_RT_OK;
  if (cubin) {
    hgc_cu_result code = load(d, cubin, log, sizeof(log));
    if (code == HGC_CU_SUCCESS)
      return HGC_RT_OK;
    if (!ptx)
      return hgc_rti_cu_fail(d, code, "cuModuleLoadDataEx", NULL);
    hgc_rti_log(d->gpu->model, HGC_RT_LOG_INFO,
                "hgc: model '%s': the cubin for sm_%d does not load (%s), its "
                "PTX is compiled",
                d->gpu->model->desc->name, cubin->sm,
                hgc_rti_cu_code_name(&d->gpu->api, code));
  }
  if (!ptx)
    return hgc_rti_error(HGC_RT_NO_DEVICE,
                         "compile the model with --gpu for this GPU",
                         "model '%s' has no code for GPU %d '%s', which is "
                         "sm_%d",
                         d->gpu->model->desc->name, d->ordinal, d->name, d->sm);
  return load_ptx(d, ptx);
}

hgc_rt_status hgc_rti_cu_function(hgc_rti_cu_device *d,
                                  const hgc_rt_gpu_launch_desc *launch,
                                  hgc_cu_function *out) {
  const hgc_cu_api *api = &d->gpu->api;
  hgc_cu_function *function = &d->functions[launch->slot];
  if (!*function) {
    hgc_cu_result code =
        api->cuModuleGetFunction(function, d->module, launch->function);
    if (code) {
      *function = NULL;
      return hgc_rti_cu_fail(d, code, "cuModuleGetFunction", launch->function);
    }
  }
  /* Together with static memory even a little may exceed the 48 KiB that a
   * function gets without asking. */
  if (launch->shared_bytes > d->shared[launch->slot]) {
    hgc_cu_result code = api->cuFuncSetAttribute(
        *function, HGC_CU_FUNC_MAX_DYNAMIC_SHARED_SIZE_BYTES,
        (int)launch->shared_bytes);
    if (code)
      return hgc_rti_cu_fail(d, code, "cuFuncSetAttribute", launch->function);
    d->shared[launch->slot] = launch->shared_bytes;
  }
  *out = *function;
  return HGC_RT_OK;
}
