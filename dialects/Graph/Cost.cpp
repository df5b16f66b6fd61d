//===- Cost.cpp - device-independent work of an op ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts are per execution. Products saturate: shapes are bounded, their products
// over a whole model are not.
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Infer.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc::graph;

static constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

static int64_t times(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? kMost : product;
}

static int64_t plus(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? kMost : sum;
}

int64_t OpCost::totalFlops() const {
  int64_t total = 0;
  for (int64_t count : flops)
    total = plus(total, count);
  return total;
}

OpCost &OpCost::operator+=(const OpCost &other) {
  for (size_t i = 0; i < kFlopClasses; ++i)
    flops[i] = plus(flops[i], other.flops[i]);
  bytesRead = plus(bytesRead, other.bytesRead);
  bytesWritten = plus(bytesWritten, other.bytesWritten);
  parallelWidth = std::max(parallelWidth, other.parallelWidth);
  return *this;
}

/// `cost` of `trips` executions one after the other.
static OpCost repeat(OpCost cost, int64_t trips) {
  for (int64_t &count : cost.flops)
    count = times(count, trips);
  cost.bytesRead = times(cost.bytesRead, trips);
  cost.bytesWritten = times(cost.bytesWritten, trips);
  return cost;
}

int64_t hgc::graph::countDivisions(Operation *op) {
  return isa<DivOp, SqrtOp, SigmoidOp, SiluOp>(op) ? 1 : isa<RsqrtOp>(op) ? 2 : 0;
}

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// Elements of a tensor; a dynamic extent, which only an unbound graph has,
/// counts as one.
static int64_t elementsOf(Value value) {
  int64_t count = 1;
  for (int64_t extent : typeOf(value).getShape())
    count = times(count, ShapedType::isDynamic(extent) ? 1 : extent);
  return count;
}

static int64_t bytesOf(Value value) {
  return times(elementsOf(value), getElementBytes(typeOf(value).getElementType()));
}

static FlopClass classOf(Value value) {
  Type element = typeOf(value).getElementType();
  if (element.isF64())
    return FlopClass::F64;
  if (element.isF32())
    return FlopClass::F32;
  return isa<FloatType>(element) ? FlopClass::F16 : FlopClass::Int;
}

