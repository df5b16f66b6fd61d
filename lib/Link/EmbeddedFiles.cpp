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
EMBED(header, HGC_RT_HEADER);
EMBED(cxx_header, HGC_RT_HEADER "pp");

static llvm::StringRef between(const char *begin, const char *end) { return {begin, static_cast<size_t>(end - begin)}; }

llvm::StringRef EmbeddedFiles::runtime(cpu::Sanitizer sanitizer) {
  switch (sanitizer) {
  case cpu::Sanitizer::None:
    return between(hgc_embedded_rt, hgc_embedded_rt_end);
  case cpu::Sanitizer::Address:
    return between(hgc_embedded_rt_asan, hgc_embedded_rt_asan_end);
  case cpu::Sanitizer::Thread:
    return between(hgc_embedded_rt_tsan, hgc_embedded_rt_tsan_end);
  }
  llvm_unreachable("all sanitizers are handled");
}

llvm::StringRef EmbeddedFiles::cudaRuntime(cpu::Sanitizer sanitizer) {
  switch (sanitizer) {
  case cpu::Sanitizer::None:
    return between(hgc_embedded_rt_cuda, hgc_embedded_rt_cuda_end);
  case cpu::Sanitizer::Address:
    return between(hgc_embedded_rt_cuda_asan, hgc_embedded_rt_cuda_asan_end);
  case cpu::Sanitizer::Thread:
    return between(hgc_embedded_rt_cuda_tsan, hgc_embedded_rt_cuda_tsan_end);
  }
  llvm_unreachable("all sanitizers are handled");
}

llvm::StringRef EmbeddedFiles::libcStub() { return between(hgc_embedded_libc, hgc_embedded_libc_end); }
llvm::StringRef EmbeddedFiles::libmStub() { return between(hgc_embedded_libm, hgc_embedded_libm_end); }
llvm::StringRef link::getRuntimeHeader() { return between(hgc_embedded_header, hgc_embedded_header_end); }
llvm::StringRef link::getRuntimeCxxHeader() { return between(hgc_embedded_cxx_header, hgc_embedded_cxx_header_end); }
