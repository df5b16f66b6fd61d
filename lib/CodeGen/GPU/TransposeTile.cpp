//===- TransposeTile.cpp - pointwise kernels that read across -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/TransposeTile.h"

#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace hgc::gpu {

/// Edge of a tile, rows of threads, and the shortest axis worth a tile.
static constexpr int64_t kTile = 32, kRows = 8, kFewest = 8;
/// Most inputs that go through shared memory.
static constexpr size_t kMostInputs = 4;

namespace {
/// Finds the index map of every load that is evaluated at one affine index.
struct MapFinder {
  /// Null for a load that has no such map.
  llvm::MapVector<Operation *, AffineMap> maps;

  /// `map` leads from the result's index to that of `tensor`; null: not affine.
  void visit(Value tensor, AffineMap map) {
    llvm::TypeSwitch<Operation *>(tensor.getDefiningOp())
        .Case([&](exec::LoadOp load) {
          auto [entry, isNew] = maps.insert({load, map});
          if (!isNew && entry->second != map)
            entry->second = AffineMap();
        })
        .Case([&](graph::ConstantOp) {})
        .Case([&](graph::IotaOp) {})
        .Case([&](graph::GatherOp gather) {
          auto axis = static_cast<unsigned>(gather.getAxis());
          auto rank = static_cast<unsigned>(cast<RankedTensorType>(gather.getIndices().getType()).getRank());
          visit(gather.getIndices(), map ? map.getSliceMap(axis, rank) : map);
          visit(gather.getInput(), AffineMap());
        })
        .Case([&](graph::GatherAlongOp gather) {
          visit(gather.getIndices(), map);
          visit(gather.getInput(), AffineMap());
        })
        .Case([&](graph::SliceOp slice) { visitSlice(slice, map); })
        .Default([&](Operation *op) {
          auto fusible = cast<graph::FusibleOp>(op);
          for (auto [number, operand] : llvm::enumerate(op->getOperands()))
            visit(operand, map ? simplifyAffineMap(fusible.getIndexingMap(number).compose(map)) : map);
        });
  }

  void visitSlice(graph::SliceOp slice, AffineMap map) {
    if (slice.getOffsets()) {
      visit(slice.getOffsets(), AffineMap());
      return visit(slice.getInput(), AffineMap());
    }
    if (!map)
      return visit(slice.getInput(), map);
    SmallVector<AffineExpr> source;
    for (auto [d, expr] : llvm::enumerate(map.getResults()))
      source.push_back(expr * (slice.getStrides() ? (*slice.getStrides())[d] : 1) +
                       (slice.getStarts() ? (*slice.getStarts())[d] : 0));
    visit(slice.getInput(), simplifyAffineMap(AffineMap::get(map.getNumDims(), 0, source, map.getContext())));
  }
};
} // namespace

/// Elements between neighbours along `dim` of the result.
static int64_t getStep(exec::LoadOp load, AffineMap map, int dim) {
  if (dim < 0)
    return 0;
  auto constants = [&](int64_t at) {
    SmallVector<Attribute> point(map.getNumDims(), IntegerAttr::get(IndexType::get(map.getContext()), 0));
    point[dim] = IntegerAttr::get(IndexType::get(map.getContext()), at);
    SmallVector<Attribute> results;
    bool hasFailed = failed(map.constantFold(point, results));
    assert(!hasFailed && "maps are linear");
    (void)hasFailed;
    int64_t offset = 0;
    for (auto [extent, index] : llvm::zip_equal(cast<RankedTensorType>(load.getType()).getShape(), results))
      offset = offset * extent + cast<IntegerAttr>(index).getInt();
    return offset;
  };
  return constants(1) - constants(0);
}

