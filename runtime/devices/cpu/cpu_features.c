/*===- cpu_features.c - is this CPU new enough ------------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs before any generated code, so that a CPU that is too old gets a message
 * with the missing features and never an illegal instruction. A feature counts
 * only if the operating system saves its registers, too.
 *===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include "../../src/runtime.h"

#include <string.h>

const uint64_t *hgc_rti_cpu_override;

#define BIT(feature) (UINT64_C(1) << (feature))

static const struct {
  uint8_t bit;
  char name[15];
} names[] = {
    {HGC_RT_CPU_SSE3, "sse3"},
    {HGC_RT_CPU_SSSE3, "ssse3"},
    {HGC_RT_CPU_SSE41, "sse4.1"},
    {HGC_RT_CPU_SSE42, "sse4.2"},
    {HGC_RT_CPU_POPCNT, "popcnt"},
    {HGC_RT_CPU_CX16, "cx16"},
    {HGC_RT_CPU_AVX, "avx"},
    {HGC_RT_CPU_AVX2, "avx2"},
    {HGC_RT_CPU_FMA, "fma"},
    {HGC_RT_CPU_F16C, "f16c"},
    {HGC_RT_CPU_BMI1, "bmi"},
    {HGC_RT_CPU_BMI2, "bmi2"},
    {HGC_RT_CPU_LZCNT, "lzcnt"},
    {HGC_RT_CPU_MOVBE, "movbe"},
    {HGC_RT_CPU_AVX512F, "avx512f"},
    {HGC_RT_CPU_AVX512BW, "avx512bw"},
    {HGC_RT_CPU_AVX512CD, "avx512cd"},
    {HGC_RT_CPU_AVX512DQ, "avx512dq"},
    {HGC_RT_CPU_AVX512VL, "avx512vl"},
    {HGC_RT_CPU_AVX512VNNI, "avx512vnni"},
    {HGC_RT_CPU_AVX512BF16, "avx512bf16"},
    {HGC_RT_CPU_AVX512FP16, "avx512fp16"},
    {HGC_RT_CPU_AVXVNNI, "avxvnni"},
    {HGC_RT_CPU_AMX_TILE, "amx-tile"},
    {HGC_RT_CPU_AMX_INT8, "amx-int8"},
    {HGC_RT_CPU_AMX_BF16, "amx-bf16"},
    {HGC_RT_CPU_AVX512VBMI, "avx512vbmi"},
    {HGC_RT_CPU_AVX512IFMA, "avx512ifma"},
    {HGC_RT_CPU_NEON, "neon"},
    {HGC_RT_CPU_FP16, "fullfp16"},
    {HGC_RT_CPU_DOTPROD, "dotprod"},
    {HGC_RT_CPU_BF16, "bf16"},
    {HGC_RT_CPU_I8MM, "i8mm"},
    {HGC_RT_CPU_SVE, "sve"},
    {HGC_RT_CPU_SVE2, "sve2"},
    {HGC_RT_CPU_LSE, "lse"},
};

/* Moves bit `from` of a register to bit `to` of the result. */
#define TAKE(reg, from, to) ((uint64_t)((reg) >> (from)&1) << (to))

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OLDEST "x86-64-v2"
#define XCR0_AVX 0x6u
#define XCR0_AVX512 0xe6u
#define XCR0_AMX 0x60000u
#define ARCH_REQ_XCOMP_PERM 0x1023
#define XFEATURE_XTILEDATA 18

static uint32_t enabled_states(uint32_t ecx1) {
  uint32_t eax, edx;
  if (!(ecx1 >> 27 & 1)) /* OSXSAVE */
    return 0;
  __asm__ volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
  return eax;
}

static uint64_t leaf1(uint32_t c) {
  return TAKE(c, 0, HGC_RT_CPU_SSE3) | TAKE(c, 9, HGC_RT_CPU_SSSE3) |
         TAKE(c, 12, HGC_RT_CPU_FMA) | TAKE(c, 13, HGC_RT_CPU_CX16) |
         TAKE(c, 19, HGC_RT_CPU_SSE41) | TAKE(c, 20, HGC_RT_CPU_SSE42) |
         TAKE(c, 22, HGC_RT_CPU_MOVBE) | TAKE(c, 23, HGC_RT_CPU_POPCNT) |
         TAKE(c, 28, HGC_RT_CPU_AVX) | TAKE(c, 29, HGC_RT_CPU_F16C);
}

