//===- KernelStages.h - kernels that make their own input -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CONVERSION_KERNELSTAGES_H
#define HGC_LIB_CONVERSION_KERNELSTAGES_H

#include "KernelBodies.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Target/DeviceTable.h"

namespace hgc {

/// The depthwise convolution or pool of a kernel that also makes what it reads, by a
/// convolution; null in others.
mlir::Operation *findReader(exec::KernelOp kernel);

/// Whether one kernel of the CPU can do both, where `second` reads the result of `first`
/// as input number `input`, and is faster: the rows in use have room beside the weights in the
/// second-level cache, and that result has not, or is to be pooled.
bool paysToStage(exec::KernelOp first, exec::KernelOp second, unsigned input, const DeviceTable &cpu);

/// Modelled time of that kernel.
int64_t priceStaged(exec::KernelOp first, exec::KernelOp second, const DeviceTable &cpu);

} // namespace hgc

#endif // HGC_LIB_CONVERSION_KERNELSTAGES_H
