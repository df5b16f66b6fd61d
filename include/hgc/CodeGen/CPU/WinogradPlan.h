//===- WinogradPlan.h - blocks of a convolution by squares ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_WINOGRADPLAN_H
#define HGC_CODEGEN_CPU_WINOGRADPLAN_H

#include "dialects/Graph/Winograd.h"
#include "hgc/CodeGen/CPU/ConvPlan.h"
#include "hgc/CodeGen/CPU/GemmPlan.h"
#include "hgc/CodeGen/Common/IndexBuilder.h"

namespace hgc::cpu {

/// The loops of a convolution in Winograd's form. A unit is a panel of output channels
/// times a block of squares of results. The panels of a block that one thread computes
/// share its transformed data. A filter that is not transformed yet becomes so a panel
/// at a time, some input channels of it, which all squares of the block are multiplied with.
struct WinogradPlan {
  WinogradPlan(graph::ConvOp op, const DeviceTable &target);

  graph::ConvShape shape;
  graph::Winograd form;
  /// Lanes of a vector, columns and vectors of a panel, panels of a group.
  int64_t lanes, width, vectors, groupPanels;
  /// Squares of one image along both dims, and of all images.
  int64_t tileRows, tileColumns, tiles;
  /// Register tile: squares, and independent sums of each. Number of such tiles.
  int64_t rowTile, chains, rowTiles;
  /// Most squares of a block, a multiple of the register tile's. Blocks differ by one
  /// such tile at most.
  int64_t tileBlock, tileBlocks;
  /// Whether threads share the panels of all blocks, because what they would read of the filter is much more than the
  /// pixels. Otherwise they share the blocks.
  bool sharesPanels;
  /// Whether pixels are so many that those of other threads are fetched ahead.
  bool fetchesPixels;
  /// Panels whose products are in scratch at the same time.
  int64_t panelBlock;
  /// Elements between two squares of the transformed data: whole vectors, whose stores stay in a cache line.
  int64_t dataStride;
  /// Elements between two points of a square, in the transformed data and in the
  /// products, and where these start in scratch.
  int64_t dataPlane, sumPlane, sumScratch, scratchBytes;
  /// Whether the last panel of a group has so few columns that its products are dot products, and where its columns lie
  /// one after the other in scratch then, as far apart as squares are.
  bool hasDots;
  int64_t turnedScratch;
  /// Whether products fetch the filter of the next ones.
  bool fetchesAhead;
  /// Whether filters are transformed at every call; input channels that are transformed at a time, elements between two
  /// points then, and where they start in scratch.
  bool isCompact;
  int64_t depthBlock, filterPlane, filterScratch;

  int64_t points() const { return form.extent() * form.extent(); }
  int64_t groupInputs() const { return shape.inChannels / shape.groups; }
  int64_t groupOutputs() const { return shape.outChannels / shape.groups; }
  int64_t units() const { return shape.groups * tileBlocks * groupPanels; }
  std::string describe() const;
  /// For a kernel that takes at most `rows` rows at a time, and all panels of them. Register tiles
  /// may then end past the last square.
  void takeRows(int64_t rows, const DeviceTable &target);
  bool takesRows = false;

private:
  void chooseScratch(const TileChoice &choice, const DeviceTable &target);
};

/// A block of squares of one group, and the panels of a thread.
struct WinogradBlock {
  mlir::Value group, firstTile, tileCount, firstPanel, endPanel;
};

/// A square: its image and its first pixel in the result.
struct WinogradSquare {
  mlir::Value image, row, pixel;
};

WinogradSquare locateSquare(IndexBuilder &index, const WinogradPlan &plan, const WinogradBlock &block,
                            mlir::Value tile);

/// An element of a flat buffer.
struct BufferPlace {
  mlir::Value buffer, at;
};

/// Transforms what a square of results sees of the images at `from`, plus the first channel of a group, to the planes
/// that begin at `to`.
void emitWinogradData(IndexBuilder &index, const WinogradPlan &plan, const BufferPlace &from,
                      const WinogradSquare &square, const BufferPlace &to);

/// Fetches most of what a square sees that the ones before it and above it do not.
void emitFetchSquare(IndexBuilder &index, const WinogradPlan &plan, const BufferPlace &from,
                     const WinogradSquare &square);

/// Transforms `count` input channels of a panel, the first of which begins at `from` in the first tap. The first point
/// begins at `to`, with a row of `columns` columns for each channel.
void emitWinogradFilter(IndexBuilder &index, const WinogradPlan &plan, const BufferPlace &from, int64_t count,
                        int64_t columns, const BufferPlace &to);

/// The products of the last panel's columns, as dot products, with the data of some squares: where both begin, how far
/// rows of the filter are apart, which part of it is fetched ahead (null for none), working memory for the columns, and
/// where the sums go.
struct WinogradDots {
  mlir::Value data, dataAt, squares;
  mlir::Value filter, filterAt, next;
  int64_t filterStep;
  mlir::Value turned;
  mlir::Value sums, sumsAt;
};

void emitWinogradDots(IndexBuilder &index, const WinogradPlan &plan, const WinogradDots &dots);

/// A panel of a block: its number, how many columns it has, and the vectors that hold them.
struct WinogradPanel {
  const WinogradBlock &block;
  mlir::Value number;
  int64_t columns;
  llvm::ArrayRef<ColumnPiece> pieces;
};

/// The products of a panel: where those of the first square and point are, how far squares are apart, and how many of
/// them lie in one vector.
struct WinogradSums {
  BufferPlace first;
  int64_t stride, together;
};

/// Transforms the products, and puts the results, pixel by pixel.
void emitWinogradResults(KernelContext &context, graph::ConvOp op, const WinogradPlan &plan, const WinogradPanel &panel,
                         const WinogradSums &from, const PutRow &put);

void emitWinogradConv(KernelContext &context, graph::ConvOp op);
/// `plan` takes rows, which start and end with squares; those of images that follow come next.
void emitWinogradRows(KernelContext &context, graph::ConvOp op, const WinogradPlan &plan, const ConvRows &rows);

/// One-dimensional transforms of vectors side by side: data and filters before the products, and
/// the products to results.
llvm::SmallVector<mlir::Value> transformData(IndexBuilder &index, int64_t tile, llvm::ArrayRef<mlir::Value> d);
llvm::SmallVector<mlir::Value> transformFilter(IndexBuilder &index, int64_t tile, llvm::ArrayRef<mlir::Value> g);
llvm::SmallVector<mlir::Value> transformSums(IndexBuilder &index, int64_t tile, llvm::ArrayRef<mlir::Value> m);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_WINOGRADPLAN_H
