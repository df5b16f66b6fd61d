//===- AttentionMma.h - attention on tensor cores ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_GPU_ATTENTIONMMA_H
#define HGC_CODEGEN_GPU_ATTENTIONMMA_H

#include "hgc/CodeGen/GPU/KernelContext.h"

namespace hgc::gpu {

/// Extents and tiles of an attention whose products tensor cores compute: every
/// warp has 16 queries and sees all keys and all results.
struct AttentionMmaPlan {
  /// Nothing when the op's type, extents or scale do not suit.
  static std::optional<AttentionMmaPlan> get(graph::AttentionOp op, const GpuTable &gpu);

  int64_t tileQueries() const;
  int64_t threads() const { return warps * kWarp; }
  int64_t queryTiles() const { return (queries + tileQueries() - 1) / tileQueries(); }
  int64_t keyTiles() const { return (keys + tileKeys - 1) / tileKeys; }

  mlir::Type element;
  llvm::SmallVector<int64_t> batch;
  int64_t batches = 1, queries = 0, keys = 0, features = 0, results = 0;
  int64_t warps = 1, tileKeys = 16;
};

/// Writes the body of the kernel's one launch.
void emitAttentionMma(KernelContext &context, graph::AttentionOp op, const AttentionMmaPlan &plan);

} // namespace hgc::gpu

#endif // HGC_CODEGEN_GPU_ATTENTIONMMA_H
