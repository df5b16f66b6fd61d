//===- KernelStages.h - kernels that make their own input -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CONVERSION_KERNELSTAGES_H
#define HGC_LIB_CONVERSION_KERNELSTAGES_H

#include "KernelBodies.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Target/DeviceTable.h"

namespace hgc {

/// The depthwise convolution of a kernel that also makes what it reads; null in others.
graph::ConvOp findReader(exec::KernelOp kernel);

/// Whether one kernel of the CPU can do both, where `second` reads the result of `first`
/// as input number `input`, and is faster: that result goes through a cache farther away
/// than the second-level one, in which the rows in use have room beside the weights.
bool paysToStage(exec::KernelOp first, exec::KernelOp second, unsigned input, const DeviceTable &cpu);

/// Modelled time of that kernel.
int64_t priceStaged(exec::KernelOp first, exec::KernelOp second, const DeviceTable &cpu);

} // namespace hgc

#endif // HGC_LIB_CONVERSION_KERNELSTAGES_H
