//===- MathFunctions.h - building blocks of function expansions -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CODEGEN_COMMON_MATHFUNCTIONS_H
#define HGC_LIB_CODEGEN_COMMON_MATHFUNCTIONS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

namespace hgc::codegen {

/// Arithmetic on values of one shape. Constants take the shape of `like`.
class MathBuilder {
public:
  /// Without a C library (`hasLibm`), f64 steps are expanded too.
  MathBuilder(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value like, bool hasLibm = true)
      : builder(builder), loc(loc), hasLibm(hasLibm), shape(like.getType()) {}

  using Value = mlir::Value;
  using Compare = mlir::arith::CmpFPredicate;

  /// `element` in the shape of all values.
  mlir::Type typeOf(mlir::Type element);
  /// Whether `like` is f64, and a constant of its type.
  bool isDouble() const { return mlir::getElementTypeOrSelf(shape).isF64(); }
  Value num(double value) { return isDouble() ? f64(value) : f32(value); }
  Value f32(double value);
  Value f64(double value);
  Value i32(int64_t value);
  Value i64(int64_t value);

  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value div(Value a, Value b);
  /// a * b + c, rounded once where the CPU can do that.
  Value fma(Value a, Value b, Value c);
  Value abs(Value a);
  Value sqrt(Value a);
  Value roundEven(Value a);
  Value copySign(Value magnitude, Value sign);
  Value select(Value condition, Value a, Value b);
  Value compare(Compare predicate, Value a, Value b);
  /// min(a, limit) and max(a, limit) that hand on a NaN in `a`.
  Value capAbove(Value a, Value limit);
  Value capBelow(Value a, Value limit);
  /// The same bits as another type.
  Value bits(Value a, mlir::Type element);
  /// c[0] + c[1] x + c[2] x^2 + ...; in f32, or f64 when `x` is.
  Value polynomial(Value x, llvm::ArrayRef<double> coefficients);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  bool hasLibm;

private:
  mlir::Type shape;
};

/// Elementary functions of f64 values; sine and cosine are `quarters` quarter
/// turns apart. `huge` ones take angles that came from f32, above 2^20.
mlir::Value doubleExp(MathBuilder &m, mlir::Value x);
mlir::Value doubleExpM1(MathBuilder &m, mlir::Value x);
mlir::Value doubleLog(MathBuilder &m, mlir::Value x);
mlir::Value doubleErf(MathBuilder &m, mlir::Value x);
mlir::Value doubleSine(MathBuilder &m, mlir::Value x, int64_t quarters);
mlir::Value doubleTangent(MathBuilder &m, mlir::Value x);
mlir::Value hugeSine(MathBuilder &m, mlir::Value x, int64_t quarters);
mlir::Value hugeTangent(MathBuilder &m, mlir::Value x);

/// Elementary functions of f32 or f64 values.
mlir::Value expandExp(MathBuilder &m, mlir::Value x);
/// That of x in [-87, 88] or NaN.
mlir::Value expandBoundedExp(MathBuilder &m, mlir::Value x);
mlir::Value expandExpM1(MathBuilder &m, mlir::Value x);
mlir::Value expandLog(MathBuilder &m, mlir::Value x);
mlir::Value expandLog1p(MathBuilder &m, mlir::Value x);
mlir::Value expandTanh(MathBuilder &m, mlir::Value x);
mlir::Value expandSinh(MathBuilder &m, mlir::Value x);
mlir::Value expandCosh(MathBuilder &m, mlir::Value x);
mlir::Value expandAsinh(MathBuilder &m, mlir::Value x);
mlir::Value expandAcosh(MathBuilder &m, mlir::Value x);
mlir::Value expandAtanh(MathBuilder &m, mlir::Value x);
mlir::Value expandErf(MathBuilder &m, mlir::Value x);
mlir::Value expandSin(MathBuilder &m, mlir::Value x);
mlir::Value expandCos(MathBuilder &m, mlir::Value x);
mlir::Value expandTan(MathBuilder &m, mlir::Value x);
mlir::Value expandAsin(MathBuilder &m, mlir::Value x);
mlir::Value expandAcos(MathBuilder &m, mlir::Value x);
mlir::Value expandAtan(MathBuilder &m, mlir::Value x);
mlir::Value expandAtan2(MathBuilder &m, mlir::Value y, mlir::Value x);
mlir::Value expandPow(MathBuilder &m, mlir::Value x, mlir::Value y);
/// C's fmod of scalars, exact.
mlir::Value expandRemainder(MathBuilder &m, mlir::Value x, mlir::Value y);

} // namespace hgc::codegen

#endif // HGC_LIB_CODEGEN_COMMON_MATHFUNCTIONS_H
