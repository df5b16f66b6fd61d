//===- MatmulKernel.cpp - kernels with a matmul at their root -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/GemmStore.h"
#include "hgc/CodeGen/CPU/Matmul.h"
#include "hgc/CodeGen/CPU/MatrixProducts.h"
#include "hgc/CodeGen/Common/ElementEmitter.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {
struct MatmulEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override {
    auto op = cast<graph::MatmulOp>(getRoot(kernel));
    return scheduleGemm("matmul", Matmul(op), op.getCost(), target);
  }

  LogicalResult emit(KernelContext &context) const override {
    if (failed(verifyEmittable(context.kernel)) || failed(verifyRootOperands(getRoot(context.kernel))) ||
        failed(verifyMatrixUnit(getRoot(context.kernel), context.target)))
      return failure();
    auto op = cast<graph::MatmulOp>(getRoot(context.kernel));
    emitGemm(context, op.getResult(), Matmul(op), getRootBuffer(context, op.getLhs()),
             getRootBuffer(context, op.getRhs()));
    return success();
  }
};
} // namespace

std::unique_ptr<KernelEmitter> cpu::createMatmulEmitter() { return std::make_unique<MatmulEmitter>(); }
