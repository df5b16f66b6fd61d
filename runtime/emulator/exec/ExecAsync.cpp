//===- ExecAsync.cpp - cp.async -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy is checked when it is issued and done when it is waited for. In
// between its target holds nonsense, and touching it is a finding.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"

#include <algorithm>

using namespace hgc::emu;
using namespace hgc::emu::ptx;

namespace {

/// Stamps every granule the lanes of `copy` write.
void stampTargets(Block &block, const PendingCopy &copy, uint32_t mask,
                  uint32_t stamp) {
  SharedShadow &shadow = block.shadow;
  HGC_EMU_ACTIVE(mask) {
    uint64_t begin = (copy.target[i] - sharedBase) >> shadow.granuleShift;
    std::fill_n(shadow.writes.begin() + begin,
                copy.bytes >> shadow.granuleShift, stamp);
  }
}

bool checkSource(Warp &w, const Inst &inst, const PendingCopy &copy) {
  // Lanes that read the same number of bytes are one access.
  uint32_t rest = copy.mask;
  while (rest) {
    uint32_t bytes = copy.sourceBytes[__builtin_ctz(rest)], same = 0;
    HGC_EMU_ACTIVE(rest) same |= uint32_t(copy.sourceBytes[i] == bytes) << i;
    rest &= ~same;
    if (!bytes)
      continue;
    Access access;
    std::copy_n(copy.source, lanes, access.address);
    access.first = access.address[__builtin_ctz(same)];
    for (unsigned i = 0; i < lanes; ++i)
      if (!(same >> i & 1))
        access.address[i] = access.first;
    access.mask = same;
    access.bytes = bytes;
    // Odd sizes have no alignment of their own: that of the target counts.
    if (bytes == copy.bytes) {
      Site &site = w.worker->sites[inst.site];
      matchPattern(site, access, /*shared=*/false);
      if (!checkGlobal(w, inst, site, access, Mode::Load))
        return false;
      continue;
    }
    std::string where;
    HGC_EMU_ACTIVE(same)
    if (!w.worker->memory->check(copy.source[i], bytes, &where))
      return w.fail(inst, Finding::OutOfBounds, i, copy.source[i],
                    "cp.async: " + where);
    else if (w.worker->track)
      w.worker->reads.add(copy.source[i], bytes);
  }
  return true;
}

/// op: target, source, source bytes or predicate slot; aux: bytes, kind of
/// op[2] in the second byte (0 none, 1 register, 2 predicate to ignore).
bool runCopy(Warp &w, const Inst &inst) {
  PendingCopy copy;
  copy.mask = w.active;
  copy.bytes = inst.aux & 0xff;
  copy.pc = w.pcOf(inst);
  Access target, source;
  computeAddresses(w, inst.op[0], inst.imm, inst.flags & narrowAddress,
                   copy.bytes, w.active, target);
  computeAddresses(w, inst.op[1], w.program->more[inst.more], false, copy.bytes,
                   w.active, source);
  std::copy_n(target.address, lanes, copy.target);
  std::copy_n(source.address, lanes, copy.source);
  unsigned kind = inst.aux >> 8 & 0xff;
  for (unsigned i = 0; i < lanes; ++i) {
    copy.sourceBytes[i] = copy.bytes;
    if (kind == 1)
      copy.sourceBytes[i] =
          std::min(copy.bytes, sourceOf<uint32_t>(w, inst.op[2])[i]);
    else if (kind == 2 && (w.predicates[inst.op[2]] >> i & 1))
      copy.sourceBytes[i] = 0;
  }
  if (!checkSource(w, inst, copy))
    return false;
  matchPattern(w.worker->sites[inst.site + 1], target, /*shared=*/true);
  if (!checkShared(w, inst, target, Mode::Store))
    return false;
  stampTargets(*w.block, copy, copy.mask, pendingStamp);
  HGC_EMU_ACTIVE(copy.mask)
  std::memset(w.block->shared + (copy.target[i] - sharedBase), 0xcb,
              copy.bytes);
  // Lanes whose counts of groups differ make copies of their own.
  uint32_t rest = copy.mask;
  while (rest) {
    copy.group = w.committed[__builtin_ctz(rest)];
    copy.mask = 0;
    HGC_EMU_ACTIVE(rest)
    copy.mask |= uint32_t(w.committed[i] == copy.group) << i;
    rest &= ~copy.mask;
    w.copies.push_back(copy);
  }
  return true;
}

void complete(Warp &w, const PendingCopy &copy, uint32_t mask) {
  const uint8_t *bytesAt = w.worker->memory->bytesAt();
  HGC_EMU_ACTIVE(mask) {
    uint8_t *to = w.block->shared + (copy.target[i] - sharedBase);
    std::memset(to, 0, copy.bytes);
    if (copy.sourceBytes[i])
      std::memcpy(to, bytesAt + copy.source[i], copy.sourceBytes[i]);
  }
  stampTargets(*w.block, copy, mask, w.block->epoch << 8 | w.index);
}

bool runCommit(Warp &w, const Inst &) {
  HGC_EMU_ACTIVE(w.active)++ w.committed[i];
  return true;
}

/// imm: groups that may stay pending; -1: wait for everything.
bool runWait(Warp &w, const Inst &inst) {
  for (PendingCopy &copy : w.copies) {
    uint32_t done = 0;
    HGC_EMU_ACTIVE(copy.mask & w.active)
    done |= uint32_t(inst.imm < 0 || copy.group + inst.imm < w.committed[i])
            << i;
    complete(w, copy, done);
    copy.mask &= ~done;
  }
  while (!w.copies.empty() && !w.copies.front().mask)
    w.copies.pop_front();
  return true;
}

bool decodeCopyTail(Decoder &d, unsigned bytes, bool policy) {
  size_t extra = policy ? 1 : 0;
  uint32_t kind = 0;
  if (d.operandsLeft() > extra) {
    const Operand &operand = *d.takeOperand();
    bool isPredicate =
        (operand.kind == Operand::Reg || operand.kind == Operand::NotReg) &&
        d.frameNow().function->registers[operand.reg].type == Type::Pred;
    kind = isPredicate ? 2 : 1;
    if (isPredicate ? !d.bindPredicate(operand, d.inst().op[2], false)
                    : !d.bindSrc(operand, Type::U32, false, d.inst().op[2]))
      return false;
    if (operand.kind == Operand::NotReg)
      return d.fail("a negated predicate is not supported here");
    d.current().patched |= isPredicate ? 0 : 4;
  }
  if (policy && !d.takeOperand())
    return false;
  d.inst().aux = bytes | kind << 8;
  return d.finish(runCopy, Counters::AsyncCopy);
}

bool decodeAsync(Decoder &d) {
  if (!d.take("async"))
    return d.fail("only cp.async is supported");
  if (d.take("commit_group"))
    return d.finish(runCommit, Counters::AsyncCopy);
  if (d.take("wait_all")) {
    d.inst().imm = -1;
    return d.finish(runWait, Counters::AsyncCopy);
  }
  if (d.take("wait_group")) {
    const Operand *count = d.takeOperand();
    if (!count || count->kind != Operand::Int || count->bits > 1u << 20)
      return d.fail("the number of groups is not a constant");
    d.inst().imm = int64_t(count->bits);
    return d.finish(runWait, Counters::AsyncCopy);
  }
  int level = d.takeOne({"ca", "cg"});
  if (level < 0 || d.takeOne({"shared", "shared::cta"}) < 0 ||
      !d.take("global"))
    return d.fail("this form of cp.async is not supported");
  bool policy = d.take("L2::cache_hint");
  d.takeOne({"L2::64B", "L2::128B", "L2::256B"});
  if (!d.address(Space::Shared))
    return false;
  const Operand *source = d.takeOperand();
  int64_t offset = 0;
  uint8_t flags = 0;
  if (!source ||
      !d.bindAddress(*source, Space::Global, d.inst().op[1], offset, flags))
    return false;
  d.current().patched |= 2;
  if (offset != int32_t(offset))
    return d.fail("the offset does not fit 32 bits");
  // Not a register: kept apart from the operands that are renamed.
  d.inst().more = uint32_t(d.target().more.size());
  d.target().more.push_back(int32_t(offset));
  const Operand *size = d.takeOperand();
  if (!size || size->kind != Operand::Int ||
      !(size->bits == 16 ||
        (level == 0 && (size->bits == 4 || size->bits == 8))))
    return d.fail("the size of a copy is 4, 8 or 16; 16 with '.cg'");
  d.inst().site = d.newSite();
  d.newSite();
  d.usesShared(4);
  return decodeCopyTail(d, unsigned(size->bits), policy);
}

} // namespace

const Opcode hgc::emu::asyncOpcodes[] = {{"cp", decodeAsync}, {"", nullptr}};
