//===- ParseVariable.cpp - declarations and numbers -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parser.h"

#include <cstdlib>
#include <cstring>

using namespace hgc::emu;
using namespace hgc::emu::ptx;

namespace {

/// Digits of `text` in `base`, all of them; false on overflow or other
/// characters.
bool digits(std::string_view text, unsigned base, uint64_t &value) {
  value = 0;
  if (text.empty())
    return false;
  for (char c : text) {
    unsigned digit = c >= '0' && c <= '9'   ? c - '0'
                     : c >= 'a' && c <= 'f' ? c - 'a' + 10
                     : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                            : 99;
    if (digit >= base || __builtin_mul_overflow(value, base, &value) ||
        __builtin_add_overflow(value, digit, &value))
      return false;
  }
  return true;
}

bool integerLiteral(std::string_view text, uint64_t &value) {
  if (!text.empty() && text.back() == 'U')
    text.remove_suffix(1);
  if (text.size() > 2 && text[0] == '0' && (text[1] | 32) == 'x')
    return digits(text.substr(2), 16, value);
  if (text.size() > 2 && text[0] == '0' && (text[1] | 32) == 'b')
    return digits(text.substr(2), 2, value);
  if (text.size() > 1 && text[0] == '0')
    return digits(text.substr(1), 8, value);
  return digits(text, 10, value);
}

} // namespace

bool Parser::parseInteger(uint64_t &value) {
  bool negative = accept('-');
  if (peek().kind != Token::Number || !integerLiteral(peek().text, value))
    return fail("expected an integer");
  next();
  if (negative)
    value = 0 - value;
  return true;
}

bool Parser::parseCount(uint64_t &value) {
  if (peek().kind != Token::Number || !integerLiteral(peek().text, value))
    return fail("expected a number");
  next();
  return true;
}

bool Parser::parseNumber(Operand &operand) {
  size_t digit = peek().is('-') ? 1 : 0;
  std::string_view text = peek(digit).text;
  bool hex32 = text.size() == 10 && text[0] == '0' && (text[1] | 32) == 'f';
  bool hex64 = text.size() == 18 && text[0] == '0' && (text[1] | 32) == 'd';
  if (peek(digit).kind == Token::Number && (hex32 || hex64)) {
    if (!digits(text.substr(2), 16, operand.bits))
      return fail("expected hexadecimal digits");
    if (digit)
      operand.bits ^= hex32 ? 1ull << 31 : 1ull << 63;
    operand.kind = hex32 ? Operand::Float32 : Operand::Float64;
    at += digit + 1;
    return true;
  }
  if (peek(digit).kind == Token::Number &&
      text.find('.') != std::string_view::npos) {
    std::string copy(text);
    char *end = nullptr;
    double value = std::strtod(copy.c_str(), &end);
    if (*end)
      return fail("expected a number");
    value = digit ? -value : value;
    std::memcpy(&operand.bits, &value, sizeof value);
    operand.kind = Operand::Float64;
    at += digit + 1;
    return true;
  }
  operand.kind = Operand::Int;
  return parseInteger(operand.bits);
}

/// `.align 16 .v4 .f32`, and for parameters `.u64 .ptr .global .align 16`.
bool Parser::parseVariableType(Variable &variable, bool isParam) {
  unsigned vector = 1;
  uint64_t alignment = 0;
  bool typed = false;
  while (peek().kind == Token::Dotted) {
    std::string_view text = peek().text;
    if (accept(".align")) {
      if (!parseCount(alignment))
        return false;
      if (alignment == 0 || alignment > 1024 || (alignment & (alignment - 1)))
        return fail("alignment " + std::to_string(alignment) +
                    " is not a power of two up to 1024");
      // The alignment after .ptr is that of the memory pointed to.
      if (!typed)
        variable.alignment = alignment;
      continue;
    }
    next();
    if (text == ".v2" || text == ".v4")
      vector = text[2] - '0';
    else if (isParam && typed &&
             (text == ".ptr" || text == ".global" || text == ".const" ||
              text == ".shared" || text == ".local"))
      continue;
    else {
      variable.type = typeNamed(text.substr(1));
      if (typed || sizeOf(variable.type) == 0)
        return failAt(peek().line,
                      "unknown type or attribute '" + std::string(text) + "'");
      typed = true;
    }
  }
  if (!typed)
    return fail("expected a type");
  variable.initWidth = sizeOf(variable.type);
  variable.bytes = uint64_t(variable.initWidth) * vector;
  if (variable.alignment < variable.bytes && vector * variable.initWidth <= 16)
    variable.alignment = variable.bytes;
  return true;
}

