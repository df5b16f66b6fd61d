//===- ConvPlan.h - tile and block sizes of a convolution -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_CONVPLAN_H
#define HGC_CODEGEN_CPU_CONVPLAN_H

#include "dialects/Graph/GraphOps.h"
#include "hgc/CodeGen/CPU/KernelContext.h"
#include "hgc/CodeGen/Common/Windows.h"

namespace hgc::cpu {

/// How a convolution is computed.
///
/// * `Product`: one pixel at a time, so a matrix product over all pixels.
/// * `Direct`: register tiles over neighbouring pixels of an output row.
/// * `Depthwise`: one filter a channel, vectors along the channels.
/// * `Generic`: any layout, element by element.
enum class ConvKind { Product, Direct, Depthwise, Generic };

ConvKind chooseConvKind(graph::ConvOp op);

/// The loops of a direct convolution. A unit is a block of panels of output
/// channels times a block of output rows of one image (and depth slice).
struct ConvPlan {
  ConvPlan(graph::ConvOp op, const DeviceTable &target);

  graph::ConvShape shape;
  /// Lanes of an accumulator, columns of a panel, panels of a group.
  int64_t lanes, width, groupPanels;
  bool isPacked;
  /// Register tile: pixels of a row, and independent sums of each.
  int64_t pixelTile, chains;
  int64_t rowBlock, rowBlocks, panelBlock, panelBlocks;
  /// Whether the unit's part of the input is first copied to scratch with its
  /// padding, and the extents of that copy in rows and pixels.
  bool isStaged;
  int64_t stagedRows, stagedPixels;
  int64_t scratchBytes;

  int64_t groupInputs() const { return shape.inChannels / shape.groups; }
  int64_t groupOutputs() const { return shape.outChannels / shape.groups; }
  int64_t units() const;
  std::string describe() const;
};

void emitDirectConv(KernelContext &context, graph::ConvOp op);
void emitDepthwiseConv(KernelContext &context, graph::ConvOp op);
void emitGenericConv(KernelContext &context, graph::ConvOp op);

/// Index of an output pixel in a channels-last result, without the channel.
llvm::SmallVector<mlir::Value> getOutputIndex(const graph::ConvShape &shape, mlir::Value image, mlir::Value depth,
                                              mlir::Value row, mlir::Value pixel);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_CONVPLAN_H
