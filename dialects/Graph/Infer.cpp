//===- Infer.cpp - shape inference shared by the op families --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Infer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace hgc::graph;

LogicalResult hgc::graph::emitWithHint(MaybeLoc loc, const Twine &message, const Twine &hint) {
  if (!loc)
    return failure();
  InFlightDiagnostic diag = emitError(*loc, message);
  diag.attachNote() << "hint: " << hint;
  return diag;
}

bool hgc::graph::areCompatible(TypeRange lhs, TypeRange rhs) {
  if (lhs.size() != rhs.size())
    return false;
  for (auto [l, r] : llvm::zip(lhs, rhs)) {
    auto a = dyn_cast<RankedTensorType>(l), b = dyn_cast<RankedTensorType>(r);
    if (!a || !b || a.getElementType() != b.getElementType() ||
        failed(verifyCompatibleShape(a.getShape(), b.getShape())))
      return false;
  }
  return true;
}

RankedTensorType hgc::graph::withElement(Type type, Type element) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape(), element, tensor.getEncoding());
}

int64_t hgc::graph::countElements(ArrayRef<int64_t> shape) {
  // A zero extent makes the count zero even if the others overflow.
  if (ShapedType::isDynamicShape(shape))
    return ShapedType::kDynamic;
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1;
  for (int64_t extent : shape)
    if (llvm::MulOverflow(count, extent, count))
      return std::numeric_limits<int64_t>::max();
  return count;
}

std::string hgc::graph::shapeToString(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      shape, os,
      [&](int64_t extent) {
        if (ShapedType::isDynamic(extent))
          os << '?';
        else
          os << extent;
      },
      "x");
  return text.empty() ? "a scalar" : text;
}

LogicalResult hgc::graph::checkAxis(MaybeLoc loc, int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  if (rank == 0)
    return emitWithHint(loc, "axis " + Twine(axis) + " of a scalar, which has none",
                        "reshape the operand to rank one first");
  return emitWithHint(loc, "axis " + Twine(axis) + " is out of range for rank " + Twine(rank),
                      "use an axis from 0 to " + Twine(rank - 1));
}

LogicalResult hgc::graph::checkCount(MaybeLoc loc, StringRef name, ArrayRef<int64_t> values, size_t count) {
  if (values.size() == count)
    return success();
  return emitWithHint(loc, "'" + name + "' has " + Twine(values.size()) + " entries, expected " + Twine(count),
                      "give one entry per dim");
}

LogicalResult hgc::graph::checkElements(MaybeLoc loc, Type lhs, Type rhs) {
  Type a = getElementTypeOrSelf(lhs), b = getElementTypeOrSelf(rhs);
  if (a == b)
    return success();
  if (!loc)
    return failure();
  InFlightDiagnostic diag = emitError(*loc) << "operands have element types " << a << " and " << b;
  diag.attachNote() << "hint: convert one of them with hgc.cast";
  return diag;
}

LogicalResult hgc::graph::checkBytes(MaybeLoc loc, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getElementType().isIntOrFloat())
    return success();
  // Extents alone are limited too: dims are multiplied before any size is known.
  for (int64_t extent : tensor.getShape())
    if (extent > kMaxTensorBytes)
      return emitWithHint(loc, "extent " + Twine(extent) + " is larger than the limit of 2^40", "split the tensor");
  int64_t count = countElements(tensor.getShape());
  if (ShapedType::isDynamic(count) || count <= kMaxTensorBytes / getElementBytes(tensor.getElementType()))
    return success();
  return emitWithHint(loc,
                      "tensor of shape " + shapeToString(tensor.getShape()) + " is larger than the limit of 2^40 bytes",
                      "split the tensor");
}

