# hgc_add_model(<target> <model> [NAME <name>] [SHARED | STATIC] [GPU <gpu>...]
#               [DIMS <dim>=<n>[,<n>...]...] [SHAPES <input>=<extents>...]
#               [OPTIONS <option>...] [DEPENDS <file>...])
#
# Compiles a model when the project is built and links it to <target>, whose
# sources may include <name>.h (C) and <name>.hpp (C++). <name> is also the prefix
# of the C functions; it defaults to the stem of the file. STATIC, the default
# unless BUILD_SHARED_LIBS is set, makes the model part of the program. OPTIONS are
# handed to `hgc compile`; a project for aarch64 gets code for every such CPU unless
# they have --target-cpu. The model is compiled again when its file, a file that
# it or an option names, or hgc itself has changed.
#
# The library is an imported target <target>-<name>, for example for
#   install(IMPORTED_RUNTIME_ARTIFACTS app-net)
include_guard(GLOBAL)

function(hgc_add_model target model)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "SHARED;STATIC" "NAME" "GPU;DIMS;SHAPES;OPTIONS;DEPENDS")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "hgc_add_model: there is no target '${target}'\n"
      "hint: call it after add_executable(${target} ...) or add_library(${target} ...)")
  endif()
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "hgc_add_model: unknown arguments '${ARG_UNPARSED_ARGUMENTS}'\n"
      "hint: options of 'hgc compile' go after OPTIONS")
  endif()
  if(ARG_SHARED AND ARG_STATIC)
    message(FATAL_ERROR "hgc_add_model: SHARED and STATIC exclude each other\nhint: drop one of them")
  endif()
  get_filename_component(model "${model}" ABSOLUTE)
  if(NOT ARG_NAME)
    get_filename_component(ARG_NAME "${model}" NAME_WE)
  endif()
  # The name of the file is the name that a linked program looks for.
  string(MAKE_C_IDENTIFIER "${ARG_NAME}" name)
  if(TARGET ${target}-${name})
    message(FATAL_ERROR "hgc_add_model: '${target}' already has a model '${name}'\n"
      "hint: give this one another name with NAME")
  endif()

  if(ARG_SHARED OR (BUILD_SHARED_LIBS AND NOT ARG_STATIC))
    set(kind SHARED)
    set(library ${name}.so)
    set(flags --emit=lib)
  else()
    set(kind STATIC)
    set(library ${name}.a)
    set(flags --emit=staticlib)
  endif()
  foreach(dim IN LISTS ARG_DIMS)
    list(APPEND flags "--dim=${dim}")
  endforeach()
  foreach(shape IN LISTS ARG_SHAPES)
    list(APPEND flags "--shape=${shape}")
  endforeach()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$" AND NOT "${ARG_OPTIONS}" MATCHES "--target-(cpu|table)")
    list(APPEND flags --target-cpu=armv8-a)
  endif()
  if(ARG_GPU)
    list(JOIN ARG_GPU "," gpus)
    list(APPEND flags "--gpu=${gpus}")
  endif()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.models/${name})
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${folder}/${library} ${folder}/${name}.h ${folder}/${name}.hpp
    BYPRODUCTS ${folder}/${name}.plan.json ${folder}/hgc_rt.h ${folder}/hgc_rt.hpp
    COMMAND hgc::hgc compile ${model} --name=${name} ${flags} ${ARG_OPTIONS} -MD -o ${folder}/${library}
    DEPENDS ${model} ${ARG_DEPENDS} $<TARGET_FILE:hgc::hgc>
    DEPFILE ${folder}/${library}.d
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    COMMENT "Compiling model ${name}" VERBATIM)
  add_custom_target(${target}-${name}-compile DEPENDS ${folder}/${library})

  add_library(${target}-${name} ${kind} IMPORTED GLOBAL)
  set_target_properties(${target}-${name} PROPERTIES
    IMPORTED_LOCATION ${folder}/${library}
    INTERFACE_INCLUDE_DIRECTORIES ${folder})
  if(kind STREQUAL "SHARED")
    set_target_properties(${target}-${name} PROPERTIES IMPORTED_SONAME ${library})
  else()
    set_target_properties(${target}-${name} PROPERTIES INTERFACE_LINK_LIBRARIES "m;${CMAKE_DL_LIBS};pthread")
  endif()
  add_dependencies(${target}-${name} ${target}-${name}-compile)
  target_link_libraries(${target} PRIVATE ${target}-${name})
  add_dependencies(${target} ${target}-${name}-compile)
endfunction()
