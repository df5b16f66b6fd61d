/*===- describe.c - a model in JSON -----------------------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Built from the descriptors, so it needs no instance and cannot disagree with
 * what the runtime checks. An instance adds where it runs.
 *===----------------------------------------------------------------------===*/

#include "runtime.h"
#include "text.h"

/* Symbolic extents are the names of their dims. */
static void put_shape(hgc_rti_text *t, const hgc_rt_tensor_info *info,
                      const char *const *dim_names) {
  hgc_rti_text_key(t, "shape");
  hgc_rti_text_put(t, "[");
  for (int32_t i = 0; i < info->rank; ++i) {
    hgc_rti_text_next(t);
    if (info->dims[i] >= 0)
      hgc_rti_text_int(t, info->dims[i]);
    else
      hgc_rti_text_quoted(t, dim_names[-1 - info->dims[i]]);
  }
  hgc_rti_text_put(t, "]");
}

static void put_gpu_of(hgc_rti_text *t, int32_t gpu) {
  if (gpu == HGC_RT_HOST)
    return;
  hgc_rti_text_key(t, "device");
  hgc_rti_text_put(t, "\"gpu:");
  hgc_rti_text_int(t, gpu);
  hgc_rti_text_put(t, "\"");
}

/* `shapes` (or NULL): the tensor with the actual shape of each, or -1; `plan`
 * (or NULL) may expect argument `first` of `entry`, and later ones, on a GPU.
 */
static void put_tensors(hgc_rti_text *t, const char *key,
                        const hgc_rt_tensor_info *infos, int32_t count,
                        const char *const *dim_names, const int64_t *shapes,
                        const hgc_rt_gpu_plan *plan, int32_t entry,
                        int32_t first) {
  hgc_rti_text_key(t, key);
  hgc_rti_text_put(t, "[");
  for (int32_t i = 0; i < count; ++i) {
    hgc_rti_text_next(t);
    hgc_rti_text_put(t, "{");
    hgc_rti_text_field(t, "name", infos[i].name);
    hgc_rti_text_field(t, "dtype", hgc_rti_dtype_name(infos[i].dtype));
    put_shape(t, &infos[i], dim_names);
    if (shapes && shapes[i] >= 0)
      hgc_rti_text_field(t, "shape_output", infos[shapes[i]].name);
    put_gpu_of(t, hgc_rti_resident_gpu(plan, entry, first + i));
    hgc_rti_text_put(t, "}");
  }
  hgc_rti_text_put(t, "]");
}

static void put_variants(hgc_rti_text *t, const hgc_rt_entry_desc *entry) {
  const hgc_rt_entry_info *info = &entry->info;
  hgc_rti_text_key(t, "variants");
  hgc_rti_text_put(t, "[");
  for (int32_t v = 0; v < info->n_variants; ++v) {
    hgc_rti_text_next(t);
    hgc_rti_text_put(t, "{\"dims\":{");
    for (int32_t i = 0; i < info->n_dims; ++i)
      hgc_rti_text_field_int(t, info->dim_names[i],
                             info->variant_dims[(int64_t)v * info->n_dims + i]);
    hgc_rti_text_put(t, "}");
    hgc_rti_text_field_int(t, "arena_bytes", entry->variants[v].arena_bytes);
    hgc_rti_text_put(t, "}");
  }
  hgc_rti_text_put(t, "]");
}

