//===- Ast.h - PTX as parsed ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parser resolves names and scopes, nothing else: opcodes, modifiers and
// operand types are checked where instructions get their meaning (exec/).
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_AST_H
#define HGC_EMU_AST_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hgc::emu::ptx {

/// Scalar types. The order within a width is bits, unsigned, signed, float.
enum class Type : uint8_t {
  None,
  Pred,
  B8,
  U8,
  S8,
  E4M3,
  E5M2,
  B16,
  U16,
  S16,
  F16,
  BF16,
  E4M3X2,
  E5M2X2,
  B32,
  U32,
  S32,
  F32,
  F16X2,
  BF16X2,
  TF32,
  B64,
  U64,
  S64,
  F64,
  F32X2,
};

/// Bytes of a value; 0 for None and Pred.
unsigned sizeOf(Type type);
bool isFloat(Type type);
bool isSigned(Type type);
/// Untyped `.b8` to `.b64`.
bool isBits(Type type);
/// Integer of either sign, not `.bN`.
bool isInteger(Type type);
/// "f32", or "?" for None.
const char *nameOf(Type type);
/// From "f32"; None when unknown.
Type typeNamed(std::string_view name);

enum class Space : uint8_t { Generic, Global, Const, Shared, Local, Param };
const char *nameOf(Space space);

/// A virtual register of a function.
struct Register {
  std::string name;
  Type type = Type::None;
};

/// One element of an initialiser.
struct Initialiser {
  uint64_t bits = 0;
  std::string symbol; ///< Non-empty: the address of it, plus `bits`.
  bool generic = false;
};

struct Variable {
  std::string name;
  unsigned line = 0;
  Space space = Space::Global;
  Type type = Type::B8;
  uint32_t alignment = 1;
  uint64_t bytes = 0;
  bool isExtern = false;  ///< `.extern .shared x[]`: dynamic shared memory.
  unsigned initWidth = 0; ///< Bytes per initialiser element.
  std::vector<Initialiser> init; ///< Elements not given are zero.
};

/// Function variables have the index `i`, module-level ones `~i`.
constexpr int32_t noVariable = INT32_MIN;

struct Operand {
  enum Kind : uint8_t {
    None,
    Reg,     ///< reg
    Pair,    ///< reg|reg2
    Int,     ///< bits, as a signed 64-bit number
    Float32, ///< bits of 0f........
    Float64, ///< bits of 0d................ or of a decimal
    Special, ///< text: %tid.x
    Symbol,  ///< variable (or function) + offset
    Address, ///< [reg + offset] or [variable + offset] or [offset]
    Vector,  ///< {elements}
    Sink,    ///< _
    Label,   ///< bits: index of the instruction it stands before
    Name,    ///< text: a function or a list of targets
    NotReg,  ///< !reg, of a predicate
    ArgList, ///< (a, b) of a call
  };
  Kind kind = None;
  int32_t reg = -1;
  int32_t reg2 = -1;
  uint64_t bits = 0; ///< Or the offset of an address.
  int32_t variable = noVariable;
  std::string_view text; ///< As written, or the name of a symbol.
  std::vector<Operand> elements;
};

struct Instruction {
  unsigned line = 0;
  int32_t guard = -1;
  bool guardNegated = false;
  std::string_view opcode;                 ///< add
  std::vector<std::string_view> modifiers; ///< s32 (no dots)
  std::vector<Operand> operands;
  std::string_view text; ///< From the guard to before the semicolon.
};

struct Function {
  std::string name;
  unsigned line = 0;
  bool isEntry = false;
  bool hasBody = false;
  std::vector<int32_t> params;  ///< Indices of variables.
  std::vector<int32_t> results; ///< Indices of variables.
  std::vector<Register> registers;
  std::vector<Variable> variables; ///< All scopes; module ones are apart.
  std::vector<Instruction> body;
  /// Label of a `.branchtargets` list to the instructions it names.
  std::map<std::string, std::vector<uint32_t>, std::less<>> targetLists;
  uint32_t maxThreads[3] = {0, 0, 0};
  uint32_t reqThreads[3] = {0, 0, 0};
  uint32_t minBlocks = 0;
};

struct Module {
  unsigned version = 0; ///< 70 for 7.0
  unsigned sm = 0;
  std::vector<Variable> variables;
  std::vector<Function> functions;
};

/// Parses `text`, which must outlive `module`. False with `error` set to
/// "line 3: ..." at the first mistake.
bool parse(std::string_view text, Module &module, std::string &error);

} // namespace hgc::emu::ptx

#endif // HGC_EMU_AST_H
