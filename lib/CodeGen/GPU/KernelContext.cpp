//===- KernelContext.cpp - how one kernel becomes GPU functions -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/KernelContext.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

hgc::gpu::KernelEmitter::~KernelEmitter() = default;

static mlir::gpu::Dimension getDimension(unsigned dim) { return static_cast<mlir::gpu::Dimension>(dim); }

Value KernelContext::threadId(unsigned dim) {
  if (launch.block[dim] == 1)
    return IndexBuilder(builder, loc).constant(0);
  return mlir::gpu::ThreadIdOp::create(builder, loc, getDimension(dim));
}

Value KernelContext::blockId(unsigned dim) {
  if (launch.grid[dim] == 1)
    return IndexBuilder(builder, loc).constant(0);
  return mlir::gpu::BlockIdOp::create(builder, loc, getDimension(dim));
}

Value KernelContext::globalId() {
  IndexBuilder index(builder, loc);
  return index.add(index.mul(blockId(), launch.block[0]), threadId());
}

Value KernelContext::addShared(ArrayRef<int64_t> shape, Type element) {
  auto space = mlir::gpu::AddressSpaceAttr::get(builder.getContext(), mlir::gpu::AddressSpace::Workgroup);
  auto type = MemRefType::get(shape, element, MemRefLayoutAttrInterface(), space);
  unsigned number = function.getNumWorkgroupAttributions();
  Value array = function.addWorkgroupAttribution(type, loc);
  function.setWorkgroupAttributionAttr(number, LLVM::LLVMDialect::getAlignAttrName(),
                                       builder.getI64IntegerAttr(kBufferAlignment));
  return array;
}

Value KernelContext::getScratch(int64_t byteOffset, int64_t elements, Type element) {
  Value offset = arith::ConstantIndexOp::create(builder, loc, byteOffset);
  auto type = MemRefType::get({elements}, element);
  return memref::ViewOp::create(builder, loc, type, scratch, offset, ValueRange());
}

void KernelContext::barrier() { mlir::gpu::BarrierOp::create(builder, loc); }
