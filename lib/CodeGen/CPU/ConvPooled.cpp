//===- ConvPooled.cpp - a pool that makes its own input -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a network gives up resolution, the image before the pool is several times as
// large as the one behind it. Here it never exists. Before a band of rows of results, the
// rows of the convolution that their windows see and that are not there yet are made, in a
// ring of rows in scratch. A thread makes the rows that its first windows share with the
// thread before once more; every element is the same whoever makes it.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/ConvPlan.h"
#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/GemmPlan.h"
#include "hgc/CodeGen/CPU/GemmStore.h"
#include "hgc/CodeGen/CPU/UnitLoops.h"
#include "hgc/CodeGen/CPU/WinogradPlan.h"
#include "hgc/CodeGen/Common/PoolWindow.h"

#include "dialects/Graph/ElementTypes.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {

/// The loops: a unit is a band of rows of an image's results, or several small images.
struct PooledPlan {
  PooledPlan(exec::KernelOp kernel, const DeviceTable &target);

  graph::ConvOp conv;
  graph::PoolOp pool;
  /// Of the pool.
  graph::ConvShape shape;
  Type element;
  int64_t lanes;
  /// One of them makes the rows, which come `granule` at a time.
  std::optional<ConvPlan> direct;
  std::optional<WinogradPlan> winograd;
  int64_t granule = 1;
  /// Rows that a window sees; rows of results of a band, bands of an image, and rows of the ring.
  int64_t reach, band, bands, ring;
  /// Images whose rows are made together.
  int64_t images = 1;
  int64_t ringScratch, scratchBytes;

  const graph::WindowDim &rowDim() const { return shape.spatial[1]; }
  int64_t lineElements() const { return shape.spatial[2].input * shape.inChannels; }
  int64_t imageBlocks() const { return llvm::divideCeil(shape.batch, images); }
  /// Rows of an image, with those that end its last granule.
  int64_t lines() const { return llvm::alignTo(rowDim().input, granule); }
  KernelSchedule schedule(const DeviceTable &target);

private:
  void chooseBand(const DeviceTable &target);
  int64_t countRingLines() const;
};

} // namespace

PooledPlan::PooledPlan(exec::KernelOp kernel, const DeviceTable &target)
    : conv(getStagedConv(kernel)), pool(cast<graph::PoolOp>(getRoot(kernel))), shape(pool.getShape()),
      element(getElementTypeOrSelf(pool.getInput().getType())),
      lanes(chooseManyLanes(kernel, target, shape.inChannels)) {
  if (chooseConvKind(ConvView(conv)) == ConvKind::Winograd) {
    winograd.emplace(conv, target);
    granule = winograd->form.tile;
  } else {
    direct.emplace(conv, target);
    // Sums of a product over all pixels are not split.
    if (getConvForm(conv) == ConvForm::Gemm)
      direct->chains = 1;
  }
  reach = (rowDim().window - 1) * rowDim().dilation + 1;
  chooseBand(target);
  ring = countRingLines();
  if (winograd)
    winograd->takeRows(ring, target);
  else
    direct->takeRows(ring);
  constexpr int64_t line = 64;
  ringScratch = llvm::alignTo(winograd ? winograd->scratchBytes : direct->scratchBytes, line);
  scratchBytes = ringScratch + ring * lineElements() * graph::getElementBytes(element);
}

/// Rows of a band stay in the first-level cache, if those are some; or they are squares that share
/// a pass over the filter. Threads want some bands to share.
void PooledPlan::chooseBand(const DeviceTable &target) {
  const graph::WindowDim &dim = rowDim();
  int64_t lineBytes = lineElements() * graph::getElementBytes(element);
  constexpr int64_t fewestRows = 4;
  int64_t rows = std::max(fewestRows, target.l1Bytes / 2 / lineBytes), units = 16;
  if (winograd) {
    units = 8;
    rows = winograd->tileBlock / winograd->tileColumns * granule;
    images = std::clamp<int64_t>(rows / lines(), 1, llvm::divideCeil(shape.batch, units));
  }
  if (images > 1) {
    band = dim.output;
    bands = 1;
    return;
  }
  int64_t most = llvm::divideCeil(std::max<int64_t>(1, shape.batch * dim.output), units);
  int64_t fits = (rows - std::max<int64_t>(0, reach - dim.stride)) / dim.stride;
  // Bands that start and end with squares make no row twice.
  int64_t step = granule / std::gcd(granule, dim.stride);
  int64_t wanted = std::max(step, std::min({fits, most, dim.output}) / step * step);
  bands = llvm::divideCeil(dim.output, wanted);
  band = llvm::alignTo(llvm::divideCeil(dim.output, bands), step);
  bands = llvm::divideCeil(dim.output, band);
}

int64_t PooledPlan::countRingLines() const {
  const graph::WindowDim &dim = rowDim();
  if (images > 1)
    return images * lines();
  int64_t most = granule;
  for (int64_t first = 0; first < dim.output; first += band) {
    int64_t top = first * dim.stride - dim.padLow;
    int64_t bottom = (std::min(first + band, dim.output) - 1) * dim.stride - dim.padLow + reach;
    int64_t begin = std::clamp<int64_t>(top, 0, dim.input) / granule * granule;
    int64_t end = llvm::alignTo(std::clamp<int64_t>(bottom, 0, dim.input), granule);
    most = std::max(most, end - begin);
  }
  return most;
}

