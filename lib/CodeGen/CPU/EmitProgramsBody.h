//===- EmitProgramsBody.h - actions of a program as LLVM ops ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CODEGEN_CPU_EMITPROGRAMSBODY_H
#define HGC_LIB_CODEGEN_CPU_EMITPROGRAMSBODY_H

#include "EmitModelConstants.h"

#include "dialects/Exec/ExecOps.h"

namespace hgc::cpu {

/// Fields of hgc_rt_ctx by index; all are pointers.
enum ContextField : unsigned { kArena = 0, kWeights = 1, kState = 2, kExtents = 3, kGpus = 4 };

/// Writes the function of one program. Buffers become pointers, structure
/// becomes branches; the first failing action returns its status.
class ProgramEmitter {
public:
  ProgramEmitter(exec::ProgramOp program, ConstantBuilder &constants, const llvm::StringMap<std::string> &kernelDescs);
  mlir::FailureOr<mlir::LLVM::LLVMFuncOp> emit();

private:
  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::LogicalResult emitOp(mlir::Operation &op);
  mlir::LogicalResult checkHost(mlir::Operation &op);

  mlir::LogicalResult emitView(exec::ViewOp op);
  mlir::LogicalResult emitWeight(exec::WeightOp op);
  mlir::LogicalResult emitAlias(exec::AliasOp op);
  mlir::LogicalResult emitLaunch(exec::LaunchOp op);
  mlir::LogicalResult emitLibrary(exec::LibraryOp op);
  mlir::LogicalResult emitCopy(exec::CopyOp op);
  mlir::LogicalResult emitFill(exec::FillOp op);
  mlir::LogicalResult emitFailIf(exec::FailIfOp op);
  mlir::LogicalResult emitSetExtent(exec::SetExtentOp op);
  mlir::LogicalResult emitIf(exec::IfOp op);
  mlir::LogicalResult emitFor(exec::ForOp op);
  mlir::LogicalResult emitWhile(exec::WhileOp op);
  mlir::LogicalResult emitParallel(exec::ParallelOp op);

  // EmitProgramsGpu.cpp
  void emitGpuView(exec::ViewOp op, unsigned gpu);
  void emitGpuWeight(exec::WeightOp op, exec::BlobOp blob, unsigned gpu);
  void emitGpuLaunch(exec::LaunchOp op);
  void emitGpuCopy(exec::CopyOp op);
  void emitGpuFill(exec::FillOp op, mlir::Value pattern);
  /// Record, wait and sync.
  mlir::LogicalResult emitOrder(mlir::Operation *op);
  /// Calls `name(context, gpu, stream, arguments...)` for a stream that is
  /// numbered over all GPUs; a failure is returned from the function.
  void callGpu(llvm::StringRef name, int64_t stream, llvm::ArrayRef<mlir::Value> arguments);
  void returnIfFailed(mlir::Value status);
  /// Field at byte `field` of a GPU's hgc_rt_gpu_bases.
  mlir::Value loadGpuBase(unsigned gpu, size_t field);
  mlir::Value gpuNumber(std::optional<unsigned> gpu);

  // EmitProgramsParallel.cpp
  void emitSideBySide(llvm::ArrayRef<std::pair<exec::LaunchOp, int64_t>> launches, int64_t branches);
  /// An array of `count` elements on the stack, which serves every iteration.
  mlir::Value createStackArray(mlir::Type element, int64_t count);

  /// Stores the buffers' addresses into `array`, by default the shared one.
  void storeArguments(mlir::OperandRange buffers, mlir::Value array = {});
  /// Returns hgc_rt_fail(status, message) from the function when `failed` holds.
  void returnFailureIf(mlir::Value failed, llvm::StringRef message, int status);
  /// Value of field `index` of the call's context.
  mlir::Value loadContext(unsigned index);
  mlir::Value loadFlag(mlir::Value buffer);
  mlir::Value constant(int64_t value, unsigned bits = 64);
  mlir::Value advance(mlir::Value pointer, int64_t bytes);
  mlir::Value advance(mlir::Value pointer, mlir::Value bytes);
  mlir::Value call(llvm::StringRef name, mlir::Type result, mlir::ValueRange arguments);
  mlir::Block *addBlock();

  exec::ProgramOp program;
  ConstantBuilder &constants;
  const llvm::StringMap<std::string> &kernelDescs;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::LLVM::LLVMFuncOp function;
  mlir::Value context, argumentArray;
  mlir::IRMapping values;
};

} // namespace hgc::cpu

#endif // HGC_LIB_CODEGEN_CPU_EMITPROGRAMSBODY_H
