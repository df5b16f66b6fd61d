//===- TextTable.h - columns of text ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_REPORT_TEXTTABLE_H
#define HGC_LIB_REPORT_TEXTTABLE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace hgc::plans {

enum class Style { Plain, Bold, Dim, Cpu, Gpu, Good, Bad };

/// `text` in a colour, if there are any.
std::string paint(llvm::StringRef text, Style style, bool hasColors);

/// Columns an UTF-8 text takes on a terminal, one per character.
size_t countColumns(llvm::StringRef text);
/// Cut to `columns`, the end of a cut text being dots.
std::string cut(llvm::StringRef text, size_t columns);
/// With spaces behind it, or before it, up to `columns`.
std::string pad(llvm::StringRef text, size_t columns, bool isRight = false);
/// At most `columns` a line, broken at spaces.
std::vector<std::string> wrap(llvm::StringRef text, size_t columns);

struct Cell {
  std::string text;
  Style style = Style::Plain;
};

/// Rows of cells. Columns are as wide as they need be, at most `most`; the last
/// one wraps.
class TextTable {
public:
  struct Column {
    std::string title;
    size_t most;
    bool isRight = false;
  };

  explicit TextTable(std::vector<Column> columns) : columns(std::move(columns)) {}

  void add(std::vector<Cell> row) { rows.push_back(std::move(row)); }
  void print(llvm::raw_ostream &os, size_t indent, bool hasColors) const;

private:
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

} // namespace hgc::plans

#endif // HGC_LIB_REPORT_TEXTTABLE_H
