//===- Windows.h - indices of sliding windows -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_COMMON_WINDOWS_H
#define HGC_CODEGEN_COMMON_WINDOWS_H

#include "dialects/Graph/GraphOps.h"
#include "hgc/CodeGen/Common/IndexBuilder.h"

namespace hgc::codegen {

/// Window positions [first, second) at which output `output` looks at input and
/// not at padding.
std::pair<mlir::Value, mlir::Value> getWindowRange(IndexBuilder &index, const graph::WindowDim &dim,
                                                   mlir::Value output);

/// Input position that `output` looks at through window position `window`.
mlir::Value getInputPosition(IndexBuilder &index, const graph::WindowDim &dim, mlir::Value output, mlir::Value window);

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_WINDOWS_H
