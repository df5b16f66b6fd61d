//===- FoldPacks.cpp - weights in the form kernels read -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Users before producers: an op all of whose users are evaluated needs no value
// at run time, so a chain such as pack(transpose(read)) becomes one parameter.
// Equal expressions in several variants share it.
//===----------------------------------------------------------------------===//

#include "ExpressionKey.h"
#include "LoadTimeValues.h"
#include "Utils.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/Invariance.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Transforms/Passes.h"

#include "mlir/IR/Iterators.h"

namespace hgc {
#define GEN_PASS_DEF_FOLDPACKS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

struct FoldPacks final : hgc::impl::FoldPacksBase<FoldPacks> {
  using Base::Base;

  void runOnOperation() override {
    const auto &invariance = getAnalysis<Invariance>();
    LoadTimeValues values(getOperation(), baseDir);
    folded.clear();
    sources.clear();
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      SmallVector<Operation *> worklist = findFoldable(function, invariance);
      for (Operation *op : llvm::reverse(worklist))
        if (failed(fold(op, values)))
          return signalPassFailure();
      eraseDeadOps(function);
    }
    for (StringAttr name : sources) {
      Operation *parameter = values.getSymbols().lookup(name);
      if (SymbolTable::symbolKnownUseEmpty(parameter, getOperation()))
        values.getSymbols().erase(parameter);
    }
  }

private:
  /// Ops that something at run time needs and that can be parameters instead;
  /// last ops first.
  SmallVector<Operation *> findFoldable(func::FuncOp function, const Invariance &invariance) {
    SmallVector<Operation *> result;
    llvm::DenseSet<Operation *> absorbed;
    function.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
      if (op->getNumResults() != 1 || !invariance.isInvariant(op->getResult(0)) || isa<ReadOp, ConstantOp>(op))
        return;
      bool needed = llvm::any_of(op->getUsers(), [&](Operation *user) { return !absorbed.contains(user); });
      // What a load function does is not to be done at compile time.
      if (needed && (!isWorthIt(op) || (function->hasAttr(kLoadAttr) && !isa<PackOp>(op))))
        return;
      absorbed.insert(op);
      if (needed)
        result.push_back(op);
    });
    return result;
  }

  /// Bytes of the parameters and constants an expression is made from.
  static int64_t collectSources(Operation *op, llvm::SetVector<Operation *> &leaves) {
    SmallVector<Operation *> worklist{op};
    llvm::DenseSet<Operation *> seen;
    int64_t bytes = 0;
    while (!worklist.empty()) {
      Operation *next = worklist.pop_back_val();
      if (!seen.insert(next).second)
        continue;
      if (isa<ReadOp, ConstantOp>(next)) {
        leaves.insert(next);
        bytes += getTensorBytes(cast<ShapedType>(next->getResult(0).getType()));
      }
      for (Value operand : llvm::reverse(next->getOperands()))
        worklist.push_back(operand.getDefiningOp());
    }
    return bytes;
  }

  /// Padding is the price of packing; anything else must not make weights grow.
  /// What is made from constants alone is hgc-fold-constants' business.
  static bool isWorthIt(Operation *op) {
    if (isa<ReshapeOp>(op) && isa<ReadOp, ConstantOp>(op->getOperand(0).getDefiningOp()))
      return false;
    llvm::SetVector<Operation *> leaves;
    int64_t bytes = collectSources(op, leaves);
    if (llvm::none_of(leaves, llvm::IsaPred<ReadOp>))
      return isa<PackOp>(op);
    return isa<PackOp>(op) || getTensorBytes(cast<ShapedType>(op->getResult(0).getType())) <= bytes;
  }

  LogicalResult fold(Operation *op, LoadTimeValues &values) {
    FlatSymbolRefAttr &parameter = folded[makeExpressionKey(op)];
    if (!parameter) {
      FailureOr<ParameterOp> made = makeParameter(op, values);
      if (failed(made))
        return failure();
      parameter = FlatSymbolRefAttr::get(made->getSymNameAttr());
    }
    OpBuilder builder(op);
    auto read = ReadOp::create(builder, op->getLoc(), op->getResult(0).getType(), parameter);
    if (Attribute device = op->getAttr(HGCDialect::kDevice))
      read->setAttr(HGCDialect::kDevice, device);
    op->getResult(0).replaceAllUsesWith(read);
    return success();
  }

  FailureOr<ParameterOp> makeParameter(Operation *op, LoadTimeValues &values) {
    llvm::SetVector<Operation *> leaves;
    collectSources(op, leaves);
    ReadOp first;
    int reads = 0;
    for (Operation *leaf : leaves)
      if (auto read = dyn_cast<ReadOp>(leaf)) {
        sources.insert(read.getParameterAttr().getAttr());
        ++reads;
        if (!first || getTensorBytes(first.getType()) < getTensorBytes(read.getType()))
          first = read;
      }

    llvm::Expected<HostTensor> value = values.evaluate(op->getResult(0));
    values.forget();
    if (!value) {
      InFlightDiagnostic diag = op->emitError() << llvm::toString(value.takeError());
      diag.attachNote() << "hint: check the value of the parameter this op reads";
      return diag;
    }
    std::string name = first ? first.getParameter().str() : "constant";
    name += isa<PackOp>(op) ? ".packed" : ".folded";
    OpBuilder builder(&getContext());
    auto parameter = ParameterOp::create(builder, op->getLoc(), builder.getStringAttr(name),
                                         TypeAttr::get(op->getResult(0).getType()), value->toAttr(name));
    if (reads == 1)
      parameter->setAttr("hgc.packed_from", first.getParameterAttr().getAttr());
    // Beside its source, so that the order of weights follows the model's.
    Operation *place = first ? values.getSymbols().lookup(first.getParameter()) : nullptr;
    values.getSymbols().insert(parameter, place ? Block::iterator(place) : getOperation().getBody()->begin());
    return parameter;
  }

  std::map<ExpressionKey, FlatSymbolRefAttr> folded;
  llvm::SetVector<StringAttr> sources;
};

} // namespace
