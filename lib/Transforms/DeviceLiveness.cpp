//===- DeviceLiveness.cpp - tensors a device holds over time --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceLiveness.h"

#include "Utils.h"

#include "hgc/Placement/Devices.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

/// What hgc-plan-memory rounds buffers to.
static constexpr int64_t kAlignment = 64;

static Value findRoot(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getInput();
  return value;
}

//===----------------------------------------------------------------------===//
// Liveness
//===----------------------------------------------------------------------===//

ArrayRef<LiveTensor::Access> LiveTensor::getLateAccesses(int64_t time) const {
  const Access *late = llvm::find_if(accesses, [&](const Access &access) { return access.time > time; });
  return ArrayRef<Access>(accesses).drop_front(late - accesses.begin());
}

bool LiveTensor::waitsAt(int64_t time) const {
  return first < time && last > time && llvm::none_of(accesses, [&](const Access &a) { return a.time == time; });
}

DeviceLiveness::DeviceLiveness(Block &block, DeviceAttr device) {
  SmallVector<int64_t> nested;
  for (Operation &op : block) {
    times[&op] = ops.size();
    ops.push_back(&op);
    // One side of a branch, one step of a loop at a time.
    int64_t inside = 0;
    if (!isa<KernelOp>(op))
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          inside = std::max(inside, DeviceLiveness(inner, device).getPeak());
    nested.push_back(inside);
  }
  collect(block, device);
  findPeak(nested);
}

void DeviceLiveness::collect(Block &block, DeviceAttr device) {
  for (Operation &op : block) {
    if (!isa<KernelOp, TransferOp, IfOp, WhileOp, ScanOp>(op))
      continue;
    for (OpResult result : op.getResults()) {
      if (getDevice(Value(result)) != device)
        continue;
      LiveTensor tensor;
      tensor.root = result;
      tensor.bytes = llvm::alignTo(getTensorBytes(cast<ShapedType>(result.getType())), kAlignment);
      tensor.first = tensor.last = times[&op];
      addAccesses(tensor, result, block);
      llvm::sort(tensor.accesses, [](const LiveTensor::Access &a, const LiveTensor::Access &b) {
        return std::pair(a.time, a.use->getOperandNumber()) < std::pair(b.time, b.use->getOperandNumber());
      });
      // Results of an entry are computed in the caller's memory.
      if (llvm::any_of(tensor.accesses,
                       [](const LiveTensor::Access &a) { return isa<func::ReturnOp>(a.use->getOwner()); }))
        continue;
      if (!tensor.accesses.empty())
        tensor.last = tensor.accesses.back().time;
      indices[result] = tensors.size();
      tensors.push_back(std::move(tensor));
    }
  }
}

void DeviceLiveness::addAccesses(LiveTensor &tensor, Value value, Block &block) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<ReshapeOp>(user))
      addAccesses(tensor, user->getResult(0), block);
    Operation *here = block.findAncestorOpInBlock(*user);
    // State is set when the call ends.
    bool isLast = isa<AssignOp>(user) && !here->getParentOp()->hasAttr(kLoadAttr);
    if (!isa<ReshapeOp>(user))
      tensor.accesses.push_back({&use, isLast ? static_cast<int64_t>(ops.size()) - 1 : times[here]});
  }
}

void DeviceLiveness::findPeak(ArrayRef<int64_t> nested) {
  SmallVector<int64_t> change(ops.size() + 1);
  for (const LiveTensor &tensor : tensors) {
    change[tensor.first] += tensor.bytes;
    change[tensor.last + 1] -= tensor.bytes;
  }
  int64_t live = 0;
  for (size_t time = 0; time < ops.size(); ++time) {
    live += change[time];
    int64_t bytes = live + nested[time];
    if (bytes > peak || time == 0) {
      peak = bytes;
      peakTime = time;
      peaks = 0;
    }
    peaks += bytes == peak;
  }
}

