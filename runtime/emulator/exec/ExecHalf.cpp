//===- ExecHalf.cpp - f16 and bf16 arithmetic -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and products are formed in f32, whose 24 bits make the second rounding
// harmless; a fused product needs rounding to odd in f64.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "FloatMath.h"
#include "Half.h"

using namespace hgc::emu;
using namespace hgc::emu::ptx;

bool hgc::emu::isHalf(Type type) {
  return type == Type::F16 || type == Type::F16X2 || type == Type::BF16 ||
         type == Type::BF16X2;
}

namespace {

struct F16 {
  static float from(uint16_t bits) { return fromHalf(bits); }
  static uint16_t to(float value) { return toHalf(value); }
  static uint16_t toFromDouble(double value) {
    return uint16_t(narrow(value, formatF16, Rounding::NearestEven));
  }
  static constexpr uint16_t exponent = 0x7c00, nan = 0x7fff;
};
struct BF16 {
  static float from(uint16_t bits) { return fromBrain(bits); }
  static uint16_t to(float value) { return toBrain(value); }
  static uint16_t toFromDouble(double value) {
    return uint16_t(narrow(value, formatBF16, Rounding::NearestEven));
  }
  static constexpr uint16_t exponent = 0x7f80, nan = 0x7fff;
};

enum class Op : uint8_t { Add, Sub, Mul, Min, Max, Fma, Abs, Neg };
constexpr uint32_t ftzBit = 1, satBit = 2, nanBit = 4, reluBit = 8, xorBit = 16;

template <class H> uint16_t flushHalf(uint16_t bits, uint32_t how) {
  return (how & ftzBit) && !(bits & H::exponent) ? uint16_t(bits & 0x8000)
                                                 : bits;
}

template <class H> bool isNan(uint16_t bits) {
  return (bits & 0x7fff) > H::exponent;
}

template <class H, Op op>
uint16_t evalHalf(uint16_t x, uint16_t y, uint16_t z, uint32_t how) {
  if (op == Op::Abs)
    return flushHalf<H>(x & 0x7fff, how);
  if (op == Op::Neg)
    return flushHalf<H>(x ^ 0x8000, how);
  uint16_t sign = 0;
  if ((op == Op::Min || op == Op::Max) && (how & xorBit)) {
    sign = (x ^ y) & 0x8000;
    x &= 0x7fff;
    y &= 0x7fff;
  }
  float a = H::from(flushHalf<H>(x, how)), b = H::from(flushHalf<H>(y, how));
  uint16_t r = 0;
  switch (op) {
  case Op::Add:
    r = H::to(a + b);
    break;
  case Op::Sub:
    r = H::to(a - b);
    break;
  case Op::Mul:
    r = H::to(a * b);
    break;
  case Op::Min:
    r = H::to(minimum(a, b));
    break;
  case Op::Max:
    r = H::to(maximum(a, b));
    break;
  default:
    r = H::toFromDouble(fusedToOdd(a, b, H::from(flushHalf<H>(z, how))));
    break;
  }
  if ((how & nanBit) && (isNan<H>(x) || isNan<H>(y)))
    r = H::nan;
  if (isNan<H>(r))
    return how & satBit ? 0 : H::nan;
  if (how & satBit)
    r = r & 0x8000 ? 0 : H::from(r) > 1.0f ? H::to(1.0f) : r;
  if ((how & reluBit) && (r & 0x8000))
    r = 0;
  return flushHalf<H>(r | sign, how);
}

template <class H, Op op, bool pairs>
bool halfHandler(Warp &w, const Inst &inst) {
  using T = std::conditional_t<pairs, uint32_t, uint16_t>;
  T *d = lanesOf<T>(w, inst.op[0]);
  const T *a = sourceOf<T>(w, inst.op[1]), *b = sourceOf<T>(w, inst.op[2]),
          *c = sourceOf<T>(w, inst.op[3]);
  HGC_EMU_ACTIVE(w.active) {
    T low = evalHalf<H, op>(uint16_t(a[i]), uint16_t(b[i]), uint16_t(c[i]),
                            inst.aux);
    if constexpr (pairs)
      low |= T(evalHalf<H, op>(uint16_t(a[i] >> 16), uint16_t(b[i] >> 16),
                               uint16_t(c[i] >> 16), inst.aux))
             << 16;
    d[i] = low;
  }
  return true;
}

template <Op op> Handler pick(Type type) {
  switch (type) {
  case Type::F16:
    return halfHandler<F16, op, false>;
  case Type::F16X2:
    return halfHandler<F16, op, true>;
  case Type::BF16:
    return halfHandler<BF16, op, false>;
  default:
    return halfHandler<BF16, op, true>;
  }
}

/// Sums and products of halves with an f32, of sm_100 and later.
template <class H, Op op> bool mixedHandler(Warp &w, const Inst &inst) {
  float *d = lanesOf<float>(w, inst.op[0]);
  const uint16_t *a = sourceOf<uint16_t>(w, inst.op[1]);
  const float *c = sourceOf<float>(w, inst.op[op == Op::Fma ? 3 : 2]);
  HGC_EMU_ACTIVE(w.active) {
    if constexpr (op == Op::Fma)
      d[i] = __builtin_fmaf(
          H::from(a[i]), H::from(sourceOf<uint16_t>(w, inst.op[2])[i]), c[i]);
    else
      d[i] = op == Op::Add ? H::from(a[i]) + c[i] : H::from(a[i]) - c[i];
  }
  return true;
}

template <class H> Handler pickMixed(std::string_view name) {
  return name == "fma"   ? mixedHandler<H, Op::Fma>
         : name == "add" ? mixedHandler<H, Op::Add>
                         : mixedHandler<H, Op::Sub>;
}

/// The rest of `fma.rn.f32.f16` and the like.
bool decodeMixed(Decoder &d) {
  std::string_view name = d.opcode();
  if (name != "fma" && name != "add" && name != "sub")
    return false;
  Type type = d.takeType({Type::F16, Type::BF16});
  if (type == Type::None || !d.dst(Type::F32) || !d.src(type) ||
      (name == "fma" && !d.src(type)) || !d.src(Type::F32))
    return false;
  return d.finish(type == Type::F16 ? pickMixed<F16>(name)
                                    : pickMixed<BF16>(name),
                  Counters::Float, name == "fma" ? 2 : 1);
}

struct HalfOp {
  std::string_view name;
  Handler (*pick)(Type);
  unsigned sources;
  uint32_t allowed;
  unsigned flops;
};
constexpr HalfOp halfOps[] = {
    {"add", pick<Op::Add>, 2, ftzBit | satBit, 1},
    {"sub", pick<Op::Sub>, 2, ftzBit | satBit, 1},
    {"mul", pick<Op::Mul>, 2, ftzBit | satBit, 1},
    {"min", pick<Op::Min>, 2, ftzBit | nanBit | xorBit, 1},
    {"max", pick<Op::Max>, 2, ftzBit | nanBit | xorBit, 1},
    {"fma", pick<Op::Fma>, 3, ftzBit | satBit | reluBit, 2},
    {"abs", pick<Op::Abs>, 1, ftzBit, 1},
    {"neg", pick<Op::Neg>, 1, ftzBit, 1}};

} // namespace

