//===- Gemm.h - products as cuBLAS defines them ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c[i] = alpha * op(a[i]) * op(b[i]) + beta * c[i], all column-major.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_GEMM_H
#define HGC_EMU_GEMM_H

#include "../driver/Objects.h"

namespace hgc::emu::blas {

/// A stack of matrices in device memory.
struct Matrices {
  uint64_t address = 0;
  int type = 0;                  ///< cudaDataType_t
  int64_t rows = 0, columns = 0; ///< As stored.
  int64_t leading = 0;
  int64_t stride = 0; ///< Elements from one matrix to the next.

  uint64_t column(int64_t batch, int64_t index) const;
};

/// Bytes of an element; 0 for types that are not supported.
unsigned elementBytes(int type);

struct Gemm {
  int64_t m = 0, n = 0, k = 0, batch = 1;
  bool transposeA = false, transposeB = false;
  double alpha = 1, beta = 0;
  int compute = 0;   ///< cublasComputeType_t
  bool tf32 = false; ///< f32 operands are rounded to tf32.
  Matrices a, b, c;

  double flops() const { return 2.0 * double(m) * n * k * batch; }
};

/// Reads alpha and beta and refuses what cuBLAS refuses.
hgc_cublas_status checkGemm(Gemm &gemm, const void *alpha, const void *beta);
/// Puts a product on the stream of a handle; `name` is the function called.
hgc_cublas_status issueGemm(const char *name, hgc_cublas_handle handle,
                            Gemm gemm, const void *alpha, const void *beta);
/// Does the arithmetic on memory that was checked before.
void multiply(const Gemm &gemm, Memory &memory);

} // namespace hgc::emu::blas

#endif // HGC_EMU_GEMM_H
