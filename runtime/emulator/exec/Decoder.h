//===- Decoder.h - meaning of single instructions -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A family of opcodes has one decode function. It takes modifiers and operands
// in their order; what is left over at the end is an error, so that nothing is
// ever ignored.
//
//===----------------------------------------------------------------------===//
#ifndef HGC_EMU_DECODER_H
#define HGC_EMU_DECODER_H

#include "Launch.h"
#include "Program.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hgc::emu {

using ptx::Operand;
using ptx::Space;
using ptx::Type;

/// Where a variable lives.
struct Place {
  Space space = Space::Global;
  uint64_t address = 0; ///< In its space.
  uint64_t bytes = 0;
  bool entryParam = false; ///< In the parameter block of the launch.
  bool dynamic = false;    ///< Dynamic shared memory, placed last.
  bool placed = true;      ///< Shared variables get their place when used.
  uint32_t alignment = 1;
};

/// A function being inlined.
struct Frame {
  const ptx::Function *function = nullptr;
  int32_t firstRegister = 0; ///< Virtual register of its register 0.
  std::vector<Place> places; ///< Of its variables.
  std::vector<uint32_t> pcs; ///< Of its instructions, and of its end.
  uint32_t name = 0;         ///< Into Program::functions.
  bool isEntry = false;
};

/// A register of the inlined kernel.
struct VirtualRegister {
  Type type = Type::None;
  uint8_t bytes = 0; ///< 0: a predicate.
  int32_t slot = -1; ///< Of a predicate, or offset once allocated.
};

/// An instruction with its registers still virtual.
struct Draft {
  Inst inst;
  InstInfo info;
  std::vector<int32_t> defs, uses;
  uint32_t patched = 0; ///< Bit k: op[k] is a virtual register.
  uint32_t moreCount = 0;
  bool branches = false; ///< May go to `targets`.
  bool fallsThrough = true;
  std::vector<uint32_t> targets; ///< PTX indices, later pcs.
  uint32_t frame = 0;
};

class Decoder {
public:
  Decoder(const ptx::Module &module, Program &program)
      : module(module), program(program) {}

  /// Decodes `inst` into `drafts`. False with `error` set.
  bool decode(const ptx::Instruction &inst, Frame &frame);

  // What decode functions use.
  bool fail(const std::string &what);
  std::string_view opcode() const { return ast->opcode; }
  /// Consumes the next modifier when it is `name`.
  bool take(std::string_view name);
  /// Consumes the first of `names` that comes next, as its index, or -1.
  int takeOne(std::initializer_list<std::string_view> names);
  /// Consumes a type; None (and an error) unless it is one of `allowed`.
  Type takeType(std::initializer_list<Type> allowed);
  /// The last modifier as a type, not consumed.
  Type lastType() const;
  bool hasModifier(std::string_view name) const;
  size_t operandCount() const { return ast->operands.size(); }
  size_t operandsLeft() const { return ast->operands.size() - nextOperand; }
  const Operand &peekOperand() const { return ast->operands[nextOperand]; }
  const Operand *takeOperand();

  /// Bind the next operand to the next `op`. A `wide` register may have more
  /// bits than the type.
  bool dst(Type type, bool wide = false);
  bool src(Type type, bool wide = false);
  bool dstPredicate();
  /// A predicate with its negation (aux bit `index`).
  bool srcPredicate(int32_t &slot, bool &negated);
  /// Element forms, which do not consume.
  bool bindDst(const Operand &operand, Type type, bool wide, int32_t &op);
  bool bindSrc(const Operand &operand, Type type, bool wide, int32_t &op);
  bool bindPredicate(const Operand &operand, int32_t &slot, bool isDef);
  /// [register + offset] or [variable + offset]: `op` and `imm`.
  bool bindAddress(const Operand &operand, Space space, int32_t &op,
                   int64_t &imm, uint8_t &flags);
  bool address(Space space);
  /// Constant of `bytes` in every lane.
  int32_t constant(uint64_t bits, unsigned bytes);
  int32_t special(Special what, unsigned bytes);
  int32_t addressConstant(const Place &place, uint64_t offset, unsigned bytes);
  /// Gives dynamic shared memory its place behind all other variables.
  void placeDynamicShared();
  int32_t addMore(const std::vector<int32_t> &operands);
  bool immediate(const Operand &operand, Type type, uint64_t &bits);
  const Place *placeOf(const Operand &operand);
  uint32_t placeShared(uint64_t bytes, uint32_t alignment);

  /// Takes the instruction: no modifier or operand may be left.
  bool finish(Handler handler, Counters::Class kind, uint32_t flops = 0);
  /// The same for an instruction that looks at its guard itself, because it
  /// may wait for other lanes or move them.
  bool finishControl(Handler handler, Counters::Class kind);

  Inst &inst() { return draft->inst; }
  Draft &current() { return *draft; }
  Frame &frameNow() { return *frame; }
  Program &target() { return program; }
  unsigned targetSm() const { return module.sm; }
  uint32_t newSite() { return program.sites++; }
  void usesShared(unsigned bytes);

  std::string error;
  std::vector<Draft> drafts;
  std::vector<VirtualRegister> registers;
  std::vector<Place> modulePlaces;
  uint32_t frameIndex = 0;

private:
  bool checkRegister(int32_t reg, Type type, bool wide);
  int32_t virtualOf(int32_t reg) const { return frame->firstRegister + reg; }

  const ptx::Module &module;
  Program &program;
  const ptx::Instruction *ast = nullptr;
  Frame *frame = nullptr;
  Draft *draft = nullptr;
  size_t nextModifier = 0;
  size_t nextOperand = 0;
  unsigned nextOp = 0;
  std::map<std::pair<uint64_t, unsigned>, int32_t> constants;
  std::map<std::pair<unsigned, unsigned>, int32_t> specials;
  struct DynamicUse {
    int32_t pool;
    uint64_t offset;
    unsigned bytes;
  };
  std::vector<DynamicUse> dynamicUses;
  uint32_t sharedAlignment = 16;
};

/// Runs Inst::guarded for the lanes whose guard holds.
bool runGuarded(Warp &w, const Inst &inst);

using DecodeFn = bool (*)(Decoder &);
struct Opcode {
  std::string_view name;
  DecodeFn decode;
};
/// Null when there is no such opcode.
DecodeFn findOpcode(std::string_view name);

/// One table per Exec*.cpp; ends with an empty name.
extern const Opcode arithmeticOpcodes[], asyncOpcodes[], atomicOpcodes[],
    bitOpcodes[], compareOpcodes[], controlOpcodes[], convertOpcodes[],
    matrixOpcodes[], memoryOpcodes[], moveOpcodes[], permuteOpcodes[],
    specialOpcodes[], warpOpcodes[];

} // namespace hgc::emu

#endif // HGC_EMU_DECODER_H
