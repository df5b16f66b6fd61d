//===- Gemm.cpp - products as cuBLAS defines them -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of f16, bf16 and f32 are accumulated in f32 and rounded once, those
// of f64 in f64 and of i8 in i32. The order of summation is fixed. tf32
// operands are rounded to nearest, ties away from zero.
//
//===----------------------------------------------------------------------===//

#include "Gemm.h"
#include "../exec/Half.h"

#include <cstring>

using namespace hgc::emu;
using namespace hgc::emu::blas;

namespace {

template <typename T> T loadAs(const uint8_t *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <typename Sum> Sum load(int type, const uint8_t *at) {
  switch (type) {
  case HGC_CUDA_R_16F:
    return Sum(fromHalf(loadAs<uint16_t>(at)));
  case HGC_CUDA_R_16BF:
    return Sum(fromBrain(loadAs<uint16_t>(at)));
  case HGC_CUDA_R_64F:
    return Sum(loadAs<double>(at));
  case HGC_CUDA_R_8I:
    return Sum(loadAs<int8_t>(at));
  case HGC_CUDA_R_32I:
    return Sum(loadAs<int32_t>(at));
  default:
    return Sum(loadAs<float>(at));
  }
}

template <typename T> void storeAs(uint8_t *at, T value) {
  std::memcpy(at, &value, sizeof value);
}

template <typename Sum> void store(int type, uint8_t *at, Sum value) {
  switch (type) {
  case HGC_CUDA_R_16F:
    return storeAs(at, toHalf(float(value)));
  case HGC_CUDA_R_16BF:
    return storeAs(at, toBrain(float(value)));
  case HGC_CUDA_R_64F:
    return storeAs(at, double(value));
  case HGC_CUDA_R_32I:
    return storeAs(at, int32_t(value));
  default:
    return storeAs(at, float(value));
  }
}

/// One matrix as `rows` x `columns` numbers, row-major, after op().
template <typename Sum>
std::vector<Sum> gather(const Matrices &source, int64_t batch, bool transpose,
                        const Memory &memory) {
  std::vector<Sum> values(size_t(source.rows * source.columns));
  unsigned bytes = elementBytes(source.type);
  for (int64_t j = 0; j < source.columns; ++j) {
    const uint8_t *column =
        memory.host(source.column(batch, j), uint64_t(source.rows) * bytes);
    for (int64_t i = 0; i < source.rows; ++i)
      values[size_t(transpose ? j * source.rows + i : i * source.columns + j)] =
          load<Sum>(source.type, column + i * bytes);
  }
  return values;
}

float toTF32(float value) {
  uint32_t bits = narrow(value, formatTF32, Rounding::NearestAway) << 13;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <typename Sum>
void multiplyOne(const Gemm &gemm, int64_t batch, Memory &memory) {
  std::vector<Sum> a, b;
  if (gemm.k > 0 && gemm.alpha != 0) {
    a = gather<Sum>(gemm.a, batch, gemm.transposeA, memory);
    // The transpose of op(b), so that a column of c needs one row of it.
    b = gather<Sum>(gemm.b, batch, !gemm.transposeB, memory);
  }
  for (std::vector<Sum> *operand : {&a, &b})
    for (size_t i = 0; gemm.tf32 && i < operand->size(); ++i)
      (*operand)[i] = Sum(toTF32(float((*operand)[i])));
  // op(a) by columns: the innermost loop runs along the rows of c.
  std::vector<Sum> byColumn(a.size());
  for (int64_t i = 0; !a.empty() && i < gemm.m; ++i)
    for (int64_t p = 0; p < gemm.k; ++p)
      byColumn[size_t(p * gemm.m + i)] = a[size_t(i * gemm.k + p)];
  unsigned bytes = elementBytes(gemm.c.type);
  std::vector<Sum> sums(size_t(gemm.m));
  for (int64_t j = 0; j < gemm.n; ++j) {
    std::fill(sums.begin(), sums.end(), Sum(0));
    for (int64_t p = 0; !a.empty() && p < gemm.k; ++p) {
      Sum factor = b[size_t(j * gemm.k + p)];
      const Sum *column = &byColumn[size_t(p * gemm.m)];
      for (int64_t i = 0; i < gemm.m; ++i)
        sums[size_t(i)] += column[i] * factor;
    }
    uint64_t address = gemm.c.column(batch, j);
    uint8_t *out = memory.host(address, uint64_t(gemm.m) * bytes);
    for (int64_t i = 0; i < gemm.m; ++i) {
      Sum value = Sum(gemm.alpha) * sums[size_t(i)];
      if (gemm.beta != 0)
        value += Sum(gemm.beta) * load<Sum>(gemm.c.type, out + i * bytes);
      store(gemm.c.type, out + i * bytes, value);
    }
    memory.markWritten(address, uint64_t(gemm.m) * bytes);
  }
}

} // namespace

uint64_t Matrices::column(int64_t batch, int64_t index) const {
  return address +
         uint64_t(batch * stride + index * leading) * elementBytes(type);
}

unsigned hgc::emu::blas::elementBytes(int type) {
  switch (type) {
  case HGC_CUDA_R_64F:
    return 8;
  case HGC_CUDA_R_32F:
  case HGC_CUDA_R_32I:
    return 4;
  case HGC_CUDA_R_16F:
  case HGC_CUDA_R_16BF:
    return 2;
  case HGC_CUDA_R_8I:
    return 1;
  }
  return 0;
}

void hgc::emu::blas::multiply(const Gemm &gemm, Memory &memory) {
  for (int64_t batch = 0; batch < gemm.batch; ++batch) {
    if (gemm.compute == HGC_CUBLAS_COMPUTE_64F)
      multiplyOne<double>(gemm, batch, memory);
    else if (gemm.compute == HGC_CUBLAS_COMPUTE_32I)
      multiplyOne<int32_t>(gemm, batch, memory);
    else
      multiplyOne<float>(gemm, batch, memory);
  }
}
