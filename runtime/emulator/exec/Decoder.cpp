//===- Decoder.cpp - modifiers and operands of instructions ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decoder.h"

#include <cstring>

using namespace hgc::emu;
using namespace hgc::emu::ptx;

DecodeFn hgc::emu::findOpcode(std::string_view name) {
  static const std::map<std::string_view, DecodeFn> all = [] {
    std::map<std::string_view, DecodeFn> result;
    for (const Opcode *table :
         {arithmeticOpcodes, asyncOpcodes, atomicOpcodes, bitOpcodes,
          compareOpcodes, controlOpcodes, convertOpcodes, matrixOpcodes,
          memoryOpcodes, moveOpcodes, permuteOpcodes, specialOpcodes,
          warpOpcodes})
      for (; !table->name.empty(); ++table)
        result.emplace(table->name, table->decode);
    return result;
  }();
  auto found = all.find(name);
  return found == all.end() ? nullptr : found->second;
}

bool Decoder::fail(const std::string &what) {
  if (error.empty())
    error = "line " + std::to_string(ast->line) + ": " + what + ": " +
            draft->info.text;
  return false;
}

/// White space and comments of the text would spoil a one-line message.
static std::string oneLine(std::string_view text) {
  std::string result;
  for (char c : text.substr(0, 240)) {
    bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!space)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  return result;
}

bool Decoder::decode(const Instruction &inst, Frame &inFrame) {
  drafts.emplace_back();
  draft = &drafts.back();
  ast = &inst;
  frame = &inFrame;
  nextModifier = nextOperand = nextOp = 0;
  draft->frame = frameIndex;
  draft->info.line = inst.line;
  draft->info.function = inFrame.name;
  draft->info.text = oneLine(inst.text);
  if (inst.guard >= 0) {
    int32_t reg = virtualOf(inst.guard);
    draft->inst.guard = static_cast<int16_t>(registers[reg].slot);
    draft->inst.guardNegated = inst.guardNegated;
  }
  DecodeFn function = findOpcode(inst.opcode);
  if (!function)
    return fail("unknown instruction '" + std::string(inst.opcode) + "'");
  if (!function(*this))
    return fail("'" + std::string(inst.opcode) + "' has an unexpected form");
  if (inst.guard >= 0)
    draft->uses.insert(draft->uses.end(), draft->defs.begin(),
                       draft->defs.end());
  return true;
}

bool Decoder::take(std::string_view name) {
  if (nextModifier >= ast->modifiers.size() ||
      ast->modifiers[nextModifier] != name)
    return false;
  ++nextModifier;
  return true;
}

int Decoder::takeOne(std::initializer_list<std::string_view> names) {
  int index = 0;
  for (std::string_view name : names) {
    if (take(name))
      return index;
    ++index;
  }
  return -1;
}

Type Decoder::takeType(std::initializer_list<Type> allowed) {
  std::string_view name = nextModifier < ast->modifiers.size()
                              ? ast->modifiers[nextModifier]
                              : std::string_view();
  Type type = typeNamed(name);
  for (Type candidate : allowed)
    if (candidate == type && type != Type::None) {
      ++nextModifier;
      return type;
    }
  fail(name.empty() ? "a type is missing"
                    : "unknown modifier '." + std::string(name) + "'");
  return Type::None;
}

Type Decoder::lastType() const {
  return ast->modifiers.empty() ? Type::None : typeNamed(ast->modifiers.back());
}

bool Decoder::hasModifier(std::string_view name) const {
  for (std::string_view modifier : ast->modifiers)
    if (modifier == name)
      return true;
  return false;
}

const Operand *Decoder::takeOperand() {
  if (nextOperand >= ast->operands.size()) {
    fail("an operand is missing");
    return nullptr;
  }
  return &ast->operands[nextOperand++];
}

bool Decoder::checkRegister(int32_t reg, Type type, bool wide) {
  const Register &declared = frame->function->registers[reg];
  unsigned have = sizeOf(declared.type), want = sizeOf(type);
  std::string name =
      "register '" + declared.name + "' of type ." + nameOf(declared.type);
  if (declared.type == Type::Pred || (wide ? have < want : have != want))
    return fail(name + " does not fit the type ." + nameOf(type));
  bool mixes = (isFloat(declared.type) && isInteger(type)) ||
               (isInteger(declared.type) && isFloat(type));
  if (mixes)
    return fail(name + " does not match the type ." + nameOf(type));
  return true;
}

bool Decoder::bindDst(const Operand &operand, Type type, bool wide,
                      int32_t &op) {
  if (operand.kind != Operand::Reg)
    return fail("the destination '" + std::string(operand.text) +
                "' is not a register");
  if (!checkRegister(operand.reg, type, wide))
    return false;
  op = virtualOf(operand.reg);
  draft->defs.push_back(op);
  return true;
}