LogicalResult hgc::graph::verifyBounded(Operation *op) {
  for (Type type : op->getOperandTypes())
    if (failed(checkBytes(op->getLoc(), type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(checkBytes(op->getLoc(), type)))
      return failure();
  return success();
}

LogicalResult hgc::graph::verifyInference(Operation *op) {
  SmallVector<Type> types;
  auto iface = cast<InferTypeOpInterface>(op);
  if (failed(iface.inferReturnTypes(op->getContext(), op->getLoc(), op->getOperands(), op->getRawDictionaryAttrs(),
                                    op->getPropertiesStorage(), op->getRegions(), types)))
    return failure();
  if (areCompatible(types, op->getResultTypes()))
    return success();
  InFlightDiagnostic diag = op->emitOpError() << "has result type " << op->getResultTypes()
                                              << ", but its operands and attributes give " << types;
  diag.attachNote() << "hint: declare the result as " << types;
  return diag;
}

LogicalResult hgc::graph::broadcastShapes(MaybeLoc loc, SmallVectorImpl<int64_t> &result, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> before(result.begin(), result.end());
  if (shape.size() > result.size())
    result.insert(result.begin(), shape.size() - result.size(), 1);
  size_t offset = result.size() - shape.size();
  for (auto [i, extent] : llvm::enumerate(shape)) {
    int64_t &out = result[offset + i];
    if (extent == out || extent == 1)
      continue;
    // A dynamic extent beside a static one other than 1 must equal it or be 1.
    if (out == 1 || (ShapedType::isDynamic(out) && !ShapedType::isDynamic(extent)))
      out = extent;
    else if (!ShapedType::isDynamic(extent))
      return emitWithHint(loc,
                          "shapes " + shapeToString(before) + " and " + shapeToString(shape) +
                              " do not broadcast: extents " + Twine(out) + " and " + Twine(extent) + " differ",
                          "extents are aligned from the last dim on; make them equal or one of them 1");
  }
  return success();
}

LogicalResult hgc::graph::inferBroadcast(MaybeLoc loc, TypeRange operands, Type element, SmallVectorImpl<Type> &types) {
  SmallVector<int64_t> shape;
  for (auto [i, type] : llvm::enumerate(operands)) {
    auto tensor = cast<RankedTensorType>(type);
    if (i == 0)
      shape.assign(tensor.getShape().begin(), tensor.getShape().end());
    else if (failed(broadcastShapes(loc, shape, tensor.getShape())))
      return failure();
  }
  types.push_back(RankedTensorType::get(shape, element ? element : getElementTypeOrSelf(operands.front())));
  return success();
}

AffineMap hgc::graph::getBroadcastMap(Operation *op, unsigned number) {
  auto fusible = dyn_cast<FusibleOp>(op);
  if (!fusible || (fusible.getFusionKind() != FusionKind::Pointwise && !isa<BroadcastOp>(op)))
    return {};
  auto operand = cast<RankedTensorType>(op->getOperand(number).getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t offset = result.getRank() - operand.getRank();
  SmallVector<AffineExpr> exprs;
  for (int64_t i = 0; i < operand.getRank(); ++i) {
    bool repeats = operand.getDimSize(i) == 1 && result.getDimSize(offset + i) != 1;
    exprs.push_back(repeats ? getAffineConstantExpr(0, op->getContext())
                            : getAffineDimExpr(offset + i, op->getContext()));
  }
  return AffineMap::get(result.getRank(), 0, exprs, op->getContext());
}

/// One entry of a `shape` attribute: an extent, -1, or kDynamic for a dim name.
static FailureOr<int64_t> resolveEntry(MaybeLoc loc, Attribute entry) {
  if (auto name = dyn_cast<StringAttr>(entry)) {
    if (!name.empty())
      return ShapedType::kDynamic;
    return emitWithHint(loc, "'shape' holds an empty dim name", "name the dim as in hgc.shape");
  }
  auto extent = dyn_cast<IntegerAttr>(entry);
  if (extent && extent.getValue().getSignificantBits() <= 64 && extent.getInt() >= -1 &&
      extent.getInt() <= kMaxTensorBytes)
    return extent.getInt();
  if (extent)
    return emitWithHint(loc, "'shape' holds an extent outside of [0, 2^40]",
                        "use -1 for an extent that follows from the others");
  return emitWithHint(loc, "'shape' holds an entry that is neither an extent nor a dim name",
                      "write it as in [\"batch\", 784]");
}

FailureOr<SmallVector<int64_t>> hgc::graph::resolveShape(MaybeLoc loc, ArrayAttr shape,
                                                         std::optional<int64_t> elements) {
  SmallVector<int64_t> extents;
  std::optional<size_t> open;
  for (auto [i, entry] : llvm::enumerate(shape)) {
    FailureOr<int64_t> extent = resolveEntry(loc, entry);
    if (failed(extent))
      return failure();
    if (*extent == -1 && !elements)
      return emitWithHint(loc, "'shape' holds -1, but nothing determines that extent", "write an extent or a dim name");
    if (*extent == -1 && std::exchange(open, i))
      return emitWithHint(loc, "'shape' holds -1 more than once", "write all extents but one");
    extents.push_back(*extent == -1 ? 1 : *extent);
  }
  if (!open)
    return extents;
  int64_t rest = countElements(extents);
  if (ShapedType::isDynamic(rest) || ShapedType::isDynamic(*elements))
    extents[*open] = ShapedType::kDynamic;
  else if (rest == 0 || *elements % rest != 0)
    return emitWithHint(loc, Twine(*elements) + " elements do not divide into the extents of 'shape'",
                        "the other extents hold " + Twine(rest) + " elements; change one of them");
  else
    extents[*open] = *elements / rest;
  return extents;
}
