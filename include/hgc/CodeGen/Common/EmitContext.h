//===- EmitContext.h - what every emitter knows of its kernel ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_COMMON_EMITCONTEXT_H
#define HGC_CODEGEN_COMMON_EMITCONTEXT_H

#include "dialects/Exec/ExecOps.h"
#include "hgc/Target/AttentionForm.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace hgc::codegen {

/// State while the body of one kernel is emitted, on any device. Each device
/// derives its own from it.
struct EmitContext {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  exec::KernelOp kernel;
  /// Flat buffer (1-D, storage-typed, static size) of each block argument of
  /// `kernel`.
  llvm::DenseMap<mlir::Value, mlir::Value> buffers = llvm::DenseMap<mlir::Value, mlir::Value>();
  /// Alignment of all buffers in bytes where vector accesses shall say how far
  /// they are aligned; 0 where the device does not care.
  int64_t bufferAlignment = 0;
};

/// Whether the kernel's device is a GPU; one without a device runs on the CPU.
bool isGpuKernel(exec::KernelOp kernel);

/// The one root op of a kernel; null when all ops are pointwise or index maps. Of several
/// (getStagedConv, getAttention) the one that makes the kernel's result.
mlir::Operation *getRoot(exec::KernelOp kernel);

/// In a CPU kernel whose root is a depthwise convolution or a pool: the convolution that
/// makes what the root reads, some rows at a time. Null in others.
graph::ConvOp getStagedConv(exec::KernelOp kernel);

/// The roots of a CPU kernel that multiplies the softmax of rows; none in others.
std::optional<AttentionForm> getAttention(exec::KernelOp kernel);

/// The op that ends the kernel: its only store, unless the emitter takes several.
exec::StoreOp getStore(exec::KernelOp kernel);

/// The flat form of a kernel's buffer.
mlir::MemRefType getFlatType(mlir::Type buffer);

/// Whether there is nothing to compute. Emitters need not plan for that.
bool isEmptyKernel(exec::KernelOp kernel);

/// Checks that every op of the kernel but its root can be evaluated, and that
/// there is code for its outputs.
llvm::LogicalResult verifyEmittable(exec::KernelOp kernel);

/// Checks that the operands of a contraction or packing come from buffers, all but the one
/// that is `made` on the way.
llvm::LogicalResult verifyRootOperands(mlir::Operation *root, mlir::Value made = {});

/// The flat buffer that `operand` of the root was loaded from.
mlir::Value getRootBuffer(EmitContext &context, mlir::Value operand);

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_EMITCONTEXT_H
