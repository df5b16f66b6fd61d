# Finds MLIR 22 (shared libraries only) and sets up tablegen.

set(HGC_LLVM_HINTS /usr/lib/llvm-22/lib/cmake)
find_package(MLIR REQUIRED CONFIG HINTS ${HGC_LLVM_HINTS}/mlir)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "hgc needs LLVM/MLIR 22, found ${LLVM_PACKAGE_VERSION}. "
    "Install libmlir-22-dev or set MLIR_DIR.")
endif()
if(NOT TARGET MLIR OR NOT TARGET LLVM)
  message(FATAL_ERROR "hgc links the shared libMLIR and libLLVM only: a static "
    "MLIR component beside them would duplicate TypeIDs. This MLIR has none.")
endif()

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# mlir_tablegen reads directory include paths, so they must be set up here.
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories(${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
include_directories(${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/include)
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND ${LLVM_DEFINITIONS})

# One precompiled header for the whole compiler: the headers of MLIR and of our
# dialects dominate the cost of every translation unit.
file(WRITE ${PROJECT_BINARY_DIR}/cmake/pch.cpp "")
add_library(HgcPch STATIC ${PROJECT_BINARY_DIR}/cmake/pch.cpp)
hgc_compile_options(HgcPch)
target_precompile_headers(HgcPch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/hgc_pch.h)
add_dependencies(HgcPch HgcGraphInterfacesIncGen HgcGraphIncGen HgcExecIncGen)
