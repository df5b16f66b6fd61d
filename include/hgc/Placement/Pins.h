//===- Pins.h - devices the user asked for ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_PLACEMENT_PINS_H
#define HGC_PLACEMENT_PINS_H

#include "dialects/Graph/GraphOps.h"

namespace hgc {

/// A device and the op or function that asks for it.
struct Pin {
  graph::DeviceAttr device;
  mlir::Operation *source = nullptr;

  explicit operator bool() const { return static_cast<bool>(device); }
};

/// Whether placement decides about `op`: graph ops other than terminators.
bool isPlaced(mlir::Operation *op);

/// The pin that holds for `op`: its own, else that of the nearest op around it,
/// the function last.
Pin findPin(mlir::Operation *op);

} // namespace hgc

#endif // HGC_PLACEMENT_PINS_H
