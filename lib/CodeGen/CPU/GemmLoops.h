//===- GemmLoops.h - loops of a matrix product ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CODEGEN_CPU_GEMMLOOPS_H
#define HGC_LIB_CODEGEN_CPU_GEMMLOOPS_H

#include "hgc/CodeGen/CPU/GemmTile.h"
#include "hgc/CodeGen/CPU/Matmul.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include <functional>

namespace hgc::cpu {

/// Where the loops stand: one block of rows, panels and depth.
struct GemmBlock {
  llvm::SmallVector<mlir::Value> batch;
  /// Start of the operands' matrices.
  mlir::Value lhs, rhs;
  mlir::Value row, rowEnd, panel;
  mlir::Value depthStart, depth;
  mlir::Value isFirstDepth, isLastDepth;
};

/// A tile inside a block.
struct GemmPlace {
  mlir::Value row, panel;
  int64_t rows, panels;
  /// Vectors of each panel; shorter than the panel only when the right operand
  /// is read in place.
  llvm::SmallVector<ColumnPiece> pieces;
};

/// A row of a panel that is complete: the first of its tile, its number there, and what
/// emitStoreRow takes.
using RowSink =
    std::function<void(mlir::Value tile, mlir::Value row, llvm::ArrayRef<mlir::Value> at, mlir::Value column,
                       llvm::ArrayRef<ColumnPiece> pieces, llvm::ArrayRef<mlir::Value> sums, int64_t columns)>;

/// The row dims of a product, with those that the evaluation of `ends` walks as one
/// counted by the last of them: a row then needs no division to find its index.
llvm::SmallVector<int64_t> mergeRowDims(llvm::ArrayRef<mlir::Value> ends, mlir::Value result, const Matmul &problem);

/// Writes the loops of one product.
class GemmLoops {
public:
  GemmLoops(KernelContext &context, mlir::Value result, const Matmul &problem, mlir::Value lhs, mlir::Value rhs)
      : context(context), result(result), index(context.builder, context.loc), problem(problem), shape(problem.shape),
        plan(planGemm(shape, context.target)), accumulator(mlir::getElementTypeOrSelf(result.getType())), lhs(lhs),
        rhs(rhs) {}
  /// With a plan that neither copies the left operand nor cuts depth and panels, for some
  /// rows at a time of all panels. They go to `sink`.
  GemmLoops(KernelContext &context, mlir::Value result, const Matmul &problem, mlir::Value lhs, mlir::Value rhs,
            const GemmPlan &plan, RowSink sink)
      : GemmLoops(context, result, problem, lhs, rhs) {
    this->plan = plan;
    this->sink = std::move(sink);
    findScratch();
  }

  void emit();

  /// An entry of the batch; its rows are still to be said.
  GemmBlock locateEntry(mlir::Value entry);
  /// Copies the entry's panels, for a plan that does so.
  void packEntry(GemmBlock block);
  /// Rows from one multiple of the tile to another, of which the last may be past
  /// the end.
  void emitRange(GemmBlock block);

private:
  void findScratch();
  void takeDepth(GemmBlock &block, mlir::Value start);
  void emitUnits();
  void forEachBlock(mlir::Value firstRow, mlir::Value endRow, llvm::function_ref<void(mlir::Value, mlir::Value)> body);
  void emitGroup(mlir::Value group, mlir::Value firstRow, mlir::Value endRow);
  void emitBlock(GemmBlock &block);
  void emitDepthBlock(GemmBlock &block);
  void emitRowBlock(const GemmBlock &block);
  void emitPanels(const GemmBlock &block);
  void turnTail();
  void emitTailDots(const GemmBlock &block);
  void emitTailRows(const GemmBlock &block, mlir::Value row, int64_t rows);
  void emitRows(const GemmBlock &block, mlir::Value panel, int64_t panels, llvm::ArrayRef<ColumnPiece> pieces);
  void emitOverlapped(const GemmBlock &block, llvm::ArrayRef<ColumnPiece> pieces);
  void saveTile(llvm::ArrayRef<ColumnPiece> pieces, llvm::ArrayRef<mlir::Value> sums);
  void storeSaved(const GemmBlock &block, const GemmPlace &place, mlir::Value row, size_t piece);
  void emitTileAt(const GemmBlock &block, const GemmPlace &place);
  GemmTile describeTile(const GemmBlock &block, const GemmPlace &place);
  mlir::Value nextPanel(const GemmBlock &block, const GemmPlace &place, mlir::Value panel, mlir::Value ahead);
  void addPrefetch(const GemmBlock &block, const GemmPlace &place, GemmTile &tile, mlir::Value panel);
  void packLhs(const GemmBlock &block);
  void packRhs(const GemmBlock &block);
  void storeRow(const GemmBlock &block, const GemmPlace &place, mlir::Value row, int64_t panel,
                llvm::ArrayRef<ColumnPiece> pieces, llvm::ArrayRef<mlir::Value> sums, int64_t columns);
  void storePanel(const GemmBlock &block, const GemmPlace &place, int64_t panel, llvm::ArrayRef<mlir::Value> sums,
                  int64_t columns);
  void storeTile(const GemmBlock &block, const GemmPlace &place, llvm::ArrayRef<mlir::Value> sums);
  /// Offset of a tile's vector in the partial sums.
  mlir::Value sumOffset(const GemmBlock &block, const GemmPlace &place, int64_t row, int64_t panel, int64_t column);
  void fetchEnd(const GemmBlock &block, const GemmPlace &place, GemmTile &tile);
  void prefetchSums(const GemmBlock &block, const GemmPlace &place);
  llvm::SmallVector<mlir::Value> addSums(const GemmBlock &block, const GemmPlace &place,
                                         llvm::ArrayRef<mlir::Value> sums);
  void saveSums(const GemmBlock &block, const GemmPlace &place, llvm::ArrayRef<mlir::Value> sums);

  mlir::Value choose(mlir::Value condition, mlir::Value yes, mlir::Value no) {
    return mlir::arith::SelectOp::create(index.builder, index.loc, condition, yes, no);
  }
  bool isDirect() const { return shape.rhs == RhsLayout::RowMajor && !plan.packRhs; }
  int64_t fullRows() const { return shape.rows / plan.rowTile * plan.rowTile; }
  int64_t tailColumns() const { return shape.columns % plan.width; }
  llvm::SmallVector<ColumnPiece> tailPieces() const;

  KernelContext &context;
  mlir::Value result;
  IndexBuilder index;
  const Matmul &problem;
  GemmShape shape;
  GemmPlan plan;
  mlir::Type accumulator;
  mlir::Value lhs, rhs, packedLhs, packedRhs, partialSums, turnedTail;
  RowSink sink;
};

} // namespace hgc::cpu

#endif // HGC_LIB_CODEGEN_CPU_GEMMLOOPS_H
