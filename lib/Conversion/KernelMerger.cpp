//===- KernelMerger.cpp - two kernels in one pass over memory -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelMerger.h"

#include "KernelAttention.h"
#include "KernelStages.h"
#include "KernelViews.h"
#include "MergeRules.h"

#include "hgc/Analysis/KernelModel.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace hgc;

bool KernelMerger::canMerge(exec::LaunchOp first, exec::LaunchOp second) {
  return hgc::canMerge({first, second, getKernel(first), getKernel(second)}, pricing.getCpu());
}

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

exec::KernelOp KernelMerger::build(exec::KernelOp first, exec::KernelOp second, const MergedOperands &operands) {
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

exec::KernelOp KernelMerger::getMerged(exec::KernelOp first, exec::KernelOp second, const MergedOperands &operands) {
  // Equal layers have equal kernels, and their buffers are used alike.
  std::vector<int64_t> pattern = operands.places;
  pattern.insert(pattern.end(), operands.links.begin(), operands.links.end());
  exec::KernelOp &kernel = merged[{first.getSymName().str(), second.getSymName().str(), pattern}];
  if (kernel)
    return kernel;
  kernel = build(first, second, operands);
  if (isCut(first, second) || findAttention(first)) {
    StringRef product = isCut(first, second) ? second.getSymName() : first.getSymName();
    auto known = productNames.find(product);
    productNames[kernel.getSymName()] = known == productNames.end() ? product.str() : known->second;
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
  MergedOperands operands(first, second);
  exec::KernelOp a = getKernel(first), b = getKernel(second);
  exec::KernelOp kernel = getMerged(a, b, operands);
  OpBuilder builder(position);
  auto launch = exec::LaunchOp::create(builder, findRoot(a) ? first.getLoc() : second.getLoc(), kernel.getSymName(),
                                       operands.inputs, operands.outputs, /*stream=*/0);
  SmallVector<Attribute> parts = getParts(first);
  llvm::append_range(parts, getParts(second));
  launch->setAttr(exec::kPartsAttr, builder.getArrayAttr(parts));
  SmallVector<Value> made(first.getOutputs());
  first.erase();
  second.erase();
  for (Value buffer : made)
    eraseUnused(buffer);
  return launch;
}