std::optional<TransposeTile> TransposeTile::create(exec::KernelOp kernel, const PointSpace &space) {
  TransposeTile tile;
  tile.rank = space.rank;
  tile.axes = space.axes;
  if (tile.axes.size() < 2 || tile.axes.back().extent < kFewest)
    return std::nullopt;
  MapFinder finder;
  auto identity = AffineMap::getMultiDimIdentityMap(static_cast<unsigned>(space.rank), kernel.getContext());
  finder.visit(getStore(kernel).getValue(), identity);
  for (auto [op, map] : finder.maps) {
    auto load = cast<exec::LoadOp>(op);
    if (!map || tile.loads.size() == kMostInputs || std::abs(getStep(load, map, tile.axes.back().dim)) <= 1)
      continue;
    for (size_t axis = 0; axis + 1 < tile.axes.size(); ++axis) {
      if (getStep(load, map, tile.axes[axis].dim) != 1 || tile.axes[axis].extent < kFewest)
        continue;
      // The first such input decides on the axis.
      if (!tile.loads.empty() && axis != tile.across)
        continue;
      tile.across = axis;
      tile.loads.push_back({load, map});
    }
  }
  if (tile.loads.empty())
    return std::nullopt;
  return tile;
}

Launch TransposeTile::getLaunch() const {
  Launch launch;
  launch.block[0] = kTile * kRows;
  for (auto [number, axis] : llvm::enumerate(axes))
    launch.grid[0] *=
        number == across || number + 1 == axes.size() ? llvm::divideCeil(axis.extent, kTile) : axis.extent;
  return launch;
}

void TransposeTile::forEach(KernelContext &context, bool isAlongLast, Body body) const {
  IndexBuilder b(context.builder, context.loc);
  SmallVector<int64_t> grid;
  for (auto [number, axis] : llvm::enumerate(axes))
    grid.push_back(number == across || number + 1 == axes.size() ? llvm::divideCeil(axis.extent, kTile) : axis.extent);
  SmallVector<Value> origin = b.delinearize(context.blockId(), grid);
  Value thread = context.threadId(), x = b.rem(thread, kTile), y = b.div(thread, kTile);
  size_t last = axes.size() - 1;
  for (int64_t row = 0; row < kTile; row += kRows) {
    Value line = b.add(y, row);
    // The tile is stored with the last axis as its rows.
    Value inLast = isAlongLast ? x : line, inAcross = isAlongLast ? line : x;
    SmallVector<LaneIndex> positions(origin.begin(), origin.end());
    positions[last] = b.add(b.mul(origin[last], kTile), inLast);
    positions[across] = b.add(b.mul(origin[across], kTile), inAcross);
    Value exists = b.both(b.lessThan(positions[last].base, b.constant(axes[last].extent)),
                          b.lessThan(positions[across].base, b.constant(axes[across].extent)));
    Value place = b.add(b.mul(inLast, kTile + 1), inAcross);
    b.ifThen(exists, [&] { body(makeIndex(b, rank, axes, positions), place); });
  }
}

void TransposeTile::emit(KernelContext &context) const {
  SmallVector<Value> tiles;
  auto elementOf = [](exec::LoadOp load) { return cast<RankedTensorType>(load.getType()).getElementType(); };
  for (const Input &input : loads) {
    exec::LoadOp load = input.load;
    tiles.push_back(context.addShared({kTile * (kTile + 1)}, graph::getStorageType(elementOf(load))));
  }
  forEach(context, /*isAlongLast=*/false, [&](ArrayRef<LaneIndex> at, Value place) {
    for (auto [input, tile] : llvm::zip_equal(loads, tiles)) {
      exec::LoadOp load = input.load;
      ElementEmitter emitter(context, 1);
      Value value = emitter.eval(load.getResult(), emitter.apply(input.map, at));
      emitter.store(value, tile, place, elementOf(load));
    }
  });
  context.barrier();
  forEach(context, /*isAlongLast=*/true, [&](ArrayRef<LaneIndex> at, Value place) {
    ElementEmitter emitter(context, 1);
    for (auto [input, tile] : llvm::zip_equal(loads, tiles)) {
      exec::LoadOp load = input.load;
      emitter.bind(load.getResult(), emitter.load(tile, place, elementOf(load)));
    }
    emitter.storeResult(at);
  });
}

} // namespace hgc::gpu
