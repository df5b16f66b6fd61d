//===- Evaluator.h - the reference evaluator --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle of all tests: every op of the graph dialect, executed one after
// the other on host tensors. Floats compute and accumulate in double (f64
// contractions and reductions in long double) and round once per op; integers
// are exact and wrap in their width.
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_EVAL_EVALUATOR_H
#define HGC_GRAPH_EVAL_EVALUATOR_H

#include "dialects/Graph/Eval/EvalContext.h"

#include "mlir/IR/DialectRegistry.h"

namespace hgc::graph {

/// Attaches EvalOp to every op of the graph dialect when it is loaded.
void registerEvalModels(mlir::DialectRegistry &registry);

/// What a call of an entry gives.
struct EvalResult {
  llvm::SmallVector<HostTensor> outputs;
  /// New values of the parameters the entry assigned.
  AssignedValues state;
};

/// Calls `entry` with one tensor per argument. Checks the inputs against the
/// argument types and takes named dims from their `hgc.shape`.
llvm::FailureOr<EvalResult> evaluateEntry(mlir::func::FuncOp entry, llvm::ArrayRef<HostTensor> inputs,
                                          const ParameterValues &parameters, EvalOptions options = {});

/// Evaluates one op on constant operands, without diagnostics. Fails for ops
/// that depend on more (parameters, unbound dims, values of enclosing regions).
llvm::FailureOr<llvm::SmallVector<HostTensor>> evaluateConstantOp(mlir::Operation *op,
                                                                  llvm::ArrayRef<HostTensor> operands);

} // namespace hgc::graph

#endif // HGC_GRAPH_EVAL_EVALUATOR_H
