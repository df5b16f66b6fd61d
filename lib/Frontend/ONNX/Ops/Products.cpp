//===- Products.cpp - matrix products and convolutions of ONNX ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers: with a' = a - 128 for uint8 every operand is i8, and
//   sum (a - za)(b - zb) = sum a'b' - za' sum b' - zb' sum a' + K za' zb'
// holds modulo 2^32 for the zero points shifted alike.
//===----------------------------------------------------------------------===//

#include "Products.h"

#include "dialects/Graph/ElementTypes.h"

using namespace mlir;
using namespace hgc;
using namespace hgc::onnx;

Type hgc::onnx::getWideType(Type element) { return graph::getComputeType(element); }

Value hgc::onnx::scalarize(Node &node, Value value) {
  if (!value || Node::countOf(value) != 1)
    return value;
  return node.reshape(value, {});
}

/// Whether hgc.matmul takes the element type.
static bool isContractible(Type element) { return isa<FloatType>(element) || element.isSignlessInteger(8); }

/// `value` with its last two dims swapped.
static Value swapLastDims(Node &node, Value value) {
  Extents permutation = llvm::to_vector(llvm::seq<int64_t>(0, Node::rankOf(value)));
  std::swap(permutation[permutation.size() - 1], permutation[permutation.size() - 2]);
  return node.transpose(value, permutation);
}

Value hgc::onnx::multiplyMatrices(Node &node, Value lhs, Value rhs, bool transposeLhs, bool transposeRhs) {
  if (!lhs || !rhs)
    return {};
  Type element = Node::elementOf(lhs);
  if (isContractible(element)) {
    Value product = node.create<graph::MatmulOp>(lhs, rhs, transposeLhs, transposeRhs, graph::PackedAttr());
    return product && isa<FloatType>(element) ? node.cast(product, element) : product;
  }
  Value rows = transposeLhs ? swapLastDims(node, lhs) : lhs;
  Value columns = transposeRhs ? rhs : swapLastDims(node, rhs);
  rows = node.unsqueeze(rows, {Node::rankOf(rows) - 1});
  columns = node.unsqueeze(columns, {Node::rankOf(columns) - 2});
  Value products = node.mul(rows, columns);
  if (!products)
    return {};
  return node.reduce(graph::ReduceKind::Sum, products, {Node::rankOf(products) - 1}, false);
}

Value hgc::onnx::multiplyAsNumPy(Node &node, Value lhs, Value rhs, llvm::function_ref<Value(Value, Value)> multiply) {
  if (!lhs || !rhs)
    return {};
  if (Node::rankOf(lhs) == 0 || Node::rankOf(rhs) == 0) {
    (void)node.invalid("a scalar is no matrix", "use Mul to multiply by a scalar");
    return {};
  }
  bool isRow = Node::rankOf(lhs) == 1, isColumn = Node::rankOf(rhs) == 1;
  Value product = multiply(isRow ? node.unsqueeze(lhs, {0}) : lhs, isColumn ? node.unsqueeze(rhs, {1}) : rhs);
  if (!product)
    return {};
  Extents dropped;
  if (isRow)
    dropped.push_back(Node::rankOf(product) - 2);
  if (isColumn)
    dropped.push_back(Node::rankOf(product) - 1);
  return dropped.empty() ? product : node.squeeze(product, dropped);
}

//===----------------------------------------------------------------------===//
// 8-bit integers
//===----------------------------------------------------------------------===//

namespace {
/// An 8-bit operand as i8 and its zero point as i32, null when that is zero.
struct Shifted {
  Value value, zero;
};
} // namespace

static bool isZero(Node &node, Value value) {
  std::optional<Extents> known = node.getInts(value);
  return known && llvm::all_of(*known, [](int64_t number) { return number == 0; });
}

static Shifted shiftToSigned(Node &node, Value value, Value zero) {
  Type i8 = node.getBuilder().getI8Type(), i32 = node.getBuilder().getI32Type();
  bool isUnsigned = Node::elementOf(value).isUnsignedInteger();
  Shifted result{value, zero ? node.cast(zero, i32) : Value()};
  if (isUnsigned) {
    // Flipping the top bit subtracts 128.
    result.value = node.create<graph::XorOp>(node.cast(value, i8), node.scalar(i8, -128));
    Value shift = node.scalar(i32, -128);
    result.zero = zero ? node.add(result.zero, shift) : shift;
  }
  if (result.zero && isZero(node, result.zero))
    result.zero = {};
  return result;
}

/// Sum of `value` over `axes` in i32, which stay with extent 1.
static Value sumInWide(Node &node, Value value, ArrayRef<int64_t> axes) {
  return node.reduce(graph::ReduceKind::Sum, node.cast(value, node.getBuilder().getI32Type()), axes, true);
}

