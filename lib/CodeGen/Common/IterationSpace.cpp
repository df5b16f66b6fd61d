//===- IterationSpace.cpp - loops over the points of a tensor -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/IterationSpace.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace hgc::codegen {

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

Access getBatchStrides(ArrayRef<int64_t> extents, size_t rank, int64_t size) {
  Access strides(rank, 0);
  int64_t stride = size;
  for (size_t i = extents.size(); i-- > 0;) {
    strides[rank - extents.size() + i] = extents[i] == 1 ? 0 : stride;
    stride *= extents[i];
  }
  return strides;
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
        .Case([&](graph::GatherAlongOp gather) { visitGatherAlong(gather, index); })
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

  void visitGatherAlong(graph::GatherAlongOp gather, ArrayRef<LinearForm> index) {
    visit(gather.getIndices(), index);
    SmallVector<LinearForm> source(index);
    source[gather.getAxis()] = LinearForm();
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
// Sizes
//===----------------------------------------------------------------------===//

bool isIndexOnly(Value tensor) {
  return llvm::all_of(tensor.getUses(), [](OpOperand &use) {
    return isa<graph::GatherOp, graph::GatherAlongOp, graph::ScatterOp, graph::SliceOp>(use.getOwner()) &&
           use.getOperandNumber() == 1;
  });
}

int64_t getWidestComputeBytes(exec::KernelOp kernel) {
  int64_t bytes = 1;
  for (Operation &op : kernel.getBody().front())
    for (Value result : op.getResults()) {
      Type compute = graph::getComputeType(getElementTypeOrSelf(result.getType()));
      if (!isIndexOnly(result))
        bytes = std::max<int64_t>(bytes, graph::getElementBytes(compute));
    }
  return bytes;
}

} // namespace hgc::codegen
