//===- IterationSpace.cpp - loops over the points of a tensor -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/IterationSpace.h"

#include "hgc/CodeGen/CPU/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace hgc::cpu {

/// Elements a unit computes: long enough to hide the cost of handing it out,
/// short enough to stay in the first-level cache.
static constexpr int64_t kUnitElements = 4096;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

SmallVector<LinearForm> identityForms(size_t rank) {
  SmallVector<LinearForm> forms(rank, LinearForm(rank, 0));
  for (size_t d = 0; d < rank; ++d)
    forms[d][d] = 1;
  return forms;
}

static void addScaled(LinearForm &target, const LinearForm &source, int64_t factor) {
  if (target.size() < source.size())
    target.resize(source.size(), 0);
  for (size_t d = 0; d < source.size(); ++d)
    target[d] += factor * source[d];
}

static LinearForm applyForm(AffineExpr expr, ArrayRef<LinearForm> index) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return index[dim.getPosition()];
  LinearForm result;
  if (isa<AffineConstantExpr>(expr))
    return result;
  auto binary = cast<AffineBinaryOpExpr>(expr);
  LinearForm lhs = applyForm(binary.getLHS(), index);
  if (expr.getKind() == AffineExprKind::Add) {
    addScaled(result, lhs, 1);
    addScaled(result, applyForm(binary.getRHS(), index), 1);
  } else {
    assert(expr.getKind() == AffineExprKind::Mul && "indexing maps are linear");
    addScaled(result, lhs, cast<AffineConstantExpr>(binary.getRHS()).getValue());
  }
  return result;
}

Access getRowMajorAccess(ArrayRef<int64_t> shape, ArrayRef<LinearForm> index) {
  Access access;
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    addScaled(access, index[d], stride);
    stride *= shape[d];
  }
  return access;
}

namespace {
/// Walks the producers of a tensor.
struct AccessCollector {
  ArrayRef<Value> stop;
  SmallVectorImpl<Access> &accesses;

  void visit(Value tensor, ArrayRef<LinearForm> index) {
    if (llvm::is_contained(stop, tensor))
      return;
    llvm::TypeSwitch<Operation *>(tensor.getDefiningOp())
        .Case([&](exec::LoadOp load) {
          auto type = cast<RankedTensorType>(load.getResult().getType());
          accesses.push_back(getRowMajorAccess(type.getShape(), index));
        })
        .Case([&](graph::ConstantOp) {})
        .Case([&](graph::IotaOp iota) { accesses.push_back(index[iota.getAxis()]); })
        .Case([&](graph::GatherOp gather) { visitGather(gather, index); })
        .Case([&](graph::SliceOp slice) { visitSlice(slice, index); })
        .Default([&](Operation *op) { visitPointwise(op, index); });
  }

  void visitGather(graph::GatherOp gather, ArrayRef<LinearForm> index) {
    auto axis = static_cast<size_t>(gather.getAxis());
    size_t indexRank = cast<RankedTensorType>(gather.getIndices().getType()).getRank();
    visit(gather.getIndices(), index.slice(axis, indexRank));
    SmallVector<LinearForm> source(index.take_front(axis));
    source.push_back(LinearForm());
    source.append(index.begin() + axis + indexRank, index.end());
    visit(gather.getInput(), source);
  }

  void visitSlice(graph::SliceOp slice, ArrayRef<LinearForm> index) {
    SmallVector<LinearForm> source;
    for (auto [d, form] : llvm::enumerate(index)) {
      source.push_back(LinearForm());
      addScaled(source.back(), form, slice.getStrides() ? (*slice.getStrides())[d] : 1);
    }
    visit(slice.getInput(), source);
  }

  void visitPointwise(Operation *op, ArrayRef<LinearForm> index) {
    auto fusible = cast<graph::FusibleOp>(op);
    for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
      SmallVector<LinearForm> source;
      for (AffineExpr expr : fusible.getIndexingMap(number).getResults())
        source.push_back(applyForm(expr, index));
      visit(operand, source);
    }
  }
};
} // namespace

void collectAccesses(Value tensor, ArrayRef<LinearForm> index, ArrayRef<Value> stop,
                     SmallVectorImpl<Access> &accesses) {
  AccessCollector{stop, accesses}.visit(tensor, index);
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

/// Whether stepping past the end of `inner` is the same as a step of `outer`.
static bool canMerge(int outer, int inner, int64_t innerExtent, ArrayRef<Access> accesses) {
  return llvm::all_of(accesses, [&](const Access &access) {
    auto step = [&](int dim) { return static_cast<size_t>(dim) < access.size() ? access[dim] : 0; };
    return step(outer) == step(inner) * innerExtent;
  });
}

SmallVector<Axis> mergeDims(ArrayRef<int64_t> extents, ArrayRef<unsigned> kinds, ArrayRef<Access> accesses) {
  SmallVector<Axis> axes;
  for (size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] == 1)
      continue;
    int dim = static_cast<int>(d);
    unsigned kind = kinds.empty() ? 0 : kinds[d];
    if (!axes.empty() && axes.back().kind == kind && canMerge(axes.back().dim, dim, extents[d], accesses))
      axes.back() = {dim, axes.back().extent * extents[d], kind};
    else
      axes.push_back({dim, extents[d], kind});
  }
  if (axes.empty())
    axes.push_back({extents.empty() ? -1 : static_cast<int>(extents.size()) - 1, 1, kinds.empty() ? 0 : kinds.back()});
  return axes;
}

