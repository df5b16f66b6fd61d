//===- ProblemBuilder.cpp - placement of a plan as numbers ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What computes and control flow are nodes; so is the home of each parameter
// that some entry assigns, shared by all entries, and the caller where it has
// arguments or wants results on a GPU. Views cost nothing and may be on both
// sides. Constants, immutable parameters and what is folded into such
// are on every device from the start and are no part of the problem.
//===----------------------------------------------------------------------===//

#include "ProblemBuilder.h"

#include "hgc/Autodiff/Training/Trained.h"
#include "hgc/Placement/Devices.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

/// Picoseconds that no plan is worth.
static constexpr int64_t kNever = int64_t(1) << 44;

static int64_t getBytes(Value value) { return getTensorBytes(cast<ShapedType>(value.getType())); }

ProblemBuilder::ProblemBuilder(ModuleOp module, const Pricing &pricing, const ProblemOptions &options)
    : module(module), pricing(pricing), options(options), invariance(module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (isInGpuPlan(function) && !function->hasAttr(kLoadAttr))
      entries.push_back(function);
  problem.numGpus = options.numGpus;
  auto use = [&](DeviceAttr device) {
    if (isGpu(device))
      problem.numGpus = std::max(problem.numGpus, device.getIndex() + 1);
  };
  for (func::FuncOp entry : entries) {
    entry.walk([&](Operation *op) { use(op->getAttrOfType<DeviceAttr>(kPinAttr)); });
    for (unsigned i = 0; i < entry.getNumArguments(); ++i)
      use(getArgumentDevice(entry, i));
    for (unsigned i = 0; i < entry.getNumResults(); ++i)
      use(getResultDevice(entry, i));
  }
}

LogicalResult ProblemBuilder::build() {
  for (func::FuncOp entry : entries)
    if (failed(addEntry(entry)))
      return failure();
  if (options.memoryPrice > 0)
    addMemory();
  return success();
}

std::optional<NodeId> ProblemBuilder::getNode(Operation *op) const {
  StringAttr parameter;
  if (auto read = dyn_cast<ReadOp>(op))
    parameter = read.getParameterAttr().getAttr();
  else if (auto assign = dyn_cast<AssignOp>(op))
    parameter = assign.getParameterAttr().getAttr();
  if (parameter) {
    auto home = homeOf.find(parameter);
    return home == homeOf.end() ? std::nullopt : std::optional(home->second);
  }
  auto node = nodeOf.find(op);
  return node == nodeOf.end() ? std::nullopt : std::optional(node->second);
}

bool ProblemBuilder::isFree(Operation *op) const { return op && freeOps.contains(op); }

LogicalResult ProblemBuilder::addEntry(func::FuncOp entry) {
  FoldedOps folded(entry, invariance);
  entry.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto read = dyn_cast<ReadOp>(op);
    auto view = dyn_cast<ReshapeOp>(op);
    if (isa<ConstantOp>(op) || folded.contains(op) || (view && isFree(view.getInput().getDefiningOp())) ||
        (read && !invariance.isMutable(read.getParameterAttr().getAttr())))
      freeOps.insert(op);
  });
  fusedConsumers.clear();
  size_t firstEdge = edges.size();
  FusionForest forest(entry);
  if (options.fuses)
    for (const FusionEdge &edge : forest.getEdges())
      if (!isFree(edge.producer) && !isFree(edge.consumer)) {
        edges.push_back(edge);
        fusedConsumers.insert(edge.consumer);
      }

  addCallers(entry, /*isEnd=*/false);
  WalkResult walk = entry.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult { return addNode(op); });
  if (walk.wasInterrupted())
    return failure();
  addCallers(entry, /*isEnd=*/true);
  llvm::for_each(entry.getArguments(), [&](Value argument) { addValue(argument); });
  entry.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == entry)
      return;
    for (Value result : op->getResults())
      addValue(result);
    for (Region &region : op->getRegions())
      llvm::for_each(region.getArguments(), [&](Value argument) { addValue(argument); });
  });
  for (const FusionEdge &edge : llvm::ArrayRef(edges).drop_front(firstEdge))
    problem.fusions.push_back({*getNode(edge.producer), *getNode(edge.consumer),
                               multiplyByTrips(edge.cpuSavingPs, edge.producer),
                               multiplyByTrips(edge.gpuSavingPs, edge.producer)});
  problem.entries.push_back({static_cast<uint32_t>(problem.nodes.size()), static_cast<uint32_t>(problem.values.size()),
                             static_cast<uint32_t>(problem.fusions.size())});
  return success();
}

