//===- Pins.cpp - devices the user asked for ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Placement/Pins.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

bool hgc::takesPin(Operation *op) {
  return isPlaced(op) && !isa<ReadOp, AssignOp, CheckOp, ConstantOp, ReshapeOp, TransferOp>(op);
}

Pin hgc::findPin(Operation *op) {
  for (Operation *source = op; source; source = source->getParentOp()) {
    if (auto device = source->getAttrOfType<DeviceAttr>(HGCDialect::kDevice))
      return {device, source};
    if (isa<func::FuncOp>(source))
      break;
  }
  return {};
}
