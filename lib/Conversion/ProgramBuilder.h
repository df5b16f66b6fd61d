//===- ProgramBuilder.h - lowers one entry to a program ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CONVERSION_PROGRAMBUILDER_H
#define HGC_LIB_CONVERSION_PROGRAMBUILDER_H

#include "ModuleTables.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace hgc {

/// Lowers one entry function. Every tensor value has one buffer. A *destination*
/// is a buffer chosen for a value before the op that computes it is lowered (an
/// output, a result of a branch, a slice of a stacked result); it holds nothing
/// anyone still needs until that op writes it.
class ProgramBuilder {
public:
  /// Creates the program at the end of `module`.
  ProgramBuilder(mlir::ModuleOp module, BlobTable &blobs, KernelTable &kernels)
      : builder(mlir::OpBuilder::atBlockEnd(module.getBody())), blobs(blobs), kernels(kernels) {}

  llvm::LogicalResult build(mlir::func::FuncOp entry);

private:
  /// A copy that takes part in a parallel assignment.
  struct Move {
    mlir::Value source, target;
  };

  // ProgramBuilder.cpp
  exec::ProgramOp createProgram(mlir::func::FuncOp entry);
  llvm::LogicalResult lowerBlock(mlir::Block &block);
  llvm::LogicalResult lowerOp(mlir::Operation *op);
  void lowerKernel(graph::KernelOp op);
  void lowerTransfer(graph::TransferOp op);
  void lowerAssign(graph::AssignOp op);
  void lowerEnd(mlir::func::FuncOp entry, mlir::ValueRange outputs);

  // ControlFlow.cpp
  llvm::LogicalResult lowerIf(graph::IfOp op);
  llvm::LogicalResult lowerWhile(graph::WhileOp op);
  llvm::LogicalResult lowerScan(graph::ScanOp op);
  /// A scan with `hgc.unroll`: all iterations, one behind the other.
  llvm::LogicalResult lowerUnrolled(graph::ScanOp op, mlir::ValueRange states, mlir::ValueRange stacked);
  /// Lowers `block` so that what it yields ends up in `targets`.
  llvm::LogicalResult lowerInto(mlir::Block &block, mlir::ValueRange targets);
  /// Lowers the body of a loop: what it yields first goes to `states`, the rest
  /// to `stacked`.
  llvm::LogicalResult lowerBody(mlir::Block &block, mlir::ValueRange states, mlir::ValueRange stacked);
  /// Creates the state buffers of a loop and copies the initial values in.
  llvm::SmallVector<mlir::Value> initStates(mlir::Operation *op, mlir::ValueRange inits);

  // Buffers
  mlir::Value getBuffer(mlir::Value tensor) const { return buffers.lookup(tensor); }
  /// The blob where `op` (a read, a constant, an assignment) is placed.
  mlir::Value createWeight(exec::BlobOp blob, mlir::Operation *op);
  mlir::Value createView(mlir::MemRefType type, mlir::Location loc);
  /// `buffer` seen as `type`, which has the same number of bytes.
  mlir::Value retype(mlir::Value buffer, mlir::MemRefType type, mlir::Location loc);
  /// The buffer `result` is computed into: its destination or a new view.
  mlir::Value makeTarget(mlir::OpResult result, mlir::Attribute space = {});
  /// Makes `target` the destination of `value` if an op of `block` computes it
  /// and it has none; returns that op then.
  mlir::Operation *request(mlir::Value value, mlir::Value target, mlir::Block &block);
  void copy(mlir::Value source, mlir::Value target, mlir::Location loc);
  /// Copies as if all sources were read before any target is written.
  void copyInParallel(llvm::SmallVector<Move> moves, mlir::Location loc);

  mlir::OpBuilder builder;
  BlobTable &blobs;
  KernelTable &kernels;
  /// Whether the program fills the weights of GPUs.
  bool loading = false;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  llvm::DenseMap<mlir::Value, mlir::Value> destinations;
};

/// The op that computes `value` into a buffer of its own, seen through views;
/// null when the value lives elsewhere (inputs, parameters, constants).
mlir::Operation *findProducer(mlir::Value value);

/// Memory space of a device; null for the host.
mlir::Attribute getSpace(mlir::Attribute device);

/// Whether both buffers are the same bytes.
bool isSameBuffer(mlir::Value a, mlir::Value b);

} // namespace hgc

#endif // HGC_LIB_CONVERSION_PROGRAMBUILDER_H
