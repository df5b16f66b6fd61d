//===- Resources.h - data of a module's attributes --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_SUPPORT_RESOURCES_H
#define HGC_SUPPORT_RESOURCES_H

#include "mlir/IR/BuiltinOps.h"

namespace hgc {

/// Frees the data of all `dense_resource` literals of the context that `module` does
/// not hold, nor has views of; other modules must not need theirs any more. Without it data lives as
/// long as the context, such as weights that were packed.
void dropUnusedResources(mlir::ModuleOp module);

} // namespace hgc

#endif // HGC_SUPPORT_RESOURCES_H