/// Leaves the devices that have code for the op, and of those the pin.
LogicalResult ProblemBuilder::restrict(Operation *op, PlacementProblem::Node &node) {
  DeviceAttr host = getHost(op->getContext()), gpu = DeviceAttr::get(op->getContext(), DeviceKind::GPU, 0);
  node.allowed = (options.decomposes ? pricing.canRun(op, host) : pricing.hasKernel(op, host)) ? kOnCpu : 0;
  if (pricing.canRun(op, gpu))
    for (unsigned i = 0; i < problem.numGpus; ++i)
      node.allowed |= onGpu(i);
  auto pin = op->getAttrOfType<DeviceAttr>(kPinAttr);
  if (!pin)
    return success();
  DeviceMask wanted = isGpu(pin) ? onGpu(pin.getIndex()) : kOnCpu;
  if (node.allowed & wanted) {
    node.allowed = wanted;
    return success();
  }
  InFlightDiagnostic diag = op->emitError() << "the pin to '" << describe(pin) << "' cannot be honoured: '"
                                            << op->getName() << "' has no kernel there";
  diag.attachNote() << "hint: drop the pin, or pin the op to another device";
  return diag;
}

void ProblemBuilder::addHome(Operation *op, StringAttr parameter) {
  if (isFree(op) || homeOf.contains(parameter))
    return;
  PlacementProblem::Node node;
  for (unsigned i = 0; i < problem.numGpus; ++i)
    node.allowed |= onGpu(i);
  auto symbol = module.lookupSymbol<ParameterOp>(parameter);
  if (auto pin = symbol ? symbol->getAttrOfType<DeviceAttr>(kPinAttr) : DeviceAttr())
    node.allowed = isGpu(pin) ? onGpu(pin.getIndex()) : kOnCpu;
  homeOf[parameter] = problem.addNode(node);
  opOf.push_back(nullptr);
}

NodeId &ProblemBuilder::getCaller(Operation *entry, DeviceAttr device, bool isEnd) {
  return callers.try_emplace({entry, 2 * device.getIndex() + isEnd}, PlacementProblem::kHost).first->second;
}

/// One node per GPU, which is pinned and costs nothing: what the caller has there
/// is copied, or not, like what an op there has made.
void ProblemBuilder::addCallers(func::FuncOp entry, bool isEnd) {
  for (unsigned i = 0, count = isEnd ? entry.getNumResults() : entry.getNumArguments(); i < count; ++i) {
    DeviceAttr device = isEnd ? getResultDevice(entry, i) : getArgumentDevice(entry, i);
    if (!isGpu(device) || getCaller(entry, device, isEnd) != PlacementProblem::kHost)
      continue;
    PlacementProblem::Node node;
    node.allowed = onGpu(device.getIndex());
    getCaller(entry, device, isEnd) = problem.addNode(node);
    opOf.push_back(nullptr);
  }
}

LogicalResult ProblemBuilder::addNode(Operation *op) {
  if (!isPlaced(op) || isFree(op))
    return success();
  if (auto read = dyn_cast<ReadOp>(op))
    return addHome(op, read.getParameterAttr().getAttr()), success();
  if (auto assign = dyn_cast<AssignOp>(op))
    return addHome(op, assign.getParameterAttr().getAttr()), success();
  PlacementProblem::Node node;
  if (failed(restrict(op, node)))
    return failure();
  node.cpuCost = multiplyByTrips(pricing.priceOp(op, getHost(op->getContext())), op);
  node.gpuCost = multiplyByTrips(pricing.priceOp(op, DeviceAttr::get(op->getContext(), DeviceKind::GPU, 0)), op);
  bool isCheap = isa<ReshapeOp>(op) || (options.repeats && isComputing(op) && !fusedConsumers.contains(op) &&
                                        cast<FusibleOp>(op).getFusionKind() != FusionKind::Root);
  node.mayRepeat = isCheap && !op->hasAttr(kPinAttr);
  nodeOf[op] = problem.addNode(node);
  opOf.push_back(op);
  return success();
}

