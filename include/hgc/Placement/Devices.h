//===- Devices.h - on which device a value lives ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One device per op is enough to know it of every value: arguments of an entry
// and its results are on the host, unless they are resident on a GPU; what a
// branch or loop carries is on the device of the branch or loop, and its
// predicate is read by the host.
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

/// Written by hgc-resolve-pins: the device an op must be on.
inline constexpr llvm::StringLiteral kPinAttr = "hgc.pin";

/// Written by hgc-place. On ops that compute: `cpu_ps`, `gpu_ps`, `switch_ps` and
/// a reason; a second device to compute on; that an op joins its reader's kernel.
/// On entries of the GPU plan: what the plan costs, the bound, the alternatives.
inline constexpr llvm::StringLiteral kDecisionAttr = "hgc.decision";
inline constexpr llvm::StringLiteral kAlsoOnAttr = "hgc.also_on";
inline constexpr llvm::StringLiteral kFusesAttr = "hgc.fuses";
inline constexpr llvm::StringLiteral kCertificateAttr = "hgc.certificate";
/// In a certificate: false when kernels turned out to cost something else. Then it
/// has no bound.
inline constexpr llvm::StringLiteral kCertifiedField = "certified";
/// Set by hgc-place on the module when memory has a price: `total_ps`, the value of
/// the first cut, and `memory_ps`, what of it is memory.
inline constexpr llvm::StringLiteral kMemoryCostAttr = "hgc.memory_cost";

/// Set on ops that a pass adds behind hgc-place and that its prices include: what
/// brings a contraction's operand into panels.
inline constexpr llvm::StringLiteral kPackingAttr = "hgc.packing";

/// Set on an entry by passes that improve on its placement with what a cut over
/// ops cannot express: then it costs at most what its certificate says.
inline constexpr llvm::StringLiteral kRefinedAttr = "hgc.refined";

/// Whether `function` belongs to the GPU plan.
bool isInGpuPlan(mlir::func::FuncOp function);

/// Whether the plan of `function` is dearer than its bound because it is shorter:
/// then ops may be on the slower side, beside others. Serial prices do not tell.
bool isPlacedToOverlap(mlir::func::FuncOp function);

graph::DeviceAttr getHost(mlir::MLIRContext *context);

/// Where the caller of `function` has an argument, and where it wants a result:
/// on the host, or in the GPU plan where `hgc.device` of that argument says.
graph::DeviceAttr getArgumentDevice(mlir::func::FuncOp function, unsigned argument);
graph::DeviceAttr getResultDevice(mlir::func::FuncOp function, unsigned result);

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

/// Whether placement decides about `op`: graph ops other than terminators.
bool isPlaced(mlir::Operation *op);

/// `price` of one execution of `op` as that of one call: times the trips of the
/// loops around it. Bounded, so that sums over a model do not overflow.
int64_t multiplyByTrips(int64_t price, mlir::Operation *op);

/// `cpu`, `gpu:1`.
std::string describe(graph::DeviceAttr device);

/// The device that `cpu`, `gpu` or `gpu:1` names; null for anything else.
graph::DeviceAttr parseDevice(llvm::StringRef text, mlir::MLIRContext *context);

} // namespace hgc

#endif // HGC_PLACEMENT_DEVICES_H
