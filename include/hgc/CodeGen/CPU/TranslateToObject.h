//===- TranslateToObject.h - LLVM dialect to machine code -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_TRANSLATETOOBJECT_H
#define HGC_CODEGEN_CPU_TRANSLATETOOBJECT_H

#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class raw_pwrite_stream;
} // namespace llvm

namespace hgc::cpu {

/// What translateToObject writes.
enum class ObjectKind { Object, Assembly, LLVMIR };

/// Instrumentation of the generated code.
enum class Sanitizer { None, Address, Thread };

struct ObjectOptions {
  /// 0 to 3, as -O0 to -O3.
  unsigned optLevel = 3;
  Sanitizer sanitizer = Sanitizer::None;
};

/// Optimises the module at stage `llvm` for its target and writes it. `exec`
/// ops in it are ignored. Diagnostics of LLVM become MLIR's.
mlir::LogicalResult translateToObject(mlir::ModuleOp module, const ObjectOptions &options, ObjectKind kind,
                                      llvm::raw_pwrite_stream &out);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_TRANSLATETOOBJECT_H
