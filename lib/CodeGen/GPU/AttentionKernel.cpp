//===- AttentionKernel.cpp - GPU kernels with an attention ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scores never reach memory: a block walks the keys in tiles and keeps, for each
// of its queries, the greatest score so far, the sum of weights and the weighted
// sums of values relative to it. When a greater score comes, both are scaled down.
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/Lanes.h"
#include "hgc/CodeGen/GPU/AttentionMma.h"
#include "hgc/CodeGen/GPU/AttentionTile.h"
#include "hgc/CodeGen/GPU/Emitters.h"
#include "hgc/CodeGen/GPU/GemmStore.h"
#include "hgc/CodeGen/GPU/Team.h"
#include "hgc/Target/GpuKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::gpu;
using graph::ReduceKind;

namespace {

struct AttentionEmitter final : KernelEmitter {
  FailureOr<KernelPlan> plan(exec::KernelOp kernel, const GpuTable &target) const override;
  LogicalResult emit(KernelContext &context, size_t number) const override;
};

/// What a thread knows of its queries: for each row the greatest score and its
/// own part of the sum of weights; then all weighted sums.
class SoftmaxState {
public:
  SoftmaxState(KernelContext &context, const AttentionPlan &plan, ValueRange values)
      : context(context), plan(plan), ix(context.builder, context.loc) {
    size_t rows = plan.rows();
    greatest.assign(values.begin(), values.begin() + rows);
    total.assign(values.begin() + rows, values.begin() + 2 * rows);
    sums.assign(values.begin() + 2 * rows, values.end());
  }

  static SmallVector<Value> getInitial(KernelContext &context, const AttentionPlan &plan);

  /// Takes in a tile's scores, which become weights.
  void add(MutableArrayRef<Value> scores);
  /// Results from all that was taken in.
  void finish();
  SmallVector<Value> flatten() const;

  SmallVector<Value> greatest, total, sums;

private:
  /// exp(a - b)
  Value weigh(Value a, Value b) {
    Value difference = arith::SubFOp::create(context.builder, context.loc, a, b);
    return math::ExpOp::create(context.builder, context.loc, difference);
  }

  KernelContext &context;
  const AttentionPlan &plan;
  IndexBuilder ix;
};

} // namespace

SmallVector<Value> SoftmaxState::getInitial(KernelContext &context, const AttentionPlan &plan) {
  OpBuilder &b = context.builder;
  Value zero = createConstant(b, context.loc, b.getF32Type(), 0);
  Value none = createConstant(b, context.loc, b.getF32Type(), -std::numeric_limits<double>::infinity());
  SmallVector<Value> values(plan.rows(), none);
  values.append(plan.rows() * (1 + plan.sums()), zero);
  return values;
}

void SoftmaxState::add(MutableArrayRef<Value> scores) {
  OpBuilder &b = context.builder;
  Location loc = context.loc;
  Value zero = createConstant(b, loc, b.getF32Type(), 0);
  Value none = createConstant(b, loc, b.getF32Type(), -std::numeric_limits<double>::infinity());
  for (int64_t r = 0; r < plan.rows(); ++r) {
    MutableArrayRef<Value> row = scores.slice(r * plan.scores(), plan.scores());
    Value most = row.front();
    for (Value score : row.drop_front())
      most = arith::MaximumFOp::create(b, loc, most, score);
    most = combineLanes(context, Combiner{ReduceKind::Max, false}, most, AttentionPlan::kColumns);
    most = arith::MaximumFOp::create(b, loc, greatest[r], most);
    // Without a key so far the difference to the greatest would be NaN.
    Value isNone = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, most, none);
    Value base = arith::SelectOp::create(b, loc, isNone, zero, most);
    Value scale = weigh(greatest[r], base);
    greatest[r] = most;
    total[r] = arith::MulFOp::create(b, loc, total[r], scale);
    for (Value &score : row) {
      score = weigh(score, base);
      total[r] = arith::AddFOp::create(b, loc, total[r], score);
    }
    for (Value &sum : MutableArrayRef(sums).slice(r * plan.sums(), plan.sums()))
      sum = arith::MulFOp::create(b, loc, sum, scale);
  }
}

