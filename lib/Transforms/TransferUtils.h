//===- TransferUtils.h - what passes over transfers share -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_TRANSFORMS_TRANSFERUTILS_H
#define HGC_LIB_TRANSFORMS_TRANSFERUTILS_H

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/FoldedOps.h"
#include "hgc/Analysis/FusionForest.h"
#include "hgc/Analysis/Invariance.h"
#include "hgc/Analysis/Pricing.h"
#include "hgc/Placement/Devices.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"

namespace hgc {

/// Set on a scan whose iterations are written out one by one, so that copies and
/// kernels of several overlap.
inline constexpr llvm::StringLiteral kUnrollAttr = "hgc.unroll";

/// Why a transfer is there, in words.
inline constexpr llvm::StringLiteral kReasonAttr = "hgc.reason";

/// The value that `value` shows in another shape.
mlir::Value skipViews(mlir::Value value);

/// `value` in another shape, on the device it is on.
mlir::Value makeView(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type type);

/// Copies `value` to another device, at the builder's place.
mlir::Value makeTransfer(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, graph::DeviceAttr to,
                         llvm::StringRef reason = {});

/// Bytes of a tensor.
int64_t getBytes(mlir::Value value);

/// Bytes that one call of `function` copies between devices, as far as it is
/// known: loops count by their trips, branches all.
int64_t countTransferredBytes(mlir::func::FuncOp function);

/// Whether hgc-fuse may join `producer` with its reader: in an entry that was
/// placed only where the placement counts on it. For FusionForest.
bool mayFuse(mlir::Operation *producer);

/// Entries of the GPU plan: the only functions with transfers.
llvm::SmallVector<mlir::func::FuncOp> findGpuEntries(mlir::ModuleOp module);

/// Where the values of one function can be had on other devices.
class DeviceCopies {
public:
  DeviceCopies(mlir::func::FuncOp function, const Invariance &invariance);

  /// What can be read on `to` at `user` instead of `value`, without any copy
  /// that is not there already; null when there is nothing. Constants,
  /// parameters that no entry assigns, what the compiler makes from them, and
  /// views are made again.
  mlir::Value find(mlir::Value value, graph::DeviceAttr to, mlir::Operation *user);
  /// Whether `find` would give something; makes nothing.
  bool isFree(mlir::Value value, graph::DeviceAttr to, mlir::Operation *user);

  /// As `find`, else a new transfer behind `value`.
  mlir::Value get(mlir::Value value, graph::DeviceAttr to, mlir::Operation *user);

  /// What is on `to` already and can be read at `user` instead of `value`.
  mlir::Value findExisting(mlir::Value value, graph::DeviceAttr to, mlir::Operation *user);

  /// What a second reader of the copy costs, because its maker is then no part of
  /// the first reader's kernel any more.
  int64_t priceSecondReader(mlir::Value value, graph::DeviceAttr to, mlir::Operation *user, const FusionForest &forest,
                            const Pricing &pricing);

  /// Makes transfers added by others known.
  void add(graph::TransferOp transfer);

private:
  /// Whether a second op may stand for the value on another device: nothing
  /// about it changes from call to call.
  bool isDuplicable(mlir::Operation *op) const;
  mlir::Value duplicate(mlir::Operation *op, graph::DeviceAttr to);
  /// Copies of a value on a device, first made first.
  llvm::DenseMap<std::pair<mlir::Value, mlir::Attribute>, llvm::SmallVector<mlir::Value, 1>> copies;
  const Invariance &invariance;
  FoldedOps folded;
  mlir::DominanceInfo dominance;
};

} // namespace hgc

#endif // HGC_LIB_TRANSFORMS_TRANSFERUTILS_H
