//===- Flatten.cpp - inline calls and decode ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Flatten.h"
#include "Control.h"

#include <algorithm>

using namespace hgc::emu;
using namespace hgc::emu::ptx;

/// No address of a local variable is null.
static constexpr uint32_t localBase = 64;
static constexpr size_t maxInstructions = 1u << 21;

bool Flattener::fail(unsigned line, const std::string &what) {
  if (decoder.error.empty())
    decoder.error = "line " + std::to_string(line) + ": " + what;
  return false;
}

const Function *Flattener::find(std::string_view name) const {
  for (const Function &function : module.functions)
    if (function.hasBody && function.name == name)
      return &function;
  return nullptr;
}

bool Flattener::layOutParams(const Function &function, Frame &frame,
                             Kernel &kernel) {
  uint64_t top = 0;
  for (int32_t index : function.params) {
    const Variable &variable = function.variables[index];
    uint32_t alignment = std::max(variable.alignment, 1u);
    top = (top + alignment - 1) & ~uint64_t(alignment - 1);
    if (top + variable.bytes > 32764)
      return fail(variable.line, "parameters need more than 32764 bytes");
    Place &place = frame.places[index];
    place.address = top;
    place.entryParam = true;
    kernel.params.push_back(
        {variable.name, uint32_t(top), uint32_t(variable.bytes), alignment});
    top += variable.bytes;
  }
  kernel.paramBytes = top;
  return true;
}

/// Makes registers and variables of `function` for one inlined copy.
bool Flattener::enter(const Function &function, Frame &frame) {
  frame.function = &function;
  frame.firstRegister = decoder.registers.size();
  for (const Register &reg : function.registers) {
    VirtualRegister fresh{reg.type, uint8_t(sizeOf(reg.type)), -1};
    if (reg.type == Type::Pred)
      fresh.slot = program.predicates++;
    decoder.registers.push_back(fresh);
  }
  if (program.predicates > 32000 || decoder.registers.size() > 1u << 22)
    return fail(function.line, "too many registers");
  for (const Variable &variable : function.variables) {
    Place place;
    place.space = variable.space;
    place.bytes = variable.bytes;
    place.alignment = std::max(variable.alignment, 1u);
    if (variable.space == Space::Shared)
      place.placed = false;
    if (variable.space == Space::Local || variable.space == Space::Param) {
      // Parameters of calls are local memory; those of the kernel and of
      // inlined functions get their place from the caller.
      uint64_t at = (std::max(localTop, localBase) + place.alignment - 1) &
                    ~uint64_t(place.alignment - 1);
      if (at + variable.bytes > windowBytes - 4096)
        return fail(variable.line, "too much local memory");
      bool formal =
          &variable - function.variables.data() <
          std::ptrdiff_t(function.params.size() + function.results.size());
      if (!formal) {
        place.space = Space::Local;
        place.address = at;
        localTop = at + variable.bytes;
      }
    }
    frame.places.push_back(place);
  }
  program.localBytes = std::max(program.localBytes, localTop);
  return true;
}

bool Flattener::bindArguments(const Instruction &inst, const Operand *list,
                              const std::vector<int32_t> &formals,
                              const Function &callee, Frame &caller,
                              Frame &frame) {
  size_t given = list ? list->elements.size() : 0;
  if (given != formals.size())
    return fail(inst.line, "'" + callee.name + "' takes " +
                               std::to_string(formals.size()) +
                               " values, not " + std::to_string(given));
  for (size_t i = 0; i < given; ++i) {
    const Operand &operand = list->elements[i];
    if (operand.kind != Operand::Symbol || operand.variable < 0)
      return fail(inst.line, "argument '" + std::string(operand.text) +
                                 "' is not a .param variable");
    const Place &place = caller.places[operand.variable];
    if (place.space != Space::Local ||
        place.bytes != callee.variables[formals[i]].bytes)
      return fail(inst.line, "argument '" + std::string(operand.text) +
                                 "' does not match the parameter");
    frame.places[formals[i]] = place;
  }
  return true;
}

bool Flattener::call(const Instruction &inst, uint32_t index) {
  const std::vector<Operand> &operands = inst.operands;
  size_t at = 0;
  const Operand *results = nullptr, *arguments = nullptr;
  if (at < operands.size() && operands[at].kind == Operand::ArgList)
    results = &operands[at++];
  if (at >= operands.size() || operands[at].kind != Operand::Name)
    return fail(inst.line, "indirect calls are not supported");
  std::string name(operands[at++].text);
  if (at < operands.size() && operands[at].kind == Operand::ArgList)
    arguments = &operands[at++];
  bool plain = inst.modifiers.empty() ||
               (inst.modifiers.size() == 1 && inst.modifiers[0] == "uni");
  if (at < operands.size() || !plain || inst.guard >= 0)
    return fail(inst.line, "this form of call is not supported");
  const Function *callee = find(name);
  if (!callee || callee->isEntry)
    return fail(inst.line, "call of undefined function '" + name + "'");
  if (std::find(stack.begin(), stack.end(), callee) != stack.end())
    return fail(inst.line, "recursive call of '" + name + "'");
  uint32_t savedTop = localTop;
  uint32_t mine = frames.size();
  frames.emplace_back();
  stack.push_back(callee);
  frames[mine].name = program.functions.size();
  program.functions.push_back(name);
  if (!enter(*callee, frames[mine]) ||
      !bindArguments(inst, results, callee->results, *callee, frames[index],
                     frames[mine]) ||
      !bindArguments(inst, arguments, callee->params, *callee, frames[index],
                     frames[mine]) ||
      !body(mine))
    return false;
  stack.pop_back();
  localTop = savedTop;
  return true;
}

bool Flattener::body(uint32_t index) {
  const Function &function = *frames[index].function;
  for (const Instruction &inst : function.body) {
    frames[index].pcs.push_back(decoder.drafts.size());
    decoder.frameIndex = index;
    if (inst.opcode == "call" ? !call(inst, index)
                              : !decoder.decode(inst, frames[index]))
      return false;
    if (decoder.drafts.size() > maxInstructions)
      return fail(inst.line, "the kernel and its calls are too large");
  }
  frames[index].pcs.push_back(decoder.drafts.size());
  return true;
}

bool Flattener::run(const Function &function, Kernel &kernel) {
  frames.emplace_back();
  frames[0].isEntry = true;
  program.functions.push_back(function.name);
  stack.push_back(&function);
  if (!enter(function, frames[0]) || !layOutParams(function, frames[0], kernel))
    return false;
  if (!body(0))
    return false;
  // Running off the end is a return.
  Draft end;
  end.inst.fn = runExit;
  end.info.control = true;
  end.info.kind = Counters::Control;
  end.info.line = function.line;
  end.info.text = "(end of the kernel)";
  end.fallsThrough = false;
  decoder.drafts.push_back(end);
  for (Draft &draft : decoder.drafts) {
    for (uint32_t &target : draft.targets)
      target = frames[draft.frame].pcs[target];
    if (!draft.targets.empty())
      draft.inst.aux = draft.targets[0];
    if (draft.inst.fn == runIndexedBranch) {
      draft.inst.more = program.more.size();
      program.more.insert(program.more.end(), draft.targets.begin(),
                          draft.targets.end());
    }
  }
  return true;
}

bool Flattener::verify(const Function &function) {
  frames.emplace_back();
  program.functions.push_back(function.name);
  stack.push_back(&function);
  if (!enter(function, frames[0]))
    return false;
  for (Place &place : frames[0].places)
    if (place.space == Space::Param) {
      place.space = Space::Local;
      place.address = localBase;
    }
  return body(0);
}
