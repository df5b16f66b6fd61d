//===- Devices.h - on which device a value lives ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One device per op is enough to know it of every value: arguments of an entry
// and its results are on the host, what a branch or loop carries is on the
// device of the branch or loop, and its predicate is read by the host.
//===----------------------------------------------------------------------===//

#ifndef HGC_PLACEMENT_DEVICES_H
#define HGC_PLACEMENT_DEVICES_H

#include "dialects/Graph/GraphOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace hgc {

/// Set on entries by hgc-split-plans: "cpu" or "gpu". Without it there is only
/// the CPU plan.
inline constexpr llvm::StringLiteral kPlanAttr = "hgc.plan";

/// Set by hgc-share-weights on the function that runs when the model is loaded,
/// and on the parameters it fills: they are on GPUs only.
inline constexpr llvm::StringLiteral kLoadAttr = "hgc.load";
inline constexpr llvm::StringLiteral kLoadedAttr = "hgc.loaded";

/// Whether `function` belongs to the GPU plan.
bool isInGpuPlan(mlir::func::FuncOp function);

graph::DeviceAttr getHost(mlir::MLIRContext *context);

/// Whether `device` is a `#hgc.device` of kind gpu; null is not.
bool isGpu(mlir::Attribute device);

/// The device of an op after placement; null before.
graph::DeviceAttr getDevice(mlir::Operation *op);

/// Where `value` lives; null when its op has no device yet.
graph::DeviceAttr getDevice(mlir::Value value);

/// Where the reader of `use` expects it; null when it has no device yet.
graph::DeviceAttr getRequiredDevice(mlir::OpOperand &use);

/// Whether `use` decides which way control flow takes: the host reads it.
bool isPredicate(mlir::OpOperand &use);

/// `cpu`, `gpu:1`.
std::string describe(graph::DeviceAttr device);

} // namespace hgc

#endif // HGC_PLACEMENT_DEVICES_H
