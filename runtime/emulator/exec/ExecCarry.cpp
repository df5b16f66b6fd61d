//===- ExecCarry.cpp - extended-precision integer arithmetic --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every lane has a carry flag, set by the `.cc` forms and read by addc, subc
// and madc.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Lanes.h"

using namespace hgc::emu;
using namespace hgc::emu::ptx;

namespace {

constexpr uint32_t takesCarry = 1, setsCarry = 2, subtracts = 4, high = 8;

template <class T> void setCarry(Warp &w, unsigned lane, T carry) {
  w.carry = (w.carry & ~(1u << lane)) | uint32_t(carry) << lane;
}

/// a + b + carry, or a - b - borrow.
template <class T> T addLane(Warp &w, uint32_t how, unsigned lane, T a, T b) {
  T in = how & takesCarry ? w.carry >> lane & 1 : 0;
  T result, carry;
  bool first, second;
  if (how & subtracts) {
    first = __builtin_sub_overflow(a, b, &result);
    second = __builtin_sub_overflow(result, in, &result);
  } else {
    first = __builtin_add_overflow(a, b, &result);
    second = __builtin_add_overflow(result, in, &result);
  }
  carry = first | second;
  if (how & setsCarry)
    setCarry(w, lane, carry);
  return result;
}

template <class T> bool addCarry(Warp &w, const Inst &inst) {
  T *d = lanesOf<T>(w, inst.op[0]);
  const T *a = sourceOf<T>(w, inst.op[1]), *b = sourceOf<T>(w, inst.op[2]);
  HGC_EMU_ACTIVE(w.active) d[i] = addLane<T>(w, inst.aux, i, a[i], b[i]);
  return true;
}

template <class T, class Wide> bool madCarry(Warp &w, const Inst &inst) {
  T *d = lanesOf<T>(w, inst.op[0]);
  const T *a = sourceOf<T>(w, inst.op[1]), *b = sourceOf<T>(w, inst.op[2]);
  const T *c = sourceOf<T>(w, inst.op[3]);
  using Bits = std::make_unsigned_t<T>;
  HGC_EMU_ACTIVE(w.active) {
    Wide product = Wide(a[i]) * Wide(b[i]);
    Bits part =
        inst.aux & high ? Bits(product >> (sizeof(T) * 8)) : Bits(product);
    d[i] = T(addLane<Bits>(w, inst.aux, i, part, Bits(c[i])));
  }
  return true;
}

Handler madHandler(Type type) {
  switch (type) {
  case Type::U32:
    return madCarry<uint32_t, uint64_t>;
  case Type::S32:
    return madCarry<int32_t, int64_t>;
  case Type::U64:
    return madCarry<uint64_t, unsigned __int128>;
  default:
    return madCarry<int64_t, __int128>;
  }
}

} // namespace

bool hgc::emu::decodeCarry(Decoder &d) {
  std::string_view name = d.opcode();
  bool mad = name.substr(0, 3) == "mad";
  uint32_t how = name.back() == 'c' ? takesCarry : 0;
  how |= name.substr(0, 3) == "sub" ? subtracts : 0;
  if (mad) {
    int part = d.takeOne({"lo", "hi"});
    if (part < 0)
      return d.fail("'.lo' or '.hi' is missing");
    how |= part ? high : 0;
  }
  how |= d.take("cc") ? setsCarry : 0;
  Type type = d.takeType({Type::U32, Type::S32, Type::U64, Type::S64});
  if (type == Type::None || !d.dst(type) || !d.src(type) || !d.src(type) ||
      (mad && !d.src(type)))
    return false;
  d.inst().aux = how;
  Handler handler = mad                 ? madHandler(type)
                    : sizeOf(type) == 4 ? addCarry<uint32_t>
                                        : addCarry<uint64_t>;
  return d.finish(handler, Counters::Integer);
}