/// Contractions of i8 have instructions of their own.
static FlopClass contractionClassOf(Value value) {
  return typeOf(value).getElementType().isInteger(8) ? FlopClass::I8 : classOf(value);
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

namespace {
/// Work for one element: plain operations, and function evaluations in units of
/// one exponential.
struct ElementWork {
  int64_t plain = 1, functions = 0;
};
} // namespace

static ElementWork getElementWork(Operation *op) {
  return llvm::TypeSwitch<Operation *, ElementWork>(op)
      .Case<ExpOp, LogOp, SinOp, CosOp, TanhOp, ErfOp, AtanOp>([](auto) {
        return ElementWork{0, 1};
      })
      .Case<Expm1Op, Log1pOp, TanOp, AsinOp, AcosOp, SinhOp, CoshOp, AsinhOp, AcoshOp, AtanhOp, Atan2Op, PowOp>(
          [](auto) {
            return ElementWork{0, 2};
          })
      .Case<SigmoidOp>([](auto) {
        return ElementWork{8, 1};
      })
      .Case<SiluOp>([](auto) {
        return ElementWork{9, 1};
      })
      .Case<GeluOp>([](auto) {
        return ElementWork{4, 1};
      })
      .Case<GeluTanhOp>([](auto) {
        return ElementWork{7, 1};
      })
      // A division or root occupies its unit for several plain operations.
      .Case<DivOp, RemOp, SqrtOp>([](auto) {
        return ElementWork{4, 0};
      })
      .Case<RsqrtOp>([](auto) {
        return ElementWork{8, 0};
      })
      // Ten rounds of two wide products and some twenty more.
      .Case<RandomOp>([](auto) {
        return ElementWork{240, 0};
      })
      .Default([](auto) { return ElementWork{}; });
}

static OpCost costOfPointwise(Operation *op) {
  OpCost cost;
  Value result = op->getResult(0);
  int64_t elements = elementsOf(result);
  ElementWork work = getElementWork(op);
  // A comparison works on its operands' type, its result is i1.
  Value typed = op->getNumOperands() == 0 ? result : op->getOperands().back();
  cost[classOf(typed)] = times(work.plain, elements);
  cost[FlopClass::Transcendental] = times(work.functions, elements);
  cost.parallelWidth = elements;
  return cost;
}

static OpCost costOfContraction(Value operand, Value result, int64_t depth) {
  OpCost cost;
  cost[contractionClassOf(operand)] = times(2 * elementsOf(result), std::max<int64_t>(depth, 0));
  cost.parallelWidth = elementsOf(result);
  return cost;
}

/// The gradients of a convolution multiply what it multiplies itself. `output` has
/// the shape of its result.
static OpCost costOfConvGradient(Value output, Value result, const ConvShape &shape) {
  OpCost cost = costOfContraction(output, output, shape.depth());
  cost.parallelWidth = elementsOf(result);
  return cost;
}

/// A reduction of `perElement` operations on every element of `input`.
static OpCost costOfReduction(Value input, Value result, int64_t perElement) {
  OpCost cost;
  cost[classOf(input)] = times(elementsOf(input), perElement);
  cost.parallelWidth = elementsOf(result);
  return cost;
}

/// Rows are independent, the elements of a row are not.
static OpCost costOfRows(Value input, int64_t rowLength, ElementWork work) {
  OpCost cost;
  int64_t elements = elementsOf(input);
  cost[classOf(input)] = times(elements, work.plain);
  cost[FlopClass::Transcendental] = times(elements, work.functions);
  cost.parallelWidth = elements / std::max<int64_t>(rowLength, 1);
  return cost;
}

template <typename SoftmaxLikeOp> static OpCost costOfSoftmax(SoftmaxLikeOp op) {
  return costOfRows(op.getInput(), op.getType().getDimSize(op.getAxis()), {4, 1});
}

static OpCost costOfPool(PoolOp op) {
  int64_t window = 1;
  for (int64_t extent : op.getWindow())
    window = times(window, extent);
  OpCost cost;
  cost[classOf(op.getInput())] = times(elementsOf(op.getResult()), window);
  cost.parallelWidth = elementsOf(op.getResult());
  return cost;
}

static int64_t log2Ceil(int64_t n) { return n > 1 ? llvm::Log2_64_Ceil(n) : 0; }

/// A comparison per element and doubling of the sorted part.
static OpCost costOfSort(ArgSortOp op) {
  int64_t length = op.getInput().getType().getDimSize(op.getAxis());
  int64_t kept = op.getType().getDimSize(op.getAxis());
  return costOfRows(op.getInput(), length, {1 + log2Ceil(std::min(length, kept)), 0});
}

/// Lines along the axis are independent, updates of one line are not.
static OpCost costOfScatter(ScatterOp op) {
  OpCost cost;
  int64_t length = op.getInput().getType().getDimSize(op.getAxis());
  cost[classOf(op.getInput())] = elementsOf(op.getUpdates());
  cost.parallelWidth = elementsOf(op.getInput()) / std::max<int64_t>(length, 1);
  return cost;
}

/// Scores and their sums of values; scale, mask, maximum and sum on the way.
static OpCost costOfAttention(AttentionOp op) {
  int64_t queries = elementsOf(op.getResult()) / std::max<int64_t>(op.getType().getShape().back(), 1);
  int64_t keys = op.getKey().getType().getShape().end()[-2];
  int64_t scores = times(queries, std::max<int64_t>(keys, 1));
  int64_t depth = 0;
  for (Value operand : {op.getQuery(), op.getValue()})
    depth = plus(depth, std::max<int64_t>(typeOf(operand).getShape().back(), 0));
  OpCost cost;
  cost[classOf(op.getQuery())] = times(times(2, scores), depth);
  cost[FlopClass::F32] = plus(cost[FlopClass::F32], times(scores, 5));
  cost[FlopClass::Transcendental] = scores;
  cost.parallelWidth = queries;
  return cost;
}

static OpCost costOfLayerNorm(LayerNormOp op) { return costOfRows(op.getInput(), elementsOf(op.getScale()), {8, 0}); }

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static OpCost costOfRegion(Region &region) {
  OpCost cost;
  for (Operation &op : region.front().without_terminator())
    cost += computeCost(&op);
  return cost;
}

static OpCost costOfIf(IfOp op) {
  // Which branch runs is unknown: plan for the dearer one.
  OpCost a = costOfRegion(op.getThenRegion()), b = costOfRegion(op.getElseRegion());
  int64_t workA = plus(a.totalFlops(), plus(a.bytesRead, a.bytesWritten));
  int64_t workB = plus(b.totalFlops(), plus(b.bytesRead, b.bytesWritten));
  return workA >= workB ? a : b;
}

static OpCost costOfWhile(WhileOp op) {
  OpCost cost = costOfRegion(op.getCondition());
  cost += costOfRegion(op.getBody());
  return repeat(cost, op.getTripHint());
}

int64_t hgc::graph::getBytesRead(OpOperand &operand) {
  Operation *op = operand.getOwner();
  bool isPicked = isa<GatherOp, GatherAlongOp, SliceOp>(op) && operand.getOperandNumber() == 0;
  int64_t bytes = bytesOf(operand.get());
  return isPicked ? std::min(bytes, bytesOf(op->getResult(0))) : bytes;
}

static OpCost costOfKernel(KernelOp op) {
  OpCost cost = costOfRegion(op.getBody());
  cost.bytesRead = 0;
  cost.bytesWritten = bytesOf(op.getResult());
  Operation *root = op.getRoot();
  cost.parallelWidth = root ? computeCost(root).parallelWidth : elementsOf(op.getResult());
  // What stays inside of the kernel never reaches memory.
  for (BlockArgument argument : op.getBody().getArguments()) {
    int64_t bytes = 0;
    for (OpOperand &use : argument.getUses())
      bytes = plus(bytes, isa<YieldOp>(use.getOwner()) ? bytesOf(argument) : getBytesRead(use));
    cost.bytesRead = plus(cost.bytesRead, std::min(bytes, bytesOf(argument)));
  }
  return cost;
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

/// Operations and width of an op without regions.
static OpCost computeWork(Operation *op) {
  return llvm::TypeSwitch<Operation *, OpCost>(op)
      .Case([](MatmulOp m) { return costOfContraction(m.getLhs(), m.getResult(), m.getDepth()); })
      .Case([](ConvOp c) { return costOfContraction(c.getInput(), c.getResult(), c.getShape().depth()); })
      .Case([](ConvTransposeOp c) { return costOfConvGradient(c.getInput(), c.getResult(), c.getShape()); })
      .Case([](ConvFilterGradOp c) { return costOfConvGradient(c.getGradient(), c.getResult(), c.getShape()); })
      .Case([](PoolOp pool) { return costOfPool(pool); })
      .Case([](ReduceOp r) { return costOfReduction(r.getInput(), r.getResult(), 1); })
      .Case([](ArgReduceOp r) { return costOfReduction(r.getInput(), r.getResult(), 2); })
      .Case([](ArgSortOp sort) { return costOfSort(sort); })
      .Case([](ScatterOp scatter) { return costOfScatter(scatter); })
      .Case([](AttentionOp attention) { return costOfAttention(attention); })
      .Case<SoftmaxOp, LogSoftmaxOp>([](auto softmax) { return costOfSoftmax(softmax); })
      .Case([](LayerNormOp norm) { return costOfLayerNorm(norm); })
      .Case([](BatchNormOp norm) {
        return costOfRows(norm.getInput(), 1, {4, 0});
      })
      .Default([](Operation *other) {
        auto fusible = dyn_cast<FusibleOp>(other);
        if (fusible && fusible.getFusionKind() == FusionKind::Pointwise)
          return costOfPointwise(other);
        OpCost cost;
        cost.parallelWidth = other->getNumResults() ? elementsOf(other->getResult(0)) : 1;
        return cost;
      });
}

OpCost hgc::graph::computeCost(Operation *op) {
  if (auto branch = dyn_cast<IfOp>(op))
    return costOfIf(branch);
  if (auto loop = dyn_cast<WhileOp>(op))
    return costOfWhile(loop);
  if (auto scan = dyn_cast<ScanOp>(op))
    return repeat(costOfRegion(scan.getBody()), std::max<int64_t>(scan.getTripCount(), 1));
  if (auto kernel = dyn_cast<KernelOp>(op))
    return costOfKernel(kernel);
  // Parameters, constants and views are memory that exists already.
  if (!isa_and_present<HGCDialect>(op->getDialect()) || isa<ReadOp, ConstantOp, ReshapeOp, ParameterOp, YieldOp>(op))
    return {};
  OpCost cost = computeWork(op);
  llvm::SmallPtrSet<Value, 4> seen;
  for (OpOperand &operand : op->getOpOperands())
    if (seen.insert(operand.get()).second)
      cost.bytesRead = plus(cost.bytesRead, getBytesRead(operand));
  for (Value result : op->getResults())
    cost.bytesWritten = plus(cost.bytesWritten, bytesOf(result));
  return cost;
}
