//===- StreamedStores.h - results written past the caches -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A store to memory first fetches the line it changes, and in the end throws others
// out of the caches. For a result that fits none of them both are for nothing: stores
// of whole aligned vectors can go to memory directly. What such a kernel has written
// is visible to other threads behind a fence.
//===----------------------------------------------------------------------===//

#ifndef HGC_CODEGEN_CPU_STREAMEDSTORES_H
#define HGC_CODEGEN_CPU_STREAMEDSTORES_H

#include "hgc/CodeGen/CPU/KernelContext.h"

namespace hgc::cpu {

/// Whether the kernel has one result, and this and what it reads fill the last cache,
/// so that little of the result would be left there for others.
bool fillsCaches(exec::KernelOp kernel, const DeviceTable &target);

/// Bytes at a multiple of which streamed stores of `lanes` elements of the kernel's
/// result start.
int64_t getStreamAlignment(exec::KernelOp kernel, int64_t lanes);

/// Elements of the kernel's result in a line of the cache.
int64_t getLineLanes(exec::KernelOp kernel);

/// Elements of the result's buffer, from `offset` on if that is given, before the
/// first such address.
mlir::Value emitUnaligned(KernelContext &context, int64_t lanes, mlir::Value offset = {});

/// Waits until streamed stores are visible.
void emitStreamFence(KernelContext &context);

} // namespace hgc::cpu

#endif // HGC_CODEGEN_CPU_STREAMEDSTORES_H
