//===- Classical.h - import functions of ai.onnx.ml -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_OPS_CLASSICAL_H
#define HGC_FRONTEND_ONNX_OPS_CLASSICAL_H

#include "Regions.h"

namespace hgc::onnx {

llvm::LogicalResult importVectorizer(Node &node);
llvm::LogicalResult importTrees(Node &node);
llvm::LogicalResult importTreeRegressor(Node &node);

/// Scores [batch, targets] after the function of attribute `post_transform`; null,
/// reported, for one that is not imported.
mlir::Value transformScores(Node &node, mlir::Value scores, llvm::StringRef name);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_OPS_CLASSICAL_H
