//===- BlasTest.cpp - the cuBLAS stand-in ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Emulator.h"

#include <cmath>
#include <cstring>

namespace {

constexpr int N = HGC_CUBLAS_OP_N, T = HGC_CUBLAS_OP_T;

class BlasTest : public EmulatorTest {
protected:
  void begin() {
    start();
    ASSERT_EQ(cublasCreate_v2(&blas), HGC_CUBLAS_SUCCESS);
  }
  template <typename E> hgc_cu_ptr upload(const std::vector<E> &data) {
    hgc_cu_ptr p = alloc(data.size() * sizeof(E));
    EXPECT_OK(cuMemcpyHtoD_v2(p, data.data(), data.size() * sizeof(E)));
    return p;
  }
  template <typename E> std::vector<E> download(hgc_cu_ptr p, size_t count) {
    std::vector<E> data(count);
    EXPECT_OK(cuMemcpyDtoH_v2(data.data(), p, count * sizeof(E)));
    return data;
  }
  hgc_cublas_handle blas = nullptr;
};

template <typename P> P *as(hgc_cu_ptr p) { return reinterpret_cast<P *>(p); }

/// Small integers, exact in every type.
double element(int i) { return double(i * 7 % 5) - 2; }

template <typename E> E encode(double value) { return E(value); }
struct Half {
  uint16_t bits;
};
struct Brain {
  uint16_t bits;
};
template <> Half encode<Half>(double value) {
  // -2..2: sign, exponent and no more than one bit of mantissa.
  uint16_t sign = value < 0 ? 0x8000 : 0;
  double size = std::fabs(value);
  return {uint16_t(size == 0 ? sign : sign | (size == 1 ? 0x3c00 : 0x4000))};
}
template <> Brain encode<Brain>(double value) {
  float f = float(value);
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  return {uint16_t(bits >> 16)};
}

/// Element (i, j) of op(x), which is stored column-major with `ld`.
template <typename E> double at(const std::vector<E> &x, int op, int ld, int i, int j) {
  return double(x[size_t(op == N ? j * ld + i : i * ld + j)]);
}

} // namespace

TEST_F(BlasTest, AllTransposesAgainstTheDefinition) {
  begin();
  const int m = 5, n = 4, k = 3, ldc = 6;
  for (int opA : {N, T})
    for (int opB : {N, T}) {
      int lda = (opA == N ? m : k) + 1, ldb = (opB == N ? k : n) + 2;
      std::vector<double> a(size_t(lda * (opA == N ? k : m))), b(size_t(ldb * (opB == N ? n : k))), c(size_t(ldc * n));
      for (std::vector<double> *x : {&a, &b, &c})
        for (size_t i = 0; i < x->size(); ++i)
          (*x)[i] = element(int(i) + int(x->size()));
      hgc_cu_ptr da = upload(a), db = upload(b), dc = upload(c);
      std::vector<float> fa(a.begin(), a.end()), fb(b.begin(), b.end()), fc(c.begin(), c.end());
      hgc_cu_ptr ea = upload(fa), eb = upload(fb), ec = upload(fc);
      double alpha = 2, beta = 3;
      float falpha = 2, fbeta = 3;
      EXPECT_EQ(cublasDgemm_v2(blas, opA, opB, m, n, k, &alpha, as<double>(da), lda, as<double>(db), ldb, &beta,
                               as<double>(dc), ldc),
                HGC_CUBLAS_SUCCESS);
      EXPECT_EQ(cublasSgemm_v2(blas, opA, opB, m, n, k, &falpha, as<float>(ea), lda, as<float>(eb), ldb, &fbeta,
                               as<float>(ec), ldc),
                HGC_CUBLAS_SUCCESS);
      std::vector<double> out = download<double>(dc, c.size());
      std::vector<float> fout = download<float>(ec, c.size());
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < ldc; ++i) {
          double want = c[size_t(j * ldc + i)];
          if (i < m) {
            double sum = 0;
            for (int p = 0; p < k; ++p)
              sum += at(a, opA, lda, i, p) * at(b, opB, ldb, p, j);
            want = 2 * sum + 3 * want;
          }
          EXPECT_EQ(out[size_t(j * ldc + i)], want) << opA << opB << i << j;
          EXPECT_EQ(fout[size_t(j * ldc + i)], want) << opA << opB << i << j;
        }
    }
  EXPECT_EQ(hgcemu_findings(), 0u) << lastFinding();
}

