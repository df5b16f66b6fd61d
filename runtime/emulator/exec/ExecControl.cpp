//===- ExecControl.cpp - branches, exits and barriers ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Control.h"
#include "Decoder.h"
#include "Lanes.h"

using namespace hgc::emu;
using namespace hgc::emu::ptx;

namespace {

bool doNothing(Warp &, const Inst &) { return true; }

bool runTrap(Warp &w, const Inst &inst) {
  uint32_t mask = guardMask(w, inst);
  if (!mask) {
    ++w.pc;
    return true;
  }
  return w.fail(inst, Finding::Trap, __builtin_ctz(mask), 0,
                "the kernel stopped itself");
}

/// Operands of a barrier are the same in all lanes, or the finding is this.
bool uniform(Warp &w, const Inst &inst, int32_t op, uint32_t mask,
             uint32_t &value) {
  const uint32_t *a = sourceOf<uint32_t>(w, op);
  value = a[__builtin_ctz(mask)];
  HGC_EMU_ACTIVE(mask)
  if (a[i] != value)
    return w.fail(inst, Finding::DivergentBarrier, i, 0,
                  "lanes of a warp name different barriers or counts");
  return true;
}

enum BarrierKind : uint32_t { Sync, Arrive, RedPopc, RedAnd, RedOr };

/// Result of bar.red for every lane that waits, once the barrier completes.
void writeReduction(Warp &w, const Inst &inst, uint32_t mask, uint32_t value) {
  if (inst.aux == RedPopc) {
    uint32_t *d = lanesOf<uint32_t>(w, inst.op[2]);
    HGC_EMU_ACTIVE(mask) d[i] = value;
  } else {
    uint32_t &p = w.predicates[inst.op[2]];
    p = value ? p | mask : p & ~mask;
  }
}

/// op: barrier, count, [result], [predicate slot].
bool runBarrier(Warp &w, const Inst &inst) {
  uint32_t mask = guardMask(w, inst);
  if (!mask) {
    ++w.pc;
    return true;
  }
  if ((inst.flags & aligned) && !gather(w, w.alive))
    return true;
  if ((inst.flags & aligned) && mask != w.active)
    return w.fail(inst, Finding::DivergentBarrier, __builtin_ctz(mask), 0,
                  "the guard of the barrier differs between lanes of a warp");
  uint32_t id = 0, count = 0;
  if (!uniform(w, inst, inst.op[0], mask, id) ||
      !uniform(w, inst, inst.op[1], mask, count))
    return false;
  if (id >= maxBarriers || count % lanes)
    return w.fail(inst, Finding::DivergentBarrier, __builtin_ctz(mask), 0,
                  "barrier " + std::to_string(id) + " for " +
                      std::to_string(count) +
                      " threads: needs a number below 16 and a multiple of 32");
  Block &block = *w.block;
  Barrier &state = block.barriers[id];
  if (state.participants && state.expected != count)
    return w.fail(inst, Finding::DivergentBarrier, __builtin_ctz(mask), 0,
                  "barrier " + std::to_string(id) + " for " +
                      std::to_string(count) + " threads, others expect " +
                      std::to_string(state.expected));
  state.expected = count;
  state.arrivedThreads += __builtin_popcount(mask);
  state.arrivedWarps +=
      !(state.participants >> w.index & 1) || (inst.flags & aligned);
  state.participants |= 1u << w.index;
  state.arrivedEpoch[w.index] = block.epoch;
  if (inst.aux >= RedPopc) {
    uint32_t p = w.predicates[inst.op[3]];
    p = inst.imm ? ~p : p;
    state.reduceCount += __builtin_popcount(p & mask);
  }
  ++w.pc;
  if (inst.aux == Arrive) {
    // What follows is not ordered by this barrier.
    ++block.epoch;
    return true;
  }
  w.waiting.push_back({w.pc, mask, id});
  w.active &= ~mask;
  return true;
}

} // namespace

void hgc::emu::finishReduction(Block &block, unsigned barrier) {
  Barrier &state = block.barriers[barrier];
  for (Warp &warp : block.warps)
    for (const Waiting &waiting : warp.waiting) {
      const Inst &inst = warp.program->code[waiting.pc - 1];
      if (waiting.barrier != barrier || inst.aux < RedPopc)
        continue;
      uint32_t value = state.reduceCount;
      if (inst.aux == RedAnd)
        value = state.reduceCount == state.arrivedThreads;
      writeReduction(warp, inst, waiting.mask, value);
    }
}

