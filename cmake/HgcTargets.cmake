# How hgc's libraries, dialects, passes and tools are declared.

function(hgc_compile_options target)
  target_compile_options(${target} PRIVATE
    ${HGC_WARNINGS} -Wno-unused-parameter -fno-exceptions -fno-semantic-interposition
    -fvisibility-inlines-hidden ${HGC_SANITIZE_FLAGS}
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  target_compile_definitions(${target} PRIVATE ${LLVM_DEFINITIONS_LIST})
  target_link_options(${target} PUBLIC ${HGC_SANITIZE_FLAGS})
endfunction()

# Several files as one translation unit: MLIR's headers cost more than most files.
# Who has hgc as a subproject builds it once.
if(PROJECT_IS_TOP_LEVEL)
  set(unity OFF)
else()
  set(unity ON)
endif()
option(HGC_UNITY "Compile sources in groups: a clean build takes half the time, one changed file longer" ${unity})

# hgc_unity(<target> [<file>...]): groups the sources except those files, which
# share local names with others or are long enough to run beside them.
function(hgc_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${HGC_UNITY} UNITY_BUILD_BATCH_SIZE 6)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# hgc_library(<name> SRCS <file>... [APART <file>...] [TABLEGEN <target>...] [DEPS <target>...])
#
# The top-level CMakeLists.txt adds folders in pipeline order, and a library may
# only depend on hgc libraries that already exist. That is the layering rule.
# APART lists further sources that are never grouped with others.
function(hgc_library name)
  cmake_parse_arguments(ARG "" "" "SRCS;APART;TABLEGEN;DEPS" ${ARGN})
  foreach(dep IN LISTS ARG_DEPS)
    if(dep MATCHES "^Hgc" AND NOT TARGET ${dep})
      message(FATAL_ERROR "${name} depends on ${dep}, which comes later in the "
        "pipeline. Move the shared code to an earlier layer.")
    elseif(dep MATCHES "^(MLIR|LLVM).+")
      message(FATAL_ERROR "${name} links the static component ${dep}: link only "
        "the shared MLIR and LLVM targets.")
    endif()
  endforeach()
  add_library(${name} STATIC ${ARG_SRCS} ${ARG_APART})
  hgc_unity(${name} ${ARG_APART})
  hgc_compile_options(${name})
  target_precompile_headers(${name} REUSE_FROM HgcPch)
  target_link_libraries(${name} PUBLIC ${ARG_DEPS} MLIR LLVM)
  if(ARG_TABLEGEN)
    add_dependencies(${name} ${ARG_TABLEGEN})
  endif()
endfunction()

# hgc_tool(<name> SRCS <file>... [APART <file>...] DEPS <target>...): a binary in build/bin.
function(hgc_tool name)
  cmake_parse_arguments(ARG "" "" "SRCS;APART;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SRCS} ${ARG_APART})
  hgc_unity(${name} ${ARG_APART})
  hgc_compile_options(${name})
  # Folders of a tool include the headers of the tool itself.
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  # The precompiled header is built for libraries; -fPIE would not match it.
  target_compile_options(${name} PRIVATE -fPIC)
  target_precompile_headers(${name} REUSE_FROM HgcPch)
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} MLIR LLVM)
endfunction()

# hgc_dialect_tablegen(<stem> <mnemonic>): runs every ODS generator over
# <stem>Ops.td; depend on the target Hgc<stem>IncGen.
function(hgc_dialect_tablegen stem mnemonic)
  set(LLVM_TARGET_DEFINITIONS ${stem}Ops.td)
  mlir_tablegen(${stem}Ops.h.inc -gen-op-decls)
  mlir_tablegen(${stem}Ops.cpp.inc -gen-op-defs)
  mlir_tablegen(${stem}Dialect.h.inc -gen-dialect-decls -dialect=${mnemonic})
  mlir_tablegen(${stem}Dialect.cpp.inc -gen-dialect-defs -dialect=${mnemonic})
  mlir_tablegen(${stem}Attrs.h.inc -gen-attrdef-decls -attrdefs-dialect=${mnemonic})
  mlir_tablegen(${stem}Attrs.cpp.inc -gen-attrdef-defs -attrdefs-dialect=${mnemonic})
  mlir_tablegen(${stem}Enums.h.inc -gen-enum-decls)
  mlir_tablegen(${stem}Enums.cpp.inc -gen-enum-defs)
  add_public_tablegen_target(Hgc${stem}IncGen)

  # `hgc-doc` writes the reference of every dialect to build/docs.
  mlir_tablegen(${stem}Dialect.md -gen-dialect-doc -dialect=${mnemonic})
  if(NOT TARGET hgc-doc)
    add_custom_target(hgc-doc)
  endif()
  add_custom_target(Hgc${stem}Doc
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/docs
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${stem}Dialect.md ${PROJECT_BINARY_DIR}/docs/${stem}Dialect.md
    WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
    DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${stem}Dialect.md)
  add_dependencies(hgc-doc Hgc${stem}Doc)
endfunction()

# hgc_interface_tablegen(<file stem> <target>): op interfaces of a .td file.
function(hgc_interface_tablegen stem target)
  set(LLVM_TARGET_DEFINITIONS ${stem}.td)
  mlir_tablegen(${stem}.h.inc -gen-op-interface-decls)
  mlir_tablegen(${stem}.cpp.inc -gen-op-interface-defs)
  add_public_tablegen_target(${target})
endfunction()

# hgc_pass_tablegen(<group>): include/hgc/<group>/Passes.td -> Passes.h.inc,
# target Hgc<group>IncGen.
function(hgc_pass_tablegen group)
  set(LLVM_TARGET_DEFINITIONS ${PROJECT_SOURCE_DIR}/include/hgc/${group}/Passes.td)
  set(out ${PROJECT_BINARY_DIR}/include/hgc/${group})
  file(MAKE_DIRECTORY ${out})
  file(RELATIVE_PATH rel ${CMAKE_CURRENT_BINARY_DIR} ${out})
  string(REPLACE "/" "" tag ${group})
  mlir_tablegen(${rel}/Passes.h.inc -gen-pass-decls -name Hgc${tag})
  add_public_tablegen_target(Hgc${tag}IncGen)
endfunction()
