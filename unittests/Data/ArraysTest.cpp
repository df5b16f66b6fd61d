//===- ArraysTest.cpp - arrays in files of many formats -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Data/Arrays.h"
#include "unittests/Support/TestFiles.h"

#include <zlib.h>

using namespace hgc;

namespace {

std::string compress(llvm::StringRef text) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(text.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
  stream.avail_in = text.size();
  stream.next_out = reinterpret_cast<Bytef *>(out.data());
  stream.avail_out = out.size();
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

struct ArraysTest : testing::Test {
  mlir::MLIRContext context;
  TestFolder folder;

  llvm::Expected<HostTensor> read(llvm::StringRef spec, llvm::StringRef name = "x") {
    llvm::Expected<NamedTensors> arrays = readArrays({{name.str(), spec.str()}}, &context);
    if (!arrays)
      return arrays.takeError();
    return arrays->front().second;
  }
  void expectText(llvm::StringRef spec, llvm::StringRef text) {
    llvm::Expected<HostTensor> array = read(spec);
    ASSERT_TRUE(static_cast<bool>(array)) << llvm::toString(array.takeError());
    EXPECT_EQ(array->str(), text.str());
  }
  void expectFailure(llvm::StringRef contents, llvm::StringRef part) {
    expectError(errorOf(read(folder.write("bad", contents))), part);
  }
};

const std::string kBytes("\0\0\x08\x02\0\0\0\2\0\0\0\3\1\2\3\4\5\xff", 18);

} // namespace

TEST_F(ArraysTest, Idx) {
  expectText(folder.write("a", kBytes), "2x3xui8=1,2,3,4,5,255");
  expectText(folder.write("i8", std::string("\0\0\x09\1\0\0\0\1\xff", 9)), "1xi8=-1");
  expectText(folder.write("i16", std::string("\0\0\x0B\1\0\0\0\1\1\2", 10)), "1xi16=258");
  expectText(folder.write("i32", std::string("\0\0\x0C\1\0\0\0\1\xff\xff\xff\xfe", 12)), "1xi32=-2");
  expectText(folder.write("f32", std::string("\0\0\x0D\1\0\0\0\1\x3f\xc0\0\0", 12)), "1xf32=1.5");
  expectText(folder.write("f64", std::string("\0\0\x0E\1\0\0\0\1\x3f\xf8\0\0\0\0\0\0", 16)), "1xf64=1.5");
}

TEST_F(ArraysTest, Gzip) {
  std::string packed = compress(kBytes);
  expectText(folder.write("a.gz", packed), "2x3xui8=1,2,3,4,5,255");
  // Two members are one file.
  expectText(folder.write("b.gz", compress(kBytes.substr(0, 10)) + compress(kBytes.substr(10))),
             "2x3xui8=1,2,3,4,5,255");
  for (size_t bytes = 2; bytes < packed.size(); ++bytes)
    expectError(errorOf(read(folder.write("c.gz", packed.substr(0, bytes)))), "the gzip file is cut short");
  packed[packed.size() - 6] ^= 1; // checksum
  expectError(errorOf(read(folder.write("d.gz", packed))), "the gzip file is damaged");
  expectError(errorOf(read(folder.write("d.gz", packed))), "d.gz");
}

// Data that decompress to much more than their size.
TEST_F(ArraysTest, GzipOfManyZeros) {
  std::string zeros("\0\0\x08\1\0\x10\0\0", 8);
  zeros.resize(8 + (1 << 20));
  llvm::Expected<HostTensor> array = read(folder.write("z.gz", compress(zeros)));
  ASSERT_TRUE(static_cast<bool>(array));
  EXPECT_EQ(array->getNumElements(), 1 << 20);
}

TEST_F(ArraysTest, BrokenIdx) {
  expectFailure(kBytes.substr(0, 17), "malformed IDX file: its shape needs 6 bytes of data, it has 5");
  expectFailure(kBytes + "x", "its shape needs 6 bytes of data, it has 7");
  expectFailure(kBytes.substr(0, 9), "its header is cut short");
  expectFailure(std::string("\0\0\x0A\1\0\0\0\1\1", 9), "element type 10 does not exist");
  expectFailure(std::string("\0\0\x08\4", 4) + std::string(16, '\xff'), "its extents are absurd");
  expectError(errorOf(parseIdx({"abcdef", nullptr}, &context)),
              "it does not start with two zero bytes, an element type and a rank");
  expectFailure("", "its format is not known");
  expectFailure("hello", "its format is not known");
  expectError(errorOf(read(folder.file("none"))), "cannot read");
}

TEST_F(ArraysTest, Numpy) {
  HostTensor a = HostTensor::fromInts(mlir::IntegerType::get(&context, 32), {2}, {7, 8});
  HostTensor b = HostTensor::fromInts(mlir::IntegerType::get(&context, 64), {1}, {9});
  ASSERT_EQ(errorOf(writeNpy(folder.file("a.npy"), a)), "");
  ASSERT_EQ(errorOf(writeNpz(folder.file("ab.npz"), {{"a", a}, {"b", b}})), "");
  ASSERT_EQ(errorOf(writeNpz(folder.file("b.npz"), {{"b", b}})), "");
  expectText(folder.file("a.npy"), "2xi32=7,8");
  expectText(folder.write("a.npy.gz", compress(TestFolder::read(folder.file("a.npy")))), "2xi32=7,8");
  expectText(folder.file("ab.npz") + ":b", "1xi64=9");
  expectText(folder.file("b.npz"), "1xi64=9");
  EXPECT_EQ(read(folder.file("ab.npz"), "a")->str(), "2xi32=7,8");
  expectError(errorOf(read(folder.file("ab.npz"))), "it has no array 'x'");
  expectError(errorOf(read(folder.file("ab.npz") + ":c")), "it has no array 'c'");
}

// Columns named for one array are left out of the others.
TEST_F(ArraysTest, CsvColumns) {
  std::string path = folder.write("t.csv", "a,b,label\n1,2,0\n3,4,1\n");
  llvm::Expected<NamedTensors> arrays = readArrays({{"x", path}, {"labels", path + ":label"}}, &context);
  ASSERT_TRUE(static_cast<bool>(arrays));
  EXPECT_EQ((*arrays)[0].second.str(), "2x2xf64=1,2,3,4");
  EXPECT_EQ((*arrays)[1].second.str(), "2xf64=0,1");
  expectText(folder.write("t.csv.gz", compress("1;2\n3;4")) + ":1", "2xf64=2,4");
  EXPECT_NE(errorOf(readArrays({{"x", path}, {"labels", path + ":none"}}, &context)), "");
}
