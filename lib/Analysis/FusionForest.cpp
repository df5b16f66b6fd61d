//===- FusionForest.cpp - which ops may become one kernel -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Consumers are visited in program order, so the cluster behind an operand is
// complete when it is judged. A cluster without a root is an expression that is
// evaluated where it is read; a cluster with one is a loop nest that may only be
// continued element by element.
//===----------------------------------------------------------------------===//

#include "hgc/Analysis/FusionForest.h"

#include "dialects/Graph/GraphOps.h"
#include "hgc/Analysis/KernelModel.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

namespace {

FusionKind getKind(Operation *op) {
  auto fusible = dyn_cast<FusibleOp>(op);
  return fusible ? fusible.getFusionKind() : FusionKind::Opaque;
}

RankedTensorType getType(Operation *op) { return cast<RankedTensorType>(op->getResult(0).getType()); }

/// Ops that would become one kernel if all edges so far were contracted.
struct Cluster {
  llvm::SetVector<Value> inputs;
  size_t ops = 1;
  bool hasRoot = false;
  /// Holds a permutation that moves the innermost dim: reads are strided.
  bool strided = false;
  OpCost cost;
  /// Of the cluster's last op.
  KernelWork work;
};

/// An edge, and what the CPU gains from it if the consumer's other operands are
/// left aside: that ranks roots, of which a kernel has one.
struct RankedEdge {
  FusionEdge edge;
  int64_t rank = 0;
};

class ForestBuilder {
public:
  ForestBuilder(const DeviceTable &cpu, const GpuTable *gpu, llvm::function_ref<bool(Operation *)> mayFuse)
      : cpu(cpu), gpu(gpu), mayFuse(mayFuse) {}

  void visit(Operation *consumer, std::vector<FusionEdge> &edges) {
    Cluster cluster = makeCluster(consumer);
    std::optional<RankedEdge> bestRoot;
    for (Operation *producer : getCandidates(consumer)) {
      std::optional<RankedEdge> ranked = judge(producer, consumer, cluster.work);
      if (!ranked)
        continue;
      // At most one root a kernel: the operand that saves most brings it.
      if (clusters.find(producer)->second.hasRoot) {
        if (!cluster.hasRoot && (!bestRoot || ranked->rank > bestRoot->rank))
          bestRoot = ranked;
        continue;
      }
      if (join(cluster, producer))
        edges.push_back(ranked->edge);
    }
    if (bestRoot && join(cluster, bestRoot->edge.producer))
      edges.push_back(bestRoot->edge);
    clusters.try_emplace(consumer, std::move(cluster));
  }

private:
  Cluster makeCluster(Operation *op) {
    Cluster cluster;
    for (OpOperand &use : op->getOpOperands())
      if (!isCopiedIntoKernel(use))
        cluster.inputs.insert(use.get());
    cluster.hasRoot = getKind(op) == FusionKind::Root;
    if (auto transpose = dyn_cast<TransposeOp>(op)) {
      ArrayRef<int64_t> permutation = transpose.getPermutation();
      cluster.strided = !permutation.empty() && permutation.back() != static_cast<int64_t>(permutation.size()) - 1;
    }
    cluster.cost = computeCost(op);
    cluster.work = describeWork(op);
    return cluster;
  }

  /// Producers whose only consumer is `consumer`, in operand order.
  llvm::SetVector<Operation *> getCandidates(Operation *consumer) {
    llvm::SetVector<Operation *> candidates;
    for (Value operand : consumer->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && producer->getBlock() == consumer->getBlock() && clusters.contains(producer) &&
          mayFuse(producer) && llvm::all_of(operand.getUsers(), [&](Operation *user) { return user == consumer; }))
        candidates.insert(producer);
    }
    return candidates;
  }

  /// Takes the producer's cluster into `cluster` unless that exceeds a limit.
  bool join(Cluster &cluster, Operation *producer) {
    const Cluster &other = clusters.find(producer)->second;
    llvm::SetVector<Value> inputs = cluster.inputs;
    inputs.remove(producer->getResult(0));
    inputs.insert(other.inputs.begin(), other.inputs.end());
    if (cluster.ops + other.ops > FusionForest::kMaxOps || inputs.size() > FusionForest::kMaxInputs)
      return false;
    cluster.inputs = std::move(inputs);
    cluster.ops += other.ops;
    cluster.hasRoot |= other.hasRoot;
    cluster.strided |= other.strided;
    cluster.cost += other.cost;
    return true;
  }

