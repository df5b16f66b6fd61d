//===- Passes.h - from kernels to programs on buffers -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CONVERSION_PASSES_H
#define HGC_CONVERSION_PASSES_H

#include "dialects/Exec/ExecOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace hgc {

#define GEN_PASS_DECL
#include "hgc/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "hgc/Conversion/Passes.h.inc"

} // namespace hgc

#endif // HGC_CONVERSION_PASSES_H
