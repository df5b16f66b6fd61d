//===- ConvPlan.h - tile and block sizes of a convolution -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_CONVPLAN_H
#define HGC_CODEGEN_CPU_CONVPLAN_H

#include "dialects/Graph/GraphOps.h"
#include "dialects/Graph/Panels.h"
#include "hgc/CodeGen/CPU/GemmTile.h"
#include "hgc/CodeGen/CPU/KernelContext.h"
#include "hgc/CodeGen/Common/Windows.h"
#include "hgc/Target/ConvForm.h"
#include "hgc/Target/TileChoice.h"

namespace hgc::cpu {

/// How a convolution or its gradient is computed that is no matrix product.
///
/// * `Direct`: register tiles over neighbouring pixels of a row, or channels.
/// * `Depthwise`: one filter a channel, vectors along the channels.
/// * `Winograd`: squares of results; see WinogradPlan.h.
/// * `Matrix`: windows as tiles of the matrix unit; see MatrixProducts.h.
/// * `Generic`: any layout, element by element.
enum class ConvKind { Direct, Depthwise, Winograd, Matrix, Generic };

/// The loops of a direct convolution. A unit is a block of panels of output
/// channels times a block of output rows of one image (and depth slice); a long
/// single row is cut into blocks of pixels instead.
struct ConvPlan {
  ConvPlan(graph::ConvOp op, const DeviceTable &target);

  /// Rows of one pixel are taken as one row: they lie alike in memory. Then rows and
  /// pixels are swapped here.
  graph::ConvShape shape;
  bool isTurned;
  /// Lanes of an accumulator, columns of a panel, panels of a group.
  int64_t lanes, width, groupPanels;
  bool isPacked;
  /// Input channels that panels have side by side.
  int64_t interleave;
  /// Register tile: pixels of a row, and independent sums of each.
  int64_t pixelTile, chains;
  int64_t rowBlock, rowBlocks, pixelBlock, pixelBlocks, panelBlock, panelBlocks;
  /// Whether the unit's part of the input is first copied to scratch with its
  /// padding, and the extents of that copy in rows and pixels.
  bool isStaged;
  int64_t stagedRows, stagedPixels;
  int64_t scratchBytes;
  /// Rows of a block that share the fetching of the next panel; 0 where the filter is near.
  int64_t fetchRows;
  /// Whether a block takes a panel one row of the window at a time, because two panels do not fit into the second-level
  /// cache. Sums wait in scratch then.
  bool takesWindowRows;
  /// Otherwise input is read in place. Tiles of a row, and those [first, second) of them
  /// that are whole and see no padding; the others leave it out.
  int64_t tiles;
  std::pair<int64_t, int64_t> inner;

  int64_t groupInputs() const { return shape.inChannels / shape.groups; }
  int64_t groupOutputs() const { return shape.outChannels / shape.groups; }
  int64_t units() const;
  std::string describe() const;
  /// For a kernel that takes at most `rows` rows at a time, and all panels of them.
  void takeRows(int64_t rows);
  /// Whether what a pixel sees of a row of input is one run, like its part of a panel.
  bool isContiguous() const;
  /// The depth of a tile at a known place of its row, by window positions at which the
  /// same pixels see data. `step`: elements of the filter for each input channel.
  llvm::SmallVector<DepthSpan> listSpans(int64_t pixel, int64_t pixels, int64_t step) const;

private:
  bool canSkipPadding() const;
  /// One row: blocks of pixels take the place of blocks of rows.
  bool cutsRow() const;
  /// `bytes`: of a channel of a pixel that is staged.
  void chooseBlocks(const TileChoice &choice, int64_t bytes, const DeviceTable &target);
  void chooseFetching(const DeviceTable &target);
};

/// A convolution or its transpose, as seen from its result.
struct ConvView {
  explicit ConvView(graph::ConvOp op);
  explicit ConvView(graph::ConvTransposeOp op);

  /// Extents of the convolution, whichever of the two it is.
  graph::ConvShape shape;
  bool isTransposed;
  mlir::Value result, data, filter;
  bool isHwio;
  /// Columns of a panel; 0 for a filter that is not packed.
  int64_t panelWidth;
  /// What was asked for, unless it follows from the rest.
  std::optional<ConvForm> form = std::nullopt;

