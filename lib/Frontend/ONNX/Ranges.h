//===- Ranges.h - what integers of run-time shapes can be -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes that models compute from the shapes of bounded values are known within
// bounds: extents lie between 0 and the largest one.
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_RANGES_H
#define HGC_FRONTEND_ONNX_RANGES_H

#include "Node.h"

namespace hgc::onnx {

/// The least and the greatest value a number can have.
struct Bounds {
  int64_t least, most;
  bool isExact() const { return least == most; }
};

/// Ranges of the elements of a short value of integers; nothing when some element
/// may be anything.
std::optional<llvm::SmallVector<Bounds>> getRanges(Node &node, mlir::Value value);

/// A shape that is a run-time value of known ranges.
struct BoundedShape {
  /// The largest extents.
  Extents most;
  /// The actual extents; null where they are the largest ones for certain.
  llvm::SmallVector<mlir::Value> actual;
};
/// The extents in a list of integers; nothing when they have no bounds that memory
/// could hold. A call with a negative extent fails.
std::optional<BoundedShape> getBoundedShape(Node &node, mlir::Value list);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_RANGES_H
