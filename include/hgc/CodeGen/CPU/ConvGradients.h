//===- ConvGradients.h - loops of a convolution's gradients -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_CONVGRADIENTS_H
#define HGC_CODEGEN_CPU_CONVGRADIENTS_H

#include "hgc/CodeGen/CPU/ConvPlan.h"

namespace hgc::cpu {

/// The loops of a transposed convolution with a packed filter. Pixels of a row of
/// the result that leave the same remainder by the stride form a phase: they see
/// neighbouring pixels of the data through the same part of the window, so that a
/// tile is a run of one phase times a panel of channels. A unit is a block of panels
/// times a block of rows of one image (and depth slice).
struct TransposedPlan {
  TransposedPlan(graph::ConvTransposeOp op, const DeviceTable &target);

  graph::ConvShape shape;
  /// Lanes of an accumulator, columns of a panel, panels of a group.
  int64_t lanes, width, groupPanels;
  int64_t pixelTile, rowBlock, rowBlocks, panelBlock, panelBlocks;
  /// Zeros beside a row of the data that tiles may see, in pixels.
  int64_t left, right;
  /// Whether the unit's part of the data is first copied to scratch with its zeros,
  /// and the extents of that copy.
  bool isStaged;
  int64_t stagedPlanes, stagedRows, stagedPixels;
  int64_t scratchBytes;

  int64_t units() const { return panelBlocks * shape.batch * shape.spatial[0].input * rowBlocks; }
  std::string describe() const;
};

void emitTransposedConv(KernelContext &context, graph::ConvTransposeOp op);

/// The loops of a filter gradient. All taps of a plane times the input channels are
/// the rows of a product with the output channels: a tile is a run of rows times a
/// panel of columns. Its depth are the output pixels, in chunks of images and lines
/// that stay in the cache. A unit is a block of tiles.
struct FilterGradPlan {
  FilterGradPlan(graph::ConvFilterGradOp op, const DeviceTable &target);

  graph::ConvShape shape;
  int64_t lanes, width, groupPanels;
  int64_t rowTile, rowBlock, rowBlocks, panelBlock, panelBlocks;
  /// Images and output lines of a chunk.
  int64_t chunkImages, chunkRows;
  /// Whether a panel of a chunk is first copied to scratch: several tiles read it.
  bool isPacked;
  /// Whether the data of a chunk is first copied to scratch between zeros: then every
  /// tap sees all pixels. The extents of a plane of that copy.
  bool isStaged;
  int64_t stagedRows, stagedPixels;
  /// Where the copies lie behind the sums that wait for the next chunk, in bytes.
  int64_t panelScratch, stageScratch;
  int64_t scratchBytes;

  int64_t groupInputs() const { return shape.inChannels / shape.groups; }
  int64_t groupOutputs() const { return shape.outChannels / shape.groups; }
  /// Rows of the product: the taps of a plane and the channels.
  int64_t groupRows() const { return shape.spatial[1].window * shape.spatial[2].window * groupInputs(); }
  bool isChunked() const { return chunkImages < shape.batch || chunkRows < shape.spatial[1].output; }
  int64_t chunkPlanes() const { return chunkImages * shape.spatial[0].output; }
  int64_t chunkLines() const { return chunkPlanes() * chunkRows; }
  /// Elements of a staged plane.
  int64_t stagedPlane() const { return stagedRows * stagedPixels * shape.inChannels; }
  int64_t units() const;
  std::string describe() const;
};

ConvKind chooseConvKind(graph::ConvFilterGradOp op);

void emitFilterGrad(KernelContext &context, graph::ConvFilterGradOp op);
void emitDepthwiseFilterGrad(KernelContext &context, graph::ConvFilterGradOp op);
void emitGenericFilterGrad(KernelContext &context, graph::ConvFilterGradOp op);

/// Taps of the filter.
int64_t getVolume(const graph::ConvShape &shape);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_CONVGRADIENTS_H
