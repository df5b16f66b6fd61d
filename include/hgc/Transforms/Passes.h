//===- Passes.h - passes on the graph dialect -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TRANSFORMS_PASSES_H
#define HGC_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace hgc {

#define GEN_PASS_DECL
#include "hgc/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "hgc/Transforms/Passes.h.inc"

} // namespace hgc

#endif // HGC_TRANSFORMS_PASSES_H
