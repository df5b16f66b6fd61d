//===- GradBuilder.h - ops that gradients are made of -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/Autodiff. All shapes are static.
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_AUTODIFF_GRADBUILDER_H
#define HGC_LIB_AUTODIFF_GRADBUILDER_H

#include "dialects/Graph/GraphOps.h"

namespace hgc {

using Ints = llvm::ArrayRef<int64_t>;

/// The type of a tensor, its shape and its element type.
mlir::RankedTensorType typeOf(mlir::Value value);
inline Ints shapeOf(mlir::Value value) { return typeOf(value).getShape(); }
inline mlir::Type elementOf(mlir::Value value) { return typeOf(value).getElementType(); }

/// Whether values of this type can have a gradient.
bool isDifferentiable(mlir::Type type);

/// Creates ops at one location; trivial ones fold.
class GradBuilder {
public:
  GradBuilder(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  mlir::OpBuilder &getBuilder() const { return builder; }
  mlir::Location getLoc() const { return loc; }

  template <typename OpT, typename... Args> mlir::Value make(Args &&...args) const {
    return builder.createOrFold<OpT>(loc, std::forward<Args>(args)...);
  }

  /// A constant of rank 0.
  mlir::Value scalar(mlir::Type element, double value) const;
  /// A constant with this value everywhere.
  mlir::Value filled(mlir::Type type, double value) const;
  mlir::Value zeros(mlir::Type type) const { return filled(type, 0); }
  /// A constant of i64.
  mlir::Value indices(Ints values, Ints shape) const;
  mlir::Value indices(Ints values) const { return indices(values, {static_cast<int64_t>(values.size())}); }
  /// A constant of doubles rounded to `element`.
  mlir::Value numbers(mlir::Type element, llvm::ArrayRef<double> values, Ints shape) const;
  /// Element `i` along `axis` is `i`.
  mlir::Value iota(Ints shape, int64_t axis, mlir::Type element) const;

  mlir::Value add(mlir::Value a, mlir::Value b) const { return make<graph::AddOp>(a, b); }
  mlir::Value sub(mlir::Value a, mlir::Value b) const { return make<graph::SubOp>(a, b); }
  mlir::Value mul(mlir::Value a, mlir::Value b) const { return make<graph::MulOp>(a, b); }
  mlir::Value div(mlir::Value a, mlir::Value b) const { return make<graph::DivOp>(a, b); }
  mlir::Value add(mlir::Value a, double b) const { return add(a, scalar(elementOf(a), b)); }
  mlir::Value mul(mlir::Value a, double b) const { return mul(a, scalar(elementOf(a), b)); }
  mlir::Value sub(double a, mlir::Value b) const { return sub(scalar(elementOf(b), a), b); }
  mlir::Value neg(mlir::Value a) const { return make<graph::NegOp>(a); }
  mlir::Value square(mlir::Value a) const { return mul(a, a); }
  template <typename OpT> mlir::Value unary(mlir::Value a) const { return make<OpT>(a); }

  mlir::Value compare(graph::ComparePredicate predicate, mlir::Value a, mlir::Value b) const;
  mlir::Value equal(mlir::Value a, mlir::Value b) const { return compare(graph::ComparePredicate::EQ, a, b); }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) const;
  /// `value` where the condition holds, elsewhere zero.
  mlir::Value where(mlir::Value condition, mlir::Value value) const;
  mlir::Value both(mlir::Value a, mlir::Value b) const { return make<graph::AndOp>(a, b); }

  /// `value` with another element type; itself if it has that type.
  mlir::Value cast(mlir::Value value, mlir::Type element) const;
  /// `value` in the type its arithmetic is done in: f32 for half precision.
  mlir::Value widen(mlir::Value value) const;

  mlir::Value reshape(mlir::Value value, Ints shape) const;
  mlir::Value broadcast(mlir::Value value, Ints shape) const;
  mlir::Value transpose(mlir::Value value, Ints permutation) const;
  mlir::Value reduce(graph::ReduceKind kind, mlir::Value value, Ints axes, bool keepdims) const;
  mlir::Value sum(mlir::Value value, Ints axes, bool keepdims = true) const {
    return reduce(graph::ReduceKind::Sum, value, axes, keepdims);
  }
  /// The gradient of what NumPy's rules broadcast from `shape`: sums over the
  /// repeated dims.
  mlir::Value sumTo(mlir::Value value, Ints shape) const;
  /// `value` with zeros around it, or cropped where an amount is negative.
  mlir::Value pad(mlir::Value value, Ints low, Ints high, double fill = 0) const;
  mlir::Value slice(mlir::Value value, Ints starts, Ints sizes, Ints strides = {}) const;
  /// Puts `factor - 1` zeros behind each element along each dim.
  mlir::Value spread(mlir::Value value, Ints factors) const;
  mlir::Value concat(mlir::ValueRange values, int64_t axis) const;
  mlir::Value matmul(mlir::Value lhs, mlir::Value rhs, bool transposeLhs, bool transposeRhs) const;

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace hgc

#endif // HGC_LIB_AUTODIFF_GRADBUILDER_H
