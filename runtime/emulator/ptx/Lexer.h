//===- Lexer.h - tokens of PTX text ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HGC_EMU_LEXER_H
#define HGC_EMU_LEXER_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hgc::emu {

struct Token {
  enum Kind : unsigned char {
    Word,      ///< add, %r1, $L__BB0_1, symbol
    Dotted,    ///< .reg, .u32, .shared::cta (text includes the dot)
    Number,    ///< 12, 0x1f, 0f3F800000, 1.5
    String,    ///< "debug" (text excludes the quotes)
    Punct,     ///< one of @ ! , ; : { } [ ] ( ) < > | + - = * / & ^ ~
    EndOfFile, ///< always the last token
  };
  Kind kind = EndOfFile;
  std::string_view text;
  unsigned line = 0;

  bool is(char c) const { return kind == Punct && text[0] == c; }
  bool is(std::string_view word) const {
    return (kind == Word || kind == Dotted) && text == word;
  }
};

/// Splits `text` into tokens, which point into it. Returns false with `error`
/// ("line 3: ...") at a character no PTX file may hold.
bool tokenize(std::string_view text, std::vector<Token> &tokens,
              std::string &error);

/// "line 3: what", the form of every error of the front end.
std::string errorAt(unsigned line, const std::string &what);

} // namespace hgc::emu

#endif // HGC_EMU_LEXER_H
