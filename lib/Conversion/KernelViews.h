//===- KernelViews.h - products that read parts of tensors ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CONVERSION_KERNELVIEWS_H
#define HGC_LIB_CONVERSION_KERNELVIEWS_H

#include "KernelBodies.h"

#include "hgc/Target/DeviceTable.h"

namespace hgc {

/// Whether `second`, a product on the CPU, can read its input number `input`, which
/// `first` cuts out of a tensor or turns, in that tensor itself, and as fast: rows of
/// it stay whole.
bool canReadInPlace(exec::KernelOp first, exec::KernelOp second, unsigned input, const DeviceTable &cpu);

/// Whether the root of its kernel reads what `load` gives, as it is or in part.
bool isRootOperand(exec::LoadOp load);

} // namespace hgc

#endif // HGC_LIB_CONVERSION_KERNELVIEWS_H
