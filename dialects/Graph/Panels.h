//===- Panels.h - rows of panels that hold several of the depth -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_PANELS_H
#define HGC_GRAPH_PANELS_H

#include "mlir/IR/Types.h"

namespace hgc::graph {

/// Elements along the depth that lie side by side in panels of `width` columns; the type
/// of the packed operand tells.
int64_t getInterleave(mlir::Type packed, int64_t width);

/// Rows of i32 that panels begin with: what is to be added to each column's sums, because
/// the other operand is taken 128 too large.
inline int64_t countHeadRows(int64_t interleave) { return interleave == 4 ? 1 : 0; }

/// Rows of a panel of `runs` stretches of the depth, each interleaved on its own.
int64_t countPanelRows(int64_t runs, int64_t run, int64_t interleave);

} // namespace hgc::graph

#endif // HGC_GRAPH_PANELS_H
