//===- EmitProgramsParallel.cpp - kernels side by side as LLVM ops --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launches of all branches are described in an array on the stack, which the
// runtime hands to its threads. Nothing is allocated during a call.
//===----------------------------------------------------------------------===//

#include "EmitProgramsBody.h"

#include "runtime/include/hgc_rt_abi.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

Value ProgramEmitter::createStackArray(Type element, int64_t count) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getBody().front());
  return LLVM::AllocaOp::create(builder, loc, constants.pointerType(), element, constant(count), 16);
}

void ProgramEmitter::emitSideBySide(ArrayRef<std::pair<exec::LaunchOp, int64_t>> launches, int64_t branches) {
  Value table = createStackArray(builder.getI64Type(), launches.size() * sizeof(hgc_rt_parallel_launch) / 8);
  for (auto [i, item] : llvm::enumerate(launches)) {
    auto [launch, branch] = item;
    loc = launch.getLoc();
    auto kernel = SymbolTable::lookupNearestSymbolFrom<exec::KernelOp>(launch, launch.getKernelAttr());
    // The last slot receives scratch memory.
    int64_t count = launch.getNumOperands() + (kernel.getScratchBytes().value_or(0) > 0);
    Value arguments = createStackArray(constants.pointerType(), count);
    storeArguments(launch.getOperands(), arguments);
    auto store = [&, i = i](Value value, size_t field) {
      LLVM::StoreOp::create(builder, loc, value,
                            advance(table, static_cast<int64_t>(i * sizeof(hgc_rt_parallel_launch) + field)));
    };
    store(LLVM::AddressOfOp::create(builder, loc, constants.pointerType(), kernelDescs.lookup(launch.getKernel())),
          offsetof(hgc_rt_parallel_launch, kernel));
    store(arguments, offsetof(hgc_rt_parallel_launch, args));
    store(constant(count), offsetof(hgc_rt_parallel_launch, nargs));
    store(constant(branch), offsetof(hgc_rt_parallel_launch, branch));
  }
  call("hgc_rt_parallel", LLVM::LLVMVoidType::get(builder.getContext()),
       {context, table, constant(launches.size()), constant(branches)});
}

/// Branches of nothing but CPU kernels run at the same time. Others run one after
/// the other: there is one issuing thread.
LogicalResult ProgramEmitter::emitParallel(exec::ParallelOp op) {
  SmallVector<std::pair<exec::LaunchOp, int64_t>> launches;
  bool hasOther = false;
  for (auto [number, branch] : llvm::enumerate(op.getBranches()))
    for (Operation &nested : branch.getOps()) {
      auto launch = dyn_cast<exec::LaunchOp>(nested);
      if (launch && !exec::getActionGpu(launch))
        launches.push_back({launch, static_cast<int64_t>(number)});
      else
        hasOther |= !isa<exec::ViewOp, exec::WeightOp, exec::AliasOp>(nested);
    }
  for (Region &branch : op.getBranches())
    for (Operation &nested : branch.getOps())
      if ((hasOther || !isa<exec::LaunchOp>(nested)) && failed(emitOp(nested)))
        return failure();
  if (!hasOther && !launches.empty())
    emitSideBySide(launches, op.getBranches().size());
  return success();
}
