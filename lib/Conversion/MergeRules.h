//===- MergeRules.h - which kernels may be one ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CONVERSION_MERGERULES_H
#define HGC_LIB_CONVERSION_MERGERULES_H

#include "dialects/Exec/ExecOps.h"
#include "hgc/Target/DeviceTable.h"

namespace hgc {

/// Two launches, the second of which comes later, and their kernels.
struct LaunchPair {
  exec::LaunchOp first, second;
  exec::KernelOp firstKernel, secondKernel;
};

/// Whether both compute element by element, the second from what the first makes or from an
/// input they share: one pass over memory does both.
bool canJoinElements(const LaunchPair &pair);

/// Whether the second, a depthwise convolution, can make the rows it reads of the first's
/// result itself (KernelStages.h).
bool canStageRows(const LaunchPair &pair, const DeviceTable &cpu);

/// Whether both become an attention, or a longer part of one (KernelAttention.h).
bool canJoinAttention(const LaunchPair &pair, const DeviceTable &cpu);

/// Whether the second, a product, can read what the first cuts out of a tensor in that
/// tensor itself (KernelViews.h).
bool canReadParts(const LaunchPair &pair, const DeviceTable &cpu);

/// Whether the first, an attention, can store its rows in the order that the second gives
/// them (KernelViews.h).
bool canStoreMoved(const LaunchPair &pair);

/// Whether one kernel could do both, by any of these rules.
bool canMerge(const LaunchPair &pair, const DeviceTable &cpu);

} // namespace hgc

#endif // HGC_LIB_CONVERSION_MERGERULES_H
