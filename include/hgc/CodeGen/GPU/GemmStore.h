//===- GemmStore.h - from accumulators to the output buffer -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_GEMMSTORE_H
#define HGC_CODEGEN_GPU_GEMMSTORE_H

#include "hgc/CodeGen/Common/ElementEmitter.h"
#include "hgc/CodeGen/GPU/GemmPlan.h"
#include "hgc/CodeGen/GPU/KernelContext.h"

namespace hgc::gpu {

/// Sums of one thread that lie side by side along the columns.
struct GemmPiece {
  mlir::Value row, column;
  /// Scalars of accumulator type.
  llvm::SmallVector<mlir::Value> sums;
};

/// Where a kernel's sums go: through the ops after the root into the output, or
/// as they are into scratch.
class GemmStore {
public:
  GemmStore(KernelContext &context, const Contraction &problem, const GemmPlan &plan, mlir::Value rootResult)
      : context(context), index(context.builder, context.loc), problem(problem), plan(plan), rootResult(rootResult) {}

  /// Stores a piece whose columns are a multiple of its length. `rowMayEnd` and
  /// `columnMayEnd` say whether the piece can lie outside of the result.
  void store(const GemmPiece &piece, mlir::Value batch, mlir::Value split, bool rowMayEnd, bool columnMayEnd);

  /// The second launch of split plans: one thread adds the partial sums of a few
  /// neighbours in the order of the shares.
  void combine();
  /// Threads that takes.
  static int64_t combineThreads(const Contraction &problem);

private:
  void storeResult(const GemmPiece &piece, mlir::Value batch, mlir::Value exists);
  void storePartial(const GemmPiece &piece, mlir::Value batch, mlir::Value split, mlir::Value exists);
  mlir::Value partialOffset(mlir::Value split, mlir::Value batch, mlir::Value row, mlir::Value column);
  mlir::Value partials();

  KernelContext &context;
  codegen::IndexBuilder index;
  const Contraction &problem;
  const GemmPlan &plan;
  mlir::Value rootResult;
};

/// Integer or float sum.
mlir::Value emitSum(codegen::IndexBuilder &index, mlir::Value a, mlir::Value b);

/// a * b + c of accumulator type, in one rounding.
mlir::Value emitMultiplyAdd(codegen::IndexBuilder &index, mlir::Value a, mlir::Value b, mlir::Value c);

/// A scalar of an operand as the accumulator's type.
mlir::Value emitWiden(codegen::IndexBuilder &index, mlir::Value value, mlir::Type accumulator);

mlir::Value emitZero(codegen::IndexBuilder &index, mlir::Type type);

} // namespace hgc::gpu

#endif // HGC_CODEGEN_GPU_GEMMSTORE_H
