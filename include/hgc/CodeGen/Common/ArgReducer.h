//===- ArgReducer.h - the arithmetic of arg_reduce --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two reductions, both in all lanes: the greatest key, then the least position
// that has it. Carrying positions along with keys would cost as much and make the
// first one depend on the order of lanes and threads.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_COMMON_ARGREDUCER_H
#define HGC_CODEGEN_COMMON_ARGREDUCER_H

#include "hgc/CodeGen/Common/IterationSpace.h"
#include "hgc/CodeGen/Common/OrderKey.h"

namespace hgc::codegen {

/// Keys and positions of one `hgc.arg_reduce`.
class ArgReducer {
public:
  ArgReducer(EmitContext &context, graph::ArgReduceOp op);

  /// Type of the greatest key, and of the least position.
  mlir::Type getKeyType() const { return key.getType(); }
  mlir::Type getPositionType() const { return positionType; }

  /// Keys of the points at `index` of the input.
  mlir::Value getKey(llvm::ArrayRef<LaneIndex> index, int64_t lanes);
  /// The positions of the points whose key is `best`, else one past all.
  mlir::Value getCandidate(llvm::ArrayRef<LaneIndex> index, int64_t lanes, mlir::Value best);
  /// A position as an element of the result.
  mlir::Value finish(mlir::Value position);

  /// `perDim` (one entry per dim of the input) as seen by the result's dims.
  template <typename T>
  static llvm::SmallVector<T> dropAxis(graph::ArgReduceOp op, llvm::SmallVector<T> perDim, const T &ofReduced) {
    if (op.getKeepdims())
      perDim[op.getAxis()] = ofReduced;
    else
      perDim.erase(perDim.begin() + op.getAxis());
    return perDim;
  }

private:
  EmitContext &context;
  graph::ArgReduceOp op;
  OrderKey key;
  mlir::Type positionType;
};

/// Accesses of the result and of what is computed from it, as functions of the
/// input's dims.
llvm::SmallVector<Access> getResultAccesses(exec::KernelOp kernel, graph::ArgReduceOp op);

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_ARGREDUCER_H
