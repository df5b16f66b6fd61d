//===- GpuPlacement.h - devices of the GPU plan -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_PLACEMENT_GPUPLACEMENT_H
#define HGC_LIB_PLACEMENT_GPUPLACEMENT_H

#include "hgc/Placement/Pins.h"

#include "mlir/IR/BuiltinOps.h"

namespace hgc {

/// An op that needs a device, with the pin that holds for it.
struct PinnedOp {
  mlir::Operation *op;
  Pin pin;
};

/// Decides about one entry of the GPU plan: pins are honoured, everything else
/// that computes goes to the first GPU. `ops` are in program order, outer first.
llvm::LogicalResult placeOnGpu(llvm::ArrayRef<PinnedOp> ops);

/// Gives each parameter that some entry assigns one home in the GPU plan: the
/// GPU that reads or writes it, else the host. All entries must be decided.
void placeState(mlir::ModuleOp module);

} // namespace hgc

#endif // HGC_LIB_PLACEMENT_GPUPLACEMENT_H