bool hgc::emu::decodeHalf(Decoder &d) {
  const HalfOp *op = nullptr;
  for (const HalfOp &candidate : halfOps)
    if (candidate.name == d.opcode())
      op = &candidate;
  if (!op)
    return false;
  bool rounding = d.take("rn");
  if (op->name == "fma" && !rounding)
    return d.fail("a rounding is missing");
  if (d.take("f32"))
    return decodeMixed(d);
  uint32_t how = d.take("ftz") ? ftzBit : 0;
  how |= d.take("NaN") ? nanBit : 0;
  how |= d.take("sat") ? satBit : 0;
  how |= d.take("relu") ? reluBit : 0;
  if (d.take("xorsign")) {
    if (!d.take("abs"))
      return false;
    how |= xorBit;
  }
  Type type = d.takeType({Type::F16, Type::F16X2, Type::BF16, Type::BF16X2});
  if (type == Type::None)
    return false;
  bool brain = type == Type::BF16 || type == Type::BF16X2;
  if ((how & ~op->allowed) || (brain && (how & (ftzBit | satBit))))
    return d.fail("a modifier does not go with ." + std::string(nameOf(type)));
  // Unused sources repeat the first one.
  if (!d.dst(type))
    return false;
  for (unsigned i = 0; i < op->sources; ++i)
    if (!d.src(type))
      return false;
  for (unsigned i = op->sources; i < 3; ++i) {
    d.inst().op[1 + i] = d.inst().op[1];
    d.current().patched |= 2u << i;
  }
  d.inst().aux = how;
  unsigned flops = op->flops * (sizeOf(type) / 2);
  return d.finish(op->pick(type), Counters::Float, flops);
}