  /// The edge, or none if there must not be one.
  std::optional<RankedEdge> judge(Operation *producer, Operation *consumer, const KernelWork &reader) {
    const Cluster &cluster = clusters.find(producer)->second;
    bool allowed = cluster.hasRoot ? continuesRoot(producer, consumer) : readsExpression(producer, consumer);
    if (!allowed)
      return std::nullopt;
    double repeats = cluster.hasRoot ? 1.0 : getRepeats(producer, consumer);
    if (repeats > 1.0 && cluster.cost[FlopClass::Transcendental] > 0)
      return std::nullopt;
    if (repeats > 1.0 && cluster.strided && getKind(consumer) == FusionKind::Root)
      return std::nullopt;

    int64_t bytes = getTensorBytes(getType(producer));
    int64_t read = 0;
    for (OpOperand &use : consumer->getOpOperands())
      if (use.get().getDefiningOp() == producer)
        read = getBytesRead(use);
    KernelWork joined = joinWork(cluster.work, reader, bytes, read, repeats);
    auto getSaving = [&](const auto &table) {
      KernelTime first = estimateKernel(table, cluster.work), second = estimateKernel(table, reader);
      int64_t saving = first.totalPs + second.totalPs - estimateKernel(table, joined).totalPs;
      // Not more than the launch and the value's way: then no sum of savings
      // exceeds the prices it is taken from.
      int64_t most = getFixedPs(table, 2) + getShare(first, 0, bytes, cluster.work) + getShare(second, read, 0, reader);
      return std::clamp<int64_t>(saving, 1, std::max<int64_t>(most, 1));
    };
    RankedEdge ranked{{producer, consumer}, 0};
    if (double gain = computeGain(cpu, bytes, cluster.cost, repeats); gain > 0) {
      ranked.rank = static_cast<int64_t>(gain);
      ranked.edge.cpuSavingPs = getSaving(cpu);
    }
    if (gpu && computeGain(*gpu, bytes, cluster.cost, repeats) > 0)
      ranked.edge.gpuSavingPs = getSaving(*gpu);
    if (!ranked.edge.cpuSavingPs && !ranked.edge.gpuSavingPs)
      return std::nullopt;
    return ranked;
  }

  /// The part of a kernel's memory time that reading and writing some bytes takes.
  static int64_t getShare(const KernelTime &time, int64_t read, int64_t written, const KernelWork &work) {
    auto weigh = [&](int64_t read, int64_t written) {
      return static_cast<double>(read) + time.writeWeight * static_cast<double>(written);
    };
    double total = weigh(work.cost.bytesRead, work.cost.bytesWritten);
    return total > 0 ? static_cast<int64_t>(static_cast<double>(time.memoryPs) * weigh(read, written) / total) : 0;
  }

  /// Whether the whole cluster behind an edge is worth evaluating in place: the
  /// launch and the value's way against arithmetic that is repeated. A smaller
  /// cluster never gains less.
  template <typename Table>
  static double computeGain(const Table &table, int64_t bytes, OpCost arithmetic, double repeats) {
    arithmetic.bytesRead = arithmetic.bytesWritten = 0;
    OpCost traffic;
    traffic.bytesRead = traffic.bytesWritten = bytes;
    return static_cast<double>(getFixedPs(table, 2)) + static_cast<double>(estimatePs(table, traffic)) -
           (repeats - 1.0) * static_cast<double>(estimatePs(table, arithmetic));
  }

  /// A root's result goes on element by element, in the same iteration space.
  bool continuesRoot(Operation *producer, Operation *consumer) {
    if (getKind(consumer) != FusionKind::Pointwise || getType(consumer).getShape() != getType(producer).getShape())
      return false;
    return llvm::all_of(consumer->getOpOperands(), [&](OpOperand &use) {
      return use.get().getDefiningOp() != producer ||
             cast<FusibleOp>(consumer).getIndexingMap(use.getOperandNumber()).isIdentity();
    });
  }

  /// Operands that a consumer reads element by element at computed indices.
  bool readsExpression(Operation *producer, Operation *consumer) {
    SmallVector<unsigned> uses;
    for (OpOperand &use : consumer->getOpOperands())
      if (use.get().getDefiningOp() == producer)
        uses.push_back(use.getOperandNumber());
    switch (getKind(consumer)) {
    case FusionKind::Pointwise:
      // Two different maps would evaluate the expression twice.
      return llvm::all_of(uses, [&](unsigned number) {
        auto fusible = cast<FusibleOp>(consumer);
        return fusible.getIndexingMap(number) == fusible.getIndexingMap(uses.front());
      });
    case FusionKind::IndexMap:
      return uses.size() == 1 && uses.front() == 0;
    case FusionKind::Root:
      if (isa<ConcatOp>(consumer))
        return uses.size() == 1;
      if (isa<ScatterOp>(consumer))
        return uses.size() == 1 && uses.front() != 1;
      return isa<ArgReduceOp, ArgSortOp, ReduceOp, SoftmaxOp, LogSoftmaxOp, LayerNormOp, PoolOp, PadOp>(consumer) &&
             uses.size() == 1 && uses.front() == 0;
    default:
      return false;
    }
  }

