//===- GemmTile.cpp - the register tile of contractions -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/GemmTile.h"

#include "GemmDots.h"
#include "dialects/Graph/ElementTypes.h"
#include "hgc/CodeGen/CPU/GemmPlan.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc::cpu;

SmallVector<ColumnPiece> hgc::cpu::splitColumns(int64_t columns, int64_t lanes) {
  SmallVector<ColumnPiece> pieces;
  for (int64_t offset = 0; offset < columns;) {
    int64_t left = columns - offset;
    int64_t width = left >= lanes ? lanes : int64_t(llvm::bit_floor(uint64_t(left)));
    pieces.push_back({offset, width});
    offset += width;
  }
  return pieces;
}

SmallVector<ColumnPiece> hgc::cpu::coverColumns(int64_t columns, int64_t lanes) {
  return splitColumns(llvm::alignTo(columns, std::max<int64_t>(1, lanes / 2)), lanes);
}

Value hgc::cpu::emitZero(IndexBuilder &index, Type type) {
  return arith::ConstantOp::create(index.builder, index.loc, index.builder.getZeroAttr(type));
}

Value hgc::cpu::emitWiden(IndexBuilder &index, Value value, Type element) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  if (isa<FloatType>(element))
    return toCompute(index.builder, index.loc, value, from);
  return arith::ExtSIOp::create(index.builder, index.loc, getLaneType(element, getLanes(value)), value);
}

Value hgc::cpu::emitAdd(IndexBuilder &index, Value a, Value b) {
  if (isa<FloatType>(getElementTypeOrSelf(a.getType())))
    return arith::AddFOp::create(index.builder, index.loc, a, b);
  return arith::AddIOp::create(index.builder, index.loc, a, b);
}

Value hgc::cpu::emitMultiplyAdd(IndexBuilder &index, Value a, Value b, Value c) {
  OpBuilder &builder = index.builder;
  if (!isa<FloatType>(getElementTypeOrSelf(c.getType()))) {
    Value product = arith::MulIOp::create(builder, index.loc, a, b);
    return arith::AddIOp::create(builder, index.loc, product, c);
  }
  // Contraction leaves the choice to the target: a fused operation that it lacks
  // would become a library call for every lane.
  auto contract = arith::FastMathFlags::contract;
  Value product = arith::MulFOp::create(builder, index.loc, a, b, contract);
  return arith::AddFOp::create(builder, index.loc, product, c, contract);
}

Value hgc::cpu::emitLoad(IndexBuilder &index, Value buffer, Value offset, int64_t lanes) {
  if (lanes == 1)
    return memref::LoadOp::create(index.builder, index.loc, buffer, offset);
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  return vector::LoadOp::create(index.builder, index.loc, VectorType::get({lanes}, element), buffer, offset);
}

Value hgc::cpu::emitLoadPart(IndexBuilder &index, Value buffer, Value offset, int64_t lanes, int64_t valid) {
  OpBuilder &builder = index.builder;
  auto type = VectorType::get({lanes}, cast<MemRefType>(buffer.getType()).getElementType());
  if (valid >= lanes)
    return emitLoad(index, buffer, offset, lanes);
  Value zero = emitZero(index, type);
  if (valid <= 0)
    return zero;
  SmallVector<bool> bits(lanes, false);
  std::fill_n(bits.begin(), valid, true);
  auto maskType = VectorType::get({lanes}, builder.getI1Type());
  Value mask = arith::ConstantOp::create(builder, index.loc, DenseElementsAttr::get(maskType, ArrayRef<bool>(bits)));
  return vector::MaskedLoadOp::create(builder, index.loc, type, buffer, offset, mask, zero);
}

void hgc::cpu::emitStore(IndexBuilder &index, Value value, Value buffer, Value offset, bool isStreamed) {
  if (auto type = dyn_cast<VectorType>(value.getType()))
    vector::StoreOp::create(index.builder, index.loc, value, buffer, offset, isStreamed,
                            isStreamed ? llvm::MaybeAlign(graph::getTensorBytes(type)) : llvm::MaybeAlign());
  else
    memref::StoreOp::create(index.builder, index.loc, value, buffer, offset);
}

Value hgc::cpu::emitScratch(IndexBuilder &index, Value scratch, int64_t byteOffset, int64_t elements, Type element) {
  auto type = MemRefType::get({elements}, element);
  return memref::ViewOp::create(index.builder, index.loc, type, scratch, index.constant(byteOffset), ValueRange{});
}

