//===- Mma.cpp - instructions of the tensor cores -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/Mma.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/CodeGen/GPU/KernelContext.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

MmaFragment hgc::gpu::emitLdMatrix(IndexBuilder &index, Value shared, Value at, bool isTransposed) {
  OpBuilder &b = index.builder;
  Type element = cast<MemRefType>(shared.getType()).getElementType();
  auto type = VectorType::get({4, 4 / static_cast<int64_t>(graph::getElementBytes(element))}, element);
  Value loaded =
      nvgpu::LdMatrixOp::create(b, index.loc, type, shared, at, b.getBoolAttr(isTransposed), b.getI32IntegerAttr(4));
  MmaFragment fragment;
  for (int64_t i = 0; i < 4; ++i) {
    Value part = vector::ExtractOp::create(b, index.loc, loaded, ArrayRef<int64_t>{i});
    fragment.push_back(element.isF16() ? part : LLVM::BitcastOp::create(b, index.loc, b.getI32Type(), part));
  }
  return fragment;
}

static NVVM::MMATypes getMmaType(Type element) {
  if (element.isF32())
    return NVVM::MMATypes::tf32;
  return element.isBF16() ? NVVM::MMATypes::bf16 : NVVM::MMATypes::f16;
}

void hgc::gpu::emitMma(IndexBuilder &index, Type element, int64_t sm, ArrayRef<Value> a, ArrayRef<Value> b,
                       MutableArrayRef<Value> sums) {
  OpBuilder &builder = index.builder;
  Type f32 = builder.getF32Type();
  auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(), {f32, f32, f32, f32});
  NVVM::MMATypes ptx = getMmaType(element);
  int64_t depth = 32 / static_cast<int64_t>(graph::getElementBytes(element)), halves = sm >= 80 ? 1 : 2;
  for (int64_t half = 0; half < halves; ++half) {
    Value result = NVVM::MmaOp::create(
        builder, index.loc, type, a.slice(half * 2, 4 / halves), b.slice(half, 2 / halves), SmallVector<Value>(sums),
        ArrayRef<int64_t>{kFragment, kMmaColumns, depth / halves},
        /*b1Op=*/std::nullopt, /*intOverflow=*/std::nullopt, std::array<NVVM::MMATypes, 2>{ptx, ptx},
        std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row, NVVM::MMALayout::col});
    for (int64_t i = 0; i < 4; ++i)
      sums[i] = LLVM::ExtractValueOp::create(builder, index.loc, result, ArrayRef<int64_t>{i});
  }
}

SmallVector<Value> hgc::gpu::emitMmaExchange(IndexBuilder &index, Value lane, ValueRange first, ValueRange second) {
  OpBuilder &b = index.builder;
  Value isOdd = index.equal(index.rem(lane, 2), index.constant(1));
  auto choose = [&](Value odd, Value even) { return arith::SelectOp::create(b, index.loc, isOdd, odd, even); };
  SmallVector<Value> other, result;
  for (int64_t i = 0; i < 2; ++i)
    other.push_back(
        mlir::gpu::ShuffleOp::create(b, index.loc, choose(first[i], second[i]), 1, kWarp, mlir::gpu::ShuffleMode::XOR)
            .getShuffleResult());
  for (int64_t i = 0; i < 2; ++i)
    result.push_back(choose(other[i], first[i]));
  for (int64_t i = 0; i < 2; ++i)
    result.push_back(choose(second[i], other[i]));
  return result;
}

Value hgc::gpu::emitExchangedColumn(IndexBuilder &index, Value lane) {
  // Written so that its alignment shows.
  return index.add(index.mul(index.div(index.rem(lane, 4), 2), 4), index.mul(index.rem(lane, 2), kMmaColumns));
}

Value hgc::gpu::emitChunkPlace(IndexBuilder &index, Value line, Value number, int64_t chunks) {
  // Eight chunks fill all banks. Lines of at least that many are permuted by
  // their number, shorter ones by the number of their group of eight chunks.
  constexpr int64_t bankChunks = 8;
  int64_t group = std::max<int64_t>(1, bankChunks / chunks);
  Value key = index.rem(index.div(line, group), std::min(chunks, bankChunks));
  Value permuted = arith::XOrIOp::create(index.builder, index.loc, number, key);
  return index.add(index.mul(line, chunks), permuted);
}
