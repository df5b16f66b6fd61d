//===- EvalBinary.cpp - pointwise ops of two operands ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/EvalModels.h"
#include "dialects/Graph/Infer.h"

#include <cmath>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

HostTensor hgc::graph::broadcastTo(const HostTensor &tensor, ArrayRef<int64_t> shape) {
  if (tensor.getShape() == shape)
    return tensor;
  SmallVector<int64_t> strides(shape.size(), 0), own = tensor.getStrides();
  size_t offset = shape.size() - tensor.getRank();
  for (size_t i = 0; i < own.size(); ++i)
    if (tensor.getDim(i) != 1)
      strides[offset + i] = own[i];
  return tensor.gatherStrided(shape, strides);
}

LogicalResult hgc::graph::broadcastOperands(Operation *op, Operands operands, EvalContext &context, Results &expanded) {
  SmallVector<int64_t> shape(operands[0].getShape());
  for (const HostTensor &operand : operands.drop_front())
    if (failed(broadcastShapes(context.getReportLoc(op), shape, operand.getShape())))
      return failure();
  for (const HostTensor &operand : operands)
    expanded.push_back(broadcastTo(operand, shape));
  return success();
}

namespace {

/// An integer type: bits and sign.
struct IntKind {
  unsigned width;
  bool isUnsigned;
};

struct Add {
  static double apply(double a, double b) { return a + b; }
  static int64_t apply(int64_t a, int64_t b, IntKind) { return int64_t(uint64_t(a) + uint64_t(b)); }
};
struct Sub {
  static double apply(double a, double b) { return a - b; }
  static int64_t apply(int64_t a, int64_t b, IntKind) { return int64_t(uint64_t(a) - uint64_t(b)); }
};
struct Mul {
  static double apply(double a, double b) { return a * b; }
  static int64_t apply(int64_t a, int64_t b, IntKind) { return int64_t(uint64_t(a) * uint64_t(b)); }
};
struct Div {
  static double apply(double a, double b) { return a / b; }
  static int64_t apply(int64_t a, int64_t b, IntKind kind) {
    if (b == 0)
      return 0;
    if (kind.isUnsigned)
      return int64_t(uint64_t(a) / uint64_t(b));
    // The quotient of the least value and -1 wraps.
    return b == -1 ? int64_t(0 - uint64_t(a)) : a / b;
  }
};
struct Rem {
  static double apply(double a, double b) { return std::fmod(a, b); }
  static int64_t apply(int64_t a, int64_t b, IntKind kind) {
    if (b == 0)
      return 0;
    if (kind.isUnsigned)
      return int64_t(uint64_t(a) % uint64_t(b));
    return b == -1 ? 0 : a % b;
  }
};
struct Max {
  static double apply(double a, double b) { return std::isnan(a) || a > b ? a : b; }
  static int64_t apply(int64_t a, int64_t b, IntKind kind) {
    return (kind.isUnsigned ? uint64_t(a) > uint64_t(b) : a > b) ? a : b;
  }
};
struct Min {
  static double apply(double a, double b) { return std::isnan(a) || a < b ? a : b; }
  static int64_t apply(int64_t a, int64_t b, IntKind kind) {
    return (kind.isUnsigned ? uint64_t(a) < uint64_t(b) : a < b) ? a : b;
  }
};
struct And {
  static int64_t apply(int64_t a, int64_t b, IntKind) { return a & b; }
};
struct Or {
  static int64_t apply(int64_t a, int64_t b, IntKind) { return a | b; }
};
struct Xor {
  static int64_t apply(int64_t a, int64_t b, IntKind) { return a ^ b; }
};
/// A negative amount is a large unsigned one.
struct Shl {
  static int64_t apply(int64_t a, int64_t b, IntKind kind) {
    return uint64_t(b) >= kind.width ? 0 : int64_t(uint64_t(a) << b);
  }
};
struct Shr {
  static int64_t apply(int64_t a, int64_t b, IntKind kind) {
    bool isOut = uint64_t(b) >= kind.width;
    if (kind.isUnsigned)
      return isOut ? 0 : int64_t(uint64_t(a) >> b);
    return isOut ? (a < 0 ? -1 : 0) : a >> b;
  }
};
struct Pow {
  static double apply(double a, double b) { return std::pow(a, b); }
};
struct Atan2 {
  static double apply(double a, double b) { return std::atan2(a, b); }
};

} // namespace

template <typename Fn>
static LogicalResult evalFloat(Operation *op, Operands operands, EvalContext &context, Results &results) {
  SmallVector<HostTensor, 2> expanded;
  if (failed(broadcastOperands(op, operands, context, expanded)))
    return failure();
  std::vector<double> a = expanded[0].toDoubles(), b = expanded[1].toDoubles();
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = Fn::apply(a[i], b[i]);
  results.push_back(HostTensor::fromDoubles(getResultElement(op), expanded[0].getShape(), a));
  return success();
}

template <typename Fn>
static LogicalResult evalInt(Operation *op, Operands operands, EvalContext &context, Results &results) {
  SmallVector<HostTensor, 2> expanded;
  if (failed(broadcastOperands(op, operands, context, expanded)))
    return failure();
  Type element = getResultElement(op);
  IntKind kind{element.getIntOrFloatBitWidth(), isUnsigned(element)};
  std::vector<int64_t> a = expanded[0].toInts(), b = expanded[1].toInts();
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = Fn::apply(a[i], b[i], kind);
  results.push_back(HostTensor::fromInts(element, expanded[0].getShape(), a));
  return success();
}

template <typename Fn>
static LogicalResult evalNumber(Operation *op, Operands operands, EvalContext &context, Results &results) {
  return operands[0].isFloat() ? evalFloat<Fn>(op, operands, context, results)
                               : evalInt<Fn>(op, operands, context, results);
}

void hgc::graph::attachBinaryModels(MLIRContext *context) {
  attach<AddOp, evalNumber<Add>>(context);
  attach<SubOp, evalNumber<Sub>>(context);
  attach<MulOp, evalNumber<Mul>>(context);
  attach<DivOp, evalNumber<Div>>(context);
  attach<RemOp, evalNumber<Rem>>(context);
  attach<MaxOp, evalNumber<Max>>(context);
  attach<MinOp, evalNumber<Min>>(context);
  attach<PowOp, evalFloat<Pow>>(context);
  attach<Atan2Op, evalFloat<Atan2>>(context);
  attach<AndOp, evalInt<And>>(context);
  attach<OrOp, evalInt<Or>>(context);
  attach<XorOp, evalInt<Xor>>(context);
  attach<ShlOp, evalInt<Shl>>(context);
  attach<ShrOp, evalInt<Shr>>(context);
}
