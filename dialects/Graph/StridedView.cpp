//===- StridedView.cpp - tensors that are parts of others -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/StridedView.h"

#include "dialects/Graph/GraphOps.h"

using namespace mlir;
using namespace hgc::graph;

static ArrayRef<int64_t> getShape(Value tensor) { return cast<RankedTensorType>(tensor.getType()).getShape(); }

bool hgc::graph::isViewOp(Operation *op) {
  auto slice = dyn_cast_or_null<SliceOp>(op);
  return op && (isa<TransposeOp, ReshapeOp>(op) || (slice && slice.getStarts()));
}

bool hgc::graph::leadsOnlyTo(Operation *op, Operation *reader) {
  return op == reader ||
         (isViewOp(op) && llvm::all_of(op->getUsers(), [&](Operation *user) { return leadsOnlyTo(user, reader); }));
}

static StridedView makeWhole(Value tensor) {
  StridedView view{tensor, 0, SmallVector<int64_t>(getShape(tensor)), {}};
  view.strides.resize(view.shape.size());
  int64_t stride = 1;
  for (size_t i = view.shape.size(); i-- > 0;) {
    view.strides[i] = view.shape[i] == 1 ? 1 : stride;
    stride *= view.shape[i];
  }
  return view;
}

static StridedView cut(StridedView view, SliceOp slice) {
  for (auto [i, extent] : llvm::enumerate(getShape(slice.getResult()))) {
    view.offset += (*slice.getStarts())[i] * view.strides[i];
    view.strides[i] = extent == 1 ? 1 : view.strides[i] * (slice.getStrides() ? (*slice.getStrides())[i] : 1);
    view.shape[i] = extent;
  }
  return view;
}

static StridedView permute(const StridedView &view, TransposeOp transpose) {
  StridedView result = view;
  for (auto [i, dim] : llvm::enumerate(transpose.getPermutation())) {
    result.shape[i] = view.shape[dim];
    result.strides[i] = view.strides[dim];
  }
  return result;
}

std::optional<StridedView> StridedView::reshape(ArrayRef<int64_t> newShape) const {
  // Dims that follow each other without a gap are one; the last one comes first.
  struct Run {
    int64_t extent, stride;
  };
  SmallVector<Run> runs;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 0)
      return std::nullopt;
    if (shape[i] == 1)
      continue;
    if (!runs.empty() && runs.back().extent * runs.back().stride == strides[i])
      runs.back().extent *= shape[i];
    else
      runs.push_back({shape[i], strides[i]});
  }
  StridedView result{source, offset, SmallVector<int64_t>(newShape), SmallVector<int64_t>(newShape.size(), 1)};
  Run *run = runs.begin();
  for (size_t i = newShape.size(); i-- > 0;) {
    if (newShape[i] == 1)
      continue;
    if (run == runs.end() || run->extent % newShape[i] != 0)
      return std::nullopt;
    result.strides[i] = run->stride;
    run->extent /= newShape[i];
    run->stride *= newShape[i];
    if (run->extent == 1)
      ++run;
  }
  return result;
}

std::optional<StridedView> StridedView::invert() const {
  struct Dim {
    int64_t extent, stride, place;
  };
  SmallVector<Dim> dims;
  int64_t place = 1;
  for (size_t i = shape.size(); i-- > 0; place *= shape[i])
    if (shape[i] != 1)
      dims.push_back({shape[i], strides[i], place});
  // All elements, each of them once: the steps of a row-major tensor.
  llvm::sort(dims, [](const Dim &a, const Dim &b) { return a.stride > b.stride; });
  StridedView result{source, 0, {}, {}};
  int64_t elements = 1;
  for (const Dim &dim : llvm::reverse(dims)) {
    if (dim.stride != elements)
      return std::nullopt;
    elements *= dim.extent;
  }
  if (offset != 0 || elements != ShapedType::getNumElements(getShape(source)))
    return std::nullopt;
  for (const Dim &dim : dims) {
    result.shape.push_back(dim.extent);
    result.strides.push_back(dim.place);
  }
  return result.reshape(getShape(source));
}

std::optional<StridedView> StridedView::trace(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!isViewOp(op))
    return makeWhole(tensor);
  std::optional<StridedView> input = trace(op->getOperand(0));
  if (!input)
    return std::nullopt;
  if (auto slice = dyn_cast<SliceOp>(op))
    return cut(*input, slice);
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return permute(*input, transpose);
  return input->reshape(getShape(tensor));
}
