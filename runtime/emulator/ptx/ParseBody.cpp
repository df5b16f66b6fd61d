//===- ParseBody.cpp - statements and operands of functions ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parser.h"

using namespace hgc::emu;
using namespace hgc::emu::ptx;

bool Parser::parseBody() {
  // The scope with the parameters is the outermost one.
  while (!scopes.empty())
    if (!parseStatement())
      return false;
  return true;
}

bool Parser::parseStatement() {
  const Token &token = peek();
  if (accept('{')) {
    scopes.emplace_back();
    scopes.back().firstInstruction = function->body.size();
    return true;
  }
  if (accept('}'))
    return closeScope();
  if (accept(';'))
    return true;
  if (token.is(".loc") || token.is(".file")) {
    skipLine();
    return true;
  }
  if (accept(".section"))
    return next(), skipBraces();
  if (accept(".pragma"))
    return next(), expect(';');
  if (accept(".reg"))
    return parseRegisters();
  if (accept(".local"))
    return parseVariable(Space::Local, false, function->variables,
                         &scopes.back());
  if (accept(".shared"))
    return parseVariable(Space::Shared, false, function->variables,
                         &scopes.back());
  if (accept(".param"))
    return parseVariable(Space::Param, false, function->variables,
                         &scopes.back());
  if (token.kind == Token::Word && peek(1).is(':')) {
    std::string name(next().text);
    next();
    if (accept(".branchtargets"))
      return parseBranchTargets(name);
    if (!scopes.back().labels.emplace(name, function->body.size()).second)
      return failAt(token.line, "label '" + name + "' is defined twice");
    return true;
  }
  if (token.kind == Token::Word || token.is('@'))
    return parseInstruction();
  return fail("expected an instruction");
}

/// `.reg .b32 %r<10>, %x;`
bool Parser::parseRegisters() {
  Type type = peek().kind == Token::Dotted ? typeNamed(peek().text.substr(1))
                                           : Type::None;
  if (type != Type::Pred && (sizeOf(type) < 2 || sizeOf(type) > 8))
    return fail("expected the type of a register");
  next();
  do {
    if (peek().kind != Token::Word)
      return fail("expected the name of a register");
    unsigned line = peek().line;
    std::string name(next().text);
    int32_t first = function->registers.size();
    uint64_t count = 1;
    bool fresh;
    if (accept('<')) {
      if (!parseCount(count) || !expect('>'))
        return false;
      if (count > 1u << 20)
        return fail(std::to_string(count) + " registers are too many");
      fresh = scopes.back()
                  .ranges.emplace(name, Scope::Range{first, uint32_t(count)})
                  .second;
      for (uint64_t i = 0; i < count; ++i)
        function->registers.push_back({name + std::to_string(i), type});
    } else {
      fresh = scopes.back().registers.emplace(name, first).second;
      function->registers.push_back({name, type});
    }
    if (!fresh)
      return failAt(line, "register '" + name + "' is declared twice");
    if (function->registers.size() > 1u << 22)
      return failAt(line, "too many registers");
  } while (accept(','));
  return expect(';');
}

bool Parser::parseBranchTargets(const std::string &name) {
  Scope::TargetList list{name, peek().line, {}};
  do {
    if (peek().kind != Token::Word)
      return fail("expected a label");
    list.labels.emplace_back(next().text);
  } while (accept(','));
  scopes.back().lists.push_back(std::move(list));
  return expect(';');
}

bool Parser::parseInstruction() {
  Instruction inst;
  inst.line = peek().line;
  const char *begin = peek().text.data();
  if (accept('@')) {
    inst.guardNegated = accept('!');
    inst.guard = findRegister(peek().text);
    if (peek().kind != Token::Word || inst.guard < 0 ||
        function->registers[inst.guard].type != Type::Pred)
      return fail("expected a predicate register");
    next();
  }
  if (peek().kind != Token::Word)
    return fail("expected an instruction");
  inst.opcode = next().text;
  while (peek().kind == Token::Dotted)
    inst.modifiers.push_back(next().text.substr(1));
  while (!peek().is(';')) {
    if (!inst.operands.empty() && !expect(','))
      return false;
    inst.operands.emplace_back();
    if (!parseOperand(inst.operands.back()))
      return false;
  }
  inst.text = std::string_view(begin, peek().text.data() - begin);
  next();
  function->body.push_back(std::move(inst));
  return true;
}

bool Parser::parseOperand(Operand &operand) {
  const Token &token = peek();
  operand.text = token.text;
  if (accept('[')) {
    operand.kind = Operand::Address;
    return parseAddress(operand);
  }
  if (accept('{')) {
    operand.kind = Operand::Vector;
    return parseList(operand, '}');
  }
  if (accept('(')) {
    operand.kind = Operand::ArgList;
    return parseList(operand, ')');
  }
  if (accept('!')) {
    operand.kind = Operand::NotReg;
    operand.reg = peek().kind == Token::Word ? findRegister(peek().text) : -1;
    if (operand.reg < 0)
      return fail("expected a register");
    next();
    return true;
  }
  if (token.kind == Token::Number || token.is('-'))
    return parseNumber(operand);
  if (token.kind == Token::Word)
    return parseNamed(operand);
  return fail("expected an operand");
}

