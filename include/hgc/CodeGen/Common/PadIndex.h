//===- PadIndex.h - where a pad reads ------------------------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_COMMON_PADINDEX_H
#define HGC_CODEGEN_COMMON_PADINDEX_H

#include "dialects/Graph/GraphOps.h"
#include "hgc/CodeGen/Common/IndexBuilder.h"

namespace hgc::codegen {

/// Index into a dim of `extent` elements that position `position` of the padded
/// dim shows, where `low` elements come first. Out of range for `constant`.
mlir::Value emitPadSource(IndexBuilder &b, graph::PadMode mode, mlir::Value position, int64_t low, int64_t extent);

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_PADINDEX_H