const LiveTensor *DeviceLiveness::find(Value value) const {
  auto found = indices.find(findRoot(value));
  return found == indices.end() ? nullptr : &tensors[found->second];
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

Value MemoryEdit::rebuild(OpBuilder &builder, Value form, Value root, Value value) {
  if (form == root)
    return value;
  auto reshape = form.getDefiningOp<ReshapeOp>();
  Value input = rebuild(builder, reshape.getInput(), root, value);
  Operation *copy = add(builder.clone(*reshape));
  copy->setOperand(0, input);
  return copy->getResult(0);
}

void MemoryEdit::redirect(const LiveTensor &tensor, int64_t time, Value value) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  llvm::SmallDenseMap<Value, Value> forms;
  for (const LiveTensor::Access &access : tensor.getLateAccesses(time)) {
    Value form = access.use->get();
    auto [known, isNew] = forms.try_emplace(form);
    if (isNew)
      known->second = rebuild(builder, form, tensor.root, value);
    before.push_back({access.use, form});
    access.use->set(known->second);
    // Assignments take effect at the end, wherever they stand.
    Operation *user = access.use->getOwner(), *source = known->second.getDefiningOp();
    if (isa<AssignOp>(user) && user->isBeforeInBlock(source)) {
      moved.push_back({user, user->getNextNode()});
      user->moveAfter(source);
    }
  }
}

void MemoryEdit::undo() {
  for (auto [op, next] : llvm::reverse(moved))
    op->moveBefore(next);
  for (auto [use, value] : before)
    use->set(value);
  for (Operation *op : llvm::reverse(made))
    op->erase();
}

/// Whether `a` is the better change: nothing is better than a free one.
static bool isBetter(const MemoryRelief &a, const MemoryRelief &b) {
  if (a.costPs == 0 && b.costPs == 0)
    return a.savedBytes > b.savedBytes;
  return static_cast<__int128>(a.savedBytes) * b.costPs > static_cast<__int128>(b.savedBytes) * a.costPs;
}

int64_t hgc::relieveMemory(Block &block, DeviceAttr device, int64_t limit,
                           function_ref<std::optional<MemoryRelief>(const DeviceLiveness &, const LiveTensor &)> rate,
                           function_ref<void(MemoryEdit &, const DeviceLiveness &, const LiveTensor &)> apply) {
  int64_t cost = 0;
  llvm::DenseSet<Value> rejected;
  while (true) {
    DeviceLiveness liveness(block, device);
    if (liveness.getPeak() <= limit)
      return cost;
    const LiveTensor *best = nullptr;
    MemoryRelief bestRelief;
    for (const LiveTensor &tensor : liveness.getTensors()) {
      if (!tensor.waitsAt(liveness.getPeakTime()) || rejected.contains(tensor.root))
        continue;
      std::optional<MemoryRelief> relief = rate(liveness, tensor);
      if (!relief || relief->savedBytes <= 0 || (best && !isBetter(*relief, bestRelief)))
        continue;
      best = &tensor;
      bestRelief = *relief;
    }
    if (!best)
      return cost;
    MemoryEdit edit;
    Value root = best->root;
    apply(edit, liveness, *best);
    DeviceLiveness after(block, device);
    if (std::pair(after.getPeak(), after.countPeaks()) >= std::pair(liveness.getPeak(), liveness.countPeaks())) {
      edit.undo();
      rejected.insert(root);
      continue;
    }
    cost += bestRelief.costPs;
    rejected.clear();
    eraseDeadOps(block.getParentOp());
  }
}

void hgc::addToCertificate(func::FuncOp entry, int64_t costPs) {
  auto certificate = entry->getAttrOfType<DictionaryAttr>("hgc.certificate");
  auto serial = certificate ? certificate.getAs<IntegerAttr>("serial_ps") : IntegerAttr();
  if (!serial)
    return;
  NamedAttrList fields(certificate);
  fields.set("serial_ps", IntegerAttr::get(serial.getType(), serial.getInt() + costPs));
  entry->setAttr("hgc.certificate", fields.getDictionary(entry.getContext()));
}
