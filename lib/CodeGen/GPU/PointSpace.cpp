//===- PointSpace.cpp - one thread for some points of a tensor ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/PointSpace.h"

#include "hgc/CodeGen/Common/Lanes.h"

#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace hgc::gpu {

/// Threads of a block: enough warps to hide latency, few enough that the last
/// block of a small kernel is not mostly idle.
static constexpr int64_t kBlock = 256;
/// More lanes cost registers and gain nothing.
static constexpr int64_t kMostLanes = 8;

int64_t getWidestStorageBytes(exec::KernelOp kernel) {
  Type stored = getStore(kernel).getValue().getType();
  int64_t bytes = graph::getElementBytes(getElementTypeOrSelf(stored));
  for (auto load : kernel.getBody().front().getOps<exec::LoadOp>())
    if (!isIndexOnly(load.getResult()))
      bytes = std::max<int64_t>(bytes, graph::getElementBytes(getElementTypeOrSelf(load.getType())));
  return bytes;
}

/// Whether every access walks `dim` in steps of 0 or 1, so that lanes along it
/// load in one piece.
static bool isContiguous(ArrayRef<Access> accesses, int dim) {
  return llvm::all_of(accesses, [&](const Access &access) {
    return dim < 0 || static_cast<size_t>(dim) >= access.size() || access[dim] == 0 || access[dim] == 1;
  });
}

PointSpace::PointSpace(exec::KernelOp kernel, const GpuTable &target, Value tensor, ArrayRef<Value> stop,
                       ArrayRef<Access> more, int64_t unit) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tensor.getType()).getShape();
  rank = shape.size();
  SmallVector<LinearForm> forms = identityForms(rank);
  SmallVector<Access> accesses{getRowMajorAccess(shape, forms)};
  accesses.append(more.begin(), more.end());
  collectAccesses(tensor, forms, stop, accesses);
  axes = mergeDims(shape, {}, accesses);
  int64_t extent = axes.back().extent, outer = 1;
  for (const Axis &axis : ArrayRef(axes).drop_back())
    outer *= axis.extent;
  int64_t most = std::min(kMostLanes, kBufferAlignment / getWidestStorageBytes(kernel));
  // Small kernels need threads more than wide accesses.
  while (most > 1 && outer * extent / most < target.sms * 128)
    most /= 2;
  // With several loops, every row must start aligned; a single one may leave a rest.
  int64_t multiple = axes.size() == 1 ? unit : std::gcd(extent, unit);
  if (isContiguous(accesses, axes.back().dim))
    while (lanes < most && multiple % (2 * lanes) == 0 && extent >= 2 * lanes)
      lanes *= 2;
  groups = outer * (extent / lanes);
  singles = extent % lanes;
}

Launch PointSpace::getLaunch() const {
  Launch launch;
  launch.block[0] = kBlock;
  launch.grid[0] = llvm::divideCeil(groups + singles, kBlock);
  return launch;
}

void PointSpace::emit(KernelContext &context, function_ref<void(ArrayRef<LaneIndex>, int64_t)> body) const {
  IndexBuilder b(context.builder, context.loc);
  Value id = context.globalId();
  SmallVector<int64_t> extents;
  for (const Axis &axis : axes)
    extents.push_back(axis.extent);
  extents.back() /= lanes;
  auto points = [&] {
    SmallVector<LaneIndex> positions;
    for (Value position : b.delinearize(id, extents))
      positions.push_back(position);
    positions.back() = {b.mul(positions.back().base, lanes), lanes == 1 ? 0 : 1};
    body(makeIndex(b, rank, axes, positions), lanes);
  };
  auto rest = [&] {
    SmallVector<LaneIndex> position{b.add(id, groups * (lanes - 1))};
    body(makeIndex(b, rank, axes, position), 1);
  };
  b.ifThen(b.lessThan(id, b.constant(groups)), points, [&] {
    if (singles)
      b.ifThen(b.lessThan(id, b.constant(groups + singles)), rest);
  });
}

} // namespace hgc::gpu