SmallVector<Type> hgc::cpu::getAccumulatorTypes(const GemmTile &tile) {
  SmallVector<Type> types;
  for (size_t i = 0; i < tile.rowOffsets.size() * tile.panelOffsets.size(); ++i)
    for (const ColumnPiece &piece : tile.pieces)
      types.push_back(getLaneType(tile.accumulator, piece.lanes));
  return types;
}

SmallVector<Value> hgc::cpu::emitZeros(IndexBuilder &index, const GemmTile &tile) {
  SmallVector<Value> zeros;
  for (Type type : getAccumulatorTypes(tile))
    zeros.push_back(emitZero(index, type));
  return zeros;
}

/// Whether broadcasts of their own would hold up the multiply-adds, or what ends a short tile.
static bool paysLoads(const GemmTile &tile, int64_t depth, const hgc::DeviceTable &target) {
  const ColumnPiece &last = tile.pieces.back();
  int64_t bytes = (last.offset + last.lanes) * hgc::graph::getElementBytes(tile.accumulator);
  // Three halves start in each cycle, and two of them can be multiply-adds: four of these hide a broadcast, but
  // nothing more.
  int64_t halves = llvm::divideCeil(bytes, target.vectorPipeBytes);
  bool isPlain = tile.interleave == 1 && getElementTypeOrSelf(tile.lhs.getType()) == tile.accumulator;
  bool isHalved = target.vectorPipeBytes < target.vectorBytes && bytes > target.vectorBytes;
  return isPlain && isHalved && tile.panelOffsets.size() == 1 && (halves < 4 || (halves == 4 && depth <= kShortDepth));
}

void hgc::cpu::loadFactorsAgain(IndexBuilder &index, GemmTile &tile, int64_t depth, const DeviceTable &target) {
  if (!paysLoads(tile, depth, target))
    return;
  OpBuilder &builder = index.builder;
  Type integer = builder.getI64Type();
  Value zero = arith::ConstantOp::create(builder, index.loc, builder.getI64IntegerAttr(0));
  auto tail = LLVM::TailCallKindAttr::get(builder.getContext(), LLVM::tailcallkind::TailCallKind::None);
  auto same = LLVM::InlineAsmOp::create(builder, index.loc, integer, zero, builder.getStringAttr(""),
                                        builder.getStringAttr("=r,0"), UnitAttr(), UnitAttr(), tail,
                                        LLVM::AsmDialectAttr(), ArrayAttr());
  tile.hiddenZero = arith::IndexCastOp::create(builder, index.loc, builder.getIndexType(), same.getRes());
}

void hgc::cpu::fetchRows(IndexBuilder &index, GemmTile &tile, bool isCheap, const std::function<void(Value)> &fetch) {
  constexpr int64_t unroll = 4;
  int64_t rows = tile.rowOffsets.size();
  if (isCheap && tile.chains == 1 && tile.spans.empty() && getConstant(tile.depth).value_or(0) >= unroll * rows) {
    tile.unroll = unroll;
    tile.fetch = fetch;
    return;
  }
  for (int64_t row = 0; row < rows; ++row)
    fetch(index.constant(row));
}

/// One step of the depth: the outer product of a column of lhs and a row of rhs. The
/// shorter of the two is loaded first and stays in registers, the longer one passes by.
static void emitStep(IndexBuilder &index, const GemmTile &tile, ArrayRef<Value> rows, ArrayRef<Value> panels,
                     MutableArrayRef<Value> accumulators, bool isTail = false) {
  size_t width = panels.size() * tile.pieces.size();
  bool isPlain = tile.interleave == 1;
  auto loadColumn = [&](size_t c) {
    const ColumnPiece &piece = tile.pieces[c % tile.pieces.size()];
    Value offset = index.add(panels[c / tile.pieces.size()], piece.offset * tile.interleave);
    if (!isPlain)
      return emitDotColumn(index, tile, offset, piece.lanes);
    return emitWiden(index, emitLoad(index, tile.rhs, offset, piece.lanes), tile.accumulator);
  };
  auto loadRow = [&](Value row) {
    if (!isPlain)
      return emitDotRow(index, tile, row, isTail ? tile.tail : tile.interleave);
    return emitWiden(index, emitLoad(index, tile.lhs, row, 1), tile.accumulator);
  };
  auto add = [&](size_t r, size_t c, Value scalar, Value column) {
    if (!isPlain) {
      Value &sum = accumulators[r * width + c];
      sum = emitDot(index, tile.interleave, scalar, column, sum);
      return;
    }
    Value factor = spread(index.builder, index.loc, scalar, getLanes(column));
    Value &sum = accumulators[r * width + c];
    sum = emitMultiplyAdd(index, factor, column, sum);
  };
  if (rows.size() < width) {
    SmallVector<Value> scalars = llvm::map_to_vector(rows, loadRow);
    for (size_t c = 0; c < width; ++c) {
      Value column = loadColumn(c);
      for (auto [r, scalar] : llvm::enumerate(scalars))
        add(r, c, scalar, column);
    }
    return;
  }
  auto again = [&](size_t r) { return loadRow(index.add(rows[r], tile.hiddenZero)); };
  SmallVector<Value> columns = llvm::map_to_vector(llvm::seq<size_t>(0, width), loadColumn);
  for (size_t r = 0; r < rows.size(); ++r) {
    Value scalar = loadRow(rows[r]);
    for (auto [c, column] : llvm::enumerate(columns))
      add(r, c, c == 1 && tile.hiddenZero ? again(r) : scalar, column);
  }
}

