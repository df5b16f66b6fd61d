//===- EmitKernels.cpp - write the loops of every kernel ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel becomes two functions: the body, whose flat noalias buffers are what
// the optimiser wants to see, and the C function the runtime calls with an array
// of pointers.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/Passes.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace hgc {
#define GEN_PASS_DEF_EMITKERNELS
#include "hgc/CodeGen/CPU/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

cpu::KernelEmitter::~KernelEmitter() = default;

LogicalResult cpu::KernelEmitter::emitFinish(KernelContext &) const {
  llvm_unreachable("no schedule of this emitter leaves partial results");
}

std::unique_ptr<KernelEmitter> cpu::createEmitter(exec::KernelOp kernel) {
  Operation *root = getRoot(kernel);
  if (!root)
    return createPointwiseEmitter();
  if (getStagedConv(kernel))
    return isa<graph::PoolOp>(root) ? createPooledConvEmitter() : createStagedConvEmitter();
  if (getAttention(kernel))
    return createAttentionEmitter();
  return llvm::TypeSwitch<Operation *, std::unique_ptr<KernelEmitter>>(root)
#define HGC_KERNEL(NAME, OP) .Case([](graph::OP) { return create##NAME##Emitter(); })
#include "hgc/CodeGen/Common/Kernels.def"
      .Default([](Operation *) { return nullptr; });
}

/// Creates the empty function `<kernel><suffix>`.
static func::FuncOp createBody(OpBuilder &builder, exec::KernelOp kernel, const KernelSchedule &schedule,
                               StringRef suffix) {
  SmallVector<Type> types;
  for (BlockArgument argument : kernel.getBody().getArguments())
    types.push_back(getFlatType(argument.getType()));
  if (schedule.scratchBytes > 0)
    types.push_back(MemRefType::get({schedule.scratchBytes}, builder.getI8Type()));
  size_t buffers = types.size();
  types.append(2, builder.getIndexType());
  std::string name = (kernel.getSymName() + suffix).str();
  auto body = func::FuncOp::create(builder, kernel.getLoc(), name, builder.getFunctionType(types, {}));
  body.setPrivate();
  // Inlined, the promise of disjoint buffers would be lost.
  body.setNoInline(true);
  body->setAttr("llvm.linkage", LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
  for (size_t i = 0; i < buffers; ++i)
    body.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
  return body;
}

/// Fills `body` with the emitter's loops: those over units, or what follows them.
static LogicalResult emitBody(func::FuncOp body, exec::KernelOp kernel, const KernelEmitter &emitter,
                              const DeviceTable &target, bool isFinish) {
  Block *block = body.addEntryBlock();
  OpBuilder builder = OpBuilder::atBlockBegin(block);
  unsigned count = block->getNumArguments();
  unsigned buffers = kernel.getBody().getNumArguments();
  Value scratch = count > buffers + 2 ? block->getArgument(buffers) : Value();
  KernelContext context{{builder, kernel.getLoc(), kernel},
                        target,
                        block->getArgument(count - 2),
                        block->getArgument(count - 1),
                        scratch};
  for (auto [outer, inner] : llvm::zip(kernel.getBody().getArguments(), block->getArguments()))
    context.buffers[outer] = inner;
  if (!isEmptyKernel(kernel) && failed(isFinish ? emitter.emitFinish(context) : emitter.emit(context)))
    return failure();
  builder.setInsertionPointToEnd(block);
  func::ReturnOp::create(builder, kernel.getLoc());
  return success();
}

/// Creates the C function that unpacks the argument array and calls `body`.
static void emitEntry(OpBuilder &builder, StringRef name, func::FuncOp body) {
  Location loc = body.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type i64 = builder.getI64Type();
  auto entry = func::FuncOp::create(builder, loc, name, builder.getFunctionType({pointer, i64, i64}, {}));
  OpBuilder::InsertionGuard guard(builder);
  Block *block = entry.addEntryBlock();
  builder.setInsertionPointToStart(block);
  LLVMTypeConverter converter(builder.getContext());
  SmallVector<Value> operands;
  for (Type type : body.getArgumentTypes()) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref)
      continue;
    Value slot = LLVM::GEPOp::create(builder, loc, pointer, pointer, block->getArgument(0),
                                     ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(operands.size())});
    Value data = LLVM::LoadOp::create(builder, loc, pointer, slot);
    Value descriptor = MemRefDescriptor::fromStaticShape(builder, loc, converter, memref, data);
    operands.push_back(UnrealizedConversionCastOp::create(builder, loc, type, descriptor).getResult(0));
  }
  for (unsigned i : {1u, 2u})
    operands.push_back(arith::IndexCastOp::create(builder, loc, builder.getIndexType(), block->getArgument(i)));
  func::CallOp::create(builder, loc, body, operands);
  func::ReturnOp::create(builder, loc);
}

FailureOr<KernelSchedule> hgc::cpu::planKernel(exec::KernelOp kernel, const DeviceTable &target) {
  std::unique_ptr<KernelEmitter> emitter = createEmitter(kernel);
  if (!emitter) {
    InFlightDiagnostic diag = kernel.emitError() << "no code for kernel '" << kernel.getSymName() << "' on the CPU";
    if (Operation *root = getRoot(kernel))
      diag.attachNote(root->getLoc()) << "its root is '" << root->getName() << "'";
    diag.attachNote() << "hint: keep this op out of kernels of the 'fused' stage";
    return diag;
  }
  if (failed(verifyEmittable(kernel)))
    return failure();
  return isEmptyKernel(kernel) ? KernelSchedule() : emitter->plan(kernel, target);
}

static LogicalResult emitKernel(exec::KernelOp kernel, StringRef name, const DeviceTable &target) {
  FailureOr<KernelSchedule> schedule = planKernel(kernel, target);
  if (failed(schedule))
    return failure();
  OpBuilder builder(kernel);
  builder.setInsertionPointAfter(kernel);
  std::string finish = (name + "_finish").str();
  for (bool isFinish : {false, true}) {
    if (isFinish && !schedule->finishes)
      continue;
    func::FuncOp body = createBody(builder, kernel, *schedule, isFinish ? "_finish_body" : "_body");
    if (failed(emitBody(body, kernel, *createEmitter(kernel), target, isFinish)))
      return failure();
    builder.setInsertionPointAfter(body);
    emitEntry(builder, isFinish ? finish : name, body);
  }
  kernel.setUnits(schedule->units);
  kernel.setGrain(schedule->grain);
  kernel.setScratchBytes(schedule->scratchBytes);
  kernel.setSchedule(schedule->text);
  kernel->setAttr("function", builder.getStringAttr(name));
  if (schedule->finishes)
    kernel->setAttr("finish", builder.getStringAttr(finish));
  if (schedule->turns)
    kernel->setAttr("turns", builder.getUnitAttr());
  return success();
}

namespace {
struct EmitKernels final : hgc::impl::EmitKernelsBase<EmitKernels> {
  void runOnOperation() override {
    const DeviceTable &target = getCpuTable(getOperation());
    int64_t number = 0;
    for (exec::KernelOp kernel : llvm::make_early_inc_range(getOperation().getOps<exec::KernelOp>()))
      if (!isGpuKernel(kernel) && failed(emitKernel(kernel, "hgc_kernel_" + std::to_string(number++), target)))
        return signalPassFailure();
  }
};
} // namespace
