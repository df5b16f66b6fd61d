//===- ExecSpecial.cpp - reciprocals, roots and transcendentals -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `.approx` forms are computed more exactly than PTX promises, unless a launch
// asks for less; the rounded forms are those of IEEE 754.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "ExecApprox.h"
#include "Families.h"
#include "FloatMath.h"
#include "Half.h"

using namespace hgc::emu;
using namespace hgc::emu::ptx;

namespace {

struct Rcp {
  template <class T> static T eval(T a) { return T(1) / a; }
};
struct Sqrt {
  static float eval(float a) { return __builtin_sqrtf(a); }
  static double eval(double a) { return __builtin_sqrt(a); }
};
struct Rsqrt {
  static float eval(float a) {
    return static_cast<float>(1.0 / __builtin_sqrt(double(a)));
  }
  static double eval(double a) { return 1.0 / __builtin_sqrt(a); }
};
struct Ex2 {
  static float eval(float a) {
    // 2^a = 2^n * 2^f with f in [-0.5, 0.5]; two factors reach the subnormals.
    float x = a < -160.0f ? -160.0f : a > 130.0f ? 130.0f : a;
    x = x == x ? x : 0.0f;
    float n = __builtin_rintf(x);
    float f = x - n;
    float p = 1.5353362e-4f;
    p = __builtin_fmaf(p, f, 1.3398874e-3f);
    p = __builtin_fmaf(p, f, 9.6184373e-3f);
    p = __builtin_fmaf(p, f, 5.5503324e-2f);
    p = __builtin_fmaf(p, f, 2.4022650e-1f);
    p = __builtin_fmaf(p, f, 6.9314718e-1f);
    p = __builtin_fmaf(p, f, 1.0f);
    int32_t whole = int32_t(n), half = whole >> 1;
    float low = bitsAs<float>(uint32_t(half + 127) << 23);
    float high = bitsAs<float>(uint32_t(whole - half + 127) << 23);
    float r = p * low * high;
    return a == a ? r : canonicalNan<float>();
  }
};
struct Lg2 {
  static float eval(float a) { return log2f(a); }
};
struct Sin {
  static float eval(float a) { return sinf(a); }
};
struct Cos {
  static float eval(float a) { return cosf(a); }
};
struct Tanh {
  static float eval(float a) { return tanhf(a); }
};

template <class F, bool ftz> struct Shaped {
  template <class T> static T eval(T a) {
    return maybeFlush<ftz>(F::eval(maybeFlush<ftz>(a)));
  }
};

/// 16-bit floats go through f32.
template <class F, bool brain> struct OnHalf {
  static uint16_t eval(uint16_t a) {
    float value = F::eval(brain ? fromBrain(a) : fromHalf(a));
    return brain ? toBrain(value) : toHalf(value);
  }
  static uint32_t eval(uint32_t a) {
    return uint32_t(eval(uint16_t(a >> 16))) << 16 | eval(uint16_t(a));
  }
};

template <class F> Handler halfHandler(Type type) {
  switch (type) {
  case Type::F16:
    return unary<OnHalf<F, false>, uint16_t, uint16_t>;
  case Type::F16X2:
    return unary<OnHalf<F, false>, uint32_t, uint32_t>;
  case Type::BF16:
    return unary<OnHalf<F, true>, uint16_t, uint16_t>;
  default:
    return unary<OnHalf<F, true>, uint32_t, uint32_t>;
  }
}

template <class F> Handler floatHandler(bool ftz, bool directed) {
  constexpr Handler plain = unary<Shaped<F, false>, float, float>;
  constexpr Handler flushed = unary<Shaped<F, true>, float, float>;
  if (directed)
    return ftz ? rounded<flushed> : rounded<plain>;
  return ftz ? flushed : plain;
}
template <class F> Handler approxHandler(bool ftz) {
  constexpr Handler plain = unary<Shaped<F, false>, float, float>;
  constexpr Handler flushed = unary<Shaped<F, true>, float, float>;
  return ftz ? approximate<flushed> : approximate<plain>;
}
template <class F> Handler doubleHandler(bool directed) {
  constexpr Handler plain = unary<F, double, double>;
  return directed ? rounded<plain> : plain;
}

/// rcp, sqrt, rsqrt: `.approx` or a rounding.
bool decodeRoot(Decoder &d) {
  std::string_view name = d.opcode();
  bool approx = d.take("approx");
  int rounding = approx ? -1 : d.takeOne({"rn", "rz", "rm", "rp"});
  bool ftz = d.take("ftz");
  Type type = d.takeType({Type::F32, Type::F64});
  if (type == Type::None || !d.dst(type) || !d.src(type))
    return false;
  bool rsqrt = name == "rsqrt";
  if ((!approx && (rounding < 0 || rsqrt)) ||
      (type == Type::F64 && name == "sqrt" && approx))
    return d.fail("'.approx' or a rounding is missing");
  if (type == Type::F64 && ftz && !approx)
    return d.fail("'.ftz' needs .f32");
  Approx function = rsqrt            ? Approx::Rsqrt
                    : name == "sqrt" ? Approx::Sqrt
                                     : Approx::Rcp;
  d.inst().aux = approx ? approxAux(function, ftz)
                        : static_cast<uint32_t>(std::max(rounding, 0));
  bool directed = rounding > 0;
  Handler handler;
  if (type == Type::F64)
    handler = rsqrt            ? doubleHandler<Rsqrt>(false)
              : name == "sqrt" ? doubleHandler<Sqrt>(directed)
                               : doubleHandler<Rcp>(directed);
  else if (approx)
    handler = rsqrt            ? approxHandler<Rsqrt>(ftz)
              : name == "sqrt" ? approxHandler<Sqrt>(ftz)
                               : approxHandler<Rcp>(ftz);
  else
    handler = name == "sqrt" ? floatHandler<Sqrt>(ftz, directed)
                             : floatHandler<Rcp>(ftz, directed);
  return d.finish(handler, Counters::Special, 1);
}

struct Function1 {
  std::string_view name;
  Approx function;
  Handler (*onFloat)(bool);
  Handler (*onHalf)(Type); ///< Null: f32 only.
};
constexpr Function1 functions[] = {
    {"ex2", Approx::Ex2, approxHandler<Ex2>, halfHandler<Ex2>},
    {"lg2", Approx::Lg2, approxHandler<Lg2>, nullptr},
    {"sin", Approx::Sin, approxHandler<Sin>, nullptr},
    {"cos", Approx::Cos, approxHandler<Cos>, nullptr},
    {"tanh", Approx::Tanh, approxHandler<Tanh>, halfHandler<Tanh>}};

bool decodeFunction(Decoder &d) {
  if (!d.take("approx"))
    return d.fail("'.approx' is missing");
  bool ftz = d.take("ftz");
  Type type =
      d.takeType({Type::F32, Type::F16, Type::F16X2, Type::BF16, Type::BF16X2});
  if (type == Type::None || !d.dst(type) || !d.src(type))
    return false;
  for (const Function1 &function : functions) {
    if (function.name != d.opcode())
      continue;
    if (function.name == "tanh" && ftz)
      return d.fail("tanh has no '.ftz'");
    d.inst().aux = approxAux(function.function, ftz);
    Handler handler = type == Type::F32 ? function.onFloat(ftz)
                      : function.onHalf ? function.onHalf(type)
                                        : nullptr;
    return d.finish(handler, Counters::Special, 1);
  }
  return false;
}

} // namespace

const Opcode hgc::emu::specialOpcodes[] = {
    {"rcp", decodeRoot},     {"sqrt", decodeRoot},     {"rsqrt", decodeRoot},
    {"ex2", decodeFunction}, {"lg2", decodeFunction},  {"sin", decodeFunction},
    {"cos", decodeFunction}, {"tanh", decodeFunction}, {"", nullptr}};