  int64_t resultExtent(unsigned dim) const;
  int64_t dataExtent(unsigned dim) const;
  int64_t resultChannels() const { return isTransposed ? shape.inChannels : shape.outChannels; }
  int64_t dataChannels() const { return isTransposed ? shape.outChannels : shape.inChannels; }
  bool isDepthwise() const {
    return shape.groups > 1 && shape.inChannels == shape.groups && shape.outChannels == shape.groups;
  }
  int64_t volume() const { return shape.spatial[0].window * shape.spatial[1].window * shape.spatial[2].window; }
};

ConvKind chooseConvKind(const ConvView &view);

/// Tiles [first, second) of a row that are whole and see nothing but data.
std::pair<int64_t, int64_t> findInnerTiles(const graph::WindowDim &dim, int64_t pixelTile, int64_t tiles);

/// The loops of a depthwise convolution. A unit is a block of channels times a block
/// of result rows of one image (and depth slice).
struct DepthwisePlan {
  DepthwisePlan(const ConvView &view, const DeviceTable &target);

  /// Lanes of a sum, and register tile: neighbouring pixels of a row, and vectors of
  /// channels of each.
  int64_t lanes, pixelTile, vectors;
  /// Tiles of a row, and those [first, second) of them that see no padding.
  int64_t tiles;
  std::pair<int64_t, int64_t> inner;
  /// Whether tiles unroll the window of a row. Otherwise pixels are taken one by one:
  /// windows are long, or those of a transposed convolution.
  bool isTiled;
  int64_t channelBlock, channelBlocks, rowBlock, rowBlocks;
  /// Rows of the window that an instruction multiplies at once: more than one of i8 (4), or of i8 as i16 (2). Filters
  /// are then laid out in scratch memory, a column's groups of rows one after the other.
  int64_t interleave, rowGroups;
  int64_t scratchBytes;

  int64_t group() const { return vectors * lanes; }
  /// First values of the sums that are laid out with the filter, for each channel.
  int64_t heads() const { return graph::countHeadRows(interleave); }
};

/// Takes one row of a panel of results of a convolution, as emitStoreRow does.
using PutRow =
    std::function<void(llvm::ArrayRef<mlir::Value> at, mlir::Value column, llvm::ArrayRef<ColumnPiece> pieces,
                       llvm::ArrayRef<mlir::Value> sums, int64_t columns)>;
/// Where they go unless a kernel goes on with them: to its output.
PutRow putInResult(KernelContext &context, mlir::Value result);

/// Some rows [begin, end) of an image of a convolution without depth, which a kernel goes on with.
struct ConvRows {
  mlir::Value image, begin, end;
  PutRow put;
};

void emitDirectConv(KernelContext &context, graph::ConvOp op);
/// `plan` takes rows.
void emitDirectRows(KernelContext &context, graph::ConvOp op, const ConvPlan &plan, const ConvRows &rows);
void emitDepthwiseConv(KernelContext &context, const ConvView &view);
void emitDepthwiseTiles(KernelContext &context, const ConvView &view, const DepthwisePlan &plan);
void emitGenericConv(KernelContext &context, const ConvView &view);

/// One row of results of an image without depth. Line i of the data, all images counted,
/// is line i modulo `ring` of `lines`.
void emitDepthwiseRow(KernelContext &context, const ConvView &view, const DepthwisePlan &plan, mlir::Value image,
                      mlir::Value row, mlir::Value lines, int64_t ring);

/// Schedules of the last two.
KernelSchedule scheduleDepthwiseConv(const ConvView &view, const DeviceTable &target);
KernelSchedule scheduleGenericConv(const ConvView &view);

/// Index of an output pixel in a channels-last result, without the channel.
llvm::SmallVector<mlir::Value> getOutputIndex(const graph::ConvShape &shape, mlir::Value image, mlir::Value depth,
                                              mlir::Value row, mlir::Value pixel);

/// Copies a line of data into scratch between `left` and `right` zeros, widened to
/// the target's element type. Counts and offsets are in elements; without a source
/// all of the line is zero.
struct StagedLine {
  mlir::Value source, from, target, to;
  int64_t left, count, right, lanes;
};
void emitStagedLine(IndexBuilder &index, const StagedLine &line);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_CONVPLAN_H
