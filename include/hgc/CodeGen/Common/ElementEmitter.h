//===- ElementEmitter.h - the value of a tensor at a point ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission is pull based: to know an element of the result, know the elements
// of its operands. One ElementEmitter serves one point (or `lanes` points side
// by side): make a new one in every loop body. All code is straight line.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_COMMON_ELEMENTEMITTER_H
#define HGC_CODEGEN_COMMON_ELEMENTEMITTER_H

#include "hgc/CodeGen/Common/EmitContext.h"
#include "hgc/CodeGen/Common/IndexBuilder.h"

#include "mlir/IR/AffineMap.h"
#include "llvm/Support/Alignment.h"
#include <map>
#include <vector>

namespace hgc::codegen {

/// Index of all lanes along one dim: lane l is at `base + l * step`, or at lane
/// l of the index vector `each` when that is set. Where lanes cover several short
/// lines (see ElementEmitter), each line adds `turn`.
struct LaneIndex {
  LaneIndex(mlir::Value base = {}, int64_t step = 0, mlir::Value each = {}, int64_t turn = 0)
      : base(base), step(step), each(each), turn(turn) {}
  /// Whether all lanes are at the same index, or each right behind the one before.
  bool isUniform() const { return !each && step == 0 && turn == 0; }
  bool isContiguous() const { return !each && step == 1 && turn == 0; }

  mlir::Value base;
  int64_t step;
  mlir::Value each;
  int64_t turn;
};

/// Position along a dim of `extent` elements that an index (an integer scalar or
/// vector) of a gather or scatter stands for: counts from the end if negative,
/// then clamps.
mlir::Value wrapIndex(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value picked, int64_t extent);

/// Evaluates tensors of a kernel at one point.
class ElementEmitter {
public:
  /// `line`: every so many lanes the indices of a new line begin; 0 for none.
  ElementEmitter(EmitContext &context, int64_t lanes, int64_t line = 0)
      : context(context), index(context.builder, context.loc), lanes(lanes), line(line), fresh(lanes) {}

  /// Makes `tensor` have `value` (compute type) at this point, whatever its
  /// producers say; rounds it to the tensor's element type first. For a root's
  /// result, seen from its epilogue.
  void bind(mlir::Value tensor, mlir::Value value);

  /// Element of `tensor` at `at` (one entry per dim): a scalar, or a vector of
  /// `lanes`, of the tensor's compute type.
  mlir::Value eval(mlir::Value tensor, llvm::ArrayRef<LaneIndex> at);

  /// From now on stores write the last `count` lanes only. For points that were
  /// visited before in buffers that are read and written.
  void limitStores(int64_t count) { fresh = count; }

  /// From now on stores of whole vectors go past the caches; they are at multiples
  /// of `alignment` bytes.
  void streamStores(int64_t alignment) { streamAlignment = alignment; }

  /// Element of the kernel's result; the root's result must be bound.
  mlir::Value evalResult(llvm::ArrayRef<LaneIndex> at);

  /// Evaluates all results of the kernel at `at`, then stores each in its output
  /// buffer.
  void storeResult(llvm::ArrayRef<LaneIndex> at);

  /// The index that `map` makes of `at`.
  llvm::SmallVector<LaneIndex> apply(mlir::AffineMap map, llvm::ArrayRef<LaneIndex> at);

  /// Row-major offset of `at` in a tensor of shape `shape`.
  LaneIndex flatten(llvm::ArrayRef<LaneIndex> at, llvm::ArrayRef<int64_t> shape);

  /// Elements (compute type) of graph type `element` at an offset of a flat buffer.
  mlir::Value load(mlir::Value buffer, const LaneIndex &offset, mlir::Type element);
  void store(mlir::Value value, mlir::Value buffer, const LaneIndex &offset, mlir::Type element);

private:
  using Key = std::vector<std::pair<const void *, int64_t>>;
  using Indices = llvm::SmallVector<LaneIndex>;

  mlir::Value compute(mlir::Operation *op, llvm::ArrayRef<LaneIndex> at);
  mlir::Value computeIota(graph::IotaOp op, llvm::ArrayRef<LaneIndex> at);
  mlir::Value computeGather(graph::GatherOp op, llvm::ArrayRef<LaneIndex> at);
  mlir::Value computeGatherAlong(graph::GatherAlongOp op, llvm::ArrayRef<LaneIndex> at);
  mlir::Value computeSlice(graph::SliceOp op, llvm::ArrayRef<LaneIndex> at);
  mlir::Value computePointwise(mlir::Operation *op, llvm::ArrayRef<LaneIndex> at);
  mlir::Value computeConstant(graph::ConstantOp op);

  /// Where along a dim of `extent` elements each lane finds its element when
  /// `indices` at `chosen` say so.
  LaneIndex pick(mlir::Value indices, llvm::ArrayRef<LaneIndex> chosen, int64_t extent);
  LaneIndex apply(mlir::AffineExpr expr, llvm::ArrayRef<LaneIndex> at);
  LaneIndex add(const LaneIndex &a, const LaneIndex &b);
  LaneIndex scale(const LaneIndex &a, int64_t factor);
  /// The index of every lane as a vector.
  mlir::Value expand(const LaneIndex &a);
  /// What is known of the alignment of an access, where the device cares.
  llvm::MaybeAlign getAlignment(mlir::Value buffer, mlir::Value offset);
  mlir::Value gatherLanes(mlir::Value buffer, const LaneIndex &offset, mlir::Type storage);
  /// The same by one load and a permutation, where lanes are close together; else
  /// null.
  mlir::Value permuteLanes(mlir::Value buffer, const LaneIndex &offset, mlir::Type storage);
  /// The same by vectors of all that lies between the lanes, where that is little.
  mlir::Value skipLanes(mlir::Value buffer, const LaneIndex &offset, mlir::Type storage);
  /// How far lane `lane` is from the base.
  int64_t distance(const LaneIndex &a, int64_t lane) const { return lane * a.step + (line ? lane / line * a.turn : 0); }

  EmitContext &context;
  IndexBuilder index;
  int64_t lanes, line;
  /// Lanes that stores write, counted from the last; all of them by default.
  int64_t fresh;
  /// 0 where stores go to the caches.
  int64_t streamAlignment = 0;
  llvm::DenseMap<mlir::Value, mlir::Value> bound;
  std::map<Key, mlir::Value> known;
};

} // namespace hgc::codegen

#endif // HGC_CODEGEN_COMMON_ELEMENTEMITTER_H
