//===- TextTable.cpp - columns of text ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TextTable.h"

#include "hgc/Report/Render.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace hgc::plans;
using llvm::StringRef;

std::string hgc::plans::paint(StringRef text, Style style, bool hasColors) {
  static constexpr llvm::StringLiteral codes[] = {"", "1", "2", "36", "32", "32", "31"};
  if (!hasColors || style == Style::Plain || text.empty())
    return text.str();
  return ("\033[" + codes[static_cast<size_t>(style)] + "m" + text + "\033[0m").str();
}

size_t hgc::plans::countColumns(StringRef text) {
  // Bytes that continue a character have none of their own.
  return llvm::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
}

std::string hgc::plans::cut(StringRef text, size_t columns) {
  if (countColumns(text) <= columns)
    return text.str();
  size_t bytes = 0, seen = 0;
  while (bytes < text.size() && seen + 3 < columns) {
    ++seen;
    do
      ++bytes;
    while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80);
  }
  return text.take_front(bytes).str() + "...";
}

std::string hgc::plans::pad(StringRef text, size_t columns, bool isRight) {
  size_t used = countColumns(text);
  std::string space(used < columns ? columns - used : 0, ' ');
  return isRight ? space + text.str() : text.str() + space;
}

std::vector<std::string> hgc::plans::wrap(StringRef text, size_t columns) {
  std::vector<std::string> lines(1);
  llvm::SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    std::string &line = lines.back();
    if (line.empty())
      line = cut(word, columns);
    else if (countColumns(line) + 1 + countColumns(word) <= columns)
      line += (" " + word).str();
    else
      lines.push_back(cut(word, columns));
  }
  return lines;
}

void TextTable::print(llvm::raw_ostream &os, size_t indent, bool hasColors) const {
  std::vector<size_t> widths;
  size_t total = indent;
  for (auto [i, column] : llvm::enumerate(columns)) {
    size_t width = countColumns(column.title);
    for (const std::vector<Cell> &row : rows)
      width = std::max(width, countColumns(row[i].text));
    widths.push_back(std::min(width, column.most));
    total += widths.back() + 2;
  }
  // The last column takes what is left.
  size_t others = total - 2 - widths.back();
  widths.back() = others + 20 < kTextColumns ? kTextColumns - others : 20;

  auto printRow = [&](llvm::ArrayRef<Cell> row) {
    std::vector<std::string> last = wrap(row.back().text, widths.back());
    std::string line(indent, ' ');
    for (size_t i = 0; i + 1 < row.size(); ++i) {
      std::string text = cut(row[i].text, widths[i]), space(widths[i] - countColumns(text), ' ');
      std::string painted = paint(text, row[i].style, hasColors);
      line += (columns[i].isRight ? space + painted : painted + space) + "  ";
    }
    for (auto [i, text] : llvm::enumerate(last)) {
      std::string start = i == 0 ? line : std::string(others, ' ');
      os << StringRef(start + paint(text, row.back().style, hasColors)).rtrim() << "\n";
    }
  };
  std::vector<Cell> titles;
  for (const Column &column : columns)
    titles.push_back({column.title, Style::Dim});
  printRow(titles);
  for (const std::vector<Cell> &row : rows)
    printRow(row);
}
