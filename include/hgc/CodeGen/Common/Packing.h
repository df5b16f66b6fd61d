//===- Packing.h - how panels relate to matrices -------------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_COMMON_PACKING_H
#define HGC_CODEGEN_COMMON_PACKING_H

#include "dialects/Graph/GraphOps.h"

namespace hgc::codegen {

/// `matrices` row-major matrices of [depth, columns], each row `rowStride` long,
/// `matrixStride` elements apart.
struct Packing {
  explicit Packing(graph::PackOp op);

  int64_t width, matrices = 1, columns = 0, depth = 1, rowStride = 0, matrixStride = 0, panels = 0;
};

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_PACKING_H
