//===- TileLoader.cpp - blocks of operands on their way to threads --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/TileLoader.h"

#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;
using codegen::IndexBuilder;

/// Bytes of the widest access.
static constexpr int64_t kAccessBytes = 16;

Value hgc::gpu::emitLane(IndexBuilder &index, Value value, int64_t lane) {
  if (!isa<VectorType>(value.getType()))
    return value;
  return vector::ExtractOp::create(index.builder, index.loc, value, ArrayRef<int64_t>{lane});
}

Value hgc::gpu::emitLanes(IndexBuilder &index, ArrayRef<Value> scalars) {
  if (scalars.size() == 1)
    return scalars.front();
  auto type = VectorType::get({static_cast<int64_t>(scalars.size())}, scalars.front().getType());
  return vector::FromElementsOp::create(index.builder, index.loc, type, scalars);
}

/// Alignment of `lanes` elements: their size, as accesses start at multiples.
static llvm::MaybeAlign getAlignment(Type element, int64_t lanes) {
  return llvm::Align(std::max<int64_t>(1, lanes * static_cast<int64_t>(graph::getElementBytes(element))));
}

Value hgc::gpu::emitVectorLoad(IndexBuilder &index, Value buffer, Value offset, int64_t lanes) {
  if (lanes == 1)
    return memref::LoadOp::create(index.builder, index.loc, buffer, offset);
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  return vector::LoadOp::create(index.builder, index.loc, VectorType::get({lanes}, element), buffer, offset,
                                /*nontemporal=*/false, getAlignment(element, lanes));
}

void hgc::gpu::emitVectorStore(IndexBuilder &index, Value value, Value buffer, Value offset) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type) {
    memref::StoreOp::create(index.builder, index.loc, value, buffer, offset);
    return;
  }
  vector::StoreOp::create(index.builder, index.loc, value, buffer, offset, /*nontemporal=*/false,
                          getAlignment(type.getElementType(), type.getNumElements()));
}

Value hgc::gpu::emitGuardedLoad(IndexBuilder &index, Value buffer, MapElement element, int64_t lanes) {
  OpBuilder &b = index.builder;
  if (!element.exists)
    return emitVectorLoad(index, buffer, element.offset, lanes);
  // No branch: all loads of a thread shall be under way together.
  Value value = emitVectorLoad(index, buffer, element.offset, lanes);
  Value zero = arith::ConstantOp::create(b, index.loc, b.getZeroAttr(value.getType()));
  return arith::SelectOp::create(b, index.loc, element.exists, value, zero);
}

TileLoader::TileLoader(IndexBuilder &index, const OperandMap &map, const TileShape &shape, Value buffer, Type stored)
    : index(index), map(map), shape(shape), buffer(buffer), stored(stored) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  int64_t bytes = graph::getElementBytes(element);
  // No access takes more than a thread's share.
  auto share = static_cast<int64_t>(llvm::bit_floor(uint64_t(shape.rows * shape.depth / shape.threads)));
  int64_t most = std::min(std::max<int64_t>(1, kAccessBytes / bytes), share);
  alongDepth = !map.runsAlongRows() || map.runsAlongDepth();
  if (shape.unit > 1) {
    width = alongDepth ? map.contiguousDepth(most) : 1;
    if (width < shape.unit)
      width = 1;
    return;
  }
  // Four elements at most: they become one access of shared memory.
  most = std::min<int64_t>(most, 4);
  width = alongDepth ? map.contiguousDepth(std::min(most, shape.depth)) : map.contiguousRows(most);
}

int64_t TileLoader::pitch() const {
  // Four words between lines keep transposed stores off each other's banks.
  return shape.rows + kAccessBytes / static_cast<int64_t>(graph::getElementBytes(stored));
}

void TileLoader::begin(Value thread, Value firstRow, Value base) {
  int64_t depthSlots = shape.depth / slotDepth(), rowSlots = shape.rows / slotRows();
  int64_t inner = alongDepth ? depthSlots : rowSlots;
  int64_t count = depthSlots * rowSlots / shape.threads;
  for (int64_t i = 0; i < count; ++i) {
    // Slot number thread + i * threads, written so that only constants differ.
    Value first, second;
    if (shape.threads % inner == 0) {
      first = index.rem(thread, inner);
      second = index.add(index.div(thread, inner), i * (shape.threads / inner));
    } else {
      int64_t repeats = inner / shape.threads;
      first = index.add(thread, i % repeats * shape.threads);
      second = index.constant(i / repeats);
    }
    Slot slot;
    slot.row = index.mul(alongDepth ? second : first, slotRows());
    slot.depth = index.mul(alongDepth ? first : second, slotDepth());
    Value row = index.add(firstRow, slot.row);
    if (shape.rowBound % shape.rows != 0)
      row = index.min(row, index.constant(shape.rowBound - slotRows()));
    slot.rowPart = emitRowPart(index, map, row, base);
    slots.push_back(slot);
  }
}

Value TileLoader::loadAt(const MapPart &row, Value start, Value inTile, bool mayBeNegative, int64_t lanes) {
  MapDepth depth{start, inTile, shape.depth, mayBeNegative};
  return emitGuardedLoad(index, buffer, emitElement(index, map, row, depth), lanes);
}

Value TileLoader::loadBytes(const Slot &slot, Value start, bool mayBeNegative) {
  SmallVector<Value> bytes;
  for (int64_t i = 0; i < shape.unit; ++i)
    bytes.push_back(loadAt(slot.rowPart, start, index.add(slot.depth, i), mayBeNegative, 1));
  return emitLanes(index, bytes);
}

SmallVector<Value> TileLoader::load(Value start, bool mayBeNegative) {
  SmallVector<Value> values;
  for (const Slot &slot : slots)
    values.push_back(shape.unit > 1 && width == 1 ? loadBytes(slot, start, mayBeNegative)
                                                  : loadAt(slot.rowPart, start, slot.depth, mayBeNegative, width));
  return values;
}

void TileLoader::store(ValueRange values, Value shared, Value to) {
  OpBuilder &b = index.builder;
  for (auto [slot, value] : llvm::zip_equal(slots, values)) {
    Value at = index.add(to, index.add(index.mul(index.div(slot.depth, shape.unit), pitch()), slot.row));
    Value kept = value;
    if (shape.unit > 1) {
      auto type = VectorType::get({codegen::getLanes(value) / shape.unit}, stored);
      kept = vector::BitCastOp::create(b, index.loc, type, value);
    } else if (getElementTypeOrSelf(value.getType()) != stored) {
      kept = codegen::toCompute(b, index.loc, value, getElementTypeOrSelf(value.getType()));
    }
    if (!alongDepth) {
      // Bytes make one word, wider rows a vector of them.
      emitVectorStore(index, shape.unit > 1 ? emitLane(index, kept, 0) : kept, shared, at);
      continue;
    }
    for (int64_t i = 0; i < codegen::getLanes(kept); ++i)
      emitVectorStore(index, emitLane(index, kept, i), shared, index.add(at, i * pitch()));
  }
}
