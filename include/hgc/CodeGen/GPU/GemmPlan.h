//===- GemmPlan.h - which kernel computes a contraction ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans follow from shapes and the GPU's table only. Work of a thread block is a
// tile of rows times columns; few tiles on many processors share the depth.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_GEMMPLAN_H
#define HGC_CODEGEN_GPU_GEMMPLAN_H

#include "hgc/CodeGen/GPU/Contraction.h"
#include "hgc/Target/GpuTable.h"

#include <string>

namespace hgc::gpu {

/// * `Simt`: register tiles of ordinary multiply-adds.
/// * `TensorCore`: mma.sync on half precision, or on f32 rounded to tf32.
/// * `Columns`: few rows; lanes run along the columns.
/// * `Dots`: few rows; lanes run along the depth.
/// * `Direct`: one element a thread, for depths that no tile pays for.
enum class GemmKind { Simt, TensorCore, Columns, Dots, Direct };

/// Work of a thread block and of one thread (Simt) or one warp (TensorCore).
struct GemmTile {
  int64_t rows, columns;
  /// Depth elements of one step.
  int64_t depth;
  int64_t partRows, partColumns;
  /// Share of the arithmetic peak a full GPU reaches, in percent.
  int64_t efficiency;

  int64_t parts() const { return rows / partRows * (columns / partColumns); }
};

struct GemmPlan {
  GemmKind kind = GemmKind::Simt;
  GemmTile tile{};
  int64_t threads = 256;
  int64_t rowBlocks = 1, columnBlocks = 1;
  /// Steps of the tile's depth in all; of one share of it.
  int64_t steps = 0, stepsPerSplit = 0;
  /// Blocks that share the depth; more than one leaves partial sums in scratch.
  int64_t splits = 1;
  int64_t scratchBytes = 0;
  /// Depth elements that one shared memory element holds.
  int64_t unit = 1;
  /// Whether operands are rounded to tf32.
  bool isTf32 = false;

  int64_t blocks(const Contraction &problem) const {
    return kind == GemmKind::Direct ? columnBlocks : rowBlocks * columnBlocks * problem.batch * splits;
  }
  std::string describe() const;
};

/// `problem` may be transposed on the way: few columns become few rows.
GemmPlan planGemm(Contraction &problem, const GpuTable &gpu);

/// Rows at most that make a product a skinny one.
inline constexpr int64_t kFewRows = 16;

/// Depth that one warp of a `Columns` plan takes at a time.
inline constexpr int64_t kColumnsDepth = 4;

} // namespace hgc::gpu

#endif // HGC_CODEGEN_GPU_GEMMPLAN_H