static void put_entries(hgc_rti_text *t, const hgc_rt_model_desc *desc,
                        const hgc_rt_gpu_plan *plan) {
  hgc_rti_text_key(t, "entries");
  hgc_rti_text_put(t, "[");
  for (int32_t e = 0; e < desc->n_entries; ++e) {
    const hgc_rt_entry_info *info = &desc->entries[e].info;
    hgc_rti_text_next(t);
    hgc_rti_text_put(t, "{");
    hgc_rti_text_field(t, "name", info->name);
    hgc_rti_text_key(t, "dims");
    hgc_rti_text_put(t, "[");
    for (int32_t i = 0; i < info->n_dims; ++i) {
      hgc_rti_text_next(t);
      hgc_rti_text_quoted(t, info->dim_names[i]);
    }
    hgc_rti_text_put(t, "]");
    put_tensors(t, "inputs", info->inputs, info->n_inputs, info->dim_names,
                NULL, plan, e, 0);
    put_tensors(t, "outputs", info->outputs, info->n_outputs, info->dim_names,
                desc->entries[e].shape_outputs, plan, e, info->n_inputs);
    put_variants(t, &desc->entries[e]);
    hgc_rti_text_put(t, "}");
  }
  hgc_rti_text_put(t, "]");
}

static void put_params(hgc_rti_text *t, const hgc_rt_model_desc *desc) {
  hgc_rti_text_key(t, "params");
  hgc_rti_text_put(t, "[");
  for (int32_t i = 0; i < desc->n_params; ++i) {
    const hgc_rt_param_info *info = &desc->params[i].info;
    hgc_rti_text_next(t);
    hgc_rti_text_put(t, "{");
    hgc_rti_text_field(t, "name", info->tensor.name);
    hgc_rti_text_field(t, "dtype", hgc_rti_dtype_name(info->tensor.dtype));
    put_shape(t, &info->tensor, NULL);
    hgc_rti_text_field_int(t, "bytes", info->bytes);
    hgc_rti_text_key(t, "mutable");
    hgc_rti_text_put(t, info->flags & HGC_RT_PARAM_MUTABLE ? "true" : "false");
    hgc_rti_text_key(t, "readable");
    hgc_rti_text_put(t, info->flags & HGC_RT_PARAM_PACKED ? "false" : "true");
    hgc_rti_text_put(t, "}");
  }
  hgc_rti_text_put(t, "]");
}

static void put_target(hgc_rti_text *t, const hgc_rt_model_desc *desc) {
  hgc_rti_text_key(t, "target");
  hgc_rti_text_put(t, "{");
  hgc_rti_text_field(t, "cpu", desc->target_cpu);
  hgc_rti_text_key(t, "features");
  hgc_rti_text_put(t, "[");
  for (int32_t bit = 0; bit < 64; ++bit) {
    const char *name = hgc_rti_cpu_feature_name(bit);
    if (!(desc->cpu_features >> bit & 1) || !name)
      continue;
    hgc_rti_text_next(t);
    hgc_rti_text_quoted(t, name);
  }
  hgc_rti_text_put(t, "]}");
}

static void put_memory(hgc_rti_text *t, const hgc_rt_model_desc *desc) {
  hgc_rti_text_key(t, "memory");
  hgc_rti_text_put(t, "{");
  hgc_rti_text_field_int(t, "arena_bytes", desc->arena_bytes);
  hgc_rti_text_field_int(t, "scratch_bytes_per_thread", desc->scratch_bytes);
  hgc_rti_text_field_int(t, "weights_bytes", desc->weights_bytes);
  hgc_rti_text_field_int(t, "state_bytes", desc->state_bytes);
  hgc_rti_text_field_int(t, "guarded_buffers", desc->n_guarded);
  hgc_rti_text_put(t, "}");
  hgc_rti_text_key(t, "weights_file");
  if (desc->weights_file)
    hgc_rti_text_quoted(t, desc->weights_file);
  else
    hgc_rti_text_put(t, "null");
}

static void put_images(hgc_rti_text *t, const hgc_rt_gpu_plan *plan) {
  hgc_rti_text_key(t, "images");
  hgc_rti_text_put(t, "[");
  for (int32_t i = 0; i < plan->n_images; ++i) {
    const hgc_rt_gpu_image *image = &plan->images[i];
    hgc_rti_text_next(t);
    hgc_rti_text_put(t, "{");
    hgc_rti_text_field(t, "kind",
                       image->kind == HGC_RT_IMAGE_CUBIN ? "cubin" : "ptx");
    hgc_rti_text_field_int(t, "sm", image->sm);
    hgc_rti_text_field_int(t, "bytes", image->bytes);
    hgc_rti_text_put(t, "}");
  }
  hgc_rti_text_put(t, "]");
}

