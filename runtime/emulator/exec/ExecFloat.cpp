//===- ExecFloat.cpp - f32 and f64 arithmetic -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExecApprox.h"
#include "Families.h"
#include "FloatMath.h"

using namespace hgc::emu;
using namespace hgc::emu::ptx;

namespace {

struct Add {
  template <class T> static T eval(T a, T b) { return a + b; }
};
struct Sub {
  template <class T> static T eval(T a, T b) { return a - b; }
};
struct Mul {
  template <class T> static T eval(T a, T b) { return a * b; }
};
struct Div {
  template <class T> static T eval(T a, T b) { return a / b; }
};
struct Fma {
  static float eval(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
  }
  static double eval(double a, double b, double c) {
    return __builtin_fma(a, b, c);
  }
};

template <class F, bool ftz, bool sat> struct Shaped {
  template <class T> static T eval(T a, T b) {
    T r = F::eval(maybeFlush<ftz>(a), maybeFlush<ftz>(b));
    return maybeSaturate<sat>(maybeFlush<ftz>(r));
  }
  template <class T> static T eval(T a, T b, T c) {
    T r = F::eval(maybeFlush<ftz>(a), maybeFlush<ftz>(b), maybeFlush<ftz>(c));
    return maybeSaturate<sat>(maybeFlush<ftz>(r));
  }
};

template <bool isMax, bool nan, bool xorSign, bool ftz> struct MinMax {
  template <class T> static T eval(T x, T y) {
    T a = maybeFlush<ftz>(x), b = maybeFlush<ftz>(y);
    BitsOf<T> sign = 0;
    if (xorSign) {
      sign = (bitsAs<BitsOf<T>>(a) ^ bitsAs<BitsOf<T>>(b)) & FloatBits<T>::sign;
      a = bitsAs<T>(BitsOf<T>(bitsAs<BitsOf<T>>(a) & ~FloatBits<T>::sign));
      b = bitsAs<T>(BitsOf<T>(bitsAs<BitsOf<T>>(b) & ~FloatBits<T>::sign));
    }
    T r = isMax ? maximum(a, b) : minimum(a, b);
    if (nan)
      r = a != a || b != b ? canonicalNan<T>() : r;
    return xorSign && r == r ? bitsAs<T>(bitsAs<BitsOf<T>>(r) | sign) : r;
  }
};

template <bool ftz> struct Abs {
  template <class T> static T eval(T a) {
    return maybeFlush<ftz>(
        bitsAs<T>(BitsOf<T>(bitsAs<BitsOf<T>>(a) & ~FloatBits<T>::sign)));
  }
};
template <bool ftz> struct Neg {
  template <class T> static T eval(T a) {
    return maybeFlush<ftz>(
        bitsAs<T>(BitsOf<T>(bitsAs<BitsOf<T>>(a) ^ FloatBits<T>::sign)));
  }
};

/// Two f32 in one register, the first in its low half.
template <class F> struct Pair {
  static uint64_t join(float low, float high) {
    return uint64_t(bitsAs<uint32_t>(high)) << 32 | bitsAs<uint32_t>(low);
  }
  static float low(uint64_t x) { return bitsAs<float>(uint32_t(x)); }
  static float high(uint64_t x) { return bitsAs<float>(uint32_t(x >> 32)); }
  template <class... T> static uint64_t eval(T... x) {
    return join(F::eval(low(x)...), F::eval(high(x)...));
  }
};

/// Modifiers of an arithmetic instruction.
struct Shape {
  int rounding = -1; ///< rn, rz, rm, rp, or none.
  bool ftz = false, sat = false;
  Type type = Type::None;
};

bool takeShape(Decoder &d, Shape &shape) {
  shape.rounding = d.takeOne({"rn", "rz", "rm", "rp"});
  shape.ftz = d.take("ftz");
  shape.sat = d.take("sat");
  shape.type = d.takeType({Type::F32, Type::F64, Type::F32X2});
  if (shape.type == Type::None)
    return false;
  if (shape.type == Type::F64 && (shape.ftz || shape.sat))
    return d.fail("'.ftz' and '.sat' need .f32");
  if (shape.type == Type::F32X2 && shape.sat)
    return d.fail("'.sat' needs .f32");
  d.inst().aux = shape.rounding < 0 ? 0 : shape.rounding;
  return true;
}

template <class F, bool ftz, bool sat> struct TwoF32 {
  static constexpr Handler plain = binary<Shaped<F, ftz, sat>, float, float>;
  static Handler pick(bool directed) {
    return directed ? rounded<plain> : plain;
  }
};
template <class F, bool ftz, bool sat> struct ThreeF32 {
  static constexpr Handler plain = ternary<Shaped<F, ftz, sat>, float, float>;
  static Handler pick(bool directed) {
    return directed ? rounded<plain> : plain;
  }
};
template <template <class, bool, bool> class Pick, class F>
Handler pickF32(const Shape &s) {
  bool directed = s.rounding > 0;
  if (s.ftz)
    return s.sat ? Pick<F, true, true>::pick(directed)
                 : Pick<F, true, false>::pick(directed);
  return s.sat ? Pick<F, false, true>::pick(directed)
               : Pick<F, false, false>::pick(directed);
}

template <class F, bool ftz> struct TwoPairs {
  static constexpr Handler plain =
      binary<Pair<Shaped<F, ftz, false>>, uint64_t, uint64_t>;
  static Handler pick(bool directed) {
    return directed ? rounded<plain> : plain;
  }
};
template <class F, bool ftz> struct ThreePairs {
  static constexpr Handler plain =
      ternary<Pair<Shaped<F, ftz, false>>, uint64_t, uint64_t>;
  static Handler pick(bool directed) {
    return directed ? rounded<plain> : plain;
  }
};
template <template <class, bool> class Pick, class F>
Handler pickPair(const Shape &s) {
  return s.ftz ? Pick<F, true>::pick(s.rounding > 0)
               : Pick<F, false>::pick(s.rounding > 0);
}

template <class F> Handler two(const Shape &s) {
  if (s.type == Type::F32X2)
    return pickPair<TwoPairs, F>(s);
  constexpr Handler plain = binary<Shaped<F, false, false>, double, double>;
  if (s.type == Type::F64)
    return s.rounding > 0 ? rounded<plain> : plain;
  return pickF32<TwoF32, F>(s);
}
template <class F> Handler three(const Shape &s) {
  if (s.type == Type::F32X2)
    return pickPair<ThreePairs, F>(s);
  constexpr Handler plain = ternary<Shaped<F, false, false>, double, double>;
  if (s.type == Type::F64)
    return s.rounding > 0 ? rounded<plain> : plain;
  return pickF32<ThreeF32, F>(s);
}

bool decodeDivision(Decoder &d) {
  int approximate = d.takeOne({"approx", "full"});
  Shape shape;
  if (!takeShape(d, shape) || !d.dst(shape.type) || !d.src(shape.type) ||
      !d.src(shape.type))
    return false;
  if (shape.sat || (shape.rounding < 0) == (approximate < 0) ||
      shape.type == Type::F32X2 ||
      (approximate >= 0 && shape.type == Type::F64))
    return d.fail("a division needs one of .approx, .full or a rounding");
  if (approximate >= 0) {
    constexpr Handler plain = binary<Shaped<Div, false, false>, float, float>;
    constexpr Handler flushed = binary<Shaped<Div, true, false>, float, float>;
    d.inst().aux = approxAux(Approx::Div, shape.ftz);
    return d.finish(shape.ftz ? hgc::emu::approximate<flushed>
                              : hgc::emu::approximate<plain>,
                    Counters::Special, 1);
  }
  return d.finish(two<Div>(shape), Counters::Special, 1);
}

template <bool isMax, bool ftz, class T> Handler minMaxFor(bool nan, bool x) {
  if (x)
    return nan ? binary<MinMax<isMax, true, true, ftz>, T, T>
               : binary<MinMax<isMax, false, true, ftz>, T, T>;
  return nan ? binary<MinMax<isMax, true, false, ftz>, T, T>
             : binary<MinMax<isMax, false, false, ftz>, T, T>;
}

bool decodeMinMax(Decoder &d) {
  bool isMax = d.opcode() == "max", ftz = d.take("ftz"), nan = d.take("NaN");
  bool xorSign = d.take("xorsign");
  if (xorSign && !d.take("abs"))
    return false;
  Type type = d.takeType({Type::F32, Type::F64});
  if (type == Type::None || !d.dst(type) || !d.src(type) || !d.src(type))
    return false;
  Handler handler;
  if (type == Type::F64) {
    if (ftz || nan || xorSign)
      return d.fail("modifiers of min and max need .f32");
    handler = isMax ? minMaxFor<true, false, double>(false, false)
                    : minMaxFor<false, false, double>(false, false);
  } else if (ftz)
    handler = isMax ? minMaxFor<true, true, float>(nan, xorSign)
                    : minMaxFor<false, true, float>(nan, xorSign);
  else
    handler = isMax ? minMaxFor<true, false, float>(nan, xorSign)
                    : minMaxFor<false, false, float>(nan, xorSign);
  return d.finish(handler, Counters::Float, 1);
}

bool decodeSign(Decoder &d) {
  bool isAbs = d.opcode() == "abs", ftz = d.take("ftz");
  Type type = d.takeType({Type::F32, Type::F64});
  if (type == Type::None || !d.dst(type) || !d.src(type))
    return false;
  if (type == Type::F64 && ftz)
    return d.fail("'.ftz' needs .f32");
  Handler handler = type == Type::F64
                        ? (isAbs ? unary<Abs<false>, double, double>
                                 : unary<Neg<false>, double, double>)
                    : ftz ? (isAbs ? unary<Abs<true>, float, float>
                                   : unary<Neg<true>, float, float>)
                          : (isAbs ? unary<Abs<false>, float, float>
                                   : unary<Neg<false>, float, float>);
  return d.finish(handler, Counters::Float, 1);
}

} // namespace

bool hgc::emu::decodeFloat(Decoder &d) {
  std::string_view name = d.opcode();
  if (name == "div")
    return decodeDivision(d);
  if (name == "min" || name == "max")
    return decodeMinMax(d);
  if (name == "abs" || name == "neg")
    return decodeSign(d);
  bool product = name == "fma" || name == "mad";
  if (!product && name != "add" && name != "sub" && name != "mul")
    return false;
  Shape shape;
  if (!takeShape(d, shape) || !d.dst(shape.type) || !d.src(shape.type) ||
      !d.src(shape.type) || (product && !d.src(shape.type)))
    return false;
  if (product && shape.rounding < 0)
    return d.fail("a rounding is missing");
  Handler handler = name == "add"   ? two<Add>(shape)
                    : name == "sub" ? two<Sub>(shape)
                    : name == "mul" ? two<Mul>(shape)
                                    : three<Fma>(shape);
  return d.finish(handler, Counters::Float, product ? 2 : 1);
}
