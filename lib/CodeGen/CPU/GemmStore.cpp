//===- GemmStore.cpp - from accumulators to the output buffer -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/GemmStore.h"

#include "hgc/CodeGen/Common/ElementEmitter.h"
#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::cpu;

/// Calls `store` with an emitter that knows the root's result, the index and the first
/// column of each part of the row.
static void forEachPart(KernelContext &context, Value result, ArrayRef<Value> at, Value column,
                        ArrayRef<ColumnPiece> pieces, ArrayRef<Value> sums, int64_t columns,
                        llvm::function_ref<void(ElementEmitter &, ArrayRef<LaneIndex>)> store) {
  IndexBuilder index(context.builder, context.loc);
  for (auto [piece, sum] : llvm::zip_equal(pieces, sums)) {
    int64_t valid = std::min(piece.lanes, columns - piece.offset);
    // The last columns may end inside the vector: store it in parts.
    for (const ColumnPiece &part : splitColumns(valid, piece.lanes)) {
      ElementEmitter element(context, part.lanes);
      element.bind(result, slice(context.builder, context.loc, sum, part.offset, part.lanes));
      SmallVector<LaneIndex> where(at.begin(), at.end());
      where.push_back({index.add(column, piece.offset + part.offset), part.lanes > 1 ? 1 : 0});
      store(element, where);
    }
  }
}

void cpu::emitStoreRow(KernelContext &context, Value result, ArrayRef<Value> at, Value column,
                       ArrayRef<ColumnPiece> pieces, ArrayRef<Value> sums, int64_t columns) {
  forEachPart(context, result, at, column, pieces, sums, columns,
              [](ElementEmitter &element, ArrayRef<LaneIndex> where) { element.storeResult(where); });
}

/// Whether an op between the root and the stores evaluates a function.
static bool hasFunctions(Value result) {
  for (Operation *op = result.getDefiningOp()->getNextNode(); op; op = op->getNextNode())
    if (auto costed = dyn_cast<graph::CostOp>(op); costed && costed.getCost()[graph::FlopClass::Transcendental] > 0)
      return true;
  return false;
}

/// The same vector, which LLVM believes to be known only after all stores so far.
static Value emitAfterStores(KernelContext &context, Value sum) {
  OpBuilder &builder = context.builder;
  const char *registers = StringRef(context.target.triple).starts_with("x86") ? "=v,0" : "=w,0";
  auto tail = LLVM::TailCallKindAttr::get(builder.getContext(), LLVM::tailcallkind::TailCallKind::None);
  return LLVM::InlineAsmOp::create(builder, context.loc, sum.getType(), sum, builder.getStringAttr(""),
                                   builder.getStringAttr(registers), /*has_side_effects=*/builder.getUnitAttr(),
                                   /*is_align_stack=*/UnitAttr(), tail, LLVM::AsmDialectAttr(), ArrayAttr())
      .getRes();
}

void cpu::emitStoreNextRow(KernelContext &context, Value result, ArrayRef<Value> at, Value column,
                           ArrayRef<ColumnPiece> pieces, ArrayRef<Value> sums, int64_t columns) {
  int64_t bytes = graph::getElementBytes(getElementTypeOrSelf(sums.front().getType()));
  bool isWhole = pieces.back().offset + pieces.back().lanes <= columns && llvm::all_of(pieces, [&](auto &piece) {
                   return piece.lanes > 1 && piece.lanes * bytes == context.target.vectorBytes;
                 });
  if (!isWhole || !hasFunctions(result))
    return emitStoreRow(context, result, at, column, pieces, sums, columns);
  SmallVector<Value> later = llvm::map_to_vector(sums, [&](Value sum) { return emitAfterStores(context, sum); });
  ColumnPiece row{pieces.front().offset, static_cast<int64_t>(pieces.size()) * pieces.front().lanes};
  emitStoreRow(context, result, at, column, row, joinLanes(context.builder, context.loc, later), columns);
}

/// Lines of a row of `type` from the element at `base` on.
static void emitFetchLines(IndexBuilder &index, Value buffer, RankedTensorType type, Value base, int64_t columns,
                           bool isWrite) {
  int64_t line = 64 / graph::getElementBytes(type.getElementType()), last = columns - 1;
  int64_t rowLength = type.getShape().back();
  // Rows that do not start with a line may end within one more; and the last columns of a
  // panel may be past the end of the last row.
  int64_t beyond = rowLength % line == 0 && columns % line == 0 ? 0 : line - 1;
  for (int64_t lane = 0; lane <= last + beyond; lane += line) {
    Value at = index.add(base, std::min(lane, last));
    if (rowLength % columns)
      at = index.min(at, index.constant(type.getNumElements() - 1));
    memref::PrefetchOp::create(index.builder, index.loc, buffer, at, isWrite, /*localityHint=*/3,
                               /*isDataCache=*/true);
  }
}

namespace {
/// A tensor whose lines the end of a tile touches.
struct FetchedTensor {
  RankedTensorType type;
  Value buffer;
  bool isWrite;
};
} // namespace

static SmallVector<FetchedTensor> findFetched(KernelContext &context, Value result) {
  int64_t all = 0;
  for (BlockArgument buffer : context.kernel.getBody().getArguments())
    all += graph::getTensorBytes(cast<ShapedType>(buffer.getType()));
  SmallVector<FetchedTensor> fetched;
  auto add = [&](Value tensor, Value buffer, bool isWrite) {
    auto type = cast<RankedTensorType>(tensor.getType());
    // Small results stay near, as they are read next; an operand came before all the others.
    // Where ops after the root move elements, rows do not lie in lines.
    if ((isWrite ? graph::getTensorBytes(type) : all) > context.target.l2Bytes / 4 &&
        type.getShape() == cast<RankedTensorType>(result.getType()).getShape())
      fetched.push_back({type, context.buffers.lookup(buffer), isWrite});
  };
  for (exec::StoreOp store : context.kernel.getStores())
    add(store.getValue(), store.getBuffer(), /*isWrite=*/true);
  for (auto load : context.kernel.getBody().getOps<exec::LoadOp>())
    if (llvm::any_of(load->getUsers(), [&](Operation *user) { return user != result.getDefiningOp(); }))
      add(load.getResult(), load.getBuffer(), /*isWrite=*/false);
  return fetched;
}

bool cpu::fetchesRows(KernelContext &context, Value result) { return !findFetched(context, result).empty(); }

void cpu::emitFetchRow(KernelContext &context, Value result, ArrayRef<Value> at, Value column, int64_t columns) {
  IndexBuilder index(context.builder, context.loc);
  SmallVector<LaneIndex> where(at.begin(), at.end());
  where.push_back(column);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(result.getType()).getShape();
  Value base = ElementEmitter(context, 1).flatten(where, shape).base;
  for (const FetchedTensor &tensor : findFetched(context, result))
    emitFetchLines(index, tensor.buffer, tensor.type, base, columns, tensor.isWrite);
}

void cpu::emitStoreRowTo(KernelContext &context, const RowTarget &target, Value result, ArrayRef<Value> at,
                         Value column, ArrayRef<ColumnPiece> pieces, ArrayRef<Value> sums, int64_t columns) {
  IndexBuilder index(context.builder, context.loc);
  forEachPart(context, result, at, column, pieces, sums, columns,
              [&](ElementEmitter &element, ArrayRef<LaneIndex> where) {
                LaneIndex offset = where.back();
                offset.base = index.add(target.offset, offset.base);
                element.store(element.eval(target.tensor, where), target.buffer, offset,
                              getElementTypeOrSelf(target.tensor.getType()));
              });
}
