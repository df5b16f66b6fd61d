//===- KernelTable.cpp - outline kernels, share equal ones ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network repeats its layers. Kernels that differ only in their place are
// compiled once: that keeps libraries small and compile times flat.
//===----------------------------------------------------------------------===//

#include "ModuleTables.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace hgc;

namespace {

/// Ops of a name that are spelled out; the rest is counted.
constexpr size_t kSpelledOps = 6;

/// The name hgc-name-ops gave an op; empty if it has none.
StringRef findName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName();
  if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location part : fused.getLocations())
      if (StringRef name = findName(part); !name.empty())
        return name;
  }
  return {};
}

/// Mnemonics of the computing ops, in order.
SmallVector<StringRef> getMnemonics(graph::KernelOp kernel) {
  SmallVector<StringRef> mnemonics;
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (!isa<graph::ConstantOp>(op))
      mnemonics.push_back(op.getName().stripDialect());
  return mnemonics;
}

/// `fc1.matmul_add_relu`: name of the root or last op, then what is computed.
std::string makeName(graph::KernelOp kernel, ArrayRef<StringRef> mnemonics) {
  Operation *root = kernel.getRoot();
  if (!root)
    root = kernel.getYielded().getDefiningOp();
  StringRef owner = findName(root ? root->getLoc() : kernel.getLoc());
  if (owner.empty())
    owner = findName(kernel.getLoc());
  std::string name = owner.empty() ? "" : (owner + ".").str();
  name += mnemonics.empty() ? "copy" : llvm::join(mnemonics.take_front(kSpelledOps), "_");
  if (mnemonics.size() > kSpelledOps)
    name += "_and_" + std::to_string(mnemonics.size() - kSpelledOps) + "_more";
  // The name reaches object files and traces.
  for (char &c : name)
    if (!llvm::isAlnum(c) && c != '_' && c != '.')
      c = '_';
  return name;
}

size_t hashKernel(graph::KernelOp source, ArrayRef<Type> types) {
  llvm::hash_code hash = llvm::hash_combine_range(types.begin(), types.end());
  for (Operation &op : source.getBody().front())
    hash = llvm::hash_combine(hash, op.getName());
  return hash;
}

} // namespace

exec::KernelOp KernelTable::get(graph::KernelOp source, ArrayRef<Type> types) {
  auto &bucket = buckets[hashKernel(source, types)];
  for (const Entry &entry : bucket) {
    graph::KernelOp other = entry.source;
    exec::KernelOp kernel = entry.kernel;
    if (llvm::equal(kernel.getBody().getArgumentTypes(), types) &&
        other->getAttr(graph::HGCDialect::kDevice) == source->getAttr(graph::HGCDialect::kDevice) &&
        OperationEquivalence::isRegionEquivalentTo(&other.getBody(), &source.getBody(),
                                                   OperationEquivalence::IgnoreLocations))
      return kernel;
  }
  bucket.push_back({source, outline(source, types)});
  return bucket.back().kernel;
}

exec::KernelOp KernelTable::outline(graph::KernelOp source, ArrayRef<Type> types) {
  SmallVector<StringRef> mnemonics = getMnemonics(source);
  auto device = source->getAttrOfType<graph::DeviceAttr>(graph::HGCDialect::kDevice);
  if (!device)
    device = graph::DeviceAttr::get(builder.getContext(), graph::DeviceKind::CPU, 0);
  int64_t price = pricing.priceKernel(source, device);
  auto kernel = exec::KernelOp::create(
      builder, source.getLoc(), names.makeUnique(makeName(source, mnemonics)), source.getInputs().size(),
      /*schedule=*/nullptr, /*units=*/nullptr, /*grain=*/nullptr, /*scratch_bytes=*/nullptr,
      source->getAttr(graph::HGCDialect::kDevice), builder.getStringAttr(llvm::join(mnemonics, ", ")),
      builder.getI64IntegerAttr(price));
  Block &body = source.getBody().front();
  Block &block = kernel.getBody().emplaceBlock();
  block.addArguments(types, SmallVector<Location>(types.size(), source.getLoc()));

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&block);
  IRMapping mapping;
  for (auto [argument, buffer] : llvm::zip(body.getArguments(), block.getArguments()))
    if (!argument.use_empty())
      mapping.map(argument, exec::LoadOp::create(builder, argument.getLoc(), argument.getType(), buffer));
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  exec::StoreOp::create(builder, source.getLoc(), mapping.lookup(source.getYielded()), block.getArguments().back());
  return kernel;
}
