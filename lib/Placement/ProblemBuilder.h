//===- ProblemBuilder.h - placement of a plan as numbers --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_PLACEMENT_PROBLEMBUILDER_H
#define HGC_LIB_PLACEMENT_PROBLEMBUILDER_H

#include "hgc/Analysis/FoldedOps.h"
#include "hgc/Analysis/FusionForest.h"
#include "hgc/Analysis/Pricing.h"
#include "hgc/Placement/PlacementProblem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace hgc {

/// What the problem is to hold beside times.
struct ProblemOptions {
  /// GPUs the plan may use without being told by pins.
  unsigned numGpus = 1;
  /// Picoseconds that a KiB on a GPU is worth.
  int64_t memoryPrice = 0;
  /// The price is for immutable parameters alone, and only for bytes that are
  /// surely kept on the GPU.
  bool weightsOnly = false;
  /// Whether hgc-fuse will contract edges.
  bool fuses = true;
  /// Whether cheap ops may be computed on both sides.
  bool repeats = true;
  /// Whether attention can still become other ops, as it does on the CPU.
  bool decomposes = true;
};

/// The problem of all entries of the GPU plan, and which op is which node.
class ProblemBuilder {
public:
  ProblemBuilder(mlir::ModuleOp module, const Pricing &pricing, const ProblemOptions &options);

  /// Fails, with an error, when a pin cannot be honoured.
  llvm::LogicalResult build();

  const PlacementProblem &getProblem() const { return problem; }
  llvm::ArrayRef<mlir::func::FuncOp> getEntries() const { return entries; }
  /// Edges of the forest that `problem.fusions` stand for, in the same order.
  llvm::ArrayRef<FusionEdge> getEdges() const { return edges; }

  /// The node that decides about `op`; none for what is free on every device.
  std::optional<NodeId> getNode(mlir::Operation *op) const;
  /// The op of a node; null for a parameter's home and the caller's side.
  mlir::Operation *getOp(NodeId node) const { return opOf[node]; }

private:
  llvm::LogicalResult addEntry(mlir::func::FuncOp entry);
  llvm::LogicalResult addNode(mlir::Operation *op);
  llvm::LogicalResult restrict(mlir::Operation *op, PlacementProblem::Node &node);
  void addHome(mlir::Operation *op, mlir::StringAttr parameter);
  void addCallers(mlir::func::FuncOp entry, bool isEnd);
  NodeId &getCaller(mlir::Operation *entry, graph::DeviceAttr device, bool isEnd);
  void addValue(mlir::Value value);
  void addFusions(mlir::func::FuncOp entry);
  void addMemory();
  bool isFree(mlir::Operation *op) const;
  void collectReaders(mlir::Value value, std::vector<NodeId> &readers, bool &hostReads);

  mlir::ModuleOp module;
  const Pricing &pricing;
  ProblemOptions options;
  Invariance invariance;
  PlacementProblem problem;
  std::vector<mlir::func::FuncOp> entries;
  std::vector<FusionEdge> edges;
  llvm::DenseMap<mlir::Operation *, NodeId> nodeOf;
  std::vector<mlir::Operation *> opOf;
  llvm::DenseMap<mlir::StringAttr, NodeId> homeOf;
  /// The caller of an entry on a GPU: at the start it has arguments there, at the
  /// end it reads results there.
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, NodeId> callers;
  /// Constants, immutable parameters and what is folded into such.
  llvm::DenseSet<mlir::Operation *> freeOps;
  /// Consumers of fusion edges of the entry at hand.
  llvm::DenseSet<mlir::Operation *> fusedConsumers;
};

} // namespace hgc

#endif // HGC_LIB_PLACEMENT_PROBLEMBUILDER_H
