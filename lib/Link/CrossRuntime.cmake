# The runtime for aarch64, built on another machine: what `hgc compile
# --target-cpu=neoverse-n1` links into a library.

option(HGC_AARCH64 "Hold a runtime for aarch64 when a compiler for it is found" ON)

# hgc_find_aarch64_compiler(<variable>): a command that compiles and links for
# aarch64, with the C library's headers for it; empty where there is none. Looked
# for each time, since packages come and go.
function(hgc_find_aarch64_compiler variable)
  set(${variable} "" PARENT_SCOPE)
  if(NOT HGC_AARCH64 OR CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    return()
  endif()
  set(clang --target=aarch64-linux-gnu -fuse-ld=lld)
  find_program(HGC_CROSS_CLANG NAMES clang-22 clang)
  find_program(HGC_CROSS_GCC aarch64-linux-gnu-gcc)
  mark_as_advanced(HGC_CROSS_CLANG HGC_CROSS_GCC)
  set(candidate_0 ${CMAKE_C_COMPILER} ${clang})
  set(candidate_1 ${HGC_CROSS_CLANG} ${clang})
  set(candidate_2 ${HGC_CROSS_GCC})
  set(probe ${CMAKE_CURRENT_BINARY_DIR}/aarch64_probe)
  file(WRITE ${probe}.c "#include <stdio.h>\n#include <sys/syscall.h>\nint probe = SYS_futex;\n")
  foreach(candidate IN ITEMS candidate_0 candidate_1 candidate_2)
    execute_process(COMMAND ${${candidate}} -shared -nostdlib -fPIC ${probe}.c -o ${probe}.so
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed EQUAL 0)
      set(${variable} ${${candidate}} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# hgc_cross_archive(<file.a> <target> <compiler>): the sources of the target as
# an archive, with its options. A model binds libc alone, so atomic operations
# are instructions and not calls of the compiler's library.
function(hgc_cross_archive archive target compiler)
  list(REMOVE_ITEM compiler -fuse-ld=lld) # nothing is linked here
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(options ${target} COMPILE_OPTIONS)
  set(flags -std=gnu11 -DNDEBUG -fvisibility=hidden ${options} -mno-outline-atomics -I${folder}/include)
  set(objects "")
  foreach(source IN LISTS sources)
    get_source_file_property(own ${folder}/${source} TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
    if(NOT own)
      set(own "")
    endif()
    string(MAKE_C_IDENTIFIER ${source} name)
    set(object ${archive}.dir/${name}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${compiler} ${flags} ${own} -MD -MF ${object}.d -c ${folder}/${source}
        -o ${object}
      DEPENDS ${folder}/${source} DEPFILE ${object}.d
      COMMENT "Building ${target} for aarch64: ${source}" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  file(MAKE_DIRECTORY ${archive}.dir)
  add_custom_command(OUTPUT ${archive}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND ${CMAKE_AR} qcsD ${archive} ${objects}
    DEPENDS ${objects} VERBATIM)
endfunction()
