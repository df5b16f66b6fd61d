//===- KernelMerger.cpp - two kernels in one pass over memory -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelMerger.h"

#include "KernelAttention.h"
#include "KernelStages.h"
#include "KernelViews.h"
#include "StreamClock.h"

#include "hgc/Analysis/FusionForest.h"
#include "hgc/Analysis/KernelModel.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace hgc;

/// The buffers of a merged launch, and which of them each part has.
struct KernelMerger::Operands {
  Operands(exec::LaunchOp first, exec::LaunchOp second);

  SmallVector<Value> inputs, outputs;
  /// Of each operand of the first and of the second launch: its place among the
  /// inputs, or behind them among the outputs; -1 where it is no more.
  std::vector<int64_t> places;
  /// Of each operand of the second: the first's output that it is, or -1.
  std::vector<int64_t> links;

  int64_t findPlace(Value buffer) const;
};

/// The place of `buffer` in a list of operands, or -1.
static int64_t findIn(ArrayRef<Value> list, Value buffer) {
  const auto *it = llvm::find_if(list, [&](Value other) { return areSameOperand(other, buffer); });
  return it == list.end() ? -1 : it - list.begin();
}

static SmallVector<Value> collect(ValueRange range) { return SmallVector<Value>(range); }

/// The same for a buffer that may have another shape there.
static int64_t findWhole(ArrayRef<Value> list, Value buffer) {
  int64_t at = findIn(list, buffer);
  auto alias = buffer.getDefiningOp<exec::AliasOp>();
  auto bytes = [](Value value) { return graph::getTensorBytes(cast<MemRefType>(value.getType())); };
  bool isWhole = alias && !alias.getIndex() && bytes(alias.getSource()) == bytes(buffer);
  return at < 0 && isWhole ? findWhole(list, alias.getSource()) : at;
}

/// Whether nobody but the two launches uses `buffer`, which may have another shape there.
static bool isUsedBy(Value buffer, Operation *first, Operation *second) {
  return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
    auto alias = dyn_cast<exec::AliasOp>(user);
    bool isPart = alias && alias.getSource() == buffer && alias.getIndex() != buffer;
    return isPart ? isUsedBy(alias, first, second) : user == first || user == second;
  });
}

/// Whether anybody but the two launches uses `buffer`, such as the caller.
static bool isUsedElsewhere(Value buffer, Operation *first, Operation *second) {
  return !buffer.getDefiningOp<exec::ViewOp>() || !isUsedBy(buffer, first, second);
}

int64_t KernelMerger::Operands::findPlace(Value buffer) const {
  if (int64_t at = findIn(outputs, buffer); at >= 0)
    return static_cast<int64_t>(inputs.size()) + at;
  return findIn(inputs, buffer);
}

KernelMerger::Operands::Operands(exec::LaunchOp first, exec::LaunchOp second) {
  SmallVector<Value> made = collect(first.getOutputs());
  for (Value output : made)
    if (isUsedElsewhere(output, first, second))
      outputs.push_back(output);
  llvm::append_range(outputs, second.getOutputs());
  auto addInput = [&](Value input) {
    if (findIn(outputs, input) < 0 && findWhole(made, input) < 0 && findIn(inputs, input) < 0)
      inputs.push_back(input);
  };
  for (Value input : first.getInputs())
    addInput(input);
  for (Value input : second.getInputs())
    addInput(input);
  for (Operation *launch : {first.getOperation(), second.getOperation()})
    for (Value operand : launch->getOperands())
      places.push_back(findPlace(operand));
  for (Value operand : second->getOperands())
    links.push_back(findWhole(made, operand));
}

//===----------------------------------------------------------------------===//
// What may be one kernel
//===----------------------------------------------------------------------===//

static ArrayRef<int64_t> getShape(exec::KernelOp kernel) {
  return cast<MemRefType>(kernel.getBody().getArguments().back().getType()).getShape();
}

/// Whether an input of both is read element by element by both.
static bool shareInput(exec::LaunchOp first, exec::KernelOp firstKernel, exec::LaunchOp second,
                       exec::KernelOp secondKernel) {
  SmallVector<Value> others = collect(second.getInputs());
  for (auto [number, input] : llvm::enumerate(first.getInputs())) {
    int64_t at = findIn(others, input);
    if (at >= 0 && cast<MemRefType>(input.getType()).getShape() == getShape(firstKernel) &&
        firstKernel.readsElementwise(firstKernel.getBody().getArgument(number)) &&
        secondKernel.readsElementwise(secondKernel.getBody().getArgument(at)))
      return true;
  }
  return false;
}

