//===- ConvStaged.cpp - a depthwise convolution that makes its own input --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks widen an image pixel by pixel, filter every channel, and narrow it again:
// the wide image between is the largest tensor by far. Here it never exists. Before a
// row of results, the rows of the image that it sees and that are not there yet are
// made, in a ring of rows that stays in the second-level cache. A thread makes the rows
// that its first results see once more; every element is the same whoever makes it.
//===----------------------------------------------------------------------===//

#include "GemmLoops.h"

#include "hgc/CodeGen/CPU/ConvPlan.h"
#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/GemmStore.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {

/// The loops: a unit is a row of results.
struct StagedPlan {
  StagedPlan(exec::KernelOp kernel, const DeviceTable &target);

  graph::ConvOp conv, root;
  Matmul problem;
  GemmPlan product;
  ConvView view;
  DepthwisePlan depthwise;
  /// Rows of the image that a row of results sees, and those of the ring.
  int64_t reach, ring;

  const graph::WindowDim &rowDim() const { return view.shape.spatial[1]; }
  int64_t width() const { return view.shape.spatial[2].input; }
  int64_t ringElements() const { return ring * width() * view.shape.inChannels; }
  KernelSchedule schedule(const DeviceTable &target);
};

} // namespace

/// Both rows of the image and tiles of the product must not be torn at the ring's end.
static int64_t getRingPixels(int64_t reach, int64_t width, int64_t tile) {
  return llvm::alignTo(reach * width + 2 * tile, std::lcm(width, tile));
}

StagedPlan::StagedPlan(exec::KernelOp kernel, const DeviceTable &target)
    : conv(getStagedConv(kernel)), root(cast<graph::ConvOp>(getRoot(kernel))), problem(*Matmul::fromConv(conv)),
      product(planSomeRows(problem.shape, target)), view(root), depthwise(view, target) {
  reach = (rowDim().window - 1) * rowDim().dilation + 1;
  // A tile that has little in common with a row would need a large ring.
  int64_t least = reach * width() + 2 * product.rowTile;
  for (int64_t tile = product.rowTile; 3 * tile >= 2 * product.rowTile; --tile)
    if (getRingPixels(reach, width(), tile) <= 2 * least) {
      product.rowTile = tile;
      break;
    }
  ring = getRingPixels(reach, width(), product.rowTile) / width();
  problem.rowExtents = mergeRowDims(root.getInput(), conv.getResult(), problem);
}

KernelSchedule StagedPlan::schedule(const DeviceTable &target) {
  int64_t units = view.shape.batch * rowDim().output;
  int64_t ps = estimateContractionPs(conv.getCost(), target) + estimateContractionPs(root.getCost(), target);
  // What two threads both make shall be little of what each does.
  int64_t grain = std::max(chooseGrain(units, ps, target), std::min(units, 4 * reach));
  std::string text = llvm::formatv("depthwise convolution: tile {0}x{1}, of a pointwise convolution: tile {2}x{3}, "
                                   "in a ring of {4} rows",
                                   depthwise.pixelTile, depthwise.group(), product.rowTile,
                                   product.panelTile * product.width, ring);
  int64_t bytes = graph::getElementBytes(getElementTypeOrSelf(view.data.getType()));
  return {units, grain, ringElements() * bytes, text};
}

namespace {

class StagedConv {
public:
  explicit StagedConv(KernelContext &context)
      : context(context), plan(context.kernel, context.target), index(context.builder, context.loc),
        lines(emitScratch(index, context.scratch, 0, plan.ringElements(),
                          getElementTypeOrSelf(plan.view.data.getType()))) {}

  void emit() {
    index.loop(context.begin, context.end, 1, index.constant(0), [&](Value unit, ValueRange made) {
      SmallVector<Value> at = index.delinearize(unit, {plan.view.shape.batch, plan.rowDim().output});
      Value next = makeRows(at[0], at[1], made.front());
      emitDepthwiseRow(context, plan.view, plan.depthwise, at[0], at[1], lines, plan.ring);
      return SmallVector<Value>{next};
    });
  }

private:
  /// Makes what the row of results sees past the first `made` pixels, all images
  /// counted. Returns how many there are then.
  Value makeRows(Value image, Value row, Value made) {
    const graph::WindowDim &dim = plan.rowDim();
    int64_t tile = plan.product.rowTile;
    auto clip = [&](Value line) { return index.min(index.max(line, index.constant(0)), index.constant(dim.input)); };
    auto pixelOf = [&](Value line) {
      return index.mul(index.add(index.mul(image, dim.input), clip(line)), plan.width());
    };
    Value top = index.add(index.mul(row, dim.stride), -dim.padLow);
    Value first = index.mul(index.div(pixelOf(top), tile), tile);
    Value end = index.mul(index.div(index.add(pixelOf(index.add(top, plan.reach)), tile - 1), tile), tile);
    Value start = index.max(made, first);
    index.ifThen(index.lessThan(start, end), [&] { makePixels(start, end); });
    return index.max(start, end);
  }

  void makePixels(Value start, Value end) {
    int64_t channels = plan.view.shape.inChannels;
    auto put = [&](Value tile, Value pixel, ArrayRef<Value> at, Value column, ArrayRef<ColumnPiece> pieces,
                   ArrayRef<Value> sums, int64_t columns) {
      Value place = index.add(index.rem(tile, plan.ring * plan.width()), pixel);
      emitStoreRowTo(context, {plan.view.data, lines, index.mul(place, channels)}, plan.conv.getResult(), at, column,
                     pieces, sums, columns);
    };
    GemmLoops loops(context, plan.conv.getResult(), plan.problem, getRootBuffer(context, plan.conv.getInput()),
                    getRootBuffer(context, plan.conv.getFilter()), plan.product, put);
    GemmBlock block = loops.locateEntry(index.constant(0));
    block.row = start, block.rowEnd = end;
    loops.emitRange(block);
  }

  KernelContext &context;
  StagedPlan plan;
  IndexBuilder index;
  Value lines;
};

struct StagedConvEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override {
    return StagedPlan(kernel, target).schedule(target);
  }

  LogicalResult emit(KernelContext &context) const override {
    if (failed(verifyEmittable(context.kernel)))
      return failure();
    StagedConv(context).emit();
    return success();
  }
};

} // namespace

std::unique_ptr<KernelEmitter> cpu::createStagedConvEmitter() { return std::make_unique<StagedConvEmitter>(); }
