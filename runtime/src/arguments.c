/*===- arguments.c - checks of buffers, choice of the variant ---------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Both the typed functions and the generic call end here, so no pointer reaches
 * generated code unchecked. Outputs are written while inputs are still read:
 * they may not overlap anything.
 *===----------------------------------------------------------------------===*/

#include "runtime.h"
#include "text.h"

/* Bytes of a tensor with the entry's dims bound; -1 when it cannot exist. */
static int64_t byte_count(const hgc_rt_tensor_info *info, const int64_t *dims) {
  int64_t bytes = hgc_rt_dtype_size(info->dtype);
  for (int32_t i = 0; i < info->rank; ++i) {
    int64_t extent =
        info->dims[i] >= 0 ? info->dims[i] : dims[-1 - info->dims[i]];
    if (extent < 0 || __builtin_mul_overflow(bytes, extent, &bytes))
      return -1;
  }
  return bytes;
}

int64_t hgc_rti_tensor_bytes(const hgc_rt_entry_desc *entry,
                             const hgc_rt_variant_desc *variant,
                             const hgc_rt_tensor_info *tensor) {
  int64_t number = variant - entry->variants;
  const int64_t *dims = entry->info.variant_dims;
  return byte_count(tensor, dims ? dims + number * entry->info.n_dims : NULL);
}

static void put_dims(hgc_rti_text *text, const hgc_rt_entry_info *entry,
                     const int64_t *dims, const char *separator) {
  for (int32_t i = 0; i < entry->n_dims; ++i) {
    if (i)
      hgc_rti_text_put(text, separator);
    hgc_rti_text_put(text, entry->dim_names[i]);
    hgc_rti_text_put(text, "=");
    hgc_rti_text_int(text, dims[i]);
  }
}

static hgc_rt_status no_variant(const hgc_rti_model *model,
                                const hgc_rt_entry_info *entry,
                                const int64_t *dims) {
  char asked[160], have[512], hint[300];
  hgc_rti_text a, h, t;
  hgc_rti_text_init(&a, asked, sizeof(asked));
  put_dims(&a, entry, dims, ", ");
  hgc_rti_text_init(&h, have, sizeof(have));
  for (int32_t v = 0; v < entry->n_variants; ++v) {
    if (v)
      hgc_rti_text_put(&h, "; ");
    put_dims(&h, entry, entry->variant_dims + (int64_t)v * entry->n_dims, ", ");
  }
  hgc_rti_text_init(&t, hint, sizeof(hint));
  hgc_rti_text_put(&t, "pass one of these sizes, or compile with --dim ");
  put_dims(&t, entry, dims, " --dim ");
  return hgc_rti_error(HGC_RT_NO_VARIANT, hint,
                       "model '%s': entry '%s' has no variant for %s; "
                       "compiled: %s",
                       model->desc->name, entry->name, asked, have);
}

static hgc_rt_status find_variant(const hgc_rti_model *model,
                                  const hgc_rt_entry_desc *entry,
                                  const int64_t *dims,
                                  const hgc_rt_variant_desc **out) {
  const hgc_rt_entry_info *info = &entry->info;
  if (info->n_dims > 0 && !dims)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                         "pass the symbolic dims of the entry",
                         "model '%s': entry '%s': dims is NULL, expected %d",
                         model->desc->name, info->name, info->n_dims);
  for (int32_t v = 0; v < info->n_variants; ++v) {
    const int64_t *have = info->variant_dims + (int64_t)v * info->n_dims;
    int32_t i = 0;
    while (i < info->n_dims && have[i] == dims[i])
      ++i;
    if (i == info->n_dims) {
      *out = &entry->variants[v];
      return HGC_RT_OK;
    }
  }
  return no_variant(model, info, dims);
}

static const hgc_rt_tensor_info *tensor_at(const hgc_rt_entry_info *entry,
                                           int32_t i) {
  return i < entry->n_inputs ? &entry->inputs[i]
                             : &entry->outputs[i - entry->n_inputs];
}

