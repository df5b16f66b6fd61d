//===- Pins.cpp - devices the user asked for ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Placement/Pins.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

bool hgc::isPlaced(Operation *op) {
  return isa_and_present<HGCDialect>(op->getDialect()) && !op->hasTrait<OpTrait::IsTerminator>() &&
         !isa<ParameterOp>(op);
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
