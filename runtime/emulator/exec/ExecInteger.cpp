//===- ExecInteger.cpp - integer arithmetic -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Families.h"
#include "Lanes.h"

#include <algorithm>
#include <type_traits>

using namespace hgc::emu;
using namespace hgc::emu::ptx;

namespace {

template <class T> using Unsigned = std::make_unsigned_t<T>;
template <class T>
using Double = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
    std::conditional_t<
        sizeof(T) == 4,
        std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>,
        std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>>;

struct Add {
  template <class T> static T eval(T a, T b) {
    return T(Unsigned<T>(a) + Unsigned<T>(b));
  }
};
struct Sub {
  template <class T> static T eval(T a, T b) {
    return T(Unsigned<T>(a) - Unsigned<T>(b));
  }
};
struct MulLo {
  template <class T> static T eval(T a, T b) {
    if constexpr (sizeof(T) == 2)
      return T(uint32_t(Unsigned<T>(a)) * Unsigned<T>(b));
    else
      return T(Unsigned<T>(a) * Unsigned<T>(b));
  }
};
struct MulHi {
  template <class T> static T eval(T a, T b) {
    return T((Double<T>(a) * Double<T>(b)) >> (sizeof(T) * 8));
  }
};
struct MulWide {
  template <class T> static Double<T> eval(T a, T b) {
    return Double<T>(a) * Double<T>(b);
  }
};
struct AddSat {
  static int32_t eval(int32_t a, int32_t b) {
    int64_t sum = int64_t(a) + b;
    return int32_t(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
  }
};
struct SubSat {
  static int32_t eval(int32_t a, int32_t b) {
    int64_t sum = int64_t(a) - b;
    return int32_t(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
  }
};
struct Div {
  template <class T> static T eval(T a, T b) {
    if (b == 0)
      return T(-1);
    if (std::is_signed_v<T> && b == T(-1))
      return T(Unsigned<T>(0) - Unsigned<T>(a));
    return T(a / b);
  }
};
struct Rem {
  template <class T> static T eval(T a, T b) {
    if (b == 0)
      return a;
    if (std::is_signed_v<T> && b == T(-1))
      return 0;
    return T(a % b);
  }
};
struct Min {
  template <class T> static T eval(T a, T b) { return a < b ? a : b; }
};
struct Max {
  template <class T> static T eval(T a, T b) { return a > b ? a : b; }
};
struct Abs {
  template <class T> static T eval(T a) {
    return a < 0 ? T(Unsigned<T>(0) - Unsigned<T>(a)) : a;
  }
};
struct Neg {
  template <class T> static T eval(T a) {
    return T(Unsigned<T>(0) - Unsigned<T>(a));
  }
};
struct MadLo {
  template <class T> static T eval(T a, T b, T c) {
    return Add::eval(MulLo::eval(a, b), c);
  }
};
struct MadHi {
  template <class T> static T eval(T a, T b, T c) {
    return Add::eval(MulHi::eval(a, b), c);
  }
};
struct MadHiSat {
  static int32_t eval(int32_t a, int32_t b, int32_t c) {
    return AddSat::eval(MulHi::eval(a, b), c);
  }
};
struct MadWide {
  template <class T> static Double<T> eval(T a, T b, Double<T> c) {
    using U = Unsigned<Double<T>>;
    return Double<T>(U(MulWide::eval(a, b)) + U(c));
  }
};
struct Sad {
  template <class T> static T eval(T a, T b, T c) {
    using U = Unsigned<T>;
    U apart = a < b ? U(U(b) - U(a)) : U(U(a) - U(b));
    return T(U(apart + U(c)));
  }
};
/// 24-bit operands, sign or zero extended.
template <class T> int64_t low24(T a) {
  uint32_t bits = uint32_t(a) << 8;
  return std::is_signed_v<T> ? int64_t(int32_t(bits) >> 8) : bits >> 8;
}
struct Mul24Lo {
  template <class T> static T eval(T a, T b) {
    return T(uint32_t(low24(a) * low24(b)));
  }
};
struct Mul24Hi {
  template <class T> static T eval(T a, T b) {
    return T(uint32_t((low24(a) * low24(b)) >> 16));
  }
};
struct Mad24Lo {
  template <class T> static T eval(T a, T b, T c) {
    return Add::eval(Mul24Lo::eval(a, b), c);
  }
};
struct Mad24Hi {
  template <class T> static T eval(T a, T b, T c) {
    return Add::eval(Mul24Hi::eval(a, b), c);
  }
};

template <class F> Handler two(Type type) {
  switch (type) {
  case Type::U16:
    return binary<F, uint16_t, uint16_t>;
  case Type::S16:
    return binary<F, int16_t, int16_t>;
  case Type::U32:
    return binary<F, uint32_t, uint32_t>;
  case Type::S32:
    return binary<F, int32_t, int32_t>;
  case Type::U64:
    return binary<F, uint64_t, uint64_t>;
  case Type::S64:
    return binary<F, int64_t, int64_t>;
  default:
    return nullptr;
  }
}
template <class F> Handler three(Type type) {
  switch (type) {
  case Type::U16:
    return ternary<F, uint16_t, uint16_t>;
  case Type::S16:
    return ternary<F, int16_t, int16_t>;
  case Type::U32:
    return ternary<F, uint32_t, uint32_t>;
  case Type::S32:
    return ternary<F, int32_t, int32_t>;
  case Type::U64:
    return ternary<F, uint64_t, uint64_t>;
  case Type::S64:
    return ternary<F, int64_t, int64_t>;
  default:
    return nullptr;
  }
}
template <class F> Handler one(Type type) {
  switch (type) {
  case Type::S16:
    return unary<F, int16_t, int16_t>;
  case Type::S32:
    return unary<F, int32_t, int32_t>;
  case Type::S64:
    return unary<F, int64_t, int64_t>;
  default:
    return nullptr;
  }
}
template <class F> Handler twoWide(Type type) {
  switch (type) {
  case Type::U16:
    return binary<F, uint32_t, uint16_t>;
  case Type::S16:
    return binary<F, int32_t, int16_t>;
  case Type::U32:
    return binary<F, uint64_t, uint32_t>;
  case Type::S32:
    return binary<F, int64_t, int32_t>;
  default:
    return nullptr;
  }
}
template <class F> Handler threeWide(Type type) {
  switch (type) {
  case Type::U16:
    return ternary<F, uint32_t, uint16_t>;
  case Type::S16:
    return ternary<F, int32_t, int16_t>;
  case Type::U32:
    return ternary<F, uint64_t, uint32_t>;
  case Type::S32:
    return ternary<F, int64_t, int32_t>;
  default:
    return nullptr;
  }
}

Type widened(Type type) {
  switch (type) {
  case Type::U16:
    return Type::U32;
  case Type::S16:
    return Type::S32;
  case Type::U32:
    return Type::U64;
  default:
    return Type::S64;
  }
}

Type takeInteger(Decoder &d) {
  return d.takeType(
      {Type::U16, Type::S16, Type::U32, Type::S32, Type::U64, Type::S64});
}

/// mul, mad and their 24-bit forms.
bool decodeProduct(Decoder &d) {
  bool mad = d.opcode().substr(0, 3) == "mad";
  bool short24 = d.opcode().size() > 3;
  int part = d.takeOne({"lo", "hi", "wide"});
  if (part < 0)
    return d.fail("'.lo', '.hi' or '.wide' is missing");
  bool saturate = d.take("sat");
  Type type = takeInteger(d);
  if (type == Type::None)
    return false;
  if (short24 && (part == 2 || sizeOf(type) != 4 || saturate))
    return false;
  if (saturate && (part != 1 || !mad || type != Type::S32))
    return d.fail("'.sat' needs mad.hi.s32");
  if (part == 2 && sizeOf(type) == 8)
    return d.fail("'.wide' needs 16 or 32 bits");
  Type result = part == 2 ? widened(type) : type;
  if (!d.dst(result) || !d.src(type) || !d.src(type) || (mad && !d.src(result)))
    return false;
  Handler handler;
  if (short24)
    handler = mad ? (part ? three<Mad24Hi>(type) : three<Mad24Lo>(type))
                  : (part ? two<Mul24Hi>(type) : two<Mul24Lo>(type));
  else if (saturate)
    handler = ternary<MadHiSat, int32_t, int32_t>;
  else if (part == 2)
    handler = mad ? threeWide<MadWide>(type) : twoWide<MulWide>(type);
  else if (part == 1)
    handler = mad ? three<MadHi>(type) : two<MulHi>(type);
  else
    handler = mad ? three<MadLo>(type) : two<MulLo>(type);
  return d.finish(handler, Counters::Integer);
}

struct PlainOp {
  std::string_view name;
  Handler (*pick)(Type);
  unsigned sources;
};
constexpr PlainOp plainOps[] = {
    {"add", two<Add>, 2}, {"sub", two<Sub>, 2}, {"div", two<Div>, 2},
    {"rem", two<Rem>, 2}, {"min", two<Min>, 2}, {"max", two<Max>, 2},
    {"abs", one<Abs>, 1}, {"neg", one<Neg>, 1}, {"sad", three<Sad>, 3}};

} // namespace

bool hgc::emu::decodeInteger(Decoder &d) {
  std::string_view name = d.opcode();
  if (name.substr(0, 3) == "mul" || name.substr(0, 3) == "mad")
    return decodeProduct(d);
  bool saturate = d.take("sat");
  Type type = takeInteger(d);
  if (type == Type::None)
    return false;
  for (const PlainOp &op : plainOps) {
    if (op.name != name)
      continue;
    if (!d.dst(type))
      return false;
    for (unsigned i = 0; i < op.sources; ++i)
      if (!d.src(type))
        return false;
    Handler handler = op.pick(type);
    if (saturate) {
      if (type != Type::S32 || (name != "add" && name != "sub"))
        return d.fail("'.sat' needs add.s32 or sub.s32");
      handler = name == "add" ? binary<AddSat, int32_t, int32_t>
                              : binary<SubSat, int32_t, int32_t>;
    }
    return d.finish(handler, Counters::Integer);
  }
  return false;
}