static hgc_rt_status check_buffer(const hgc_rti_model *model,
                                  const hgc_rt_entry_info *entry, int32_t i,
                                  int64_t bytes, const void *data) {
  const char *kind = i < entry->n_inputs ? "input" : "output";
  const hgc_rt_tensor_info *info = tensor_at(entry, i);
  int64_t alignment = hgc_rt_dtype_size(info->dtype);
  if (bytes < 0)
    return hgc_rti_error(HGC_RT_INTERNAL, "report this as a bug in hgc",
                         "model '%s': entry '%s': %s '%s' has no valid size",
                         model->desc->name, entry->name, kind, info->name);
  if (!data && bytes > 0)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                         "pass a buffer of that size, owned by the caller",
                         "model '%s': entry '%s': %s '%s' is NULL, expected "
                         "%lld bytes",
                         model->desc->name, entry->name, kind, info->name,
                         (long long)bytes);
  if ((uintptr_t)data % (uintptr_t)alignment)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                         "align the buffer to the size of its elements",
                         "model '%s': entry '%s': %s '%s' is at address %p, "
                         "which is not a multiple of %lld",
                         model->desc->name, entry->name, kind, info->name, data,
                         (long long)alignment);
  return HGC_RT_OK;
}

static hgc_rt_status check_overlap(const hgc_rti_model *model,
                                   const hgc_rt_entry_info *entry,
                                   const int64_t *dims, void *const *args,
                                   int32_t output) {
  uintptr_t begin = (uintptr_t)args[output];
  uintptr_t end = begin + (uintptr_t)byte_count(tensor_at(entry, output), dims);
  for (int32_t i = 0; i < output; ++i) {
    uintptr_t other = (uintptr_t)args[i];
    uintptr_t other_end =
        other + (uintptr_t)byte_count(tensor_at(entry, i), dims);
    if (begin < end && begin < other_end && other < other_end && other < end)
      return hgc_rti_error(
          HGC_RT_INVALID_ARGUMENT, "give every output a buffer of its own",
          "model '%s': entry '%s': output '%s' overlaps %s "
          "'%s'",
          model->desc->name, entry->name, tensor_at(entry, output)->name,
          i < entry->n_inputs ? "input" : "output", tensor_at(entry, i)->name);
  }
  return HGC_RT_OK;
}

/* Only where some arguments are on a GPU can two kinds be mixed up. */
static hgc_rt_status check_place(const hgc_rti_model *model, int32_t entry,
                                 int32_t i, int64_t bytes, const void *data) {
  const hgc_rt_model *handle = (const hgc_rt_model *)model;
  if (!model->device.gpu || !model->desc->gpu->n_residents || bytes == 0)
    return HGC_RT_OK;
  int32_t gpu = hgc_rti_cuda.pointer_gpu(
      model, data, hgc_rti_argument_gpu(handle, entry, i));
  return hgc_rti_check_argument_gpu(handle, entry, i, gpu);
}

hgc_rt_status hgc_rti_check_entry(const hgc_rti_model *model, int32_t entry) {
  if (entry >= 0 && entry < model->desc->n_entries)
    return HGC_RT_OK;
  return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                       "entry_count tells how many entries a model has",
                       "model '%s': entry %d is out of range, expected 0 to %d",
                       model->desc->name, entry, model->desc->n_entries - 1);
}

hgc_rt_status hgc_rti_check_args(const hgc_rti_model *model, int32_t entry,
                                 const int64_t *dims, void *const *args,
                                 const hgc_rt_variant_desc **variant) {
  hgc_rt_status status = hgc_rti_check_entry(model, entry);
  if (status != HGC_RT_OK)
    return status;
  const hgc_rt_entry_desc *desc = &model->desc->entries[entry];
  const hgc_rt_entry_info *info = &desc->info;
  status = find_variant(model, desc, dims, variant);
  int32_t n = info->n_inputs + info->n_outputs;
  if (status == HGC_RT_OK && n > 0 && !args)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT, "pass an array of buffers",
                         "model '%s': entry '%s': args is NULL, expected %d",
                         model->desc->name, info->name, n);
  for (int32_t i = 0; i < n && status == HGC_RT_OK; ++i) {
    int64_t bytes = byte_count(tensor_at(info, i), dims);
    status = check_buffer(model, info, i, bytes, args[i]);
    if (status == HGC_RT_OK)
      status = check_place(model, entry, i, bytes, args[i]);
  }
  for (int32_t i = info->n_inputs; i < n && status == HGC_RT_OK; ++i)
    status = check_overlap(model, info, dims, args, i);
  return status;
}
