//===- Builder.cpp - ops of the graph dialect for importers ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Builder.h"

#include "dialects/Graph/Eval/Evaluator.h"
#include "hgc/Support/Parameters.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;
using namespace hgc::frontend;

namespace {

/// Most elements of a value that is evaluated while importing: shape arithmetic
/// is short, and what is longer is better left to the passes.
constexpr int64_t kMaxFolded = 4096;

bool isSmall(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getNumElements() <= kMaxFolded;
}

/// Operands of `op` if all are small constants and its result will be, too.
std::optional<SmallVector<HostTensor>> getSmallOperands(Operation *op) {
  if (op->getNumRegions() != 0 || !isSmall(op->getResult(0).getType()))
    return std::nullopt;
  SmallVector<HostTensor> operands;
  for (Value operand : op->getOperands()) {
    auto constant = operand.getDefiningOp<ConstantOp>();
    if (!constant || !isSmall(operand.getType()))
      return std::nullopt;
    llvm::Expected<HostTensor> value = HostTensor::fromAttr(constant.getValue());
    if (!value) {
      llvm::consumeError(value.takeError());
      return std::nullopt;
    }
    operands.push_back(std::move(*value));
  }
  return operands;
}

/// Verifies `op` and gives what is wrong, without reporting it.
std::optional<std::string> findProblem(Operation *op) {
  std::string problem;
  ScopedDiagnosticHandler handler(op->getContext(), [&](Diagnostic &diag) {
    if (problem.empty())
      problem = diag.str();
    return success();
  });
  if (succeeded(verify(op)))
    return std::nullopt;
  StringRef text(problem);
  text.consume_front(("'" + op->getName().getStringRef() + "' op ").str());
  return (op->getName().getStringRef() + ": " + text).str();
}

} // namespace

std::optional<int64_t> hgc::frontend::normalizeAxis(int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank)
    return std::nullopt;
  return axis < 0 ? axis + rank : axis;
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

Type hgc::frontend::Builder::getPlaceholder() { return RankedTensorType::get({}, builder.getF32Type()); }

void hgc::frontend::Builder::refuse(const Twine &reason) {
  (void)emitWithHint(loc, reason, "change the model, or leave the op to the caller");
}

