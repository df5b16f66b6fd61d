//===- ShareWeights.cpp - one copy of a weight for both plans -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU plan keeps the weights of contractions in panels, GPU kernels read
// rows. Both at once would double the library, so the GPU's form is made from
// the CPU's on the GPU itself, once, when an instance is created. Undoing a
// packing takes no kernel of its own: it is a transpose and a slice. What the
// GPU makes from fewer bytes than the CPU's form has it makes itself.
//===----------------------------------------------------------------------===//

#include "ExpressionKey.h"
#include "LoadFunction.h"
#include "Utils.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/FoldedOps.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Transforms/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_SHAREWEIGHTS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// Undoes single steps between a weight and its packed form.
class Inverter {
public:
  Inverter(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  /// `value`, a result of `op`, as the operand `op` made it from.
  Value invert(Operation *op, Value value) {
    if (auto pack = dyn_cast<PackOp>(op))
      return unpack(pack, value);
    ArrayRef<int64_t> shape = cast<ShapedType>(op->getOperand(0).getType()).getShape();
    if (isa<ReshapeOp>(op))
      return makeReshape(builder, loc, value, shape);
    ArrayRef<int64_t> permutation = cast<TransposeOp>(op).getPermutation();
    SmallVector<int64_t> inverse(permutation.size());
    for (auto [i, axis] : llvm::enumerate(permutation))
      inverse[axis] = i;
    return TransposeOp::create(builder, loc, value, inverse);
  }

private:
  /// Panels beside their rows again, columns past the end cut off.
  Value unpack(PackOp op, Value value) {
    auto input = cast<ShapedType>(op.getInput().getType());
    SmallVector<int64_t> shape(cast<ShapedType>(value.getType()).getShape());
    int64_t rank = shape.size(), columns = input.getShape().back() / static_cast<int64_t>(op.getGroups());
    // (..., panel, row, column) to (..., row, panel, column); of a filter with
    // groups the rows come first, too.
    auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    if (op.getKind() == PackKind::ConvFilter)
      std::rotate(permutation.begin(), permutation.begin() + 2, permutation.begin() + 3);
    else
      std::swap(permutation[rank - 3], permutation[rank - 2]);
    value = makeTranspose(builder, loc, value, permutation);
    SmallVector<int64_t> rows(cast<ShapedType>(value.getType()).getShape());
    rows[rank - 2] *= rows[rank - 1];
    rows.pop_back();
    value = makeReshape(builder, loc, value, rows);
    if (rows.back() != columns) {
      rows.back() = columns;
      value = SliceOp::create(builder, loc, value, Value(),
                              builder.getDenseI64ArrayAttr(SmallVector<int64_t>(rows.size(), 0)),
                              builder.getDenseI64ArrayAttr(rows), DenseI64ArrayAttr());
    }
    return makeReshape(builder, loc, value, input.getShape());
  }

  OpBuilder &builder;
  Location loc;
};

struct ShareWeights final : hgc::impl::ShareWeightsBase<ShareWeights> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    packs.clear();
    shared.clear();
    const auto &invariance = getAnalysis<Invariance>();
    SmallVector<func::FuncOp> entries(module.getOps<func::FuncOp>());
    if (llvm::none_of(entries, isInGpuPlan))
      return;
    for (func::FuncOp entry : entries)
      if (!isInGpuPlan(entry))
        collectPacks(entry, invariance);
    SymbolTable symbols(module);
    LoadFunction load(module, symbols);
    for (func::FuncOp entry : entries)
      if (isInGpuPlan(entry))
        replaceWeights(entry, invariance, load);
  }

