//===- Passes.h - differentiation of entries --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_AUTODIFF_PASSES_H
#define HGC_AUTODIFF_PASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace hgc {

#define GEN_PASS_DECL
#include "hgc/Autodiff/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "hgc/Autodiff/Passes.h.inc"

} // namespace hgc

#endif // HGC_AUTODIFF_PASSES_H
