//===- Interfaces.td - what every graph op can be asked --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference comes from upstream (InferTypeOpInterface). The evaluator's
// models are attached in Eval/, gradients in lib/Autodiff: ops stay small.
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_INTERFACES_TD
#define HGC_GRAPH_INTERFACES_TD

include "mlir/IR/OpBase.td"

def CostOp : OpInterface<"CostOp"> {
  let cppNamespace = "::hgc::graph";
  let description = [{
    Work of one execution of the op, independent of any device: floating-point
    and integer operations by class, bytes read and written, and how many
    results can be computed at the same time.
  }];
  let methods = [
    InterfaceMethod<"Work done by one execution; needs static shapes.",
      "::hgc::graph::OpCost", "getCost", (ins), [{}],
      [{ return ::hgc::graph::computeCost($_op.getOperation()); }]>,
  ];
}

def FusibleOp : OpInterface<"FusibleOp"> {
  let cppNamespace = "::hgc::graph";
  let description = [{
    How the op may be joined with its neighbours into one kernel.

    * `Pointwise`: one result element from one element of each operand, through
      `getIndexingMap`; `buildScalar` emits the arithmetic.
    * `IndexMap`: moves elements without changing them.
    * `Root`: a computation with its own loop structure; at most one a kernel.
    * `View`: no code at all, the result is the operand's memory.
    * `Opaque`: never fused (control flow, state).
  }];
  let methods = [
    InterfaceMethod<"How the op takes part in fusion.",
      "::hgc::graph::FusionKind", "getFusionKind", (ins), [{}],
      [{ return ::hgc::graph::FusionKind::Pointwise; }]>,
    InterfaceMethod<[{
        Map from an index of the result to the index of operand `number` it
        reads; a null map when the access is not affine.
      }],
      "::mlir::AffineMap", "getIndexingMap", (ins "unsigned":$number), [{}],
      [{ return ::hgc::graph::getBroadcastMap($_op.getOperation(), number); }]>,
    InterfaceMethod<[{
        Emits the arithmetic of one element with upstream ops. Operands are
        scalars or vectors of the operands' compute types (ElementTypes.h); the
        result has the result's compute type and the same vector shape.
      }],
      "::mlir::Value", "buildScalar",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$operands), [{}],
      [{ return {}; }]>,
  ];
}

def EvalOp : OpInterface<"EvalOp"> {
  let cppNamespace = "::hgc::graph";
  let description = [{
    Reference semantics, executed on host tensors. f32 graphs accumulate in f64
    and round once per op. Control flow evaluates its regions through `context`.
  }];
  let methods = [
    InterfaceMethod<"Computes the results from the operands' values.",
      "::llvm::LogicalResult", "evaluate",
      (ins "::llvm::ArrayRef<::hgc::HostTensor>":$operands,
           "::hgc::graph::EvalContext &":$context,
           "::llvm::SmallVectorImpl<::hgc::HostTensor> &":$results)>,
  ];
}

def GradOp : OpInterface<"GradOp"> {
  let cppNamespace = "::hgc::graph";
  let description = [{
    How reverse-mode differentiation goes through the op. Attached in
    lib/Autodiff. An op without it can not be differentiated, unless no
    floating-point result of it depends on what is differentiated by.
  }];
  let methods = [
    InterfaceMethod<[{
        Values the results depend on: the operands, and values of enclosing
        regions that the op's own regions use.
      }],
      "::llvm::SmallVector<::mlir::Value>", "getGradInputs", (ins), [{}],
      [{ return ::llvm::SmallVector<::mlir::Value>($_op->getOperands()); }]>,
    InterfaceMethod<[{
        Builds the gradients by the inputs from those by the results. A null
        gradient is zero. Only inputs marked in `needed` are asked for; others
        and zeros stay null in `inputGradients`, which has one entry an input.
        Each gradient has its input's type. Fails with a diagnostic.
      }],
      "::llvm::LogicalResult", "buildGradients",
      (ins "::mlir::OpBuilder &":$builder,
           "::llvm::ArrayRef<::mlir::Value>":$resultGradients,
           "::llvm::ArrayRef<bool>":$needed,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$inputGradients)>,
  ];
}

#endif // HGC_GRAPH_INTERFACES_TD
