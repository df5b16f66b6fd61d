/*===- params.c - reading and writing parameters ----------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies are canonical row-major whatever layout the kernels like. A parameter
 * that exists only packed says so instead of handing out something else.
 *===----------------------------------------------------------------------===*/

#include "runtime.h"

#include <string.h>

static hgc_rt_status check(const hgc_rti_model *model, int32_t param,
                           const void *data, int64_t bytes) {
  const hgc_rt_model_desc *desc = model->desc;
  if (param < 0 || param >= desc->n_params)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                         "param_count tells how many parameters a model has",
                         "model '%s': parameter %d is out of range, expected 0 "
                         "to %d",
                         desc->name, param, desc->n_params - 1);
  const hgc_rt_param_info *info = &desc->params[param].info;
  if (bytes != info->bytes || (!data && bytes > 0))
    return hgc_rti_error(
        HGC_RT_INVALID_ARGUMENT, "pass a buffer of param_info's size",
        "model '%s': parameter '%s' got %lld bytes%s, expected "
        "%lld",
        desc->name, info->tensor.name, (long long)bytes, data ? "" : " at NULL",
        (long long)info->bytes);
  return HGC_RT_OK;
}

/* Takes the instance when the parameter can be read or written. */
static hgc_rt_status begin(hgc_rti_model *model, int32_t param,
                           const void *data, int64_t bytes) {
  hgc_rt_status status = hgc_rti_enter_idle(model);
  if (status != HGC_RT_OK)
    return status;
  status = check(model, param, data, bytes);
  if (status == HGC_RT_OK)
    status = hgc_rti_check_usable(model);
  if (status != HGC_RT_OK)
    hgc_rti_leave(model);
  return status;
}

hgc_rt_status hgc_rti_get_param(hgc_rt_model *handle, int32_t param, void *data,
                                int64_t bytes) {
  hgc_rti_model *model = (hgc_rti_model *)handle;
  hgc_rt_status status = begin(model, param, data, bytes);
  if (status != HGC_RT_OK)
    return status;
  const hgc_rt_param_desc *p = &model->desc->params[param];
  const hgc_rt_gpu_param_desc *home = hgc_rti_device_home(model, param);
  if (home)
    status = hgc_rti_cuda.param_get(model, home, data);
  else if (p->info.flags & HGC_RT_PARAM_MUTABLE)
    memcpy(data, model->ctx.state + p->offset, (size_t)bytes);
  else if (!(p->info.flags & HGC_RT_PARAM_PACKED))
    memcpy(data, model->ctx.weights + p->offset, (size_t)bytes);
  else
    status = hgc_rti_error(HGC_RT_UNSUPPORTED,
                           "read it from the file the model was compiled from",
                           "model '%s': parameter '%s' is kept only in the "
                           "layout of its kernels",
                           model->desc->name, p->info.tensor.name);
  hgc_rti_leave(model);
  return status;
}

hgc_rt_status hgc_rti_set_param(hgc_rt_model *handle, int32_t param,
                                const void *data, int64_t bytes) {
  hgc_rti_model *model = (hgc_rti_model *)handle;
  hgc_rt_status status = begin(model, param, data, bytes);
  if (status != HGC_RT_OK)
    return status;
  const hgc_rt_param_desc *p = &model->desc->params[param];
  const hgc_rt_gpu_param_desc *home = hgc_rti_device_home(model, param);
  if (home) {
    status = hgc_rti_cuda.param_set(model, home, data);
    if (status != HGC_RT_OK)
      atomic_store(&model->failed, 1);
  } else if (p->info.flags & HGC_RT_PARAM_MUTABLE) {
    memcpy(model->ctx.state + p->offset, data, (size_t)bytes);
  } else {
    status = hgc_rti_error(HGC_RT_UNSUPPORTED,
                           "declare the parameter mutable in the model",
                           "model '%s': parameter '%s' is immutable",
                           model->desc->name, p->info.tensor.name);
  }
  hgc_rti_leave(model);
  return status;
}

hgc_rt_status hgc_rti_reset(hgc_rt_model *handle) {
  hgc_rti_model *model = (hgc_rti_model *)handle;
  hgc_rt_status status = hgc_rti_enter_idle(model);
  if (status != HGC_RT_OK)
    return status;
  status = hgc_rti_device_check(model);
  if (status == HGC_RT_OK) {
    status = hgc_rti_state_init(model);
    atomic_store(&model->failed, status != HGC_RT_OK);
  }
  hgc_rti_leave(model);
  return status;
}
