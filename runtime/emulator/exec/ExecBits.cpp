//===- ExecBits.cpp - logic, shifts and bit fields ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decoder.h"
#include "Lanes.h"

#include <algorithm>
#include <type_traits>

using namespace hgc::emu;
using namespace hgc::emu::ptx;

namespace {

struct And {
  template <class T> static T eval(T a, T b) { return a & b; }
};
struct Or {
  template <class T> static T eval(T a, T b) { return a | b; }
};
struct Xor {
  template <class T> static T eval(T a, T b) { return a ^ b; }
};
struct Not {
  template <class T> static T eval(T a) { return T(~a); }
};
struct Cnot {
  template <class T> static T eval(T a) { return a == 0; }
};
struct Shl {
  template <class T> static T eval(T a, uint32_t n) {
    return n < sizeof(T) * 8 ? T(a << n) : T(0);
  }
};
/// Arithmetic for signed T. Shifts beyond the width leave the sign.
struct Shr {
  template <class T> static T eval(T a, uint32_t n) {
    constexpr uint32_t width = sizeof(T) * 8;
    if (std::is_signed_v<T>)
      return T(a >> std::min(n, width - 1));
    return n < width ? T(a >> n) : T(0);
  }
};
struct Popc {
  template <class T> static uint32_t eval(T a) {
    return uint32_t(__builtin_popcountll(a));
  }
};
struct Clz {
  static uint32_t eval(uint32_t a) { return a ? __builtin_clz(a) : 32; }
  static uint32_t eval(uint64_t a) { return a ? __builtin_clzll(a) : 64; }
};
struct Brev {
  template <class T> static T eval(T a) {
    T result = 0;
    for (unsigned k = 0; k < sizeof(T) * 8; ++k)
      result |= T(a >> k & 1) << (sizeof(T) * 8 - 1 - k);
    return result;
  }
};
/// Position of the highest bit that differs from the sign.
template <bool shiftAmount> struct Bfind {
  template <class T> static uint32_t eval(T a) {
    using U = std::make_unsigned_t<T>;
    U bits = std::is_signed_v<T> && a < 0 ? U(~U(a)) : U(a);
    if (!bits)
      return ~0u;
    uint32_t at = 63 - __builtin_clzll(uint64_t(bits));
    return shiftAmount ? uint32_t(sizeof(T) * 8 - 1) - at : at;
  }
};
struct Bfe {
  template <class T> static T eval(T a, uint32_t b, uint32_t c) {
    using U = std::make_unsigned_t<T>;
    constexpr uint32_t width = sizeof(T) * 8;
    uint32_t pos = b & 0xff, len = c & 0xff;
    if (len == 0)
      return 0;
    // The sign is the last bit of the field, or of the value.
    bool sign =
        std::is_signed_v<T> && (U(a) >> std::min(pos + len - 1, width - 1) & 1);
    U field = pos < width ? U(U(a) >> pos) : U(0);
    uint32_t have = pos < width ? std::min(len, width - pos) : 0;
    U mask = have >= width ? U(~U(0)) : U((U(1) << have) - 1);
    return T(sign ? U(field | U(~mask)) : U(field & mask));
  }
};
struct Bfi {
  template <class T> static T eval(T a, T b, uint32_t pos, uint32_t len) {
    constexpr uint32_t width = sizeof(T) * 8;
    pos &= 0xff;
    len &= 0xff;
    if (pos >= width || len == 0)
      return b;
    T mask = len >= width ? T(~T(0)) : T((T(1) << len) - 1);
    return T((b & ~T(mask << pos)) | T((a & mask) << pos));
  }
};
/// bmsk: len ones from pos on, cut off (clamp) or taken modulo 32 (wrap).
template <bool wrap> struct Bmsk {
  static uint32_t eval(uint32_t pos, uint32_t len) {
    if (wrap)
      pos &= 31, len &= 31;
    if (pos >= 32)
      return 0;
    uint32_t ones = len >= 32 ? ~0u : (1u << len) - 1;
    return ones << pos;
  }
};
/// Funnel shifts of the pair hi:lo.
template <bool left, bool wrap> struct Shf {
  static uint32_t eval(uint32_t lo, uint32_t hi, uint32_t n) {
    n = wrap ? n & 31 : std::min(n, 32u);
    uint64_t both = uint64_t(hi) << 32 | lo;
    return left ? uint32_t(both << n >> 32) : uint32_t(both >> n);
  }
};

bool runBfi32(Warp &w, const Inst &inst) {
  uint32_t *d = lanesOf<uint32_t>(w, inst.op[0]);
  const uint32_t *a = sourceOf<uint32_t>(w, inst.op[1]),
                 *b = sourceOf<uint32_t>(w, inst.op[2]),
                 *c = sourceOf<uint32_t>(w, inst.op[3]),
                 *e = sourceOf<uint32_t>(w, inst.op[4]);
  HGC_EMU_ACTIVE(w.active) d[i] = Bfi::eval(a[i], b[i], c[i], e[i]);
  return true;
}
bool runBfi64(Warp &w, const Inst &inst) {
  uint64_t *d = lanesOf<uint64_t>(w, inst.op[0]);
  const uint64_t *a = sourceOf<uint64_t>(w, inst.op[1]),
                 *b = sourceOf<uint64_t>(w, inst.op[2]);
  const uint32_t *c = sourceOf<uint32_t>(w, inst.op[3]),
                 *e = sourceOf<uint32_t>(w, inst.op[4]);
  HGC_EMU_ACTIVE(w.active) d[i] = Bfi::eval(a[i], b[i], c[i], e[i]);
  return true;
}

bool runLop3(Warp &w, const Inst &inst) {
  uint32_t *d = lanesOf<uint32_t>(w, inst.op[0]);
  const uint32_t *a = sourceOf<uint32_t>(w, inst.op[1]),
                 *b = sourceOf<uint32_t>(w, inst.op[2]),
                 *c = sourceOf<uint32_t>(w, inst.op[3]);
  HGC_EMU_ACTIVE(w.active) {
    uint32_t result = 0;
    for (unsigned k = 0; k < 8; ++k)
      if (inst.imm >> k & 1)
        result |= (k & 4 ? a[i] : ~a[i]) & (k & 2 ? b[i] : ~b[i]) &
                  (k & 1 ? c[i] : ~c[i]);
    d[i] = result;
  }
  return true;
}

/// Logic of predicates: whole warps at a time.
template <class F> bool onPredicates(Warp &w, const Inst &inst) {
  uint32_t a = w.predicates[inst.op[1]], b = w.predicates[inst.op[2]];
  a = inst.aux & 1 ? ~a : a;
  b = inst.aux & 2 ? ~b : b;
  setPredicate(w, inst.op[0], F::eval(a, b));
  return true;
}

template <class F> Handler logic(unsigned bytes) {
  return bytes == 2   ? binary<F, uint16_t, uint16_t>
         : bytes == 4 ? binary<F, uint32_t, uint32_t>
                      : binary<F, uint64_t, uint64_t>;
}
template <class F> Handler logicUnary(unsigned bytes) {
  return bytes == 2   ? unary<F, uint16_t, uint16_t>
         : bytes == 4 ? unary<F, uint32_t, uint32_t>
                      : unary<F, uint64_t, uint64_t>;
}

bool decodePredicateLogic(Decoder &d) {
  if (!d.take("pred") || !d.dstPredicate())
    return false;
  bool negated = false, unaryOp = d.opcode() == "not";
  if (!d.srcPredicate(d.inst().op[1], negated))
    return false;
  d.inst().aux = negated;
  d.inst().op[2] = 1; // not: xor with true
  if (!unaryOp) {
    if (!d.srcPredicate(d.inst().op[2], negated))
      return false;
    d.inst().aux |= uint32_t(negated) << 1;
  }
  Handler handler = d.opcode() == "and"  ? onPredicates<And>
                    : d.opcode() == "or" ? onPredicates<Or>
                                         : onPredicates<Xor>;
  return d.finish(handler, Counters::Move);
}

bool decodeLogic(Decoder &d) {
  std::string_view name = d.opcode();
  if (d.hasModifier("pred") && name != "cnot")
    return decodePredicateLogic(d);
  Type type = d.takeType({Type::B16, Type::B32, Type::B64});
  bool one = name == "not" || name == "cnot";
  if (type == Type::None || !d.dst(type) || !d.src(type) ||
      (!one && !d.src(type)))
    return false;
  unsigned bytes = sizeOf(type);
  Handler handler = name == "and"   ? logic<And>(bytes)
                    : name == "or"  ? logic<Or>(bytes)
                    : name == "xor" ? logic<Xor>(bytes)
                    : name == "not" ? logicUnary<Not>(bytes)
                                    : logicUnary<Cnot>(bytes);
  return d.finish(handler, Counters::Integer);
}

template <class F, class T> constexpr Handler shift = binary<F, T, T, uint32_t>;

bool decodeShift(Decoder &d) {
  bool left = d.opcode() == "shl";
  Type type =
      left ? d.takeType({Type::B16, Type::B32, Type::B64})
           : d.takeType({Type::B16, Type::B32, Type::B64, Type::U16, Type::U32,
                         Type::U64, Type::S16, Type::S32, Type::S64});
  if (type == Type::None || !d.dst(type) || !d.src(type) || !d.src(Type::U32))
    return false;
  Handler handler = nullptr;
  switch (sizeOf(type)) {
  case 2:
    handler = left             ? shift<Shl, uint16_t>
              : isSigned(type) ? shift<Shr, int16_t>
                               : shift<Shr, uint16_t>;
    break;
  case 4:
    handler = left             ? shift<Shl, uint32_t>
              : isSigned(type) ? shift<Shr, int32_t>
                               : shift<Shr, uint32_t>;
    break;
  case 8:
    handler = left             ? shift<Shl, uint64_t>
              : isSigned(type) ? shift<Shr, int64_t>
                               : shift<Shr, uint64_t>;
    break;
  }
  return d.finish(handler, Counters::Integer);
}

template <bool amount> Handler bfindHandler(Type type) {
  return type == Type::U32   ? unary<Bfind<amount>, uint32_t, uint32_t>
         : type == Type::S32 ? unary<Bfind<amount>, uint32_t, int32_t>
         : type == Type::U64 ? unary<Bfind<amount>, uint32_t, uint64_t>
                             : unary<Bfind<amount>, uint32_t, int64_t>;
}

bool decodeCount(Decoder &d) {
  std::string_view name = d.opcode();
  bool find = name == "bfind", amount = find && d.take("shiftamt");
  Type type = find ? d.takeType({Type::U32, Type::S32, Type::U64, Type::S64})
                   : d.takeType({Type::B32, Type::B64});
  Type result = name == "brev" ? type : Type::B32;
  if (type == Type::None || !d.dst(result) || !d.src(type))
    return false;
  bool wide = sizeOf(type) == 8;
  Handler handler = name == "popc"   ? (wide ? unary<Popc, uint32_t, uint64_t>
                                             : unary<Popc, uint32_t, uint32_t>)
                    : name == "clz"  ? (wide ? unary<Clz, uint32_t, uint64_t>
                                             : unary<Clz, uint32_t, uint32_t>)
                    : name == "brev" ? (wide ? unary<Brev, uint64_t, uint64_t>
                                             : unary<Brev, uint32_t, uint32_t>)
                    : amount         ? bfindHandler<true>(type)
                                     : bfindHandler<false>(type);
  return d.finish(handler, Counters::Integer);
}

template <class T>
constexpr Handler bfe = ternary<Bfe, T, T, uint32_t, uint32_t>;

bool decodeField(Decoder &d) {
  if (d.opcode() == "bfi") {
    Type type = d.takeType({Type::B32, Type::B64});
    return type != Type::None && d.dst(type) && d.src(type) && d.src(type) &&
           d.src(Type::U32) && d.src(Type::U32) &&
           d.finish(sizeOf(type) == 4 ? runBfi32 : runBfi64, Counters::Integer);
  }
  Type type = d.takeType({Type::U32, Type::S32, Type::U64, Type::S64});
  if (type == Type::None || !d.dst(type) || !d.src(type) || !d.src(Type::U32) ||
      !d.src(Type::U32))
    return false;
  Handler handler = type == Type::U32   ? bfe<uint32_t>
                    : type == Type::S32 ? bfe<int32_t>
                    : type == Type::U64 ? bfe<uint64_t>
                                        : bfe<int64_t>;
  return d.finish(handler, Counters::Integer);
}

bool decodeMask(Decoder &d) {
  int mode = d.takeOne({"clamp", "wrap"});
  return mode >= 0 && d.take("b32") && d.dst(Type::B32) && d.src(Type::U32) &&
         d.src(Type::U32) &&
         d.finish(mode ? binary<Bmsk<true>, uint32_t, uint32_t>
                       : binary<Bmsk<false>, uint32_t, uint32_t>,
                  Counters::Integer);
}

bool decodeFunnel(Decoder &d) {
  int side = d.takeOne({"l", "r"}), mode = d.takeOne({"clamp", "wrap"});
  if (side < 0 || mode < 0 || !d.take("b32") || !d.dst(Type::B32) ||
      !d.src(Type::B32) || !d.src(Type::B32) || !d.src(Type::U32))
    return false;
  static constexpr Handler handlers[] = {
      ternary<Shf<true, false>, uint32_t, uint32_t>,
      ternary<Shf<true, true>, uint32_t, uint32_t>,
      ternary<Shf<false, false>, uint32_t, uint32_t>,
      ternary<Shf<false, true>, uint32_t, uint32_t>};
  return d.finish(handlers[side * 2 + mode], Counters::Integer);
}

bool decodeLop3(Decoder &d) {
  if (!d.take("b32") || !d.dst(Type::B32) || !d.src(Type::B32) ||
      !d.src(Type::B32) || !d.src(Type::B32))
    return false;
  const Operand *table = d.takeOperand();
  if (!table || table->kind != Operand::Int || table->bits > 255)
    return d.fail("the look-up table is not a constant below 256");
  d.inst().imm = table->bits;
  return d.finish(runLop3, Counters::Integer);
}

} // namespace

const Opcode hgc::emu::bitOpcodes[] = {
    {"and", decodeLogic},  {"or", decodeLogic},    {"xor", decodeLogic},
    {"not", decodeLogic},  {"cnot", decodeLogic},  {"shl", decodeShift},
    {"shr", decodeShift},  {"popc", decodeCount},  {"clz", decodeCount},
    {"brev", decodeCount}, {"bfind", decodeCount}, {"bfe", decodeField},
    {"bfi", decodeField},  {"bmsk", decodeMask},   {"shf", decodeFunnel},
    {"lop3", decodeLop3},  {"", nullptr}};
