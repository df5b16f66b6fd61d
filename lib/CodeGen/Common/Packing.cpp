//===- Packing.cpp - how panels relate to matrices ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/Packing.h"

using namespace mlir;

namespace hgc::codegen {

Packing::Packing(graph::PackOp op) : width(op.getWidth()) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  rowStride = input.getShape().back();
  if (op.getKind() == graph::PackKind::MatmulRhs) {
    columns = rowStride;
    depth = input.getShape().end()[-2];
    for (int64_t extent : input.getShape().drop_back(2))
      matrices *= extent;
    matrixStride = depth * columns;
  } else {
    matrices = op.getGroups();
    columns = rowStride / matrices;
    for (int64_t extent : input.getShape().drop_back())
      depth *= extent;
    matrixStride = columns;
  }
  panels = (columns + width - 1) / width;
}

} // namespace hgc::codegen
