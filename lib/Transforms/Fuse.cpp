//===- Fuse.cpp - gather ops into kernels ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ops may join is the fusion forest's decision, which devices they have is
// placement's; this pass only contracts edges. A tree's last op is where all
// inputs of the kernel are available, so the kernel takes its place.
//===----------------------------------------------------------------------===//

#include "Utils.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/FusionForest.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace hgc {
#define GEN_PASS_DEF_FUSE
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// Ops of one kernel in program order; the last one yields.
using Tree = SmallVector<Operation *>;

/// Whether a transpose moves nothing but dims of extent 1.
bool keepsElementOrder(TransposeOp op) {
  RankedTensorType type = op.getInput().getType();
  int64_t last = -1;
  for (int64_t axis : op.getPermutation()) {
    if (type.getDimSize(axis) == 1)
      continue;
    if (axis < last)
      return false;
    last = axis;
  }
  return type.hasStaticShape();
}

struct Fuse final : hgc::impl::FuseBase<Fuse> {
  using Base::Base;

  void runOnOperation() override {
    inheritDevices(getOperation());
    // Where placement counted on certain fusions, it is those.
    FusionForest forest(getOperation(), [](Operation *producer) {
      auto function = producer->getParentOfType<func::FuncOp>();
      return !function || !function->hasAttr(kCertificateAttr) || producer->hasAttr(kFusesAttr);
    });
    SmallVector<Tree> trees;
    getOperation().walk<WalkOrder::PreOrder>([&](Block *block) {
      // Kernels of a rerun are finished; parameters are not code.
      if (!isa<KernelOp, ModuleOp>(block->getParentOp()))
        collectTrees(*block, forest, trees);
    });
    for (const Tree &tree : trees)
      if (!becomesReshape(tree))
        buildKernel(tree);
  }

private:
  void collectTrees(Block &block, const FusionForest &forest, SmallVectorImpl<Tree> &trees) {
    llvm::DenseMap<Operation *, Operation *> headOf;
    llvm::MapVector<Operation *, Tree> byHead;
    // Backwards, so that a producer finds its consumer's head.
    for (Operation &op : llvm::reverse(block)) {
      if (!isComputing(&op))
        continue;
      const FusionEdge *edge = forest.getEdge(&op);
      Attribute device = op.getAttr(HGCDialect::kDevice);
      bool contract = !keepApart && edge && edge->consumer->getAttr(HGCDialect::kDevice) == device &&
                      (isGpu(device) ? edge->gpuSavingPs : edge->cpuSavingPs) > 0;
      Operation *head = contract ? headOf.lookup(edge->consumer) : &op;
      headOf[&op] = head;
      byHead[head].push_back(&op);
    }
    for (auto &[head, tree] : llvm::reverse(byHead)) {
      std::reverse(tree.begin(), tree.end());
      trees.push_back(std::move(tree));
    }
  }

  /// A transpose that joined no kernel and keeps the order of elements is another
  /// view of its input. Where placement has certified a kernel for it, it stays one.
  bool becomesReshape(const Tree &tree) {
    auto transpose = dyn_cast<TransposeOp>(tree.back());
    auto function = tree.back()->getParentOfType<func::FuncOp>();
    bool isCertified = function && function->hasAttr(kCertificateAttr);
    if (keepApart || isCertified || tree.size() > 1 || !transpose || !keepsElementOrder(transpose))
      return false;
    OpBuilder builder(transpose);
    auto reshape = ReshapeOp::create(builder, transpose.getLoc(), transpose.getInput(),
                                     builder.getI64ArrayAttr(transpose.getType().getShape()));
    if (Attribute device = transpose->getAttr(HGCDialect::kDevice))
      reshape->setAttr(HGCDialect::kDevice, device);
    transpose.replaceAllUsesWith(reshape.getResult());
    transpose.erase();
    return true;
  }

  /// The op that gives the kernel its name: the root, else the last op.
  static Operation *getLeader(const Tree &tree) {
    for (Operation *op : tree)
      if (cast<FusibleOp>(op).getFusionKind() == FusionKind::Root)
        return op;
    return tree.back();
  }

  /// Tensors the tree reads, and splat constants it gets copies of.
  static void collectInputs(const Tree &tree, llvm::SetVector<Value> &inputs, llvm::SetVector<Value> &splats) {
    llvm::DenseSet<Operation *> inside(tree.begin(), tree.end());
    for (Operation *op : tree)
      for (OpOperand &use : op->getOpOperands()) {
        if (isCopiedIntoKernel(use))
          splats.insert(use.get());
        else if (!inside.contains(use.get().getDefiningOp()))
          inputs.insert(use.get());
      }
  }

  void buildKernel(const Tree &tree) {
    Operation *head = tree.back();
    llvm::SetVector<Value> inputs, splats;
    collectInputs(tree, inputs, splats);

    OpBuilder builder(head);
    auto kernel =
        KernelOp::create(builder, getLeader(tree)->getLoc(), head->getResult(0).getType(), inputs.getArrayRef());
    if (Attribute device = head->getAttr(HGCDialect::kDevice))
      kernel->setAttr(HGCDialect::kDevice, device);
    Block &body = kernel.getBody().emplaceBlock();
    builder.setInsertionPointToStart(&body);

    IRMapping map, copies;
    for (Value input : inputs)
      map.map(input, body.addArgument(input.getType(), input.getLoc()));
    for (Value splat : splats)
      builder.clone(*splat.getDefiningOp(), copies)->removeAttr(HGCDialect::kDevice);
    head->getResult(0).replaceAllUsesWith(kernel.getResult());
    for (Operation *op : tree) {
      op->moveBefore(&body, body.end());
      for (StringRef note : {StringRef(HGCDialect::kDevice), StringRef(kPinAttr), StringRef(kDecisionAttr),
                             StringRef(kFusesAttr), StringRef(kAlsoOnAttr)})
        op->removeAttr(note);
      for (OpOperand &operand : op->getOpOperands())
        operand.set((isCopiedIntoKernel(operand) ? copies : map).lookupOrDefault(operand.get()));
    }
    builder.setInsertionPointToEnd(&body);
    YieldOp::create(builder, head->getLoc(), head->getResults());
    for (Value splat : splats)
      if (splat.use_empty())
        splat.getDefiningOp()->erase();
  }
};

} // namespace
