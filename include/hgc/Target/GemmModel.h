//===- GemmModel.h - time of a matrix product on a GPU ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TARGET_GEMMMODEL_H
#define HGC_TARGET_GEMMMODEL_H

#include "hgc/Target/GpuTable.h"

namespace hgc {

/// Products of `rows` x `depth` by `depth` x `columns`, `batch` of them.
struct GemmProblem {
  int64_t batch = 1, rows = 1, columns = 1, depth = 1;
  /// Class of the operands; f32 uses tf32 if the table may.
  graph::FlopClass type = graph::FlopClass::F32;
  /// All bytes read and written.
  double bytes = 0;
};

/// Seconds of the product as one launch: the best of several tiles and splits of
/// the depth, in whole waves over the SMs, or the time to move the bytes.
double estimateGemm(const GpuTable &table, const GemmProblem &problem);

/// Seconds in which the GPU moves `bytes` when all of it is busy.
double estimateTraffic(const GpuTable &table, double bytes);

} // namespace hgc

#endif // HGC_TARGET_GEMMMODEL_H
