/*===- blas.c - products by cuBLAS ------------------------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Opened only for plans that want it. Every kernel has launches of its own, so
 * a machine without cuBLAS loses speed and nothing else. Each stream has its
 * own workspace: cuBLAS allocates nothing and streams do not meet in it.
 *===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include "cuda.h"

#include <dlfcn.h>
#include <string.h>

static int find_functions(void *library, hgc_cublas_api *api) {
  void *symbol;
#define FIND(name, args)                                                       \
  symbol = dlsym(library, #name);                                              \
  if (!symbol)                                                                 \
    return 0;                                                                  \
  memcpy(&api->name, &symbol, sizeof(symbol));
  HGC_CUBLAS_FUNCTIONS(FIND)
#undef FIND
  return 1;
}

/* The emulator brings its own; the real one could not run on it. */
static const char *open_cublas(hgc_rti_gpu *gpu, void *driver) {
  static const char *const names[] = {"libcublas.so.13", "libcublas.so.12"};
  if (gpu->emulated)
    return find_functions(driver, &gpu->blas)
               ? NULL
               : "the emulator has no stand-in for cuBLAS";
  for (int32_t i = 0; i < 2; ++i) {
    void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library && find_functions(library, &gpu->blas))
      return NULL;
  }
  return "no libcublas.so.13 or libcublas.so.12 is found";
}

static int64_t workspace_bytes(const hgc_rti_cu_device *d) {
  return d->workspace_stride * d->gpu->plan->n_launch_streams;
}

static const char *make_handle(hgc_rti_cu_device *d) {
  hgc_rti_gpu *gpu = d->gpu;
  hgc_cublas_handle handle = NULL;
  d->workspace_stride = gpu->plan->devices[d->number].workspace_bytes;
  if (workspace_bytes(d) <= 0)
    return NULL;
  if (hgc_rti_cu_bind(gpu, d->number) != HGC_RT_OK)
    return "its context cannot be bound";
  if (gpu->api.cuMemAlloc_v2(&d->workspace, (size_t)workspace_bytes(d))) {
    d->workspace = 0;
    return "the GPU has no memory left for its workspace";
  }
  d->bytes += workspace_bytes(d);
  if (gpu->blas.cublasCreate_v2(&handle))
    return "cublasCreate failed";
  d->blas = handle;
  if (gpu->blas.cublasSetMathMode(
          handle, HGC_CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION) ||
      gpu->blas.cublasSetAtomicsMode(handle, HGC_CUBLAS_ATOMICS_NOT_ALLOWED)) {
    hgc_rti_cu_blas_destroy(d);
    return "its modes cannot be set";
  }
  return NULL;
}

void hgc_rti_cu_blas_create(hgc_rti_gpu *gpu, void *driver) {
  if (!gpu->plan->uses_cublas)
    return;
  const char *problem = open_cublas(gpu, driver);
  for (int32_t i = 0; !problem && i < gpu->plan->n_devices; ++i)
    problem = make_handle(&gpu->devices[i]);
  if (!problem)
    return;
  for (int32_t i = 0; i < gpu->plan->n_devices; ++i)
    if (hgc_rti_cu_bind(gpu, i) == HGC_RT_OK)
      hgc_rti_cu_blas_destroy(&gpu->devices[i]);
  hgc_rti_error_clear();
  hgc_rti_log(gpu->model, HGC_RT_LOG_INFO,
              "hgc: model '%s': own kernels instead of cuBLAS: %s",
              gpu->model->desc->name, problem);
}

void hgc_rti_cu_blas_destroy(hgc_rti_cu_device *d) {
  if (d->blas)
    d->gpu->blas.cublasDestroy_v2(d->blas);
  if (d->workspace) {
    d->gpu->api.cuMemFree_v2(d->workspace);
    d->bytes -= workspace_bytes(d);
  }
  d->blas = NULL;
  d->workspace = 0;
}

