//===- Html.cpp - a plan as a page ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names in plans come from models and end up in a browser: data is JSON that
// cannot end its element, the title is escaped, and the script never makes HTML
// of text.
//===----------------------------------------------------------------------===//

#include "Page.h"

#include "hgc/Report/Render.h"

#include "llvm/ADT/StringSwitch.h"

using namespace hgc;
using namespace hgc::plans;
using llvm::StringRef;

static std::string escapeText(StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '&')
      result += "&amp;";
    else
      result += c;
  }
  return result;
}

/// `<` only occurs in strings of JSON, where it can be written otherwise.
static std::string escapeData(StringRef json) {
  std::string result;
  for (char c : json) {
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  }
  return result;
}

std::string hgc::plans::renderHtml(const Plan &plan, StringRef title) {
  std::string data = escapeData(writeJson(plan, /*forPictures=*/true)), name = escapeText(title);
  std::string page;
  StringRef rest = kPageHtml;
  while (!rest.empty()) {
    size_t at = rest.find('@');
    page += rest.take_front(at).str();
    rest = rest.drop_front(std::min(at, rest.size()));
    auto [key, after] = rest.drop_front(rest.empty() ? 0 : 1).split('@');
    page += llvm::StringSwitch<StringRef>(key)
                .Case("TITLE", name)
                .Case("STYLE", kPageStyle)
                .Case("DATA", data)
                .Case("SCRIPT", kPageScript)
                .Default("")
                .str();
    rest = after;
  }
  return page;
}
