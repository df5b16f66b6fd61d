//===- Parser.h - recursive descent over PTX tokens -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HGC_EMU_PARSER_H
#define HGC_EMU_PARSER_H

#include "Ast.h"
#include "Lexer.h"

#include <map>
#include <string>
#include <vector>

namespace hgc::emu::ptx {

/// State of one parse. Every `parse...` returns false once `error` is set.
class Parser {
public:
  Parser(const std::vector<Token> &tokens, Module &module, std::string &error)
      : tokens(tokens), module(module), error(error) {}
  bool parseModule();

private:
  /// Names of one `{ }`.
  struct Scope {
    struct Range {
      int32_t first = 0;
      uint32_t count = 0;
    };
    std::map<std::string, int32_t, std::less<>> registers;
    std::map<std::string, Range, std::less<>> ranges; ///< %r<10>
    std::map<std::string, int32_t, std::less<>> variables;
    std::map<std::string, uint32_t, std::less<>> labels;
    struct TargetList {
      std::string name;
      unsigned line;
      std::vector<std::string> labels;
    };
    std::vector<TargetList> lists;
    size_t firstInstruction = 0;
  };

  // Tokens.
  const Token &peek(size_t ahead = 0) const {
    return tokens[at + ahead < tokens.size() ? at + ahead : tokens.size() - 1];
  }
  const Token &next() { return tokens[at + 1 < tokens.size() ? at++ : at]; }
  bool accept(char punct);
  bool accept(std::string_view word);
  bool expect(char punct);
  bool fail(const std::string &what);
  bool failAt(unsigned line, const std::string &what);
  void skipLine();
  bool skipBraces();

  // Parser.cpp: module level.
  bool parseHeader();
  bool parseTarget();
  bool parseTopLevel();
  bool parseFunction(bool isExtern);
  bool parseParamList(Function &function, std::vector<int32_t> &list);
  bool parseTuning(Function &function);
  bool parseCounts(uint32_t (&counts)[3]);

  // ParseVariable.cpp: declarations and numbers.
  bool parseVariable(Space space, bool isExtern, std::vector<Variable> &into,
                     Scope *scope);
  bool parseVariableType(Variable &variable, bool isParam);
  bool parseDimensions(Variable &variable);
  bool parseInitialiser(Variable &variable);
  bool parseInitialValue(Variable &variable);
  bool parseCount(uint64_t &value);
  bool parseInteger(uint64_t &value);
  /// Number with an optional minus, as an operand.
  bool parseNumber(Operand &operand);

  // ParseBody.cpp: functions.
  bool parseBody();
  bool parseStatement();
  bool parseRegisters();
  bool parseBranchTargets(const std::string &name);
  bool parseInstruction();
  bool parseOperand(Operand &operand);
  bool parseNamed(Operand &operand);
  bool parseAddress(Operand &operand);
  bool parseList(Operand &operand, char close);
  bool closeScope();
  int32_t findRegister(std::string_view name) const;
  int32_t findVariable(std::string_view name) const;

  const std::vector<Token> &tokens;
  Module &module;
  std::string &error;
  size_t at = 0;
  Function *function = nullptr;
  std::vector<Scope> scopes; ///< Innermost last.
  std::map<std::string, int32_t, std::less<>> moduleVariables;
};

} // namespace hgc::emu::ptx

#endif // HGC_EMU_PARSER_H
