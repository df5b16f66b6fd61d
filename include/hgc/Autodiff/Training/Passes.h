//===- Passes.h - training entries ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_AUTODIFF_TRAINING_PASSES_H
#define HGC_AUTODIFF_TRAINING_PASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace hgc {

#define GEN_PASS_DECL
#include "hgc/Autodiff/Training/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "hgc/Autodiff/Training/Passes.h.inc"

} // namespace hgc

#endif // HGC_AUTODIFF_TRAINING_PASSES_H
