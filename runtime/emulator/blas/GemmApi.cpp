//===- GemmApi.cpp - cublas*gemm* -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "../driver/Driver.h"
#include "Gemm.h"

#include <cstring>

using namespace hgc::emu;
using namespace hgc::emu::blas;

namespace {

using Status = hgc_cublas_status;

/// CUBLAS_COMPUTE_32F_FAST_*, which may round operands and need not; of these
/// only FAST_TF32 does.
bool isFast32(int compute) {
  return compute == 74 || compute == 75 ||
         compute == HGC_CUBLAS_COMPUTE_32F_FAST_TF32;
}

bool knownTypes(const Gemm &gemm) {
  int a = gemm.a.type, c = gemm.c.type;
  if (gemm.b.type != a)
    return false;
  if (gemm.compute == HGC_CUBLAS_COMPUTE_64F)
    return a == HGC_CUDA_R_64F && c == a;
  if (gemm.compute == HGC_CUBLAS_COMPUTE_32I)
    return a == HGC_CUDA_R_8I && c == HGC_CUDA_R_32I;
  bool narrow = a == HGC_CUDA_R_16F || a == HGC_CUDA_R_16BF;
  return gemm.compute == HGC_CUBLAS_COMPUTE_32F &&
         (narrow || a == HGC_CUDA_R_32F) && (c == a || c == HGC_CUDA_R_32F);
}

/// alpha and beta have the type of the computation.
double scalar(int compute, const void *at) {
  if (compute == HGC_CUBLAS_COMPUTE_64F)
    return *static_cast<const double *>(at);
  if (compute == HGC_CUBLAS_COMPUTE_32I)
    return *static_cast<const int32_t *>(at);
  return *static_cast<const float *>(at);
}

/// The arguments every product has.
struct Arguments {
  int opA, opB, m, n, k;
  const void *a;
  int typeA, lda;
  long long strideA;
  const void *b;
  int typeB, ldb;
  long long strideB;
  void *c;
  int typeC, ldc;
  long long strideC;
  int batch, compute;
};

Gemm makeGemm(const Arguments &in) {
  Gemm gemm;
  gemm.m = in.m;
  gemm.n = in.n;
  gemm.k = in.k;
  gemm.batch = in.batch;
  // Conjugation does nothing to real numbers; a bad code fails the check.
  gemm.transposeA = in.opA == 1 || in.opA == 2;
  gemm.transposeB = in.opB == 1 || in.opB == 2;
  bool badOp = in.opA < 0 || in.opA > 2 || in.opB < 0 || in.opB > 2;
  gemm.compute = badOp ? -1 : in.compute;
  gemm.tf32 = gemm.compute == HGC_CUBLAS_COMPUTE_32F_FAST_TF32 &&
              in.typeA == HGC_CUDA_R_32F;
  if (isFast32(gemm.compute))
    gemm.compute = HGC_CUBLAS_COMPUTE_32F;
  auto bits = [](const void *p) { return reinterpret_cast<uint64_t>(p); };
  gemm.a = {bits(in.a),
            in.typeA,
            gemm.transposeA ? in.k : in.m,
            gemm.transposeA ? in.m : in.k,
            in.lda,
            in.strideA};
  gemm.b = {bits(in.b),
            in.typeB,
            gemm.transposeB ? in.n : in.k,
            gemm.transposeB ? in.k : in.n,
            in.ldb,
            in.strideB};
  gemm.c = {bits(in.c), in.typeC, in.m, in.n, in.ldc, in.strideC};
  return gemm;
}

} // namespace

