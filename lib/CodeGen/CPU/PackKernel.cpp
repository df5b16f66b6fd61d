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
#include "hgc/CodeGen/CPU/StreamedStores.h"
#include "hgc/CodeGen/Common/ElementEmitter.h"
#include "hgc/CodeGen/Common/Packing.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// Rows that are copied into all panels before the next ones.
static constexpr int64_t kBlockRows = 8;

static bool hasTiles(graph::PackOp op) {
  return graph::isTiled(op.getInterleave()) && getElementTypeOrSelf(op.getInput().getType()).isF32();
}

static int64_t countLanes(graph::PackOp op, const DeviceTable &target) {
  return std::max<int64_t>(1, target.vectorBytes / graph::getElementBytes(op.getInput().getType().getElementType()));
}

/// Whether panels go past the caches. Those that outgrow the second-level ones are read by all threads, which fetch
/// them ahead. At the next call plain stores would first have to take their lines back from the caches of all these,
/// which is slow where the cores share none.
static bool streams(graph::PackOp op, const DeviceTable &target) {
  return graph::getTensorBytes(op.getType()) > 2 * target.l2Bytes && !hasTiles(op) &&
         Packing(op).width % countLanes(op, target) == 0;
}

namespace {

struct PackEmitter final : KernelEmitter {
  KernelSchedule plan(exec::KernelOp kernel, const DeviceTable &target) const override {
    auto op = cast<graph::PackOp>(getRoot(kernel));
    Packing packing(op);
    int64_t units = packing.matrices * packing.panels;
    return {units, chooseGrain(units, estimatePs(target, op.getCost()), target), 0,
            "pack: panels of " + std::to_string(packing.width) + (streams(op, target) ? ", streamed" : "")};
  }

  LogicalResult emit(KernelContext &context) const override;
};

/// The loops over the units of a kernel.
struct PanelWriter {
  PanelWriter(KernelContext &context, graph::PackOp op, Value target)
      : index(context.builder, context.loc), context(context), packing(op),
        source(getRootBuffer(context, op.getInput())), target(target), lanes(countLanes(op, context.target)),
        interleave(op.getInterleave()), isTiled(hasTiles(op)) {}

  void copyUnits(bool isStreamed);

  IndexBuilder index;

private:
  void copyPanels(Value matrix, Value first, Value end, Value row, bool isStreamed);
  void copy(Value matrix, Value panel, Value row, int64_t columns, bool isStreamed);

  /// Tiles are whole panels. Of others a few rows of the matrix at a time become part of all panels: rows lie together,
  /// the lines of a panel in the matrix a row apart.
  int64_t blockRows() const {
    return std::max<int64_t>(1, isTiled ? packing.depth : std::min(kBlockRows, packing.depth));
  }

  KernelContext &context;
  Packing packing;
  Value source, target;
  int64_t lanes, interleave;
  bool isTiled;
};

} // namespace

void PanelWriter::copy(Value matrix, Value panel, Value row, int64_t columns, bool isStreamed) {
  int64_t panelElements = graph::countPanelRows(1, packing.depth, interleave) * packing.width * interleave;
  Value from = index.add(index.mul(matrix, packing.matrixStride), index.mul(panel, packing.width));
  Value to = index.mul(index.add(index.mul(matrix, packing.panels), panel), panelElements);
  if (isTiled)
    return emitTilePanel(index, {source, from, packing.rowStride, packing.depth, columns, target, to, packing.width});
  Value rows = packing.depth % blockRows() == 0
                   ? index.constant(blockRows())
                   : index.min(index.constant(blockRows()), index.sub(index.constant(packing.depth), row));
  emitPanelCopy(index, {source, index.add(from, index.mul(row, packing.rowStride)), target,
                        index.add(to, index.mul(row, packing.width)), columns, packing.width, 1, packing.rowStride,
                        rows, lanes, isStreamed});
}

void PanelWriter::copyPanels(Value matrix, Value first, Value end, Value row, bool isStreamed) {
  int64_t full = packing.columns / packing.width, tail = packing.columns % packing.width;
  index.loop(first, index.min(end, index.constant(full)), 1,
             [&](Value panel) { copy(matrix, panel, row, packing.width, isStreamed); });
  if (tail)
    index.ifThen(index.equal(end, index.constant(packing.panels)),
                 [&] { copy(matrix, index.constant(full), row, tail, isStreamed); });
}

void PanelWriter::copyUnits(bool isStreamed) {
  Value firstMatrix = index.div(context.begin, packing.panels);
  Value endMatrix = index.div(index.add(context.end, packing.panels - 1), packing.panels);
  index.loop(firstMatrix, endMatrix, 1, [&](Value matrix) {
    Value base = index.mul(matrix, packing.panels);
    Value first = index.sub(index.max(context.begin, base), base);
    Value end = index.min(index.sub(context.end, base), index.constant(packing.panels));
    index.loop(index.constant(0), index.constant(packing.depth), blockRows(),
               [&](Value row) { copyPanels(matrix, first, end, row, isStreamed); });
  });
  if (isStreamed)
    emitStreamFence(context);
}

LogicalResult PackEmitter::emit(KernelContext &context) const {
  auto op = cast<graph::PackOp>(getRoot(context.kernel));
  if (failed(verifyRootOperands(op)))
    return failure();
  exec::StoreOp store = getStore(context.kernel);
  if (store.getValue() != op.getResult())
    return op.emitOpError("is followed by other ops in its kernel, expected none");
  if (op.getInterleave() != 1 && (!hasTiles(op) || op.getKind() != graph::PackKind::MatmulRhs)) {
    InFlightDiagnostic diag = op.emitOpError("interleaves an operand that is known only at run time, expected none");
    diag.attachNote() << "hint: drop 'interleave', or fold the op with hgc-fold-packs";
    return diag;
  }
  Packing packing(op);
  if (packing.matrices * packing.panels == 0)
    return success();
  PanelWriter writer(context, op, context.buffers.lookup(store.getBuffer()));
  if (!streams(op, context.target)) {
    writer.copyUnits(/*isStreamed=*/false);
    return success();
  }
  // Buffers of callers may lie anywhere.
  IndexBuilder &index = writer.index;
  Value isAligned = index.equal(emitUnaligned(context, countLanes(op, context.target)), index.constant(0));
  index.ifThen(
      isAligned, [&] { writer.copyUnits(true); }, [&] { writer.copyUnits(false); });
  return success();
}

std::unique_ptr<KernelEmitter> cpu::createPackEmitter() { return std::make_unique<PackEmitter>(); }