void ProblemBuilder::collectReaders(Value value, std::vector<NodeId> &readers, bool &hostReads) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<func::ReturnOp>(user) || isPredicate(use)) {
      DeviceAttr device = getRequiredDevice(use);
      if (isGpu(device))
        readers.push_back(getCaller(user->getParentOp(), device, /*isEnd=*/true));
      else
        hostReads = true;
      continue;
    }
    // What is folded reads nothing at run time.
    if (std::optional<NodeId> node = getNode(isa<YieldOp>(user) ? user->getParentOp() : user))
      readers.push_back(*node);
  }
}

void ProblemBuilder::addValue(Value value) {
  Operation *op = value.getDefiningOp();
  Operation *holder = op ? op : value.getParentBlock()->getParentOp();
  if (isFree(op))
    return;
  PlacementProblem::Value entry;
  if (isa<func::FuncOp>(holder)) {
    if (DeviceAttr device = getDevice(value); isGpu(device))
      entry.producer = getCaller(holder, device, /*isEnd=*/false);
  } else {
    std::optional<NodeId> node = getNode(holder);
    if (!node)
      return;
    entry.producer = *node;
  }
  std::vector<NodeId> readers;
  collectReaders(value, readers, entry.hostReads);
  DeviceAttr host = getHost(value.getContext());
  auto getGpu = [&](unsigned index) { return DeviceAttr::get(value.getContext(), DeviceKind::GPU, index); };
  // A copy stands where the value is made, so it runs as often.
  Operation *place = op ? op : &value.getParentBlock()->front();
  auto price = [&](DeviceAttr from, DeviceAttr to) {
    return multiplyByTrips(pricing.priceTransfer(getBytes(value), from, to), place);
  };
  entry.uploadCost = price(host, getGpu(0));
  entry.downloadCost = price(getGpu(0), host);
  entry.peerCost = price(getGpu(0), getGpu(1));
  // What is trained is read at its home: a copy in each step would grow with the model.
  auto read = dyn_cast_if_present<ReadOp>(op);
  if (auto parameter = read ? module.lookupSymbol<ParameterOp>(read.getParameter()) : ParameterOp();
      parameter && parameter->hasAttr(kTrainedAttr))
    entry.uploadCost = entry.downloadCost = entry.peerCost = kNever;
  problem.addValue(entry, readers);
}

/// Whether `value` is computed in memory that the caller has on a GPU.
static bool isCallers(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    return isa<func::ReturnOp>(use.getOwner()) && isGpu(getRequiredDevice(use));
  });
}

/// Bytes on a GPU as values that cost their price when a node there has them.
/// They belong to no entry: they are no time.
void ProblemBuilder::addMemory() {
  auto priceOf = [&](int64_t bytes) {
    return bytes / 1024 * options.memoryPrice + bytes % 1024 * options.memoryPrice / 1024;
  };
  auto add = [&](int64_t bytes, const std::vector<NodeId> &readers) {
    PlacementProblem::Value value;
    value.uploadCost = value.peerCost = priceOf(bytes);
    problem.addValue(value, readers);
  };
  llvm::MapVector<Attribute, std::pair<int64_t, std::vector<NodeId>>> parameters;
  for (func::FuncOp entry : entries)
    entry.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (std::optional<NodeId> node = getNode(op); node && isComputing(op)) {
        for (Value result : op->getResults())
          if (!options.weightsOnly && !isCallers(result))
            add(getBytes(result), {*node});
        return;
      }
      if (!isFree(op))
        return;
      bool hostReads = false;
      std::vector<NodeId> readers;
      collectReaders(op->getResult(0), readers, hostReads);
      if (readers.empty())
        return;
      llvm::SetVector<Operation *> leaves;
      FoldedOps::collectSources(op, leaves);
      // What is made from several, or is smaller, may be all that is kept.
      bool isKept = leaves.size() == 1 && getBytes(op->getResult(0)) >= getBytes(leaves[0]->getResult(0));
      if (options.weightsOnly && !isKept)
        return;
      for (Operation *leaf : leaves) {
        auto read = dyn_cast<ReadOp>(leaf);
        if (!read)
          continue;
        auto &[bytes, all] = parameters[read.getParameterAttr().getAttr()];
        bytes = getBytes(leaf->getResult(0));
        llvm::append_range(all, readers);
      }
    });
  for (auto &[parameter, use] : parameters)
    add(use.first, use.second);
}