bool Decoder::immediate(const Operand &operand, Type type, uint64_t &bits) {
  unsigned bytes = sizeOf(type);
  bits = operand.bits;
  float narrow;
  double wide;
  std::string text(operand.text);
  if (operand.kind == Operand::Int) {
    if (isFloat(type) && type != Type::F16X2 && type != Type::BF16X2)
      return fail("'" + text + "' is no constant of type ." + nameOf(type));
    int64_t value = static_cast<int64_t>(bits);
    int64_t low = bytes < 8 ? -(1ll << (bytes * 8 - 1)) : INT64_MIN;
    int64_t high = bytes < 8 ? (1ll << (bytes * 8)) - 1 : INT64_MAX;
    if (bytes < 8 && (value < low || value > high))
      return fail("the constant '" + text + "' does not fit the type ." +
                  nameOf(type));
  } else if (operand.kind == Operand::Float32) {
    if (type == Type::F64) {
      std::memcpy(&narrow, &bits, 4);
      wide = narrow;
      std::memcpy(&bits, &wide, 8);
    } else if (type != Type::F32 && type != Type::B32 && type != Type::TF32)
      return fail("'" + text + "' is no constant of type ." + nameOf(type));
  } else if (type == Type::F32) {
    std::memcpy(&wide, &bits, 8);
    narrow = static_cast<float>(wide);
    bits = 0;
    std::memcpy(&bits, &narrow, 4);
  } else if (type != Type::F64 && type != Type::B64)
    return fail("'" + text + "' is no constant of type ." + nameOf(type));
  if (bytes < 8)
    bits &= (1ull << (bytes * 8)) - 1;
  return true;
}

namespace {

struct SpecialName {
  std::string_view name;
  Special what;
  unsigned bytes;
};

constexpr SpecialName specialNames[] = {
    {"%tid.x", Special::TidX, 4},
    {"%tid.y", Special::TidY, 4},
    {"%tid.z", Special::TidZ, 4},
    {"%ntid.x", Special::NtidX, 4},
    {"%ntid.y", Special::NtidY, 4},
    {"%ntid.z", Special::NtidZ, 4},
    {"%ctaid.x", Special::CtaidX, 4},
    {"%ctaid.y", Special::CtaidY, 4},
    {"%ctaid.z", Special::CtaidZ, 4},
    {"%nctaid.x", Special::NctaidX, 4},
    {"%nctaid.y", Special::NctaidY, 4},
    {"%nctaid.z", Special::NctaidZ, 4},
    {"%laneid", Special::LaneId, 4},
    {"%warpid", Special::WarpId, 4},
    {"%nwarpid", Special::NwarpId, 4},
    {"%smid", Special::SmId, 4},
    {"%nsmid", Special::NsmId, 4},
    {"%gridid", Special::GridId, 8},
    {"%lanemask_eq", Special::LanemaskEq, 4},
    {"%lanemask_le", Special::LanemaskLe, 4},
    {"%lanemask_lt", Special::LanemaskLt, 4},
    {"%lanemask_ge", Special::LanemaskGe, 4},
    {"%lanemask_gt", Special::LanemaskGt, 4},
    {"%dynamic_smem_size", Special::DynamicShared, 4},
    {"%total_smem_size", Special::TotalShared, 4},
    {"%clock", Special::Clock, 4},
    {"%clock_hi", Special::Clock, 4},
    {"%clock64", Special::Clock64, 8},
    {"%globaltimer", Special::Clock64, 8},
};

} // namespace

bool Decoder::bindSrc(const Operand &operand, Type type, bool wide,
                      int32_t &op) {
  unsigned bytes = sizeOf(type);
  uint64_t bits = 0;
  switch (operand.kind) {
  case Operand::Reg:
    if (!checkRegister(operand.reg, type, wide))
      return false;
    op = virtualOf(operand.reg);
    draft->uses.push_back(op);
    return true;
  case Operand::Int:
  case Operand::Float32:
  case Operand::Float64:
    if (!immediate(operand, type, bits))
      return false;
    op = constant(bits, bytes);
    return true;
  case Operand::Symbol:
    if (const Place *place = placeOf(operand)) {
      if (bytes != 8 && !(bytes == 4 && place->space == Space::Shared))
        return fail("an address does not fit the type ." +
                    std::string(nameOf(type)));
      op = addressConstant(*place, operand.bits, bytes);
      return true;
    }
    return false;
  case Operand::Special:
    for (const SpecialName &entry : specialNames)
      if (entry.name == operand.text) {
        if (entry.bytes != bytes || isFloat(type))
          return fail("'" + std::string(operand.text) +
                      "' does not fit the type ." + nameOf(type));
        op = special(entry.what, bytes);
        draft->uses.push_back(op);
        return true;
      }
    return fail("unknown register '" + std::string(operand.text) + "'");
  case Operand::Name:
    if (operand.text == "WARP_SZ") {
      op = constant(32, bytes);
      return true;
    }
    return fail("unknown name '" + std::string(operand.text) + "'");
  default:
    return fail("'" + std::string(operand.text) + "' is not a source operand");
  }
}