/// Whether `kernel` may have operand `number` as an output, too.
static bool mayOwn(exec::KernelOp kernel, int64_t number) {
  return kernel.readsElementwise(kernel.getBody().getArgument(number));
}

bool KernelMerger::canStage(exec::LaunchOp first, exec::LaunchOp second) {
  exec::KernelOp a = getKernel(first), b = getKernel(second);
  if (first.getOutputs().size() != 1 || second.getOutputs().size() != 1)
    return false;
  Value made = first.getOutputs().front(), result = second.getOutputs().front();
  int64_t link = findIn(collect(second.getInputs()), made);
  // What the first reads is still needed when the second writes.
  bool meets =
      llvm::any_of(collect(first->getOperands()), [&](Value other) { return findMemory(result) == findMemory(other); });
  return link >= 0 && !meets && !isUsedElsewhere(made, first, second) &&
         a.getInputCount() + b.getInputCount() <= FusionForest::kMaxInputs &&
         (paysToStage(a, b, static_cast<unsigned>(link), pricing.getCpu()) ||
          canAttend(a, b, static_cast<unsigned>(link), pricing.getCpu()));
}

bool KernelMerger::canCut(exec::LaunchOp first, exec::LaunchOp second) {
  exec::KernelOp a = getKernel(first), b = getKernel(second);
  if (first.getOutputs().size() != 1 || isUsedElsewhere(first.getOutputs().front(), first, second))
    return false;
  Value made = first.getOutputs().front();
  bool meets = llvm::any_of(second.getOutputs(), [&](Value result) {
    return llvm::any_of(first.getInputs(), [&](Value input) { return findMemory(result) == findMemory(input); });
  });
  for (auto [number, operand] : llvm::enumerate(second.getInputs()))
    if (findWhole(made, operand) == 0)
      return !meets && a.getInputCount() + b.getInputCount() <= FusionForest::kMaxInputs &&
             canReadInPlace(a, b, number, pricing.getCpu());
  return false;
}

bool KernelMerger::canMerge(exec::LaunchOp first, exec::LaunchOp second) {
  exec::KernelOp a = getKernel(first), b = getKernel(second);
  if (canStage(first, second) || canCut(first, second))
    return true;
  if (!mayUpdateInPlace(a) || !mayUpdateInPlace(b) || findRoot(b) || getShape(a) != getShape(b))
    return false;
  bool isLinked = false;
  SmallVector<Value> made = collect(first.getOutputs());
  for (auto [number, operand] : llvm::enumerate(second->getOperands())) {
    bool isOutput = number >= b.getInputCount();
    int64_t link = findIn(made, operand);
    // The second may read what the first makes, there and nowhere else.
    if (link >= 0 && (isOutput || !mayOwn(b, static_cast<int64_t>(number))))
      return false;
    isLinked |= link >= 0;
    // Parts of each other's buffers are not worth a proof.
    for (auto [place, other] : llvm::enumerate(first->getOperands())) {
      bool isWritten = isOutput || place >= a.getInputCount();
      if (!isWritten || findMemory(operand) != findMemory(other))
        continue;
      if (!areSameOperand(operand, other) || (isOutput && !mayOwn(a, static_cast<int64_t>(place))))
        return false;
    }
  }
  if (!isLinked && (findRoot(a) || !shareInput(first, a, second, b)))
    return false;
  Operands operands(first, second);
  size_t ops = a.getBody().front().getOperations().size() + b.getBody().front().getOperations().size();
  return ops <= FusionForest::kMaxOps && operands.inputs.size() + operands.outputs.size() <= FusionForest::kMaxInputs;
}

//===----------------------------------------------------------------------===//
// The merged kernel
//===----------------------------------------------------------------------===//

/// What is done, for people: the ops of both.
static std::string joinOps(exec::KernelOp first, exec::KernelOp second) {
  std::string text = first.getOps().value_or("").str();
  if (StringRef more = second.getOps().value_or(""); !more.empty())
    text += (text.empty() ? "" : ", ") + more.str();
  return text;
}