SmallVector<LaneIndex> makeIndex(IndexBuilder &builder, size_t rank, ArrayRef<Axis> axes,
                                 ArrayRef<LaneIndex> positions) {
  SmallVector<LaneIndex> index(rank, LaneIndex(builder.constant(0)));
  for (auto [axis, position] : llvm::zip_equal(axes, positions))
    if (axis.dim >= 0)
      index[axis.dim] = position;
  return index;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

UnitLoops UnitLoops::plan(ArrayRef<int64_t> extents, int64_t pointCost, int64_t multiple) {
  UnitLoops loops;
  loops.extents.assign(extents.begin(), extents.end());
  loops.units = 0;
  if (llvm::is_contained(extents, 0))
    return loops;
  int64_t target = std::max<int64_t>(1, kUnitElements / std::max<int64_t>(1, pointCost));
  int64_t inner = 1;
  loops.split = extents.size() - 1;
  while (loops.split > 0 && inner * extents[loops.split] < target)
    inner *= extents[loops.split--];
  int64_t extent = extents[loops.split];
  loops.block = llvm::divideCeil(target, inner);
  if (loops.split + 1 == extents.size())
    loops.block = llvm::alignTo(loops.block, multiple);
  loops.block = std::min(loops.block, extent);
  loops.blocks = extent / loops.block;
  loops.units = loops.blocks;
  for (size_t i = 0; i < loops.split; ++i)
    loops.units *= extents[i];
  return loops;
}

void UnitLoops::emit(IndexBuilder &b, Value begin, Value end,
                     function_ref<void(ArrayRef<Value>, Value, Value)> body) const {
  if (units == 0)
    return;
  size_t last = extents.size() - 1;
  // A single unit needs no loop: the runtime asks for it exactly once.
  Value first = units == 1 ? b.constant(0) : begin, limit = units == 1 ? b.constant(1) : end;
  b.loop(first, limit, 1, [&](Value unit) {
    SmallVector<int64_t> grid(extents.begin(), extents.begin() + split);
    grid.push_back(blocks);
    SmallVector<Value> at = b.delinearize(unit, grid);
    Value number = at.pop_back_val();
    Value lower = b.mul(number, block), upper = b.constant(extents[split]);
    if (blocks > 1) {
      Value isLast = b.equal(number, b.constant(blocks - 1));
      upper = arith::SelectOp::create(b.builder, b.loc, isLast, upper, b.add(lower, block));
    }
    std::function<void(size_t)> nest = [&](size_t depth) {
      Value from = depth == split ? lower : b.constant(0);
      Value to = depth == split ? upper : b.constant(extents[depth]);
      if (depth == last)
        return body(at, from, to);
      b.loop(from, to, 1, [&](Value i) {
        at.push_back(i);
        nest(depth + 1);
        at.pop_back();
      });
    };
    nest(split);
  });
}

void emitLaneLoop(IndexBuilder &b, Value lower, Value upper, int64_t extent, int64_t lanes,
                  function_ref<void(Value)> body) {
  if (extent % lanes == 0)
    return b.loop(lower, upper, lanes, body);
  Value last = b.add(upper, -lanes);
  b.loop(lower, upper, lanes, [&](Value i) { body(b.min(i, last)); });
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Whether `tensor` only says where others are read: most often that is the same
/// for all lanes.
static bool isIndexOnly(Value tensor) {
  return llvm::all_of(tensor.getUses(), [](OpOperand &use) {
    return isa<graph::GatherOp, graph::SliceOp>(use.getOwner()) && use.getOperandNumber() == 1;
  });
}

int64_t chooseLanes(exec::KernelOp kernel, const DeviceTable &target, int64_t extent, int64_t registers) {
  int64_t bytes = 1;
  for (Operation &op : kernel.getBody().front())
    for (Value result : op.getResults()) {
      Type compute = graph::getComputeType(getElementTypeOrSelf(result.getType()));
      if (!isIndexOnly(result))
        bytes = std::max<int64_t>(bytes, graph::getElementBytes(compute));
    }
  return fitLanes(extent, std::max<int64_t>(1, target.vectorBytes * registers / bytes));
}

int64_t chooseGrain(exec::KernelOp kernel, const DeviceTable &target, int64_t units) {
  graph::OpCost cost;
  // Fused ops pass values in registers: only loads and stores touch memory.
  for (Operation &op : kernel.getBody().front()) {
    if (auto load = dyn_cast<exec::LoadOp>(op))
      cost.bytesRead += graph::getTensorBytes(cast<ShapedType>(load.getResult().getType()));
    else if (auto store = dyn_cast<exec::StoreOp>(op))
      cost.bytesWritten += graph::getTensorBytes(cast<ShapedType>(store.getValue().getType()));
    else
      for (size_t c = 0; c < graph::kFlopClasses; ++c)
        cost.flops[c] += graph::computeCost(&op).flops[c];
  }
  units = std::max<int64_t>(1, units);
  int64_t total = std::max<int64_t>(1, estimatePs(target, cost));
  // A thread must save clearly more than it costs to wake it.
  int64_t worth = 2 * std::max<int64_t>(1, target.forkPs);
  if (total < 2 * worth)
    return units;
  int64_t unitPs = std::max<int64_t>(1, total / units);
  return std::clamp<int64_t>(llvm::divideCeil(worth, unitPs), 1, units);
}

} // namespace hgc::cpu
