//===- Version.h - version of hgc -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_SUPPORT_VERSION_H
#define HGC_SUPPORT_VERSION_H

/// One place for the version; the top-level CMakeLists.txt reads it from here.
#define HGC_VERSION_STRING "0.1.0"

#endif // HGC_SUPPORT_VERSION_H
