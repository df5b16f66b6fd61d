//===- Csv.h - tables of numbers as text ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_DATA_CSV_H
#define HGC_DATA_CSV_H

#include "dialects/Graph/Eval/HostTensor.h"

namespace hgc {

/// A table: numbers by row, and the names of its columns if it has a header.
class CsvTable {
public:
  /// Reads comma-, semicolon- or tab-separated text. The first row is a header
  /// if one of its cells is no number. Rows of different length are an error.
  static llvm::Expected<CsvTable> parse(llvm::StringRef text);

  int64_t getRows() const { return rows; }
  int64_t getColumns() const { return columns; }

  /// Numbers of the columns that a list of names, numbers and ranges of numbers
  /// means: `label`, `0-3`, `a,b,7`.
  llvm::Expected<std::vector<int64_t>> findColumns(llvm::StringRef list) const;
  /// The columns as f64: rows x columns, or rows alone for one column. A cell
  /// that is no number is an error.
  llvm::Expected<HostTensor> get(llvm::ArrayRef<int64_t> wanted, mlir::MLIRContext *context) const;

private:
  /// The first cell of a column that is no number.
  struct BadCell {
    int64_t line = 0;
    std::string text;
  };

  std::string describe(int64_t column) const;

  int64_t rows = 0, columns = 0;
  std::vector<std::string> names;
  std::vector<double> values;
  std::vector<BadCell> bad;
};

} // namespace hgc

#endif // HGC_DATA_CSV_H
