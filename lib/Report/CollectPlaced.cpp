//===- CollectPlaced.cpp - ops, devices, decisions, transfers -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpFinder.h"

#include "hgc/Analysis/Invariance.h"
#include "hgc/Analysis/OpNames.h"
#include "hgc/Analysis/Pricing.h"
#include "hgc/Placement/Devices.h"
#include "hgc/Placement/Pins.h"
#include "hgc/Report/Collect.h"
#include "hgc/Support/Version.h"
#include "hgc/Target/ConvForm.h"

#include "mlir/IR/Remarks.h"
#include <set>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;
using namespace hgc::plans;

namespace {

/// Reads one function into its entry.
class FunctionReader {
public:
  FunctionReader(func::FuncOp function, const Pricing &pricing, const Invariance &invariance, EntryPlan &entry)
      : function(function), pricing(pricing), invariance(invariance), entry(entry) {}

  void run(bool readsOps, bool readsTransfers) {
    readCertificate();
    OpFinder finder(entry);
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isListed(op))
        names[op] = readsOps ? unique.get(op) : nameLater(op, finder);
    });
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (readsOps && isListed(op))
        entry.ops.push_back(readOp(op));
      else if (readsOps && isa<func::ReturnOp>(op))
        readOutputs(op);
      else if (auto transfer = dyn_cast<TransferOp>(op); transfer && readsTransfers)
        readTransfer(transfer);
      else if (auto read = dyn_cast<ReadOp>(op); read && readsTransfers)
        readLoad(read);
    });
  }

