//===- TileCopier.cpp - tiles of half precision for tensor cores ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/TileCopier.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;
using codegen::IndexBuilder;

CopyMode hgc::gpu::chooseCopyMode(const OperandMap &map) {
  if (map.contiguousDepth(kChunk) == kChunk)
    return CopyMode::Depth;
  return map.contiguousRows(kChunk) == kChunk ? CopyMode::Rows : CopyMode::Gather;
}

TileCopier::TileCopier(IndexBuilder &index, const OperandMap &map, const TileShape &shape, Value buffer)
    : index(index), map(map), shape(shape), buffer(buffer), mode(chooseCopyMode(map)) {}

Value TileCopier::place(Value line, Value chunk) {
  // Eight chunks fill all banks. Lines of at least that many are permuted by
  // their number, shorter ones by the number of their group of eight chunks.
  int64_t chunks = lineLength() / kChunk, group = std::max<int64_t>(1, kChunk / chunks);
  Value key = index.rem(index.div(line, group), std::min(chunks, kChunk));
  Value permuted = arith::XOrIOp::create(index.builder, index.loc, chunk, key);
  return index.add(index.mul(line, lineLength()), index.mul(permuted, kChunk));
}

void TileCopier::begin(Value thread, Value firstRow, Value base) {
  bool alongRows = mode == CopyMode::Rows;
  int64_t depthSlots = alongRows ? shape.depth : shape.depth / kChunk;
  int64_t rowSlots = alongRows ? shape.rows / kChunk : shape.rows;
  // Lanes follow memory, whatever a chunk holds.
  bool rowsFirst = alongRows || (mode == CopyMode::Gather && map.runsAlongRows() && !map.runsAlongDepth());
  int64_t inner = rowsFirst ? rowSlots : depthSlots;
  int64_t count = depthSlots * rowSlots / shape.threads;
  for (int64_t i = 0; i < count; ++i) {
    Value first, second;
    if (shape.threads % inner == 0) {
      first = index.rem(thread, inner);
      second = index.add(index.div(thread, inner), i * (shape.threads / inner));
    } else {
      int64_t repeats = inner / shape.threads;
      first = index.add(thread, i % repeats * shape.threads);
      second = index.constant(i / repeats);
    }
    Value row = rowsFirst ? first : second, depth = rowsFirst ? second : first;
    Slot slot;
    slot.place = alongRows ? place(depth, row) : place(row, depth);
    slot.depth = index.mul(depth, alongRows ? 1 : kChunk);
    Value at = index.add(firstRow, index.mul(row, alongRows ? kChunk : 1));
    if (shape.rowBound % shape.rows != 0)
      at = index.min(at, index.constant(shape.rowBound - (alongRows ? kChunk : 1)));
    slot.rowPart = emitRowPart(index, map, at, base);
    slots.push_back(slot);
  }
}

MapElement TileCopier::elementAt(const Slot &slot, Value start, int64_t offset, bool mayBeNegative) {
  MapDepth depth{start, index.add(slot.depth, offset), shape.depth, mayBeNegative};
  return emitElement(index, map, slot.rowPart, depth);
}

SmallVector<Value> TileCopier::copy(Value start, bool mayBeNegative, Value shared, Value to) {
  OpBuilder &b = index.builder;
  SmallVector<Value> tokens;
  auto token = nvgpu::DeviceAsyncTokenType::get(b.getContext());
  for (const Slot &slot : slots) {
    MapElement element = elementAt(slot, start, 0, mayBeNegative);
    Value count;
    if (element.exists) {
      // Nothing is read then, and zeros are written.
      count = arith::SelectOp::create(b, index.loc, element.exists, index.constant(kChunk), index.constant(0));
      element.offset = arith::SelectOp::create(b, index.loc, element.exists, element.offset, index.constant(0));
    }
    tokens.push_back(nvgpu::DeviceAsyncCopyOp::create(b, index.loc, token, shared, index.add(to, slot.place), buffer,
                                                      element.offset, b.getIndexAttr(kChunk), count,
                                                      /*bypassL1=*/b.getUnitAttr()));
  }
  return tokens;
}

SmallVector<Value> TileCopier::load(Value start, bool mayBeNegative) {
  SmallVector<Value> chunks;
  int64_t width = mode == CopyMode::Gather ? map.contiguousDepth(kChunk) : kChunk;
  for (const Slot &slot : slots) {
    if (width == kChunk) {
      chunks.push_back(emitGuardedLoad(index, buffer, elementAt(slot, start, 0, mayBeNegative), kChunk));
      continue;
    }
    SmallVector<Value> elements;
    for (int64_t i = 0; i < kChunk; i += width) {
      Value part = emitGuardedLoad(index, buffer, elementAt(slot, start, i, mayBeNegative), width);
      for (int64_t j = 0; j < width; ++j)
        elements.push_back(emitLane(index, part, j));
    }
    chunks.push_back(emitLanes(index, elements));
  }
  return chunks;
}

void TileCopier::store(ValueRange chunks, Value shared, Value to) {
  for (auto [slot, chunk] : llvm::zip_equal(slots, chunks))
    emitVectorStore(index, chunk, shared, index.add(to, slot.place));
}