  /// How often each element of the producer is evaluated inside the consumer.
  double getRepeats(Operation *producer, Operation *consumer) {
    // Maximum or mean, deviation, result: softmax and layer_norm pass thrice.
    if (isa<SoftmaxOp, LogSoftmaxOp, LayerNormOp>(consumer))
      return 3.0;
    // The extreme first, then where it is.
    if (isa<ArgReduceOp>(consumer))
      return 2.0;
    if (isa<ReduceOp, ConcatOp, ArgSortOp, ScatterOp>(consumer))
      return 1.0;
    if (auto pool = dyn_cast<PoolOp>(consumer)) {
      double repeats = 1.0;
      for (const WindowDim &dim : pool.getShape().spatial)
        repeats *= std::max(1.0, static_cast<double>(dim.window) / static_cast<double>(dim.stride));
      return repeats;
    }
    double elements = static_cast<double>(std::max<int64_t>(1, getType(producer).getNumElements()));
    return std::max(1.0, static_cast<double>(getType(consumer).getNumElements()) / elements);
  }

  const DeviceTable &cpu;
  const GpuTable *gpu;
  llvm::function_ref<bool(Operation *)> mayFuse;
  llvm::DenseMap<Operation *, Cluster> clusters;
};

} // namespace

bool hgc::isComputing(Operation *op) {
  switch (getKind(op)) {
  case FusionKind::Pointwise:
  case FusionKind::IndexMap:
  case FusionKind::Root:
    return true;
  default:
    return false;
  }
}

bool hgc::isSplatConstant(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  return dense && dense.isSplat();
}

bool hgc::isCopiedIntoKernel(OpOperand &use) {
  if (!isSplatConstant(use.get()))
    return false;
  Operation *user = use.getOwner();
  switch (getKind(user)) {
  case FusionKind::Pointwise:
    return true;
  case FusionKind::IndexMap:
    return use.getOperandNumber() == 0;
  default:
    return (isa<PadOp>(user) && use.getOperandNumber() == 1) || (isa<ScatterOp>(user) && use.getOperandNumber() != 1);
  }
}

/// Whether some op may be, or is, on a GPU.
static bool mayUseGpu(ModuleOp module, Operation *scope) {
  auto isOnGpu = [](Operation *op) {
    auto device = op->getAttrOfType<DeviceAttr>(HGCDialect::kDevice);
    return device && device.getKind() == DeviceKind::GPU ? WalkResult::interrupt() : WalkResult::advance();
  };
  return module->hasAttr(kTargetGpuAttr) || scope->walk(isOnGpu).wasInterrupted();
}

static bool fuseAll(Operation *) { return true; }

FusionForest::FusionForest(Operation *scope) { build(scope, fuseAll); }

FusionForest::FusionForest(Operation *scope, Filter mayFuse) { build(scope, mayFuse); }

FusionForest::FusionForest(Operation *scope, const DeviceTable &cpu, const GpuTable *gpu) {
  build(scope, cpu, gpu, fuseAll);
}

void FusionForest::build(Operation *scope, Filter mayFuse) {
  auto module = isa<ModuleOp>(scope) ? cast<ModuleOp>(scope) : scope->getParentOfType<ModuleOp>();
  GpuTable gpu = getGpuTable(module);
  build(scope, getCpuTable(module), mayUseGpu(module, scope) ? &gpu : nullptr, mayFuse);
}

void FusionForest::build(Operation *scope, const DeviceTable &cpu, const GpuTable *gpu, Filter mayFuse) {
  scope->walk([&](Block *block) {
    ForestBuilder builder(cpu, gpu, mayFuse);
    size_t first = edges.size();
    for (Operation &op : *block)
      if (isComputing(&op))
        builder.visit(&op, edges);
    // Visiting consumers leaves the producers out of order.
    std::sort(edges.begin() + first, edges.end(),
              [](const FusionEdge &a, const FusionEdge &b) { return a.producer->isBeforeInBlock(b.producer); });
  });
  for (auto [index, edge] : llvm::enumerate(edges))
    edgeOf[edge.producer] = index;
}

const FusionEdge *FusionForest::getEdge(Operation *op) const {
  auto found = edgeOf.find(op);
  return found == edgeOf.end() ? nullptr : &edges[found->second];
}
