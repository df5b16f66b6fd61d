//===- TrainingMode.cpp - ops that differ while training ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TrainingMode.h"

#include "RandomValues.h"

#include <cmath>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;
using namespace hgc::training;

Value Rows::spreadMask(const GradBuilder &b, int64_t rank) const {
  SmallVector<int64_t> shape(rank, 1);
  shape[0] = size();
  return b.reshape(mask, shape);
}

Value Rows::mean(const GradBuilder &b, Value values) const {
  Value sum = b.sum(b.where(mask, values), {0}, /*keepdims=*/false);
  return b.div(sum, b.cast(count, elementOf(values)));
}

bool training::hasDropout(func::FuncOp function) {
  return function
      .walk([](DropoutOp op) { return op.getRate().isZero() ? WalkResult::advance() : WalkResult::interrupt(); })
      .wasInterrupted();
}

/// A statistic that training may update: a parameter that is not frozen.
static ParameterOp getRunning(Value statistic) {
  auto read = statistic.getDefiningOp<ReadOp>();
  if (!read)
    return {};
  auto parameter = SymbolTable::lookupNearestSymbolFrom<ParameterOp>(read, read.getParameterAttr());
  return parameter->hasAttr(HGCDialect::kFrozen) ? ParameterOp() : parameter;
}

/// Layers of loops and branches cannot assign; they stay as they are.
static bool updatesStatistics(BatchNormOp op) {
  return isa<func::FuncOp>(op->getParentOp()) && getRunning(op.getMean()) && getRunning(op.getVariance());
}

llvm::SetVector<StringAttr> training::findStatistics(func::FuncOp function) {
  llvm::SetVector<StringAttr> names;
  function.walk([&](BatchNormOp op) {
    for (Value statistic : {op.getMean(), op.getVariance()})
      if (auto read = statistic.getDefiningOp<ReadOp>())
        names.insert(read.getParameterAttr().getAttr());
  });
  return names;
}

/// y = x / (1 - rate) where a number of the step, the op and the element says so.
static void drop(DropoutOp op, uint64_t number, Value step) {
  OpBuilder builder(op);
  GradBuilder b(builder, op.getLoc());
  double rate = op.getRate().convertToDouble();
  Type word = builder.getIntegerType(64, /*isSigned=*/false);
  auto seedType = RankedTensorType::get({}, builder.getI64Type());
  Value key = b.cast(b.make<ReadOp>(seedType, kSeedParameter), word);
  Value stream = b.add(b.cast(step, word), makeWord(b, getStream(number)));
  Value bits = makeBits(b, shapeOf(op.getInput()), stream, key);
  Value threshold = makeWord(b, static_cast<uint64_t>(std::ldexp(rate, 64)));
  Value isKept = b.compare(ComparePredicate::GE, bits, threshold);
  op.getResult().replaceAllUsesWith(b.where(isKept, b.mul(op.getInput(), 1 / (1 - rate))));
  op.erase();
}

namespace {

/// Normalises with the statistics of one batch.
struct BatchStatistics {
  GradBuilder b;
  BatchNormOp op;
  Value x, mean, variance;
  SmallVector<int64_t> aligned;

  BatchStatistics(OpBuilder &builder, BatchNormOp op, const Rows &rows) : b(builder, op.getLoc()), op(op) {
    x = b.widen(op.getInput());
    int64_t rank = typeOf(x).getRank(), axis = op.getAxis();
    aligned.assign(rank, 1);
    aligned[axis] = shapeOf(x)[axis];
    SmallVector<int64_t> axes;
    for (int64_t dim = 0; dim < rank; ++dim)
      if (dim != axis)
        axes.push_back(dim);
    // Where the first dim is not that of rows, all of the tensor counts.
    Value mask = axis != 0 && shapeOf(x)[0] == rows.size() ? rows.spreadMask(b, rank) : Value();
    double count = 1;
    for (int64_t dim : axes)
      count *= dim == 0 && mask ? 1 : shapeOf(x)[dim];
    auto meanOf = [&](Value value) {
      Value sum = b.sum(mask ? b.where(mask, value) : value, axes);
      Value scaled = b.mul(sum, 1 / count);
      return mask ? b.div(scaled, b.cast(rows.count, elementOf(scaled))) : scaled;
    };
    mean = meanOf(x);
    variance = meanOf(b.square(b.sub(x, mean)));
  }

  void replace() {
    auto spread = [&](Value vector) { return b.reshape(b.widen(vector), aligned); };
    Value factor = b.mul(b.unary<RsqrtOp>(b.add(variance, op.getEpsilon().convertToDouble())), spread(op.getScale()));
    Value result = b.add(b.mul(b.sub(x, mean), factor), spread(op.getBias()));
    op.getResult().replaceAllUsesWith(b.cast(result, elementOf(op.getResult())));
  }

  /// running * momentum + current * (1 - momentum)
  void assign(Value running, Value current) {
    double momentum = op.getMomentum().convertToDouble();
    Value old = b.widen(running);
    Value next = b.add(b.mul(old, momentum), b.mul(b.reshape(current, shapeOf(running)), 1 - momentum));
    auto read = running.getDefiningOp<ReadOp>();
    AssignOp::create(b.getBuilder(), b.getLoc(), read.getParameter(), b.cast(next, elementOf(running)));
  }
};

} // namespace

void training::enterTrainingMode(func::FuncOp function, const Rows &rows, Value step) {
  uint64_t number = 0;
  SmallVector<DropoutOp> dropouts;
  function.walk([&](DropoutOp op) { dropouts.push_back(op); });
  for (DropoutOp op : dropouts)
    if (!op.getRate().isZero())
      drop(op, number++, step);
  SmallVector<BatchNormOp> norms;
  function.walk([&](BatchNormOp op) { norms.push_back(op); });
  // Layers that share statistics update them once.
  llvm::SmallPtrSet<Attribute, 4> updated;
  for (BatchNormOp op : norms) {
    if (!updatesStatistics(op))
      continue;
    OpBuilder builder(op);
    BatchStatistics statistics(builder, op, rows);
    statistics.replace();
    for (auto [running, current] :
         {std::pair(op.getMean(), statistics.mean), std::pair(op.getVariance(), statistics.variance)})
      if (updated.insert(running.getDefiningOp<ReadOp>().getParameterAttr()).second)
        statistics.assign(running, current);
    op.erase();
  }
}
