//===- ReducedDims.cpp - what a reduction walks over ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/ReducedDims.h"

#include "hgc/CodeGen/Common/ReduceElements.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace hgc::codegen {

ReducedDims::ReducedDims(exec::KernelOp kernel) {
  Operation *root = getRoot(kernel);
  input = root->getOperand(0);
  auto rank = static_cast<size_t>(cast<RankedTensorType>(input.getType()).getRank());
  isReduced.assign(rank, false);
  SmallVector<LinearForm> forms = identityForms(rank), result = forms;
  llvm::TypeSwitch<Operation *>(root)
      .Case([&](graph::ReduceOp op) {
        for (int64_t axis : op.getAxes())
          isReduced[axis] = true;
        result = toReduceResult<LinearForm>(op, forms, LinearForm());
      })
      .Case<graph::SoftmaxOp, graph::LogSoftmaxOp>([&](auto op) { isReduced[op.getAxis()] = true; })
      .Case([&](graph::LayerNormOp op) {
        std::fill(isReduced.begin() + op.getAxis(), isReduced.end(), true);
        ArrayRef<LinearForm> trailing = ArrayRef<LinearForm>(forms).drop_front(op.getAxis());
        collectAccesses(op.getScale(), trailing, {}, accesses);
        collectAccesses(op.getBias(), trailing, {}, accesses);
      });
  Value stored = getStore(kernel).getValue();
  accesses.push_back(getRowMajorAccess(cast<RankedTensorType>(stored.getType()).getShape(), result));
  collectAccesses(stored, result, root->getResult(0), accesses);
}

} // namespace hgc::codegen
