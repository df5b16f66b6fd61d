//===- Decompose.cpp - composite ops as simpler ones ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What no device of the plan has a kernel for is rewritten before placement,
// attention that placement put on the CPU behind it. New ops have the pin of the
// one they replace.
//
// batch_norm is one multiplication and one addition per element once its
// statistics are combined; those are vectors, and constants when they come from
// immutable parameters. Behind a convolution the factor moves into the filter.
//===----------------------------------------------------------------------===//

#include "DecomposeAttention.h"
#include "Utils.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/Invariance.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Target/GpuKernels.h"
#include "hgc/Transforms/Passes.h"

namespace hgc {
#define GEN_PASS_DEF_DECOMPOSE
#include "hgc/Transforms/Passes.h.inc"
} // namespace hgc

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

/// Factor and summand of each channel.
struct Affine {
  Value factor, shift;
};

struct Decompose final : hgc::impl::DecomposeBase<Decompose> {
  using Base::Base;

  void runOnOperation() override {
    const auto &invariance = getAnalysis<Invariance>();
    // Identities that only differentiation and training see.
    getOperation().walk([](Operation *op) {
      if (!isa<DropoutOp, StopGradientOp>(op))
        return;
      op->replaceAllUsesWith(op->getOperands());
      op->erase();
    });
    SmallVector<BatchNormOp> norms;
    getOperation().walk([&](BatchNormOp op) { norms.push_back(op); });
    for (BatchNormOp op : norms) {
      ConvOp conv = foldIntoFilter ? findConv(op, invariance) : ConvOp();
      if (conv)
        scaleFilter(op, conv);
      else
        expand(op);
    }
    SmallVector<AttentionOp> attentions;
    getOperation().walk([&](AttentionOp op) {
      if (!hasKernel(op))
        attentions.push_back(op);
    });
    for (AttentionOp op : attentions) {
      forgetPlacement(op->getParentOfType<func::FuncOp>());
      decomposeAttention(op);
    }
    // What nobody reads has no price; passes behind placement would drop it.
    eraseDeadOps(getOperation());
  }

private:
  /// The entry will be placed again: what was decided must not tell old ops from equal new ones.
  static void forgetPlacement(func::FuncOp function) {
    if (!function->hasAttr(kCertificateAttr))
      return;
    function.walk([](Operation *op) {
      if (isPlaced(op))
        for (StringRef note : {StringRef(HGCDialect::kDevice), StringRef(kDecisionAttr), StringRef(kFusesAttr),
                               StringRef(kAlsoOnAttr)})
          op->removeAttr(note);
    });
  }

  /// Whether the device runs the op as it is.
  static bool hasKernel(AttentionOp op) {
    auto features = [](Value value) { return cast<ShapedType>(value.getType()).getShape().back(); };
    Attribute device = op->getAttr(HGCDialect::kDevice);
    bool mayBeOnGpu = device ? isGpu(device) : isInGpuPlan(op->getParentOfType<func::FuncOp>());
    return mayBeOnGpu && !getElementTypeOrSelf(op.getType()).isF64() &&
           features(op.getQuery()) <= kMostAttentionFeatures && features(op.getValue()) <= kMostAttentionFeatures;
  }

  /// Statistics are combined in f32 at least: half precision would lose digits.
  static Type getWorkType(BatchNormOp op) {
    Type element = getElementTypeOrSelf(op.getInput().getType());
    return getComputeType(element);
  }

  static Affine combine(OpBuilder &builder, BatchNormOp op) {
    Location loc = op.getLoc();
    Type work = getWorkType(op);
    auto get = [&](Value value) { return makeCast(builder, loc, value, work); };
    auto scalar = RankedTensorType::get({}, work);
    Value epsilon = ConstantOp::create(
        builder, loc, DenseElementsAttr::get(scalar, builder.getFloatAttr(work, op.getEpsilon().convertToDouble())));
    Value spread = AddOp::create(builder, loc, get(op.getVariance()), epsilon);
    Value factor = MulOp::create(builder, loc, get(op.getScale()), RsqrtOp::create(builder, loc, spread));
    Value moved = MulOp::create(builder, loc, get(op.getMean()), factor);
    return {factor, SubOp::create(builder, loc, get(op.getBias()), moved)};
  }

  /// A vector along `axis` of a tensor of `rank` dims.
  static Value spread(OpBuilder &builder, Location loc, Value vector, int64_t axis, int64_t rank) {
    SmallVector<int64_t> shape(rank - axis, 1);
    shape[0] = cast<ShapedType>(vector.getType()).getDimSize(0);
    return makeReshape(builder, loc, vector, shape);
  }

  static void replace(OpBuilder &builder, BatchNormOp op, Value result) {
    op.getResult().replaceAllUsesWith(makeCast(builder, op.getLoc(), result, getElementTypeOrSelf(op.getType())));
    op.erase();
  }

  static void expand(BatchNormOp op) {
    NoteKeeper keeper(op);
    OpBuilder builder(op);
    builder.setListener(&keeper);
    Location loc = op.getLoc();
    int64_t axis = op.getAxis(), rank = cast<ShapedType>(op.getType()).getRank();
    Affine affine = combine(builder, op);
    Value input = makeCast(builder, loc, op.getInput(), getWorkType(op));
    Value scaled = MulOp::create(builder, loc, input, spread(builder, loc, affine.factor, axis, rank));
    replace(builder, op, AddOp::create(builder, loc, scaled, spread(builder, loc, affine.shift, axis, rank)));
  }

  /// The convolution whose filter can take the factor: known when the model is
  /// compiled, used by this op only, in a type that loses nothing.
  static ConvOp findConv(BatchNormOp op, const Invariance &invariance) {
    auto conv = op.getInput().getDefiningOp<ConvOp>();
    if (!conv || !conv->hasOneUse() || !invariance.isInvariant(conv.getFilter()) || conv.getPacked())
      return {};
    for (Value value : {op.getScale(), op.getBias(), op.getMean(), op.getVariance()})
      if (!invariance.isInvariant(value))
        return {};
    Type element = getElementTypeOrSelf(conv.getFilter().getType());
    int64_t rank = cast<ShapedType>(op.getType()).getRank();
    int64_t channels = conv.getLayout() == graph::DataLayout::ChannelsLast ? rank - 1 : 1;
    bool exact = element == getElementTypeOrSelf(op.getType()) && (element.isF32() || element.isF64());
    return exact && static_cast<int64_t>(op.getAxis()) == channels ? conv : ConvOp();
  }

  static void scaleFilter(BatchNormOp op, ConvOp conv) {
    NoteKeeper keeper(op);
    OpBuilder builder(conv);
    builder.setListener(&keeper);
    Location loc = conv.getLoc();
    // The vectors may be defined after the convolution.
    conv->moveBefore(op);
    builder.setInsertionPoint(conv);
    Affine affine = combine(builder, op);
    int64_t rank = cast<ShapedType>(conv.getFilter().getType()).getRank();
    int64_t outAxis = conv.getFilterLayout() == FilterLayout::HWIO ? rank - 1 : 0;
    Value filter = MulOp::create(builder, loc, conv.getFilter(), spread(builder, loc, affine.factor, outAxis, rank));
    conv.getFilterMutable().assign(filter);
    builder.setInsertionPoint(op);
    Value shift = spread(builder, op.getLoc(), affine.shift, op.getAxis(), cast<ShapedType>(op.getType()).getRank());
    replace(builder, op, AddOp::create(builder, op.getLoc(), conv.getResult(), shift));
  }
};

} // namespace
