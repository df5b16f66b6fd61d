//===- EmitProgramsBody.h - actions of a program as LLVM ops ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CODEGEN_CPU_EMITPROGRAMSBODY_H
#define HGC_LIB_CODEGEN_CPU_EMITPROGRAMSBODY_H

#include "EmitModelConstants.h"

#include "dialects/Exec/ExecOps.h"

namespace hgc::cpu {

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

  /// Stores the buffers' addresses into the shared array on the stack.
  void storeArguments(mlir::OperandRange buffers);
  /// Returns hgc_rt_fail(message) from the function when `failed` holds.
  void returnFailureIf(mlir::Value failed, llvm::StringRef message);
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
