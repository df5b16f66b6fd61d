//===- ExecConvert.cpp - cvt ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conversions of hot loops have loops of their own; all others go lane by
// lane through convertScalar().
//
//===----------------------------------------------------------------------===//

#include "ConvertScalar.h"
#include "Decoder.h"
#include "FloatMath.h"

using namespace hgc::emu;
using namespace hgc::emu::ptx;

namespace {

/// A Conversion in Inst::aux and Inst::imm.
void store(Inst &inst, const Conversion &how, unsigned toReg,
           unsigned fromReg) {
  inst.aux =
      uint32_t(how.to) | uint32_t(how.from) << 8 | toReg << 16 | fromReg << 24;
  inst.imm = int64_t(how.rounding) | how.toIntegral << 8 | how.ftz << 9 |
             how.sat << 10 | how.satFinite << 11 | how.relu << 12;
}
Conversion restore(const Inst &inst) {
  Conversion how;
  how.to = Type(inst.aux & 0xff);
  how.from = Type(inst.aux >> 8 & 0xff);
  how.rounding = Rounding(inst.imm & 0xff);
  how.toIntegral = inst.imm >> 8 & 1;
  how.ftz = inst.imm >> 9 & 1;
  how.sat = inst.imm >> 10 & 1;
  how.satFinite = inst.imm >> 11 & 1;
  how.relu = inst.imm >> 12 & 1;
  return how;
}

bool convertLanes(Warp &w, const Inst &inst) {
  Conversion how = restore(inst);
  unsigned toReg = inst.aux >> 16 & 0xff, fromReg = inst.aux >> 24;
  uint8_t *d = lanesOf<uint8_t>(w, inst.op[0]);
  const uint8_t *a = sourceOf<uint8_t>(w, inst.op[1]);
  HGC_EMU_ACTIVE(w.active) {
    uint64_t bits = 0;
    std::memcpy(&bits, a + i * fromReg, fromReg);
    bits = convertScalar(how, bits);
    std::memcpy(d + i * toReg, &bits, toReg);
  }
  return true;
}

/// Two values into the halves of a result: op[1] high, op[2] low.
bool convertPairs(Warp &w, const Inst &inst) {
  Conversion how = restore(inst);
  unsigned part = sizeOf(how.to) * 8;
  const uint32_t *a = sourceOf<uint32_t>(w, inst.op[1]),
                 *b = sourceOf<uint32_t>(w, inst.op[2]);
  bool narrowResult = part == 8;
  HGC_EMU_ACTIVE(w.active) {
    uint32_t value =
        uint32_t(convertScalar(how, a[i]) << part | convertScalar(how, b[i]));
    if (narrowResult)
      lanesOf<uint16_t>(w, inst.op[0])[i] = uint16_t(value);
    else
      lanesOf<uint32_t>(w, inst.op[0])[i] = value;
  }
  return true;
}

/// Both halves of one packed source.
bool convertPacked(Warp &w, const Inst &inst) {
  Conversion how = restore(inst);
  unsigned from = sizeOf(how.from) * 8, to = sizeOf(how.to) * 8;
  HGC_EMU_ACTIVE(w.active) {
    uint32_t bits = from == 8 ? sourceOf<uint16_t>(w, inst.op[1])[i]
                              : sourceOf<uint32_t>(w, inst.op[1])[i];
    uint32_t mask = (1u << from) - 1;
    uint32_t value = uint32_t(convertScalar(how, bits >> from) << to |
                              convertScalar(how, bits & mask));
    if (to == 8)
      lanesOf<uint16_t>(w, inst.op[0])[i] = uint16_t(value);
    else
      lanesOf<uint32_t>(w, inst.op[0])[i] = value;
  }
  return true;
}

template <class D> struct Cast {
  template <class A> static D eval(A a) { return static_cast<D>(a); }
};
struct HalfToFloat {
  static float eval(uint16_t a) { return fromHalf(a); }
};
struct FloatToHalf {
  static uint16_t eval(float a) { return toHalf(a); }
};
struct BrainToFloat {
  static float eval(uint16_t a) { return fromBrain(a); }
};
struct FloatToBrain {
  static uint16_t eval(float a) { return toBrain(a); }
};
struct DoubleToFloat {
  static float eval(double a) { return static_cast<float>(a); }
};
struct FloatToDouble {
  static double eval(float a) { return a; }
};
template <class T> struct Truncate {
  static T eval(float a) {
    constexpr float high =
        sizeof(T) == 4 && T(-1) > T(0) ? 4294967296.0f : 2147483648.0f;
    constexpr float low = T(-1) > T(0) ? 0.0f : -2147483648.0f;
    if (!(a == a))
      return 0;
    return a >= high  ? T(~T(0)) ^ (T(-1) > T(0) ? T(0) : T(1) << 31)
           : a <= low ? T(low)
                      : T(a);
  }
};

struct FastPath {
  Type to, from;
  unsigned toReg, fromReg;
  Handler handler;
};
/// For round to nearest or no rounding, no modifiers.
const FastPath fastPaths[] = {
    {Type::U64, Type::U32, 8, 4, unary<Cast<uint64_t>, uint64_t, uint32_t>},
    {Type::S64, Type::U32, 8, 4, unary<Cast<uint64_t>, uint64_t, uint32_t>},
    {Type::S64, Type::S32, 8, 4, unary<Cast<int64_t>, int64_t, int32_t>},
    {Type::U32, Type::U64, 4, 8, unary<Cast<uint32_t>, uint32_t, uint64_t>},
    {Type::U32, Type::U16, 4, 2, unary<Cast<uint32_t>, uint32_t, uint16_t>},
    {Type::S32, Type::S16, 4, 2, unary<Cast<int32_t>, int32_t, int16_t>},
    {Type::U16, Type::U32, 2, 4, unary<Cast<uint16_t>, uint16_t, uint32_t>},
    {Type::F32, Type::S32, 4, 4, unary<Cast<float>, float, int32_t>},
    {Type::F32, Type::U32, 4, 4, unary<Cast<float>, float, uint32_t>},
    {Type::F64, Type::S32, 8, 4, unary<Cast<double>, double, int32_t>},
    {Type::F64, Type::F32, 8, 4, unary<FloatToDouble, double, float>},
    {Type::F32, Type::F64, 4, 8, unary<DoubleToFloat, float, double>},
    {Type::F32, Type::F16, 4, 2, unary<HalfToFloat, float, uint16_t>},
    {Type::F16, Type::F32, 2, 4, unary<FloatToHalf, uint16_t, float>},
    {Type::F32, Type::BF16, 4, 2, unary<BrainToFloat, float, uint16_t>},
    {Type::BF16, Type::F32, 2, 4, unary<FloatToBrain, uint16_t, float>},
};

Handler fastPath(const Conversion &how, unsigned toReg, unsigned fromReg) {
  if (how.ftz || how.sat || how.relu || how.satFinite)
    return nullptr;
  if (how.from == Type::F32 && how.rounding == Rounding::Zero &&
      how.toIntegral && toReg == 4 && how.to == Type::S32)
    return unary<Truncate<int32_t>, int32_t, float>;
  if (how.rounding != Rounding::NearestEven || how.toIntegral)
    return nullptr;
  for (const FastPath &path : fastPaths)
    if (path.to == how.to && path.from == how.from && path.toReg == toReg &&
        path.fromReg == fromReg)
      return path.handler;
  return nullptr;
}

constexpr std::initializer_list<Type> converted = {
    Type::U8,    Type::S8,     Type::U16,  Type::S16,    Type::U32,   Type::S32,
    Type::U64,   Type::S64,    Type::F16,  Type::BF16,   Type::F32,   Type::F64,
    Type::F16X2, Type::BF16X2, Type::TF32, Type::E4M3X2, Type::E5M2X2};

Type elementOf(Type type) {
  switch (type) {
  case Type::F16X2:
    return Type::F16;
  case Type::BF16X2:
    return Type::BF16;
  case Type::E4M3X2:
    return Type::E4M3;
  case Type::E5M2X2:
    return Type::E5M2;
  default:
    return type;
  }
}

/// Bits of the mantissa: fewer in the result means that rounding is needed.
unsigned precision(Type type) {
  switch (type) {
  case Type::F64:
    return 53;
  case Type::F32:
    return 24;
  case Type::F16:
  case Type::TF32:
    return 11;
  case Type::BF16:
    return 8;
  default:
    return 4;
  }
}

bool checkRounding(Decoder &d, const Conversion &how, int whole, int real) {
  bool toFloat = isFloat(how.to), fromFloat = isFloat(how.from);
  if (whole >= 0 && !(fromFloat && (!toFloat || how.to == how.from)))
    return d.fail("rounding to integers does not go with these types");
  if (fromFloat && !toFloat && whole < 0)
    return d.fail("a rounding to integers is missing");
  bool rounds =
      toFloat && (!fromFloat || precision(how.to) < precision(how.from) ||
                  (how.to == Type::BF16 && how.from == Type::F16));
  if (rounds && real < 0)
    return d.fail("a rounding is missing");
  if (!rounds && real >= 0 && !(toFloat && fromFloat && how.to != how.from))
    return d.fail("a rounding does not go with these types");
  return true;
}

bool decodePairs(Decoder &d, Conversion &how, Type to, Type from) {
  how.to = elementOf(to);
  how.from = elementOf(from);
  bool packed = how.from != from;
  if (!d.dst(to) || !d.src(from) || (!packed && !d.src(from)))
    return false;
  if (!packed && from != Type::F32)
    return d.fail("packed results come from .f32 or packed types");
  store(d.inst(), how, 0, 0);
  return d.finish(packed ? convertPacked : convertPairs, Counters::Convert);
}

bool decodeConvert(Decoder &d) {
  Conversion how;
  int whole = d.takeOne({"rni", "rzi", "rmi", "rpi"});
  int real = whole < 0 ? d.takeOne({"rn", "rz", "rm", "rp", "rna"}) : -1;
  how.rounding = Rounding(std::max(0, std::max(whole, real)));
  how.toIntegral = whole >= 0;
  how.ftz = d.take("ftz");
  how.satFinite = d.take("satfinite");
  how.relu = d.take("relu");
  how.satFinite |= d.take("satfinite");
  how.sat = d.take("sat");
  Type to = d.takeType(converted);
  Type from = to == Type::None ? to : d.takeType(converted);
  if (from == Type::None)
    return false;
  if (elementOf(to) != to)
    return decodePairs(d, how, to, from);
  if (elementOf(from) != from)
    return d.fail("packed sources need packed results");
  how.to = to;
  how.from = from;
  if (!checkRounding(d, how, whole, real))
    return false;
  if (!d.dst(to == Type::TF32 ? Type::B32 : to, /*wide=*/true) ||
      !d.src(from, /*wide=*/true))
    return false;
  auto bytesOf = [&](int32_t op, Type type) {
    return op >= 0 ? unsigned(d.registers[op].bytes)
                   : std::max(2u, sizeOf(type));
  };
  unsigned toReg = bytesOf(d.inst().op[0], to);
  unsigned fromReg = bytesOf(d.inst().op[1], from);
  store(d.inst(), how, toReg, fromReg);
  Handler fast = fastPath(how, toReg, fromReg);
  return d.finish(fast ? fast : convertLanes, Counters::Convert);
}

} // namespace

const Opcode hgc::emu::convertOpcodes[] = {{"cvt", decodeConvert},
                                           {"", nullptr}};
