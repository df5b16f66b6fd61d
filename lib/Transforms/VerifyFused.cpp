//===- VerifyFused.cpp - what holds at the end of stage fused -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StageRules.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/FusionForest.h"
#include "hgc/Analysis/Pricing.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Transforms/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_VERIFYFUSED
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

struct VerifyFused final : hgc::impl::VerifyFusedBase<VerifyFused> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkEntries(module)))
      return signalPassFailure();
    for (auto entry : module.getOps<func::FuncOp>()) {
      if (failed(checkOps(entry)) || failed(checkAssigns(entry)) ||
          (isInGpuPlan(entry) && failed(checkOperandDevices(entry))))
        return signalPassFailure();
      WalkResult walk = entry.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
        if (auto kernel = dyn_cast<KernelOp>(op))
          return checkKernel(kernel);
        return op->getParentOfType<KernelOp>() ? success() : checkOutside(op);
      });
      if (walk.wasInterrupted() || failed(checkCost(entry)))
        return signalPassFailure();
    }
    markAllAnalysesPreserved();
  }

private:
  /// Modelled time of one call, from the kernels and copies there are. What
  /// packing adds is part of the contractions' prices.
  static int64_t computeCost(func::FuncOp entry) {
    Pricing pricing(entry->getParentOfType<ModuleOp>());
    int64_t cost = 0;
    entry.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto kernel = dyn_cast<KernelOp>(op)) {
        if (!kernel.getBody().front().front().hasAttr(kPackingAttr))
          cost += multiplyByTrips(pricing.priceKernel(kernel, getDevice(op)), kernel);
        return WalkResult::skip();
      }
      if (auto copy = dyn_cast<TransferOp>(op)) {
        int64_t bytes = getTensorBytes(cast<ShapedType>(copy.getType()));
        cost += multiplyByTrips(pricing.priceTransfer(bytes, copy.getFrom(), copy.getTo()), copy);
      }
      return WalkResult::advance();
    });
    return cost;
  }

  /// The certificate holds: exactly, or at most if a later pass did better.
  LogicalResult checkCost(func::FuncOp entry) {
    auto certificate = entry->getAttrOfType<DictionaryAttr>(kCertificateAttr);
    auto serial = certificate ? certificate.getAs<IntegerAttr>("serial_ps") : IntegerAttr();
    if (!serial)
      return success();
    int64_t cost = computeCost(entry), promised = serial.getInt();
    if (entry->hasAttr(kRefinedAttr) ? cost <= promised : cost == promised)
      return success();
    if (repair)
      return takeBack(entry, certificate, cost), success();
    return failWithHint(entry,
                        "internal error: the plan of '" + entry.getName() + "' costs " + Twine(cost) +
                            " ps, its certificate says " + Twine(promised) + " ps",
                        "report this with the model; without --check-certificate the plan is used, uncertified");
  }

  /// What is wrong may be the model's price of an op, so its bound counts no more.
  static void takeBack(func::FuncOp entry, DictionaryAttr certificate, int64_t cost) {
    Builder builder(entry.getContext());
    NamedAttrList fields(certificate);
    fields.set("serial_ps", builder.getI64IntegerAttr(cost));
    fields.set(kCertifiedField, builder.getBoolAttr(false));
    fields.erase("bound_ps");
    entry->setAttr(kCertificateAttr, fields.getDictionary(entry.getContext()));
  }

  LogicalResult checkOutside(Operation *op) {
    if (isa<BatchNormOp>(op))
      return failWithHint(op, "'hgc.batch_norm' has no kernel", "run hgc-decompose before hgc-fuse");
    if (isComputing(op))
      return failWithHint(op, "'" + op->getName().getStringRef() + "' computes outside a kernel", "run hgc-fuse");
    return success();
  }

  LogicalResult checkKernel(KernelOp kernel) {
    if (!kernel->hasAttr(HGCDialect::kDevice))
      return failWithHint(kernel, "the kernel has no device", "run hgc-place before hgc-fuse");
    // What may be inside, and at most one root, is the kernel's own verifier's.
    for (Operation &op : kernel.getBody().front().without_terminator())
      if (isa<ConstantOp>(op) && !isSplatConstant(op.getResult(0)))
        return failWithHint(&op, "the kernel holds a constant with different elements",
                            "pass it in as an input; only splats are copied");
    Operation *root = kernel.getRoot();
    return root ? checkRoot(kernel, root) : success();
  }

  /// Contractions read memory, and a root is continued element by element.
  LogicalResult checkRoot(KernelOp kernel, Operation *root) {
    if (isa<AttentionOp, MatmulOp, ConvOp, ConvFilterGradOp, ConvTransposeOp, PackOp>(root))
      for (Value operand : root->getOperands())
        if (!isa<BlockArgument>(operand))
          return failWithHint(root, "an operand of '" + root->getName().getStringRef() + "' is computed in its kernel",
                              "contractions read inputs of the kernel only");
    Value yielded = kernel.getYielded();
    for (Value value = root->getResult(0); value != yielded;) {
      if (!value.hasOneUse() && !llvm::all_equal(value.getUsers()))
        return failWithHint(root, "the root's result has several users in its kernel", "split the kernel");
      Operation *next = *value.getUsers().begin();
      if (!isElementwiseOn(next, value))
        return failWithHint(next,
                            "'" + next->getName().getStringRef() + "' does not continue the root element by element",
                            "the ops after a root are pointwise and keep its shape");
      value = next->getResult(0);
    }
    return success();
  }

  static bool isElementwiseOn(Operation *op, Value value) {
    auto fusible = dyn_cast<FusibleOp>(op);
    if (!fusible || fusible.getFusionKind() != FusionKind::Pointwise ||
        cast<ShapedType>(op->getResult(0).getType()).getShape() != cast<ShapedType>(value.getType()).getShape())
      return false;
    return llvm::all_of(op->getOpOperands(), [&](OpOperand &use) {
      return use.get() != value || fusible.getIndexingMap(use.getOperandNumber()).isIdentity();
    });
  }
};

} // namespace