namespace {

/// c = a * b of 2 x 2 matrices, the element types of a and c given.
template <typename A, typename C, typename Scale>
std::vector<C> product(hgc_cublas_handle blas, hgc_cu_ptr a, hgc_cu_ptr b, hgc_cu_ptr c, int typeA, int typeC,
                       int compute) {
  Scale alpha = 1, beta = 0;
  EXPECT_EQ(cublasGemmEx(blas, N, N, 2, 2, 2, &alpha, as<A>(a), typeA, 2, as<A>(b), typeA, 2, &beta, as<C>(c), typeC, 2,
                         compute, HGC_CUBLAS_GEMM_DEFAULT),
            HGC_CUBLAS_SUCCESS);
  std::vector<C> out(4);
  EXPECT_OK(cuMemcpyDtoH_v2(out.data(), c, 4 * sizeof(C)));
  return out;
}

template <typename E> std::vector<E> encoded(std::vector<double> values) {
  std::vector<E> out;
  for (double v : values)
    out.push_back(encode<E>(v));
  return out;
}

} // namespace

TEST_F(BlasTest, ElementTypes) {
  begin();
  // Column-major [1 2; -1 0] * [2 1; 1 -1] = [4 -1; -2 -1].
  std::vector<double> a = {1, -1, 2, 0}, b = {2, 1, 1, -1};
  std::vector<float> want = {4, -2, -1, -1};
  hgc_cu_ptr c = alloc(32);
  EXPECT_EQ((product<Half, float, float>(blas, upload(encoded<Half>(a)), upload(encoded<Half>(b)), c, HGC_CUDA_R_16F,
                                         HGC_CUDA_R_32F, HGC_CUBLAS_COMPUTE_32F)),
            want);
  EXPECT_EQ((product<Brain, float, float>(blas, upload(encoded<Brain>(a)), upload(encoded<Brain>(b)), c,
                                          HGC_CUDA_R_16BF, HGC_CUDA_R_32F, HGC_CUBLAS_COMPUTE_32F)),
            want);
  auto half = product<Half, uint16_t, float>(blas, upload(encoded<Half>(a)), upload(encoded<Half>(b)), c,
                                             HGC_CUDA_R_16F, HGC_CUDA_R_16F, HGC_CUBLAS_COMPUTE_32F);
  EXPECT_EQ(half, (std::vector<uint16_t>{0x4400, 0xc000, 0xbc00, 0xbc00}));
  auto brain = product<Brain, uint16_t, float>(blas, upload(encoded<Brain>(a)), upload(encoded<Brain>(b)), c,
                                               HGC_CUDA_R_16BF, HGC_CUDA_R_16BF, HGC_CUBLAS_COMPUTE_32F);
  EXPECT_EQ(brain, (std::vector<uint16_t>{0x4080, 0xc000, 0xbf80, 0xbf80}));
  auto whole = product<int8_t, int32_t, int32_t>(blas, upload(encoded<int8_t>(a)), upload(encoded<int8_t>(b)), c,
                                                 HGC_CUDA_R_8I, HGC_CUDA_R_32I, HGC_CUBLAS_COMPUTE_32I);
  EXPECT_EQ(whole, (std::vector<int32_t>{4, -2, -1, -1}));
}

