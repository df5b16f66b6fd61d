//===- Builder.h - ops of the graph dialect for importers -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Import code composes values freely: what fails (a shape that does not fit)
// has reported why and gives a null value, and every op of a null value is null.
// Ops of small constants are evaluated at once, so that shape arithmetic is gone
// by the time an op asks for its extents.
//===----------------------------------------------------------------------===//

#ifndef HGC_FRONTEND_COMMON_BUILDER_H
#define HGC_FRONTEND_COMMON_BUILDER_H

#include "dialects/Graph/Eval/HostTensor.h"
#include "dialects/Graph/GraphOps.h"

#include "mlir/IR/Builders.h"

namespace hgc::frontend {

using Shape = llvm::ArrayRef<int64_t>;
using Extents = llvm::SmallVector<int64_t>;

class Builder {
public:
  Builder(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}
  virtual ~Builder() = default;

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return loc; }

  /// An op with one result whose type is inferred; arguments as for `Op::create`
  /// after the result type. Folded when all operands are small constants.
  template <typename Op, typename... Args> mlir::Value create(Args &&...args) {
    if ((isNull(args) || ...))
      return {};
    return finish(Op::create(builder, loc, getPlaceholder(), std::forward<Args>(args)...));
  }

  // Types. A null value has a null type, rank 0 and no elements.
  static mlir::RankedTensorType typeOf(mlir::Value value) {
    return value ? mlir::cast<mlir::RankedTensorType>(value.getType()) : mlir::RankedTensorType();
  }
  static Shape shapeOf(mlir::Value value) { return value ? typeOf(value).getShape() : Shape(); }
  static int64_t rankOf(mlir::Value value) { return value ? typeOf(value).getRank() : 0; }
  static mlir::Type elementOf(mlir::Value value) { return value ? typeOf(value).getElementType() : mlir::Type(); }
  static int64_t countOf(mlir::Value value) { return value ? typeOf(value).getNumElements() : 0; }

  // Constants.
  mlir::Value constant(const HostTensor &value);
  /// One number of type `element`, of rank 0: it broadcasts to anything. Null when
  /// the type is.
  mlir::Value scalar(mlir::Type element, double value);
  mlir::Value splat(mlir::Type element, Shape shape, double value);
  /// A one-dimensional i64 tensor.
  mlir::Value ints(llvm::ArrayRef<int64_t> values);
  /// The value of a constant or of a parameter that never changes.
  std::optional<HostTensor> getConstant(mlir::Value value);
  /// Elements of a constant of integers; nothing when it is known only at run time.
  std::optional<Extents> getInts(mlir::Value value);

  // Shapes. Nothing is created where the value has the wanted form already.
  mlir::Value reshape(mlir::Value value, Shape shape);
  mlir::Value flatten(mlir::Value value);
  mlir::Value unsqueeze(mlir::Value value, llvm::ArrayRef<int64_t> axes);
  mlir::Value squeeze(mlir::Value value, llvm::ArrayRef<int64_t> axes);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> permutation);
  mlir::Value broadcast(mlir::Value value, Shape shape);
  mlir::Value slice(mlir::Value value, llvm::ArrayRef<int64_t> starts, llvm::ArrayRef<int64_t> sizes,
                    llvm::ArrayRef<int64_t> strides = {});
  /// `size` elements along `axis` from `start` on.
  mlir::Value sliceAxis(mlir::Value value, int64_t axis, int64_t start, int64_t size);
  mlir::Value concat(llvm::ArrayRef<mlir::Value> values, int64_t axis);
  mlir::Value iota(Shape shape, int64_t axis, mlir::Type element);
  mlir::Value gather(mlir::Value value, mlir::Value indices, int64_t axis);
  /// Element `indices[i...]` of the flattened value, in the shape of `indices`.
  mlir::Value gatherFlat(mlir::Value value, mlir::Value indices);
  mlir::Value pad(mlir::Value value, mlir::Value fill, llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high);

  // Arithmetic.
  mlir::Value cast(mlir::Value value, mlir::Type element);
  mlir::Value add(mlir::Value a, mlir::Value b) { return create<graph::AddOp>(a, b); }
  mlir::Value sub(mlir::Value a, mlir::Value b) { return create<graph::SubOp>(a, b); }
  mlir::Value mul(mlir::Value a, mlir::Value b) { return create<graph::MulOp>(a, b); }
  mlir::Value div(mlir::Value a, mlir::Value b) { return create<graph::DivOp>(a, b); }
  mlir::Value max(mlir::Value a, mlir::Value b) { return create<graph::MaxOp>(a, b); }
  mlir::Value min(mlir::Value a, mlir::Value b) { return create<graph::MinOp>(a, b); }
  mlir::Value compare(graph::ComparePredicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  mlir::Value reduce(graph::ReduceKind kind, mlir::Value value, llvm::ArrayRef<int64_t> axes, bool keepdims);
  /// Batched product as NumPy's matmul.
  mlir::Value matmul(mlir::Value a, mlir::Value b, bool transposeA = false, bool transposeB = false);

protected:
  /// The graph dialect has no such op, such as a sum of booleans.
  virtual void refuse(const llvm::Twine &reason);

  mlir::OpBuilder &builder;
  mlir::Location loc;

private:
  template <typename T> static bool isNull(const T &argument) {
    if constexpr (std::is_convertible_v<T, mlir::Value>)
      return !mlir::Value(argument);
    else if constexpr (std::is_convertible_v<T, mlir::ValueRange>)
      return llvm::any_of(mlir::ValueRange(argument), [](mlir::Value value) { return !value; });
    else
      return false;
  }
  mlir::Type getPlaceholder();
  /// Infers the result's type, or erases the op; evaluates it if it is constant.
  mlir::Value finish(mlir::Operation *op);
};

/// `axis` counted from the front; nothing outside of [-rank, rank).
std::optional<int64_t> normalizeAxis(int64_t axis, int64_t rank);

} // namespace hgc::frontend

#endif // HGC_FRONTEND_COMMON_BUILDER_H
