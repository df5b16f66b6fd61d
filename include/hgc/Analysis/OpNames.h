//===- OpNames.h - names that ops carry in their locations ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_ANALYSIS_OPNAMES_H
#define HGC_ANALYSIS_OPNAMES_H

#include "mlir/IR/Operation.h"

namespace hgc {

/// The name `hgc-name-ops` put into the op's location; empty when it has none.
/// Of a fused location the last named part counts.
llvm::StringRef getOpName(mlir::Operation *op);
llvm::StringRef getOpName(mlir::Location loc);

} // namespace hgc

#endif // HGC_ANALYSIS_OPNAMES_H
