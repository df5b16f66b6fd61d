//===- TargetSpec.h - the CPU code is generated for -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_TARGETSPEC_H
#define HGC_CODEGEN_CPU_TARGETSPEC_H

#include "mlir/IR/BuiltinOps.h"
#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
enum class CodeGenOptLevel;
} // namespace llvm

namespace hgc::cpu {

/// Module attributes that refine `hgc.target_cpu`: LLVM's triple, and features
/// added to (or removed from) those of the CPU, as in "+avx512f,-fma".
inline constexpr llvm::StringLiteral kTargetTripleAttr = "hgc.target_triple";
inline constexpr llvm::StringLiteral kTargetFeaturesAttr = "hgc.target_features";
inline constexpr llvm::StringLiteral kDefaultTriple = "x86_64-unknown-linux-gnu";

/// What LLVM and the runtime need to know about the target.
struct TargetSpec {
  std::string triple, cpu, features;
  /// Bits HGC_RT_CPU_* of everything LLVM may use in generated code.
  uint64_t runtimeFeatures = 0;

  /// Reads the module; reports unknown triples and CPUs. Features that LLVM may
  /// use on its own but the runtime cannot check for are switched off, so that
  /// an older CPU gets a message and never an illegal instruction.
  static mlir::FailureOr<TargetSpec> get(mlir::ModuleOp module);

  std::unique_ptr<llvm::TargetMachine> createMachine(llvm::CodeGenOptLevel level) const;
};

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_TARGETSPEC_H