Status hgc::emu::blas::checkGemm(Gemm &gemm, const void *alpha,
                                 const void *beta) {
  if (gemm.compute < 0 || gemm.m < 0 || gemm.n < 0 || gemm.k < 0 ||
      gemm.batch < 0 || !alpha || !beta)
    return HGC_CUBLAS_INVALID_VALUE;
  for (const Matrices *matrices : {&gemm.a, &gemm.b, &gemm.c})
    if (matrices->leading < std::max<int64_t>(1, matrices->rows) ||
        matrices->stride < 0)
      return HGC_CUBLAS_INVALID_VALUE;
  if (!knownTypes(gemm))
    return HGC_CUBLAS_NOT_SUPPORTED;
  // Products of a batch would overwrite each other.
  if (gemm.batch > 1 && gemm.n > 0 &&
      gemm.c.stride < (gemm.n - 1) * gemm.c.leading + gemm.m)
    return HGC_CUBLAS_INVALID_VALUE;
  gemm.alpha = scalar(gemm.compute, alpha);
  gemm.beta = scalar(gemm.compute, beta);
  return HGC_CUBLAS_SUCCESS;
}

HGC_EMU_API Status cublasGemmStridedBatchedEx(
    hgc_cublas_handle handle, int opA, int opB, int m, int n, int k,
    const void *alpha, const void *a, int typeA, int lda, long long strideA,
    const void *b, int typeB, int ldb, long long strideB, const void *beta,
    void *c, int typeC, int ldc, long long strideC, int batch, int compute,
    int algorithm) {
  (void)algorithm; // a hint
  Gemm gemm = makeGemm({opA, opB, m, n, k, a, typeA, lda, strideA, b, typeB,
                        ldb, strideB, c, typeC, ldc, strideC, batch, compute});
  return issueGemm("cublasGemmStridedBatchedEx", handle, gemm, alpha, beta);
}

HGC_EMU_API Status cublasGemmEx(hgc_cublas_handle handle, int opA, int opB,
                                int m, int n, int k, const void *alpha,
                                const void *a, int typeA, int lda,
                                const void *b, int typeB, int ldb,
                                const void *beta, void *c, int typeC, int ldc,
                                int compute, int algorithm) {
  (void)algorithm; // a hint
  Gemm gemm = makeGemm({opA, opB, m, n, k, a, typeA, lda, 0, b, typeB, ldb, 0,
                        c, typeC, ldc, 0, 1, compute});
  return issueGemm("cublasGemmEx", handle, gemm, alpha, beta);
}

HGC_EMU_API Status cublasSgemm_v2(hgc_cublas_handle handle, int opA, int opB,
                                  int m, int n, int k, const float *alpha,
                                  const float *a, int lda, const float *b,
                                  int ldb, const float *beta, float *c,
                                  int ldc) {
  Gemm gemm =
      makeGemm({opA, opB, m, n, k, a, HGC_CUDA_R_32F, lda, 0, b, HGC_CUDA_R_32F,
                ldb, 0, c, HGC_CUDA_R_32F, ldc, 0, 1, HGC_CUBLAS_COMPUTE_32F});
  return issueGemm("cublasSgemm", handle, gemm, alpha, beta);
}

HGC_EMU_API Status cublasDgemm_v2(hgc_cublas_handle handle, int opA, int opB,
                                  int m, int n, int k, const double *alpha,
                                  const double *a, int lda, const double *b,
                                  int ldb, const double *beta, double *c,
                                  int ldc) {
  Gemm gemm =
      makeGemm({opA, opB, m, n, k, a, HGC_CUDA_R_64F, lda, 0, b, HGC_CUDA_R_64F,
                ldb, 0, c, HGC_CUDA_R_64F, ldc, 0, 1, HGC_CUBLAS_COMPUTE_64F});
  return issueGemm("cublasDgemm", handle, gemm, alpha, beta);
}

HGC_EMU_API Status cublasSgemmStridedBatched(
    hgc_cublas_handle handle, int opA, int opB, int m, int n, int k,
    const float *alpha, const float *a, int lda, long long strideA,
    const float *b, int ldb, long long strideB, const float *beta, float *c,
    int ldc, long long strideC, int batch) {
  Gemm gemm = makeGemm({opA, opB, m, n, k, a, HGC_CUDA_R_32F, lda, strideA, b,
                        HGC_CUDA_R_32F, ldb, strideB, c, HGC_CUDA_R_32F, ldc,
                        strideC, batch, HGC_CUBLAS_COMPUTE_32F});
  return issueGemm("cublasSgemmStridedBatched", handle, gemm, alpha, beta);
}