/// Offsets moved by `scale * step`.
static SmallVector<Value> advance(IndexBuilder &index, ArrayRef<Value> offsets, Value scale, int64_t step) {
  Value distance = index.mul(scale, step);
  return llvm::map_to_vector(offsets, [&](Value offset) { return index.add(offset, distance); });
}

static SmallVector<Value> advance(IndexBuilder &index, ArrayRef<Value> offsets, int64_t distance) {
  return llvm::map_to_vector(offsets, [&](Value offset) { return index.add(offset, distance); });
}

/// The `i`-th prefetch of the iteration at `k`, which finds the first panel at `panel`. Some processors drop those
/// to the second-level cache whose page they would have to look up first; many to the first-level one would push out
/// what it holds.
static void emitPrefetch(IndexBuilder &index, const GemmTile &tile, Value panel, Value k, int64_t i) {
  constexpr unsigned toFirst = 3, toSecond = 2;
  Value line = index.add(tile.prefetch, i * tile.prefetchLine);
  Value step = tile.prefetchStep ? index.mul(k, tile.prefetchStep) : panel;
  memref::PrefetchOp::create(index.builder, index.loc, tile.prefetchFrom ? tile.prefetchFrom : tile.rhs,
                             index.add(line, step),
                             /*isWrite=*/false, 2 * tile.prefetches <= tile.unroll ? toFirst : toSecond,
                             /*isDataCache=*/true);
}

/// `count` steps of the depth from `k` on. With chains, step i adds to chain i.
static SmallVector<Value> emitSteps(IndexBuilder &index, const GemmTile &tile, ArrayRef<Value> rows,
                                    ArrayRef<Value> panels, Value k, int64_t count, ValueRange carried) {
  SmallVector<Value> sums(carried);
  SmallVector<Value> row = advance(index, rows, k, tile.lhsStep);
  SmallVector<Value> panel = advance(index, panels, k, tile.rhsStep);
  if (tile.fetch && count == tile.unroll)
    tile.fetch(index.min(index.div(k, count), index.constant(rows.size() - 1)));
  for (int64_t i = 0; i < count; ++i) {
    // A ragged end fetches nothing.
    for (int64_t j = 0; count == tile.unroll && j < tile.prefetches; ++j)
      if (j * count / tile.prefetches == i)
        emitPrefetch(index, tile, panel.front(), k, j);
    emitStep(index, tile, advance(index, row, i * tile.lhsStep), advance(index, panel, i * tile.rhsStep),
             MutableArrayRef<Value>(sums).slice(i % tile.chains * tile.count(), tile.count()));
  }
  return sums;
}

/// The innermost loop. A ragged end goes to the first chain.
static SmallVector<Value> emitWholeSteps(IndexBuilder &index, const GemmTile &tile, ArrayRef<Value> rows,
                                         ArrayRef<Value> panels, ValueRange init) {
  auto steps = [&](int64_t count) {
    return [&index, &tile, rows, panels, count](Value k, ValueRange carried) {
      return emitSteps(index, tile, rows, panels, k, count, carried);
    };
  };
  int64_t count = std::max(tile.chains, tile.unroll);
  if (count == 1)
    return index.loop(index.constant(0), tile.depth, 1, init, steps(1));
  Value main = index.mul(index.div(tile.depth, count), count);
  SmallVector<Value> sums = index.loop(index.constant(0), main, count, init, steps(count));
  SmallVector<Value> first(ArrayRef<Value>(sums).take_front(tile.count()));
  first = index.loop(main, tile.depth, 1, first, steps(1));
  llvm::copy(first, sums.begin());
  return sums;
}