KernelSchedule PooledPlan::schedule(const DeviceTable &target) {
  int64_t units = imageBlocks() * bands;
  // What two threads both make shall be little of what each does.
  int64_t shared = std::max<int64_t>(0, reach - rowDim().stride);
  int64_t least = std::min<int64_t>(units, llvm::divideCeil(8 * shared, band * rowDim().stride));
  int64_t grain = std::max(chooseGrain(units, estimateContractionPs(conv.getCost(), target), target), least);
  std::string text = llvm::formatv("pool channels lanes={0}, {1} row{2} at a time, of a {3}", lanes, band,
                                   band == 1 ? "" : "s", winograd ? winograd->describe() : direct->describe());
  return {units, grain, scratchBytes, text};
}

namespace {

/// Images and rows of results.
struct Band {
  Value image, imageEnd, row, rowEnd;
};

class PooledConv {
public:
  explicit PooledConv(KernelContext &context)
      : context(context), plan(context.kernel, context.target), index(context.builder, context.loc),
        lines(emitScratch(index, context.scratch, plan.ringScratch, plan.ring * plan.lineElements(),
                          graph::getStorageType(plan.element))) {}

  void emit() {
    index.loop(context.begin, context.end, 1, index.constant(0), [&](Value unit, ValueRange made) {
      SmallVector<Value> at = index.delinearize(unit, {plan.imageBlocks(), plan.bands});
      Band band;
      band.image = index.mul(at[0], plan.images);
      band.imageEnd = index.min(index.add(band.image, plan.images), index.constant(plan.shape.batch));
      band.row = index.mul(at[1], plan.band);
      band.rowEnd = index.min(index.add(band.row, plan.band), index.constant(plan.rowDim().output));
      Value next = makeRows(band, made.front());
      index.loop(band.image, band.imageEnd, 1,
                 [&](Value image) { index.loop(band.row, band.rowEnd, 1, [&](Value row) { poolRow(image, row); }); });
      return SmallVector<Value>{next};
    });
  }

private:
  /// Where a pixel's channels are in the ring.
  Value locate(Value image, Value row, Value pixel) {
    Value line = index.rem(index.add(index.mul(image, plan.lines()), row), plan.ring);
    return index.mul(index.add(index.mul(line, plan.shape.spatial[2].input), pixel), plan.shape.inChannels);
  }

  /// Makes what a band sees past the first `made` rows, all images counted. Returns how many
  /// there are then.
  Value makeRows(const Band &band, Value made) {
    const graph::WindowDim &dim = plan.rowDim();
    auto clip = [&](Value line) { return index.min(index.max(line, index.constant(0)), index.constant(dim.input)); };
    auto round = [&](Value line) { return index.mul(index.div(line, plan.granule), plan.granule); };
    Value top = index.add(index.mul(band.row, dim.stride), -dim.padLow);
    Value bottom = index.add(index.mul(index.add(band.rowEnd, -1), dim.stride), plan.reach - dim.padLow);
    Value base = index.mul(band.image, plan.lines()), last = index.mul(index.add(band.imageEnd, -1), plan.lines());
    Value start = index.max(made, index.add(base, round(clip(top))));
    Value stop = index.add(last, round(index.add(clip(bottom), plan.granule - 1)));
    index.ifThen(index.lessThan(start, stop), [&] {
      emitRows({band.image, index.sub(start, base), index.sub(stop, base), makePut()});
    });
    return index.max(start, stop);
  }

  PutRow makePut() {
    return
        [this](ArrayRef<Value> at, Value column, ArrayRef<ColumnPiece> pieces, ArrayRef<Value> sums, int64_t columns) {
          emitStoreRowTo(context, {plan.pool.getInput(), lines, locate(at[0], at[1], at[2])}, plan.conv.getResult(), at,
                         column, pieces, sums, columns);
        };
  }

  void emitRows(const ConvRows &rows) {
    if (plan.winograd)
      emitWinogradRows(context, plan.conv, *plan.winograd, rows);
    else
      emitDirectRows(context, plan.conv, *plan.direct, rows);
  }

  /// A row of results, whose windows lie inside the rows but at both ends.
  void poolRow(Value image, Value row) {
    auto [first, last] = findInnerResults(plan.shape.spatial[2]);
    poolPixels(image, row, 0, first, /*isInner=*/false);
    poolPixels(image, row, first, last, /*isInner=*/true);
    poolPixels(image, row, last, plan.shape.spatial[2].output, /*isInner=*/false);
  }

  void poolPixels(Value image, Value row, int64_t begin, int64_t end, bool isInner) {
    int64_t channels = plan.shape.inChannels;
    auto read = [&](ArrayRef<LaneIndex> at, int64_t lanes) {
      Value offset = index.add(locate(at[0].base, at[1].base, at[2].base), at[3].base);
      return ElementEmitter(context, lanes).load(lines, {offset, at[3].step}, plan.element);
    };
    index.loop(index.constant(begin), index.constant(end), 1, [&](Value pixel) {
      emitLaneLoop(index, index.constant(0), index.constant(channels), channels, plan.lanes, [&](Value channel) {
        PoolPoint out;
        out.batch = image;
        out.spatial = {LaneIndex(index.constant(0)), LaneIndex(row), LaneIndex(pixel)};
        out.channel = {channel, plan.lanes == 1 ? 0 : 1};
        out.isInner = isInner;
        PoolWindow(context, plan.pool, read).emit(out, plan.lanes);
      });
    });
  }

  KernelContext &context;
  PooledPlan plan;
  IndexBuilder index;
  Value lines;
};

struct PooledConvEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override {
    return PooledPlan(kernel, target).schedule(target);
  }

  LogicalResult emit(KernelContext &context) const override {
    if (failed(verifyEmittable(context.kernel)))
      return failure();
    PooledConv(context).emit();
    return success();
  }
};

} // namespace

std::unique_ptr<KernelEmitter> cpu::createPooledConvEmitter() { return std::make_unique<PooledConvEmitter>(); }