/* cudaDataType_t of an element type; -1: none that cuBLAS multiplies. */
static int cuda_type(int32_t dtype) {
  switch (dtype) {
  case HGC_RT_F32:
    return HGC_CUDA_R_32F;
  case HGC_RT_F64:
    return HGC_CUDA_R_64F;
  case HGC_RT_F16:
    return HGC_CUDA_R_16F;
  case HGC_RT_BF16:
    return HGC_CUDA_R_16BF;
  default:
    return -1;
  }
}

static int supported(const hgc_rt_gpu_gemm_desc *g) {
  const int64_t sizes[] = {g->m, g->n, g->k, g->batch, g->lda, g->ldb, g->ldc};
  for (int32_t i = 0; i < 7; ++i)
    if (sizes[i] < 1 || sizes[i] > INT32_MAX)
      return 0;
  return cuda_type(g->type_a) >= 0 && cuda_type(g->type_b) >= 0 &&
         cuda_type(g->type_c) >= 0;
}

/* cublasComputeType_t of a product. */
static int compute_type(const hgc_rt_gpu_gemm_desc *g) {
  if (g->type_c == HGC_RT_F64)
    return HGC_CUBLAS_COMPUTE_64F;
  return g->allow_tf32 ? HGC_CUBLAS_COMPUTE_32F_FAST_TF32
                       : HGC_CUBLAS_COMPUTE_32F;
}

/* cuBLAS is column-major: a row-major c = a b is its c' = b' a'. */
static hgc_cublas_status multiply(hgc_rti_cu_device *d,
                                  const hgc_rt_gpu_gemm_desc *g, void **args) {
  static const float one = 1, zero = 0;
  static const double one64 = 1, zero64 = 0;
  int wide = g->type_c == HGC_RT_F64;
  return d->gpu->blas.cublasGemmStridedBatchedEx(
      d->blas, g->transpose_b ? HGC_CUBLAS_OP_T : HGC_CUBLAS_OP_N,
      g->transpose_a ? HGC_CUBLAS_OP_T : HGC_CUBLAS_OP_N, (int)g->n, (int)g->m,
      (int)g->k, wide ? (const void *)&one64 : &one, args[g->arg_b],
      cuda_type(g->type_b), (int)g->ldb, g->stride_b, args[g->arg_a],
      cuda_type(g->type_a), (int)g->lda, g->stride_a,
      wide ? (const void *)&zero64 : &zero, args[g->arg_c],
      cuda_type(g->type_c), (int)g->ldc, g->stride_c, (int)g->batch,
      compute_type(g), HGC_CUBLAS_GEMM_DEFAULT);
}

hgc_rt_status hgc_rti_cu_gemm(hgc_rti_cu_device *d, int32_t stream,
                              const hgc_rt_gpu_kernel_desc *kernel, void **args,
                              int32_t *done) {
  const hgc_cublas_api *blas = &d->gpu->blas;
  *done = 0;
  if (!d->blas || !supported(kernel->gemm))
    return HGC_RT_OK;
  hgc_cublas_status code =
      blas->cublasSetStream_v2(d->blas, d->streams[stream]);
  hgc_cu_ptr workspace =
      d->workspace + (hgc_cu_ptr)(d->workspace_stride * stream);
  if (!code) /* must follow: a new stream has the default workspace */
    code = blas->cublasSetWorkspace_v2(d->blas, (void *)(uintptr_t)workspace,
                                       (size_t)d->workspace_stride);
  if (!code)
    code = multiply(d, kernel->gemm, args);
  *done = code == HGC_CUBLAS_SUCCESS;
  if (*done || code == HGC_CUBLAS_NOT_SUPPORTED)
    return HGC_RT_OK;
  return hgc_rti_error(
      HGC_RT_DEVICE_FAILED, "run `nvidia-smi`; HGC_DEVICE=cpu avoids the GPU",
      "model '%s': cuBLAS gave status %d in kernel '%s' on GPU "
      "%d '%s'",
      d->gpu->model->desc->name, code, kernel->name, d->ordinal, d->name);
}
