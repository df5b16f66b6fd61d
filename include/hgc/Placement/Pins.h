//===- Pins.h - devices the user asked for ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_PLACEMENT_PINS_H
#define HGC_PLACEMENT_PINS_H

#include "hgc/Placement/Devices.h"

namespace hgc {

/// A device and the op or function that asks for it.
struct Pin {
  graph::DeviceAttr device;
  mlir::Operation *source = nullptr;

  explicit operator bool() const { return static_cast<bool>(device); }
};

/// On the module between hgc-record-pins and hgc-resolve-pins: locations of the
/// ops that were pinned one by one.
inline constexpr llvm::StringLiteral kPinnedOpsAttr = "hgc.pinned_ops";

/// Whether a pin binds `op`: it computes or controls. State, constants and views
/// follow what they belong to.
bool takesPin(mlir::Operation *op);

/// The pin that holds for `op`: its own, else that of the nearest op around it,
/// the function last.
Pin findPin(mlir::Operation *op);

} // namespace hgc

#endif // HGC_PLACEMENT_PINS_H
