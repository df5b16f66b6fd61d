//===- FusionForest.h - which ops may become one kernel ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every op has at most one edge, to its single consumer in the same block.
// Contracting any subset of the edges therefore keeps the graph acyclic, each
// resulting kernel has one result, and it holds at most one root op.
//===----------------------------------------------------------------------===//

#ifndef HGC_ANALYSIS_FUSIONFOREST_H
#define HGC_ANALYSIS_FUSIONFOREST_H

#include "hgc/Target/DeviceTable.h"
#include "hgc/Target/GpuTable.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"

namespace hgc {

/// "producer may be computed inside consumer's kernel".
struct FusionEdge {
  mlir::Operation *producer = nullptr;
  mlir::Operation *consumer = nullptr;
  /// Time saved when both run on the CPU or on a GPU: a launch, the value's way
  /// through memory, minus what is computed more than once. 0 where that device
  /// does not fuse them; one of the two is above 0. They depend on the two ops
  /// alone, so that a kernel made of any part of the forest has the same ones.
  int64_t cpuSavingPs = 0, gpuSavingPs = 0;
};

/// The fusion edges of all ops nested in one op. Never edits.
class FusionForest {
public:
  /// Uses the tables of the surrounding module. Without a target GPU, and with no
  /// op placed on one, there are no savings there.
  explicit FusionForest(mlir::Operation *scope);
  /// `gpu` may be null.
  FusionForest(mlir::Operation *scope, const DeviceTable &cpu, const GpuTable *gpu);

  /// Only from producers that `mayFuse` allows. A subset of another forest's
  /// producers gives just those edges.
  FusionForest(mlir::Operation *scope, llvm::function_ref<bool(mlir::Operation *)> mayFuse);

  /// The edge from `op` to its consumer, or null.
  const FusionEdge *getEdge(mlir::Operation *op) const;

  /// All edges, producers in program order within each block.
  llvm::ArrayRef<FusionEdge> getEdges() const { return edges; }

  /// Most distinct tensors a kernel may read.
  static constexpr size_t kMaxInputs = 30;
  /// Most ops of a kernel; keeps generated code and compile time in bounds.
  static constexpr size_t kMaxOps = 64;

private:
  using Filter = llvm::function_ref<bool(mlir::Operation *)>;
  void build(mlir::Operation *scope, const DeviceTable &cpu, const GpuTable *gpu, Filter mayFuse);
  void build(mlir::Operation *scope, Filter mayFuse);

  std::vector<FusionEdge> edges;
  llvm::DenseMap<mlir::Operation *, size_t> edgeOf;
};

/// Whether fusion makes `op` part of a kernel: it computes or moves elements.
bool isComputing(mlir::Operation *op);

/// Whether `value` is a constant with all elements equal.
bool isSplatConstant(mlir::Value value);

/// Whether the kernel of the using op copies the constant this operand is,
/// instead of reading it: splats that are evaluated element by element.
bool isCopiedIntoKernel(mlir::OpOperand &use);

} // namespace hgc

#endif // HGC_ANALYSIS_FUSIONFOREST_H
