//===- KernelStages.cpp - kernels that make their own input ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelStages.h"

#include "hgc/Analysis/KernelModel.h"
#include "hgc/Target/ConvForm.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;

/// Rows that one row of results sees.
static int64_t getReach(const graph::WindowDim &rows) { return (rows.window - 1) * rows.dilation + 1; }

/// The only root of a kernel with one output, or null.
static Operation *findOnlyRoot(exec::KernelOp kernel) {
  bool isPlain = kernel.getStores().size() == 1 && !kernel.updatesInPlace() && !findReader(kernel) &&
                 !exec::getGpu(kernel.getBody().getArguments().back().getType());
  return isPlain ? findRoot(kernel) : nullptr;
}

Operation *hgc::findReader(exec::KernelOp kernel) {
  Operation *root = findRoot(kernel);
  if (isa_and_nonnull<graph::ConvOp>(root))
    for (Operation &op : kernel.getBody().front())
      if (isa<graph::ConvOp, graph::PoolOp>(op) && &op != root)
        return &op;
  return nullptr;
}

/// The tensor between the two.
static RankedTensorType getStaged(Operation *reader) { return cast<RankedTensorType>(reader->getOperand(0).getType()); }

/// Bytes of one of its rows.
static int64_t getRowBytes(Operation *reader, const graph::ConvShape &shape) {
  return graph::getTensorBytes(getStaged(reader)) / std::max<int64_t>(1, shape.batch * shape.spatial[1].input);
}

static bool paysToFilter(graph::ConvOp conv, graph::ConvOp reader, const DeviceTable &cpu) {
  graph::ConvShape shape = reader.getShape();
  int64_t reach = getReach(shape.spatial[1]), weightBytes = graph::getTensorBytes(conv.getFilter().getType());
  // Tiles of the product may need twice the rows; and a thread makes `reach` rows once more.
  return graph::getTensorBytes(getStaged(reader)) > cpu.l2Bytes &&
         2 * reach * getRowBytes(reader, shape) + weightBytes <= cpu.l2Bytes / 2 &&
         shape.spatial[1].output >= 8 * reach;
}

/// Whether loops for some rows round like those for all. A single column that ends a panel is not
/// computed in vectors: LLVM fuses its products and sums or not, as the code around it is. Pointwise
/// convolutions have other loops, which end panels in another way.
static bool roundsAlike(graph::ConvOp conv) {
  graph::ConvShape shape = conv.getShape();
  int64_t columns = shape.outChannels / shape.groups;
  return columns % (getConvForm(conv) == ConvForm::Gemm ? conv.getPacked()->getWidth() : 2) == 0;
}

static bool paysToPool(graph::ConvOp conv, graph::PoolOp pool, const DeviceTable &cpu) {
  graph::ConvShape shape = pool.getShape();
  const graph::WindowDim &rows = shape.spatial[1];
  int64_t reach = getReach(rows), lines = reach, bands = shape.batch * rows.output;
  // Every band of rows reads all weights: squares are to be some. And threads share bands.
  constexpr int64_t fewestBands = 8, fewestSquares = 24;
  if (int64_t side = getWinogradTile(conv)) {
    lines = llvm::alignTo(reach, side);
    bands = shape.batch * llvm::divideCeil(rows.input, side) * llvm::divideCeil(shape.spatial[2].input, side) /
            fewestSquares;
  }
  // Tiles of a product over all pixels are whole. What rows lose there grows with the depth.
  constexpr int64_t mostDepth = 128;
  if (getConvForm(conv) == ConvForm::Gemm && conv.getShape().inChannels > mostDepth)
    return false;
  int64_t weightBytes = graph::getTensorBytes(conv.getFilter().getType());
  // A thread makes the rows that its first windows share with others once more.
  return lines * getRowBytes(pool, shape) + weightBytes <= cpu.l2Bytes / 2 && bands >= fewestBands &&
         rows.output * rows.stride >= 8 * std::max<int64_t>(0, reach - rows.stride);
}

bool hgc::paysToStage(exec::KernelOp first, exec::KernelOp second, unsigned input, const DeviceTable &cpu) {
  auto conv = dyn_cast_or_null<graph::ConvOp>(findOnlyRoot(first));
  Operation *reader = findOnlyRoot(second);
  if (!conv || !isa_and_nonnull<graph::ConvOp, graph::PoolOp>(reader))
    return false;
  // The root alone reads it, and as its data.
  auto load = reader->getOperand(0).getDefiningOp<exec::LoadOp>();
  if (!load || load.getBuffer() != second.getBody().getArgument(input) || !load.getResult().hasOneUse() ||
      first.getStores().front().getValue().getType() != load.getType())
    return false;
  if (auto pool = dyn_cast<graph::PoolOp>(reader))
    return canStage(conv, pool) && roundsAlike(conv) && paysToPool(conv, pool, cpu);
  return canStage(conv, cast<graph::ConvOp>(reader)) && paysToFilter(conv, cast<graph::ConvOp>(reader), cpu);
}

int64_t hgc::priceStaged(exec::KernelOp first, exec::KernelOp second, const DeviceTable &cpu) {
  Operation *reader = findOnlyRoot(second);
  int64_t bytes = graph::getTensorBytes(getStaged(reader));
  auto save = [&](Operation *root, bool isWritten) {
    KernelWork work = describeWork(root);
    int64_t before = estimateKernel(cpu, work).totalPs;
    int64_t &moved = isWritten ? work.cost.bytesWritten : work.cost.bytesRead;
    moved = std::max<int64_t>(0, moved - bytes);
    return before - estimateKernel(cpu, work).totalPs;
  };
  int64_t both = first.getPricePs().value_or(0) + second.getPricePs().value_or(0);
  int64_t saved = save(findOnlyRoot(first), true) + save(reader, false) + getFixedPs(cpu, 2);
  return std::max(both - saved, both / 2);
}
