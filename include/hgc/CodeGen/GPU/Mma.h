//===- Mma.h - instructions of the tensor cores -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_MMA_H
#define HGC_CODEGEN_GPU_MMA_H

#include "hgc/CodeGen/Common/IndexBuilder.h"

namespace hgc::gpu {

/// Rows, or columns, of the fragments that one ldmatrix brings; its depth is two
/// chunks of 16 bytes.
inline constexpr int64_t kFragment = 16;
/// Columns of one mma.sync.
inline constexpr int64_t kMmaColumns = 8;

using MmaFragment = llvm::SmallVector<mlir::Value, 4>;

/// The four matrices of eight chunks whose lines start at `shared[at]`, where `at`
/// of lane l is that of line l % 8 of matrix l / 8.
MmaFragment emitLdMatrix(codegen::IndexBuilder &index, mlir::Value shared, mlir::Value at, bool isTransposed);

/// sums += a * b for 16 rows, 8 columns and the depth of a fragment; `b` is half a
/// fragment. Two instructions where there is none of that depth.
void emitMma(codegen::IndexBuilder &index, mlir::Type element, int64_t sm, llvm::ArrayRef<mlir::Value> a,
             llvm::ArrayRef<mlir::Value> b, llvm::MutableArrayRef<mlir::Value> sums);

/// Of two blocks of eight columns a lane has two neighbours each. Lanes exchange
/// halves: even ones get four neighbours of the first, odd ones of the second.
llvm::SmallVector<mlir::Value> emitMmaExchange(codegen::IndexBuilder &index, mlir::Value lane, mlir::ValueRange first,
                                               mlir::ValueRange second);
/// The column, among both blocks, of the first of them.
mlir::Value emitExchangedColumn(codegen::IndexBuilder &index, mlir::Value lane);

/// Where chunk `number` of line `line` lies among lines of `chunks` (a power of
/// two) chunks, counted in chunks. Neither whole lines nor one chunk of eight
/// lines in a row meet in a bank.
mlir::Value emitChunkPlace(codegen::IndexBuilder &index, mlir::Value line, mlir::Value number, int64_t chunks);

} // namespace hgc::gpu

#endif // HGC_CODEGEN_GPU_MMA_H
