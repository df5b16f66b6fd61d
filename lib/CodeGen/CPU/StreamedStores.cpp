//===- StreamedStores.cpp - results written past the caches ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/StreamedStores.h"

#include "hgc/CodeGen/Common/IndexBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace hgc::cpu {

/// Bytes of a cache line.
static constexpr int64_t kLineBytes = 64;

static RankedTensorType getResultType(exec::KernelOp kernel) {
  return cast<RankedTensorType>(getStore(kernel).getValue().getType());
}

static int64_t getStoredBytes(exec::KernelOp kernel) {
  return graph::getElementBytes(getResultType(kernel).getElementType());
}

bool fillsCaches(exec::KernelOp kernel, const DeviceTable &target) {
  if (kernel.getStores().size() != 1)
    return false;
  int64_t result = graph::getTensorBytes(getResultType(kernel)), bytes = result;
  // Of tables in which elements are looked up no more is read than is written.
  for (exec::LoadOp load : kernel.getBody().getOps<exec::LoadOp>())
    bytes += std::min(result, graph::getTensorBytes(cast<RankedTensorType>(load.getType())));
  return bytes >= target.l3Bytes;
}

int64_t getStreamAlignment(exec::KernelOp kernel, int64_t lanes) {
  return std::min(kLineBytes, lanes * getStoredBytes(kernel));
}

int64_t getLineLanes(exec::KernelOp kernel) { return kLineBytes / getStoredBytes(kernel); }

Value emitUnaligned(KernelContext &context, int64_t lanes, Value offset) {
  IndexBuilder b(context.builder, context.loc);
  int64_t alignment = getStreamAlignment(context.kernel, lanes);
  Value buffer = context.buffers.lookup(getStore(context.kernel).getBuffer());
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(context.builder, context.loc, buffer);
  if (offset)
    address = b.add(address, b.mul(offset, getStoredBytes(context.kernel)));
  Value rest = b.sub(b.constant(alignment), b.rem(address, alignment));
  return b.div(b.rem(rest, alignment), getStoredBytes(context.kernel));
}

void emitStreamFence(KernelContext &context) {
  // Elsewhere what publishes a kernel's results orders these stores like others.
  if (StringRef(context.target.triple).starts_with("x86"))
    LLVM::CallIntrinsicOp::create(context.builder, context.loc, context.builder.getStringAttr("llvm.x86.sse.sfence"),
                                  ValueRange{});
}

} // namespace hgc::cpu