private:
  void readCertificate() {
    auto certificate = function->getAttrOfType<DictionaryAttr>(kCertificateAttr);
    if (!certificate)
      return;
    if (auto cost = certificate.getAs<IntegerAttr>("serial_ps"))
      entry.serialCostPs = cost.getInt();
    if (auto bound = certificate.getAs<IntegerAttr>("bound_ps"))
      entry.boundPs = bound.getInt();
    if (auto others = certificate.getAs<DictionaryAttr>("alternatives"))
      for (NamedAttribute other : others)
        if (auto cost = dyn_cast<IntegerAttr>(other.getValue()))
          entry.alternatives[other.getName().str()] = cost.getInt();
  }

  void readOutputs(Operation *op) {
    entry.outputs = nameAll(op->getOperands());
    entry.residents.clear();
    for (BlockArgument argument : function.getArguments())
      if (DeviceAttr device = getDevice(Value(argument)); isGpu(device)) {
        std::string value = nameOf(argument);
        entry.residents.push_back({value.substr(1), value, describe(device), /*isOutput=*/false});
      }
    for (OpOperand &use : op->getOpOperands()) {
      DeviceAttr device = getRequiredDevice(use);
      if (!isGpu(device))
        continue;
      auto name = function.getResultAttrOfType<StringAttr>(use.getOperandNumber(), HGCDialect::kName);
      entry.residents.push_back({name ? name.str() : "result" + std::to_string(use.getOperandNumber()),
                                 nameOf(use.get()), describe(device), /*isOutput=*/true});
    }
  }

  /// The plan's name of an op, or what it is called otherwise.
  static std::string nameLater(Operation *op, OpFinder &finder) {
    DeviceAttr device = getDevice(op);
    std::string name = finder.take(op, device ? describe(device) : "");
    return !name.empty() ? name : UniqueNames().get(op);
  }

  OpPlan readOp(Operation *op) {
    OpPlan result;
    result.name = names[op];
    result.op = op->getName().stripDialect().str();
    if (DeviceAttr device = getDevice(op))
      result.device = describe(device);
    if (auto conv = dyn_cast<ConvOp>(op); conv && !isGpu(getDevice(op)))
      result.form = stringify(getConvForm(conv)).str();
    if (auto pin = op->getAttrOfType<DeviceAttr>(kPinAttr))
      result.pin = describe(pin);
    if (auto other = op->getAttrOfType<DeviceAttr>(kAlsoOnAttr))
      result.alsoOn = describe(other);
    for (Value value : op->getResults())
      result.bytes += getTensorBytes(cast<ShapedType>(value.getType()));
    result.inputs = nameAll(op->getOperands());
    readDecision(op, result);
    return result;
  }

  /// Without a decision there was no choice; the host's price is known anyway.
  void readDecision(Operation *op, OpPlan &result) {
    if (auto decision = op->getAttrOfType<DictionaryAttr>(kDecisionAttr)) {
      for (auto [key, device] : {std::pair("cpu_ps", "cpu"), std::pair("gpu_ps", "gpu")})
        if (auto cost = decision.getAs<IntegerAttr>(key))
          result.costPs[device] = cost.getInt();
      if (auto price = decision.getAs<IntegerAttr>("switch_ps"))
        result.switchPricePs = price.getInt();
      if (auto reason = decision.getAs<StringAttr>("reason"))
        result.reason = reason.str();
      emitRemark(op, result);
      return;
    }
    DeviceAttr device = getDevice(op);
    if (int64_t cost = device ? pricing.priceOp(op, device) * getTripWeight(op) : 0)
      result.costPs[isGpu(device) ? "gpu" : "cpu"] = cost;
  }

  /// The decision where MLIR's own tools look for it.
  void emitRemark(Operation *op, const OpPlan &result) {
    auto options = remark::RemarkOpts::name("Placed").category("hgc-placement").function(function.getName());
    remark::passed(op->getLoc(), options)
        << remark::reason("'{0}' is on {1}: {2}", result.name, result.device, result.reason)
        << remark::metric("switch_ps", result.switchPricePs.value_or(0));
  }

  /// Each name once.
  std::vector<std::string> nameAll(ValueRange values) {
    std::vector<std::string> result;
    for (Value value : values)
      if (std::string name = nameOf(value); !name.empty() && !llvm::is_contained(result, name))
        result.push_back(std::move(name));
    return result;
  }

  /// What `value` is called: empty for a constant.
  std::string nameOf(Value value) {
    while (auto transfer = value.getDefiningOp<TransferOp>())
      value = transfer.getSource();
    Operation *op = value.getDefiningOp();
    if (auto read = dyn_cast_if_present<ReadOp>(op))
      return "@" + read.getParameter().str();
    if (op)
      return names.lookup(op);
    auto argument = cast<BlockArgument>(value);
    Operation *parent = argument.getOwner()->getParentOp();
    if (parent != function)
      return names.lookup(parent);
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), HGCDialect::kName);
    return "%" + (name ? name.str() : std::to_string(argument.getArgNumber()));
  }

  /// The value that is copied, whole or in pieces: of a slice what it is cut from.
  Value findSource(Value value) {
    while (true) {
      auto argument = dyn_cast<BlockArgument>(value);
      auto scan = argument ? dyn_cast<ScanOp>(argument.getOwner()->getParentOp()) : ScanOp();
      if (scan && argument.getArgNumber() >= scan.getInits().size())
        value = scan->getOperand(argument.getArgNumber());
      else if (auto view = value.getDefiningOp<ReshapeOp>())
        value = view.getInput();
      else
        return value;
    }
  }

  void readTransfer(TransferOp op) {
    TransferPlan transfer;
    transfer.value = nameOf(findSource(op.getSource()));
    transfer.from = describe(op.getFrom());
    transfer.to = describe(op.getTo());
    transfer.bytes = getTensorBytes(cast<ShapedType>(op.getType()));
    transfer.times = getTripWeight(op);
    if (auto reason = op->getAttrOfType<StringAttr>("hgc.reason"))
      transfer.reason = reason.str();
    entry.transfers.push_back(std::move(transfer));
  }

  /// What never changes is copied when the model is loaded, once per GPU.
  void readLoad(ReadOp op) {
    DeviceAttr device = getDevice(op.getOperation());
    if (!isGpu(device) || invariance.isMutable(op.getParameterAttr().getAttr()) ||
        !loads.insert({op.getParameter().str(), describe(device)}).second)
      return;
    TransferPlan transfer;
    transfer.value = "@" + op.getParameter().str();
    transfer.from = "cpu";
    transfer.to = describe(device);
    transfer.bytes = getTensorBytes(cast<ShapedType>(op.getType()));
    transfer.isAtLoad = true;
    transfer.reason = "the parameter never changes";
    entry.transfers.push_back(std::move(transfer));
  }

  func::FuncOp function;
  const Pricing &pricing;
  const Invariance &invariance;
  EntryPlan &entry;
  UniqueNames unique;
  llvm::DenseMap<Operation *, std::string> names;
  std::set<std::pair<std::string, std::string>> loads;
};

} // namespace