TEST_F(BlasTest, Batches) {
  begin();
  std::vector<float> a = {1, 2, 3, 4, 5, 6, 7, 8}, b = {1, 0, 0, 1};
  hgc_cu_ptr da = upload(a), db = upload(b), dc = alloc(48);
  float one = 1, zero = 0;
  // The second operand is shared, results lie 6 elements apart.
  EXPECT_EQ(cublasSgemmStridedBatched(blas, N, N, 2, 2, 2, &one, as<float>(da), 2, 4, as<float>(db), 2, 0, &zero,
                                      as<float>(dc), 2, 6, 2),
            HGC_CUBLAS_SUCCESS);
  EXPECT_EQ(download<float>(dc, 4), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(download<float>(dc + 24, 4), (std::vector<float>{5, 6, 7, 8}));
  EXPECT_EQ(cublasGemmStridedBatchedEx(blas, N, T, 2, 2, 2, &one, as<float>(da), HGC_CUDA_R_32F, 2, 4, as<float>(db),
                                       HGC_CUDA_R_32F, 2, 0, &zero, as<float>(dc), HGC_CUDA_R_32F, 2, 6, 2,
                                       HGC_CUBLAS_COMPUTE_32F, HGC_CUBLAS_GEMM_DEFAULT),
            HGC_CUBLAS_SUCCESS);
  EXPECT_EQ(download<float>(dc + 24, 4), (std::vector<float>{5, 6, 7, 8}));
}

TEST_F(BlasTest, WorkIsOrderedOnTheStream) {
  begin();
  hgc_cu_stream s = stream(), other = stream();
  hgc_cu_ptr a = floats(4, 1), b = floats(4, 1), c = alloc(16);
  float one = 1, zero = 0;
  EXPECT_EQ(cublasSetStream_v2(blas, s), HGC_CUBLAS_SUCCESS);
  auto gemm = [&] {
    return cublasSgemm_v2(blas, N, N, 2, 2, 2, &one, as<float>(a), 2, as<float>(b), 2, &zero, as<float>(c), 2);
  };
  EXPECT_OK(scale(a, a, 2, 4, s));
  EXPECT_EQ(gemm(), HGC_CUBLAS_SUCCESS);
  EXPECT_EQ(hgcemu_pending(), 2u);
  EXPECT_OK(cuStreamSynchronize(s));
  EXPECT_EQ(download<float>(c, 1)[0], 4.0f);
  EXPECT_EQ(hgcemu_findings(), 0u);
  // A reader elsewhere that does not wait.
  EXPECT_EQ(gemm(), HGC_CUBLAS_SUCCESS);
  EXPECT_OK(scale(c, b, 1, 4, other));
  EXPECT_EQ(cuCtxSynchronize(), HGC_CU_ERROR_LAUNCH_FAILED);
  EXPECT_NE(lastFinding().find("cublasSgemm 2x2x2"), std::string::npos) << lastFinding();
}

TEST_F(BlasTest, WorkspaceIsNotForTwoStreams) {
  begin();
  hgc_cublas_handle second = nullptr;
  ASSERT_EQ(cublasCreate_v2(&second), HGC_CUBLAS_SUCCESS);
  hgc_cu_ptr a = floats(4, 1), c = alloc(16), d = alloc(16), w = alloc(1024);
  float one = 1, zero = 0;
  EXPECT_EQ(cublasSetStream_v2(blas, stream()), HGC_CUBLAS_SUCCESS);
  EXPECT_EQ(cublasSetStream_v2(second, stream()), HGC_CUBLAS_SUCCESS);
  EXPECT_EQ(cublasSetWorkspace_v2(blas, as<void>(w), 1024), HGC_CUBLAS_SUCCESS);
  EXPECT_EQ(cublasSetWorkspace_v2(second, as<void>(w), 1024), HGC_CUBLAS_SUCCESS);
  EXPECT_EQ(cublasSgemm_v2(blas, N, N, 2, 2, 2, &one, as<float>(a), 2, as<float>(a), 2, &zero, as<float>(c), 2),
            HGC_CUBLAS_SUCCESS);
  EXPECT_EQ(cublasSgemm_v2(second, N, N, 2, 2, 2, &one, as<float>(a), 2, as<float>(a), 2, &zero, as<float>(d), 2),
            HGC_CUBLAS_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), HGC_CU_ERROR_LAUNCH_FAILED);
  EXPECT_NE(lastFinding().find("1024 bytes of device memory"), std::string::npos) << lastFinding();
}

TEST_F(BlasTest, LeadingDimensionBeyondTheBuffer) {
  begin();
  hgc_cu_ptr a = floats(6, 1), b = floats(4, 1), c = alloc(64);
  float one = 1, zero = 0;
  EXPECT_EQ(cublasSgemm_v2(blas, N, N, 2, 2, 2, &one, as<float>(a), 5, as<float>(b), 2, &zero, as<float>(c), 2),
            HGC_CUBLAS_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), HGC_CU_ERROR_ILLEGAL_ADDRESS);
  EXPECT_NE(lastFinding().find("cublasSgemm 2x2x2"), std::string::npos) << lastFinding();
}

TEST_F(BlasTest, OperandsMustHaveBeenWritten) {
  begin();
  hgc_cu_ptr a = alloc(16), b = floats(4, 1), c = alloc(16);
  float one = 1, zero = 0;
  EXPECT_EQ(cublasSgemm_v2(blas, N, N, 2, 2, 2, &one, as<float>(b), 2, as<float>(b), 2, &zero, as<float>(c), 2),
            HGC_CUBLAS_SUCCESS);
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(cublasSgemm_v2(blas, N, N, 2, 2, 2, &one, as<float>(a), 2, as<float>(b), 2, &zero, as<float>(c), 2),
            HGC_CUBLAS_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), HGC_CU_ERROR_LAUNCH_FAILED);
  EXPECT_NE(lastFinding().find("that was never written"), std::string::npos);
}

TEST_F(BlasTest, RoundsToTF32WhenAllowed) {
  begin();
  // One more bit than tf32 has: a tie, which goes away from zero.
  const float fine = 1 + 0x1p-11f, rounded = 1 + 0x1p-10f, one = 1, zero = 0;
  hgc_cu_ptr a = upload(std::vector<float>{fine}), b = upload(std::vector<float>{3}), c = upload(std::vector<float>{0});
  auto multiply = [&](int compute) {
    EXPECT_EQ(cublasGemmStridedBatchedEx(blas, N, N, 1, 1, 1, &one, as<float>(a), HGC_CUDA_R_32F, 1, 1, as<float>(b),
                                         HGC_CUDA_R_32F, 1, 1, &zero, as<float>(c), HGC_CUDA_R_32F, 1, 1, 1, compute,
                                         HGC_CUBLAS_GEMM_DEFAULT),
              HGC_CUBLAS_SUCCESS);
    return download<float>(c, 1)[0];
  };
  EXPECT_EQ(multiply(HGC_CUBLAS_COMPUTE_32F), 3 * fine);
  EXPECT_EQ(multiply(HGC_CUBLAS_COMPUTE_32F_FAST_TF32), 3 * rounded);
}
