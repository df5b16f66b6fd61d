//===- MatrixTile.cpp - instructions of the matrix unit -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eight tiles: four sums, two of rows, two of columns. A tile is loaded again right
// after its last use, long before its next one, so that loads hide behind products.
//===----------------------------------------------------------------------===//

#include "MatrixTile.h"

#include "hgc/CodeGen/CPU/GemmTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// Bytes of a tile, and from row to row of it.
static constexpr int64_t kTileBytes = 1024, kTileRow = 64;
/// Numbers of the first tile of rows and of columns.
static constexpr int64_t kRowTile = 4, kColumnTile = 6;
/// Parts of both operands that are multiplied, one after the other: one of the two changes from each to the next.
static constexpr std::pair<int64_t, int64_t> kPartProducts[] = {{0, 2}, {0, 1}, {1, 1}, {1, 0}, {2, 0}, {0, 0}};

static void callIntrinsic(IndexBuilder &index, StringRef name, ArrayRef<int64_t> tiles, ValueRange operands = {}) {
  OpBuilder &builder = index.builder;
  SmallVector<Value> all;
  for (int64_t tile : tiles)
    all.push_back(LLVM::ConstantOp::create(builder, index.loc, builder.getI8Type(), tile));
  llvm::append_range(all, operands);
  LLVM::CallIntrinsicOp::create(builder, index.loc, builder.getStringAttr(name), all);
}

Value cpu::toPointer(IndexBuilder &index, Value address) {
  OpBuilder &builder = index.builder;
  Value number = arith::IndexCastOp::create(builder, index.loc, builder.getI64Type(), address);
  return LLVM::IntToPtrOp::create(builder, index.loc, LLVM::LLVMPointerType::get(builder.getContext()), number);
}

static void moveTile(IndexBuilder &index, StringRef name, int64_t tile, Value address, int64_t stride) {
  Value step = LLVM::ConstantOp::create(index.builder, index.loc, index.builder.getI64Type(), stride);
  callIntrinsic(index, name, tile, {toPointer(index, address), step});
}

Value cpu::emitAddress(IndexBuilder &index, Value buffer, Value offset) {
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(index.builder, index.loc, buffer);
  return index.add(base, index.mul(offset, cast<MemRefType>(buffer.getType()).getElementTypeBitWidth() / 8));
}

void cpu::emitConfigure(IndexBuilder &index, Value buffer) {
  OpBuilder &builder = index.builder;
  // Palette 1; then 8 widths in bytes from byte 16 on, and 8 numbers of rows from byte 48 on.
  SmallVector<int8_t> bytes(64, 0);
  bytes[0] = 1;
  for (int64_t tile = 0; tile < 8; ++tile)
    bytes[16 + 2 * tile] = kTileRow, bytes[48 + tile] = graph::kTileSide;
  auto type = VectorType::get({64}, builder.getI8Type());
  Value config = arith::ConstantOp::create(builder, index.loc, DenseElementsAttr::get(type, ArrayRef<int8_t>(bytes)));
  emitStore(index, config, buffer, index.constant(0));
  callIntrinsic(index, "llvm.x86.ldtilecfg", {}, toPointer(index, emitAddress(index, buffer, index.constant(0))));
}

void cpu::emitRelease(IndexBuilder &index) { callIntrinsic(index, "llvm.x86.tilerelease", {}); }

namespace {
/// Emits the steps of one tile.
class TileSteps {
public:
  TileSteps(IndexBuilder &index, const MatrixPlan &plan, const MatrixTile &tile)
      : index(index), plan(plan), tile(tile) {}

