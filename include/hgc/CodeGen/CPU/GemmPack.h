//===- GemmPack.h - copy a matrix into panel order --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_GEMMPACK_H
#define HGC_CODEGEN_CPU_GEMMPACK_H

#include "hgc/CodeGen/Common/IndexBuilder.h"

namespace hgc::cpu {

using namespace codegen;

/// target[k * width + c] = source[c * columnStride + k * depthStride], widened to
/// the target's element type; columns from `columns` on become zero. Offsets are
/// relative to the bases.
struct PanelCopy {
  mlir::Value source, sourceBase, target, targetBase;
  int64_t columns, width, columnStride, depthStride;
  mlir::Value depth;
  /// Lanes of a vector of the target's elements.
  int64_t lanes;
  /// Whether whole vectors of neighbouring columns go past the caches. Panels start at a line then.
  bool isStreamed = false;
};

void emitPanelCopy(IndexBuilder &index, const PanelCopy &copy);

/// Copies `depth` neighbouring elements, widened to the target's element type.
void emitRowCopy(IndexBuilder &index, mlir::Value source, mlir::Value sourceBase, mlir::Value target,
                 mlir::Value targetBase, mlir::Value depth, int64_t lanes);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_GEMMPACK_H
