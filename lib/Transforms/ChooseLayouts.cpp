//===- ChooseLayouts.cpp - channels last for windows ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CPU kernels vectorise along the channels and GPU kernels read any layout, so
// convolutions and pools run channels-last with hwio filters on both. One sweep in program order converts them
// between two transposes and pushes the trailing one down through ops that do
// not care, until it meets the next leading one and both vanish.
//===----------------------------------------------------------------------===//

#include "SinkTransposes.h"
#include "Utils.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/Invariance.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Transforms/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_CHOOSELAYOUTS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// Channels-first from channels-last: dim 1 of the result is the last one.
SmallVector<int64_t> getToFirst(int64_t rank) {
  SmallVector<int64_t> permutation{0, rank - 1};
  llvm::append_range(permutation, llvm::seq<int64_t>(1, rank - 1));
  return permutation;
}

SmallVector<int64_t> getToLast(int64_t rank) {
  SmallVector<int64_t> permutation{0};
  llvm::append_range(permutation, llvm::seq<int64_t>(2, rank));
  permutation.push_back(1);
  return permutation;
}

/// (O, I, spatial...) to (spatial..., I, O).
SmallVector<int64_t> getToHwio(int64_t rank) {
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(2, rank));
  permutation.push_back(1);
  permutation.push_back(0);
  return permutation;
}

/// (spatial..., I, O) to (O, I, spatial...).
SmallVector<int64_t> getToOihw(int64_t rank) {
  SmallVector<int64_t> permutation{rank - 1, rank - 2};
  llvm::append_range(permutation, llvm::seq<int64_t>(0, rank - 2));
  return permutation;
}

struct ChooseLayouts final : hgc::impl::ChooseLayoutsBase<ChooseLayouts> {
  void runOnOperation() override {
    TransposeSinker sinker(getAnalysis<Invariance>());
    getOperation().walk<WalkOrder::PreOrder>([&](Block *block) {
      if (isa<ModuleOp>(block->getParentOp()))
        return;
      // Ops put after the current one are visited next.
      for (Operation *op = block->empty() ? nullptr : &block->front(); op; op = op->getNextNode())
        visit(op, sinker);
    });
    sinker.finish();
    eraseDeadOps(getOperation());
  }

private:
  static void visit(Operation *op, TransposeSinker &sinker) {
    if (auto conv = dyn_cast<ConvOp>(op)) {
      convertFilter(conv);
      if (conv.getLayout() == graph::DataLayout::ChannelsFirst)
        convertData(conv, sinker);
    } else if (auto transposed = dyn_cast<ConvTransposeOp>(op)) {
      convertFilter(transposed);
      if (transposed.getLayout() == graph::DataLayout::ChannelsFirst)
        convertData(transposed, sinker);
    } else if (auto gradient = dyn_cast<ConvFilterGradOp>(op)) {
      convertFilterGrad(gradient, sinker);
    } else if (auto pool = dyn_cast<PoolOp>(op)) {
      if (pool.getLayout() == graph::DataLayout::ChannelsFirst)
        convertData(pool, sinker);
    } else {
      sinker.sinkThrough(op);
    }
  }

  template <typename FilterOp> static void convertFilter(FilterOp op) {
    if (op.getFilterLayout() == FilterLayout::HWIO || op.getPacked())
      return;
    OpBuilder builder(op);
    int64_t rank = cast<ShapedType>(op.getFilter().getType()).getRank();
    op.getFilterMutable().assign(makeTranspose(builder, op.getLoc(), op.getFilter(), getToHwio(rank)));
    op.setFilterLayout(FilterLayout::HWIO);
  }

  static void convertFilterGrad(ConvFilterGradOp op, TransposeSinker &sinker) {
    int64_t rank = cast<ShapedType>(op.getType()).getRank();
    if (op.getLayout() == graph::DataLayout::ChannelsFirst) {
      OpBuilder builder(op);
      for (OpOperand &operand : op->getOpOperands())
        operand.set(makeTranspose(builder, op.getLoc(), operand.get(), getToLast(rank)));
      op.setLayout(graph::DataLayout::ChannelsLast);
    }
    if (op.getFilterLayout() == FilterLayout::HWIO)
      return;
    op.setFilterLayout(FilterLayout::HWIO);
    sinker.appendTranspose(op, getToOihw(rank));
  }

  template <typename WindowOp> static void convertData(WindowOp op, TransposeSinker &sinker) {
    OpBuilder builder(op);
    int64_t rank = cast<ShapedType>(op.getType()).getRank();
    op.getInputMutable().assign(makeTranspose(builder, op.getLoc(), op.getInput(), getToLast(rank)));
    op.setLayout(graph::DataLayout::ChannelsLast);
    sinker.appendTranspose(op, getToFirst(rank));
  }
};

} // namespace
