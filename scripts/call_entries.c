/* Calls every entry of a compiled model with made-up inputs and writes inputs and
 * results as .npy files, so that code for another machine can be compared with
 * `hgc eval`.
 *
 *   call_entries MODEL.so FOLDER THREADS
 *
 * prints a line `in|out ENTRY TENSOR TYPE` for each file FOLDER/ENTRY.in|out.TENSOR.npy. */
#include "hgc_rt.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"",   "f32", "f64", "f16", "bf16", "i1",   "i8",
                                    "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"};
static const char *const numpy[] = {"",    "<f4", "<f8", "<f2", "<u2", "|b1", "|i1",
                                    "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8"};

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

static size_t width(int32_t dtype) { return (size_t)(numpy[dtype][2] - '0'); }

/* Floats of few bits, so that all types hold them; integers as hgc makes them. */
static void set(const hgc_rt_tensor *t, size_t i, uint64_t bits) {
  double value = (double)((int)(bits % 255) - 127) / 128;
  int64_t wide = (int64_t)(bits % 201) - (t->dtype < HGC_RT_U8 ? 100 : 0);
  float single = (float)value;
  _Float16 half = (_Float16)single;
  uint32_t word;
  memcpy(&word, &single, 4);
  uint16_t brain = (uint16_t)(word >> 16);
  uint8_t flag = bits & 1;
  int64_t integer = width(t->dtype) > 1 ? wide : (int64_t)bits;
  const void *sources[] = {NULL, &single, &value, &half, &brain, &flag};
  const void *source = t->dtype < HGC_RT_I8 ? sources[t->dtype] : &integer;
  memcpy((char *)t->data + i * width(t->dtype), source, width(t->dtype));
}

static size_t count(const hgc_rt_tensor *t) {
  size_t n = 1;
  for (int i = 0; i < t->rank; ++i)
    n *= (size_t)t->dims[i];
  return n;
}

static hgc_rt_tensor make(const hgc_rt_tensor_info *info, const int64_t *extents) {
  int64_t *dims = calloc((size_t)info->rank + 1, sizeof(*dims));
  for (int i = 0; i < info->rank; ++i)
    dims[i] = info->dims[i] < 0 ? extents[-1 - info->dims[i]] : info->dims[i];
  hgc_rt_tensor t = {NULL, dims, NULL, info->dtype, info->rank};
  t.data = calloc(count(&t) + 1, width(t.dtype));
  return t;
}

static void save(const hgc_rt_tensor *t, const char *folder, const char *entry, const char *kind, const char *name) {
  char path[1024], head[512], shape[256] = "";
  for (int i = 0; i < t->rank; ++i)
    snprintf(shape + strlen(shape), sizeof(shape) - strlen(shape), "%lld,", (long long)t->dims[i]);
  int n = snprintf(head, sizeof(head), "{'descr': '%s', 'fortran_order': False, 'shape': (%s)}", numpy[t->dtype], shape);
  uint16_t padded = (uint16_t)((n + 11 + 63) / 64 * 64 - 10);
  snprintf(path, sizeof(path), "%s/%s.%s.%s.npy", folder, entry, kind, name);
  FILE *file = fopen(path, "wb");
  if (!file)
    fail("cannot write", path);
  fwrite("\x93NUMPY\x01\x00", 1, 8, file);
  fwrite(&padded, 1, 2, file);
  fprintf(file, "%s%*s\n", head, padded - n - 1, "");
  fwrite(t->data, width(t->dtype), count(t), file);
  fclose(file);
  printf("%s %s %s %s\n", kind, entry, name, names[t->dtype]);
}

int main(int argc, char **argv) {
  if (argc != 4)
    fail("usage", "call_entries MODEL.so FOLDER THREADS");
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library)
    fail("dlopen", dlerror());
  hgc_rt_model_v1_fn get = (hgc_rt_model_v1_fn)dlsym(library, "hgc_model_v1");
  if (!get)
    fail("dlsym", dlerror());
  const hgc_rt_model_export *exported = get();
  hgc_rt_options options = hgc_rt_options_default();
  options.num_threads = atoi(argv[3]);
  hgc_rt_model *model;
  if (exported->create(exported, &options, &model))
    fail("create", exported->last_error());
  for (int e = 0; e < hgc_rt_model_entry_count(model); ++e) {
    const hgc_rt_entry_info *entry = hgc_rt_model_entry_info(model, e);
    hgc_rt_tensor inputs[64], outputs[64];
    if (entry->n_inputs > 64 || entry->n_outputs > 64)
      fail(entry->name, "too many tensors");
    uint64_t state = 0x9E3779B97F4A7C15u * (uint64_t)(e + 1);
    for (int i = 0; i < entry->n_inputs; ++i) {
      inputs[i] = make(&entry->inputs[i], entry->variant_dims);
      for (size_t k = 0; k < count(&inputs[i]); ++k) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        set(&inputs[i], k, state >> 33);
      }
      save(&inputs[i], argv[2], entry->name, "in", entry->inputs[i].name);
    }
    for (int i = 0; i < entry->n_outputs; ++i)
      outputs[i] = make(&entry->outputs[i], entry->variant_dims);
    if (hgc_rt_model_call(model, e, inputs, entry->n_inputs, outputs, entry->n_outputs))
      fail(entry->name, hgc_rt_model_last_error(model));
    for (int i = 0; i < entry->n_outputs; ++i)
      save(&outputs[i], argv[2], entry->name, "out", entry->outputs[i].name);
  }
  hgc_rt_model_destroy(model);
  return dlclose(library);
}
