//===- DeviceLiveness.h - tensors a device holds over time ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An estimate of what hgc-plan-memory will find on the exec dialect, while the
// program can still be changed. Time is the position of an op in its block.
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TRANSFORMS_DEVICELIVENESS_H
#define HGC_LIB_TRANSFORMS_DEVICELIVENESS_H

#include "dialects/Graph/GraphOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace hgc {

/// A tensor in the arena of a device, with its reshaped forms.
struct LiveTensor {
  /// A reader; ops inside of branches and loops read when those run.
  struct Access {
    mlir::OpOperand *use = nullptr;
    int64_t time = 0;
  };

  mlir::Value root;
  int64_t bytes = 0;
  int64_t first = 0, last = 0;
  /// In order of time.
  llvm::SmallVector<Access> accesses;

  bool isLiveAt(int64_t time) const { return first <= time && time <= last; }
  /// The accesses after `time`; there are none at `time` itself when the tensor
  /// only waits then.
  llvm::ArrayRef<Access> getLateAccesses(int64_t time) const;
  bool waitsAt(int64_t time) const;
};

/// The tensors of one block on one device. Constants and parameters are weights,
/// arguments and results of an entry the caller's: none of them counts.
class DeviceLiveness {
public:
  DeviceLiveness(mlir::Block &block, graph::DeviceAttr device);

  llvm::ArrayRef<LiveTensor> getTensors() const { return tensors; }
  /// The tensor `value` is a form of; null when it is none of these.
  const LiveTensor *find(mlir::Value value) const;
  mlir::Operation *getOp(int64_t time) const { return ops[time]; }

  /// The most bytes at one time, when that first is, and how often.
  int64_t getPeak() const { return peak; }
  int64_t getPeakTime() const { return peakTime; }
  int64_t countPeaks() const { return peaks; }

private:
  void collect(mlir::Block &block, graph::DeviceAttr device);
  void addAccesses(LiveTensor &tensor, mlir::Value value, mlir::Block &block);
  void findPeak(llvm::ArrayRef<int64_t> nested);

  llvm::SmallVector<mlir::Operation *> ops;
  llvm::DenseMap<mlir::Operation *, int64_t> times;
  llvm::SmallVector<LiveTensor> tensors;
  llvm::DenseMap<mlir::Value, size_t> indices;
  int64_t peak = 0, peakTime = 0, peaks = 0;
};

/// Ops that a change made and operands that it set, so that it can be undone.
class MemoryEdit {
public:
  /// Remembers an op made by the change.
  template <typename Op> Op add(Op op) {
    made.push_back(op);
    return op;
  }
  /// Lets the late accesses of `tensor` read `value`, which stands for its root.
  void redirect(const LiveTensor &tensor, int64_t time, mlir::Value value);
  void undo();

private:
  mlir::Value rebuild(mlir::OpBuilder &builder, mlir::Value form, mlir::Value root, mlir::Value value);

  llvm::SmallVector<mlir::Operation *> made;
  llvm::SmallVector<std::pair<mlir::OpOperand *, mlir::Value>> before;
  /// Ops that had to follow, with what stood behind them.
  llvm::SmallVector<std::pair<mlir::Operation *, mlir::Operation *>> moved;
};

/// What freeing a tensor at the peak saves there, and what time it costs.
struct MemoryRelief {
  int64_t savedBytes = 0, costPs = 0;
};

/// Lowers the peak of `block` on `device` to `limit` if it can: as long as it is
/// higher, applies the change with the most saved bytes per cost that lowers the
/// peak, or the number of times it is reached. Returns the cost of all changes.
int64_t relieveMemory(mlir::Block &block, graph::DeviceAttr device, int64_t limit,
                      llvm::function_ref<std::optional<MemoryRelief>(const DeviceLiveness &, const LiveTensor &)> rate,
                      llvm::function_ref<void(MemoryEdit &, const DeviceLiveness &, const LiveTensor &)> apply);

/// Adds the cost of such changes to the certified cost of the entry's plan.
void addToCertificate(mlir::func::FuncOp entry, int64_t costPs);

} // namespace hgc

#endif // HGC_LIB_TRANSFORMS_DEVICELIVENESS_H
