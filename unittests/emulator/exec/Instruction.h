//===- Instruction.h - one instruction against a reference ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HGC_EMU_TEST_INSTRUCTION_H
#define HGC_EMU_TEST_INSTRUCTION_H

#include "Harness.h"

#include <functional>

namespace hgc::emu::test {

using Reference = std::function<uint64_t(uint64_t a, uint64_t b, uint64_t c)>;

/// Register letters of an instruction text: D, A, B, C stand for the result
/// and the sources; the signature "r:rh" gives their kinds: h 16 bits, r 32,
/// d 64, p predicate.
enum class Same : uint8_t { Bits, F16, BF16, F32, F64, F32x2, Near };

/// Operands worth trying, for values of `bytes`, floats included.
std::vector<uint64_t> operands(unsigned bytes);

/// Runs `text` over many operands in a converged warp and, guarded, in a
/// divergent one, and compares with `reference`. Float results may be any NaN
/// where the reference is one; Near allows 2^-20 relative error in f32.
void expectInstruction(const std::string &text, const std::string &signature, Same same, const Reference &reference);

/// Exact value of a float in 113 bits.
using Quad = __float128;
/// `value` rounded to `precision` bits with the least exponent `emin` (of a
/// one-bit number); mode 0 nearest even, 1 zero, 2 down, 3 up, 4 nearest away.
Quad roundQuad(Quad value, int precision, int emin, int mode);
/// Bits of a rounded value in f16 (2), bf16 (1), f32 (4) or f64 (8).
uint64_t encode(Quad value, char format, int mode);
Quad decode(uint64_t bits, char format);

template <class To, class From> To as(From value) {
  To result{};
  std::memcpy(&result, &value, std::min(sizeof(To), sizeof(From)));
  return result;
}
inline float f32(uint64_t bits) { return as<float>(uint32_t(bits)); }
inline double f64(uint64_t bits) { return as<double>(bits); }
inline uint64_t bits(float value) { return as<uint32_t>(value); }
inline uint64_t bits(double value) { return as<uint64_t>(value); }

} // namespace hgc::emu::test

#endif // HGC_EMU_TEST_INSTRUCTION_H
