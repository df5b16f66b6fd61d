//===- ExecMatrix.cpp - ldmatrix, stmatrix --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lane 8m + r names row r (16 bytes) of 8x8 matrix m. Lane l holds elements
// (l / 4, 2 (l % 4)) and the next one, of the matrix or of its transpose.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"
#include "MatrixMultiply.h"

using namespace hgc::emu;
using namespace hgc::emu::ptx;

bool hgc::emu::wholeWarp(Warp &w, const Inst &inst) {
  if (w.active == ~0u)
    return true;
  return w.fail(inst, Finding::BadMask, w.active ? __builtin_ctz(w.active) : 0,
                0, "the instruction needs all 32 lanes of the warp");
}

namespace {

/// op[0]: address; op[1..]: registers; aux: matrices, transposed in bit 8.
bool rowAddresses(Warp &w, const Inst &inst, Access &access, Mode mode) {
  if (!wholeWarp(w, inst))
    return false;
  unsigned count = inst.aux & 0xff;
  uint32_t mask = count == 4 ? ~0u : (1u << (8 * count)) - 1;
  computeAddresses(w, inst.op[0], inst.imm, inst.flags & narrowAddress, 16,
                   mask, access);
  matchPattern(w.worker->sites[inst.site], access, /*shared=*/true);
  return checkShared(w, inst, access, mode);
}

bool runLoad(Warp &w, const Inst &inst) {
  Access access;
  if (!rowAddresses(w, inst, access, Mode::Load))
    return false;
  const uint8_t *origin = w.block->shared - sharedBase;
  for (unsigned m = 0; m < (inst.aux & 0xff); ++m) {
    uint32_t *d = lanesOf<uint32_t>(w, inst.op[1 + m]);
    if (!(inst.aux & 0x100)) {
      for (unsigned r = 0; r < 8; ++r)
        std::memcpy(d + 4 * r, origin + access.address[8 * m + r], 16);
      continue;
    }
    uint16_t rows[8][8];
    for (unsigned r = 0; r < 8; ++r)
      std::memcpy(rows[r], origin + access.address[8 * m + r], 16);
    for (unsigned l = 0; l < lanes; ++l) {
      unsigned r = l / 4, c = 2 * (l % 4);
      d[l] = uint32_t(rows[c][r]) | uint32_t(rows[c + 1][r]) << 16;
    }
  }
  return true;
}

bool runStore(Warp &w, const Inst &inst) {
  Access access;
  if (!rowAddresses(w, inst, access, Mode::Store))
    return false;
  uint8_t *origin = w.block->shared - sharedBase;
  for (unsigned m = 0; m < (inst.aux & 0xff); ++m) {
    const uint32_t *s = sourceOf<uint32_t>(w, inst.op[1 + m]);
    uint16_t rows[8][8];
    for (unsigned l = 0; l < lanes; ++l) {
      unsigned r = l / 4, c = 2 * (l % 4);
      for (unsigned e = 0; e < 2; ++e) {
        uint16_t value = uint16_t(s[l] >> 16 * e);
        (inst.aux & 0x100 ? rows[c + e][r] : rows[r][c + e]) = value;
      }
    }
    for (unsigned r = 0; r < 8; ++r)
      std::memcpy(origin + access.address[8 * m + r], rows[r], 16);
  }
  return true;
}

bool decodeMatrixAccess(Decoder &d) {
  bool isLoad = d.opcode() == "ldmatrix";
  if (!d.take("sync") || !d.take("aligned") || !d.take("m8n8"))
    return d.fail("only .sync.aligned.m8n8 is supported");
  int size = d.takeOne({"x1", "x2", "x4"});
  bool transposed = d.take("trans");
  if (size < 0 || d.takeOne({"shared", "shared::cta"}) < 0 || !d.take("b16"))
    return d.fail("this form is not supported");
  unsigned count = 1u << size;
  const Operand *first = d.takeOperand();
  const Operand *second = first ? d.takeOperand() : nullptr;
  if (!second)
    return false;
  const Operand &list = isLoad ? *first : *second;
  const Operand &where = isLoad ? *second : *first;
  bool single = list.kind == Operand::Reg && count == 1;
  if (!single &&
      (list.kind != Operand::Vector || list.elements.size() != count))
    return d.fail(std::to_string(count) + " registers are needed");
  for (unsigned k = 0; k < count; ++k) {
    const Operand &element = single ? list : list.elements[k];
    if (isLoad ? !d.bindDst(element, Type::B32, false, d.inst().op[1 + k])
               : !d.bindSrc(element, Type::B32, false, d.inst().op[1 + k]))
      return false;
    d.current().patched |= 2u << k;
  }
  if (!d.bindAddress(where, Space::Shared, d.inst().op[0], d.inst().imm,
                     d.inst().flags))
    return false;
  d.current().patched |= 1;
  d.inst().aux = count | uint32_t(transposed) << 8;
  d.inst().site = d.newSite();
  d.usesShared(4);
  return d.finish(isLoad ? runLoad : runStore,
                  isLoad ? Counters::SharedLoad : Counters::SharedStore);
}

} // namespace

const Opcode hgc::emu::matrixOpcodes[] = {{"ldmatrix", decodeMatrixAccess},
                                          {"stmatrix", decodeMatrixAccess},
                                          {"mma", decodeMma},
                                          {"", nullptr}};
