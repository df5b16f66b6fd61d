//===- KernelViews.h - products that read and write in place ----*- C++ -*-===//
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

/// Whether `first`, an attention on the CPU, can store the rows of its result where `second`, which does nothing else,
/// puts those of its input number `input`.
bool canStoreInPlace(exec::KernelOp first, exec::KernelOp second, unsigned input);

/// Whether `kernel` is an attention that does so: nothing can be computed from its result before that is stored.
bool storesMoved(exec::KernelOp kernel);

/// Whether the root of its kernel reads what `load` gives, as it is or in part.
bool isRootOperand(exec::LoadOp load);

} // namespace hgc

#endif // HGC_LIB_CONVERSION_KERNELVIEWS_H
