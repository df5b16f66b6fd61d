//===- Narrow.cpp - compute only what is read -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models compute all tokens and read one. NeededParts says which part of each
// tensor is read; ops are copied to compute that part alone, makers first. The
// originals lose their readers. Each op is looked at once, so this ends.
//===----------------------------------------------------------------------===//

#include "Utils.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/Invariance.h"
#include "hgc/Analysis/NeededParts.h"
#include "hgc/Analysis/OpNames.h"
#include "hgc/Transforms/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_NARROW
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

static ArrayRef<int64_t> getDims(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

static bool isAll(const Part &part, Value value) { return getExtents(part) == getDims(value); }

namespace {

/// Rewrites the ops of a module from the first to the last.
class Narrower {
public:
  explicit Narrower(ModuleOp module) : module(module), needs(module), invariance(module) {
    module.walk([&](ReadOp read) {
      if (needs.get(read.getResult()) && needs.isWhole(read.getResult()))
        wholeParameters.insert(read.getParameterAttr().getAttr());
    });
  }

  void run() {
    SmallVector<Operation *> ops;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      bool isComputed = op->getNumResults() == 1 && !op->getNumRegions() && !isa<ReadOp, ConstantOp>(op);
      if (isComputed && needs.get(op->getResult(0)))
        ops.push_back(op);
    });
    llvm::for_each(ops, [&](Operation *op) { visit(op); });
    eraseDeadOps(module);
  }

private:
  /// What has been computed of a tensor.
  struct Piece {
    Value value;
    Part part;
  };

  Piece getPiece(Value value) const {
    auto it = pieces.find(value);
    return it == pieces.end() ? Piece{value, makeWhole(getDims(value))} : it->second;
  }

  void visit(Operation *op) {
    Value result = op->getResult(0);
    Part part = *needs.get(result);
    leaveShared(op, part);
    auto isInPart = [&](Value operand) { return pieces.contains(operand); };
    if (isAll(part, result) ? llvm::none_of(op->getOperands(), isInPart) : !isWorthIt(op))
      return;
    PartRule rule = *findPartRule(op, part);
    Value narrowed = build(op, rule);
    if (isAll(part, result))
      result.replaceAllUsesWith(narrowed);
    else
      pieces.try_emplace(result, Piece{narrowed, std::move(part)});
  }

  /// Columns of weights that are stored as a whole anyway would be stored twice.
  void leaveShared(Operation *op, Part &part) const {
    if (!isa<MatmulOp, ConvOp>(op))
      return;
    auto read = op->getOperand(1).getDefiningOp<ReadOp>();
    if (!read || !wholeParameters.contains(read.getParameterAttr().getAttr()) || !invariance.isInvariant(read))
      return;
    auto conv = dyn_cast<ConvOp>(op);
    int64_t dim = conv && conv.getLayout() == graph::DataLayout::ChannelsFirst ? 1 : part.size() - 1;
    part[dim] = makeWhole(getDims(op->getResult(0))[dim]);
  }

  /// Whether `op` should follow what it reads. Ops that compute with one element, or move
  /// it, do so in the kernels around them: they stay with a maker that they may join.
  bool isWorthIt(Operation *op) const {
    auto fusible = dyn_cast<FusibleOp>(op);
    FusionKind kind = fusible ? fusible.getFusionKind() : FusionKind::Opaque;
    if (takesPart(op) || kind == FusionKind::Root || kind == FusionKind::Opaque ||
        llvm::any_of(op->getOperands(), [&](Value operand) { return pieces.contains(operand); }))
      return true;
    return llvm::none_of(op->getOperands(), [&](Value operand) {
      auto maker = operand.getDefiningOp<FusibleOp>();
      return maker && maker.getFusionKind() != FusionKind::Opaque && operand.hasOneUse();
    });
  }

  /// `part` of `value` for `reader`, made where `value` is, which may be outside of a loop.
  Value take(Value value, const Part &part, Operation *reader) const {
    Piece piece = getPiece(value);
    Part located = locate(part, piece.part);
    if (isAll(located, piece.value))
      return piece.value;
    OpBuilder builder(piece.value.getParentBlock()->findAncestorOpInBlock(*reader));
    SmallVector<int64_t> starts, strides;
    for (const Run &run : located) {
      starts.push_back(run.start);
      strides.push_back(run.step);
    }
    bool isDense = llvm::all_of(strides, [](int64_t stride) { return stride == 1; });
    Location loc = reader->getLoc();
    if (StringRef name = getOpName(reader); !name.empty())
      loc = NameLoc::get(builder.getStringAttr(name + ".part"), loc);
    return SliceOp::create(builder, loc, piece.value, Value(), builder.getDenseI64ArrayAttr(starts),
                           builder.getDenseI64ArrayAttr(getExtents(part)),
                           isDense ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(strides));
  }

  Value build(Operation *op, const PartRule &rule) const {
    OpBuilder builder(op);
    if (auto slice = dyn_cast<SliceOp>(op); slice && slice.getStarts())
      return buildSlice(slice, rule, builder);
    if (takesPart(op))
      return buildGather(cast<GatherOp>(op), rule, builder);
    SmallVector<Value> operands;
    for (auto [operand, part] : llvm::zip_equal(op->getOperands(), rule.operands))
      if (llvm::all_of(part, [](const Run &run) { return run.count > 0; }))
        operands.push_back(take(operand, part, op));
    SmallVector<int64_t> shape = getExtents(rule.result);
    if (isa<ReshapeOp>(op))
      return makeReshape(builder, op->getLoc(), operands.front(), shape);
    bool hasPadding = llvm::any_of(rule.pads, [](int64_t amount) { return amount != 0; });
    if ((isa<ConcatOp>(op) && operands.size() == 1) || (isa<PadOp>(op) && !hasPadding))
      return operands.front();

    Type element = getElementTypeOrSelf(op->getResult(0).getType());
    OperationState state(op->getLoc(), op->getName(), operands, RankedTensorType::get(shape, element), op->getAttrs());
    Operation *narrowed = builder.create(state);
    adaptAttributes(op, narrowed, rule, builder);
    return narrowed->getResult(0);
  }

  static void adaptAttributes(Operation *op, Operation *narrowed, const PartRule &rule, OpBuilder &builder) {
    SmallVector<int64_t> shape = getExtents(rule.result);
    if (isa<BroadcastOp, IotaOp>(op))
      narrowed->setAttr("shape", builder.getI64ArrayAttr(shape));
    else if (auto conv = dyn_cast<ConvOp>(narrowed))
      conv.setPads(rule.pads);
    else if (auto pool = dyn_cast<PoolOp>(narrowed))
      pool.setPads(rule.pads);
    else if (auto pad = dyn_cast<PadOp>(narrowed)) {
      pad.setLow(ArrayRef(rule.pads).take_front(shape.size()));
      pad.setHigh(ArrayRef(rule.pads).take_back(shape.size()));
    }
    // The one query of these that is left sees all keys that are.
    if (auto attention = dyn_cast<AttentionOp>(narrowed); attention && shape.end()[-2] == 1)
      attention.setCausal(attention.getCausal() && getDims(op->getResult(0)).end()[-2] == 1);
  }

  /// Slices what there is of the input at once, also backwards.
  Value buildSlice(SliceOp op, const PartRule &rule, OpBuilder &builder) const {
    Piece piece = getPiece(op.getInput());
    SmallVector<int64_t> starts, strides;
    for (auto [i, run] : llvm::enumerate(rule.result)) {
      int64_t stride = op.getStrides() ? (*op.getStrides())[i] : 1;
      const Run &from = piece.part[i];
      starts.push_back(((*op.getStarts())[i] + run.start * stride - from.start) / from.step);
      strides.push_back(run.count > 1 ? run.step * stride / from.step : 1);
    }
    bool isDense = llvm::all_of(strides, [](int64_t stride) { return stride == 1; });
    SmallVector<int64_t> shape = getExtents(rule.result);
    if (isDense && shape == getDims(piece.value))
      return piece.value;
    auto narrowed = cast<SliceOp>(builder.clone(*op));
    narrowed.getInputMutable().assign(piece.value);
    narrowed.setStarts(starts);
    narrowed.setSizes(shape);
    narrowed.setStridesAttr(isDense ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(strides));
    narrowed.getResult().setType(RankedTensorType::get(shape, op.getType().getElementType()));
    return narrowed;
  }

  /// A slice if the indices are evenly spaced. Else they count from where what there is of the input begins.
  Value buildGather(GatherOp op, const PartRule &rule, OpBuilder &builder) const {
    Part part = rule.operands[0];
    Run &run = part[op.getAxis()];
    SmallVector<int64_t> picked = pickIndices(op, rule.operands[1]), shape = getExtents(rule.result);
    auto isInOrder = [&](auto pair) {
      return pair.value() == run.start + static_cast<int64_t>(pair.index()) * run.step;
    };
    if (llvm::all_of(llvm::enumerate(picked), isInOrder))
      return makeReshape(builder, op.getLoc(), take(op.getInput(), part, op), shape);
    run = getPiece(op.getInput()).part[op.getAxis()];
    for (int64_t &index : picked)
      index = (index - run.start) / run.step;
    auto type = RankedTensorType::get(getExtents(rule.operands[1]), op.getIndices().getType().getElementType());
    SmallVector<APInt> values = llvm::map_to_vector(
        picked, [&](int64_t index) { return APInt(type.getElementTypeBitWidth(), index, /*isSigned=*/true); });
    Value indices = ConstantOp::create(builder, op.getLoc(), DenseElementsAttr::get(type, values));
    auto narrowed = cast<GatherOp>(builder.clone(*op));
    narrowed->setOperands({take(op.getInput(), part, op), indices});
    narrowed.getResult().setType(RankedTensorType::get(shape, op.getType().getElementType()));
    return narrowed;
  }

  ModuleOp module;
  NeededParts needs;
  Invariance invariance;
  llvm::DenseSet<StringAttr> wholeParameters;
  /// Of those tensors that are computed in part.
  llvm::DenseMap<Value, Piece> pieces;
};

struct Narrow final : hgc::impl::NarrowBase<Narrow> {
  void runOnOperation() override { Narrower(getOperation()).run(); }
};

} // namespace
