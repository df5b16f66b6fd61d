//===- KernelModel.h - modelled time of one kernel --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel does, free of any device, and how long a device takes for it.
// docs/cost-model.md has the formulas.
//===----------------------------------------------------------------------===//

#ifndef HGC_ANALYSIS_KERNELMODEL_H
#define HGC_ANALYSIS_KERNELMODEL_H

#include "dialects/Graph/Cost.h"
#include "hgc/Target/DeviceTable.h"
#include "hgc/Target/GpuTable.h"
#include "hgc/Target/KernelFamily.h"

#include "mlir/IR/Operation.h"

namespace hgc {

/// A contraction as `batch` products of `rows` x `depth` by `depth` x `columns`.
struct GemmDims {
  int64_t batch = 1, rows = 1, columns = 1, depth = 1;
};

/// What one kernel does.
struct KernelWork {
  KernelFamily family = KernelFamily::Pointwise;
  /// Work and traffic; a packed operand counts as the tensor it came from.
  graph::OpCost cost;
  /// Of a contraction: its extents, the class and the bytes of its operands.
  GemmDims gemm;
  graph::FlopClass gemmClass = graph::FlopClass::F32;
  int64_t gemmBytes = 4;
  /// Of a reduction or of rows: elements that make one result.
  int64_t rowLength = 1;
  /// Of a convolution: pixels of a line of the result, which tiles do not cross.
  int64_t lineLength = 0;
  /// Of columns and depthwise convolutions: sums that lie side by side.
  int64_t channels = 0;
  /// Of a convolution that the CPU computes in Winograd's form: side and number of
  /// the squares of results. All else describes the plain convolution.
  int64_t winogradTile = 0, winogradTiles = 0;
  /// Whether it transforms its filter at every call.
  bool winogradCompact = false;
  /// Of a contraction that the CPU's matrix unit computes: addends of each element there, the length of the
  /// stretches of the depth that tiles do not cross, rows that tiles have for those of one entry, and elements of the
  /// depth that vectors multiply.
  int64_t matrixParts = 0, matrixRun = 0, matrixRows = 0, matrixRest = 0;
  /// Divisions and roots, which have a slow unit of their own.
  int64_t divisions = 0;
  /// Distinct tensors that are read or written.
  int64_t tensors = 0;
  /// Starts of innermost loops over rows or pieces of rows.
  int64_t lines = 0;
  /// Bytes of a weight matrix or of filters among the bytes read, and those that
  /// one call of the model uses: they push the weights out of small caches.
  int64_t weightBytes = 0, callBytes = 0;
};

/// Module attribute with the bytes that pass through the caches between two uses
/// of a weight, of the entry with most: all weights and the tensors of the op with
/// the largest. Absent counts as none.
inline constexpr llvm::StringLiteral kCallBytesAttr = "hgc.call_bytes";

/// Modelled time of one kernel.
struct KernelTime {
  /// The whole, with the launch.
  int64_t totalPs = 0;
  /// The part that moving the tensors takes when nothing else limits: at most
  /// the total without the launch.
  int64_t memoryPs = 0;
  /// Bytes read that a written byte stands for in it.
  double writeWeight = 1;
};

/// The work of an op as a kernel of its own. `op` computes (isComputing).
KernelWork describeWork(mlir::Operation *op);

/// The work of one kernel in which `consumer` evaluates `producer` in place,
/// `repeats` times for each element. `written` and `read` are the bytes of the
/// value between them, which then never reaches memory.
KernelWork joinWork(const KernelWork &producer, const KernelWork &consumer, int64_t written, int64_t read,
                    double repeats);

/// Launch of a kernel with that many tensors.
int64_t getFixedPs(const DeviceTable &table, int64_t tensors);
int64_t getFixedPs(const GpuTable &table, int64_t tensors);

KernelTime estimateKernel(const DeviceTable &table, const KernelWork &work);
KernelTime estimateKernel(const GpuTable &table, const KernelWork &work);

/// Modelled seconds of some ops, each as a kernel of its own, on one thread and on all cores of a CPU: who compiles
/// does not know how many threads there will be.
struct ThreadTimes {
  double one = 0, all = 0;

  void add(const DeviceTable &table, mlir::Operation *op);
  /// Share of the time of others, on one thread or on all, whichever is larger.
  double relativeTo(const ThreadTimes &others) const { return std::max(one / others.one, all / others.all); }
};

} // namespace hgc

#endif // HGC_ANALYSIS_KERNELMODEL_H
