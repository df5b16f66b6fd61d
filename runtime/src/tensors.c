/*===- tensors.c - checks of generic calls ----------------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Compares the caller's tensors with the entry and binds its symbolic dims to
 * the extents found. Buffers themselves are checked in arguments.c.
 *===----------------------------------------------------------------------===*/

#include "runtime.h"

#define UNBOUND (-1)

/* What a message says about the place: model, entry, tensor. */
typedef struct place {
  const char *model, *entry, *kind;
  const hgc_rt_tensor_info *info;
  const hgc_rt_entry_info *desc;
} place;

#define PLACE_FORMAT "model '%s': entry '%s': %s '%s' "
#define PLACE(p) (p)->model, (p)->entry, (p)->kind, (p)->info->name

const char *hgc_rti_dtype_name(int32_t dtype) {
  static const char names[][8] = {"unknown", "f32",  "f64",  "f16", "bf16",
                                  "i1",      "i8",   "i16",  "i32", "i64",
                                  "ui8",     "ui16", "ui32", "ui64"};
  return names[dtype >= HGC_RT_F32 && dtype <= HGC_RT_U64 ? dtype : 0];
}

static hgc_rt_status check_type(const place *p, const hgc_rt_tensor *t) {
  if (t->dtype != p->info->dtype)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                         "convert the data to the expected element type",
                         PLACE_FORMAT "has element type %s (%d), expected %s",
                         PLACE(p), hgc_rti_dtype_name(t->dtype), t->dtype,
                         hgc_rti_dtype_name(p->info->dtype));
  if (t->rank != p->info->rank)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                         "reshape the data to the expected rank",
                         PLACE_FORMAT "has rank %d, expected %d", PLACE(p),
                         t->rank, p->info->rank);
  if (t->rank > 0 && !t->dims)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT, "set tensor.dims",
                         PLACE_FORMAT "has dims NULL, expected %d extents",
                         PLACE(p), t->rank);
  return HGC_RT_OK;
}

static hgc_rt_status check_shape(const place *p, const hgc_rt_tensor *t,
                                 int64_t *dims) {
  for (int32_t i = 0; i < t->rank; ++i) {
    int64_t want = p->info->dims[i], have = t->dims[i];
    if (have < 0)
      return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                           "pass the real extents of the data",
                           PLACE_FORMAT "has extent %lld in dimension %d",
                           PLACE(p), (long long)have, i);
    if (want >= 0 && have != want)
      return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                           "pass data of the shape the entry was compiled for",
                           PLACE_FORMAT "has extent %lld in dimension %d, "
                                        "expected %lld",
                           PLACE(p), (long long)have, i, (long long)want);
    if (want >= 0)
      continue;
    int64_t *bound = &dims[-1 - want];
    if (*bound == UNBOUND)
      *bound = have;
    if (*bound != have)
      return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                           "tensors that share a dimension must agree on it",
                           PLACE_FORMAT "has extent %lld in dimension %d, but "
                                        "'%s' is %lld in an earlier tensor",
                           PLACE(p), (long long)have, i,
                           p->desc->dim_names[-1 - want], (long long)*bound);
  }
  return HGC_RT_OK;
}

static hgc_rt_status check_layout(const place *p, const hgc_rt_tensor *t) {
  uint64_t dense = (uint64_t)hgc_rt_dtype_size(t->dtype);
  if (!t->strides)
    return HGC_RT_OK;
  for (int32_t i = 0; i < t->rank; ++i)
    if (t->dims[i] == 0)
      return HGC_RT_OK;
  for (int32_t i = t->rank - 1; i >= 0; --i) {
    if (t->dims[i] > 1 && (uint64_t)t->strides[i] != dense)
      return hgc_rti_error(
          HGC_RT_INVALID_ARGUMENT, "copy the data to a dense row-major buffer",
          PLACE_FORMAT "has stride %lld bytes in dimension "
                       "%d, expected %lld",
          PLACE(p), (long long)t->strides[i], i, (long long)dense);
    dense *= (uint64_t)t->dims[i];
  }
  return HGC_RT_OK;
}

static hgc_rt_status check_list(place *p, const hgc_rt_tensor *tensors,
                                int32_t count, const hgc_rt_tensor_info *infos,
                                int32_t expected, int64_t *dims, void **args) {
  if (count != expected || (count > 0 && !tensors))
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                         "pass the tensors that entry_info lists, in its order",
                         "model '%s': entry '%s' got %d %ss%s, expected %d",
                         p->model, p->entry, count, p->kind,
                         count > 0 && !tensors ? " at NULL" : "", expected);
  hgc_rt_status status = HGC_RT_OK;
  for (int32_t i = 0; i < count && status == HGC_RT_OK; ++i) {
    p->info = &infos[i];
    status = check_type(p, &tensors[i]);
    if (status == HGC_RT_OK)
      status = check_shape(p, &tensors[i], dims);
    if (status == HGC_RT_OK)
      status = check_layout(p, &tensors[i]);
    args[i] = tensors[i].data;
  }
  return status;
}

hgc_rt_status hgc_rti_check_tensors(const hgc_rti_model *model, int32_t entry,
                                    const hgc_rt_tensor *inputs,
                                    int32_t n_inputs,
                                    const hgc_rt_tensor *outputs,
                                    int32_t n_outputs, int64_t *dims,
                                    void **args) {
  hgc_rt_status status = hgc_rti_check_entry(model, entry);
  if (status != HGC_RT_OK)
    return status;
  const hgc_rt_entry_info *info = &model->desc->entries[entry].info;
  place p = {model->desc->name, info->name, "input", NULL, info};
  for (int32_t i = 0; i < info->n_dims; ++i)
    dims[i] = UNBOUND;
  status = check_list(&p, inputs, n_inputs, info->inputs, info->n_inputs, dims,
                      args);
  p.kind = "output";
  if (status == HGC_RT_OK)
    status = check_list(&p, outputs, n_outputs, info->outputs, info->n_outputs,
                        dims, args + info->n_inputs);
  return status;
}
