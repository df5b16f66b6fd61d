//===- FoldConstants.cpp - evaluate what is known -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference evaluator does the arithmetic, so a folded op has exactly the
// value the oracle gives. Results that would be larger than what they are made
// from stay ops: a model is not to grow by folding.
//===----------------------------------------------------------------------===//

#include "LoadTimeValues.h"
#include "Utils.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/Invariance.h"
#include "hgc/Transforms/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_FOLDCONSTANTS
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

/// More than this is not worth the time at compile time.
static constexpr int64_t kMaxOperandBytes = int64_t(1) << 26;

namespace {

struct FoldConstants final : hgc::impl::FoldConstantsBase<FoldConstants> {
  using Base::Base;

  void runOnOperation() override {
    const auto &invariance = getAnalysis<Invariance>();
    LoadTimeValues values(getOperation(), baseDir);
    // Operands become constants before their users are looked at.
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa_and_present<HGCDialect>(op->getDialect()) && isCandidate(op, invariance))
        fold(op, values);
    });
    eraseDeadOps(getOperation());
  }

private:
  int64_t getBytes(Value value) { return getTensorBytes(cast<ShapedType>(value.getType())); }

  bool isCandidate(Operation *op, const Invariance &invariance) {
    if (isa<ConstantOp, ReadOp, PackOp, KernelOp>(op) || op->getNumResults() != 1 || op->getNumRegions() != 0 ||
        !isPure(op))
      return false;
    auto type = cast<ShapedType>(op->getResult(0).getType());
    if (!type.hasStaticShape())
      return false;
    int64_t bytes = 0;
    for (Value operand : op->getOperands()) {
      if (!isKnown(operand, invariance))
        return false;
      bytes += getBytes(operand);
    }
    // A splat is small in a model, not in the evaluator.
    if (bytes > kMaxOperandBytes)
      return false;
    // A view of a parameter costs nothing; a copy of it would cost its bytes.
    auto fusible = dyn_cast<FusibleOp>(op);
    if (fusible && fusible.getFusionKind() == FusionKind::View && op->getOperand(0).getDefiningOp<ReadOp>())
      return false;
    return getTensorBytes(type) <= std::max<int64_t>(growthLimit, bytes);
  }

  /// Constants, and immutable parameters too small to be worth an op.
  bool isKnown(Value value, const Invariance &invariance) {
    Operation *producer = value.getDefiningOp();
    if (!producer || !cast<ShapedType>(value.getType()).hasStaticShape())
      return false;
    if (isa<ConstantOp>(producer))
      return true;
    return isa<ReadOp>(producer) && invariance.isInvariant(value) && getBytes(value) <= parameterLimit;
  }

  void fold(Operation *op, LoadTimeValues &values) {
    llvm::Expected<HostTensor> value = values.evaluate(op->getResult(0));
    values.forget();
    if (!value) {
      // A weights file that cannot be read is reported where it is needed.
      llvm::consumeError(value.takeError());
      return;
    }
    OpBuilder builder(op);
    auto constant = ConstantOp::create(builder, op->getLoc(), value->toAttr());
    if (Attribute device = op->getAttr(HGCDialect::kDevice))
      constant->setAttr(HGCDialect::kDevice, device);
    op->getResult(0).replaceAllUsesWith(constant);
  }
};

} // namespace
