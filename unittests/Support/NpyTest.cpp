//===- NpyTest.cpp - NumPy's .npy files -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Support/Npy.h"
#include "TestFiles.h"
#include "hgc/Support/Literal.h"
#include "hgc/Support/Random.h"

#include <cstring>
#include <random>

using namespace hgc;

namespace {
struct NpyTest : testing::Test {
  mlir::MLIRContext context;

  HostTensor parse(llvm::StringRef bytes) {
    llvm::Expected<HostTensor> tensor = parseNpy(bytes, &context);
    if (tensor)
      return *tensor;
    ADD_FAILURE() << llvm::toString(tensor.takeError());
    return HostTensor(mlir::Float32Type::get(&context), {});
  }
  std::string errorText(llvm::StringRef bytes) { return errorOf(parseNpy(bytes, &context)); }
  static std::string encode(const HostTensor &tensor) {
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    printNpy(tensor, os);
    return bytes;
  }
  /// A version 1.0 file with this dictionary and data.
  static std::string file(llvm::StringRef dict, llvm::StringRef data) {
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(dict.size() & 255);
    bytes += static_cast<char>(dict.size() >> 8);
    return bytes + dict.str() + data.str();
  }
};
} // namespace

TEST_F(NpyTest, RoundTripAllTypes) {
  for (const char *name : {"f16", "f32", "f64", "i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"}) {
    HostTensor tensor = makeRandomTensor(parseElementType(name, &context), {3, 1, 5}, 7);
    EXPECT_EQ(parse(encode(tensor)), tensor) << name;
  }
}

TEST_F(NpyTest, ScalarAndEmpty) {
  HostTensor scalar = HostTensor::splat(mlir::Float32Type::get(&context), {}, 2.5);
  EXPECT_EQ(parse(encode(scalar)), scalar);
  HostTensor empty(mlir::Float32Type::get(&context), {0, 4});
  EXPECT_EQ(parse(encode(empty)), empty);
}

TEST_F(NpyTest, HeaderIsAligned) {
  std::string bytes = encode(HostTensor(mlir::Float32Type::get(&context), {2}));
  EXPECT_EQ(bytes.size(), 64u * 2 + 8);
}

TEST_F(NpyTest, Bfloat16IsStoredAsBits) {
  mlir::Type bf16 = mlir::BFloat16Type::get(&context);
  HostTensor tensor = makeRandomTensor(bf16, {6}, 1);
  HostTensor loaded = parse(encode(tensor));
  EXPECT_TRUE(loaded.getElementType().isUnsignedInteger(16));
  llvm::Expected<HostTensor> converted = convertLoaded(loaded, bf16);
  ASSERT_TRUE(static_cast<bool>(converted));
  EXPECT_EQ(*converted, tensor);
  HostTensor floats(mlir::Float32Type::get(&context), {6});
  expectError(errorOf(convertLoaded(floats, bf16)), "has element type f32, expected bf16");
  expectError(errorOf(convertLoaded(loaded, floats.getElementType())), "convert the array with NumPy's astype");
}

TEST_F(NpyTest, FortranOrderAndBigEndian) {
  std::string data("\0\1\0\2\0\3\0\4\0\5\0\6", 12);
  HostTensor swapped = parse(file("{'descr': '>i2', 'fortran_order': False, 'shape': (2, 3)}", data));
  EXPECT_EQ(swapped.str(), "2x3xi16=1,2,3,4,5,6");
  HostTensor fortran = parse(file("{\"shape\": (2L, 3L), 'fortran_order': True, 'descr': '>i2', }\n", data));
  EXPECT_EQ(fortran.str(), "2x3xi16=1,3,5,2,4,6");
}

TEST_F(NpyTest, BoolsAreNormalised) {
  llvm::StringRef data("\0\2\xff", 3);
  HostTensor bools = parse(file("{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", data));
  EXPECT_EQ(bools.getBytes(), llvm::ArrayRef<char>({0, 1, 1}));
}

