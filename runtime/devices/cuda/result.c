/*===- result.c - what a driver's error means for the caller ----------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Some errors concern one call. Others end the context, and with it all work
 * of this process on that GPU: the instance is then lost for good.
 *===----------------------------------------------------------------------===*/

#include "cuda.h"

const char *hgc_rti_cu_code_name(const hgc_cu_api *api, hgc_cu_result code) {
  const char *name = NULL;
  if (!api->cuGetErrorName || api->cuGetErrorName(code, &name) || !name)
    return "an unknown error";
  return name;
}

static int loses_context(hgc_cu_result code) {
  switch (code) {
  case HGC_CU_ERROR_DEINITIALIZED:
  case HGC_CU_ERROR_ECC_UNCORRECTABLE:
  case HGC_CU_ERROR_UNKNOWN:
    return 1;
  case HGC_CU_ERROR_LAUNCH_OUT_OF_RESOURCES:
  case HGC_CU_ERROR_PEER_ACCESS_ALREADY_ENABLED:
  case HGC_CU_ERROR_PEER_ACCESS_NOT_ENABLED:
  case HGC_CU_ERROR_TOO_MANY_PEERS:
    return 0;
  default:
    return code >= HGC_CU_ERROR_ILLEGAL_ADDRESS &&
           code < HGC_CU_ERROR_NOT_PERMITTED;
  }
}

static const char *hint_of(hgc_cu_result code) {
  switch (code) {
  case HGC_CU_ERROR_OUT_OF_MEMORY:
    return "free memory of the GPU, compile smaller variants, or set "
           "HGC_DEVICE=cpu";
  case HGC_CU_ERROR_ECC_UNCORRECTABLE:
    return "the GPU's memory has a fault: see `nvidia-smi -q`, reset the GPU";
  case HGC_CU_ERROR_LAUNCH_TIMEOUT:
    return "a GPU that drives a display stops long kernels: use another one";
  case HGC_CU_ERROR_DEVICE_UNAVAILABLE:
    return "another process may use the GPU exclusively: see `nvidia-smi -q`";
  case HGC_CU_ERROR_LAUNCH_OUT_OF_RESOURCES:
    return "compile the model for this GPU with --gpu, or report a bug in hgc";
  default:
    return loses_context(code)
               ? "restart the process and report this as a bug in hgc; "
                 "HGC_DEVICE=cpu avoids the GPU"
               : "run `nvidia-smi`; HGC_DEVICE=cpu avoids the GPU";
  }
}

hgc_rt_status hgc_rti_cu_fail(hgc_rti_cu_device *device, hgc_cu_result code,
                              const char *call, const char *kernel) {
  hgc_rti_model *model = device->gpu->model;
  const hgc_cu_api *api = &device->gpu->api;
  const char *text = NULL;
  if (loses_context(code))
    atomic_store(&model->device.lost, HGC_RTI_LOST_ERROR);
  if (api->cuGetErrorString(code, &text) || !text)
    text = "no description";
  return hgc_rti_error(
      code == HGC_CU_ERROR_OUT_OF_MEMORY ? HGC_RT_OUT_OF_MEMORY
                                         : HGC_RT_DEVICE_FAILED,
      hint_of(code), "model '%s': %s%s%s%s gave %s (%d, %s) on GPU %d '%s'",
      model->desc->name, call, kernel ? " of kernel '" : "",
      kernel ? kernel : "", kernel ? "'" : "", hgc_rti_cu_code_name(api, code),
      code, text, device->ordinal, device->name);
}
