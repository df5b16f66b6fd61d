//===- PackKernel.cpp - write a contraction operand in panels -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both kinds of packing copy columns of a row-major matrix. Matmul operands are
// a batch of matrices; the groups of a filter are ranges of columns of one.
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Panels.h"
#include "hgc/CodeGen/CPU/Emitters.h"
#include "hgc/CodeGen/CPU/GemmPack.h"
#include "hgc/CodeGen/CPU/GemmPlan.h"
#include "hgc/CodeGen/CPU/GemmStore.h"
#include "hgc/CodeGen/CPU/MatrixProducts.h"
#include "hgc/CodeGen/Common/ElementEmitter.h"
#include "hgc/CodeGen/Common/Packing.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

namespace {

struct PackEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override {
    auto op = cast<graph::PackOp>(getRoot(kernel));
    Packing packing(op);
    int64_t units = packing.matrices * packing.panels;
    return {units, chooseGrain(units, estimatePs(target, op.getCost()), target), 0,
            "pack: panels of " + std::to_string(packing.width)};
  }

  LogicalResult emit(KernelContext &context) const override;
};

} // namespace

LogicalResult PackEmitter::emit(KernelContext &context) const {
  auto op = cast<graph::PackOp>(getRoot(context.kernel));
  if (failed(verifyRootOperands(op)))
    return failure();
  exec::StoreOp store = getStore(context.kernel);
  if (store.getValue() != op.getResult())
    return op.emitOpError("is followed by other ops in its kernel, expected none");
  bool hasTiles = graph::isTiled(op.getInterleave()) && getElementTypeOrSelf(op.getInput().getType()).isF32();
  if (op.getInterleave() != 1 && (!hasTiles || op.getKind() != graph::PackKind::MatmulRhs)) {
    InFlightDiagnostic diag = op.emitOpError("interleaves an operand that is known only at run time, expected none");
    diag.attachNote() << "hint: drop 'interleave', or fold the op with hgc-fold-packs";
    return diag;
  }
  Packing packing(op);
  if (packing.matrices * packing.panels == 0)
    return success();
  Value source = getRootBuffer(context, op.getInput());
  Value target = context.buffers.lookup(store.getBuffer());
  int64_t bytes = graph::getElementBytes(cast<RankedTensorType>(op.getInput().getType()).getElementType());
  int64_t lanes = std::max<int64_t>(1, context.target.vectorBytes / bytes);
  IndexBuilder index(context.builder, context.loc);
  int64_t full = packing.columns / packing.width, tail = packing.columns % packing.width;
  index.loop(context.begin, context.end, 1, [&](Value unit) {
    SmallVector<Value> at = index.delinearize(unit, {packing.matrices, packing.panels});
    Value from = index.add(index.mul(at[0], packing.matrixStride), index.mul(at[1], packing.width));
    int64_t rows = graph::countPanelRows(1, packing.depth, op.getInterleave());
    Value to = index.mul(unit, rows * packing.width * op.getInterleave());
    auto copy = [&](int64_t columns) {
      if (hasTiles)
        return emitTilePanel(index,
                             {source, from, packing.rowStride, packing.depth, columns, target, to, packing.width});
      emitPanelCopy(index, {source, from, target, to, columns, packing.width, 1, packing.rowStride,
                            index.constant(packing.depth), lanes});
    };
    if (tail == 0)
      return copy(packing.width);
    index.ifThen(
        index.equal(at[1], index.constant(full)), [&] { copy(tail); }, [&] { copy(packing.width); });
  });
  return success();
}

std::unique_ptr<KernelEmitter> cpu::createPackEmitter() { return std::make_unique<PackEmitter>(); }
