//===- Passes.h - plans as inputs --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_REPORT_PASSES_H
#define HGC_REPORT_PASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace hgc {

#define GEN_PASS_DECL
#include "hgc/Report/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "hgc/Report/Passes.h.inc"

} // namespace hgc

#endif // HGC_REPORT_PASSES_H