TEST_F(NpyTest, Errors) {
  expectError(errorText("hello"), "not a .npy file");
  expectError(errorText(llvm::StringRef("\x93NUMPY\x07\x00..............", 20)), ".npy version 7 is not known");
  expectError(errorText(file("[]", "")), "expected a dictionary");
  expectError(errorText(file("{'descr': '<f4', 'fortran_order': False}", "")), "'shape' are needed");
  expectError(errorText(file("{'descr': '<f4', 'fortran_order': 1, 'shape': ()}", "")), "neither True nor False");
  expectError(errorText(file("{'descr': '<f4', 'fortran_order': False, 'shape': 4}", "")), "'shape' is not a tuple");
  expectError(errorText(file("{'descr': '<f4', 'fortran_order': False, 'shape': (-4,)}", "")), "no extent");
  expectError(errorText(file("{'descr': '<f4', 'fortran_order': False, 'shape': (4", "")), "'shape' is not closed");
  expectError(errorText(file("{'descr': '<f4', 'fortran_order': False, 'shape': ()", "")), "dictionary is not closed");
  expectError(errorText(file("{'descr': '<f4", "")), "structured .npy arrays are not tensors");
  expectError(errorText(file("{'descr': [('a', '<f4')]}", "")), "structured .npy arrays are not tensors");
  expectError(errorText(file("{'descr' '<f4'}", "")), "expected ':' after 'descr'");
  expectError(errorText(file("{descr: 1}", "")), "expected a string");
  expectError(errorText(file("{'desc", "")), "unterminated string");
  expectError(errorText(file("{'order': 1}", "")), "unknown key 'order'");
  expectError(errorText(file("{'descr': '<c8', 'fortran_order': False, 'shape': ()}", "")), "NumPy type '<c8'");
  expectError(errorText(file("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}", "")),
              "the shape overflows");
  expectError(errorText(file("{'descr': '<f4', 'fortran_order': False, 'shape': (1099511627776,)}", "")),
              "truncated .npy file: the data has 0 bytes");
}

TEST_F(NpyTest, EveryTruncationIsAnError) {
  std::string bytes = encode(makeRandomTensor(mlir::Float32Type::get(&context), {2, 3}, 3));
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(errorText(llvm::StringRef(bytes).take_front(size)).empty()) << size;
}

TEST_F(NpyTest, GarbageNeverCrashes) {
  std::string good = encode(makeRandomTensor(mlir::Float32Type::get(&context), {2, 3}, 3));
  std::mt19937 random(5);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = good;
    for (int flips = 1 + random() % 4; flips > 0; --flips)
      bytes[random() % (good.size() - 24)] = static_cast<char>(random());
    llvm::Expected<HostTensor> tensor = parseNpy(bytes, &context);
    if (!tensor)
      llvm::consumeError(tensor.takeError());
    else
      EXPECT_LE(tensor->getNumBytes(), int64_t(bytes.size()));
  }
}

TEST_F(NpyTest, Files) {
  TestFolder folder;
  HostTensor tensor = makeRandomTensor(mlir::Float64Type::get(&context), {1000}, 3);
  ASSERT_EQ(errorOf(writeNpy(folder.file("x.npy"), tensor)), "");
  llvm::Expected<HostTensor> loaded = readNpy(folder.file("x.npy"), &context);
  ASSERT_TRUE(static_cast<bool>(loaded));
  EXPECT_EQ(*loaded, tensor);
  expectError(errorOf(readNpy(folder.file("y.npy"), &context)), "cannot read");
  folder.write("z.npy", "garbage");
  expectError(errorOf(readNpy(folder.file("z.npy"), &context)), "z.npy': not a .npy file");
}

TEST_F(NpyTest, SaysWhatIsWrongWithTheHeader) {
  EXPECT_NE(errorText(file("{'descr': '<f4'}\n", "")).find("malformed .npy header"), std::string::npos);
  std::string dict = "{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }\n";
  EXPECT_NE(errorText(file(dict, "12345678")).find("'<c8' is not a tensor element type"), std::string::npos);
}
