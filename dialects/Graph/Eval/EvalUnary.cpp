//===- EvalUnary.cpp - pointwise ops of one operand -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Eval/EvalModels.h"

#include <cmath>

using namespace mlir;
using namespace hgc;
using namespace hgc::graph;

//===----------------------------------------------------------------------===//
// Float functions without an overload-free name in <cmath>
//===----------------------------------------------------------------------===//

namespace {
double doExp(double x) { return std::exp(x); }
double doExpm1(double x) { return std::expm1(x); }
double doLog(double x) { return std::log(x); }
double doLog1p(double x) { return std::log1p(x); }
double doSqrt(double x) { return std::sqrt(x); }
double doRsqrt(double x) { return 1 / std::sqrt(x); }
double doSin(double x) { return std::sin(x); }
double doCos(double x) { return std::cos(x); }
double doTan(double x) { return std::tan(x); }
double doAsin(double x) { return std::asin(x); }
double doAcos(double x) { return std::acos(x); }
double doAtan(double x) { return std::atan(x); }
double doSinh(double x) { return std::sinh(x); }
double doCosh(double x) { return std::cosh(x); }
double doTanh(double x) { return std::tanh(x); }
double doAsinh(double x) { return std::asinh(x); }
double doAcosh(double x) { return std::acosh(x); }
double doAtanh(double x) { return std::atanh(x); }
double doErf(double x) { return std::erf(x); }
double doFloor(double x) { return std::floor(x); }
double doCeil(double x) { return std::ceil(x); }
double doTrunc(double x) { return std::trunc(x); }
/// Halves to even: the default rounding mode, which nothing here changes.
double doRound(double x) { return std::nearbyint(x); }

double doSigmoid(double x) {
  double e = std::exp(-std::fabs(x));
  return (x < 0 ? e : 1) / (1 + e);
}
double doSilu(double x) { return x * doSigmoid(x); }
// In forms that keep their digits where 1 + erf and 1 + tanh would cancel.
double doGelu(double x) { return x / 2 * std::erfc(-x * std::sqrt(0.5)); }
double doGeluTanh(double x) {
  double a = std::sqrt(2 / 3.14159265358979323846);
  return x / (1 + std::exp(-2 * x * (a + a * 0.044715 * x * x)));
}

double isNan(double x) { return std::isnan(x); }
double isInf(double x) { return std::isinf(x); }

//===----------------------------------------------------------------------===//
// Functions of floats and integers. Integers arrive sign- or zero-extended and
// are wrapped to their width afterwards.
//===----------------------------------------------------------------------===//

struct Abs {
  static double apply(double x) { return std::fabs(x); }
  static int64_t apply(int64_t x, bool isUnsigned) { return isUnsigned || x >= 0 ? x : int64_t(0 - uint64_t(x)); }
};
struct Neg {
  static double apply(double x) { return -x; }
  static int64_t apply(int64_t x, bool) { return int64_t(0 - uint64_t(x)); }
};
struct Sign {
  /// Zeros and NaN stay what they are.
  static double apply(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
  static int64_t apply(int64_t x, bool isUnsigned) { return x == 0 ? 0 : isUnsigned || x > 0 ? 1 : -1; }
};
struct Relu {
  static double apply(double x) { return x > 0 || std::isnan(x) ? x : 0; }
  static int64_t apply(int64_t x, bool isUnsigned) { return isUnsigned || x > 0 ? x : 0; }
};
struct Not {
  static int64_t apply(int64_t x, bool) { return ~x; }
};
} // namespace

template <double (*fn)(double)>
static LogicalResult evalFloat(Operation *op, Operands operands, EvalContext &, Results &results) {
  std::vector<double> values = operands[0].toDoubles();
  for (double &value : values)
    value = fn(value);
  results.push_back(HostTensor::fromDoubles(getResultElement(op), operands[0].getShape(), values));
  return success();
}

template <typename Fn> static LogicalResult evalInt(Operation *op, Operands operands, EvalContext &, Results &results) {
  Type element = getResultElement(op);
  std::vector<int64_t> values = operands[0].toInts();
  for (int64_t &value : values)
    value = Fn::apply(value, isUnsigned(element));
  results.push_back(HostTensor::fromInts(element, operands[0].getShape(), values));
  return success();
}

template <typename Fn>
static LogicalResult evalNumber(Operation *op, Operands operands, EvalContext &context, Results &results) {
  if (!operands[0].isFloat())
    return evalInt<Fn>(op, operands, context, results);
  return evalFloat<static_cast<double (*)(double)>(Fn::apply)>(op, operands, context, results);
}

void hgc::graph::attachUnaryModels(MLIRContext *context) {
  attach<AbsOp, evalNumber<Abs>>(context);
  attach<NegOp, evalNumber<Neg>>(context);
  attach<SignOp, evalNumber<Sign>>(context);
  attach<ReluOp, evalNumber<Relu>>(context);
  attach<NotOp, evalInt<Not>>(context);
  attach<ExpOp, evalFloat<doExp>>(context);
  attach<Expm1Op, evalFloat<doExpm1>>(context);
  attach<LogOp, evalFloat<doLog>>(context);
  attach<Log1pOp, evalFloat<doLog1p>>(context);
  attach<SqrtOp, evalFloat<doSqrt>>(context);
  attach<RsqrtOp, evalFloat<doRsqrt>>(context);
  attach<SinOp, evalFloat<doSin>>(context);
  attach<CosOp, evalFloat<doCos>>(context);
  attach<TanOp, evalFloat<doTan>>(context);
  attach<AsinOp, evalFloat<doAsin>>(context);
  attach<AcosOp, evalFloat<doAcos>>(context);
  attach<AtanOp, evalFloat<doAtan>>(context);
  attach<SinhOp, evalFloat<doSinh>>(context);
  attach<CoshOp, evalFloat<doCosh>>(context);
  attach<TanhOp, evalFloat<doTanh>>(context);
  attach<AsinhOp, evalFloat<doAsinh>>(context);
  attach<AcoshOp, evalFloat<doAcosh>>(context);
  attach<AtanhOp, evalFloat<doAtanh>>(context);
  attach<ErfOp, evalFloat<doErf>>(context);
  attach<FloorOp, evalFloat<doFloor>>(context);
  attach<CeilOp, evalFloat<doCeil>>(context);
  attach<RoundOp, evalFloat<doRound>>(context);
  attach<TruncOp, evalFloat<doTrunc>>(context);
  attach<SigmoidOp, evalFloat<doSigmoid>>(context);
  attach<SiluOp, evalFloat<doSilu>>(context);
  attach<GeluOp, evalFloat<doGelu>>(context);
  attach<GeluTanhOp, evalFloat<doGeluTanh>>(context);
  attach<IsNanOp, evalFloat<isNan>>(context);
  attach<IsInfOp, evalFloat<isInf>>(context);
}
