//===- Scans.h - loops that count as scans ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_STABLEHLO_SCANS_H
#define HGC_FRONTEND_STABLEHLO_SCANS_H

#include "mlir/IR/BuiltinOps.h"

namespace hgc::stablehlo {

/// Turns loops that count from zero to a constant into `hgc.scan`: what they read at the counter becomes a sequence, what
/// they write there a stacked result. So JAX's scans are scans again, and rows are not copied out and in.
void makeScans(mlir::ModuleOp module);

} // namespace hgc::stablehlo

#endif // HGC_FRONTEND_STABLEHLO_SCANS_H
