//===- ExecMove.cpp - mov, selp, cvta and other ways to carry values ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DecodeMemory.h"
#include "FloatMath.h"

using namespace hgc::emu;
using namespace hgc::emu::ptx;

namespace {

struct Copy {
  template <class T> static T eval(T a) { return a; }
};
template <class T> constexpr Handler copy = unary<Copy, T, T>;

Handler copyOf(unsigned bytes) {
  return bytes == 2   ? copy<uint16_t>
         : bytes == 4 ? copy<uint32_t>
                      : copy<uint64_t>;
}

bool copyPredicate(Warp &w, const Inst &inst) {
  uint32_t value = w.predicates[inst.op[1]];
  setPredicate(w, inst.op[0], inst.aux ? ~value : value);
  return true;
}

/// Time as the instructions the block has run.
template <class T> bool readClock(Warp &w, const Inst &inst) {
  T now = T(w.worker->config->instructionLimit - w.block->budget);
  T *d = lanesOf<T>(w, inst.op[0]);
  HGC_EMU_ACTIVE(w.active) d[i] = now;
  return true;
}

/// imm: elements; aux: bytes of one. The whole is op[0].
bool pack(Warp &w, const Inst &inst) {
  unsigned part = inst.aux, whole = part * unsigned(inst.imm);
  uint8_t *d = lanesOf<uint8_t>(w, inst.op[0]);
  HGC_EMU_ACTIVE(w.active)
  for (unsigned k = 0; k < inst.imm; ++k)
    std::memcpy(d + i * whole + k * part,
                sourceOf<uint8_t>(w, inst.op[1 + k]) + i * part, part);
  return true;
}
/// A destination of -1 is not wanted.
bool unpack(Warp &w, const Inst &inst) {
  unsigned part = inst.aux, whole = part * unsigned(inst.imm);
  const uint8_t *s = sourceOf<uint8_t>(w, inst.op[0]);
  for (unsigned k = 0; k < inst.imm; ++k)
    if (w.program->more[inst.more + k] != poolBit) {
      uint8_t *d = lanesOf<uint8_t>(w, w.program->more[inst.more + k]);
      HGC_EMU_ACTIVE(w.active)
      std::memcpy(d + i * part, s + i * whole + k * part, part);
    }
  return true;
}

template <class T> bool select(Warp &w, const Inst &inst) {
  T *d = lanesOf<T>(w, inst.op[0]);
  const T *a = sourceOf<T>(w, inst.op[1]), *b = sourceOf<T>(w, inst.op[2]);
  uint32_t p = w.predicates[inst.op[3]];
  p = inst.aux ? ~p : p;
  if (w.converged())
    HGC_EMU_LANES d[i] = p >> i & 1 ? a[i] : b[i];
  else
    HGC_EMU_ACTIVE(w.active) d[i] = p >> i & 1 ? a[i] : b[i];
  return true;
}

struct SelectSign {
  template <class T> static T eval(T a, T b, int32_t c) {
    return c >= 0 ? a : b;
  }
};
/// Negative zero counts as zero, NaN as negative.
struct SelectFloat {
  template <class T> static T eval(T a, T b, float c) { return c >= 0 ? a : b; }
};
struct SelectFlushed {
  template <class T> static T eval(T a, T b, float c) {
    return flush(c) >= 0 ? a : b;
  }
};
template <class C, class T>
constexpr Handler slct32 = ternary<C, T, T, T, int32_t>;
template <class C, class T>
constexpr Handler slctF = ternary<C, T, T, T, float>;

template <class T> struct CopySign {
  static T eval(T a, T b) { return (a & ~(~T(0) >> 1)) | (b & (~T(0) >> 1)); }
};

enum class Kind : uint8_t { Finite, Infinite, Number, NotANumber, Normal, Sub };

template <class T> bool isKind(T value, unsigned kind) {
  switch (Kind(kind)) {
  case Kind::Finite:
    return std::isfinite(value);
  case Kind::Infinite:
    return std::isinf(value);
  case Kind::Number:
    return value == value;
  case Kind::NotANumber:
    return value != value;
  case Kind::Normal:
    return std::fpclassify(value) == FP_NORMAL;
  case Kind::Sub:
    return std::fpclassify(value) == FP_SUBNORMAL;
  }
  return false;
}
template <class T> bool testKind(Warp &w, const Inst &inst) {
  const T *a = sourceOf<T>(w, inst.op[1]);
  uint32_t result = 0;
  HGC_EMU_ACTIVE(w.active) result |= uint32_t(isKind(a[i], inst.aux)) << i;
  setPredicate(w, inst.op[0], result);
  return true;
}

struct AddWindow {
  static uint64_t eval(uint64_t a, uint64_t b) { return a + b; }
};

/// aux: the window, by its number, or 0 for global memory.
bool isSpace(Warp &w, const Inst &inst) {
  static constexpr uint64_t windows[] = {0, sharedWindow, localWindow,
                                         paramWindow};
  const uint64_t *a = sourceOf<uint64_t>(w, inst.op[1]);
  uint32_t result = 0;
  HGC_EMU_ACTIVE(w.active) {
    bool in = inst.aux ? a[i] - windows[inst.aux] < windowBytes
                       : w.worker->memory->owns(a[i]);
    if (inst.imm) { // .const
      const Allocation *found = w.worker->memory->find(a[i]);
      in = found && found->readOnly;
    }
    result |= uint32_t(in) << i;
  }
  setPredicate(w, inst.op[0], result);
  return true;
}

bool doNothing(Warp &, const Inst &) { return true; }

constexpr std::initializer_list<Type> moved = {
    Type::B16, Type::U16, Type::S16, Type::F16, Type::BF16,
    Type::B32, Type::U32, Type::S32, Type::F32, Type::B64,
    Type::U64, Type::S64, Type::F64};

Type partOf(Type type, size_t count) {
  unsigned bytes = sizeOf(type) / unsigned(count ? count : 1);
  return bytes == 2 ? Type::B16 : bytes == 4 ? Type::B32 : Type::None;
}

bool decodePack(Decoder &d, Type type, const Operand &target,
                const Operand &source) {
  const Operand &list = target.kind == Operand::Vector ? target : source;
  bool unpacks = &list == &target;
  const Operand &whole = unpacks ? source : target;
  size_t count = list.elements.size();
  Type part = partOf(type, count);
  if ((count != 2 && count != 4) || part == Type::None ||
      whole.kind == Operand::Vector)
    return d.fail("the elements do not make up the type ." +
                  std::string(nameOf(type)));
  d.inst().aux = sizeOf(part);
  d.inst().imm = int64_t(count);
  if (unpacks ? !d.bindSrc(whole, type, false, d.inst().op[0])
              : !d.bindDst(whole, type, false, d.inst().op[0]))
    return false;
  d.current().patched |= 1;
  std::vector<int32_t> ops(count, poolBit);
  for (size_t k = 0; k < count; ++k) {
    const Operand &element = list.elements[k];
    if (unpacks && element.kind == Operand::Sink)
      continue;
    if (unpacks ? !d.bindDst(element, part, false, ops[k])
                : !d.bindSrc(element, part, false, ops[k]))
      return false;
  }
  if (unpacks)
    d.addMore(ops);
  else
    for (size_t k = 0; k < count; ++k) {
      d.inst().op[1 + k] = ops[k];
      d.current().patched |= 2u << k;
    }
  return d.finish(unpacks ? unpack : pack, Counters::Move);
}

bool decodeMov(Decoder &d) {
  bool negated = false;
  if (d.take("pred")) {
    if (!d.dstPredicate() || !d.srcPredicate(d.inst().op[1], negated))
      return false;
    d.inst().aux = negated;
    return d.finish(copyPredicate, Counters::Move);
  }
  Type type = d.takeType(moved);
  if (type == Type::None || d.operandCount() != 2)
    return false;
  const Operand &target = d.peekOperand();
  const Operand &source = *(&target + 1);
  if (target.kind == Operand::Vector || source.kind == Operand::Vector) {
    d.takeOperand();
    d.takeOperand();
    return decodePack(d, type, target, source);
  }
  // 16-bit floats are written as their bits.
  bool bits =
      (type == Type::F16 || type == Type::BF16) && source.kind == Operand::Int;
  if (!d.dst(type) || !d.src(bits ? Type::B16 : type))
    return false;
  Handler handler = copyOf(sizeOf(type));
  if (source.kind == Operand::Special &&
      (source.text.substr(0, 6) == "%clock" || source.text == "%globaltimer"))
    handler = sizeOf(type) == 8 ? readClock<uint64_t> : readClock<uint32_t>;
  return d.finish(handler, Counters::Move);
}

bool decodeSelp(Decoder &d) {
  Type type = d.takeType(moved);
  bool negated = false;
  if (type == Type::None || !d.dst(type) || !d.src(type) || !d.src(type) ||
      !d.srcPredicate(d.inst().op[3], negated))
    return false;
  d.inst().aux = negated;
  unsigned bytes = sizeOf(type);
  return d.finish(bytes == 2   ? select<uint16_t>
                  : bytes == 4 ? select<uint32_t>
                               : select<uint64_t>,
                  Counters::Move);
}

bool decodeSlct(Decoder &d) {
  bool ftz = d.take("ftz");
  Type type = d.takeType(moved);
  Type sign = type == Type::None ? type : d.takeType({Type::S32, Type::F32});
  if (sign == Type::None || !d.dst(type) || !d.src(type) || !d.src(type) ||
      !d.src(sign))
    return false;
  unsigned k = __builtin_ctz(sizeOf(type)) - 1;
  static constexpr Handler onInt[] = {slct32<SelectSign, uint16_t>,
                                      slct32<SelectSign, uint32_t>,
                                      slct32<SelectSign, uint64_t>};
  static constexpr Handler onFloat[] = {slctF<SelectFloat, uint16_t>,
                                        slctF<SelectFloat, uint32_t>,
                                        slctF<SelectFloat, uint64_t>};
  static constexpr Handler onFlushed[] = {slctF<SelectFlushed, uint16_t>,
                                          slctF<SelectFlushed, uint32_t>,
                                          slctF<SelectFlushed, uint64_t>};
  return d.finish(sign == Type::S32 ? onInt[k]
                  : ftz             ? onFlushed[k]
                                    : onFloat[k],
                  Counters::Move);
}

bool decodeCopysign(Decoder &d) {
  Type type = d.takeType({Type::F32, Type::F64});
  return type != Type::None && d.dst(type) && d.src(type) && d.src(type) &&
         d.finish(type == Type::F32
                      ? binary<CopySign<uint32_t>, uint32_t, uint32_t>
                      : binary<CopySign<uint64_t>, uint64_t, uint64_t>,
                  Counters::Float);
}

bool decodeTestp(Decoder &d) {
  int kind = d.takeOne(
      {"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  Type type = d.takeType({Type::F32, Type::F64});
  if (kind < 0 || type == Type::None || !d.dstPredicate() || !d.src(type))
    return false;
  d.inst().aux = kind;
  return d.finish(type == Type::F32 ? testKind<float> : testKind<double>,
                  Counters::Move);
}

uint64_t windowOf(Space space) {
  return space == Space::Shared  ? sharedWindow
         : space == Space::Local ? localWindow
         : space == Space::Param ? paramWindow
                                 : 0;
}

bool decodeCvta(Decoder &d) {
  bool back = d.take("to");
  Space space = takeSpace(d);
  Type type = d.takeType({Type::U64, Type::U32});
  if (type != Type::U64 || space == Space::Generic)
    return d.fail("cvta needs a space and 64 bits");
  if (!d.dst(type) || !d.src(type))
    return false;
  uint64_t window = windowOf(space);
  if (!window)
    return d.finish(copy<uint64_t>, Counters::Integer);
  d.inst().op[2] = d.constant(back ? 0 - window : window, 8);
  return d.finish(binary<AddWindow, uint64_t, uint64_t>, Counters::Integer);
}

bool decodeIsspacep(Decoder &d) {
  Space space = takeSpace(d);
  if (space == Space::Generic)
    return d.fail("a space is missing");
  if (!d.dstPredicate() || !d.src(Type::U64))
    return false;
  d.inst().aux = space == Space::Shared  ? 1
                 : space == Space::Local ? 2
                 : space == Space::Param ? 3
                                         : 0;
  d.inst().imm = space == Space::Const;
  return d.finish(isSpace, Counters::Integer);
}

bool decodeNanosleep(Decoder &d) {
  return d.take("u32") && d.src(Type::U32) &&
         d.finish(doNothing, Counters::Control);
}

} // namespace

const Opcode hgc::emu::moveOpcodes[] = {{"mov", decodeMov},
                                        {"selp", decodeSelp},
                                        {"slct", decodeSlct},
                                        {"copysign", decodeCopysign},
                                        {"testp", decodeTestp},
                                        {"cvta", decodeCvta},
                                        {"isspacep", decodeIsspacep},
                                        {"nanosleep", decodeNanosleep},
                                        {"", nullptr}};
