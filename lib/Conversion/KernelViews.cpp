//===- KernelViews.cpp - products that read and write in place ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelViews.h"

#include "KernelAttention.h"

#include "dialects/Graph/GraphOps.h"
#include "dialects/Graph/StridedView.h"
#include "hgc/Target/Panel.h"

using namespace mlir;
using namespace hgc;

/// What the result of a kernel is of its only input; nothing if it is more than a part of it.
static std::optional<graph::StridedView> findView(exec::KernelOp kernel) {
  if (kernel.getStores().size() != 1 || exec::getGpu(kernel.getBody().getArguments().back().getType()))
    return std::nullopt;
  for (Operation &op : kernel.getBody().front())
    if (!isa<exec::LoadOp, exec::StoreOp>(op) && !graph::isViewOp(&op))
      return std::nullopt;
  std::optional<graph::StridedView> view = graph::StridedView::trace(kernel.getStores().front().getValue());
  return view && view->source.getDefiningOp<exec::LoadOp>() ? view : std::nullopt;
}

bool hgc::canReadInPlace(exec::KernelOp first, exec::KernelOp second, unsigned input, const DeviceTable &cpu) {
  BlockArgument buffer = second.getBody().getArgument(input);
  if (exec::getGpu(buffer.getType()) || !buffer.hasOneUse())
    return false;
  auto load = dyn_cast<exec::LoadOp>(*buffer.user_begin());
  auto product = load && load.getResult().hasOneUse() ? dyn_cast<graph::MatmulOp>(*load.getResult().user_begin())
                                                      : graph::MatmulOp();
  bool isAttention = findAttention(second).has_value();
  if (!product || (!isAttention && product != findRoot(second)))
    return false;
  bool isLhs = load.getResult() == product.getLhs();
  if (isLhs ? product.getTransposeLhs() : product.getPacked().has_value())
    return false;
  std::optional<graph::StridedView> view = findView(first);
  if (view)
    view = view->reshape(cast<RankedTensorType>(load.getType()).getShape());
  if (!view || view->strides.back() != 1)
    return false;
  int64_t bytes = graph::getElementBytes(getElementTypeOrSelf(load.getType()));
  // An attention turns keys anyway, and has each row of queries and values for many products.
  if (!isAttention && !readsRowsApart(view->shape.back() * bytes))
    return false;
  int64_t step = std::abs(view->strides.end()[-2]) * bytes;
  return !isLhs || !linesCollide(cpu, std::min(view->shape.end()[-2], kMostTileRows), step);
}

bool hgc::canStoreInPlace(exec::KernelOp first, exec::KernelOp second, unsigned input) {
  std::optional<AttentionForm> form = findAttention(first);
  std::optional<graph::StridedView> view = findView(second);
  if (!form || !view || first.getStores().size() != 1)
    return false;
  // What the first stores already is not turned once more.
  Value result = form->sums.getResult(), stored = first.getStores().front().getValue();
  if (view->source.getDefiningOp<exec::LoadOp>().getBuffer() != second.getBody().getArgument(input) ||
      !isExpressionOf(stored, result))
    return false;
  std::optional<graph::StridedView> place = view->invert();
  if (place)
    place = place->reshape(form->sums.getType().getShape());
  // Shorter rows would share lines with others that are written much later.
  constexpr int64_t line = 64;
  int64_t bytes = graph::getElementBytes(form->sums.getType().getElementType());
  return place && place->strides.back() == 1 && place->shape.back() * bytes % line == 0;
}

bool hgc::storesMoved(exec::KernelOp kernel) {
  return findAttention(kernel) && graph::isViewOp(kernel.getStores().front().getValue().getDefiningOp());
}

bool hgc::isRootOperand(exec::LoadOp load) {
  Operation *root = findRoot(cast<exec::KernelOp>(load->getParentOp()));
  return root && llvm::any_of(load->getUsers(), [&](Operation *user) { return graph::leadsOnlyTo(user, root); });
}
