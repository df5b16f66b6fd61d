//===- LoadProgram.h - weights on their way to the GPUs ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CONVERSION_LOADPROGRAM_H
#define HGC_LIB_CONVERSION_LOADPROGRAM_H

#include "ModuleTables.h"

namespace hgc {

/// Adds copies of all weights that programs read on GPUs to the program that an
/// instance runs once when it is made. There is none when no program does.
void buildLoadProgram(mlir::ModuleOp module, SymbolNames &names);

} // namespace hgc

#endif // HGC_LIB_CONVERSION_LOADPROGRAM_H