private:
  /// Whether something at run time reads the value.
  static bool isNeeded(Operation *op, const Invariance &invariance) {
    return llvm::any_of(op->getUsers(), [&](Operation *user) {
      return user->getNumResults() != 1 || !invariance.isInvariant(user->getResult(0));
    });
  }

  static bool isExpression(Operation *op, const Invariance &invariance) {
    return op->getNumResults() == 1 && invariance.isInvariant(op->getResult(0)) && !isa<ConstantOp>(op);
  }

  /// Remembers from which packed weights of the CPU plan a value can be made.
  void collectPacks(func::FuncOp entry, const Invariance &invariance) {
    entry.walk([&](Operation *op) {
      if (!isExpression(op, invariance))
        return;
      // What the CPU plan reads as it is has a copy of its own.
      if (isNeeded(op, invariance) && !isa<PackOp>(op))
        packs[makeExpressionKey(op)] = nullptr;
      auto pack = dyn_cast<PackOp>(op);
      // Panels of bytes have several rows in each lane, and heads: the GPU gets a copy of its own.
      if (pack && pack.getInterleave() > 1)
        return;
      for (Operation *step = op; pack && isa<PackOp, TransposeOp, ReshapeOp>(step);) {
        step = step->getOperand(0).getDefiningOp();
        packs.try_emplace(makeExpressionKey(step), pack);
      }
    });
  }

  /// Whether the value has more bytes than what it is made from.
  static bool grows(Operation *op) {
    llvm::SetVector<Operation *> sources;
    return getTensorBytes(cast<ShapedType>(op->getResult(0).getType())) > FoldedOps::collectSources(op, sources);
  }

  /// Number of ops that placement has priced.
  static size_t countPriced(func::FuncOp entry) {
    size_t count = 0;
    entry.walk([&](Operation *op) { count += op->hasAttr(kDecisionAttr); });
    return count;
  }

  void replaceWeights(func::FuncOp entry, const Invariance &invariance, LoadFunction &load) {
    size_t priced = countPriced(entry);
    SmallVector<Operation *> weights;
    entry.walk([&](Operation *op) {
      if (isExpression(op, invariance) && isGpu(getDevice(op)) && isNeeded(op, invariance) && !grows(op))
        weights.push_back(op);
    });
    for (Operation *op : weights) {
      ExpressionKey key = makeExpressionKey(op);
      auto found = packs.find(key);
      if (found == packs.end() || !found->second)
        continue;
      PackOp pack = found->second;
      ParameterOp &parameter = shared[{key, getDevice(op).getIndex()}];
      if (!parameter)
        parameter = addParameter(op, key, pack, load);
      OpBuilder builder(op);
      auto read = ReadOp::create(builder, op->getLoc(), op->getResult(0).getType(),
                                 FlatSymbolRefAttr::get(parameter.getSymNameAttr()));
      read->setAttr(HGCDialect::kDevice, getDevice(op));
      op->getResult(0).replaceUsesWithIf(read, [&](OpOperand &use) {
        Operation *user = use.getOwner();
        return user->getNumResults() != 1 || !invariance.isInvariant(user->getResult(0));
      });
    }
    eraseDeadOps(entry);
    if (countPriced(entry) < priced)
      entry->setAttr(kRefinedAttr, UnitAttr::get(&getContext()));
  }

  /// A parameter that is made from `pack` when the model is loaded.
  static ParameterOp addParameter(Operation *op, const ExpressionKey &key, PackOp pack, LoadFunction &load) {
    DeviceAttr device = getDevice(op), host = getHost(op->getContext());
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    ParameterOp parameter = load.addParameter(op->getLoc(), getSourceName(pack), ".unpacked", type);
    Value packed = load.copyToHost(pack);
    OpBuilder &builder = load.getBuilder();
    Value value = TransferOp::create(builder, op->getLoc(), packed.getType(), packed, host, device);
    Operation *before = packed.getDefiningOp();
    Inverter inverter(builder, op->getLoc());
    for (Operation *step = pack; makeExpressionKey(step) != key; step = step->getOperand(0).getDefiningOp())
      value = inverter.invert(step, value);
    for (Operation *made = before->getNextNode(); made != &*builder.getInsertionPoint(); made = made->getNextNode())
      made->setAttr(HGCDialect::kDevice, device);
    load.assign(parameter, value, device);
    return parameter;
  }

  /// By the value they can be undone to; null: that value is stored anyway.
  std::map<ExpressionKey, PackOp> packs;
  /// By value and the number of the GPU.
  std::map<std::pair<ExpressionKey, unsigned>, ParameterOp> shared;
};

} // namespace
