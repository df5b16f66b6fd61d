//===- Lanes.h - instructions as loops over 32 lanes ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A functor `F` has a static `eval` on scalars; the templates make a handler
// of it. Converged warps take a loop the compiler turns into vectors; others
// visit the active lanes. Registers of different sizes never overlap, so that
// a destination is either one of the sources or apart from it.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_LANES_H
#define HGC_EMU_LANES_H

#include "Machine.h"

#include <cstring>

#if defined(__clang__)
#define HGC_EMU_LANES                                                          \
  _Pragma(                                                                     \
      "clang loop vectorize(assume_safety) unroll(disable)") for (unsigned i = \
                                                                      0;       \
                                                                  i < lanes;   \
                                                                  ++i)
#else
#define HGC_EMU_LANES _Pragma("GCC ivdep") for (unsigned i = 0; i < lanes; ++i)
#endif
#define HGC_EMU_ACTIVE(mask)                                                   \
  for (uint32_t left_ = (mask), i = 0;                                         \
       left_ && (i = static_cast<uint32_t>(__builtin_ctz(left_)), true);       \
       left_ &= left_ - 1)

namespace hgc::emu {

/// The 32 lanes of an operand.
template <class T> inline T *lanesOf(Warp &w, int32_t operand) {
  uint8_t *base =
      operand < 0 ? const_cast<uint8_t *>(w.constants) : w.registers;
  return reinterpret_cast<T *>(base + (operand & ~poolBit));
}
template <class T> inline const T *sourceOf(Warp &w, int32_t operand) {
  return lanesOf<T>(w, operand);
}

template <class F, class D, class A> bool unary(Warp &w, const Inst &inst) {
  D *d = lanesOf<D>(w, inst.op[0]);
  const A *a = sourceOf<A>(w, inst.op[1]);
  if (w.converged())
    HGC_EMU_LANES d[i] = F::eval(a[i]);
  else
    HGC_EMU_ACTIVE(w.active) d[i] = F::eval(a[i]);
  return true;
}

template <class F, class D, class A, class B = A>
bool binary(Warp &w, const Inst &inst) {
  D *d = lanesOf<D>(w, inst.op[0]);
  const A *a = sourceOf<A>(w, inst.op[1]);
  const B *b = sourceOf<B>(w, inst.op[2]);
  if (w.converged())
    HGC_EMU_LANES d[i] = F::eval(a[i], b[i]);
  else
    HGC_EMU_ACTIVE(w.active) d[i] = F::eval(a[i], b[i]);
  return true;
}

template <class F, class D, class A, class B = A, class C = D>
bool ternary(Warp &w, const Inst &inst) {
  D *d = lanesOf<D>(w, inst.op[0]);
  const A *a = sourceOf<A>(w, inst.op[1]);
  const B *b = sourceOf<B>(w, inst.op[2]);
  const C *c = sourceOf<C>(w, inst.op[3]);
  if (w.converged())
    HGC_EMU_LANES d[i] = F::eval(a[i], b[i], c[i]);
  else
    HGC_EMU_ACTIVE(w.active) d[i] = F::eval(a[i], b[i], c[i]);
  return true;
}

/// Bits of the lanes for which `F` holds.
template <class F, class A>
inline uint32_t compareLanes(const A *a, const A *b) {
  uint32_t result = 0;
  HGC_EMU_LANES result |= static_cast<uint32_t>(F::eval(a[i], b[i])) << i;
  return result;
}

/// Writes the active lanes of a predicate.
inline void setPredicate(Warp &w, int32_t slot, uint32_t value) {
  uint32_t &p = w.predicates[slot];
  p = (p & ~w.active) | (value & w.active);
}

/// A value as another type of the same size.
template <class To, class From> inline To bitsAs(From value) {
  static_assert(sizeof(To) == sizeof(From), "sizes differ");
  To result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

} // namespace hgc::emu

#endif // HGC_EMU_LANES_H
