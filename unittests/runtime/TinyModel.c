/*===- TinyModel.c - a shared library as code generation makes it -----------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * y[64] = x[64] + TINY_BIAS. Exports hgc_model_v1 and nothing else.
 *===----------------------------------------------------------------------===*/

#include "hgc_rt_gpu_abi.h"

__attribute__((visibility("default"))) const hgc_rt_model_export *hgc_model_v1(void);

static void add(void **args, int64_t begin, int64_t end) {
  const float *x = args[0];
  float *y = args[1];
  for (int64_t i = begin; i < end; ++i)
    y[i] = x[i] + TINY_BIAS;
}

static const hgc_rt_kernel_desc kernel = {"add_0", "add", "tiny.mlir:1:1", add, 64, 8, 0, 64, 512, 0, 0, 0, NULL};

static hgc_rt_status program(hgc_rt_ctx *ctx, void **args) {
  hgc_rt_launch(ctx, &kernel, args, 2);
  return HGC_RT_OK;
}

static const int64_t dims[] = {64};
static const hgc_rt_tensor_info x = {"x", dims, HGC_RT_F32, 1};
static const hgc_rt_tensor_info y = {"y", dims, HGC_RT_F32, 1};
static const hgc_rt_variant_desc variant = {program, 0, 0};
#ifdef TINY_GPU /* a plan without the archive that runs it */
static const hgc_rt_gpu_plan plan;
#define TINY_PLAN &plan
#else
#define TINY_PLAN NULL
#endif
static const hgc_rt_entry_desc entry = {{"main", 0, 1, 1, 1, NULL, &x, &y, NULL}, &variant, NULL};
static const hgc_rt_model_desc desc = {.size = sizeof(desc),
                                       .version = HGC_RT_ABI_VERSION,
                                       .name = TINY_NAME,
                                       .hgc_version = "0.1.0",
                                       .target_cpu = "generic",
                                       .entries = &entry,
                                       .n_entries = 1,
                                       .gpu = TINY_PLAN};

const hgc_rt_model_export *hgc_model_v1(void) {
  static const hgc_rt_model_export info = {sizeof(info),         HGC_RT_VERSION,         TINY_NAME,        &desc,
                                           hgc_rt_export_create, hgc_rt_export_describe, hgc_rt_last_error};
  return &info;
}
