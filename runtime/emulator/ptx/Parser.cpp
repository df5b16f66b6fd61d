//===- Parser.cpp - modules and function heads ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parser.h"

using namespace hgc::emu;
using namespace hgc::emu::ptx;

bool Parser::failAt(unsigned line, const std::string &what) {
  if (error.empty())
    error = errorAt(line, what);
  return false;
}

bool Parser::fail(const std::string &what) {
  const Token &token = peek();
  std::string found = token.kind == Token::EndOfFile
                          ? "the end of the file"
                          : "'" + std::string(token.text.substr(0, 80)) + "'";
  return failAt(token.line, what + ", found " + found);
}

bool Parser::accept(char punct) {
  if (!peek().is(punct))
    return false;
  next();
  return true;
}

bool Parser::accept(std::string_view word) {
  if (!peek().is(word))
    return false;
  next();
  return true;
}

bool Parser::expect(char punct) {
  if (accept(punct))
    return true;
  return fail(std::string("expected '") + punct + "'");
}

/// Debug directives end with their line.
void Parser::skipLine() {
  unsigned line = peek().line;
  while (peek().kind != Token::EndOfFile && peek().line == line)
    next();
}

bool Parser::skipBraces() {
  if (!expect('{'))
    return false;
  for (unsigned depth = 1; depth;) {
    if (peek().kind == Token::EndOfFile)
      return fail("expected '}'");
    depth += peek().is('{');
    depth -= peek().is('}');
    next();
  }
  return true;
}

bool Parser::parseModule() {
  if (!parseHeader())
    return false;
  while (peek().kind != Token::EndOfFile)
    if (!parseTopLevel())
      return false;
  return true;
}

bool Parser::parseHeader() {
  if (!accept(".version"))
    return fail("expected '.version'");
  std::string_view number = peek().text;
  if (peek().kind != Token::Number || number.size() != 3 || number[1] != '.')
    return fail("expected a version such as 7.0");
  module.version = (number[0] - '0') * 10 + (number[2] - '0');
  next();
  if (!parseTarget())
    return false;
  if (!accept(".address_size"))
    return fail("expected '.address_size'");
  if (peek().text != "64")
    return fail("expected 64-bit addresses");
  next();
  return true;
}

bool Parser::parseTarget() {
  if (!accept(".target"))
    return fail("expected '.target'");
  std::string_view name = peek().text;
  if (peek().kind != Token::Word || name.size() < 5 ||
      name.substr(0, 3) != "sm_")
    return fail("expected a target such as sm_80");
  unsigned sm = 0;
  for (char c : name.substr(3))
    if (c >= '0' && c <= '9' && sm < 10000)
      sm = sm * 10 + (c - '0');
    else if (c != 'a' && c != 'f')
      return fail("expected a target such as sm_80");
  module.sm = sm;
  next();
  while (accept(','))
    if (!accept("debug") && !accept("texmode_independent"))
      return fail("unknown target option");
  return true;
}

bool Parser::parseTopLevel() {
  if (peek().is(".file") || peek().is(".loc")) {
    skipLine();
    return true;
  }
  if (accept(".section")) {
    next();
    return skipBraces();
  }
  if (accept(".pragma")) {
    next();
    return expect(';');
  }
  bool isExtern = false;
  while (peek().is(".visible") || peek().is(".extern") || peek().is(".weak") ||
         peek().is(".common"))
    isExtern |= next().text == ".extern";
  if (peek().is(".entry") || peek().is(".func"))
    return parseFunction(isExtern);
  static const std::pair<const char *, Space> spaces[] = {
      {".global", Space::Global},
      {".const", Space::Const},
      {".shared", Space::Shared}};
  for (auto &[name, space] : spaces)
    if (accept(name)) {
      size_t index = module.variables.size();
      if (!parseVariable(space, isExtern, module.variables, nullptr))
        return false;
      const Variable &variable = module.variables.back();
      if (!moduleVariables.emplace(variable.name, ~int32_t(index)).second)
        return failAt(variable.line,
                      "'" + variable.name + "' is declared twice");
      return true;
    }
  return fail("unknown directive");
}

bool Parser::parseParamList(Function &function, std::vector<int32_t> &list) {
  if (!expect('('))
    return false;
  while (!accept(')')) {
    if (!list.empty() && !expect(','))
      return false;
    if (!accept(".param"))
      return fail("expected '.param'");
    list.push_back(function.variables.size());
    Variable variable;
    variable.space = Space::Param;
    if (!parseVariableType(variable, /*isParam=*/true))
      return false;
    if (peek().kind != Token::Word)
      return fail("expected the name of a parameter");
    variable.line = peek().line;
    variable.name = next().text;
    if (!parseDimensions(variable))
      return false;
    scopes.back().variables[variable.name] = list.back();
    function.variables.push_back(std::move(variable));
  }
  return true;
}

bool Parser::parseCounts(uint32_t (&counts)[3]) {
  for (unsigned i = 0; i < 3; ++i) {
    uint64_t value = 0;
    if (!parseCount(value))
      return false;
    if (value == 0 || value > 0xffffffffull)
      return fail("thread count " + std::to_string(value) + " is out of range");
    counts[i] = value;
    if (i == 2 || !accept(',')) {
      for (unsigned j = i + 1; j < 3; ++j)
        counts[j] = 1;
      return true;
    }
  }
  return true;
}

/// `.maxntid 256` and the like, between the head and the body.
bool Parser::parseTuning(Function &function) {
  uint64_t value = 0;
  while (peek().kind == Token::Dotted) {
    if (accept(".maxntid")) {
      if (!parseCounts(function.maxThreads))
        return false;
    } else if (accept(".reqntid")) {
      if (!parseCounts(function.reqThreads))
        return false;
    } else if (accept(".minnctapersm")) {
      if (!parseCount(value))
        return false;
      function.minBlocks = value;
    } else if (accept(".maxnreg") || accept(".maxnctapersm")) {
      if (!parseCount(value))
        return false;
    } else if (accept(".pragma")) {
      next();
      if (!expect(';'))
        return false;
    } else if (!accept(".noreturn"))
      return fail("unknown directive");
  }
  return true;
}

bool Parser::parseFunction(bool isExtern) {
  Function result;
  result.line = peek().line;
  result.isEntry = next().text == ".entry";
  scopes.assign(1, Scope());
  if (!result.isEntry && peek().is('(') &&
      !parseParamList(result, result.results))
    return false;
  if (peek().kind != Token::Word)
    return fail("expected the name of a function");
  result.name = next().text;
  if (peek().is('(') && !parseParamList(result, result.params))
    return false;
  if (!parseTuning(result))
    return false;
  if (isExtern || peek().is(';')) {
    if (!expect(';'))
      return false;
    module.functions.push_back(std::move(result));
    return true;
  }
  for (const Function &other : module.functions)
    if (other.hasBody && other.name == result.name)
      return failAt(result.line, "'" + result.name + "' is defined twice");
  result.hasBody = true;
  function = &result;
  if (!expect('{') || !parseBody())
    return false;
  function = nullptr;
  module.functions.push_back(std::move(result));
  return true;
}

bool hgc::emu::ptx::parse(std::string_view text, Module &module,
                          std::string &error) {
  std::vector<Token> tokens;
  return tokenize(text, tokens, error) &&
         Parser(tokens, module, error).parseModule();
}
