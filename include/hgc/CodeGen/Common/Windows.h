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

/// Outputs [first, second) that look at input and not at padding through window
/// position `window`.
std::pair<mlir::Value, mlir::Value> getOutputRange(IndexBuilder &index, const graph::WindowDim &dim,
                                                   mlir::Value window);

/// A transposed convolution sees place `input` through every `getTapStep`-th window
/// position from this one on; the window's end where there is none.
mlir::Value getFirstTap(IndexBuilder &index, const graph::WindowDim &dim, mlir::Value input);
int64_t getTapStep(const graph::WindowDim &dim);

/// Loops over the window positions at which place `at` of the result looks at data:
/// of a convolution, or of its transpose. The body gets window position and place
/// in the data.
llvm::SmallVector<mlir::Value>
loopTaps(IndexBuilder &index, const graph::WindowDim &dim, bool isTransposed, mlir::Value at, mlir::ValueRange init,
         llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::Value, mlir::ValueRange)> body);

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_WINDOWS_H