bool Parser::parseDimensions(Variable &variable) {
  while (accept('[')) {
    uint64_t count = 0;
    if (!peek().is(']') && !parseCount(count))
      return false;
    if (__builtin_mul_overflow(variable.bytes, count, &variable.bytes) ||
        variable.bytes > 1ull << 36)
      return fail("'" + variable.name + "' is too large");
    if (!expect(']'))
      return false;
  }
  return true;
}

/// Parses what follows `.global` and its like, up to the semicolon.
bool Parser::parseVariable(Space space, bool isExtern,
                           std::vector<Variable> &into, Scope *scope) {
  Variable variable;
  variable.space = space;
  variable.isExtern = isExtern;
  if (!parseVariableType(variable, /*isParam=*/false))
    return false;
  if (peek().kind != Token::Word)
    return fail("expected the name of a variable");
  variable.line = peek().line;
  variable.name = next().text;
  bool array = peek().is('[');
  if (!parseDimensions(variable))
    return false;
  if (peek().is('=')) {
    if (space != Space::Global && space != Space::Const)
      return fail("only .global and .const variables have initial values");
    next();
    if (!parseInitialiser(variable))
      return false;
    uint64_t given = uint64_t(variable.init.size()) * variable.initWidth;
    if (array && variable.bytes == 0)
      variable.bytes = given;
    if (given > variable.bytes)
      return fail("'" + variable.name + "' has " +
                  std::to_string(variable.bytes) + " bytes but " +
                  std::to_string(given) + " bytes of initial values");
  }
  if (variable.bytes == 0 && !(isExtern && space == Space::Shared))
    return fail("'" + variable.name + "' has no size");
  if (isExtern && space != Space::Shared)
    return failAt(variable.line, "external variable '" + variable.name +
                                     "' has no definition");
  if (scope &&
      !scope->variables.emplace(variable.name, int32_t(into.size())).second)
    return failAt(variable.line, "'" + variable.name + "' is declared twice");
  into.push_back(std::move(variable));
  return expect(';');
}

bool Parser::parseInitialiser(Variable &variable) {
  if (!accept('{'))
    return parseInitialValue(variable);
  while (!accept('}')) {
    if (!variable.init.empty() && !expect(','))
      return false;
    if (peek().is('{'))
      return fail("nested initial values are not supported");
    if (!parseInitialValue(variable))
      return false;
  }
  return true;
}

bool Parser::parseInitialValue(Variable &variable) {
  Initialiser value;
  if (peek().kind == Token::Word) {
    value.generic = peek().is("generic") && peek(1).is('(');
    if (value.generic)
      next(), next();
    value.symbol = next().text;
    if (value.generic && !expect(')'))
      return false;
    if (accept('+') && !parseInteger(value.bits))
      return false;
    if (variable.initWidth != 8)
      return fail("an address needs 64 bits");
    variable.init.push_back(std::move(value));
    return true;
  }
  Operand number;
  if (!parseNumber(number))
    return false;
  value.bits = number.bits;
  float narrow;
  double wide;
  if (number.kind == Operand::Float32 && variable.type == Type::F64) {
    std::memcpy(&narrow, &number.bits, 4);
    wide = narrow;
    std::memcpy(&value.bits, &wide, 8);
  } else if (number.kind == Operand::Float64 && variable.initWidth == 4) {
    std::memcpy(&wide, &number.bits, 8);
    narrow = static_cast<float>(wide);
    value.bits = 0;
    std::memcpy(&value.bits, &narrow, 4);
  }
  variable.init.push_back(std::move(value));
  return true;
}
