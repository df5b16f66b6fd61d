//===- Types.cpp - scalar types and state spaces --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Ast.h"

using namespace hgc::emu::ptx;

namespace {

enum class Nature : uint8_t { None, Bits, Unsigned, Signed, Float };

struct TypeInfo {
  const char *name;
  uint8_t bytes;
  Nature nature;
};

/// In the order of `Type`.
constexpr TypeInfo table[] = {
    {"?", 0, Nature::None},       {"pred", 0, Nature::None},
    {"b8", 1, Nature::Bits},      {"u8", 1, Nature::Unsigned},
    {"s8", 1, Nature::Signed},    {"e4m3", 1, Nature::Float},
    {"e5m2", 1, Nature::Float},   {"b16", 2, Nature::Bits},
    {"u16", 2, Nature::Unsigned}, {"s16", 2, Nature::Signed},
    {"f16", 2, Nature::Float},    {"bf16", 2, Nature::Float},
    {"e4m3x2", 2, Nature::Float}, {"e5m2x2", 2, Nature::Float},
    {"b32", 4, Nature::Bits},     {"u32", 4, Nature::Unsigned},
    {"s32", 4, Nature::Signed},   {"f32", 4, Nature::Float},
    {"f16x2", 4, Nature::Float},  {"bf16x2", 4, Nature::Float},
    {"tf32", 4, Nature::Float},   {"b64", 8, Nature::Bits},
    {"u64", 8, Nature::Unsigned}, {"s64", 8, Nature::Signed},
    {"f64", 8, Nature::Float},    {"f32x2", 8, Nature::Float},
};
constexpr size_t tableSize = sizeof table / sizeof table[0];
static_assert(tableSize == size_t(Type::F32X2) + 1, "a type lacks its entry");

const TypeInfo &info(Type type) { return table[size_t(type)]; }

} // namespace

unsigned hgc::emu::ptx::sizeOf(Type type) { return info(type).bytes; }
bool hgc::emu::ptx::isFloat(Type type) {
  return info(type).nature == Nature::Float;
}
bool hgc::emu::ptx::isSigned(Type type) {
  return info(type).nature == Nature::Signed;
}
bool hgc::emu::ptx::isBits(Type type) {
  return info(type).nature == Nature::Bits;
}
bool hgc::emu::ptx::isInteger(Type type) {
  return info(type).nature == Nature::Unsigned ||
         info(type).nature == Nature::Signed;
}
const char *hgc::emu::ptx::nameOf(Type type) { return info(type).name; }

Type hgc::emu::ptx::typeNamed(std::string_view name) {
  for (size_t i = 1; i < tableSize; ++i)
    if (name == table[i].name)
      return Type(i);
  return Type::None;
}

const char *hgc::emu::ptx::nameOf(Space space) {
  switch (space) {
  case Space::Generic:
    return "generic";
  case Space::Global:
    return "global";
  case Space::Const:
    return "const";
  case Space::Shared:
    return "shared";
  case Space::Local:
    return "local";
  case Space::Param:
    return "param";
  }
  return "?";
}