namespace {

bool runWarpBarrier(Warp &w, const Inst &inst) {
  uint32_t mask = guardMask(w, inst);
  if (mask) {
    uint32_t members = sourceOf<uint32_t>(w, inst.op[0])[__builtin_ctz(mask)];
    if ((members & mask) != mask)
      return w.fail(inst, Finding::BadMask, __builtin_ctz(mask & ~members), 0,
                    "a lane executes the barrier without being in its mask");
    if (!gather(w, members))
      return true;
  }
  ++w.pc;
  return true;
}

bool decodeWarpBarrier(Decoder &d) {
  return d.take("sync") && d.src(Type::B32) &&
         d.finishControl(runWarpBarrier, Counters::Warp);
}

bool decodeBranch(Decoder &d) {
  d.take("uni");
  const Operand *target = d.takeOperand();
  if (!target)
    return false;
  if (target->kind != Operand::Label)
    return d.fail("unknown label '" + std::string(target->text) + "'");
  d.current().branches = true;
  d.current().fallsThrough = d.inst().guard >= 0;
  d.current().targets = {uint32_t(target->bits)};
  return d.finishControl(runBranch, Counters::Control);
}

bool decodeIndexedBranch(Decoder &d) {
  if (!d.take("idx"))
    return false;
  d.take("uni");
  if (!d.src(Type::U32))
    return false;
  const Operand *list = d.takeOperand();
  if (!list)
    return false;
  const Function &function = *d.frameNow().function;
  auto found = function.targetLists.find(list->text);
  if (found == function.targetLists.end())
    return d.fail("unknown list of targets '" + std::string(list->text) + "'");
  d.current().branches = true;
  d.current().fallsThrough = d.inst().guard >= 0;
  d.current().targets = found->second;
  d.inst().imm = found->second.size();
  return d.finishControl(runIndexedBranch, Counters::Control);
}

bool decodeExit(Decoder &d) {
  d.current().branches = true;
  d.current().fallsThrough = d.inst().guard >= 0;
  return d.finishControl(runExit, Counters::Control);
}

/// A return from an inlined function goes to its end.
bool decodeReturn(Decoder &d) {
  d.take("uni");
  if (d.frameNow().isEntry)
    return decodeExit(d);
  d.current().branches = true;
  d.current().fallsThrough = d.inst().guard >= 0;
  d.current().targets = {uint32_t(d.frameNow().function->body.size())};
  return d.finishControl(runBranch, Counters::Control);
}

bool decodeTrap(Decoder &d) {
  d.current().fallsThrough = true;
  return d.finishControl(runTrap, Counters::Control);
}

bool decodeFence(Decoder &d) {
  if (d.opcode() == "membar") {
    if (d.takeOne({"cta", "gl", "sys", "gpu"}) < 0)
      return false;
  } else {
    d.takeOne({"sc", "acq_rel", "acquire", "release"});
    if (d.take("proxy")) {
      if (d.takeOne({"alias", "async", "async::generic"}) < 0)
        return false;
      d.takeOne({"global", "shared::cta"});
    } else if (d.takeOne({"cta", "cluster", "gpu", "sys"}) < 0)
      return d.fail("a scope is missing");
  }
  return d.finish(doNothing, Counters::Barrier);
}

/// bar.sync, bar.arrive, bar.red, barrier.sync[.aligned], bar.warp.sync.
bool decodeBarrier(Decoder &d) {
  bool old = d.opcode() == "bar";
  if (old && d.take("warp"))
    return decodeWarpBarrier(d);
  d.take("cta");
  int kind = d.takeOne({"sync", "arrive", "red"});
  if (kind < 0)
    return false;
  d.take("cta");
  static const BarrierKind reductions[] = {RedPopc, RedAnd, RedOr};
  d.inst().aux = kind == 1 ? Arrive : Sync;
  if (kind == 2) {
    int reduction = d.takeOne({"popc", "and", "or"});
    if (reduction < 0)
      return false;
    d.inst().aux = reductions[reduction];
  }
  if (d.take("aligned") || old)
    d.inst().flags |= aligned;
  if (kind == 2 && !d.take(d.inst().aux == RedPopc ? "u32" : "pred"))
    return false;
  if (kind == 2) {
    const Operand *result = d.takeOperand();
    if (!result)
      return false;
    bool count = d.inst().aux == RedPopc;
    if (count ? !d.bindDst(*result, Type::U32, false, d.inst().op[2])
              : !d.bindPredicate(*result, d.inst().op[2], true))
      return false;
    d.current().patched |= count ? 4 : 0;
  }
  if (!d.src(Type::U32))
    return false;
  bool counted = d.operandsLeft() > (kind == 2 ? 1u : 0u);
  if (counted && !d.src(Type::U32))
    return false;
  if (!counted) {
    d.inst().op[1] = d.constant(0, 4);
    if (kind == 1)
      return d.fail("a thread count is missing");
  }
  if (kind == 2) {
    bool negated = false;
    if (!d.srcPredicate(d.inst().op[3], negated))
      return false;
    d.inst().imm = negated;
  }
  return d.finishControl(runBarrier, Counters::Barrier);
}

} // namespace

const Opcode hgc::emu::controlOpcodes[] = {{"bra", decodeBranch},
                                           {"brx", decodeIndexedBranch},
                                           {"exit", decodeExit},
                                           {"ret", decodeReturn},
                                           {"trap", decodeTrap},
                                           {"brkpt", decodeTrap},
                                           {"bar", decodeBarrier},
                                           {"barrier", decodeBarrier},
                                           {"membar", decodeFence},
                                           {"fence", decodeFence},
                                           {"", nullptr}};