static void put_gpu(hgc_rti_text *t, const hgc_rt_gpu_plan *plan) {
  hgc_rti_text_key(t, "gpu");
  if (!plan) {
    hgc_rti_text_put(t, "null");
    return;
  }
  hgc_rti_text_put(t, "{");
  hgc_rti_text_field_int(t, "min_sm", plan->min_sm);
  hgc_rti_text_field_int(t, "streams", plan->n_streams);
  hgc_rti_text_field_int(t, "events", plan->n_events);
  hgc_rti_text_key(t, "idle");
  hgc_rti_text_put(t, plan->is_idle ? "true" : "false");
  hgc_rti_text_key(t, "cublas");
  hgc_rti_text_put(t, plan->uses_cublas ? "true" : "false");
  put_images(t, plan);
  hgc_rti_text_key(t, "devices");
  hgc_rti_text_put(t, "[");
  for (int32_t i = 0; i < plan->n_devices; ++i) {
    const hgc_rt_gpu_device_desc *d = &plan->devices[i];
    hgc_rti_text_next(t);
    hgc_rti_text_put(t, "{");
    hgc_rti_text_field_int(t, "arena_bytes", d->arena_bytes);
    hgc_rti_text_field_int(t, "weights_bytes", d->weights_bytes);
    hgc_rti_text_field_int(t, "state_bytes", d->state_bytes);
    hgc_rti_text_field_int(t, "scratch_bytes",
                           d->scratch_bytes * plan->n_launch_streams);
    hgc_rti_text_field_int(t, "workspace_bytes",
                           d->workspace_bytes * plan->n_launch_streams);
    hgc_rti_text_put(t, "}");
  }
  hgc_rti_text_put(t, "]}");
}

/* Of an instance only: where it runs. */
static void put_device(hgc_rti_text *t, const hgc_rti_device *device) {
  hgc_rti_text_key(t, "device");
  hgc_rti_text_put(t, "{");
  hgc_rti_text_field(t, "kind", hgc_rti_device_kind_name(device->kind));
  hgc_rti_text_field(t, "name", device->name);
  hgc_rti_text_field(t, "fallback_reason", device->fallback_reason);
  hgc_rti_text_put(t, "}");
}

int64_t hgc_rti_describe(const hgc_rt_model_desc *desc,
                         const hgc_rti_model *model, char *buffer,
                         int64_t capacity) {
  hgc_rti_text t;
  hgc_rti_text_init(&t, buffer, capacity);
  hgc_rti_text_put(&t, "{");
  hgc_rti_text_field(&t, "name", desc->name);
  hgc_rti_text_field(&t, "hgc_version", desc->hgc_version);
  hgc_rti_text_field_int(&t, "abi_version", desc->version);
  put_target(&t, desc);
  /* Without an instance: what the GPU plan expects. */
  put_entries(&t, desc, model && !model->device.gpu ? NULL : desc->gpu);
  put_params(&t, desc);
  put_memory(&t, desc);
  put_gpu(&t, desc->gpu);
  if (model)
    put_device(&t, &model->device);
  if (desc->extra_json) {
    hgc_rti_text_key(&t, "compiler");
    hgc_rti_text_put(&t, desc->extra_json);
  }
  hgc_rti_text_put(&t, "}");
  return t.length;
}

int64_t hgc_rt_export_describe(const hgc_rt_model_export *self, char *buffer,
                               int64_t capacity) {
  return self ? hgc_rti_describe(self->desc, NULL, buffer, capacity) : 0;
}