bool Decoder::dst(Type type, bool wide) {
  const Operand *operand = takeOperand();
  if (!operand || !bindDst(*operand, type, wide, draft->inst.op[nextOp]))
    return false;
  draft->patched |= 1u << nextOp++;
  return true;
}

bool Decoder::src(Type type, bool wide) {
  const Operand *operand = takeOperand();
  if (!operand || !bindSrc(*operand, type, wide, draft->inst.op[nextOp]))
    return false;
  draft->patched |= 1u << nextOp++;
  return true;
}

bool Decoder::bindPredicate(const Operand &operand, int32_t &slot, bool isDef) {
  bool negated = operand.kind == Operand::NotReg;
  if (operand.kind == Operand::Int && !isDef) {
    slot = operand.bits ? 1 : 0;
    return true;
  }
  if ((operand.kind != Operand::Reg && !negated) || (negated && isDef) ||
      frame->function->registers[operand.reg].type != Type::Pred)
    return fail("'" + std::string(operand.text) + "' is not a predicate");
  slot = registers[virtualOf(operand.reg)].slot;
  return true;
}

bool Decoder::dstPredicate() {
  const Operand *operand = takeOperand();
  return operand &&
         bindPredicate(*operand, draft->inst.op[nextOp++], /*isDef=*/true);
}

bool Decoder::srcPredicate(int32_t &slot, bool &negated) {
  const Operand *operand = takeOperand();
  if (!operand)
    return false;
  negated = operand->kind == Operand::NotReg;
  return bindPredicate(*operand, slot, /*isDef=*/false);
}

bool Decoder::address(Space space) {
  const Operand *operand = takeOperand();
  if (!operand || !bindAddress(*operand, space, draft->inst.op[nextOp],
                               draft->inst.imm, draft->inst.flags))
    return false;
  draft->patched |= 1u << nextOp++;
  return true;
}

bool Decoder::bindAddress(const Operand &operand, Space space, int32_t &op,
                          int64_t &imm, uint8_t &flags) {
  if (operand.kind != Operand::Address)
    return fail("'" + std::string(operand.text) + "' is not an address");
  imm = static_cast<int64_t>(operand.bits);
  if (operand.reg >= 0) {
    Type type = frame->function->registers[operand.reg].type;
    bool narrow = sizeOf(type) == 4;
    if (isFloat(type) || type == Type::Pred ||
        !(sizeOf(type) == 8 ||
          (narrow && space != Space::Generic && space != Space::Global)))
      return fail("register '" + std::string(operand.text) + "' of type ." +
                  nameOf(type) + " cannot hold an address");
    if (narrow)
      flags |= narrowAddress;
    op = virtualOf(operand.reg);
    draft->uses.push_back(op);
    return true;
  }
  if (operand.variable == noVariable) {
    op = constant(0, 8);
    return true;
  }
  const Place *place = placeOf(operand);
  if (!place)
    return false;
  if (place->space != space && space != Space::Generic)
    return fail("'" + std::string(operand.text) + "' is in ." +
                nameOf(place->space) + " memory");
  Place generic = *place;
  if (space == Space::Generic && place->space == Space::Shared)
    return fail("'" + std::string(operand.text) +
                "' needs .shared in the instruction");
  op = addressConstant(generic, 0, 8);
  return true;
}

bool Decoder::finish(Handler handler, Counters::Class kind, uint32_t flops) {
  if (!error.empty())
    return false;
  if (nextModifier < ast->modifiers.size())
    return fail("unknown modifier '." +
                std::string(ast->modifiers[nextModifier]) + "'");
  if (nextOperand < ast->operands.size())
    return fail("too many operands");
  if (!handler)
    return fail("unsupported combination of types");
  draft->info.kind = kind;
  draft->info.flops = flops;
  draft->inst.fn = handler;
  if (draft->inst.guard >= 0 && !draft->info.control) {
    draft->inst.guarded = handler;
    draft->inst.fn = runGuarded;
  }
  return true;
}

bool Decoder::finishControl(Handler handler, Counters::Class kind) {
  draft->info.control = true;
  return finish(handler, kind);
}