std::string UniqueNames::get(Operation *op) {
  std::string name = getOpName(op).str();
  if (name.empty())
    name = op->getName().stripDialect().str();
  unsigned number = ++counts[name];
  return number == 1 ? name : name + "#" + std::to_string(number);
}

bool hgc::plans::isListed(Operation *op) {
  return isPlaced(op) && !isa<ReadOp, ConstantOp, TransferOp>(op) && !op->getParentOfType<KernelOp>();
}

EntryKey hgc::plans::getEntryKey(func::FuncOp function) {
  EntryKey key;
  Attribute of = function->getAttr(HGCDialect::kVariantOf);
  if (auto name = dyn_cast_if_present<StringAttr>(of))
    key.entry = name.str();
  else if (auto symbol = dyn_cast_if_present<FlatSymbolRefAttr>(of))
    key.entry = symbol.getValue().str();
  else
    key.entry = function.getName().str();
  if (auto dims = function->getAttrOfType<DictionaryAttr>(HGCDialect::kVariantDims))
    for (NamedAttribute dim : dims)
      if (auto extent = dyn_cast<IntegerAttr>(dim.getValue()))
        key.dims[dim.getName().str()] = extent.getInt();
  key.plan = isInGpuPlan(function) ? "gpu" : "cpu";
  return key;
}

void PlanCollector::visitTarget(ModuleOp module) {
  plan.hgcVersion = HGC_VERSION_STRING;
  if (auto hash = module->getAttrOfType<StringAttr>(kModelHashAttr))
    plan.modelHash = hash.str();
  if (auto cpu = module->getAttrOfType<StringAttr>(kTargetCpuAttr))
    plan.cpu = cpu.str();
  plan.gpus.clear();
  if (auto gpus = module->getAttrOfType<StringAttr>(kTargetGpuAttr))
    for (StringRef name : llvm::split(gpus.getValue(), ","))
      plan.gpus.push_back(name.trim().str());
  plan.tableHash = computeTableHash(module);
}

void PlanCollector::visitFunctions(ModuleOp module, bool readsOps, bool readsTransfers) {
  Pricing pricing(module);
  Invariance invariance(module);
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(HGCDialect::kEntry) && !function->hasAttr(kLoadAttr))
      FunctionReader(function, pricing, invariance, getEntry(getEntryKey(function))).run(readsOps, readsTransfers);
}

void PlanCollector::visitDecisions(ModuleOp module) {
  plan = Plan();
  visitTarget(module);
  visitFunctions(module, /*readsOps=*/true, /*readsTransfers=*/false);
  hasDecisions = true;
}

void PlanCollector::visitPlaced(ModuleOp module) {
  if (!hasDecisions)
    visitDecisions(module);
  visitFunctions(module, /*readsOps=*/false, /*readsTransfers=*/true);
  hasDecisions = false;
}

DevicePlan &PlanCollector::getPlan(const EntryKey &key) {
  auto sameDims = [&](const VariantPlan &variant) { return variant.dims == key.dims; };
  auto variant = llvm::find_if(plan.variants, sameDims);
  if (variant == plan.variants.end())
    variant = plan.variants.insert(variant, {key.dims, {}});
  auto found = llvm::find_if(variant->plans, [&](const DevicePlan &plan) { return plan.name == key.plan; });
  if (found == variant->plans.end())
    found = variant->plans.insert(found, {key.plan, {}, {}});
  return *found;
}

EntryPlan &PlanCollector::getEntry(const EntryKey &key) {
  std::vector<EntryPlan> &entries = getPlan(key).entries;
  auto found = llvm::find_if(entries, [&](const EntryPlan &entry) { return entry.name == key.entry; });
  if (found == entries.end()) {
    found = entries.insert(found, EntryPlan());
    found->name = key.entry;
  }
  return *found;
}
