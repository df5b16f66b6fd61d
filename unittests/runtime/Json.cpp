//===- Json.cpp - is it JSON ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A strict checker: the runtime's tests have no JSON library to lean on.
//
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <cctype>
#include <cstring>

namespace {

struct Checker {
  const char *p;

  void space() {
    while (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')
      ++p;
  }
  bool take(char c) {
    space();
    if (*p != c)
      return false;
    ++p;
    return true;
  }
  bool word(const char *text) {
    size_t n = std::strlen(text);
    if (std::strncmp(p, text, n) != 0)
      return false;
    p += n;
    return true;
  }
  bool string() {
    if (!take('"'))
      return false;
    for (; *p != '"'; ++p) {
      if (static_cast<unsigned char>(*p) < 0x20)
        return false;
      if (*p != '\\')
        continue;
      ++p;
      if (!std::strchr("\"\\/bfnrtu", *p))
        return false;
    }
    ++p;
    return true;
  }
  bool digits() {
    const char *start = p;
    while (std::isdigit(static_cast<unsigned char>(*p)))
      ++p;
    return p != start;
  }
  bool number() {
    if (*p == '-')
      ++p;
    if (!digits())
      return false;
    if (*p == '.')
      return ++p, digits();
    return true;
  }
  template <typename Item> bool list(char close, Item item) {
    ++p;
    if (take(close))
      return true;
    do
      if (!item())
        return false;
    while (take(','));
    return take(close);
  }
  bool value() {
    space();
    switch (*p) {
    case '{':
      return list('}', [&] { return string() && take(':') && value(); });
    case '[':
      return list(']', [&] { return value(); });
    case '"':
      return string();
    case 't':
      return word("true");
    case 'f':
      return word("false");
    case 'n':
      return word("null");
    default:
      return number();
    }
  }
};

} // namespace

bool hgc::rt_test::isJson(const std::string &text) {
  Checker checker{text.c_str()};
  if (!checker.value())
    return false;
  checker.space();
  return checker.p == text.c_str() + text.size();
}
