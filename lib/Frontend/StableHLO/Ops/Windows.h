//===- Windows.h - sliding windows over any dims ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_STABLEHLO_OPS_WINDOWS_H
#define HGC_FRONTEND_STABLEHLO_OPS_WINDOWS_H

#include "../Node.h"

namespace hgc::stablehlo {

class OpTable;

/// One entry a dim.
struct WindowAttributes {
  Extents extents, strides, base, dilations, low, high;
};

/// Attributes of a window over a value of this rank; nothing (reported) when one is no such.
std::optional<WindowAttributes> readWindow(Node &node, int64_t rank);

/// Whether the windows of `input` are as many as `result` has elements.
bool fitsWindow(const WindowAttributes &window, Shape input, Shape result);

/// Applies the padding and gaps of a window, which has none afterwards.
mlir::Value padWindow(Node &node, mlir::Value value, mlir::Value fill, WindowAttributes &window);

/// Elements at one offset in each window of a padded value.
mlir::Value sliceWindow(Node &node, mlir::Value value, const WindowAttributes &window, Shape offset, Shape result);

/// The gradient of a maximum over windows: Ops/SelectAndScatter.cpp.
void addSelectAndScatter(OpTable &table);

} // namespace hgc::stablehlo

#endif // HGC_FRONTEND_STABLEHLO_OPS_WINDOWS_H
