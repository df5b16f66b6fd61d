//===- KernelContext.h - how one kernel becomes a function ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every exec.kernel has one emitter, chosen by its root op. The emitter first
// plans (shape and target table only), then writes the loops over its units.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_KERNELCONTEXT_H
#define HGC_CODEGEN_CPU_KERNELCONTEXT_H

#include "hgc/CodeGen/Common/EmitContext.h"
#include "hgc/Target/DeviceTable.h"

#include <memory>
#include <string>

namespace hgc::cpu {

using namespace codegen;

/// What threads may share of a kernel.
struct KernelSchedule {
  /// Iterations that may be split between threads.
  int64_t units = 1;
  /// Fewest units worth a thread.
  int64_t grain = 1;
  /// Scratch memory of each range of units.
  int64_t scratchBytes = 0;
  /// For people: kind of loops and tile sizes.
  std::string text;
  /// Whether all ranges share the scratch memory and leave partial results in it,
  /// which a second function of the kernel combines.
  bool finishes = false;
  /// Whether a loop gains when every other iteration runs the units back to front:
  /// they read more than stays in the second-level cache until the next iteration.
  bool turns = false;
};

/// State while the body of one kernel is emitted. The function is
///   func.func private @<kernel>_body(%buf0: memref<NxS> {llvm.noalias}, ...,
///       [%scratch: memref<BxI8>,] %begin: index, %end: index)
/// with one flat (1-D, storage-typed, static size) memref per block argument of
/// the exec.kernel; emitters emit the loop over units [begin, end).
struct KernelContext : EmitContext {
  const DeviceTable &target;
  mlir::Value begin, end;
  /// memref<Bxi8>, 64-byte aligned; null when the schedule asks for none.
  mlir::Value scratch;
};

/// Plans and emits kernels of one kind.
struct KernelEmitter {
  virtual ~KernelEmitter();
  virtual KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const = 0;
  /// Emits the loops at the context's insertion point.
  virtual llvm::LogicalResult emit(KernelContext &context) const = 0;
  /// Emits what combines partial results, for schedules that ask for it.
  virtual llvm::LogicalResult emitFinish(KernelContext &context) const;
};

/// The emitter for the kernel's root op; null when there is none.
std::unique_ptr<KernelEmitter> createEmitter(exec::KernelOp kernel);

/// What threads may share of `kernel`, and its scratch memory; reports what
/// cannot be emitted.
mlir::FailureOr<KernelSchedule> planKernel(exec::KernelOp kernel, const DeviceTable &target);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_KERNELCONTEXT_H
