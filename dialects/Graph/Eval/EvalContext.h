//===- EvalContext.h - state of one evaluation ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_EVAL_EVALCONTEXT_H
#define HGC_GRAPH_EVAL_EVALCONTEXT_H

#include "dialects/Graph/Eval/HostTensor.h"
#include "dialects/Graph/GraphOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <string>

namespace hgc::graph {

/// Limits and habits of an evaluation.
struct EvalOptions {
  /// Iterations after which one `hgc.while` is taken for endless.
  int64_t maxIterations = 10000000;
  /// Fail without diagnostics, for folding: what cannot be evaluated stays.
  bool quiet = false;
};

/// Values of parameters by name.
using ParameterValues = llvm::StringMap<HostTensor>;
/// New values of assigned parameters by name.
using AssignedValues = std::map<std::string, HostTensor>;

/// What ops see while they are evaluated: parameters, dims and SSA values.
/// Shapes come from the operands' values, never from the types, so that
/// functions with named dims can be evaluated before these are bound.
class EvalContext {
public:
  explicit EvalContext(const ParameterValues *parameters = nullptr, EvalOptions options = {})
      : parameters(parameters), options(options) {}

  const EvalOptions &getOptions() const { return options; }
  /// Where an inference helper may report: nowhere when quiet.
  std::optional<mlir::Location> getReportLoc(mlir::Operation *op) const;
  /// Reports `message` at `op` with a hint, unless quiet. Returns failure.
  llvm::LogicalResult error(mlir::Operation *op, const llvm::Twine &message, const llvm::Twine &hint) const;

  /// The value of parameter `name` at entry of the call.
  llvm::FailureOr<HostTensor> readParameter(mlir::Operation *op, llvm::StringRef name) const;
  void assign(llvm::StringRef name, HostTensor value) { assigned[name.str()] = std::move(value); }
  AssignedValues &getAssigned() { return assigned; }

  /// Gives dim `name` an extent; fails if it already has another one.
  llvm::LogicalResult bindDim(mlir::Operation *op, llvm::StringRef name, int64_t extent);
  /// Extents a `shape` attribute stands for; -1 follows from `elements`.
  llvm::FailureOr<llvm::SmallVector<int64_t>> resolveShape(mlir::Operation *op, mlir::ArrayAttr shape,
                                                           std::optional<int64_t> elements) const;

  /// Runs a single-block region and gives its terminator's operands. Values of
  /// enclosing regions are visible.
  llvm::LogicalResult evaluateRegion(mlir::Region &region, llvm::ArrayRef<HostTensor> arguments,
                                     llvm::SmallVectorImpl<HostTensor> &yielded);
  /// Runs one op on given operand values and checks what it yields.
  llvm::LogicalResult evaluateOp(mlir::Operation *op, llvm::ArrayRef<HostTensor> operands,
                                 llvm::SmallVectorImpl<HostTensor> &results);

private:
  llvm::LogicalResult evaluateCall(mlir::func::CallOp call, llvm::ArrayRef<HostTensor> operands,
                                   llvm::SmallVectorImpl<HostTensor> &results);

  const ParameterValues *parameters;
  EvalOptions options;
  AssignedValues assigned;
  llvm::StringMap<int64_t> dims;
  llvm::DenseMap<mlir::Value, HostTensor> values;
  int callDepth = 0;
};

} // namespace hgc::graph

#endif // HGC_GRAPH_EVAL_EVALCONTEXT_H