  void emit() {
    if (plan.parts() == 1)
      index.loop(tile.begin, tile.end, 1, [&](Value step) { emitWhole(step); });
    else
      emitParts();
  }

private:
  void loadRows(Value step, int64_t part, size_t r) {
    Value address = index.add(index.add(tile.lhs[r], tile.locateStep(step)), part * tile.lhsPart);
    moveTile(index, "llvm.x86.tileloadd64", kRowTile + static_cast<int64_t>(r), address, tile.lhsRow);
  }
  void loadColumns(Value step, int64_t part, int64_t c) {
    Value group = index.add(tile.rhs, index.mul(step, plan.rhsStep()));
    moveTile(index, "llvm.x86.tileloadd64", kColumnTile + c,
             index.add(group, part * plan.shape.width * kTileRow + c * kTileBytes), kTileRow);
  }
  void multiply(size_t r, int64_t c) {
    auto row = static_cast<int64_t>(r);
    callIntrinsic(index, tile.isByte ? "llvm.x86.tdpbssd" : "llvm.x86.tdpbf16ps",
                  {row * tile.columnTiles + c, kRowTile + row, kColumnTile + c});
  }
  void emitWhole(Value step);
  void emitParts();

  IndexBuilder &index;
  const MatrixPlan &plan;
  const MatrixTile &tile;
};
} // namespace

void TileSteps::emitWhole(Value step) {
  for (size_t r = 0; r < tile.lhs.size(); ++r)
    loadRows(step, 0, r);
  for (int64_t c = 0; c < tile.columnTiles; ++c)
    loadColumns(step, 0, c);
  tile.workBeside(step, 0, 1);
  for (size_t r = 0; r < tile.lhs.size(); ++r)
    for (int64_t c = 0; c < tile.columnTiles; ++c)
      multiply(r, c);
}

/// All products of parts, the smallest first. Those of one step end with the first parts of the next one loaded.
void TileSteps::emitParts() {
  int64_t count = std::size(kPartProducts);
  auto loadAllRows = [&](Value step, int64_t part) {
    for (size_t r = 0; r < tile.lhs.size(); ++r)
      loadRows(step, part, r);
  };
  loadAllRows(tile.begin, kPartProducts[0].first);
  for (int64_t c = 0; c < tile.columnTiles; ++c)
    loadColumns(tile.begin, kPartProducts[0].second, c);
  index.loop(tile.begin, tile.end, 1, [&](Value step) {
    // The last step loads its own tiles again.
    Value following = index.min(index.add(step, 1), index.sub(tile.end, index.constant(1)));
    for (int64_t i = 0; i < count; ++i) {
      bool isLast = i + 1 == count;
      Value next = isLast ? following : step;
      auto [row, column] = kPartProducts[(i + 1) % count];
      tile.workBeside(step, i, count);
      if (!isLast && row != kPartProducts[i].first) {
        for (size_t r = 0; r < tile.lhs.size(); ++r) {
          for (int64_t c = 0; c < tile.columnTiles; ++c)
            multiply(r, c);
          loadRows(next, row, r);
        }
        continue;
      }
      for (int64_t c = 0; c < tile.columnTiles; ++c) {
        for (size_t r = 0; r < tile.lhs.size(); ++r)
          multiply(r, c);
        loadColumns(next, column, c);
      }
      if (isLast)
        loadAllRows(next, row);
    }
  });
}

void cpu::emitMatrixTile(IndexBuilder &index, const MatrixPlan &plan, const MatrixTile &tile, Value sums) {
  int64_t count = static_cast<int64_t>(tile.lhs.size()) * tile.columnTiles, stride = 4 * plan.shape.width;
  auto locate = [&](Value base, int64_t i) {
    int64_t r = i / tile.columnTiles, c = i % tile.columnTiles;
    return index.add(base, r * graph::kTileSide * stride + c * kTileRow);
  };
  auto forAll = [&](llvm::function_ref<void(int64_t)> body) {
    for (int64_t i = 0; i < count; ++i)
      body(i);
  };
  auto zero = [&] { forAll([&](int64_t i) { callIntrinsic(index, "llvm.x86.tilezero", i); }); };
  auto load = [&] {
    forAll([&](int64_t i) { moveTile(index, "llvm.x86.tileloadd64", i, locate(tile.start, i), stride); });
  };
  if (tile.start)
    index.ifThen(index.equal(tile.begin, index.constant(0)), zero, load);
  else
    zero();
  TileSteps(index, plan, tile).emit();
  forAll([&](int64_t i) { moveTile(index, "llvm.x86.tilestored64", i, locate(sums, i), stride); });
}
