//===- PoolWindow.h - results of a sliding window reduction --- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_COMMON_POOLWINDOW_H
#define HGC_CODEGEN_COMMON_POOLWINDOW_H

#include "hgc/CodeGen/Common/ElementEmitter.h"

#include <array>
#include <functional>

namespace hgc::codegen {

/// Position of a result in canonical dims.
struct PoolPoint {
  LaneIndex batch, channel;
  std::array<LaneIndex, 3> spatial;
  /// Whether the windows lie inside along the last spatial dim.
  bool isInner = false;
};

/// Results [first, second) along a dim whose windows lie inside the input.
std::pair<int64_t, int64_t> findInnerResults(const graph::WindowDim &dim);

/// Emits results of one pool. The loops over a window are cut at the borders of
/// the input, so that no tap needs a test.
class PoolWindow {
public:
  /// Elements of the input at an index, in as many lanes, for kernels that keep them elsewhere.
  using Reader = std::function<mlir::Value(llvm::ArrayRef<LaneIndex>, int64_t)>;

  PoolWindow(EmitContext &context, graph::PoolOp pool, Reader reader = {});

  /// Computes `lanes` results from `out` on and stores what the kernel makes of
  /// them.
  void emit(const PoolPoint &out, int64_t lanes);

private:
  llvm::SmallVector<LaneIndex> toTensor(const LaneIndex &batch, const LaneIndex &channel,
                                        llvm::ArrayRef<LaneIndex> spatial);
  std::pair<mlir::Value, mlir::Value> tapRange(const graph::WindowDim &dim, const LaneIndex &position, bool isInner);
  mlir::Value divisor(llvm::ArrayRef<std::pair<mlir::Value, mlir::Value>> ranges, mlir::Type type);
  mlir::Value widen(mlir::Value value);
  mlir::Value finish(mlir::Value total, llvm::ArrayRef<std::pair<mlir::Value, mlir::Value>> ranges);
  mlir::Type elementType() { return llvm::cast<mlir::RankedTensorType>(pool.getInput().getType()).getElementType(); }
  mlir::Type accumulatorType();

  EmitContext &context;
  IndexBuilder b;
  graph::PoolOp pool;
  Reader reader;
  graph::ConvShape shape;
  /// Elements of a window.
  int64_t volume = 1;
};

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_POOLWINDOW_H