/// Whether the first cuts an operand of the second out of a tensor.
static bool isCut(exec::KernelOp first, exec::KernelOp second) { return !findRoot(first) && findRoot(second); }

/// Longest name of a merged kernel: `a.mul_add_and_5_more`.
static std::string joinNames(exec::KernelOp first, exec::KernelOp second) {
  if (isCut(first, second))
    return second.getSymName().str();
  StringRef base = first.getSymName();
  size_t count = second.getOps().value_or("").count(',') + 1;
  // The first may be merged, or long, already.
  StringRef stem = base;
  if (stem.consume_back("_more")) {
    size_t digits = stem.size() - stem.find_last_not_of("0123456789") - 1;
    size_t earlier = 0;
    if (digits && !stem.take_back(digits).getAsInteger(10, earlier) && stem.drop_back(digits).ends_with("_and_"))
      return (stem.drop_back(digits) + std::to_string(earlier + count) + "_more").str();
  }
  return (base + "_and_" + std::to_string(count) + "_more").str();
}

int64_t KernelMerger::price(exec::KernelOp kernel) {
  Operation *root = findRoot(kernel);
  std::optional<KernelWork> work;
  if (root)
    work = describeWork(root);
  for (Operation &op : kernel.getBody().front()) {
    if (&op == root || !isComputing(&op))
      continue;
    KernelWork next = describeWork(&op);
    // Traffic is counted below.
    next.cost.bytesRead = next.cost.bytesWritten = 0;
    work = work ? joinWork(*work, next, 0, 0, 1) : next;
  }
  if (!work)
    return 0;
  work->cost.bytesWritten = 0;
  if (!root)
    work->cost.bytesRead = 0;
  work->tensors = 0;
  for (Operation &op : kernel.getBody().front()) {
    bool isRead = isa<exec::LoadOp>(op), isWritten = isa<exec::StoreOp>(op);
    work->tensors += isRead || isWritten;
    // What the root reads is part of its own work.
    bool isRoots = isRead && isRootOperand(cast<exec::LoadOp>(op));
    if (isRead && !isRoots)
      work->cost.bytesRead += graph::getTensorBytes(cast<ShapedType>(op.getResult(0).getType()));
    if (isWritten)
      work->cost.bytesWritten += graph::getTensorBytes(cast<ShapedType>(op.getOperand(0).getType()));
  }
  return estimateKernel(pricing.getCpu(), *work).totalPs;
}

exec::KernelOp KernelMerger::build(exec::KernelOp first, exec::KernelOp second, const Operands &operands) {
  Block &a = first.getBody().front(), &b = second.getBody().front();
  OpBuilder builder(first);
  auto kernel = exec::KernelOp::create(
      builder, findRoot(first) ? first.getLoc() : second.getLoc(), joinNames(first, second), operands.inputs.size(),
      /*schedule=*/nullptr, /*units=*/nullptr, /*grain=*/nullptr, /*scratch_bytes=*/nullptr, first.getDeviceAttr(),
      builder.getStringAttr(joinOps(first, second)), /*price_ps=*/nullptr);
  Block &body = kernel.getBody().emplaceBlock();
  for (Value buffer : llvm::concat<const Value>(operands.inputs, operands.outputs))
    body.addArgument(buffer.getType(), kernel.getLoc());
  builder.setInsertionPointToStart(&body);

  IRMapping map;
  llvm::DenseMap<Value, Value> loaded;
  SmallVector<Value> made(first.getStores().size()), stored(body.getNumArguments());
  auto addPart = [&](Block &part, size_t firstPlace, ArrayRef<int64_t> links) {
    auto placeOf = [&](Value buffer) {
      return operands.places[firstPlace + cast<BlockArgument>(buffer).getArgNumber()];
    };
    for (Operation &op : part) {
      if (auto load = dyn_cast<exec::LoadOp>(op)) {
        size_t number = cast<BlockArgument>(load.getBuffer()).getArgNumber();
        if (!links.empty() && links[number] >= 0) {
          Value value = made[links[number]];
          if (value.getType() != load.getType())
            value = graph::ReshapeOp::create(builder, load.getLoc(), value,
                                             builder.getI64ArrayAttr(load.getType().getShape()));
          map.map(load.getResult(), value);
          continue;
        }
        Value buffer = body.getArgument(placeOf(load.getBuffer()));
        Value &tensor = loaded[buffer];
        if (!tensor)
          tensor = exec::LoadOp::create(builder, load.getLoc(), load.getType(), buffer);
        map.map(load.getResult(), tensor);
      } else if (auto store = dyn_cast<exec::StoreOp>(op)) {
        Value value = map.lookup(store.getValue());
        if (links.empty())
          made[cast<BlockArgument>(store.getBuffer()).getArgNumber() - first.getInputCount()] = value;
        if (int64_t place = placeOf(store.getBuffer()); place >= 0)
          stored[place] = value;
      } else {
        builder.clone(op, map);
      }
    }
  };
  addPart(a, 0, {});
  addPart(b, a.getNumArguments(), operands.links);
  for (auto [value, buffer] : llvm::zip_equal(stored, body.getArguments()))
    if (value)
      exec::StoreOp::create(builder, kernel.getLoc(), value, buffer);
  if (findAttention(kernel))
    kernel.setSymName((first.getSymName().split('.').first + ".attention").str());
  int64_t pricePs = findReader(kernel) ? priceStaged(first, second, pricing.getCpu()) : price(kernel);
  kernel.setPricePsAttr(builder.getI64IntegerAttr(pricePs));
  symbols.insert(kernel);
  return kernel;
}

