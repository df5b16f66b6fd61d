//===- KernelStages.cpp - kernels that make their own input ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelStages.h"

#include "hgc/Analysis/KernelModel.h"
#include "hgc/Target/ConvForm.h"

using namespace mlir;
using namespace hgc;

/// The convolution that is the only root of a kernel with one output, or null.
static graph::ConvOp findOnlyConv(exec::KernelOp kernel) {
  bool isPlain = kernel.getStores().size() == 1 && !kernel.updatesInPlace() && !findReader(kernel) &&
                 !exec::getGpu(kernel.getBody().getArguments().back().getType());
  return isPlain ? dyn_cast_or_null<graph::ConvOp>(findRoot(kernel)) : graph::ConvOp();
}

graph::ConvOp hgc::findReader(exec::KernelOp kernel) {
  Operation *root = findRoot(kernel);
  for (Operation &op : kernel.getBody().front())
    if (auto conv = dyn_cast<graph::ConvOp>(op); conv && &op != root)
      return conv;
  return {};
}

/// Bytes of the tensor between the two.
static int64_t getStagedBytes(graph::ConvOp reader) { return graph::getTensorBytes(reader.getInput().getType()); }

bool hgc::paysToStage(exec::KernelOp first, exec::KernelOp second, unsigned input, const DeviceTable &cpu) {
  graph::ConvOp conv = findOnlyConv(first), reader = findOnlyConv(second);
  if (!conv || !reader || !canStage(conv, reader))
    return false;
  // The root alone reads it, and as its data.
  auto load = reader.getInput().getDefiningOp<exec::LoadOp>();
  if (!load || load.getBuffer() != second.getBody().getArgument(input) || !load.getResult().hasOneUse() ||
      first.getStores().front().getValue().getType() != load.getType())
    return false;
  graph::ConvShape shape = reader.getShape();
  const graph::WindowDim &rows = shape.spatial[1];
  int64_t reach = (rows.window - 1) * rows.dilation + 1, bytes = getStagedBytes(reader);
  int64_t rowBytes = bytes / std::max<int64_t>(1, shape.batch * rows.input);
  int64_t weightBytes = graph::getTensorBytes(conv.getFilter().getType());
  // Tiles of the product may need twice the rows; and a thread makes `reach` rows once more.
  return bytes > cpu.l2Bytes && 2 * reach * rowBytes + weightBytes <= cpu.l2Bytes / 2 && rows.output >= 8 * reach;
}

int64_t hgc::priceStaged(exec::KernelOp first, exec::KernelOp second, const DeviceTable &cpu) {
  int64_t bytes = getStagedBytes(findOnlyConv(second));
  auto save = [&](graph::ConvOp conv, bool isWritten) {
    KernelWork work = describeWork(conv);
    int64_t before = estimateKernel(cpu, work).totalPs;
    int64_t &moved = isWritten ? work.cost.bytesWritten : work.cost.bytesRead;
    moved = std::max<int64_t>(0, moved - bytes);
    return before - estimateKernel(cpu, work).totalPs;
  };
  int64_t both = first.getPricePs().value_or(0) + second.getPricePs().value_or(0);
  int64_t saved = save(findOnlyConv(first), true) + save(findOnlyConv(second), false) + getFixedPs(cpu, 2);
  return std::max(both - saved, both / 2);
}