/// An innermost loop for each span: the sums of other rows pass by.
static SmallVector<Value> emitSpans(IndexBuilder &index, const GemmTile &tile, ArrayRef<Value> rows,
                                    ArrayRef<Value> panels, ValueRange init) {
  SmallVector<Value> sums(init);
  size_t width = panels.size() * tile.pieces.size();
  for (const DepthSpan &span : tile.spans) {
    GemmTile part = tile;
    part.rowOffsets = advance(index, rows.slice(span.row, span.rows), span.lhsOffset);
    part.depth = index.constant(span.steps);
    // Those of each chain.
    auto slice = [&](int64_t chain) {
      return MutableArrayRef<Value>(sums).slice(chain * tile.count() + span.row * width, part.count());
    };
    SmallVector<Value> own;
    for (int64_t chain = 0; chain < tile.chains; ++chain)
      llvm::append_range(own, slice(chain));
    own = emitWholeSteps(index, part, part.rowOffsets, advance(index, panels, span.rhsOffset), own);
    for (int64_t chain = 0; chain < tile.chains; ++chain)
      llvm::copy(ArrayRef<Value>(own).slice(chain * part.count(), part.count()), slice(chain).begin());
  }
  return sums;
}

/// The innermost loop, and what is left of the depth.
static SmallVector<Value> emitDepth(IndexBuilder &index, const GemmTile &tile, ArrayRef<Value> rows,
                                    ArrayRef<Value> panels, ValueRange init) {
  if (!tile.spans.empty())
    return emitSpans(index, tile, rows, panels, init);
  SmallVector<Value> sums = emitWholeSteps(index, tile, rows, panels, init);
  if (tile.tail)
    emitStep(index, tile, advance(index, rows, tile.depth, tile.lhsStep),
             advance(index, panels, tile.depth, tile.rhsStep), MutableArrayRef<Value>(sums).take_front(tile.count()),
             /*isTail=*/true);
  return sums;
}

/// The loops over segments from `level` on.
static SmallVector<Value> emitSegments(IndexBuilder &index, const GemmTile &tile, size_t level, ArrayRef<Value> rows,
                                       ArrayRef<Value> panels, ValueRange init) {
  if (level == tile.segments.size())
    return emitDepth(index, tile, rows, panels, init);
  const DepthSegment &segment = tile.segments[level];
  Value begin = segment.begin ? segment.begin : index.constant(0);
  Value end = segment.end ? segment.end : index.constant(segment.count);
  return index.loop(begin, end, 1, init, [&](Value i, ValueRange carried) {
    return emitSegments(index, tile, level + 1, advance(index, rows, i, segment.lhsStep),
                        advance(index, panels, i, segment.rhsStep), carried);
  });
}

SmallVector<Value> hgc::cpu::emitTile(IndexBuilder &index, const GemmTile &tile, ValueRange init) {
  SmallVector<Value> start(init);
  for (int64_t chain = 1; chain < tile.chains; ++chain)
    llvm::append_range(start, emitZeros(index, tile));
  SmallVector<Value> sums = emitSegments(index, tile, 0, tile.rowOffsets, tile.panelOffsets, start);
  // Chains are added pairwise.
  size_t count = tile.count();
  for (int64_t width = tile.chains / 2; width >= 1; width /= 2)
    for (size_t i = 0; i < width * count; ++i)
      sums[i] = emitAdd(index, sums[i], sums[width * count + i]);
  sums.truncate(count);
  return sums;
}

SmallVector<Value> hgc::cpu::emitTileAround(IndexBuilder &index, const GemmTile &tile, ValueRange init, int64_t parts,
                                            int64_t pieces, llvm::function_ref<void(Value, int64_t)> work) {
  // What is unrolled around the work of a part; longer than the work takes.
  constexpr int64_t mostSteps = 16;
  int64_t depth = *getConstant(tile.depth), each = depth / parts, unrolled = std::min(each, mostSteps);
  auto emit = [&](Value k, int64_t count, ValueRange sums) {
    return emitSteps(index, tile, tile.rowOffsets, tile.panelOffsets, k, count, sums);
  };
  auto step = [&](Value k, ValueRange sums) { return emit(k, 1, sums); };
  auto around = [&](Value part, ValueRange carried) {
    SmallVector<Value> sums(carried);
    Value start = index.mul(part, each);
    for (int64_t piece = 0; piece < pieces; ++piece) {
      int64_t first = piece * unrolled / pieces, end = (piece + 1) * unrolled / pieces;
      work(part, piece);
      sums = emit(index.add(start, first), end - first, sums);
    }
    return index.loop(index.add(start, unrolled), index.add(start, each), 1, sums, step);
  };
  SmallVector<Value> sums = index.loop(index.constant(0), index.constant(parts), 1, init, around);
  return index.loop(index.constant(parts * each), tile.depth, 1, sums, step);
}
