//===- GraphOps.h - the hgc dialect and its ops -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_GRAPH_GRAPHOPS_H
#define HGC_GRAPH_GRAPHOPS_H

#include "dialects/Graph/Cost.h"
#include "dialects/Graph/ElementTypes.h"
#include "dialects/Graph/Window.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace hgc {
class HostTensor;
}

namespace hgc::graph {

class EvalContext;

/// How an op takes part in fusion; see FusibleOp.
enum class FusionKind { Pointwise, IndexMap, Root, View, Opaque };

/// Shapes agree wherever both are static, element types are equal.
bool areCompatible(mlir::TypeRange lhs, mlir::TypeRange rhs);

/// `type` with another element type.
mlir::RankedTensorType withElement(mlir::Type type, mlir::Type element);

/// NumPy broadcast of all operand shapes; the element type is `element`, or the
/// first operand's when null.
llvm::LogicalResult inferBroadcast(std::optional<mlir::Location> loc, mlir::TypeRange operands, mlir::Type element,
                                   llvm::SmallVectorImpl<mlir::Type> &types);

/// Map from the result's index to operand `number`'s under NumPy broadcasting.
mlir::AffineMap getBroadcastMap(mlir::Operation *op, unsigned number);

/// Extents a `shape` attribute stands for: dim names are dynamic, -1 follows
/// from `elements` (dynamic when that is dynamic). Fails on malformed entries.
llvm::FailureOr<llvm::SmallVector<int64_t>> resolveShape(std::optional<mlir::Location> loc, mlir::ArrayAttr shape,
                                                         std::optional<int64_t> elements);

/// Emits `message` at `loc` (if any) with a note `hint: <hint>`; returns failure.
llvm::LogicalResult emitWithHint(std::optional<mlir::Location> loc, const llvm::Twine &message,
                                 const llvm::Twine &hint);

/// Checks the declared result types of `op` against the inferred ones.
llvm::LogicalResult verifyInference(mlir::Operation *op);

/// Checks that operands and results of `op` stay below the size limit.
llvm::LogicalResult verifyBounded(mlir::Operation *op);

template <typename ConcreteOp> struct CheckedInference : mlir::OpTrait::TraitBase<ConcreteOp, CheckedInference> {
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) { return verifyInference(op); }
};

template <typename ConcreteOp> struct BoundedTensors : mlir::OpTrait::TraitBase<ConcreteOp, BoundedTensors> {
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) { return verifyBounded(op); }
};

} // namespace hgc::graph

#include "dialects/Graph/GraphEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Graph/GraphAttrs.h.inc"

#include "dialects/Graph/GraphDialect.h.inc"

#include "dialects/Graph/Interfaces.h.inc"

#define GET_OP_CLASSES
#include "dialects/Graph/GraphOps.h.inc"

#endif // HGC_GRAPH_GRAPHOPS_H
