# What `cmake --install` copies, and packages (cpack) hold.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Tools find Debian's libMLIR where it was at build time.
set_target_properties(hgc hgc-opt hgc-lsp-server hgc-reduce PROPERTIES INSTALL_RPATH "${LLVM_LIBRARY_DIR}")
install(TARGETS hgc EXPORT hgcTargets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS hgc-opt hgc-lsp-server hgc-reduce RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# The emulated GPU is opened by path, never linked.
install(TARGETS hgc_emucuda LIBRARY DESTINATION lib/hgc)
install(DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/emulated-cuda DESTINATION lib/hgc)

add_library(hgc_headers INTERFACE)
set_target_properties(hgc_headers PROPERTIES EXPORT_NAME headers)
target_include_directories(hgc_headers INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/runtime/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS hgc_headers EXPORT hgcTargets)
set(headers runtime/include/hgc_rt.h runtime/include/hgc_rt.hpp runtime/include/hgc_rt_dlpack.h)
install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(DIRECTORY python/hgc DESTINATION lib/python3/dist-packages PATTERN __pycache__ EXCLUDE)

# Completion scripts and the manual come from hgc itself. Made here, they cost
# the build nothing.
install(CODE [[
  function(write_output file)
    execute_process(COMMAND "$<TARGET_FILE:hgc>" ${ARGN} OUTPUT_FILE ${file} COMMAND_ERROR_IS_FATAL ANY)
  endfunction()
  write_output("$<TARGET_FILE_DIR:hgc>/../cmake/hgc" completion bash)
  write_output("$<TARGET_FILE_DIR:hgc>/../cmake/_hgc" completion zsh)
  write_output("$<TARGET_FILE_DIR:hgc>/../cmake/hgc.1" manual)
]])
set(made ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/../cmake)
install(FILES ${made}/hgc DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${made}/_hgc DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${made}/hgc.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# find_package(hgc), and pkg-config.
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/hgc)
install(EXPORT hgcTargets NAMESPACE hgc:: DESTINATION ${package})
configure_package_config_file(cmake/hgcConfig.cmake.in ${PROJECT_BINARY_DIR}/cmake/hgcConfig.cmake
  INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO)
# Until 1.0 minor versions may differ in what they offer.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/hgcConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/hgcAddModel.cmake ${PROJECT_BINARY_DIR}/cmake/hgcConfig.cmake
  ${PROJECT_BINARY_DIR}/cmake/hgcConfigVersion.cmake DESTINATION ${package})
file(RELATIVE_PATH HGC_PC_PREFIX /root/${CMAKE_INSTALL_LIBDIR}/pkgconfig /root)
configure_file(cmake/hgc.pc.in ${PROJECT_BINARY_DIR}/cmake/hgc.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cmake/hgc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# hgc_add_model() works in a project that has hgc as a subfolder, too.
add_executable(hgc::hgc ALIAS hgc)
add_library(hgc::headers ALIAS hgc_headers)
include(hgcAddModel)

if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_CONTACT "The hgc developers <hgc@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "hgc turns model graphs (ONNX, MLIR text) into shared or static libraries with a\
 typed C interface. They hold machine code, weights and a small runtime, and need libc only.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, gcc | c-compiler, python3-numpy")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
include(CPack)
