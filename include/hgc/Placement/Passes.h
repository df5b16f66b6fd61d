//===- Passes.h - where each op runs -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_PLACEMENT_PASSES_H
#define HGC_PLACEMENT_PASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace hgc {

#define GEN_PASS_DECL
#include "hgc/Placement/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "hgc/Placement/Passes.h.inc"

} // namespace hgc

#endif // HGC_PLACEMENT_PASSES_H
