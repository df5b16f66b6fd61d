//===- TeamPlan.cpp - how threads share a reduction -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/GPU/PointSpace.h"
#include "hgc/CodeGen/GPU/Team.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace hgc::gpu {

/// Threads of a block of small teams, and of a team that has a block.
static constexpr int64_t kBlock = 128, kLongTeam = 256;
/// Steps of one thread of a warp beyond which a row gets a block.
static constexpr int64_t kWarpSteps = 16;
/// Steps and values of one thread that stay in registers, and the largest team
/// with that many registers each.
static constexpr int64_t kMostKept = 8, kMostValues = 32, kKeepingTeam = 512;
/// Steps a thread should have at least before a result is split.
static constexpr int64_t kFewestSteps = 8;
/// Threads of a column team and of a block of them at most.
static constexpr int64_t kColumnTeam = 32, kColumnBlock = 256;

TeamPlan::TeamPlan(exec::KernelOp kernel, const GpuTable &target, Value input, ArrayRef<bool> isReduced,
                   ArrayRef<Access> resultAccesses, bool maySplit) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(input.getType()).getShape();
  rank = shape.size();
  SmallVector<unsigned> kinds(isReduced.begin(), isReduced.end());
  SmallVector<Access> accesses(resultAccesses);
  collectAccesses(input, identityForms(rank), {}, accesses);
  axes = mergeDims(shape, kinds, accesses);
  for (auto [number, axis] : llvm::enumerate(axes)) {
    (axis.kind ? reduced : parallel).push_back(number);
    (axis.kind ? count : results) *= axis.extent;
  }
  isRow = axes.back().kind != 0;
  chooseLanes(kernel, accesses);
  steps = isRow ? count / lanes : count;
  isRow ? chooseRowTeam(target, maySplit) : chooseColumnTeam(target, maySplit);
  partSteps = llvm::divideCeil(steps, parts);
  parts = std::max<int64_t>(1, llvm::divideCeil(steps, std::max<int64_t>(1, partSteps)));
  int64_t each = llvm::divideCeil(steps, team);
  kept = parts == 1 && team <= kKeepingTeam && each <= getMostKept() ? each : 0;
}

void TeamPlan::chooseLanes(exec::KernelOp kernel, ArrayRef<Access> accesses) {
  const Axis &axis = axes.back();
  bool isContiguous = llvm::all_of(accesses, [&](const Access &access) {
    return axis.dim < 0 || static_cast<size_t>(axis.dim) >= access.size() || access[axis.dim] == 0 ||
           access[axis.dim] == 1;
  });
  int64_t most = std::min<int64_t>(8, kBufferAlignment / getWidestStorageBytes(kernel));
  if (isContiguous)
    while (lanes < most && axis.extent % (2 * lanes) == 0 && axis.extent > 0)
      lanes *= 2;
}

int64_t TeamPlan::getMostKept() const { return std::min(kMostKept, kMostValues / lanes); }

void TeamPlan::chooseRowTeam(const GpuTable &target, bool maySplit) {
  team = std::min<int64_t>(kWarp, llvm::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(1, steps))));
  teams = kBlock / team;
  // A row that is walked several times should stay in registers.
  if (!maySplit && steps > kWarp * getMostKept() && steps <= kKeepingTeam * getMostKept()) {
    while (steps > team * getMostKept())
      team *= 2;
    teams = 1;
    return;
  }
  if (steps <= kWarp * kWarpSteps)
    return;
  team = kLongTeam;
  teams = 1;
  if (maySplit && results < target.sms)
    parts = std::clamp<int64_t>(steps / (team * kFewestSteps), 1, llvm::divideCeil(2 * target.sms, results));
  if (parts == 1 && results < 2 * target.sms)
    while (team < 1024 && steps / team > 2 * kWarpSteps)
      team *= 2;
}

void TeamPlan::chooseColumnTeam(const GpuTable &target, bool maySplit) {
  // Narrow results leave lanes of a warp idle: prefer more threads to wide ones.
  while (lanes > 1 && results / lanes < target.sms * kBlock)
    lanes /= 2;
  teams = kBlock;
  if (results / lanes >= target.sms * 1024 || steps < 4)
    return;
  // Few results leave threads for larger teams.
  teams = std::min<int64_t>(kWarp, llvm::bit_ceil(static_cast<uint64_t>(groups())));
  team = std::min<int64_t>(
      {kColumnTeam, kColumnBlock / teams, static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(steps / 2)))});
  int64_t blocks = llvm::divideCeil(groups(), teams);
  if (maySplit && blocks < target.sms)
    parts = std::clamp<int64_t>(steps / (team * kFewestSteps), 1, llvm::divideCeil(2 * target.sms, blocks));
}

Launch TeamPlan::getLaunch() const {
  Launch launch;
  launch.block[0] = team * teams;
  launch.grid = {static_cast<int64_t>(llvm::divideCeil(groups(), teams)), parts, 1};
  return launch;
}

std::string TeamPlan::describe() const {
  return llvm::formatv("{0} lanes={1} team={2} parts={3}{4}", isRow ? "rows" : "columns", lanes, team, parts,
                       kept ? " kept" : "");
}

} // namespace hgc::gpu
