# Compiler flags, ccache, sanitizers: everything that is not about MLIR.

set(HGC_SANITIZE "" CACHE STRING "Sanitizer for our own code: address or thread")
set_property(CACHE HGC_SANITIZE PROPERTY STRINGS "" address thread)

find_program(HGC_CCACHE ccache)
if(HGC_CCACHE)
  # With a precompiled header ccache must not run the preprocessor itself, and
  # must ignore time stamps.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${HGC_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

# -O3 buys the compiler nothing and costs build time.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")

# LLVM's linker reads the symbols of libMLIR five times as fast as the system's.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=lld HGC_HAS_LLD)
if(HGC_HAS_LLD)
  add_link_options(-fuse-ld=lld)
endif()

set(HGC_WARNINGS -Wall -Wextra -Werror)
set(HGC_SANITIZE_FLAGS "")
if(HGC_SANITIZE)
  # Line numbers are all a report needs; full debug info doubles the build.
  set(HGC_SANITIZE_FLAGS -fsanitize=${HGC_SANITIZE} -fno-omit-frame-pointer -gline-tables-only -O1)
  if(HGC_SANITIZE STREQUAL "address")
    # What AddressSanitizer does not see anyway: arithmetic. A finding ends the test.
    list(APPEND HGC_SANITIZE_FLAGS
      -fsanitize=signed-integer-overflow,integer-divide-by-zero,shift,bool,enum,return,unreachable,float-cast-overflow
      -fno-sanitize-recover=all)
  endif()
endif()
