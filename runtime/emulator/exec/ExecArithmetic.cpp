//===- ExecArithmetic.cpp - opcodes of several families -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Families.h"

using namespace hgc::emu;
using namespace hgc::emu::ptx;

static bool decodeArithmetic(Decoder &d) {
  Type type = d.lastType();
  if (isHalf(type))
    return decodeHalf(d);
  if (isFloat(type))
    return decodeFloat(d);
  if (d.hasModifier("cc"))
    return decodeCarry(d);
  return decodeInteger(d);
}

const Opcode hgc::emu::arithmeticOpcodes[] = {
    {"add", decodeArithmetic}, {"sub", decodeArithmetic},
    {"mul", decodeArithmetic}, {"mad", decodeArithmetic},
    {"fma", decodeArithmetic}, {"div", decodeArithmetic},
    {"rem", decodeInteger},    {"min", decodeArithmetic},
    {"max", decodeArithmetic}, {"abs", decodeArithmetic},
    {"neg", decodeArithmetic}, {"sad", decodeInteger},
    {"mul24", decodeInteger},  {"mad24", decodeInteger},
    {"addc", decodeCarry},     {"subc", decodeCarry},
    {"madc", decodeCarry},     {"", nullptr}};
