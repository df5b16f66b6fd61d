//===- ExecAtomic.cpp - atom and red --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes take their turn in order. Kernels with atomics on global memory run
// their blocks on one host thread, so that results do not change from run to
// run.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "DecodeMemory.h"
#include "FloatMath.h"
#include "Half.h"

#include <algorithm>

using namespace hgc::emu;
using namespace hgc::emu::ptx;

namespace {

enum class Op : uint8_t { And, Or, Xor, Cas, Exch, Add, Inc, Dec, Min, Max };

template <class T> T integer(Op op, T old, T b, T c) {
  using U = std::make_unsigned_t<T>;
  switch (op) {
  case Op::And:
    return old & b;
  case Op::Or:
    return old | b;
  case Op::Xor:
    return old ^ b;
  case Op::Cas:
    return old == b ? c : old;
  case Op::Exch:
    return b;
  case Op::Add:
    return T(U(U(old) + U(b)));
  case Op::Inc:
    return old >= b ? T(0) : T(old + 1);
  case Op::Dec:
    return old == 0 || old > b ? b : T(old - 1);
  case Op::Min:
    return std::min(old, b);
  case Op::Max:
    return std::max(old, b);
  }
  return old;
}

uint16_t addHalf(uint16_t a, uint16_t b) {
  return toHalf(fromHalf(a) + fromHalf(b));
}
uint16_t addBrain(uint16_t a, uint16_t b) {
  return toBrain(fromBrain(a) + fromBrain(b));
}

/// New value of the memory, in the bits of the type.
uint64_t apply(Op op, Type type, uint64_t old, uint64_t b, uint64_t c) {
  switch (type) {
  case Type::B16:
    return integer<uint16_t>(op, uint16_t(old), uint16_t(b), uint16_t(c));
  case Type::B32:
  case Type::U32:
    return integer<uint32_t>(op, uint32_t(old), uint32_t(b), uint32_t(c));
  case Type::S32:
    return uint32_t(integer<int32_t>(op, int32_t(old), int32_t(b), int32_t(c)));
  case Type::B64:
  case Type::U64:
    return integer<uint64_t>(op, old, b, c);
  case Type::S64:
    return uint64_t(integer<int64_t>(op, int64_t(old), int64_t(b), int64_t(c)));
  case Type::F32:
    // Atomic f32 adds to global memory flush subnormal numbers on no target
    // since sm_20.
    return bitsAs<uint32_t>(bitsAs<float>(uint32_t(old)) +
                            bitsAs<float>(uint32_t(b)));
  case Type::F64:
    return bitsAs<uint64_t>(bitsAs<double>(old) + bitsAs<double>(b));
  case Type::F16:
    return addHalf(uint16_t(old), uint16_t(b));
  case Type::BF16:
    return addBrain(uint16_t(old), uint16_t(b));
  case Type::F16X2:
    return uint32_t(addHalf(uint16_t(old >> 16), uint16_t(b >> 16))) << 16 |
           addHalf(uint16_t(old), uint16_t(b));
  case Type::BF16X2:
    return uint32_t(addBrain(uint16_t(old >> 16), uint16_t(b >> 16))) << 16 |
           addBrain(uint16_t(old), uint16_t(b));
  default:
    return old;
  }
}

/// op: address, b, c, d (poolBit: none). aux: operation and type.
void perform(Warp &w, const Inst &inst, uint8_t *origin, const Access &access) {
  Op op = Op(inst.aux & 0xff);
  Type type = Type(inst.aux >> 8 & 0xff);
  unsigned bytes = access.bytes;
  const uint8_t *b = sourceOf<uint8_t>(w, inst.op[1]),
                *c = sourceOf<uint8_t>(w, inst.op[2]);
  uint8_t *d =
      inst.op[3] == poolBit ? nullptr : lanesOf<uint8_t>(w, inst.op[3]);
  HGC_EMU_ACTIVE(access.mask) {
    uint64_t old = 0, x = 0, y = 0;
    std::memcpy(&old, origin + access.address[i], bytes);
    std::memcpy(&x, b + i * bytes, bytes);
    std::memcpy(&y, c + i * bytes, bytes);
    uint64_t result = apply(op, type, old, x, y);
    std::memcpy(origin + access.address[i], &result, bytes);
    if (d)
      std::memcpy(d + i * bytes, &old, bytes);
  }
}

unsigned bytesOf(const Inst &inst) {
  return sizeOf(Type(inst.aux >> 8 & 0xff));
}

bool atomicGlobal(Warp &w, const Inst &inst) {
  Access access;
  computeAddresses(w, inst.op[0], inst.imm, false, bytesOf(inst), w.active,
                   access);
  Site &site = w.worker->sites[inst.site];
  matchPattern(site, access, /*shared=*/false);
  if (!checkGlobal(w, inst, site, access, Mode::Atomic))
    return false;
  perform(w, inst, w.worker->memory->bytesAt(), access);
  return true;
}

bool sharedAt(Warp &w, const Inst &inst, int64_t offset, uint32_t number) {
  Access access;
  computeAddresses(w, inst.op[0], offset, inst.flags & narrowAddress,
                   bytesOf(inst), w.active, access);
  matchPattern(w.worker->sites[number], access, /*shared=*/true);
  if (!checkShared(w, inst, access, Mode::Atomic))
    return false;
  perform(w, inst, w.block->shared - sharedBase, access);
  return true;
}

bool atomicShared(Warp &w, const Inst &inst) {
  return sharedAt(w, inst, inst.imm, inst.site);
}

bool atomicGeneric(Warp &w, const Inst &inst) {
  const uint64_t *a = sourceOf<uint64_t>(w, inst.op[0]);
  uint32_t saved = w.active, mine = 0;
  HGC_EMU_ACTIVE(saved)
  mine |= uint32_t(a[i] + inst.imm - sharedWindow < windowBytes) << i;
  bool ok = true;
  if (mine) {
    w.active = mine;
    ok = sharedAt(w, inst, inst.imm - int64_t(sharedWindow), inst.site + 1);
  }
  if (ok && (saved & ~mine)) {
    w.active = saved & ~mine;
    ok = atomicGlobal(w, inst);
  }
  w.active = saved;
  return ok;
}

bool allowed(Op op, Type type) {
  bool is64 = sizeOf(type) == 8;
  switch (op) {
  case Op::And:
  case Op::Or:
  case Op::Xor:
    return isBits(type) && sizeOf(type) >= 4;
  case Op::Exch:
    return isBits(type) && sizeOf(type) >= 4;
  case Op::Cas:
    return isBits(type) && sizeOf(type) >= 2;
  case Op::Add:
    return type == Type::U32 || type == Type::S32 || type == Type::U64 ||
           isFloat(type);
  case Op::Inc:
  case Op::Dec:
    return type == Type::U32;
  case Op::Min:
  case Op::Max:
    return isInteger(type) && (sizeOf(type) == 4 || is64);
  }
  return false;
}

bool bindResult(Decoder &d, Type type) {
  const Operand *result = d.takeOperand();
  if (!result)
    return false;
  if (result->kind == Operand::Sink)
    return true;
  d.current().patched |= 8;
  return d.bindDst(*result, type, false, d.inst().op[3]);
}

bool decodeAtomic(Decoder &d) {
  bool returns = d.opcode() == "atom";
  takeOrdering(d);
  Space space = takeSpace(d);
  int op = d.takeOne(
      {"and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max"});
  if (op < 0)
    return d.fail("unknown operation");
  bool noftz = d.take("noftz"), policy = d.take("L2::cache_hint");
  Type type = d.takeType({Type::B16, Type::B32, Type::B64, Type::U32, Type::S32,
                          Type::U64, Type::S64, Type::F16, Type::F16X2,
                          Type::BF16, Type::BF16X2, Type::F32, Type::F64});
  if (type == Type::None)
    return false;
  bool half = isFloat(type) && type != Type::F32 && type != Type::F64;
  if (!allowed(Op(op), type) || noftz != half ||
      (!returns && (Op(op) == Op::Cas || Op(op) == Op::Exch)))
    return d.fail("the operation does not go with ." +
                  std::string(nameOf(type)));
  if (space != Space::Generic && space != Space::Global &&
      space != Space::Shared)
    return d.fail("atomics need .global or .shared memory");
  d.inst().op[3] = poolBit;
  if (returns && !bindResult(d, type))
    return false;
  if (!d.address(space) || !d.src(type))
    return false;
  if (Op(op) == Op::Cas) {
    if (!d.src(type))
      return false;
  } else {
    d.inst().op[2] = d.inst().op[1];
    d.current().patched |= 4;
  }
  if (policy && !d.takeOperand())
    return false;
  d.inst().aux = uint32_t(op) | uint32_t(type) << 8;
  d.inst().site = d.newSite();
  if (space != Space::Shared) {
    d.newSite();
    d.target().ordered = true;
  }
  if (space != Space::Global)
    d.usesShared(sizeOf(type));
  return d.finish(space == Space::Global   ? atomicGlobal
                  : space == Space::Shared ? atomicShared
                                           : atomicGeneric,
                  Counters::Atomic);
}

} // namespace

const Opcode hgc::emu::atomicOpcodes[] = {
    {"atom", decodeAtomic}, {"red", decodeAtomic}, {"", nullptr}};