Value hgc::frontend::Builder::finish(Operation *op) {
  SmallVector<Type> types;
  if (auto iface = dyn_cast<InferTypeOpInterface>(op)) {
    if (failed(iface.inferReturnTypes(op->getContext(), loc, op->getOperands(), op->getRawDictionaryAttrs(),
                                      op->getPropertiesStorage(), op->getRegions(), types))) {
      op->erase();
      return {};
    }
  } else {
    types.push_back(op->getOperand(0).getType());
  }
  op->getResult(0).setType(types.front());
  if (std::optional<std::string> problem = findProblem(op)) {
    op->erase();
    refuse(*problem);
    return {};
  }
  std::optional<SmallVector<HostTensor>> operands = getSmallOperands(op);
  // What drops while training is not yet known to be the same.
  if (!operands || isa<ConstantOp, DropoutOp>(op))
    return op->getResult(0);
  FailureOr<SmallVector<HostTensor>> results = evaluateConstantOp(op, *operands);
  if (failed(results))
    return op->getResult(0);
  op->erase();
  return constant(results->front());
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value hgc::frontend::Builder::constant(const HostTensor &value) {
  return ConstantOp::create(builder, loc, value.toAttr());
}

Value hgc::frontend::Builder::scalar(Type element, double value) { return splat(element, {}, value); }

Value hgc::frontend::Builder::splat(Type element, Shape shape, double value) {
  if (!element)
    return {};
  // A splat attribute holds one element, whatever the shape.
  ElementsAttr one = HostTensor::splat(element, {}, value).toAttr();
  auto type = RankedTensorType::get(shape, element);
  return ConstantOp::create(builder, loc, llvm::cast<DenseElementsAttr>(one).resizeSplat(type));
}

Value hgc::frontend::Builder::ints(ArrayRef<int64_t> values) {
  return constant(HostTensor::fromInts(builder.getI64Type(), {static_cast<int64_t>(values.size())}, values));
}

std::optional<HostTensor> hgc::frontend::Builder::getConstant(Value value) {
  if (!value)
    return std::nullopt;
  ElementsAttr attr;
  if (auto constant = value.getDefiningOp<ConstantOp>()) {
    attr = constant.getValue();
  } else if (auto read = value.getDefiningOp<ReadOp>()) {
    auto parameter = SymbolTable::lookupNearestSymbolFrom<ParameterOp>(read, read.getParameterAttr());
    attr = parameter ? dyn_cast<ElementsAttr>(parameter.getValue()) : ElementsAttr();
  }
  if (!attr)
    return std::nullopt;
  llvm::Expected<HostTensor> tensor = HostTensor::fromAttr(attr);
  if (tensor)
    return std::move(*tensor);
  llvm::consumeError(tensor.takeError());
  return std::nullopt;
}

std::optional<Extents> hgc::frontend::Builder::getInts(Value value) {
  std::optional<HostTensor> tensor = getConstant(value);
  if (!tensor || tensor->isFloat())
    return std::nullopt;
  std::vector<int64_t> values = tensor->toInts();
  return Extents(values.begin(), values.end());
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Value hgc::frontend::Builder::reshape(Value value, Shape shape) {
  if (!value || shapeOf(value) == shape)
    return value;
  return create<ReshapeOp>(value, builder.getI64ArrayAttr(shape));
}

Value hgc::frontend::Builder::flatten(Value value) { return reshape(value, {countOf(value)}); }

Value hgc::frontend::Builder::unsqueeze(Value value, ArrayRef<int64_t> axes) {
  if (!value)
    return {};
  Extents sorted(axes), shape(shapeOf(value));
  llvm::sort(sorted);
  for (int64_t axis : sorted)
    shape.insert(shape.begin() + axis, 1);
  return reshape(value, shape);
}

Value hgc::frontend::Builder::squeeze(Value value, ArrayRef<int64_t> axes) {
  if (!value)
    return {};
  Extents shape;
  for (auto [dim, extent] : llvm::enumerate(shapeOf(value)))
    if (!llvm::is_contained(axes, static_cast<int64_t>(dim)))
      shape.push_back(extent);
  return reshape(value, shape);
}

Value hgc::frontend::Builder::transpose(Value value, ArrayRef<int64_t> permutation) {
  if (!value || llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
    return value;
  return create<TransposeOp>(value, builder.getDenseI64ArrayAttr(permutation));
}

Value hgc::frontend::Builder::broadcast(Value value, Shape shape) {
  if (!value || shapeOf(value) == shape)
    return value;
  return create<BroadcastOp>(value, builder.getI64ArrayAttr(shape));
}

Value hgc::frontend::Builder::slice(Value value, ArrayRef<int64_t> starts, ArrayRef<int64_t> sizes,
                                    ArrayRef<int64_t> strides) {
  if (!value)
    return {};
  bool isWhole = shapeOf(value) == sizes && llvm::all_of(starts, [](int64_t start) { return start == 0; }) &&
                 llvm::all_of(strides, [](int64_t stride) { return stride == 1; });
  if (isWhole)
    return value;
  DenseI64ArrayAttr steps = strides.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(strides);
  // The operand for starts at run time is absent, not failed.
  return finish(SliceOp::create(builder, loc, getPlaceholder(), value, Value(), builder.getDenseI64ArrayAttr(starts),
                                builder.getDenseI64ArrayAttr(sizes), steps));
}

Value hgc::frontend::Builder::sliceAxis(Value value, int64_t axis, int64_t start, int64_t size) {
  if (!value)
    return {};
  Extents starts(rankOf(value), 0), sizes(shapeOf(value));
  starts[axis] = start;
  sizes[axis] = size;
  return slice(value, starts, sizes);
}

Value hgc::frontend::Builder::concat(ArrayRef<Value> values, int64_t axis) {
  if (values.size() == 1)
    return values.front();
  return create<ConcatOp>(ValueRange(values), builder.getI64IntegerAttr(axis));
}

Value hgc::frontend::Builder::iota(Shape shape, int64_t axis, Type element) {
  return create<IotaOp>(builder.getI64ArrayAttr(shape), builder.getI64IntegerAttr(axis), TypeAttr::get(element));
}

Value hgc::frontend::Builder::gather(Value value, Value indices, int64_t axis) {
  return create<GatherOp>(value, indices, builder.getI64IntegerAttr(axis));
}

Value hgc::frontend::Builder::gatherFlat(Value value, Value indices) { return gather(flatten(value), indices, 0); }

Value hgc::frontend::Builder::pad(Value value, Value fill, ArrayRef<int64_t> low, ArrayRef<int64_t> high) {
  auto isZero = [](int64_t amount) { return amount == 0; };
  if (value && llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return value;
  return create<PadOp>(PadModeAttr::get(builder.getContext(), PadMode::Constant), value, fill,
                       builder.getDenseI64ArrayAttr(low), builder.getDenseI64ArrayAttr(high));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value hgc::frontend::Builder::cast(Value value, Type element) {
  if (!element)
    return {};
  if (!value || elementOf(value) == element)
    return value;
  return create<CastOp>(value, TypeAttr::get(element));
}

Value hgc::frontend::Builder::compare(ComparePredicate predicate, Value a, Value b) {
  return create<CompareOp>(ComparePredicateAttr::get(builder.getContext(), predicate), a, b);
}

Value hgc::frontend::Builder::select(Value condition, Value a, Value b) { return create<SelectOp>(condition, a, b); }

Value hgc::frontend::Builder::reduce(ReduceKind kind, Value value, ArrayRef<int64_t> axes, bool keepdims) {
  if (!value || axes.empty())
    return value;
  Extents sorted(axes);
  llvm::sort(sorted);
  return create<ReduceOp>(ReduceKindAttr::get(builder.getContext(), kind), value, builder.getDenseI64ArrayAttr(sorted),
                          keepdims ? builder.getUnitAttr() : UnitAttr());
}

Value hgc::frontend::Builder::matmul(Value a, Value b, bool transposeA, bool transposeB) {
  if (!a || !b)
    return {};
  // NumPy's vectors: a row on the left, a column on the right, gone in the result.
  bool isRow = rankOf(a) == 1, isColumn = rankOf(b) == 1;
  if (isRow)
    a = unsqueeze(a, {0});
  if (isColumn)
    b = unsqueeze(b, {1});
  auto flag = [&](bool isSet) { return isSet ? builder.getUnitAttr() : UnitAttr(); };
  Type element = elementOf(a);
  Value product = create<MatmulOp>(a, b, flag(transposeA && !isRow), flag(transposeB && !isColumn), PackedAttr());
  if (!product)
    return {};
  Extents shape(shapeOf(product));
  if (isColumn)
    shape.pop_back();
  if (isRow)
    shape.erase(shape.end() - (isColumn ? 1 : 2));
  product = reshape(product, shape);
  return isa<FloatType>(element) ? cast(product, element) : product;
}
