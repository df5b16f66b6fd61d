//===- TileCopier.cpp - tiles of operands for tensor cores ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/TileCopier.h"

#include "hgc/CodeGen/GPU/Mma.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;
using codegen::IndexBuilder;

TileCopier::TileCopier(IndexBuilder &index, const OperandMap &map, const TileShape &shape, Value buffer, int64_t sm)
    : index(index), map(map), shape(shape), buffer(buffer), sm(sm) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  chunk = kChunkBytes / static_cast<int64_t>(graph::getElementBytes(element));
  rounds = element.isF32();
  mode = chooseMode();
}

CopyMode TileCopier::chooseMode() const {
  if (map.contiguousDepth(chunk) == chunk)
    return CopyMode::Depth;
  if (map.contiguousRows(chunk) != chunk)
    return CopyMode::Gather;
  if (!rounds)
    return CopyMode::Rows;
  // Every thread needs a square of its own.
  return shape.rows * shape.depth >= chunk * chunk * shape.threads ? CopyMode::Blocks : CopyMode::Gather;
}

Value TileCopier::place(Value line, Value number) {
  int64_t chunks = lineLength() / chunk;
  if (mode != CopyMode::Blocks || chunks >= 8)
    return index.mul(emitChunkPlace(index, line, number, chunks), chunk);
  // Rows of a square are stored together, so that the lines that share all banks
  // are those of neighbouring squares.
  int64_t group = 8 / chunks;
  Value pair = index.add(index.mul(index.div(line, group * chunk), chunk), index.rem(line, chunk));
  Value half = index.mul(index.rem(index.div(line, chunk), group), lineLength());
  Value permuted = arith::XOrIOp::create(index.builder, index.loc, number, index.rem(line, chunk));
  permuted = index.mul(permuted, chunk);
  return index.add(index.add(index.mul(pair, group * lineLength()), half), permuted);
}

std::pair<Value, Value> TileCopier::findSlot(Value thread, int64_t number) {
  int64_t depthSlots = shape.depth / slotDepth(), rowSlots = shape.rows / slotRows();
  if (mode == CopyMode::Blocks) {
    // Two squares along the rows fill a sector of memory, all of the depth's the
    // banks of shared memory.
    int64_t inner = 2 * depthSlots;
    Value row = index.add(index.mul(index.div(thread, inner), 2), index.rem(thread, 2));
    return {index.add(row, number * (shape.threads / depthSlots)), index.rem(index.div(thread, 2), depthSlots)};
  }
  // Lanes follow memory, whatever a chunk holds.
  bool rowsFirst = isTransposed() || (mode == CopyMode::Gather && map.runsAlongRows() && !map.runsAlongDepth());
  int64_t inner = rowsFirst ? rowSlots : depthSlots;
  Value first, second;
  if (shape.threads % inner == 0) {
    first = index.rem(thread, inner);
    second = index.add(index.div(thread, inner), number * (shape.threads / inner));
  } else {
    int64_t repeats = inner / shape.threads;
    first = index.add(thread, number % repeats * shape.threads);
    second = index.constant(number / repeats);
  }
  return rowsFirst ? std::pair{first, second} : std::pair{second, first};
}

void TileCopier::begin(Value thread, Value firstRow, Value base) {
  int64_t count = shape.depth / slotDepth() * (shape.rows / slotRows()) / shape.threads;
  for (int64_t i = 0; i < count; ++i) {
    auto [row, depth] = findSlot(thread, i);
    Slot slot;
    slot.depth = index.mul(depth, slotDepth());
    Value inTile = index.mul(row, slotRows());
    if (isTransposed())
      slot.places.push_back(place(depth, row));
    else
      for (int64_t r = 0; r < slotRows(); ++r)
        slot.places.push_back(place(index.add(inTile, r), depth));
    Value at = index.add(firstRow, inTile);
    if (shape.rowBound % shape.rows != 0)
      at = index.min(at, index.constant(shape.rowBound - slotRows()));
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
    // Nothing is read then, and zeros are written.
    if (element.exists)
      count = arith::SelectOp::create(b, index.loc, element.exists, index.constant(chunk), index.constant(0));
    tokens.push_back(nvgpu::DeviceAsyncCopyOp::create(b, index.loc, token, shared, index.add(to, slot.places.front()),
                                                      buffer, element.offset, b.getIndexAttr(chunk), count,
                                                      /*bypassL1=*/b.getUnitAttr()));
  }
  return tokens;
}

Value TileCopier::gatherChunk(const Slot &slot, Value start, bool mayBeNegative) {
  int64_t width = map.contiguousDepth(chunk);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < chunk; i += width) {
    Value part = emitGuardedLoad(index, buffer, elementAt(slot, start, i, mayBeNegative), width);
    for (int64_t j = 0; j < width; ++j)
      elements.push_back(emitLane(index, part, j));
  }
  return emitLanes(index, elements);
}

SmallVector<Value> TileCopier::load(Value start, bool mayBeNegative) {
  SmallVector<Value> chunks;
  for (const Slot &slot : slots) {
    if (mode == CopyMode::Gather) {
      chunks.push_back(gatherChunk(slot, start, mayBeNegative));
      continue;
    }
    for (size_t i = 0; i < slot.places.size(); ++i)
      chunks.push_back(
          emitGuardedLoad(index, buffer, elementAt(slot, start, static_cast<int64_t>(i), mayBeNegative), chunk));
  }
  return chunks;
}

/// To the nearest number of ten fraction bits; as f32 again, whose other bits
/// are zero.
Value TileCopier::round(Value element) {
  OpBuilder &b = index.builder;
  // One instruction on newer GPUs, three on those that round ties away from zero.
  auto mode = sm >= 90 ? NVVM::FPRoundingMode::RN : NVVM::FPRoundingMode::RNA;
  Value bits = NVVM::ConvertFloatToTF32Op::create(b, index.loc, b.getI32Type(), element, mode);
  return arith::BitcastOp::create(b, index.loc, b.getF32Type(), bits);
}

void TileCopier::store(ValueRange chunks, Value shared, Value to) {
  for (const Slot &slot : slots) {
    size_t count = slot.places.size();
    ValueRange square = chunks.take_front(count);
    chunks = chunks.drop_front(count);
    for (size_t i = 0; i < count; ++i) {
      Value stored = square[i];
      if (rounds) {
        SmallVector<Value> elements;
        for (int64_t j = 0; j < chunk; ++j)
          elements.push_back(
              round(count == 1 ? emitLane(index, square[0], j) : emitLane(index, square[j], static_cast<int64_t>(i))));
        stored = emitLanes(index, elements);
      }
      emitVectorStore(index, stored, shared, index.add(to, slot.places[i]));
    }
  }
}
