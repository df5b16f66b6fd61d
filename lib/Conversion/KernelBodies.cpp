//===- KernelBodies.cpp - kernels made of other kernels -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelBodies.h"

#include "dialects/Graph/GraphOps.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace hgc;

Operation *hgc::findRoot(exec::KernelOp kernel) {
  for (Operation &op : kernel.getBody().front())
    if (auto fusible = dyn_cast<graph::FusibleOp>(op))
      if (fusible.getFusionKind() == graph::FusionKind::Root)
        return &op;
  return nullptr;
}

bool hgc::mayUpdateInPlace(exec::KernelOp kernel) {
  if (exec::getGpu(kernel.getBody().getArguments().back().getType()))
    return false;
  Operation *root = findRoot(kernel);
  return !root || isa<graph::MatmulOp, graph::ConvFilterGradOp>(root);
}

bool hgc::areSameOperand(Value a, Value b) {
  auto first = a.getDefiningOp<exec::WeightOp>(), second = b.getDefiningOp<exec::WeightOp>();
  bool sameBlob = first && second && first.getBlobAttr() == second.getBlobAttr();
  return a == b || (sameBlob && a.getType() == b.getType());
}

void hgc::eraseUnusedKernels(ModuleOp module) {
  llvm::DenseSet<StringRef> launched;
  module.walk([&](exec::LaunchOp launch) { launched.insert(launch.getKernel()); });
  for (auto kernel : llvm::make_early_inc_range(module.getOps<exec::KernelOp>()))
    if (!launched.contains(kernel.getSymName()))
      kernel.erase();
}
