//===- GradBuilder.cpp - ops that gradients are made of -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GradBuilder.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

RankedTensorType hgc::typeOf(Value value) { return llvm::cast<RankedTensorType>(value.getType()); }

bool hgc::isDifferentiable(Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); }

Value GradBuilder::scalar(Type element, double value) const {
  return filled(RankedTensorType::get({}, element), value);
}

Value GradBuilder::filled(Type type, double value) const {
  auto tensor = llvm::cast<RankedTensorType>(type);
  Type element = tensor.getElementType();
  Attribute attr = isa<FloatType>(element) ? Attribute(builder.getFloatAttr(element, value))
                                           : builder.getIntegerAttr(element, static_cast<int64_t>(value));
  return ConstantOp::create(builder, loc, tensor, DenseElementsAttr::get(tensor, attr));
}

Value GradBuilder::indices(Ints values, Ints shape) const {
  auto type = RankedTensorType::get(shape, builder.getI64Type());
  return ConstantOp::create(builder, loc, type, DenseIntElementsAttr::get(type, values));
}

Value GradBuilder::numbers(Type element, ArrayRef<double> values, Ints shape) const {
  auto type = RankedTensorType::get(shape, element);
  SmallVector<Attribute> rounded;
  for (double value : values)
    rounded.push_back(builder.getFloatAttr(element, value));
  return ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, rounded));
}

Value GradBuilder::iota(Ints shape, int64_t axis, Type element) const {
  return make<IotaOp>(RankedTensorType::get(shape, element), builder.getI64ArrayAttr(shape), axis, element);
}

Value GradBuilder::compare(ComparePredicate predicate, Value a, Value b) const {
  return make<CompareOp>(predicate, a, b);
}

Value GradBuilder::select(Value condition, Value a, Value b) const { return make<SelectOp>(condition, a, b); }

Value GradBuilder::where(Value condition, Value value) const {
  return select(condition, value, scalar(elementOf(value), 0));
}

Value GradBuilder::cast(Value value, Type element) const {
  return elementOf(value) == element ? value : make<CastOp>(value, element);
}

Value GradBuilder::widen(Value value) const { return cast(value, getComputeType(elementOf(value))); }

Value GradBuilder::reshape(Value value, Ints shape) const {
  return shapeOf(value) == shape ? value : make<ReshapeOp>(value, builder.getI64ArrayAttr(shape));
}

Value GradBuilder::broadcast(Value value, Ints shape) const {
  return shapeOf(value) == shape ? value : make<BroadcastOp>(value, builder.getI64ArrayAttr(shape));
}

Value GradBuilder::transpose(Value value, Ints permutation) const {
  return make<TransposeOp>(value, builder.getDenseI64ArrayAttr(permutation));
}

Value GradBuilder::reduce(ReduceKind kind, Value value, Ints axes, bool keepdims) const {
  return axes.empty() ? value : make<ReduceOp>(kind, value, axes, keepdims);
}

Value GradBuilder::sumTo(Value value, Ints shape) const {
  Ints own = shapeOf(value);
  size_t added = own.size() - shape.size();
  SmallVector<int64_t> axes;
  for (size_t i = 0; i < own.size(); ++i)
    if (i < added || own[i] != shape[i - added])
      axes.push_back(i);
  return reshape(sum(value, axes, /*keepdims=*/added == 0), shape);
}

Value GradBuilder::pad(Value value, Ints low, Ints high, double fill) const {
  auto isZero = [](int64_t amount) { return amount == 0; };
  auto isCrop = [](int64_t amount) { return amount <= 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return value;
  if (!llvm::all_of(low, isCrop) || !llvm::all_of(high, isCrop))
    return make<PadOp>(PadMode::Constant, value, scalar(elementOf(value), fill), low, high);
  SmallVector<int64_t> starts, sizes(shapeOf(value));
  for (size_t i = 0; i < low.size(); ++i) {
    starts.push_back(-low[i]);
    sizes[i] += low[i] + high[i];
  }
  return slice(value, starts, sizes);
}

Value GradBuilder::slice(Value value, Ints starts, Ints sizes, Ints strides) const {
  return make<SliceOp>(value, Value(), builder.getDenseI64ArrayAttr(starts), builder.getDenseI64ArrayAttr(sizes),
                       strides.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(strides));
}

Value GradBuilder::spread(Value value, Ints factors) const {
  if (llvm::all_of(factors, [](int64_t factor) { return factor == 1; }))
    return value;
  SmallVector<int64_t> split, joined, low, high;
  for (auto [extent, factor] : llvm::zip_equal(shapeOf(value), factors)) {
    split.append({extent, 1});
    low.append({0, 0});
    high.append({0, factor - 1});
    joined.push_back(extent * factor);
  }
  return reshape(pad(reshape(value, split), low, high), joined);
}

Value GradBuilder::concat(ValueRange values, int64_t axis) const {
  return values.size() == 1 ? values.front() : make<ConcatOp>(values, axis);
}

Value GradBuilder::matmul(Value lhs, Value rhs, bool transposeLhs, bool transposeRhs) const {
  return make<MatmulOp>(lhs, rhs, transposeLhs, transposeRhs, PackedAttr());
}
