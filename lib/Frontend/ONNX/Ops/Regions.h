//===- Regions.h - loops and branches built by import functions -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_ONNX_OPS_REGIONS_H
#define HGC_FRONTEND_ONNX_OPS_REGIONS_H

#include "lib/Frontend/ONNX/Node.h"

namespace hgc::onnx {

using Values = llvm::SmallVector<mlir::Value>;

/// Creates the body of a scan for the states and the slices of one step; gives
/// the next states, of the same types, then one slice of each stacked result.
using StepFn = llvm::function_ref<llvm::FailureOr<Values>(mlir::ValueRange states, mlir::ValueRange slices)>;

/// An `hgc.scan` over dim 0 of the sequences; gives the final states, then the
/// stacked results. Fails when the body does. Sequences that the body does not
/// read are left out.
llvm::FailureOr<Values> buildScan(Builder &b, llvm::ArrayRef<mlir::Value> inits, llvm::ArrayRef<mlir::Value> sequences,
                                  bool reverse, StepFn step);

/// Creates the ops of a branch and gives its results.
using BranchFn = llvm::function_ref<llvm::FailureOr<Values>()>;

/// An `hgc.if` whose branches give values of the same types; both branches are
/// created before the types are looked at by `finish`, if there is one, which
/// may add ops at the end of each branch and replace the values.
llvm::FailureOr<Values>
buildIf(Builder &b, mlir::Value condition, BranchFn thenBranch, BranchFn elseBranch,
        llvm::function_ref<llvm::LogicalResult(mlir::Block *, Values &, mlir::Block *, Values &)> finish = nullptr);

/// One number of a value with one element, as an i64 of rank 0.
mlir::Value toIndex(Builder &b, mlir::Value value);

/// The elements of dim `axis` in the opposite order.
mlir::Value flip(Builder &b, mlir::Value value, int64_t axis);

/// The value with dim `from` moved to position `to`.
mlir::Value moveDim(Builder &b, mlir::Value value, int64_t from, int64_t to);

/// A value that a body hands on where the type is known before: of a bounded one
/// the part that is expected, and `valid` holds whether the extents are those.
/// Null, reported, when it cannot have the type.
mlir::Value fitCarried(Node &node, mlir::Value value, mlir::RankedTensorType expected, mlir::Value &valid);

/// Checks that a body hands its states on with the types they came with.
llvm::LogicalResult checkCarried(Node &node, mlir::ValueRange before, mlir::ValueRange after);

/// Numbers of the current steps of the ONNX loops around the insertion point, the
/// innermost first, as i64 of rank 0: the first argument of the body of a Loop, the
/// last of a Scan.
Values getLoopSteps(Builder &b);

llvm::LogicalResult importLoop(Node &node);
llvm::LogicalResult importScan(Node &node);

} // namespace hgc::onnx

#endif // HGC_FRONTEND_ONNX_OPS_REGIONS_H
