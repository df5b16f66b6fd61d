//===- Run.cpp - warps, divergence and reconvergence ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The group of lanes with the lowest program counter runs; groups that meet
// become one. Compilers lay out code so that this brings lanes together where
// paths join. Instructions between two control instructions run in one go.
//
//===----------------------------------------------------------------------===//

#include "Control.h"
#include "Decoder.h"
#include "Lanes.h"

#include <algorithm>

using namespace hgc::emu;

/// Warp instructions after which another warp gets its turn, so that a warp
/// may wait for what another one writes.
static constexpr uint64_t quantum = 1u << 20;

bool hgc::emu::runGuarded(Warp &w, const Inst &inst) {
  uint32_t saved = w.active;
  uint32_t mask = guardMask(w, inst);
  if (!mask)
    return true;
  w.active = mask;
  bool ok = inst.guarded(w, inst);
  w.active = saved;
  return ok;
}

bool Warp::fail(const Inst &inst, Finding::Kind kind, unsigned lane,
                uint64_t address, const std::string &text) {
  const InstInfo &info = program->info[pcOf(inst)];
  bool fatal = kind != Finding::SharedRace && kind != Finding::AsyncRace;
  for (const Finding &other : worker->findings)
    if (!fatal && other.kind == kind && other.line == info.line)
      return true;
  Finding finding;
  finding.kind = kind;
  finding.text = text;
  finding.function = program->functions[info.function];
  finding.line = info.line;
  finding.source = info.text;
  finding.address = address;
  std::copy_n(block->index, 3, finding.block);
  const uint32_t *size = worker->config->block;
  uint32_t thread = index * lanes + lane;
  finding.thread[0] = thread % size[0];
  finding.thread[1] = thread / size[0] % size[1];
  finding.thread[2] = thread / size[0] / size[1];
  worker->findings.push_back(std::move(finding));
  if (!fatal && worker->findings.size() < worker->config->maxFindings)
    return true;
  worker->fatal = true;
  return false;
}

bool Warp::reschedule() {
  if (active)
    others.push_back({pc, active, false});
  active = 0;
  nextStop = ~0u;
  uint32_t lowest = ~0u;
  for (const Group &group : others)
    if (!group.parked)
      lowest = std::min(lowest, group.pc);
  if (lowest == ~0u)
    return false;
  size_t kept = 0;
  for (const Group &group : others) {
    if (group.pc == lowest) {
      active |= group.mask;
      continue;
    }
    if (group.pc > lowest)
      nextStop = std::min(nextStop, group.pc);
    others[kept++] = group;
  }
  others.resize(kept);
  pc = lowest;
  return true;
}

bool hgc::emu::gather(Warp &w, uint32_t members) {
  if ((members & w.alive & ~w.active) == 0)
    return true;
  // It runs again when the others are there: not counted now.
  uint32_t count = __builtin_popcount(w.active);
  w.worker->warpRuns[w.pc] -= 1;
  w.worker->warpRuns[w.pc + 1] += 1;
  w.worker->threadRuns[w.pc] -= count;
  w.worker->threadRuns[w.pc + 1] += count;
  w.others.push_back({w.pc, w.active, true});
  w.active = 0;
  return false;
}

bool hgc::emu::runExit(Warp &w, const Inst &inst) {
  uint32_t mask = guardMask(w, inst);
  w.alive &= ~mask;
  w.active &= ~mask;
  ++w.pc;
  return true;
}

bool hgc::emu::runBranch(Warp &w, const Inst &inst) {
  uint32_t taken = guardMask(w, inst);
  uint32_t not_taken = w.active & ~taken;
  if (!not_taken)
    w.pc = inst.aux;
  else {
    ++w.pc;
    if (taken) {
      ++w.worker->counters.divergentBranches;
      w.others.push_back({inst.aux, taken, false});
      w.active = not_taken;
    }
  }
  return true;
}

bool hgc::emu::runIndexedBranch(Warp &w, const Inst &inst) {
  const uint32_t *index = sourceOf<uint32_t>(w, inst.op[0]);
  uint32_t mask = guardMask(w, inst);
  uint32_t rest = w.active & ~mask;
  uint32_t next = w.pc + 1;
  w.active = 0;
  unsigned groups = 0;
  while (mask) {
    unsigned lane = __builtin_ctz(mask);
    uint32_t same = 0;
    HGC_EMU_ACTIVE(mask) same |= uint32_t(index[i] == index[lane]) << i;
    if (index[lane] >= uint32_t(inst.imm)) {
      w.active = same;
      return w.fail(inst, Finding::OutOfBounds, lane, index[lane],
                    "brx.idx with index " + std::to_string(index[lane]) +
                        " of " + std::to_string(inst.imm) + " targets");
    }
    uint32_t target = w.program->more[inst.more + index[lane]];
    w.others.push_back({target, same, false});
    mask &= ~same;
    ++groups;
  }
  if (rest)
    w.others.push_back({next, rest, false});
  w.worker->counters.divergentBranches += groups > 1;
  return true;
}

/// All lanes of the warp wait for lanes of the warp.
static void reportStuck(Warp &w) {
  const Group *first = nullptr;
  for (const Group &group : w.others)
    if (!first || group.pc < first->pc)
      first = &group;
  const Inst &inst = w.program->code[first->pc];
  bool barrier = w.program->info[first->pc].kind == Counters::Barrier;
  uint32_t missing = w.alive & ~first->mask;
  char text[160];
  std::snprintf(text, sizeof text,
                "%s reached by lanes 0x%08x of a warp, while its lanes 0x%08x "
                "wait elsewhere",
                barrier ? "barrier" : "warp-wide instruction", first->mask,
                missing);
  w.fail(inst, barrier ? Finding::DivergentBarrier : Finding::BadMask,
         __builtin_ctz(first->mask), 0, text);
}

static void count(Worker &worker, uint32_t begin, uint32_t end, uint32_t mask) {
  unsigned threads = __builtin_popcount(mask);
  worker.warpRuns[begin] += 1;
  worker.warpRuns[end] -= 1;
  worker.threadRuns[begin] += threads;
  worker.threadRuns[end] -= threads;
}

void hgc::emu::runWarp(Warp &w) {
  const Inst *code = w.program->code.data();
  const uint32_t *runEnd = w.program->runEnd.data();
  Worker &worker = *w.worker;
  uint64_t left = std::min(quantum, w.block->budget);
  const uint64_t given = left;
  while (left) {
    if (!w.active || !w.others.empty()) {
      if (!w.reschedule()) {
        if (!w.others.empty() && w.waiting.empty())
          reportStuck(w);
        break;
      }
    }
    uint32_t pc = w.pc;
    uint32_t end = std::min(runEnd[pc], w.nextStop);
    if (pc < end) {
      count(worker, pc, end, w.active);
      const Inst *inst = code + pc, *last = code + end;
      do {
        if (!inst->fn(w, *inst))
          break;
      } while (++inst != last);
      if (inst != last)
        break;
      left -= std::min<uint64_t>(left, end - pc);
      w.pc = end;
      if (end == w.nextStop)
        continue;
    }
    pc = w.pc;
    count(worker, pc, pc + 1, w.active);
    left -= left != 0;
    if (!code[pc].fn(w, code[pc]))
      break;
  }
  w.block->budget -= given - left;
  if (!w.block->budget && !worker.fatal)
    w.fail(code[w.pc], Finding::InstructionLimit, 0, 0,
           "the block ran " + std::to_string(worker.config->instructionLimit) +
               " warp instructions without coming to an end");
}
