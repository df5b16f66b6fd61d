/*===- api.c - the table of functions of an instance ------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/

#include "runtime.h"

#include <string.h>

static const hgc_rt_model_desc *desc_of(const hgc_rt_model *model) {
  return ((const hgc_rti_model *)model)->desc;
}

static void destroy(hgc_rt_model *model) { hgc_rt_destroy(model); }

static int32_t entry_count(const hgc_rt_model *model) {
  return model ? desc_of(model)->n_entries : 0;
}

static const hgc_rt_entry_info *entry_info(const hgc_rt_model *model,
                                           int32_t entry) {
  if (!model || entry < 0 || entry >= desc_of(model)->n_entries)
    return NULL;
  return &desc_of(model)->entries[entry].info;
}

static hgc_rt_status wait(hgc_rt_model *model, hgc_rt_ticket ticket) {
  return hgc_rt_wait(model, ticket);
}

static int64_t describe_json(const hgc_rt_model *model, char *buffer,
                             int64_t capacity) {
  return model ? hgc_rti_describe(desc_of(model), (const hgc_rti_model *)model,
                                  buffer, capacity)
               : 0;
}

static hgc_rt_status memory_requirements(const hgc_rt_model *handle,
                                         hgc_rt_memory_info *out) {
  const hgc_rti_model *model = (const hgc_rti_model *)handle;
  if (!model || !out)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT, "pass a model and a struct",
                         "memory_requirements got %s NULL",
                         model ? "out" : "model");
  /* A caller with an older header knows fewer fields. */
  hgc_rt_memory_info all = {.size = out->size, .version = out->version};
  if (out->size < offsetof(hgc_rt_memory_info, device_bytes) ||
      out->size > sizeof(all) || out->version != HGC_RT_VERSION)
    return hgc_rti_error(HGC_RT_VERSION_MISMATCH,
                         "set out->size = sizeof(hgc_rt_memory_info), "
                         "out->version = HGC_RT_VERSION",
                         "the struct has size %u, version %u, expected %u, %u",
                         out->size, out->version, (unsigned)sizeof(*out),
                         HGC_RT_VERSION);
  const hgc_rt_model_desc *desc = model->desc;
  all.arena_bytes = desc->arena_bytes;
  all.scratch_bytes_per_thread = model->scratch_stride;
  all.scratch_bytes = model->scratch_stride * model->threads;
  all.weights_bytes = desc->weights_bytes;
  all.state_bytes = desc->state_bytes;
  all.guarded_bytes = hgc_rti_guarded_bytes(model);
  if (model->device.gpu) {
    all.device_bytes = hgc_rti_cuda.device_bytes(model->device.gpu);
    all.pinned_bytes = hgc_rti_cuda.pinned_bytes(model->device.gpu);
  }
  memcpy(out, &all, out->size);
  return HGC_RT_OK;
}

static int32_t param_count(const hgc_rt_model *model) {
  return model ? desc_of(model)->n_params : 0;
}

static const hgc_rt_param_info *param_info(const hgc_rt_model *model,
                                           int32_t param) {
  if (!model || param < 0 || param >= desc_of(model)->n_params)
    return NULL;
  return &desc_of(model)->params[param].info;
}

static hgc_rt_status set_threads(hgc_rt_model *handle, int32_t num_threads) {
  hgc_rti_model *model = (hgc_rti_model *)handle;
  int32_t threads = 0;
  hgc_rt_status status = hgc_rti_enter_idle(model);
  if (status != HGC_RT_OK)
    return status;
  if (num_threads == 0)
    num_threads = model->default_threads;
  status = hgc_rti_thread_count(num_threads, 0, &threads);
  if (status == HGC_RT_OK)
    status = hgc_rti_scratch_resize(model, threads);
  hgc_rti_leave(model);
  return status;
}

static int32_t get_threads(const hgc_rt_model *model) {
  return model ? ((const hgc_rti_model *)model)->threads : 0;
}

static const hgc_rt_pool *get_pool(hgc_rt_model *handle) {
  const hgc_rti_model *model = (const hgc_rti_model *)handle;
  if (!model)
    return NULL;
  return model->options.pool ? model->options.pool : &hgc_rti_own_pool;
}

static const char *device(const hgc_rt_model *model) {
  return model ? hgc_rti_device_kind_name(
                     ((const hgc_rti_model *)model)->device.kind)
               : NULL;
}

static const char *device_name(const hgc_rt_model *model) {
  return model ? ((const hgc_rti_model *)model)->device.name : NULL;
}

static const char *fallback_reason(const hgc_rt_model *model) {
  return model ? ((const hgc_rti_model *)model)->device.fallback_reason : NULL;
}

static int32_t shape_output(const hgc_rt_model *model, int32_t entry,
                            int32_t output) {
  const hgc_rt_entry_info *info = entry_info(model, entry);
  if (!info || output < 0 || output >= info->n_outputs)
    return -1;
  const int64_t *shapes = desc_of(model)->entries[entry].shape_outputs;
  return shapes ? (int32_t)shapes[output] : -1;
}

static hgc_rt_status save(hgc_rt_model *model, const char *path) {
  return hgc_rt_save(model, path);
}

static hgc_rt_status load(hgc_rt_model *model, const char *path) {
  return hgc_rt_load(model, path);
}

const hgc_rt_model_api hgc_rti_api = {
    .size = (uint32_t)sizeof(hgc_rt_model_api),
    .version = HGC_RT_VERSION,
    .destroy = destroy,
    .entry_count = entry_count,
    .entry_info = entry_info,
    .call = hgc_rti_call_tensors,
    .start = hgc_rti_start_tensors,
    .wait = wait,
    .last_error = hgc_rt_last_error,
    .describe_json = describe_json,
    .memory_requirements = memory_requirements,
    .param_count = param_count,
    .param_info = param_info,
    .get_param = hgc_rti_get_param,
    .set_param = hgc_rti_set_param,
    .reset = hgc_rti_reset,
    .set_threads = set_threads,
    .get_threads = get_threads,
    .get_pool = get_pool,
    .device = device,
    .device_name = device_name,
    .fallback_reason = fallback_reason,
    .argument_gpu = hgc_rti_argument_gpu,
    .check_argument_gpu = hgc_rti_check_argument_gpu,
    .device_alloc = hgc_rti_device_alloc,
    .device_free = hgc_rti_device_free,
    .device_copy = hgc_rti_device_copy,
    .shape_output = shape_output,
    .save = save,
    .load = load,
};
