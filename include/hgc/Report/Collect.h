//===- Collect.h - the plan that a module's IR expresses --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_REPORT_COLLECT_H
#define HGC_REPORT_COLLECT_H

#include "dialects/Exec/ExecOps.h"
#include "hgc/Report/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include <deque>
#include <tuple>

namespace hgc::plans {

/// Module attribute with the hash of the model as its author wrote it.
inline constexpr llvm::StringLiteral kModelHashAttr = "hgc.model_hash";

/// Hash of the graph: neither the file's name nor the values of large tensors nor
/// the extents of named dims count, so that a plan holds after training and a
/// missing variant is told from another model.
std::string computeModelHash(mlir::ModuleOp module);

/// Hash of the device tables that the module's target names.
std::string computeTableHash(mlir::ModuleOp module);

/// Where a function or program stands in a plan.
struct EntryKey {
  std::map<std::string, int64_t> dims;
  std::string plan, entry;

  bool operator<(const EntryKey &other) const {
    return std::tie(dims, plan, entry) < std::tie(other.dims, other.plan, other.entry);
  }
};
EntryKey getEntryKey(mlir::func::FuncOp function);
EntryKey getEntryKey(exec::ProgramOp program);

/// Names of a function's ops as plans have them: those of `hgc-name-ops`, the
/// second of the same name with `#2`, and so on.
class UniqueNames {
public:
  std::string get(mlir::Operation *op);

private:
  std::map<std::string, unsigned> counts;
};

/// Whether plans list `op`: it computes, moves or controls. Reads, constants and
/// transfers are what its inputs and the list of transfers show.
bool isListed(mlir::Operation *op);

/// Kernels of an entry by the place they come from, for launches to find: the
/// schedule may have another order.
using KernelQueue = std::map<const void *, std::deque<size_t>>;

/// Gathers a plan at four points of one compilation, in this order: ops, devices
/// and decisions once they are made, before copies and second computations are
/// added to them; transfers at the end of stage `placed`; which ops make a kernel
/// at `fused`; code, memory and time at `exec`. A compilation that starts later
/// has less to tell.
class PlanCollector {
public:
  void visitDecisions(mlir::ModuleOp module);
  void visitPlaced(mlir::ModuleOp module);
  void visitFused(mlir::ModuleOp module);
  void visitExec(mlir::ModuleOp module);

  Plan plan;

private:
  void visitTarget(mlir::ModuleOp module);
  void visitFunctions(mlir::ModuleOp module, bool readsOps, bool readsTransfers);
  DevicePlan &getPlan(const EntryKey &key);
  EntryPlan &getEntry(const EntryKey &key);
  void visitKernels(exec::ProgramOp program, mlir::SymbolTable &symbols);

  std::map<EntryKey, KernelQueue> kernels;
  /// visitDecisions was the last visit.
  bool hasDecisions = false;
};

} // namespace hgc::plans

#endif // HGC_REPORT_COLLECT_H
