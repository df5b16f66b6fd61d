/*===- model.c - create and destroy -----------------------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Everything that can go wrong with the machine, the options, the files and the
 * memory goes wrong here, before the first call.
 *===----------------------------------------------------------------------===*/

#include "runtime.h"

#include <string.h>
#include <unistd.h>

static hgc_rt_status check_desc(const hgc_rt_model_desc *desc, void **out) {
  if (!desc || !out)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                         "pass the address of a model pointer",
                         "create got %s NULL", desc ? "out" : "desc");
  if (desc->size != sizeof(*desc) || desc->version != HGC_RT_ABI_VERSION)
    return hgc_rti_error(HGC_RT_VERSION_MISMATCH,
                         "compile the model again with one version of hgc",
                         "the model has ABI size %u, version %u, its runtime "
                         "%u, %u",
                         desc->size, desc->version, (unsigned)sizeof(*desc),
                         HGC_RT_ABI_VERSION);
  return hgc_rti_cpu_check(desc);
}

/* The struct and its small arrays are one allocation. */
static hgc_rti_model *allocate(const hgc_rt_model_desc *desc,
                               const hgc_rt_options *options) {
  int64_t args = 0, dims = 0;
  for (int32_t i = 0; i < desc->n_entries; ++i) {
    const hgc_rt_entry_info *info = &desc->entries[i].info;
    int64_t n = (int64_t)info->n_inputs + info->n_outputs;
    args = n > args ? n : args;
    dims = info->n_dims > dims ? info->n_dims : dims;
  }
  int64_t slots =
      (1 + HGC_RTI_DEPTH) * args + dims + desc->n_extents + desc->n_guarded;
  int64_t head = hgc_rti_round_up((int64_t)sizeof(hgc_rti_model), 8);
  int64_t bytes = head + slots * 8;
  hgc_rti_model *model = hgc_rti_alloc(options, bytes, HGC_RTI_CACHE_LINE);
  if (!model)
    return NULL;
  memset(model, 0, (size_t)bytes);
  model->api = &hgc_rti_api;
  model->desc = desc;
  model->options = *options;
  model->block_bytes = bytes;
  model->device.slot = -1;
  char *next = (char *)model + head;
  model->call_args = (void **)(void *)next;
  for (int32_t i = 0; i < HGC_RTI_DEPTH; ++i)
    model->slots[i].args = model->call_args + (i + 1) * args;
  model->call_dims =
      (int64_t *)(void *)(model->call_args + (1 + HGC_RTI_DEPTH) * args);
  model->ctx.extents = model->call_dims + dims;
  model->guarded = (uint8_t **)(void *)(model->ctx.extents + desc->n_extents);
  atomic_store(&model->pid, (int32_t)getpid());
  model->fork_mark = hgc_rti_fork_mark_create();
  return model;
}

static hgc_rt_status fill(hgc_rti_model *model) {
  hgc_rt_status status = hgc_rti_weights_open(model);
  if (status == HGC_RT_OK)
    status = hgc_rti_buffers_create(model);
  if (status == HGC_RT_OK)
    status = hgc_rti_trace_open(model);
  if (status == HGC_RT_OK)
    status = hgc_rti_device_open(model);
  if (status == HGC_RT_OK && !model->device.gpu)
    status = hgc_rti_state_init(model);
  return status;
}

static void release(hgc_rti_model *model) {
  hgc_rt_options options = model->options;
  int64_t bytes = model->block_bytes;
  hgc_rti_device_close(model);
  hgc_rti_trace_close(model);
  hgc_rti_buffers_destroy(model);
  hgc_rti_weights_close(model);
  hgc_rti_fork_mark_destroy(model->fork_mark);
  model->api = NULL;
  hgc_rti_free(&options, model, bytes, HGC_RTI_CACHE_LINE);
}

hgc_rt_status hgc_rt_create(const hgc_rt_model_desc *desc,
                            const hgc_rt_options *options, void **out) {
  hgc_rt_options read;
  hgc_rt_log_level level = HGC_RT_LOG_WARNING;
  int32_t threads = 1;
  hgc_rti_error_clear();
  hgc_rt_status status = check_desc(desc, out);
  if (status == HGC_RT_OK)
    status = hgc_rti_options_read(options, &read);
  if (status == HGC_RT_OK)
    status =
        hgc_rti_thread_count(read.num_threads, desc->num_threads, &threads);
  if (status == HGC_RT_OK)
    status = hgc_rti_log_level_read(&level);
  if (status != HGC_RT_OK)
    return status;
  hgc_rti_model *model = allocate(desc, &read);
  if (!model)
    return HGC_RT_OUT_OF_MEMORY;
  model->default_threads = threads;
  model->log_level = level;
  status = fill(model);
  if (status != HGC_RT_OK) {
    release(model);
    return status;
  }
  if (read.pool && read.pool->retain)
    read.pool->retain(read.pool->user);
  hgc_rti_log(model, HGC_RT_LOG_INFO,
              "hgc: model '%s' runs its %s plan on %s '%s', because %s; "
              "%d threads, %lld bytes of arena%s",
              desc->name, model->device.gpu ? "GPU" : "CPU",
              hgc_rti_device_kind_name(model->device.kind), model->device.name,
              model->device.why, threads, (long long)desc->arena_bytes,
              model->device.gpu && desc->gpu->is_idle
                  ? "; that plan computes everything on the CPU, 'hgc explain' "
                    "says why"
                  : "");
  *out = model;
  return HGC_RT_OK;
}

void hgc_rt_destroy(void *handle) {
  hgc_rti_model *model = handle;
  if (!model || model->api != &hgc_rti_api)
    return;
  hgc_rti_enter_last(model);
  hgc_rti_async_finish(model);
  hgc_rti_pool_drop(model);
  const hgc_rt_pool *pool = model->options.pool;
  if (pool && pool->release)
    pool->release(pool->user);
  release(model);
}

hgc_rt_status hgc_rt_export_create(const hgc_rt_model_export *self,
                                   const hgc_rt_options *options,
                                   hgc_rt_model **out) {
  void *model = NULL;
  hgc_rt_status status =
      hgc_rt_create(self ? self->desc : NULL, options, out ? &model : NULL);
  if (status == HGC_RT_OK)
    *out = model;
  return status;
}
