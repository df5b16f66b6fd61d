//===- BlasErrorTest.cpp - arguments cuBLAS refuses -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Emulator.h"

namespace {

struct Call {
  int opA = 0, opB = 0, m = 2, n = 2, k = 2;
  int typeA = HGC_CUDA_R_32F, typeB = HGC_CUDA_R_32F, typeC = HGC_CUDA_R_32F;
  int lda = 2, ldb = 2, ldc = 2, batch = 1;
  long long strideC = 4;
  int compute = HGC_CUBLAS_COMPUTE_32F;
};

class BlasErrorTest : public EmulatorTest {
protected:
  void begin() {
    start();
    ASSERT_EQ(cublasCreate_v2(&blas), HGC_CUBLAS_SUCCESS);
    memory = floats(64, 1);
  }
  hgc_cublas_status gemm(const Call &c) {
    float alpha = 1, beta = 0;
    void *p = reinterpret_cast<void *>(memory);
    void *out = reinterpret_cast<void *>(memory + 128);
    return cublasGemmStridedBatchedEx(blas, c.opA, c.opB, c.m, c.n, c.k, &alpha, p, c.typeA, c.lda, 0, p, c.typeB,
                                      c.ldb, 0, &beta, out, c.typeC, c.ldc, c.strideC, c.batch, c.compute,
                                      HGC_CUBLAS_GEMM_DEFAULT);
  }
  hgc_cublas_handle blas = nullptr;
  hgc_cu_ptr memory = 0;
};

} // namespace

TEST_F(BlasErrorTest, Arguments) {
  begin();
  EXPECT_EQ(gemm({}), HGC_CUBLAS_SUCCESS);
  auto with = [&](auto change) {
    Call call;
    change(call);
    return gemm(call);
  };
  auto invalid = HGC_CUBLAS_INVALID_VALUE;
  EXPECT_EQ(with([](Call &c) { c.opA = 3; }), invalid);
  EXPECT_EQ(with([](Call &c) { c.opB = -1; }), invalid);
  EXPECT_EQ(with([](Call &c) { c.m = -1; }), invalid);
  EXPECT_EQ(with([](Call &c) { c.lda = 1; }), invalid);
  EXPECT_EQ(with([](Call &c) { c.ldb = 1; }), invalid);
  EXPECT_EQ(with([](Call &c) { c.ldc = 1; }), invalid);
  EXPECT_EQ(with([](Call &c) { c.batch = -1; }), invalid);
  EXPECT_EQ(with([](Call &c) { c.batch = 2, c.strideC = 3; }), invalid);
  auto unsupported = HGC_CUBLAS_NOT_SUPPORTED;
  EXPECT_EQ(with([](Call &c) { c.typeA = HGC_CUDA_R_16F; }), unsupported);
  EXPECT_EQ(with([](Call &c) { c.typeC = HGC_CUDA_R_16F; }), unsupported);
  EXPECT_EQ(with([](Call &c) { c.compute = HGC_CUBLAS_COMPUTE_64F; }), unsupported);
  EXPECT_EQ(with([](Call &c) { c.compute = HGC_CUBLAS_COMPUTE_32I; }), unsupported);
  EXPECT_EQ(with([](Call &c) { c.m = 0; }), HGC_CUBLAS_SUCCESS);
  EXPECT_EQ(with([](Call &c) { c.k = 0; }), HGC_CUBLAS_SUCCESS);
  EXPECT_OK(cuCtxSynchronize());
}

TEST_F(BlasErrorTest, Handles) {
  hgc_cublas_handle handle = nullptr;
  EXPECT_EQ(cublasCreate_v2(&handle), HGC_CUBLAS_NOT_INITIALIZED);
  begin();
  EXPECT_EQ(cublasCreate_v2(nullptr), HGC_CUBLAS_INVALID_VALUE);
  int version = 0;
  EXPECT_EQ(cublasGetVersion_v2(blas, &version), HGC_CUBLAS_SUCCESS);
  EXPECT_EQ(version, 130000);
  EXPECT_EQ(cublasGetVersion_v2(blas, nullptr), HGC_CUBLAS_INVALID_VALUE);
  EXPECT_EQ(cublasSetMathMode(blas, HGC_CUBLAS_DEFAULT_MATH), HGC_CUBLAS_SUCCESS);
  EXPECT_EQ(cublasSetMathMode(blas, 99), HGC_CUBLAS_INVALID_VALUE);
  EXPECT_EQ(cublasSetAtomicsMode(blas, 0), HGC_CUBLAS_SUCCESS);
  EXPECT_EQ(cublasSetAtomicsMode(blas, 5), HGC_CUBLAS_INVALID_VALUE);
  EXPECT_EQ(cublasSetWorkspace_v2(blas, reinterpret_cast<void *>(memory + 1), 16), HGC_CUBLAS_INVALID_VALUE);
  EXPECT_EQ(cublasSetWorkspace_v2(blas, reinterpret_cast<void *>(memory), 4096), HGC_CUBLAS_INVALID_VALUE);
  EXPECT_EQ(cublasSetStream_v2(blas, reinterpret_cast<hgc_cu_stream>(0x70)), HGC_CUBLAS_SUCCESS);
  EXPECT_EQ(gemm({}), HGC_CUBLAS_EXECUTION_FAILED);
  EXPECT_EQ(cublasDestroy_v2(blas), HGC_CUBLAS_SUCCESS);
  EXPECT_EQ(cublasDestroy_v2(blas), HGC_CUBLAS_NOT_INITIALIZED);
  EXPECT_EQ(cublasSetStream_v2(blas, nullptr), HGC_CUBLAS_NOT_INITIALIZED);
  EXPECT_EQ(gemm({}), HGC_CUBLAS_NOT_INITIALIZED);
}

TEST_F(BlasErrorTest, InjectedFailures) {
  configure({"HGC_EMU_FAIL=cublasCreate:1,cublasGemmStridedBatchedEx:1=13,"
             "cublasSetStream:1"});
  start();
  EXPECT_EQ(cublasCreate_v2(&blas), HGC_CUBLAS_ALLOC_FAILED);
  begin();
  EXPECT_EQ(gemm({}), HGC_CUBLAS_EXECUTION_FAILED);
  EXPECT_EQ(gemm({}), HGC_CUBLAS_SUCCESS);
  EXPECT_EQ(cublasSetStream_v2(blas, nullptr), HGC_CUBLAS_INTERNAL_ERROR);
}
