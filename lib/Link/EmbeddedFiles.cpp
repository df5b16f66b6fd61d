//===- EmbeddedFiles.cpp - files that are part of the compiler ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The build passes where they are. The assembler reads them, so their size
// costs no compile time.
//===----------------------------------------------------------------------===//

#include "Internal.h"

using namespace hgc;
using namespace hgc::link;

#define EMBED(name, file)                                                                                              \
  asm(".pushsection .rodata\n"                                                                                         \
      ".balign 16\n"                                                                                                   \
      "hgc_embedded_" #name ":\n"                                                                                      \
      ".incbin \"" file "\"\n"                                                                                         \
      "hgc_embedded_" #name "_end:\n"                                                                                  \
      ".popsection\n"                                                                                                  \
      ".globl hgc_embedded_" #name "\n"                                                                                \
      ".hidden hgc_embedded_" #name "\n"                                                                               \
      ".globl hgc_embedded_" #name "_end\n"                                                                            \
      ".hidden hgc_embedded_" #name "_end\n");                                                                         \
  extern "C" __attribute__((visibility("hidden"))) const char hgc_embedded_##name[];                                   \
  extern "C" __attribute__((visibility("hidden"))) const char hgc_embedded_##name##_end[]

EMBED(rt, HGC_EMBEDDED_DIR "/rt.a");
EMBED(rt_asan, HGC_EMBEDDED_DIR "/rt_asan.a");
EMBED(rt_tsan, HGC_EMBEDDED_DIR "/rt_tsan.a");
EMBED(rt_cuda, HGC_EMBEDDED_DIR "/rt_cuda.a");
EMBED(rt_cuda_asan, HGC_EMBEDDED_DIR "/rt_cuda_asan.a");
EMBED(rt_cuda_tsan, HGC_EMBEDDED_DIR "/rt_cuda_tsan.a");
EMBED(libc, HGC_EMBEDDED_DIR "/libc_stub.so");
EMBED(libm, HGC_EMBEDDED_DIR "/libm_stub.so");
#ifdef HGC_EMBEDS_AARCH64
EMBED(aarch64_rt, HGC_EMBEDDED_DIR "/rt_aarch64.a");
EMBED(aarch64_rt_cuda, HGC_EMBEDDED_DIR "/rt_cuda_aarch64.a");
EMBED(aarch64_libc, HGC_EMBEDDED_DIR "/libc_aarch64_stub.so");
EMBED(aarch64_libm, HGC_EMBEDDED_DIR "/libm_aarch64_stub.so");
#endif
EMBED(header, HGC_RT_HEADER);
EMBED(cxx_header, HGC_RT_HEADER "pp");

static llvm::StringRef between(const char *begin, const char *end) { return {begin, static_cast<size_t>(end - begin)}; }
#define EMBEDDED(name) between(hgc_embedded_##name, hgc_embedded_##name##_end)

static bool isHost(const llvm::Triple &triple) {
#if defined(__x86_64__)
  return triple.isX86_64();
#elif defined(__aarch64__)
  return triple.isAArch64(64);
#else
#error "hgc links libraries for x86-64 and aarch64"
#endif
}

static EmbeddedFiles getHostFiles(cpu::Sanitizer sanitizer) {
  switch (sanitizer) {
  case cpu::Sanitizer::None:
    return {EMBEDDED(rt), EMBEDDED(rt_cuda), EMBEDDED(libc), EMBEDDED(libm)};
  case cpu::Sanitizer::Address:
    return {EMBEDDED(rt_asan), EMBEDDED(rt_cuda_asan), EMBEDDED(libc), EMBEDDED(libm)};
  case cpu::Sanitizer::Thread:
    return {EMBEDDED(rt_tsan), EMBEDDED(rt_cuda_tsan), EMBEDDED(libc), EMBEDDED(libm)};
  }
  llvm_unreachable("all sanitizers are handled");
}

llvm::Expected<EmbeddedFiles> EmbeddedFiles::get(const llvm::Triple &triple, cpu::Sanitizer sanitizer) {
  if (isHost(triple))
    return getHostFiles(sanitizer);
  if (sanitizer != cpu::Sanitizer::None)
    return makeError("this hgc holds no sanitized runtime for '" + triple.str() + "'",
                     "drop --sanitize, or compile on a machine of that kind");
#ifdef HGC_EMBEDS_AARCH64
  if (triple.isAArch64(64))
    return EmbeddedFiles{EMBEDDED(aarch64_rt), EMBEDDED(aarch64_rt_cuda), EMBEDDED(aarch64_libc),
                         EMBEDDED(aarch64_libm)};
#endif
  return makeError("this hgc holds no runtime for '" + triple.str() + "'",
                   "install libc6-dev-arm64-cross and build hgc again, or compile on a machine of that kind");
}

llvm::Error link::checkTarget(llvm::StringRef triple) {
  return EmbeddedFiles::get(llvm::Triple(triple), cpu::Sanitizer::None).takeError();
}

llvm::StringRef link::getRuntimeHeader() { return EMBEDDED(header); }
llvm::StringRef link::getRuntimeCxxHeader() { return EMBEDDED(cxx_header); }
