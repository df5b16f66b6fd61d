//===- DecodeMemory.cpp - forms of ld, st and their kin -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DecodeMemory.h"
#include "Lanes.h"

using namespace hgc::emu;
using namespace hgc::emu::ptx;

bool hgc::emu::takeOrdering(Decoder &d) {
  if (d.take("weak"))
    return false;
  if (d.take("volatile"))
    return true;
  if (d.takeOne({"relaxed", "acquire", "release", "acq_rel"}) < 0)
    return false;
  if (d.takeOne({"cta", "cluster", "gpu", "sys"}) < 0)
    d.fail("a scope is missing");
  return true;
}

Space hgc::emu::takeSpace(Decoder &d) {
  if (d.take("global"))
    return Space::Global;
  if (d.takeOne({"shared", "shared::cta"}) >= 0)
    return Space::Shared;
  if (d.take("const"))
    return Space::Const;
  if (d.take("local"))
    return Space::Local;
  if (d.takeOne({"param", "param::entry", "param::func"}) >= 0)
    return Space::Param;
  return Space::Generic;
}

bool hgc::emu::takeCacheHints(Decoder &d) {
  bool policy = false;
  while (true) {
    if (d.take("L2::cache_hint")) {
      policy = true;
      continue;
    }
    if (d.takeOne({"ca",
                   "cg",
                   "cs",
                   "lu",
                   "cv",
                   "wb",
                   "wt",
                   "nc",
                   "relaxed",
                   "L1::evict_normal",
                   "L1::evict_unchanged",
                   "L1::evict_first",
                   "L1::evict_last",
                   "L1::no_allocate",
                   "L2::evict_normal",
                   "L2::evict_first",
                   "L2::evict_last",
                   "L2::64B",
                   "L2::128B",
                   "L2::256B"}) < 0)
      return policy;
  }
}

namespace {

constexpr std::initializer_list<Type> memoryTypes = {
    Type::B8,  Type::U8,  Type::S8,  Type::B16, Type::U16,
    Type::S16, Type::B32, Type::U32, Type::S32, Type::F32,
    Type::B64, Type::U64, Type::S64, Type::F64};

Counters::Class classOf(bool isLoad, Space space) {
  switch (space) {
  case Space::Shared:
    return isLoad ? Counters::SharedLoad : Counters::SharedStore;
  case Space::Local:
    return Counters::LocalMemory;
  case Space::Const:
  case Space::Param:
    return Counters::ParamMemory;
  default:
    return isLoad ? Counters::GlobalLoad : Counters::GlobalStore;
  }
}

/// Registers of the value operand, all of one size.
bool bindValues(Decoder &d, const Operand &operand, Type type, bool isLoad,
                unsigned count, unsigned &regBytes) {
  bool list = operand.kind == Operand::Vector;
  size_t given = list ? operand.elements.size() : 1;
  if (list != (count > 1) || given != count)
    return d.fail(std::to_string(count) + " values are needed, not " +
                  std::to_string(given));
  std::vector<int32_t> ops;
  regBytes = 0;
  for (unsigned i = 0; i < count; ++i) {
    const Operand &element = list ? operand.elements[i] : operand;
    int32_t op = 0;
    if (isLoad ? !d.bindDst(element, type, /*wide=*/true, op)
               : !d.bindSrc(element, type, /*wide=*/true, op))
      return false;
    unsigned bytes =
        op >= 0 ? d.registers[op].bytes : std::max(sizeOf(type), regBytes);
    // Constants have two bytes at least, as registers have.
    bytes = std::max(bytes, 2u);
    if (regBytes && bytes != regBytes)
      return d.fail("the registers have different sizes");
    regBytes = bytes;
    ops.push_back(op);
  }
  if (count > 4) {
    d.addMore(ops);
    return true;
  }
  for (unsigned i = 0; i < count; ++i)
    d.inst().op[1 + i] = ops[i];
  d.current().patched |= ((1u << count) - 1) << 1;
  return true;
}

bool decodeAccess(Decoder &d, bool isLoad) {
  if (takeOrdering(d))
    d.inst().flags |= strong;
  Space space = takeSpace(d);
  bool policy = takeCacheHints(d);
  int vector = d.takeOne({"v2", "v4", "v8"});
  unsigned count = vector < 0 ? 1 : 2u << vector;
  policy |= takeCacheHints(d);
  Type type = d.takeType(memoryTypes);
  const Operand *first = d.takeOperand();
  const Operand *second = first ? d.takeOperand() : nullptr;
  if (type == Type::None || !second)
    return false;
  const Operand &where = isLoad ? *second : *first;
  const Operand &what = isLoad ? *first : *second;
  unsigned memory = sizeOf(type), reg = 0;
  if (memory * count > 32 || (count == 8 && memory != 4))
    return d.fail("the access is wider than the hardware's");
  if (!bindValues(d, what, type, isLoad, count, reg))
    return false;
  // Parameters of calls are local memory.
  if (space == Space::Param && where.variable != noVariable) {
    const Place *place = d.placeOf(where);
    if (place && !place->entryParam)
      space = Space::Local;
  }
  if (!d.bindAddress(where, space, d.inst().op[0], d.inst().imm,
                     d.inst().flags))
    return false;
  d.current().patched |= 1;
  if (policy && !d.takeOperand())
    return false;
  if (!isLoad && (space == Space::Const || space == Space::Param))
    return d.fail(std::string("stores to .") + nameOf(space) +
                  " memory are not allowed");
  d.inst().site = d.newSite();
  if (space == Space::Generic)
    d.newSite();
  if (space == Space::Generic || space == Space::Shared)
    d.usesShared(memory);
  if ((d.inst().flags & strong) && space != Space::Shared)
    d.target().ordered = true;
  Handler handler = accessHandler(isLoad, space, memory, reg, isSigned(type),
                                  count, d.inst().aux);
  return d.finish(handler, classOf(isLoad, space));
}

bool decodeLoad(Decoder &d) { return decodeAccess(d, true); }
bool decodeStore(Decoder &d) { return decodeAccess(d, false); }

bool doNothing(Warp &, const Inst &) { return true; }

/// Hints without an effect one could see.
bool decodePrefetch(Decoder &d) {
  takeSpace(d);
  if (d.takeOne({"L1", "L2", "L2::evict_last", "L2::evict_normal"}) < 0)
    return d.fail("a cache level is missing");
  const Operand *operand = d.takeOperand();
  int32_t op;
  return operand &&
         d.bindAddress(*operand, Space::Generic, op, d.inst().imm,
                       d.inst().flags) &&
         d.finish(doNothing, Counters::Move);
}

} // namespace

const Opcode hgc::emu::memoryOpcodes[] = {{"ld", decodeLoad},
                                          {"ldu", decodeLoad},
                                          {"st", decodeStore},
                                          {"prefetch", decodePrefetch},
                                          {"prefetchu", decodePrefetch},
                                          {"", nullptr}};
