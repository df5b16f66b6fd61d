//===- CsvTest.cpp - tables of numbers as text ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Data/Csv.h"
#include "unittests/Support/TestFiles.h"

using namespace hgc;

namespace {

struct CsvTest : testing::Test {
  mlir::MLIRContext context;

  std::string get(llvm::StringRef text, llvm::StringRef columns) {
    llvm::Expected<CsvTable> table = CsvTable::parse(text);
    if (!table)
      return llvm::toString(table.takeError());
    llvm::Expected<std::vector<int64_t>> wanted = table->findColumns(columns);
    if (!wanted)
      return llvm::toString(wanted.takeError());
    llvm::Expected<HostTensor> tensor = table->get(*wanted, &context);
    return tensor ? tensor->str() : llvm::toString(tensor.takeError());
  }
};

} // namespace

TEST_F(CsvTest, NumbersInAnyForm) {
  EXPECT_EQ(get("1,-2.5\n+3,1e2\n", "0-1"), "2x2xf64=1,-2.5,3,100");
  EXPECT_EQ(get("1;2\r\n3;4\r\n\r\n", "1"), "2xf64=2,4");
  EXPECT_EQ(get("1\t2\n3\t4", "0"), "2xf64=1,3");
  EXPECT_EQ(get("\xEF\xBB\xBF"
                "1,2\n",
                "0"),
            "1xf64=1");
  EXPECT_EQ(get("5\n6\n", "0"), "2xf64=5,6");
}

TEST_F(CsvTest, HeaderAndQuotes) {
  EXPECT_EQ(get("a,\"b, \"\"c\"\"\"\n1,2\n\"3\",4\n", "b, \"c\""), "the CSV file has no column 'b'\nhint: its columns "
                                                                   "are a, b, \"c\"");
  EXPECT_EQ(get("a,\"b c\"\n1,2\n\"3\",4\n", "b c,a"), "2x2xf64=2,1,4,3");
  EXPECT_EQ(get("a,\"two\nlines\"\n1,2\n", "a"), "1xf64=1");
  EXPECT_EQ(get("a,7\n1,2\n", "7"), "1xf64=2");
}

TEST_F(CsvTest, WrongCellsMatterOnlyWhereTheyAreRead) {
  EXPECT_EQ(get("name,x\nann,1\nbob,2\n", "x"), "2xf64=1,2");
  expectError(get("name,x\nann,1\n", "name"), "line 2, column 'name': 'ann' is not a number");
  expectError(get("1,2\n3,\n", "1"), "line 2, column 1: '' is not a number");
  expectError(get("1,2\n3,4 5\n", "1"), "'4 5' is not a number");
}

TEST_F(CsvTest, Errors) {
  expectError(get("1,2\n3\n", "0"), "line 2 has 1 cells, the first line has 2");
  expectError(get("1,\"2\n3", "0"), "line 1 has a quote that does not end");
  expectError(get("", "0"), "the CSV file has no rows of numbers");
  expectError(get("a,b\n", "0"), "the CSV file has no rows of numbers");
  expectError(get("1,2\n", "2"), "columns '2' are not in the CSV file");
  expectError(get("1,2\n", "1-0"), "columns '1-0' are not in the CSV file");
  expectError(get("1,2\n", "x"), "the CSV file has no column 'x'");
  expectError(get("1,2\n", "0-"), "the CSV file has no column '0-'");
}
