//===- Csv.cpp - tables of numbers as text --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Data/Csv.h"

#include "hgc/Support/Error.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <charconv>
#include <cmath>

using namespace hgc;

namespace {

/// Takes a text apart, row by row.
class CsvReader {
public:
  explicit CsvReader(llvm::StringRef text) : rest(text) {
    rest.consume_front("\xEF\xBB\xBF"); // byte order mark
    llvm::StringRef first = rest.split('\n').first;
    separator = first.contains(',') ? ',' : first.contains(';') ? ';' : first.contains('\t') ? '\t' : ',';
  }

  /// Line the last row started in, from 1.
  int64_t getLine() const { return line; }

  /// Cells of the next row that is not empty; false at the end.
  llvm::Expected<bool> next(std::vector<llvm::StringRef> &cells) {
    cells.clear();
    unquoted.clear();
    while (true) {
      if (rest.empty())
        return false;
      line = nextLine;
      llvm::StringRef row = rest.split('\n').first;
      if (!row.trim().empty())
        break;
      rest = rest.drop_front(std::min(rest.size(), row.size() + 1));
      ++nextLine;
    }
    while (true) {
      bool isLast = false;
      if (llvm::Error error = nextCell(cells, isLast))
        return std::move(error);
      if (isLast)
        return true;
    }
  }

private:
  llvm::Error nextCell(std::vector<llvm::StringRef> &cells, bool &isLast) {
    llvm::StringRef cell;
    if (rest.consume_front("\"")) {
      std::string text;
      size_t at = 0;
      for (;; ++at) {
        if (at == rest.size())
          return makeError("line " + llvm::Twine(line) + " has a quote that does not end", "close it with '\"'");
        if (rest[at] != '"')
          nextLine += rest[at] == '\n';
        else if (at + 1 == rest.size() || rest[at + 1] != '"')
          break;
        else
          ++at;
        text += rest[at];
      }
      rest = rest.drop_front(at + 1);
      unquoted.push_back(std::make_unique<std::string>(std::move(text)));
      cell = *unquoted.back();
    }
    size_t end = 0;
    while (end < rest.size() && rest[end] != separator && rest[end] != '\n')
      ++end;
    cells.push_back((cell.empty() ? rest.take_front(end) : cell).trim());
    isLast = end == rest.size() || rest[end] == '\n';
    nextLine += end < rest.size() && rest[end] == '\n';
    rest = rest.drop_front(std::min(rest.size(), end + 1));
    return llvm::Error::success();
  }

  llvm::StringRef rest;
  char separator;
  int64_t line = 0, nextLine = 1;
  std::vector<std::unique_ptr<std::string>> unquoted;
};

bool parseNumber(llvm::StringRef text, double &value) {
  text.consume_front("+");
  auto [end, error] = std::from_chars(text.begin(), text.end(), value);
  return error == std::errc() && end == text.end();
}

} // namespace

llvm::Expected<CsvTable> CsvTable::parse(llvm::StringRef text) {
  CsvTable table;
  CsvReader reader(text);
  std::vector<llvm::StringRef> cells;
  for (bool isFirst = true;; isFirst = false) {
    llvm::Expected<bool> more = reader.next(cells);
    if (!more)
      return more.takeError();
    if (!*more)
      break;
    double value;
    if (isFirst) {
      table.columns = static_cast<int64_t>(cells.size());
      table.bad.resize(cells.size());
      if (!llvm::all_of(cells, [&](llvm::StringRef cell) { return parseNumber(cell, value); })) {
        table.names.assign(cells.begin(), cells.end());
        continue;
      }
    }
    if (static_cast<int64_t>(cells.size()) != table.columns)
      return makeError("line " + llvm::Twine(reader.getLine()) + " has " + llvm::Twine(cells.size()) +
                           " cells, the first line has " + llvm::Twine(table.columns),
                       "give all lines equally many cells; put text that has the separator in it in quotes");
    for (auto [column, cell] : llvm::enumerate(cells)) {
      if (!parseNumber(cell, value)) {
        value = std::nan("");
        if (!table.bad[column].line)
          table.bad[column] = {reader.getLine(), cell.str()};
      }
      table.values.push_back(value);
    }
    ++table.rows;
  }
  if (!table.rows)
    return makeError("the CSV file has no rows of numbers", "check that it is the right file");
  return table;
}

std::string CsvTable::describe(int64_t column) const {
  return names.empty() ? std::to_string(column) : "'" + names[column] + "'";
}

llvm::Expected<std::vector<int64_t>> CsvTable::findColumns(llvm::StringRef list) const {
  std::vector<int64_t> found;
  llvm::SmallVector<llvm::StringRef> parts;
  list.split(parts, ',');
  for (llvm::StringRef part : parts) {
    if (auto it = llvm::find(names, part); it != names.end()) {
      found.push_back(it - names.begin());
      continue;
    }
    auto [first, last] = part.split('-');
    int64_t begin = 0, end = 0;
    if (first.getAsInteger(10, begin) || (!last.empty() && last.getAsInteger(10, end)) ||
        (last.empty() && part.contains('-')))
      return makeError("the CSV file has no column '" + part + "'",
                       names.empty() ? "it has no header: number its columns from 0 to " + llvm::Twine(columns - 1)
                                     : "its columns are " + llvm::Twine(llvm::join(names, ", ")));
    end = last.empty() ? begin : end;
    if (begin < 0 || end < begin || end >= columns)
      return makeError("columns '" + part + "' are not in the CSV file",
                       "its columns have the numbers 0 to " + llvm::Twine(columns - 1));
    for (int64_t column = begin; column <= end; ++column)
      found.push_back(column);
  }
  return found;
}

llvm::Expected<HostTensor> CsvTable::get(llvm::ArrayRef<int64_t> wanted, mlir::MLIRContext *context) const {
  for (int64_t column : wanted)
    if (bad[column].line)
      return makeError("line " + llvm::Twine(bad[column].line) + ", column " + describe(column) + ": '" +
                           bad[column].text + "' is not a number",
                       bad[column].text.empty() ? "fill in missing values, or choose columns as FILE.csv:a,b"
                                                : "write classes as numbers from 0, or choose columns as FILE.csv:a,b");
  llvm::SmallVector<int64_t> shape{rows};
  if (wanted.size() != 1)
    shape.push_back(static_cast<int64_t>(wanted.size()));
  HostTensor tensor(mlir::Float64Type::get(context), shape);
  double *out = reinterpret_cast<double *>(tensor.mutableData());
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column : wanted)
      *out++ = values[row * columns + column];
  return tensor;
}
