//===- EmitGpuKernels.cpp - write the functions of GPU kernels ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/Emitters.h"
#include "hgc/CodeGen/GPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace hgc {
#define GEN_PASS_DEF_EMITGPUKERNELS
#include "hgc/CodeGen/GPU/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;

std::unique_ptr<KernelEmitter> hgc::gpu::createEmitter(exec::KernelOp kernel) {
  Operation *root = getRoot(kernel);
  if (!root)
    return createPointwiseEmitter();
  if (isa<graph::AttentionOp>(root))
    return createAttentionEmitter();
  return llvm::TypeSwitch<Operation *, std::unique_ptr<KernelEmitter>>(root)
#define HGC_KERNEL(NAME, OP) .Case([](graph::OP) { return create##NAME##Emitter(); })
#include "hgc/CodeGen/Common/Kernels.def"
      .Default([](Operation *) { return nullptr; });
}

/// Creates the function of one launch, with its buffers but without a body.
static mlir::gpu::GPUFuncOp createFunction(OpBuilder &builder, StringRef name, exec::KernelOp kernel,
                                           const KernelPlan &plan, const Launch &launch) {
  SmallVector<Type> types;
  for (BlockArgument argument : kernel.getBody().getArguments())
    types.push_back(getFlatType(argument.getType()));
  if (plan.scratchBytes > 0)
    types.push_back(MemRefType::get({plan.scratchBytes}, builder.getI8Type()));
  auto function = mlir::gpu::GPUFuncOp::create(builder, kernel.getLoc(), name, builder.getFunctionType(types, {}));
  function->setAttr(mlir::gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  auto sizes = [&](const std::array<int64_t, 3> &from) {
    return builder.getDenseI32ArrayAttr(
        {static_cast<int32_t>(from[0]), static_cast<int32_t>(from[1]), static_cast<int32_t>(from[2])});
  };
  function.setKnownBlockSizeAttr(sizes(launch.block));
  function.setKnownGridSizeAttr(sizes(launch.grid));
  for (size_t i = 0; i < types.size(); ++i) {
    function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    function.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(kBufferAlignment));
  }
  return function;
}

static LogicalResult emitLaunch(OpBuilder &builder, StringRef name, exec::KernelOp kernel, const KernelEmitter &emitter,
                                const KernelPlan &plan, size_t number, const GpuTable &target) {
  const Launch &launch = plan.launches[number];
  mlir::gpu::GPUFuncOp function = createFunction(builder, name, kernel, plan, launch);
  OpBuilder::InsertionGuard guard(builder);
  Block &block = function.getBody().front();
  builder.setInsertionPointToStart(&block);
  size_t buffers = kernel.getBody().getNumArguments();
  Value scratch = plan.scratchBytes > 0 ? block.getArgument(buffers) : Value();
  KernelContext context{{builder, kernel.getLoc(), kernel, llvm::DenseMap<Value, Value>(), kBufferAlignment},
                        target,
                        function,
                        launch,
                        scratch};
  for (auto [outer, inner] : llvm::zip(kernel.getBody().getArguments(), block.getArguments().take_front(buffers)))
    context.buffers[outer] = inner;
  if (failed(emitter.emit(context, number)))
    return failure();
  builder.setInsertionPointToEnd(&block);
  mlir::gpu::ReturnOp::create(builder, kernel.getLoc());
  return success();
}

FailureOr<KernelPlan> hgc::gpu::planKernel(exec::KernelOp kernel, const GpuTable &target) {
  std::unique_ptr<KernelEmitter> emitter = createEmitter(kernel);
  if (!emitter) {
    Operation *root = getRoot(kernel);
    InFlightDiagnostic diag = kernel.emitError() << "no code for kernel '" << kernel.getSymName() << "' on the GPU";
    diag.attachNote(root->getLoc()) << "its root is '" << root->getName() << "'";
    diag.attachNote() << "hint: place this op on the CPU";
    return diag;
  }
  if (failed(verifyEmittable(kernel)))
    return failure();
  if (isEmptyKernel(kernel))
    return KernelPlan();
  FailureOr<KernelPlan> plan = emitter->plan(kernel, target);
  if (succeeded(plan) && kernel->getParentOfType<ModuleOp>()->hasAttr(kOwnKernelsAttr))
    plan->gemm = nullptr;
  return plan;
}

static LogicalResult emitKernel(OpBuilder &builder, exec::KernelOp kernel, int64_t kernelNumber,
                                const GpuTable &target) {
  FailureOr<KernelPlan> plan = planKernel(kernel, target);
  if (failed(plan))
    return failure();
  std::unique_ptr<KernelEmitter> emitter = createEmitter(kernel);
  Operation *root = getRoot(kernel);
  std::string stem = "hgc_" + std::to_string(kernelNumber) + "_";
  stem += root ? root->getName().stripDialect().str() : "pointwise";
  SmallVector<Attribute> launches;
  for (size_t i = 0; i < plan->launches.size(); ++i) {
    const Launch &launch = plan->launches[i];
    std::string name = i == 0 ? stem : stem + "_" + std::to_string(i);
    if (failed(emitLaunch(builder, name, kernel, *emitter, *plan, i, target)))
      return failure();
    launches.push_back(
        builder.getDictionaryAttr({builder.getNamedAttr("function", builder.getStringAttr(name)),
                                   builder.getNamedAttr("grid", builder.getDenseI64ArrayAttr(launch.grid)),
                                   builder.getNamedAttr("block", builder.getDenseI64ArrayAttr(launch.block)),
                                   builder.getNamedAttr("shared", builder.getI64IntegerAttr(launch.sharedBytes))}));
  }
  kernel->setAttr(kLaunchesAttr, builder.getArrayAttr(launches));
  if (plan->gemm)
    kernel->setAttr(kGemmAttr, plan->gemm);
  else
    kernel->removeAttr(kGemmAttr);
  kernel.setScratchBytes(plan->scratchBytes);
  kernel.setSchedule(plan->launches.empty() ? "empty" : plan->text);
  return success();
}

/// Code is for the oldest GPU: it decides what all can do.
static void warnOfTf32(ModuleOp module, const GpuTable &target) {
  if (!allowsTf32(module) || target.sm >= kOldestTf32Sm)
    return;
  InFlightDiagnostic diag = module.emitWarning() << "tf32 is allowed, but '" << target.name
                                                 << "' has no tensor cores for it: f32 stays exact";
  diag.attachNote() << "hint: name GPUs from sm_" << kOldestTf32Sm << " on only";
}

namespace {
struct EmitGpuKernels final : hgc::impl::EmitGpuKernelsBase<EmitGpuKernels> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    GpuTable target = getGpuTable(module);
    warnOfTf32(module, target);
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    mlir::gpu::GPUModuleOp functions;
    int64_t number = 0;
    for (exec::KernelOp kernel : llvm::to_vector(module.getOps<exec::KernelOp>())) {
      if (!isGpuKernel(kernel))
        continue;
      if (!functions) {
        functions = mlir::gpu::GPUModuleOp::create(builder, module.getLoc(), kGpuModuleName);
        builder.setInsertionPointToEnd(functions.getBody());
      }
      if (failed(emitKernel(builder, kernel, number++, target)))
        return signalPassFailure();
    }
  }
};
} // namespace
