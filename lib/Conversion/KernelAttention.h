//===- KernelAttention.h - attention as one kernel --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CONVERSION_KERNELATTENTION_H
#define HGC_LIB_CONVERSION_KERNELATTENTION_H

#include "KernelBodies.h"

#include "hgc/Target/AttentionForm.h"
#include "hgc/Target/DeviceTable.h"

namespace hgc {

/// The roots of a CPU kernel that multiplies the softmax of rows; none in others.
std::optional<AttentionForm> findAttention(exec::KernelOp kernel);

/// Whether one kernel of the CPU can do both, where `second` reads the result of `first` as input
/// number `input`: `first` is a softmax and `second` multiplies it, or such a kernel already, to
/// which `first`, a product, gives its scores. There are many rows, and some have room in the
/// second-level cache.
bool canAttend(exec::KernelOp first, exec::KernelOp second, unsigned input, const DeviceTable &cpu);

} // namespace hgc

#endif // HGC_LIB_CONVERSION_KERNELATTENTION_H
