//===- UnitLoops.cpp - loops cut into units -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/CodeGen/CPU/UnitLoops.h"

#include "hgc/CodeGen/Common/Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace hgc::cpu {

/// Elements a unit computes: long enough to hide the cost of handing it out,
/// short enough to stay in the first-level cache.
static constexpr int64_t kUnitElements = 4096;

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

void keepRolled(Value iteration) {
  auto argument = dyn_cast<BlockArgument>(iteration);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : nullptr;
  if (!loop)
    return;
  MLIRContext *context = loop.getContext();
  auto disable = BoolAttr::get(context, true);
  auto vectorize = LLVM::LoopVectorizeAttr::get(context, disable, {}, {}, {}, {}, {}, {});
  auto unroll = LLVM::LoopUnrollAttr::get(context, disable, {}, {}, {}, {}, {}, {});
  loop->setAttr("loop_annotation", LLVM::LoopAnnotationAttr::get(context, {}, vectorize, {}, unroll, {}, {}, {}, {}, {},
                                                                 {}, {}, {}, {}, {}, {}));
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

int64_t chooseLanes(exec::KernelOp kernel, const DeviceTable &target, int64_t extent, int64_t registers) {
  int64_t bytes = getWidestComputeBytes(kernel);
  return fitLanes(extent, std::max<int64_t>(1, target.vectorBytes * registers / bytes));
}

/// Whether polynomials are evaluated, which take several registers for each of
/// theirs.
static bool hasFunctions(exec::KernelOp kernel) {
  return llvm::any_of(kernel.getBody().front(), [](Operation &op) {
    return !isa<exec::LoadOp, exec::StoreOp>(op) &&
           graph::computeCost(&op).flops[static_cast<size_t>(graph::FlopClass::Transcendental)] > 0;
  });
}

int64_t chooseManyLanes(exec::KernelOp kernel, const DeviceTable &target, int64_t extent) {
  constexpr int64_t registersOfFunction = 8;
  for (int64_t registers : {4, 2}) {
    if (registers * registersOfFunction > target.vectorRegisters && registers > 2 && hasFunctions(kernel))
      continue;
    int64_t lanes = chooseLanes(kernel, target, extent, registers);
    int64_t visited = llvm::divideCeil(extent, lanes) * lanes;
    if (visited * 4 <= extent * 5)
      return lanes;
  }
  return chooseLanes(kernel, target, extent, 1);
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
