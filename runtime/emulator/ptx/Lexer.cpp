//===- Lexer.cpp - tokens of PTX text -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lexer.h"

#include <cstring>

using namespace hgc::emu;

namespace {

bool isWordStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '$' || c == '%';
}
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWord(char c) { return isWordStart(c) || isDigit(c); }

/// A cursor over the text that counts lines.
struct Lexer {
  std::string_view text;
  std::vector<Token> &tokens;
  std::string &error;
  size_t at = 0;
  unsigned line = 1;

  char peek(size_t ahead = 0) const {
    return at + ahead < text.size() ? text[at + ahead] : '\0';
  }
  bool fail(const std::string &what) {
    error = errorAt(line, what);
    return false;
  }
  void emit(Token::Kind kind, size_t begin, size_t end) {
    tokens.push_back({kind, text.substr(begin, end - begin), line});
  }

  bool skipBlockComment() {
    size_t end = text.find("*/", at + 2);
    if (end == std::string_view::npos)
      return fail("comment is not closed");
    for (; at < end + 2; ++at)
      line += text[at] == '\n';
    return true;
  }

  /// Returns false with `error` empty when a token follows.
  bool skipSpace() {
    while (at < text.size()) {
      char c = text[at];
      if (c == '\n')
        ++line, ++at;
      else if (c == ' ' || c == '\t' || c == '\r')
        ++at;
      else if (c == '/' && peek(1) == '/')
        while (at < text.size() && text[at] != '\n')
          ++at;
      else if (c == '/' && peek(1) == '*') {
        if (!skipBlockComment())
          return false;
      } else
        return true;
    }
    return true;
  }

  void lexNumber() {
    size_t begin = at;
    while (isWord(peek()) && peek() != '%' && peek() != '$')
      ++at;
    // A decimal float; hexadecimal and 0f/0d forms have no dot.
    if (peek() == '.' && isDigit(peek(1))) {
      ++at;
      while (isWord(peek()) ||
             ((peek() == '+' || peek() == '-') && (text[at - 1] | 32) == 'e'))
        ++at;
    }
    emit(Token::Number, begin, at);
  }

  bool lexString() {
    size_t begin = ++at;
    while (at < text.size() && text[at] != '"' && text[at] != '\n')
      at += text[at] == '\\' && at + 1 < text.size() ? 2 : 1;
    if (at >= text.size() || text[at] != '"')
      return fail("string is not closed");
    emit(Token::String, begin, at++);
    return true;
  }

  bool lexDotted() {
    size_t begin = at++;
    while (isWord(peek()) ||
           (peek() == ':' && peek(1) == ':' && isWord(peek(2))))
      at += peek() == ':' ? 2 : 1;
    if (at == begin + 1)
      return fail("'.' without a name");
    emit(Token::Dotted, begin, at);
    return true;
  }

  bool lexOne() {
    char c = text[at];
    if (isWordStart(c)) {
      size_t begin = at;
      while (isWord(peek()))
        ++at;
      emit(Token::Word, begin, at);
      return true;
    }
    if (isDigit(c)) {
      lexNumber();
      return true;
    }
    if (c == '"')
      return lexString();
    if (c == '.')
      return lexDotted();
    if (c == '\0' || !std::strchr("@!,;:{}[]()<>|+-=*/&^~", c)) {
      char text[32];
      std::snprintf(text, sizeof text, "unexpected character 0x%02x",
                    static_cast<unsigned char>(c));
      return fail(text);
    }
    emit(Token::Punct, at, at + 1);
    ++at;
    return true;
  }
};

} // namespace

std::string hgc::emu::errorAt(unsigned line, const std::string &what) {
  return "line " + std::to_string(line) + ": " + what;
}

bool hgc::emu::tokenize(std::string_view text, std::vector<Token> &tokens,
                        std::string &error) {
  Lexer lexer{text, tokens, error};
  while (true) {
    if (!lexer.skipSpace())
      return false;
    if (lexer.at >= text.size())
      break;
    if (!lexer.lexOne())
      return false;
  }
  tokens.push_back({Token::EndOfFile, std::string_view(), lexer.line});
  return true;
}
