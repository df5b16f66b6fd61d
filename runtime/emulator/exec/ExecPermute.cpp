//===- ExecPermute.cpp - bytes: prmt, dp4a, dp2a --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decoder.h"
#include "Lanes.h"

#include <algorithm>

using namespace hgc::emu;
using namespace hgc::emu::ptx;

namespace {

uint32_t permuteByte(uint64_t bytes, uint32_t selector) {
  uint32_t value = bytes >> ((selector & 7) * 8) & 0xff;
  return selector & 8 ? (value & 0x80 ? 0xff : 0) : value;
}

/// Modes in the order of decodePermute.
uint32_t permute(uint32_t a, uint32_t b, uint32_t c, uint32_t mode) {
  uint64_t bytes = uint64_t(b) << 32 | a;
  uint32_t result = 0;
  c &= mode ? 3 : 0xffff;
  for (uint32_t k = 0; k < 4; ++k) {
    uint32_t selector = 0;
    switch (mode) {
    case 0:
      selector = c >> (4 * k) & 15;
      break;
    case 1: // f4e
      selector = c + k;
      break;
    case 2: // b4e
      selector = (c + 8 - k) & 7;
      break;
    case 3: // rc8
      selector = c;
      break;
    case 4: // ecl
      selector = std::max(c, k);
      break;
    case 5: // ecr
      selector = std::min(c, k);
      break;
    case 6: // rc16
      selector = (c & 1) * 2 + (k & 1);
      break;
    }
    result |= permuteByte(bytes, selector) << (8 * k);
  }
  return result;
}

bool runPermute(Warp &w, const Inst &inst) {
  uint32_t *d = lanesOf<uint32_t>(w, inst.op[0]);
  const uint32_t *a = sourceOf<uint32_t>(w, inst.op[1]),
                 *b = sourceOf<uint32_t>(w, inst.op[2]),
                 *c = sourceOf<uint32_t>(w, inst.op[3]);
  HGC_EMU_ACTIVE(w.active) d[i] = permute(a[i], b[i], c[i], inst.aux);
  return true;
}

/// Dot products: aux bit 0 a signed, bit 1 b signed, bit 2 dp2a, bit 3 hi.
bool runDot(Warp &w, const Inst &inst) {
  uint32_t *d = lanesOf<uint32_t>(w, inst.op[0]);
  const uint32_t *a = sourceOf<uint32_t>(w, inst.op[1]),
                 *b = sourceOf<uint32_t>(w, inst.op[2]),
                 *c = sourceOf<uint32_t>(w, inst.op[3]);
  auto part = [](uint32_t value, unsigned at, unsigned bits, bool sign) {
    uint32_t up = value << (32 - at - bits);
    return sign ? int64_t(int32_t(up) >> (32 - bits))
                : int64_t(up >> (32 - bits));
  };
  bool two = inst.aux & 4;
  unsigned skip = inst.aux & 8 ? 16 : 0;
  HGC_EMU_ACTIVE(w.active) {
    int64_t sum = c[i];
    for (unsigned k = 0; k < (two ? 2 : 4); ++k)
      sum += part(a[i], two ? 16 * k : 8 * k, two ? 16 : 8, inst.aux & 1) *
             part(b[i], skip + 8 * k, 8, inst.aux & 2);
    d[i] = uint32_t(sum);
  }
  return true;
}

bool decodePermute(Decoder &d) {
  if (!d.take("b32"))
    return false;
  d.inst().aux = d.takeOne({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}) + 1;
  return d.dst(Type::B32) && d.src(Type::B32) && d.src(Type::B32) &&
         d.src(Type::B32) && d.finish(runPermute, Counters::Integer);
}

bool decodeDot(Decoder &d) {
  bool two = d.opcode() == "dp2a";
  int half = two ? d.takeOne({"lo", "hi"}) : 0;
  Type a = d.takeType({Type::U32, Type::S32});
  Type b = a == Type::None ? a : d.takeType({Type::U32, Type::S32});
  if (half < 0 || b == Type::None || !d.dst(Type::B32) || !d.src(Type::B32) ||
      !d.src(Type::B32) || !d.src(Type::B32))
    return false;
  d.inst().aux = uint32_t(isSigned(a)) | uint32_t(isSigned(b)) << 1 |
                 uint32_t(two) << 2 | uint32_t(half) << 3;
  return d.finish(runDot, Counters::Integer);
}

} // namespace

const Opcode hgc::emu::permuteOpcodes[] = {{"prmt", decodePermute},
                                           {"dp4a", decodeDot},
                                           {"dp2a", decodeDot},
                                           {"", nullptr}};
