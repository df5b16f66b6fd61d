//===- HoistToLoad.cpp - what never changes is computed once --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is made from immutable parameters and is not larger than they are has
// been evaluated by the compiler. The rest would make the library grow: weights
// that are stored in fewer bits, tables that are spread out. A GPU computes it
// when an instance is created, and keeps it.
//===----------------------------------------------------------------------===//

#include "ExpressionKey.h"
#include "LoadFunction.h"
#include "TransferUtils.h"
#include "Utils.h"

#include "hgc/Analysis/FusionForest.h"
#include "hgc/Transforms/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_HOISTTOLOAD
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

struct HoistToLoad final : hgc::impl::HoistToLoadBase<HoistToLoad> {
  using Base::Base;

  void runOnOperation() override {
    const auto &invariance = getAnalysis<Invariance>();
    SymbolTable symbols(getOperation());
    LoadFunction load(getOperation(), symbols);
    parameters.clear();
    for (func::FuncOp function : findGpuEntries(getOperation()))
      if (!function->hasAttr(kLoadAttr))
        hoist(function, invariance, load);
  }

private:
  /// Whether `op` would be a kernel that gives the same at every call: what its
  /// reader computes on the way costs less there than a tensor in memory.
  bool isWorthIt(Operation *op, const Invariance &invariance, const FusionForest &forest) const {
    if (op->getNumResults() != 1 || !isComputing(op) || !invariance.isInvariant(op->getResult(0)) ||
        !isGpu(getDevice(op)) || getBytes(op->getResult(0)) > maxBytes)
      return false;
    const FusionEdge *edge = forest.getEdge(op);
    bool isFused = edge && getDevice(edge->consumer) == getDevice(op) && edge->gpuSavingPs > 0;
    return !isFused && llvm::any_of(op->getUsers(), [&](Operation *user) {
      return user->getNumResults() != 1 || !invariance.isInvariant(user->getResult(0));
    });
  }

  void hoist(func::FuncOp function, const Invariance &invariance, LoadFunction &load) {
    SmallVector<Operation *> found;
    FusionForest forest(function, mayFuse);
    function.walk([&](Operation *op) {
      if (isWorthIt(op, invariance, forest))
        found.push_back(op);
    });
    // One may be made from another: all are copied while they are expressions.
    SmallVector<ParameterOp> homes;
    for (Operation *op : found) {
      ParameterOp &parameter = parameters[{makeExpressionKey(op), getDevice(op).getIndex()}];
      if (!parameter)
        parameter = compute(op, load);
      homes.push_back(parameter);
    }
    for (auto [op, parameter] : llvm::zip_equal(found, homes)) {
      OpBuilder builder(op);
      auto read = ReadOp::create(builder, op->getLoc(), op->getResult(0).getType(),
                                 FlatSymbolRefAttr::get(parameter.getSymNameAttr()));
      read->setAttr(HGCDialect::kDevice, getDevice(op));
      op->getResult(0).replaceAllUsesWith(read);
    }
    if (found.empty())
      return;
    eraseDeadOps(function);
    function->setAttr(kRefinedAttr, UnitAttr::get(&getContext()));
  }

  /// Lets the load function compute what `op` would.
  static ParameterOp compute(Operation *op, LoadFunction &load) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    ParameterOp parameter = load.addParameter(op->getLoc(), getSourceName(op), ".hoisted", type);
    llvm::DenseMap<Operation *, Value> copies;
    load.assign(parameter, copy(op, load, copies), getDevice(op));
    return parameter;
  }

  /// Copies the expression that ends in `op`, which may cross devices: every op stays on its own.
  static Value copy(Operation *op, LoadFunction &load, llvm::DenseMap<Operation *, Value> &copies) {
    if (Value made = copies.lookup(op))
      return made;
    OpBuilder &builder = load.getBuilder();
    if (!op->getNumOperands() && !isComputing(op)) {
      // What is read is sent from the host: weights of GPUs are loaded later.
      Value source = load.copyToHost(op);
      return copies[op] = isGpu(getDevice(op)) ? makeTransfer(builder, op->getLoc(), source, getDevice(op)) : source;
    }
    IRMapping map;
    for (OpOperand &use : op->getOpOperands()) {
      Operation *maker = use.get().getDefiningOp();
      map.map(use.get(), isCopiedIntoKernel(use) ? builder.clone(*maker)->getResult(0) : copy(maker, load, copies));
    }
    return copies[op] = builder.clone(*op, map)->getResult(0);
  }

  /// By value and the number of the GPU.
  std::map<std::pair<ExpressionKey, unsigned>, ParameterOp> parameters;
};

} // namespace