/// `product` of shifted operands less what the zero points add: `lhsSum` and
/// `rhsSum` are the sums of the operands over the `depth` contracted elements.
static Value removeZeroPoints(Node &node, Value product, Value lhsZero, Value rhsZero, Value lhsSum, Value rhsSum,
                              int64_t depth) {
  if (lhsZero)
    product = node.sub(product, node.mul(lhsZero, rhsSum));
  if (rhsZero)
    product = node.sub(product, node.mul(rhsZero, lhsSum));
  if (!lhsZero || !rhsZero)
    return product;
  Value factor = node.scalar(node.getBuilder().getI32Type(), static_cast<double>(depth));
  return node.add(product, node.mul(factor, node.mul(lhsZero, rhsZero)));
}

Value hgc::onnx::alongRows(Node &node, Value value) {
  value = scalarize(node, value);
  return value && Node::rankOf(value) == 1 ? node.unsqueeze(value, {1}) : value;
}

Value hgc::onnx::multiplyIntegers(Node &node, Value lhs, Value rhs, Value lhsZero, Value rhsZero) {
  if (!lhs || !rhs)
    return {};
  lhsZero = alongRows(node, lhsZero);
  rhsZero = scalarize(node, rhsZero);
  return multiplyAsNumPy(node, lhs, rhs, [&](Value a, Value b) -> Value {
    Shifted left = shiftToSigned(node, a, lhsZero), right = shiftToSigned(node, b, rhsZero);
    Value product = multiplyMatrices(node, left.value, right.value);
    if (!product)
      return {};
    Value rowSum = right.zero ? sumInWide(node, left.value, {Node::rankOf(a) - 1}) : Value();
    Value columnSum = left.zero ? sumInWide(node, right.value, {Node::rankOf(b) - 2}) : Value();
    return removeZeroPoints(node, product, left.zero, right.zero, rowSum, columnSum, Node::shapeOf(a).back());
  });
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

Value hgc::onnx::convolve(Node &node, Value data, Value filter, const SlidingWindow &window, ArrayRef<int64_t> pads,
                          int64_t groups) {
  auto list = [&](ArrayRef<int64_t> values) { return node.getBuilder().getDenseI64ArrayAttr(values); };
  return node.create<graph::ConvOp>(data, filter, list(window.strides), list(pads), list(window.dilations),
                                    static_cast<uint64_t>(groups), graph::DataLayout::ChannelsFirst,
                                    graph::FilterLayout::OIHW, graph::PackedAttr());
}

/// `perGroup`, [N, groups, spatial...], times one number per output channel.
static Value scaleGroups(Node &node, Value perGroup, Value zero, int64_t outputs) {
  int64_t rank = Node::rankOf(perGroup), groups = Node::shapeOf(perGroup)[1];
  Extents shape(Node::shapeOf(perGroup)), zeros(rank + 1, 1);
  if (Node::rankOf(zero) == 0)
    zero = node.broadcast(zero, {outputs});
  zeros[1] = groups;
  zeros[2] = outputs / groups;
  Value products = node.mul(node.unsqueeze(perGroup, {2}), node.reshape(zero, zeros));
  shape[1] = outputs;
  return node.reshape(products, shape);
}

Value hgc::onnx::convolveIntegers(Node &node, Value data, Value filter, Value dataZero, Value filterZero,
                                  const SlidingWindow &window, int64_t groups) {
  Shifted x = shiftToSigned(node, data, scalarize(node, dataZero));
  Shifted w = shiftToSigned(node, filter, scalarize(node, filterZero));
  Type i8 = node.getBuilder().getI8Type();
  int64_t rank = Node::rankOf(data), outputs = Node::shapeOf(filter)[0];
  Extents pads = window.getPads();
  if (x.zero) {
    // What stands for zero is the zero point, so that is what surrounds the data.
    Extents low{0, 0}, high{0, 0};
    low.append(window.low);
    high.append(window.high);
    x.value = node.pad(x.value, node.cast(x.zero, i8), low, high);
    pads.assign(pads.size(), 0);
  }
  Value result = convolve(node, x.value, w.value, window, pads, groups);
  if (!result)
    return {};
  Extents filterShape(Node::shapeOf(filter)), filterAxes = llvm::to_vector(llvm::seq<int64_t>(1, rank));
  int64_t depth = Node::countOf(filter) / std::max<int64_t>(outputs, 1);
  Value wSum = x.zero ? along(node, sumInWide(node, w.value, filterAxes), rank, 1) : Value();
  Value wZero = w.zero && Node::rankOf(w.zero) == 1 ? along(node, w.zero, rank, 1) : w.zero;
  result = removeZeroPoints(node, result, x.zero, {}, {}, wSum, depth);
  if (!w.zero)
    return result;
  filterShape[0] = groups;
  Value xSum = convolve(node, x.value, node.splat(i8, filterShape, 1), window, pads, groups);
  if (!xSum)
    return {};
  result = node.sub(result, scaleGroups(node, xSum, w.zero, outputs));
  if (!x.zero)
    return result;
  Value factor = node.scalar(node.getBuilder().getI32Type(), static_cast<double>(depth));
  return node.add(result, node.mul(factor, node.mul(x.zero, wZero)));
}