void SoftmaxState::finish() {
  OpBuilder &b = context.builder;
  Location loc = context.loc;
  for (int64_t r = 0; r < plan.rows(); ++r) {
    Value whole = combineLanes(context, Combiner{ReduceKind::Sum, false}, total[r], AttentionPlan::kColumns);
    // A query that sees no key divides zero by zero.
    for (Value &sum : MutableArrayRef(sums).slice(r * plan.sums(), plan.sums()))
      sum = arith::DivFOp::create(b, loc, sum, whole);
  }
}

SmallVector<Value> SoftmaxState::flatten() const {
  SmallVector<Value> values(greatest);
  llvm::append_range(values, total);
  llvm::append_range(values, sums);
  return values;
}

FailureOr<KernelPlan> AttentionEmitter::plan(exec::KernelOp kernel, const GpuTable &target) const {
  auto op = cast<graph::AttentionOp>(getRoot(kernel));
  if (failed(verifyRootOperands(op)))
    return failure();
  AttentionPlan attention(op);
  bool isWide = getElementTypeOrSelf(op.getType()).isF64();
  if (isWide || std::max(attention.features, attention.results) > kMostAttentionFeatures) {
    InFlightDiagnostic diag = op.emitOpError()
                              << "has no kernel for " << attention.features << " features and " << attention.results
                              << " results of type " << getElementTypeOrSelf(op.getType());
    diag.attachNote() << "hint: run hgc-decompose, which rewrites it";
    return diag;
  }
  KernelPlan plan;
  Launch launch;
  if (std::optional<AttentionMmaPlan> mma = AttentionMmaPlan::get(op, target)) {
    launch.grid[0] = mma->batches * mma->queryTiles();
    launch.block[0] = mma->threads();
    plan.launches.push_back(launch);
    plan.text =
        llvm::formatv("attention tensor cores tiles={0}x{1} keys={2}", mma->tileQueries(), mma->tileKeys, mma->keys);
    return plan;
  }
  launch.grid[0] = attention.batches * attention.queryTiles();
  launch.block[0] = AttentionPlan::kThreads;
  plan.launches.push_back(launch);
  plan.text =
      llvm::formatv("attention tiles={0}x{1} keys={2}", attention.tileQueries, attention.tileKeys, attention.keys);
  return plan;
}

LogicalResult AttentionEmitter::emit(KernelContext &context, size_t) const {
  auto op = cast<graph::AttentionOp>(getRoot(context.kernel));
  if (std::optional<AttentionMmaPlan> mma = AttentionMmaPlan::get(op, context.target)) {
    emitAttentionMma(context, op, *mma);
    return success();
  }
  AttentionPlan plan(op);
  AttentionTile tile(context, op, plan);
  IndexBuilder ix(context.builder, context.loc);
  tile.loadQueries();
  SmallVector<Value> final = ix.loop(ix.constant(0), tile.getTileCount(), 1, SoftmaxState::getInitial(context, plan),
                                     [&](Value number, ValueRange carried) -> SmallVector<Value> {
                                       Value firstKey = ix.mul(number, plan.tileKeys);
                                       SoftmaxState state(context, plan, carried);
                                       context.barrier();
                                       tile.loadKeys(firstKey);
                                       context.barrier();
                                       SmallVector<Value> scores = tile.score(firstKey);
                                       state.add(scores);
                                       tile.storeWeights(scores);
                                       context.barrier();
                                       tile.loadValues(firstKey);
                                       context.barrier();
                                       state.sums = tile.accumulate(state.sums);
                                       return state.flatten();
                                     });
  SoftmaxState state(context, plan, final);
  state.finish();
  tile.write(state.sums);
  return success();
}

std::unique_ptr<KernelEmitter> hgc::gpu::createAttentionEmitter() { return std::make_unique<AttentionEmitter>(); }
