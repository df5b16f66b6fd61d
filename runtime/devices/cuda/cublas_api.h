/*===- cublas_api.h - what we use of cuBLAS ---------------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Own declarations of functions that are the same in cuBLAS 12 and 13, as
 * cuda_driver.h has them of the driver; the emulator's stand-in implements
 * exactly this list.
 *===----------------------------------------------------------------------===*/
#ifndef HGC_RT_CUBLAS_API_H
#define HGC_RT_CUBLAS_API_H

#include "cuda_driver.h"

typedef int hgc_cublas_status;
typedef struct hgc_cublas_context *hgc_cublas_handle;

/* cublasStatus_t */
enum {
  HGC_CUBLAS_SUCCESS = 0,
  HGC_CUBLAS_NOT_INITIALIZED = 1,
  HGC_CUBLAS_ALLOC_FAILED = 3,
  HGC_CUBLAS_INVALID_VALUE = 7,
  HGC_CUBLAS_ARCH_MISMATCH = 8,
  HGC_CUBLAS_EXECUTION_FAILED = 13,
  HGC_CUBLAS_INTERNAL_ERROR = 14,
  HGC_CUBLAS_NOT_SUPPORTED = 15
};

/* cublasOperation_t, cublasMath_t, cublasAtomicsMode_t, cublasGemmAlgo_t */
enum {
  HGC_CUBLAS_OP_N = 0,
  HGC_CUBLAS_OP_T = 1,
  HGC_CUBLAS_DEFAULT_MATH = 0,
  HGC_CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16,
  HGC_CUBLAS_ATOMICS_NOT_ALLOWED = 0,
  HGC_CUBLAS_GEMM_DEFAULT = -1
};

/* cublasComputeType_t: 32F is true f32 for f32 operands; FAST_TF32 may round
 * them. */
enum {
  HGC_CUBLAS_COMPUTE_32F = 68,
  HGC_CUBLAS_COMPUTE_64F = 70,
  HGC_CUBLAS_COMPUTE_32I = 72,
  HGC_CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};

/* cudaDataType_t */
enum {
  HGC_CUDA_R_32F = 0,
  HGC_CUDA_R_64F = 1,
  HGC_CUDA_R_16F = 2,
  HGC_CUDA_R_8I = 3,
  HGC_CUDA_R_32I = 10,
  HGC_CUDA_R_16BF = 14
};

/* X(exported symbol, arguments). The strided batched form does single products
 * too, with a batch of one. Column-major, as ever. */
#define HGC_CUBLAS_FUNCTIONS(X)                                                \
  X(cublasCreate_v2, (hgc_cublas_handle * handle))                             \
  X(cublasDestroy_v2, (hgc_cublas_handle handle))                              \
  X(cublasGetVersion_v2, (hgc_cublas_handle handle, int *version))             \
  X(cublasSetStream_v2, (hgc_cublas_handle handle, hgc_cu_stream stream))      \
  X(cublasSetWorkspace_v2,                                                     \
    (hgc_cublas_handle handle, void *workspace, size_t bytes))                 \
  X(cublasSetMathMode, (hgc_cublas_handle handle, int mode))                   \
  X(cublasSetAtomicsMode, (hgc_cublas_handle handle, int mode))                \
  X(cublasGemmStridedBatchedEx,                                                \
    (hgc_cublas_handle handle, int op_a, int op_b, int m, int n, int k,        \
     const void *alpha, const void *a, int type_a, int lda,                    \
     long long stride_a, const void *b, int type_b, int ldb,                   \
     long long stride_b, const void *beta, void *c, int type_c, int ldc,       \
     long long stride_c, int batch, int compute, int algorithm))

typedef struct hgc_cublas_api {
#define HGC_CUBLAS_FIELD(name, args) hgc_cublas_status(*name) args;
  HGC_CUBLAS_FUNCTIONS(HGC_CUBLAS_FIELD)
#undef HGC_CUBLAS_FIELD
} hgc_cublas_api;

#endif /* HGC_RT_CUBLAS_API_H */