bool Parser::parseNamed(Operand &operand) {
  std::string_view name = next().text;
  operand.reg = name == "_" ? -1 : findRegister(name);
  if (operand.reg >= 0 || name == "_") {
    operand.kind = name == "_" ? Operand::Sink : Operand::Reg;
    if (!accept('|'))
      return true;
    operand.kind = Operand::Pair;
    operand.reg2 = peek().kind == Token::Word ? findRegister(peek().text) : -1;
    if (operand.reg2 < 0)
      return fail("expected a register");
    next();
    return true;
  }
  if (name[0] == '%') {
    operand.kind = Operand::Special;
    if (peek().kind == Token::Dotted) {
      const Token &part = next();
      operand.text = std::string_view(
          name.data(), part.text.data() + part.text.size() - name.data());
    }
    return true;
  }
  operand.variable = findVariable(name);
  if (operand.variable == noVariable) {
    operand.kind = Operand::Name;
    return true;
  }
  operand.kind = Operand::Symbol;
  if (peek().is('+') || peek().is('-')) {
    accept('+');
    return parseInteger(operand.bits);
  }
  return true;
}

bool Parser::parseAddress(Operand &operand) {
  const Token &token = peek();
  if (token.kind == Token::Word) {
    operand.reg = findRegister(token.text);
    if (operand.reg < 0)
      operand.variable = findVariable(token.text);
    if (operand.reg < 0 && operand.variable == noVariable)
      return fail("expected a register or a variable");
    operand.text = next().text;
    if (peek().is('+') || peek().is('-')) {
      accept('+');
      if (!parseInteger(operand.bits))
        return false;
    }
  } else if (!parseInteger(operand.bits))
    return false;
  return expect(']');
}

bool Parser::parseList(Operand &operand, char close) {
  while (!accept(close)) {
    if (!operand.elements.empty() && !expect(','))
      return false;
    operand.elements.emplace_back();
    Operand &element = operand.elements.back();
    if (!parseOperand(element))
      return false;
    if (element.kind == Operand::Vector || element.kind == Operand::ArgList ||
        element.kind == Operand::Address)
      return fail("expected a scalar operand");
  }
  return true;
}

/// Labels are visible in their own scope and the scopes within it.
bool Parser::closeScope() {
  Scope &scope = scopes.back();
  for (size_t i = scope.firstInstruction; i < function->body.size(); ++i)
    for (Operand &operand : function->body[i].operands) {
      if (operand.kind != Operand::Name)
        continue;
      auto label = scope.labels.find(operand.text);
      if (label == scope.labels.end())
        continue;
      operand.kind = Operand::Label;
      operand.bits = label->second;
    }
  for (Scope::TargetList &list : scope.lists) {
    std::vector<uint32_t> targets;
    for (const std::string &name : list.labels) {
      auto label = scope.labels.find(name);
      if (label == scope.labels.end())
        return failAt(list.line, "unknown label '" + name + "'");
      targets.push_back(label->second);
    }
    if (!function->targetLists.emplace(list.name, std::move(targets)).second)
      return failAt(list.line, "label '" + list.name + "' is defined twice");
  }
  scopes.pop_back();
  return true;
}

int32_t Parser::findRegister(std::string_view name) const {
  size_t split = name.size();
  while (split > 0 && name[split - 1] >= '0' && name[split - 1] <= '9')
    --split;
  std::string_view number = name.substr(split);
  bool numbered = !number.empty() && number.size() < 8 &&
                  (number.size() == 1 || number[0] != '0');
  uint32_t index = 0;
  for (char c : numbered ? number : std::string_view())
    index = index * 10 + (c - '0');
  for (size_t i = scopes.size(); i-- > 0;) {
    const Scope &scope = scopes[i];
    auto single = scope.registers.find(name);
    if (single != scope.registers.end())
      return single->second;
    if (!numbered)
      continue;
    auto range = scope.ranges.find(name.substr(0, split));
    if (range != scope.ranges.end() && index < range->second.count)
      return range->second.first + int32_t(index);
  }
  return -1;
}

int32_t Parser::findVariable(std::string_view name) const {
  for (size_t i = scopes.size(); i-- > 0;) {
    auto found = scopes[i].variables.find(name);
    if (found != scopes[i].variables.end())
      return found->second;
  }
  auto found = moduleVariables.find(name);
  return found == moduleVariables.end() ? noVariable : found->second;
}
