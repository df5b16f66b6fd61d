//===- OpNames.cpp - names that ops carry in their locations --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/OpNames.h"

#include "mlir/IR/Location.h"

using namespace mlir;

StringRef hgc::getOpName(Location loc) {
  if (auto named = dyn_cast<NameLoc>(loc))
    return named.getName();
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : llvm::reverse(fused.getLocations()))
      if (StringRef name = getOpName(part); !name.empty())
        return name;
  return {};
}

StringRef hgc::getOpName(Operation *op) { return getOpName(op->getLoc()); }
