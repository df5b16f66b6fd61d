/*===- half.c - conversions LLVM calls on CPUs without instructions ---------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * LLVM passes half and bfloat in the low 16 bits of a vector register on both
 * machines, which is where a float's low bits are; declared with floats these
 * functions need no compiler support for 16-bit types. Round to nearest, ties
 * to even; NaNs stay NaNs, quiet.
 *===----------------------------------------------------------------------===*/

#include <stdint.h>

float __extendhfsf2(float in);
float __truncdfhf2(double in);
float __truncsfhf2(float in);
float __truncdfbf2(double in);
float __truncsfbf2(float in);

static uint32_t bits_of(float f) {
  uint32_t u;
  __builtin_memcpy(&u, &f, 4);
  return u;
}

static uint64_t bits_of_double(double d) {
  uint64_t u;
  __builtin_memcpy(&u, &d, 8);
  return u;
}

static float float_of(uint32_t u) {
  float f;
  __builtin_memcpy(&f, &u, 4);
  return f;
}

/* The number `mantissa * 2^-shift` as an integer, ties to even. */
static uint64_t shift_round(uint64_t mantissa, int shift) {
  if (shift > 63)
    return 0;
  uint64_t half = UINT64_C(1) << (shift - 1);
  uint64_t rest = mantissa & ((half << 1) - 1), value = mantissa >> shift;
  return value + (rest > half || (rest == half && (value & 1)));
}

/* Rounds a double to a type with `exp_bits` and `man_bits`, in its encoding. */
static uint32_t narrow(uint64_t d, int exp_bits, int man_bits) {
  uint32_t sign = (uint32_t)(d >> 63) << (exp_bits + man_bits);
  uint32_t top = ((1u << exp_bits) - 1) << man_bits; /* infinity */
  int bias = (1 << (exp_bits - 1)) - 1;
  int exponent = (int)(d >> 52 & 0x7ff);
  uint64_t mantissa = d & ((UINT64_C(1) << 52) - 1);
  if (exponent == 0x7ff)
    return sign | top |
           (mantissa ? (1u << (man_bits - 1)) |
                           (uint32_t)(mantissa >> (52 - man_bits))
                     : 0);
  if (exponent == 0)
    return sign; /* a double's subnormals are far below both types */
  int e = exponent - 1023 + bias;
  mantissa |= UINT64_C(1) << 52;
  if (e >= 1) {
    if (e > (1 << exp_bits) - 2)
      return sign | top;
    /* A carry out of the mantissa moves the exponent on, up to infinity. */
    return sign | (uint32_t)(((uint64_t)(e - 1) << man_bits) +
                             shift_round(mantissa, 52 - man_bits));
  }
  return sign | (uint32_t)shift_round(mantissa, 52 - man_bits + 1 - e);
}

float __extendhfsf2(float in) {
  uint32_t h = bits_of(in) & 0xffff;
  uint32_t sign = (h & 0x8000) << 16, exponent = h >> 10 & 0x1f;
  uint32_t mantissa = h & 0x3ff;
  if (exponent == 0x1f)
    return float_of(sign | 0x7f800000 | mantissa << 13 |
                    (mantissa ? 0x400000 : 0));
  if (exponent)
    return float_of(sign | (exponent + 112) << 23 | mantissa << 13);
  /* Subnormal: an exact multiple of 2^-24. */
  return float_of(sign | bits_of((float)mantissa * 0x1p-24f));
}

float __truncdfhf2(double in) {
  return float_of(narrow(bits_of_double(in), 5, 10));
}

float __truncsfhf2(float in) { return __truncdfhf2((double)in); }

float __truncdfbf2(double in) {
  return float_of(narrow(bits_of_double(in), 8, 7));
}

float __truncsfbf2(float in) { return __truncdfbf2((double)in); }