static uint64_t leaf7(void) {
  uint32_t a = 0, b = 0, c = 0, d = 0, a1 = 0, x;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
    return 0;
  if (a >= 1)
    __get_cpuid_count(7, 1, &a1, &x, &x, &x);
  return TAKE(b, 3, HGC_RT_CPU_BMI1) | TAKE(b, 5, HGC_RT_CPU_AVX2) |
         TAKE(b, 8, HGC_RT_CPU_BMI2) | TAKE(b, 16, HGC_RT_CPU_AVX512F) |
         TAKE(b, 17, HGC_RT_CPU_AVX512DQ) | TAKE(b, 21, HGC_RT_CPU_AVX512IFMA) |
         TAKE(b, 28, HGC_RT_CPU_AVX512CD) | TAKE(b, 30, HGC_RT_CPU_AVX512BW) |
         TAKE(b, 31, HGC_RT_CPU_AVX512VL) | TAKE(c, 1, HGC_RT_CPU_AVX512VBMI) |
         TAKE(c, 11, HGC_RT_CPU_AVX512VNNI) | TAKE(d, 22, HGC_RT_CPU_AMX_BF16) |
         TAKE(d, 23, HGC_RT_CPU_AVX512FP16) | TAKE(d, 24, HGC_RT_CPU_AMX_TILE) |
         TAKE(d, 25, HGC_RT_CPU_AMX_INT8) | TAKE(a1, 4, HGC_RT_CPU_AVXVNNI) |
         TAKE(a1, 5, HGC_RT_CPU_AVX512BF16);
}

static uint64_t detect(uint64_t wanted) {
  const uint64_t avx = BIT(HGC_RT_CPU_AVX) | BIT(HGC_RT_CPU_AVX2) |
                       BIT(HGC_RT_CPU_FMA) | BIT(HGC_RT_CPU_F16C) |
                       BIT(HGC_RT_CPU_AVXVNNI);
  const uint64_t avx512 =
      BIT(HGC_RT_CPU_AVX512F) | BIT(HGC_RT_CPU_AVX512BW) |
      BIT(HGC_RT_CPU_AVX512CD) | BIT(HGC_RT_CPU_AVX512DQ) |
      BIT(HGC_RT_CPU_AVX512VL) | BIT(HGC_RT_CPU_AVX512VNNI) |
      BIT(HGC_RT_CPU_AVX512BF16) | BIT(HGC_RT_CPU_AVX512FP16) |
      BIT(HGC_RT_CPU_AVX512VBMI) | BIT(HGC_RT_CPU_AVX512IFMA);
  const uint64_t amx = BIT(HGC_RT_CPU_AMX_TILE) | BIT(HGC_RT_CPU_AMX_INT8) |
                       BIT(HGC_RT_CPU_AMX_BF16);
  uint32_t a, b, c = 0, d, c8 = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d))
    return 0;
  __get_cpuid(0x80000001u, &a, &b, &c8, &d);
  uint64_t has = leaf1(c) | leaf7() | TAKE(c8, 5, HGC_RT_CPU_LZCNT);
  uint32_t states = enabled_states(c);
  if ((states & XCR0_AVX) != XCR0_AVX)
    has &= ~(avx | avx512);
  if ((states & XCR0_AVX512) != XCR0_AVX512)
    has &= ~avx512;
  /* Linux gives a process its tile registers on request only. */
  if ((states & XCR0_AMX) != XCR0_AMX ||
      ((wanted & amx) &&
       syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)))
    has &= ~amx;
  return has;
}

#elif defined(__aarch64__)
#include <sys/auxv.h>

#define OLDEST "armv8-a"

static uint64_t detect(uint64_t wanted) {
  unsigned long a = getauxval(AT_HWCAP), b = getauxval(AT_HWCAP2);
  (void)wanted;
  return TAKE(a, 1, HGC_RT_CPU_NEON) | TAKE(a, 8, HGC_RT_CPU_LSE) |
         TAKE(a, 10, HGC_RT_CPU_FP16) | TAKE(a, 20, HGC_RT_CPU_DOTPROD) |
         TAKE(a, 22, HGC_RT_CPU_SVE) | TAKE(b, 1, HGC_RT_CPU_SVE2) |
         TAKE(b, 13, HGC_RT_CPU_I8MM) | TAKE(b, 14, HGC_RT_CPU_BF16);
}

#else
#error "hgc's runtime supports x86-64 and aarch64"
#endif

const char *hgc_rti_cpu_feature_name(int32_t bit) {
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
    if (names[i].bit == bit)
      return names[i].name;
  return NULL;
}

hgc_rt_status hgc_rti_cpu_check(const hgc_rt_model_desc *desc) {
  uint64_t has =
      hgc_rti_cpu_override ? *hgc_rti_cpu_override : detect(desc->cpu_features);
  uint64_t missing = desc->cpu_features & ~has;
  char list[512];
  size_t n = 0;
  if (!missing)
    return HGC_RT_OK;
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
    if (!(missing & BIT(names[i].bit)))
      continue;
    missing &= ~BIT(names[i].bit);
    size_t length = strlen(names[i].name);
    list[n++] = ' ';
    memcpy(list + n, names[i].name, length);
    n += length;
  }
  list[n] = 0;
  return hgc_rti_error(
      HGC_RT_UNSUPPORTED_CPU,
      "compile with --target-cpu set to this machine's, e.g. " OLDEST
      ", or run on a newer CPU",
      "model '%s' was compiled for '%s'; this CPU lacks%s%s", desc->name,
      desc->target_cpu, list,
      !missing ? ""
      : n      ? " (and features unknown to this version)"
               : " features unknown to this version");
}
