//===- Pricing.h - what ops and transfers cost on each device ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All prices are int64 picoseconds of one execution. The price of a kernel is the
// sum of its ops' prices minus the savings of the fusion edges inside of it, so
// that a cut over ops and edges prices the fused program exactly.
//===----------------------------------------------------------------------===//

#ifndef HGC_ANALYSIS_PRICING_H
#define HGC_ANALYSIS_PRICING_H

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/FusionForest.h"
#include "hgc/Target/DeviceTable.h"
#include "hgc/Target/GpuTable.h"

#include "mlir/IR/BuiltinOps.h"

namespace hgc {

/// Prices for the devices the module is compiled for. Never edits.
class Pricing {
public:
  /// Takes the tables the module's attributes name.
  explicit Pricing(mlir::ModuleOp module);
  Pricing(const DeviceTable &cpu, const GpuTable &gpu);

  /// Launch and time of `op` as a kernel of its own. 0 for what is no kernel:
  /// views, reads, constants, state, and control flow, whose ops are priced one
  /// by one.
  int64_t priceOp(mlir::Operation *op, graph::DeviceAttr device) const;

  /// What contracting the edge saves when both ends are on `device`; 0 where the
  /// device does not fuse it.
  int64_t getSaving(const FusionEdge &edge, graph::DeviceAttr device) const;

  /// The prices of the kernel's ops minus the savings of its inner edges.
  int64_t priceKernel(graph::KernelOp kernel, graph::DeviceAttr device) const;

  /// The same for any op whose single block is one kernel.
  int64_t priceBody(mlir::Operation *kernel, graph::DeviceAttr device) const;

  /// A copy of `bytes`; 0 between equal devices.
  int64_t priceTransfer(int64_t bytes, graph::DeviceAttr from, graph::DeviceAttr to) const;

  /// Whether there is code for `op` on `device`. The CPU's code for attention is
  /// that of the ops it decomposes to.
  bool canRun(mlir::Operation *op, graph::DeviceAttr device) const;

  /// Whether there is code for `op` as it is: what a pass behind hgc-decompose may put on `device`.
  bool hasKernel(mlir::Operation *op, graph::DeviceAttr device) const;

  const DeviceTable &getCpu() const { return cpu; }
  const GpuTable &getGpu() const { return gpu; }

private:
  DeviceTable cpu;
  GpuTable gpu;
};

/// How often one call of the entry executes `op`: the product of the trip counts
/// of the loops around it. Exact for scans, hinted for while loops.
int64_t getTripWeight(mlir::Operation *op);

} // namespace hgc

#endif // HGC_ANALYSIS_PRICING_H
