//===- MatrixMultiply.cpp - mma.sync --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four neighbouring lanes hold 16 bytes of one row of A (one column of B) in
// each register, so that a fragment is copied row by row. Products of 16-bit
// floats are exact in f32; sums are formed in the order of k.
//
//===----------------------------------------------------------------------===//

#include "MatrixMultiply.h"
#include "Half.h"
#include "Lanes.h"

#include <algorithm>

using namespace hgc::emu;
using namespace hgc::emu::ptx;

namespace {

constexpr unsigned columns = 8;

struct FromF16 {
  static void row(const uint8_t *from, float *to) {
    uint16_t bits[8];
    std::memcpy(bits, from, 16);
    for (unsigned e = 0; e < 8; ++e)
      to[e] = fromHalf(bits[e]);
  }
  static constexpr unsigned perRegister = 2;
};
struct FromBF16 {
  static void row(const uint8_t *from, float *to) {
    uint16_t bits[8];
    std::memcpy(bits, from, 16);
    for (unsigned e = 0; e < 8; ++e)
      to[e] = fromBrain(bits[e]);
  }
  static constexpr unsigned perRegister = 2;
};
/// The 13 low bits of an operand are not looked at.
struct FromTF32 {
  static void row(const uint8_t *from, float *to) {
    uint32_t bits[4];
    std::memcpy(bits, from, 16);
    for (unsigned e = 0; e < 4; ++e)
      to[e] = bitsAs<float>(bits[e] & 0xffffe000u);
  }
  static constexpr unsigned perRegister = 1;
};
template <class T> struct FromByte {
  static void row(const uint8_t *from, int32_t *to) {
    T bytes[16];
    std::memcpy(bytes, from, 16);
    for (unsigned e = 0; e < 16; ++e)
      to[e] = bytes[e];
  }
  static constexpr unsigned perRegister = 4;
};

/// Registers `ops` of a fragment as rows of `count` lanes-of-four.
template <class From, class T, unsigned depth>
void readRows(Warp &w, const int32_t *ops, unsigned regs, bool halves,
              T (*rows)[depth]) {
  constexpr unsigned width = 4 * From::perRegister;
  for (unsigned r = 0; r < regs; ++r) {
    const uint8_t *lane = sourceOf<uint8_t>(w, ops[r]);
    unsigned first = halves ? 8 * (r & 1) : 0;
    unsigned column = (halves ? r >> 1 : r) * width;
    for (unsigned g = 0; g < 8; ++g)
      From::row(lane + 16 * g, &rows[first + g][column]);
  }
}

template <class T, unsigned rows, unsigned depth>
void multiply(const T (*a)[depth], const T (*b)[depth], T (*c)[columns]) {
  alignas(32) T bk[depth][columns];
  for (unsigned k = 0; k < depth; ++k)
    for (unsigned n = 0; n < columns; ++n)
      bk[k][n] = b[n][k];
  for (unsigned m = 0; m < rows; ++m) {
    alignas(32) T sum[columns];
    std::memcpy(sum, c[m], sizeof sum);
    for (unsigned k = 0; k < depth; ++k)
      for (unsigned n = 0; n < columns; ++n) {
        if constexpr (std::is_same_v<T, float>)
          sum[n] = __builtin_fmaf(a[m][k], bk[k][n], sum[n]);
        else
          sum[n] = T(uint32_t(sum[n]) + uint32_t(a[m][k]) * uint32_t(bk[k][n]));
      }
    std::memcpy(c[m], sum, sizeof sum);
  }
}

/// Accumulators of 32 bits: register 2h + e of lane 4g + t is element
/// (g + 8h, 2t + e).
template <class T, unsigned rows>
void readSums(Warp &w, const int32_t *ops, T (*c)[columns]) {
  for (unsigned h = 0; h < rows / 8; ++h) {
    const T *even = sourceOf<T>(w, ops[2 * h]),
            *odd = sourceOf<T>(w, ops[2 * h + 1]);
    for (unsigned l = 0; l < lanes; ++l) {
      c[8 * h + l / 4][2 * (l % 4)] = even[l];
      c[8 * h + l / 4][2 * (l % 4) + 1] = odd[l];
    }
  }
}
template <class T, unsigned rows>
void writeSums(Warp &w, const int32_t *ops, const T (*c)[columns]) {
  for (unsigned h = 0; h < rows / 8; ++h) {
    T *even = lanesOf<T>(w, ops[2 * h]), *odd = lanesOf<T>(w, ops[2 * h + 1]);
    for (unsigned l = 0; l < lanes; ++l) {
      even[l] = c[8 * h + l / 4][2 * (l % 4)];
      odd[l] = c[8 * h + l / 4][2 * (l % 4) + 1];
    }
  }
}
/// f16 accumulators: both elements in one register.
template <unsigned rows>
void readHalfSums(Warp &w, const int32_t *ops, float (*c)[columns]) {
  for (unsigned h = 0; h < rows / 8; ++h)
    for (unsigned g = 0; g < 8; ++g)
      FromF16::row(sourceOf<uint8_t>(w, ops[h]) + 16 * g, c[8 * h + g]);
}
template <unsigned rows>
void writeHalfSums(Warp &w, const int32_t *ops, const float (*c)[columns]) {
  for (unsigned h = 0; h < rows / 8; ++h) {
    uint16_t *d = lanesOf<uint16_t>(w, ops[h]);
    for (unsigned g = 0; g < 8; ++g)
      for (unsigned n = 0; n < columns; ++n)
        d[8 * g + n] = toHalf(c[8 * h + g][n]);
  }
}

/// Operands are d, a, b, c in Program::more. aux bit 0: d is f16, bit 1: c is.
template <class A, class B, class T, unsigned rows, unsigned depth>
bool runMma(Warp &w, const Inst &inst) {
  if (!wholeWarp(w, inst))
    return false;
  constexpr unsigned per = A::perRegister;
  constexpr unsigned aRegs = rows * depth / (32 * per);
  constexpr unsigned bRegs = columns * depth / (32 * per);
  alignas(32) T a[rows][depth], b[columns][depth], c[rows][columns];
  const int32_t *d = &w.program->more[inst.more];
  unsigned dRegs = inst.aux & 1 ? rows / 8 : rows / 4;
  const int32_t *ops = d + dRegs;
  readRows<A, T, depth>(w, ops, aRegs, rows == 16, a);
  readRows<B, T, depth>(w, ops + aRegs, bRegs, false, b);
  const int32_t *sums = ops + aRegs + bRegs;
  if constexpr (std::is_same_v<T, float>) {
    if (inst.aux & 2)
      readHalfSums<rows>(w, sums, c);
    else
      readSums<T, rows>(w, sums, c);
  } else
    readSums<T, rows>(w, sums, c);
  multiply<T, rows, depth>(a, b, c);
  if constexpr (std::is_same_v<T, float>) {
    if (inst.aux & 1)
      writeHalfSums<rows>(w, d, c);
    else
      writeSums<T, rows>(w, d, c);
  } else
    writeSums<T, rows>(w, d, c);
  return true;
}

/// Sums in 64 bits, clamped at the end.
template <class A, class B, unsigned rows, unsigned depth>
bool runSaturating(Warp &w, const Inst &inst) {
  if (!wholeWarp(w, inst))
    return false;
  constexpr unsigned aRegs = rows * depth / 128, bRegs = columns * depth / 128;
  int32_t a[rows][depth], b[columns][depth], c[rows][columns];
  const int32_t *d = &w.program->more[inst.more], *ops = d + rows / 4;
  readRows<A, int32_t, depth>(w, ops, aRegs, rows == 16, a);
  readRows<B, int32_t, depth>(w, ops + aRegs, bRegs, false, b);
  readSums<int32_t, rows>(w, ops + aRegs + bRegs, c);
  for (unsigned m = 0; m < rows; ++m)
    for (unsigned n = 0; n < columns; ++n) {
      int64_t sum = c[m][n];
      for (unsigned k = 0; k < depth; ++k)
        sum += int64_t(a[m][k]) * b[n][k];
      c[m][n] = int32_t(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
    }
  writeSums<int32_t, rows>(w, d, c);
  return true;
}

/// m8n8k4 in f64: lane 4g + t holds A(g, t), B(t, g) and C(g, 2t), C(g, 2t+1).
bool runDouble(Warp &w, const Inst &inst) {
  if (!wholeWarp(w, inst))
    return false;
  const int32_t *ops = &w.program->more[inst.more];
  const double *a = sourceOf<double>(w, ops[2]),
               *b = sourceOf<double>(w, ops[3]);
  double out[2][lanes];
  for (unsigned l = 0; l < lanes; ++l)
    for (unsigned e = 0; e < 2; ++e) {
      unsigned g = l / 4, n = 2 * (l % 4) + e;
      double sum = sourceOf<double>(w, ops[4 + e])[l];
      for (unsigned k = 0; k < 4; ++k)
        sum = __builtin_fma(a[4 * g + k], b[4 * n + k], sum);
      out[e][l] = sum;
    }
  for (unsigned e = 0; e < 2; ++e)
    std::memcpy(lanesOf<double>(w, ops[e]), out[e], sizeof out[e]);
  return true;
}

template <unsigned rows, unsigned depth>
Handler byteHandler(Type a, Type b, bool saturates) {
  using S = FromByte<int8_t>;
  using U = FromByte<uint8_t>;
  bool x = isSigned(a), y = isSigned(b);
  if (saturates)
    return x ? (y ? runSaturating<S, S, rows, depth>
                  : runSaturating<S, U, rows, depth>)
             : (y ? runSaturating<U, S, rows, depth>
                  : runSaturating<U, U, rows, depth>);
  return x ? (y ? runMma<S, S, int32_t, rows, depth>
                : runMma<S, U, int32_t, rows, depth>)
           : (y ? runMma<U, S, int32_t, rows, depth>
                : runMma<U, U, int32_t, rows, depth>);
}

/// Null when the hardware has no such shape.
Handler pick(unsigned rows, unsigned depth, Type a, Type b, bool saturates) {
  bool bytes = a == Type::S8 || a == Type::U8;
  bool otherBytes = b == Type::S8 || b == Type::U8;
  if (bytes && otherBytes) {
    if (rows == 8)
      return depth == 16 ? byteHandler<8, 16>(a, b, saturates) : nullptr;
    return depth == 16   ? byteHandler<16, 16>(a, b, saturates)
           : depth == 32 ? byteHandler<16, 32>(a, b, saturates)
                         : nullptr;
  }
  if (a != b || saturates)
    return nullptr;
  if (a == Type::F64)
    return rows == 8 && depth == 4 ? runDouble : nullptr;
  if (rows != 16)
    return nullptr;
  if (a == Type::F16)
    return depth == 8    ? runMma<FromF16, FromF16, float, 16, 8>
           : depth == 16 ? runMma<FromF16, FromF16, float, 16, 16>
                         : nullptr;
  if (a == Type::BF16)
    return depth == 8    ? runMma<FromBF16, FromBF16, float, 16, 8>
           : depth == 16 ? runMma<FromBF16, FromBF16, float, 16, 16>
                         : nullptr;
  if (a == Type::TF32)
    return depth == 4   ? runMma<FromTF32, FromTF32, float, 16, 4>
           : depth == 8 ? runMma<FromTF32, FromTF32, float, 16, 8>
                        : nullptr;
  return nullptr;
}

struct Dimensions {
  std::string_view name;
  unsigned rows, depth;
};
constexpr Dimensions dimensions[] = {{"m16n8k4", 16, 4},   {"m16n8k8", 16, 8},
                                     {"m16n8k16", 16, 16}, {"m16n8k32", 16, 32},
                                     {"m8n8k4", 8, 4},     {"m8n8k16", 8, 16}};

bool bindList(Decoder &d, unsigned count, Type type, bool isDst,
              std::vector<int32_t> &ops) {
  const Operand *list = d.takeOperand();
  if (!list)
    return false;
  bool single = count == 1 && list->kind == Operand::Reg;
  if (!single &&
      (list->kind != Operand::Vector || list->elements.size() != count))
    return d.fail("a fragment has not " + std::to_string(count) + " registers");
  for (unsigned k = 0; k < count; ++k) {
    const Operand &element = single ? *list : list->elements[k];
    int32_t op = 0;
    if (isDst ? !d.bindDst(element, type, false, op)
              : !d.bindSrc(element, type, false, op))
      return false;
    ops.push_back(op);
  }
  return true;
}

/// Sums have the type the operands ask for.
bool sumsMatch(Type a, Type sum, Type result) {
  if (a == Type::F64)
    return sum == a && result == a;
  if (sizeOf(a) == 1)
    return sum == Type::S32 && result == Type::S32;
  if (a == Type::F16)
    return (sum == Type::F16 || sum == Type::F32) &&
           (result == Type::F16 || result == Type::F32);
  return sum == Type::F32 && result == Type::F32;
}

} // namespace

bool hgc::emu::decodeMma(Decoder &d) {
  if (!d.take("sync") || !d.take("aligned"))
    return d.fail("only mma.sync.aligned is supported");
  const Dimensions *size = nullptr;
  for (const Dimensions &candidate : dimensions)
    if (!size && d.take(candidate.name))
      size = &candidate;
  if (!size || !d.take("row") || !d.take("col"))
    return d.fail("this shape or layout is not supported");
  bool saturates = d.take("satfinite");
  static constexpr std::initializer_list<Type> sums = {Type::F16, Type::F32,
                                                       Type::F64, Type::S32};
  static constexpr std::initializer_list<Type> parts = {
      Type::F16, Type::BF16, Type::TF32, Type::F64, Type::S8, Type::U8};
  Type result = d.takeType(sums);
  Type a = result == Type::None ? result : d.takeType(parts);
  Type b = a == Type::None ? a : d.takeType(parts);
  Type sum = b == Type::None ? b : d.takeType(sums);
  if (sum == Type::None)
    return false;
  Handler handler = pick(size->rows, size->depth, a, b, saturates);
  if (!handler || !sumsMatch(a, sum, result))
    return d.fail("unsupported combination of types");
  Type reg = a == Type::F64 ? Type::F64 : Type::B32;
  unsigned unit = 32 * sizeOf(reg);
  auto sumRegs = [&](Type type) {
    return size->rows * columns * sizeOf(type) / unit;
  };
  std::vector<int32_t> ops;
  auto sumReg = [&](Type type) { return type == Type::F16 ? Type::B32 : type; };
  if (!bindList(d, sumRegs(result), sumReg(result), true, ops) ||
      !bindList(d, size->rows * size->depth * sizeOf(a) / unit, reg, false,
                ops) ||
      !bindList(d, columns * size->depth * sizeOf(b) / unit, reg, false, ops) ||
      !bindList(d, sumRegs(sum), sumReg(sum), false, ops))
    return false;
  d.addMore(ops);
  d.inst().aux = uint32_t(result == Type::F16) | uint32_t(sum == Type::F16)
                                                     << 1;
  d.current().info.warpFlops = 2 * size->rows * columns * size->depth;
  return d.finish(handler, Counters::Matrix);
}
