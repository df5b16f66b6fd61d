//===- ExecWarp.cpp - shuffles, votes and reductions of a warp ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Control.h"
#include "Decoder.h"
#include "Lanes.h"

#include <algorithm>

using namespace hgc::emu;
using namespace hgc::emu::ptx;

namespace {

/// Brings the lanes named by the member masks together. `ready` false: they
/// are not all here yet, or a finding was made; then return `result`.
struct Members {
  uint32_t mask = 0; ///< Lanes that execute the instruction.
  bool ready = false;
  bool result = true;
  const uint32_t *of = nullptr;

  Members(Warp &w, const Inst &inst, int32_t op) {
    mask = guardMask(w, inst);
    if (!mask) {
      ++w.pc;
      return;
    }
    of = sourceOf<uint32_t>(w, op);
    if (op < 0 && of[0] == ~0u && mask == ~0u) {
      ready = true;
      ++w.pc;
      return;
    }
    uint32_t all = 0;
    HGC_EMU_ACTIVE(mask) {
      all |= of[i];
      if (!(of[i] >> i & 1)) {
        result = w.fail(inst, Finding::BadMask, i, 0,
                        "the lane is not in its own member mask " + text(i));
        return;
      }
    }
    if (!gather(w, all))
      return;
    uint32_t missing = all & w.alive & ~mask;
    if (missing) {
      result = w.fail(inst, Finding::BadMask, __builtin_ctz(missing), 0,
                      "the guard excludes a lane of the member mask");
      return;
    }
    ready = true;
    ++w.pc;
  }
  std::string text(unsigned lane) const {
    char buffer[16];
    std::snprintf(buffer, sizeof buffer, "0x%08x", of[lane]);
    return buffer;
  }
};

enum class Shuffle : uint32_t { Up, Down, Bfly, Idx };

/// Lane to read from; itself, with `inside` false, when that is out of range.
unsigned sourceLane(Shuffle mode, unsigned lane, uint32_t b, uint32_t c,
                    bool &inside) {
  int bval = b & 31, segment = c >> 8 & 31, clamp = c & 31;
  int low = int(lane) & segment;
  int high = low | (clamp & ~segment);
  int j = 0;
  switch (mode) {
  case Shuffle::Up:
    j = int(lane) - bval;
    inside = j >= high;
    break;
  case Shuffle::Down:
    j = int(lane) + bval;
    inside = j <= high;
    break;
  case Shuffle::Bfly:
    j = int(lane) ^ bval;
    inside = j <= high;
    break;
  case Shuffle::Idx:
    j = low | (bval & ~segment);
    inside = j <= high;
    break;
  }
  return inside ? unsigned(j) : lane;
}

/// op: d, a, b, c, mask, predicate slot or -1.
bool runShuffle(Warp &w, const Inst &inst) {
  Members members(w, inst, inst.op[4]);
  if (!members.ready)
    return members.result;
  uint32_t *d =
      inst.op[0] == poolBit ? nullptr : lanesOf<uint32_t>(w, inst.op[0]);
  const uint32_t *b = sourceOf<uint32_t>(w, inst.op[2]),
                 *c = sourceOf<uint32_t>(w, inst.op[3]);
  bool constant = inst.op[2] < 0 && inst.op[3] < 0 && inst.op[4] < 0;
  if (constant && members.mask == ~0u && d && inst.op[5] < 0 &&
      Shuffle(inst.aux) == Shuffle::Bfly && c[0] == 31) {
    // The step of every reduction.
    alignas(64) uint32_t from[lanes];
    std::memcpy(from, sourceOf<uint32_t>(w, inst.op[1]), sizeof from);
    uint32_t apart = b[0] & 31;
    for (unsigned i = 0; i < lanes; ++i)
      d[i] = from[i ^ apart];
    return true;
  }
  uint32_t a[lanes], valid = 0;
  std::memcpy(a, sourceOf<uint32_t>(w, inst.op[1]), sizeof a);
  uint32_t out[lanes];
  HGC_EMU_ACTIVE(members.mask) {
    bool inside = false;
    unsigned from = sourceLane(Shuffle(inst.aux), i, b[i], c[i], inside);
    if (!(members.mask & members.of[i]) || !(members.mask >> from & 1))
      return w.fail(inst, Finding::BadMask, i, 0,
                    "reads lane " + std::to_string(from) +
                        ", which does not take part");
    valid |= uint32_t(inside) << i;
    out[i] = a[from];
  }
  if (d)
    HGC_EMU_ACTIVE(members.mask) d[i] = out[i];
  if (inst.op[5] >= 0) {
    uint32_t &p = w.predicates[inst.op[5]];
    p = (p & ~members.mask) | valid;
  }
  return true;
}

bool decodeShuffle(Decoder &d) {
  if (!d.take("sync"))
    return d.fail("only the '.sync' forms exist on these targets");
  int mode = d.takeOne({"up", "down", "bfly", "idx"});
  const Operand *result = d.take("b32") ? d.takeOperand() : nullptr;
  if (mode < 0 || !result)
    return false;
  Operand value = *result, flag = *result;
  value.kind = flag.kind = Operand::Reg;
  flag.reg = result->reg2;
  bool pair = result->kind == Operand::Pair;
  if (result->kind != Operand::Reg && !pair)
    return d.fail("the destination is not a register");
  d.inst().op[0] = poolBit;
  d.inst().op[5] = -1;
  if (value.reg >= 0) {
    if (!d.bindDst(value, Type::B32, false, d.inst().op[0]))
      return false;
    d.current().patched |= 1;
  }
  if (pair && !d.bindPredicate(flag, d.inst().op[5], true))
    return false;
  for (unsigned k = 1; k < 5; ++k) {
    const Operand *operand = d.takeOperand();
    if (!operand || !d.bindSrc(*operand, Type::B32, false, d.inst().op[k]))
      return false;
    d.current().patched |= 1u << k;
  }
  d.inst().aux = mode;
  return d.finishControl(runShuffle, Counters::Warp);
}

enum : uint32_t { All, Any, Uni, Ballot };

/// op: d or slot, source slot, mask. imm: source negated.
bool runVote(Warp &w, const Inst &inst) {
  Members members(w, inst, inst.op[2]);
  if (!members.ready)
    return members.result;
  uint32_t p = w.predicates[inst.op[1]];
  p = inst.imm ? ~p : p;
  uint32_t result = 0;
  uint32_t *d = inst.aux == Ballot ? lanesOf<uint32_t>(w, inst.op[0]) : nullptr;
  HGC_EMU_ACTIVE(members.mask) {
    uint32_t who = members.of[i] & members.mask, yes = p & who;
    bool holds = inst.aux == All   ? yes == who
                 : inst.aux == Any ? yes != 0
                                   : yes == 0 || yes == who;
    result |= uint32_t(holds) << i;
    if (d)
      d[i] = yes;
  }
  if (!d) {
    uint32_t &q = w.predicates[inst.op[0]];
    q = (q & ~members.mask) | result;
  }
  return true;
}

bool decodeVote(Decoder &d) {
  if (!d.take("sync"))
    return d.fail("only the '.sync' forms exist on these targets");
  int kind = d.takeOne({"all", "any", "uni", "ballot"});
  if (kind < 0 || !d.take(kind == Ballot ? "b32" : "pred"))
    return false;
  bool negated = false;
  if (kind == Ballot ? !d.dst(Type::B32) : !d.dstPredicate())
    return false;
  if (!d.srcPredicate(d.inst().op[1], negated))
    return false;
  const Operand *mask = d.takeOperand();
  if (!mask || !d.bindSrc(*mask, Type::B32, false, d.inst().op[2]))
    return false;
  d.current().patched |= 4;
  d.inst().aux = kind;
  d.inst().imm = negated;
  return d.finishControl(runVote, Counters::Warp);
}

/// op: d, a, mask, predicate slot or -1. aux 1: match.all.
template <class T> bool runMatch(Warp &w, const Inst &inst) {
  Members members(w, inst, inst.op[2]);
  if (!members.ready)
    return members.result;
  const T *a = sourceOf<T>(w, inst.op[1]);
  uint32_t out[lanes], agree = 0;
  HGC_EMU_ACTIVE(members.mask) {
    uint32_t same = 0, who = members.of[i] & members.mask;
    for (unsigned j = 0; j < lanes; ++j)
      same |= uint32_t((who >> j & 1) && a[j] == a[i]) << j;
    bool all = same == who;
    agree |= uint32_t(all) << i;
    out[i] = inst.aux ? (all ? who : 0) : same;
  }
  uint32_t *d = lanesOf<uint32_t>(w, inst.op[0]);
  HGC_EMU_ACTIVE(members.mask) d[i] = out[i];
  if (inst.op[3] >= 0) {
    uint32_t &p = w.predicates[inst.op[3]];
    p = (p & ~members.mask) | agree;
  }
  return true;
}

bool decodeMatch(Decoder &d) {
  int kind = d.takeOne({"any", "all"});
  if (kind < 0 || !d.take("sync"))
    return false;
  Type type = d.takeType({Type::B32, Type::B64});
  const Operand *result = type == Type::None ? nullptr : d.takeOperand();
  if (!result)
    return false;
  Operand value = *result, flag = *result;
  value.kind = flag.kind = Operand::Reg;
  flag.reg = result->reg2;
  bool pair = result->kind == Operand::Pair && kind == 1;
  d.inst().op[3] = -1;
  if ((result->kind != Operand::Reg && !pair) || value.reg < 0)
    return d.fail("the destination is not a register");
  if (!d.bindDst(value, Type::B32, false, d.inst().op[0]) ||
      (pair && !d.bindPredicate(flag, d.inst().op[3], true)))
    return false;
  for (unsigned k = 1; k < 3; ++k) {
    const Operand *operand = d.takeOperand();
    if (!operand ||
        !d.bindSrc(*operand, k == 1 ? type : Type::B32, false, d.inst().op[k]))
      return false;
  }
  d.current().patched |= 7;
  d.inst().aux = kind;
  return d.finishControl(type == Type::B32 ? runMatch<uint32_t>
                                           : runMatch<uint64_t>,
                         Counters::Warp);
}

enum : uint32_t { RedAdd, RedMin, RedMax, RedAnd, RedOr, RedXor };

template <class T> bool runRedux(Warp &w, const Inst &inst) {
  Members members(w, inst, inst.op[2]);
  if (!members.ready)
    return members.result;
  const T *a = sourceOf<T>(w, inst.op[1]);
  T out[lanes];
  HGC_EMU_ACTIVE(members.mask) {
    T sum = a[i];
    bool first = true;
    for (unsigned j = 0; j < lanes; ++j) {
      if (!((members.of[i] & members.mask) >> j & 1))
        continue;
      T next = a[j];
      sum = first                ? next
            : inst.aux == RedAdd ? T(uint32_t(sum) + uint32_t(next))
            : inst.aux == RedMin ? std::min(sum, next)
            : inst.aux == RedMax ? std::max(sum, next)
            : inst.aux == RedAnd ? T(sum & next)
            : inst.aux == RedOr  ? T(sum | next)
                                 : T(sum ^ next);
      first = false;
    }
    out[i] = sum;
  }
  T *d = lanesOf<T>(w, inst.op[0]);
  HGC_EMU_ACTIVE(members.mask) d[i] = out[i];
  return true;
}

bool decodeRedux(Decoder &d) {
  if (!d.take("sync"))
    return false;
  int kind = d.takeOne({"add", "min", "max", "and", "or", "xor"});
  Type type = kind > int(RedMax) ? d.takeType({Type::B32})
                                 : d.takeType({Type::U32, Type::S32});
  if (kind < 0 || type == Type::None || !d.dst(type) || !d.src(type) ||
      !d.src(Type::B32))
    return false;
  d.inst().aux = kind;
  return d.finishControl(
      isSigned(type) ? runRedux<int32_t> : runRedux<uint32_t>, Counters::Warp);
}

bool runActivemask(Warp &w, const Inst &inst) {
  uint32_t *d = lanesOf<uint32_t>(w, inst.op[0]);
  HGC_EMU_ACTIVE(w.active) d[i] = w.active;
  return true;
}

bool decodeActivemask(Decoder &d) {
  return d.take("b32") && d.dst(Type::B32) &&
         d.finish(runActivemask, Counters::Warp);
}

} // namespace

const Opcode hgc::emu::warpOpcodes[] = {
    {"shfl", decodeShuffle},          {"vote", decodeVote},
    {"match", decodeMatch},           {"redux", decodeRedux},
    {"activemask", decodeActivemask}, {"", nullptr}};