void KernelMerger::restoreNames(ModuleOp module) {
  for (auto kernel : module.getOps<exec::KernelOp>()) {
    auto found = productNames.find(kernel.getSymName());
    if (found == productNames.end() || module.lookupSymbol(found->second))
      continue;
    auto name = StringAttr::get(module.getContext(), found->second);
    module.walk([&](exec::LaunchOp launch) {
      if (launch.getKernel() == kernel.getSymName())
        launch.setKernelAttr(FlatSymbolRefAttr::get(name));
    });
    kernel.setSymNameAttr(name);
  }
}

exec::KernelOp KernelMerger::getMerged(exec::KernelOp first, exec::KernelOp second, const Operands &operands) {
  // Equal layers have equal kernels, and their buffers are used alike.
  std::vector<int64_t> pattern = operands.places;
  pattern.insert(pattern.end(), operands.links.begin(), operands.links.end());
  exec::KernelOp &kernel = merged[{first.getSymName().str(), second.getSymName().str(), pattern}];
  if (kernel)
    return kernel;
  kernel = build(first, second, operands);
  if (isCut(first, second)) {
    auto known = productNames.find(second.getSymName());
    productNames[kernel.getSymName()] = known == productNames.end() ? second.getSymName().str() : known->second;
  }
  return kernel;
}

/// Where the kernels of stage `fused` are that a launch stands for.
static SmallVector<Attribute> getParts(exec::LaunchOp launch) {
  auto parts = launch->getAttrOfType<ArrayAttr>(exec::kPartsAttr);
  return parts ? SmallVector<Attribute>(parts.getValue()) : SmallVector<Attribute>{LocationAttr(launch.getLoc())};
}

/// Removes the declaration of a buffer, and those of its parts, unless they are used.
static void eraseUnused(Value buffer) {
  for (Operation *user : llvm::make_early_inc_range(buffer.getUsers()))
    if (auto alias = dyn_cast<exec::AliasOp>(user); alias && alias.getSource() == buffer)
      eraseUnused(alias);
  if (Operation *op = buffer.getDefiningOp(); isa_and_nonnull<exec::ViewOp, exec::AliasOp>(op) && op->use_empty())
    op->erase();
}

exec::LaunchOp KernelMerger::merge(exec::LaunchOp first, exec::LaunchOp second, Operation *position) {
  Operands operands(first, second);
  exec::KernelOp a = getKernel(first), b = getKernel(second);
  exec::KernelOp kernel = getMerged(a, b, operands);
  OpBuilder builder(position);
  auto launch = exec::LaunchOp::create(builder, findRoot(a) ? first.getLoc() : second.getLoc(), kernel.getSymName(),
                                       operands.inputs, operands.outputs, /*stream=*/0);
  SmallVector<Attribute> parts = getParts(first);
  llvm::append_range(parts, getParts(second));
  launch->setAttr(exec::kPartsAttr, builder.getArrayAttr(parts));
  SmallVector<Value> made = collect(first.getOutputs());
  first.erase();
  second.erase();
  for (Value buffer : made)
    eraseUnused(buffer);
  return launch;
}
