//===- ScatterShape.cpp - where the updates of a scatter are --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/Common/ScatterShape.h"

using namespace mlir;

namespace hgc::codegen {

ScatterShape::ScatterShape(graph::ScatterOp op)
    : op(op), input(cast<RankedTensorType>(op.getInput().getType())),
      indices(cast<RankedTensorType>(op.getIndices().getType())), axis(op.getAxis()), slices(op.getSlices()) {
  extent = input.getDimSize(axis);
  picks = slices ? indices.getNumElements() : indices.getDimSize(axis);
  for (auto [dim, size] : llvm::enumerate(input.getShape()))
    if (static_cast<int64_t>(dim) != axis)
      lines *= size;
}

void ScatterShape::collectUpdateAccesses(SmallVectorImpl<Access> &accesses) const {
  // Along the axis an update may be anywhere.
  SmallVector<LinearForm> forms = identityForms(input.getRank()), along(slices ? indices.getRank() : 1);
  SmallVector<LinearForm> update = toUpdate<LinearForm>(forms, along);
  collectAccesses(op.getUpdates(), update, {}, accesses);
  if (!slices)
    collectAccesses(op.getIndices(), update, {}, accesses);
}

SmallVector<LaneIndex> ScatterShape::getAlong(EmitContext &context, Value pick) const {
  if (!slices)
    return {LaneIndex(pick)};
  SmallVector<LaneIndex> along;
  for (Value i : IndexBuilder(context.builder, context.loc).delinearize(pick, indices.getShape()))
    along.push_back(i);
  return along;
}

Value ScatterShape::getTarget(EmitContext &context, ArrayRef<LaneIndex> at, Value pick) const {
  SmallVector<LaneIndex> along = getAlong(context, pick);
  SmallVector<LaneIndex> chosen = slices ? along : toUpdate<LaneIndex>(at, along);
  Value picked = ElementEmitter(context, 1).eval(op.getIndices(), chosen);
  return wrapIndex(context.builder, context.loc, picked, extent);
}

Value ScatterShape::getUpdate(EmitContext &context, ArrayRef<LaneIndex> at, Value pick, int64_t lanes) const {
  return ElementEmitter(context, lanes).eval(op.getUpdates(), toUpdate<LaneIndex>(at, getAlong(context, pick)));
}

} // namespace hgc::codegen
