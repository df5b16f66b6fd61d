//===- ExecCompare.cpp - setp, set, selp, slct, testp, copysign -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decoder.h"
#include "Families.h"
#include "FloatMath.h"
#include "Half.h"

using namespace hgc::emu;
using namespace hgc::emu::ptx;

namespace {

enum class Cmp : uint8_t {
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Equ,
  Neu,
  Ltu,
  Leu,
  Gtu,
  Geu,
  Num,
  Nan
};

/// Unordered forms hold when an operand is NaN.
template <Cmp cmp, class T> bool holds(T a, T b) {
  switch (cmp) {
  case Cmp::Eq:
    return a == b;
  case Cmp::Ne:
    return a < b || a > b;
  case Cmp::Lt:
    return a < b;
  case Cmp::Le:
    return a <= b;
  case Cmp::Gt:
    return a > b;
  case Cmp::Ge:
    return a >= b;
  case Cmp::Equ:
    return !(a < b || a > b);
  case Cmp::Neu:
    return !(a == b);
  case Cmp::Ltu:
    return !(a >= b);
  case Cmp::Leu:
    return !(a > b);
  case Cmp::Gtu:
    return !(a <= b);
  case Cmp::Geu:
    return !(a < b);
  case Cmp::Num:
    return a == a && b == b;
  case Cmp::Nan:
    return a != a || b != b;
  }
  return false;
}

template <Cmp cmp> struct Plain {
  template <class T> static bool eval(T a, T b) { return holds<cmp>(a, b); }
};
template <Cmp cmp> struct Flushed {
  static bool eval(float a, float b) { return holds<cmp>(flush(a), flush(b)); }
};
template <Cmp cmp> struct OnF16 {
  static bool eval(uint16_t a, uint16_t b) {
    return holds<cmp>(fromHalf(a), fromHalf(b));
  }
};
template <Cmp cmp> struct OnBF16 {
  static bool eval(uint16_t a, uint16_t b) {
    return holds<cmp>(fromBrain(a), fromBrain(b));
  }
};

using Compare = uint32_t (*)(Warp &w, const Inst &inst, unsigned half);

template <class F, class T>
uint32_t compareWarp(Warp &w, const Inst &inst, unsigned) {
  return compareLanes<F>(sourceOf<T>(w, inst.op[1]),
                         sourceOf<T>(w, inst.op[2]));
}
/// One half of packed operands.
template <class F>
uint32_t comparePairs(Warp &w, const Inst &inst, unsigned half) {
  const uint32_t *a = sourceOf<uint32_t>(w, inst.op[1]),
                 *b = sourceOf<uint32_t>(w, inst.op[2]);
  uint32_t result = 0;
  for (unsigned i = 0; i < lanes; ++i)
    result |= uint32_t(F::eval(uint16_t(a[i] >> 16 * half),
                               uint16_t(b[i] >> 16 * half)))
              << i;
  return result;
}

/// aux bits 0-1: no, and, or, xor; bit 2: !c; op[4]: c.
uint32_t combine(Warp &w, const Inst &inst, uint32_t value) {
  uint32_t c = w.predicates[inst.op[4]];
  c = inst.aux & 4 ? ~c : c;
  switch (inst.aux & 3) {
  case 1:
    return value & c;
  case 2:
    return value | c;
  case 3:
    return value ^ c;
  }
  return value;
}

template <Compare compare, bool pairs> bool setp(Warp &w, const Inst &inst) {
  uint32_t value = compare(w, inst, 0);
  uint32_t other = pairs ? compare(w, inst, 1) : ~value;
  uint32_t p = combine(w, inst, value), q = combine(w, inst, other);
  if (inst.op[0] >= 0)
    setPredicate(w, inst.op[0], p);
  if (inst.op[3] >= 0)
    setPredicate(w, inst.op[3], q);
  return true;
}

/// imm: what true is; op[3] bytes of the result.
template <Compare compare, bool pairs> bool set(Warp &w, const Inst &inst) {
  uint32_t low = combine(w, inst, compare(w, inst, 0));
  uint32_t high = pairs ? combine(w, inst, compare(w, inst, 1)) : 0;
  uint32_t one = uint32_t(inst.imm);
  if (inst.op[3] == 2) {
    uint16_t *d = lanesOf<uint16_t>(w, inst.op[0]);
    HGC_EMU_ACTIVE(w.active) d[i] = uint16_t(low >> i & 1 ? one : 0);
    return true;
  }
  uint32_t *d = lanesOf<uint32_t>(w, inst.op[0]);
  HGC_EMU_ACTIVE(w.active) {
    uint32_t value = low >> i & 1 ? one : 0;
    if (pairs)
      value = (value & 0xffff) | (high >> i & 1 ? one << 16 : 0);
    d[i] = value;
  }
  return true;
}

struct Pair {
  Handler setp, set;
};
template <Compare compare, bool pairs = false> constexpr Pair both() {
  return {setp<compare, pairs>, set<compare, pairs>};
}

template <Cmp cmp> Pair forFloats(Type type, bool ftz) {
  switch (type) {
  case Type::F32:
    return ftz ? both<compareWarp<Flushed<cmp>, float>>()
               : both<compareWarp<Plain<cmp>, float>>();
  case Type::F64:
    return both<compareWarp<Plain<cmp>, double>>();
  case Type::F16:
    return both<compareWarp<OnF16<cmp>, uint16_t>>();
  case Type::BF16:
    return both<compareWarp<OnBF16<cmp>, uint16_t>>();
  case Type::F16X2:
    return both<comparePairs<OnF16<cmp>>, true>();
  case Type::BF16X2:
    return both<comparePairs<OnBF16<cmp>>, true>();
  default:
    return {};
  }
}
template <Cmp cmp> Pair forIntegers(Type type) {
  switch (type) {
  case Type::B16:
  case Type::U16:
    return both<compareWarp<Plain<cmp>, uint16_t>>();
  case Type::S16:
    return both<compareWarp<Plain<cmp>, int16_t>>();
  case Type::B32:
  case Type::U32:
    return both<compareWarp<Plain<cmp>, uint32_t>>();
  case Type::S32:
    return both<compareWarp<Plain<cmp>, int32_t>>();
  case Type::B64:
  case Type::U64:
    return both<compareWarp<Plain<cmp>, uint64_t>>();
  case Type::S64:
    return both<compareWarp<Plain<cmp>, int64_t>>();
  default:
    return {};
  }
}

Pair pick(Cmp cmp, Type type, bool ftz) {
  bool isReal = isFloat(type);
#define HGC_EMU_CMP(name)                                                      \
  case Cmp::name:                                                              \
    return isReal ? forFloats<Cmp::name>(type, ftz)                            \
                  : forIntegers<Cmp::name>(type);
#define HGC_EMU_FLOAT_CMP(name)                                                \
  case Cmp::name:                                                              \
    return isReal ? forFloats<Cmp::name>(type, ftz) : Pair();
  switch (cmp) {
    HGC_EMU_CMP(Eq)
    HGC_EMU_CMP(Ne)
    HGC_EMU_CMP(Lt)
    HGC_EMU_CMP(Le)
    HGC_EMU_CMP(Gt)
    HGC_EMU_CMP(Ge)
    HGC_EMU_FLOAT_CMP(Equ)
    HGC_EMU_FLOAT_CMP(Neu)
    HGC_EMU_FLOAT_CMP(Ltu)
    HGC_EMU_FLOAT_CMP(Leu)
    HGC_EMU_FLOAT_CMP(Gtu)
    HGC_EMU_FLOAT_CMP(Geu)
    HGC_EMU_FLOAT_CMP(Num)
    HGC_EMU_FLOAT_CMP(Nan)
  }
#undef HGC_EMU_CMP
#undef HGC_EMU_FLOAT_CMP
  return {};
}

/// .lt, .and, .ftz and the type of the operands.
struct Relation {
  Cmp cmp = Cmp::Eq;
  bool combined = false, ftz = false;
};

bool takeRelation(Decoder &d, Relation &relation) {
  int cmp = d.takeOne({"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
                       "leu", "gtu", "geu", "num", "nan"});
  // The old names of unsigned orders.
  int old = cmp < 0 ? d.takeOne({"lo", "ls", "hi", "hs"}) : -1;
  if (cmp < 0 && old < 0)
    return d.fail("a comparison is missing");
  relation.cmp = cmp >= 0 ? Cmp(cmp) : Cmp(old + int(Cmp::Lt));
  int boolean = d.takeOne({"and", "or", "xor"});
  relation.combined = boolean >= 0;
  d.inst().aux = boolean + 1;
  relation.ftz = d.take("ftz");
  return true;
}

bool takeThird(Decoder &d, const Relation &relation) {
  d.inst().op[4] = 1;
  bool negated = false;
  if (relation.combined && !d.srcPredicate(d.inst().op[4], negated))
    return false;
  d.inst().aux |= negated ? 4 : 0;
  return true;
}

constexpr std::initializer_list<Type> compared = {
    Type::B16, Type::U16, Type::S16,   Type::B32,  Type::U32,
    Type::S32, Type::B64, Type::U64,   Type::S64,  Type::F32,
    Type::F64, Type::F16, Type::F16X2, Type::BF16, Type::BF16X2};

bool bindCompared(Decoder &d, Type type) {
  for (unsigned k : {1u, 2u}) {
    const Operand *operand = d.takeOperand();
    if (!operand || !d.bindSrc(*operand, type, false, d.inst().op[k]))
      return false;
    d.current().patched |= 1u << k;
  }
  return true;
}

bool decodeSetp(Decoder &d) {
  Relation relation;
  if (!takeRelation(d, relation))
    return false;
  Type type = d.takeType(compared);
  const Operand *result = type == Type::None ? nullptr : d.takeOperand();
  if (!result)
    return false;
  Operand p = *result, q = *result;
  p.kind = q.kind = Operand::Reg;
  q.reg = result->reg2;
  bool two = result->kind == Operand::Pair;
  d.inst().op[0] = d.inst().op[3] = -1;
  if (result->kind != Operand::Reg && !two)
    return d.fail("the destination is not a predicate");
  if (p.reg >= 0 && !d.bindPredicate(p, d.inst().op[0], true))
    return false;
  if (two && !d.bindPredicate(q, d.inst().op[3], true))
    return false;
  if (!bindCompared(d, type) || !takeThird(d, relation))
    return false;
  return d.finish(pick(relation.cmp, type, relation.ftz).setp, Counters::Move);
}

bool decodeSet(Decoder &d) {
  Relation relation;
  if (!takeRelation(d, relation))
    return false;
  Type result =
      d.takeType({Type::U32, Type::S32, Type::F32, Type::F16, Type::F16X2,
                  Type::BF16, Type::BF16X2, Type::U16, Type::S16});
  Type type = result == Type::None ? result : d.takeType(compared);
  if (type == Type::None || !d.dst(result) || !bindCompared(d, type) ||
      !takeThird(d, relation))
    return false;
  bool pairs = type == Type::F16X2 || type == Type::BF16X2;
  if (pairs != (result == Type::F16X2 || result == Type::BF16X2))
    return d.fail("packed and single types are mixed");
  d.inst().op[3] = sizeOf(result);
  d.inst().imm = result == Type::F32                            ? 0x3f800000
                 : result == Type::F16 || result == Type::F16X2 ? 0x3c00
                 : result == Type::BF16 || result == Type::BF16X2
                     ? 0x3f80
                     : 0xffffffffll;
  return d.finish(pick(relation.cmp, type, relation.ftz).set, Counters::Move);
}

} // namespace

const Opcode hgc::emu::compareOpcodes[] = {
    {"setp", decodeSetp}, {"set", decodeSet}, {"", nullptr}};
