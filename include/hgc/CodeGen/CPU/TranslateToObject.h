//===- TranslateToObject.h - LLVM dialect to machine code -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_TRANSLATETOOBJECT_H
#define HGC_CODEGEN_CPU_TRANSLATETOOBJECT_H

#include "mlir/IR/BuiltinOps.h"
#include <functional>
#include <vector>

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
  /// Told now and then, by any thread, how many kernels of how many are compiled.
  std::function<void(unsigned done, unsigned total)> progress = nullptr;
};

/// The bytes of an object file.
using ObjectCode = llvm::SmallVector<char, 0>;

/// Optimises the module at stage `llvm` for its target and writes it. `exec`
/// ops in it are ignored. Diagnostics of LLVM become MLIR's.
mlir::LogicalResult translateToObject(mlir::ModuleOp module, const ObjectOptions &options, ObjectKind kind,
                                      llvm::raw_pwrite_stream &out);

/// As translateToObject, but uses all cores if the module is large: its kernels are
/// in several objects, to be linked in this order. These are the same on every
/// machine; symbols that they share are hidden.
mlir::FailureOr<std::vector<ObjectCode>> translateToObjects(mlir::ModuleOp module, const ObjectOptions &options);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_TRANSLATETOOBJECT_H
