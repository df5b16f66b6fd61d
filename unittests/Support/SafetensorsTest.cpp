//===- SafetensorsTest.cpp - files of named tensors -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Support/Safetensors.h"
#include "TestFiles.h"
#include "hgc/Support/Literal.h"
#include "hgc/Support/Random.h"

#include <random>

using namespace hgc;

namespace {
struct SafetensorsTest : testing::Test {
  mlir::MLIRContext context;

  static std::string encode(llvm::StringRef header, llvm::StringRef data) {
    std::string bytes;
    for (int i = 0; i < 8; ++i)
      bytes += static_cast<char>(uint64_t(header.size()) >> (8 * i));
    return bytes + header.str() + data.str();
  }
  llvm::Expected<SafetensorsFile> parse(llvm::StringRef bytes) {
    return SafetensorsFile::parse(llvm::MemoryBuffer::getMemBufferCopy(bytes), &context);
  }
  std::string errorText(llvm::StringRef header, llvm::StringRef data) { return errorOf(parse(encode(header, data))); }
};
} // namespace

TEST_F(SafetensorsTest, Metadata) {
  TestFolder folder;
  SafetensorsOptions options;
  options.metadata = {{"step", "7"}, {"text", "a \"b\"\n"}};
  options.durable = true;
  HostTensor one = HostTensor::fromInts(mlir::IntegerType::get(&context, 64), {1}, {1});
  ASSERT_EQ(errorOf(writeSafetensors(folder.file("m.safetensors"), {{"a", one}}, options)), "");
  llvm::Expected<SafetensorsFile> file = SafetensorsFile::open(folder.file("m.safetensors"), &context);
  ASSERT_TRUE(static_cast<bool>(file));
  EXPECT_EQ(file->getMetadata(), options.metadata);
  EXPECT_EQ(file->get("a")->str(), "1xi64=1");
  EXPECT_EQ(file->getNames().size(), 1u);
}

TEST_F(SafetensorsTest, RoundTripAllTypes) {
  TestFolder folder;
  NamedTensors tensors;
  for (const char *name : {"i1", "ui8", "f16", "bf16", "f32", "f64", "i8", "i16", "i32", "i64", "ui16", "ui32", "ui64"})
    tensors.emplace_back(name, makeRandomTensor(parseElementType(name, &context), {3, 5}, 3));
  tensors.emplace_back("scalar \"quoted\"", makeRandomTensor(parseElementType("f32", &context), {}, 3));
  tensors.emplace_back("empty", HostTensor(parseElementType("f32", &context), {0}));
  ASSERT_EQ(errorOf(writeSafetensors(folder.file("x.safetensors"), tensors)), "");
  llvm::Expected<SafetensorsFile> file = SafetensorsFile::open(folder.file("x.safetensors"), &context);
  ASSERT_TRUE(static_cast<bool>(file));
  EXPECT_EQ(file->getNames().size(), tensors.size());
  for (const auto &[name, tensor] : tensors) {
    llvm::Expected<HostTensor> loaded = file->get(name);
    ASSERT_TRUE(static_cast<bool>(loaded)) << name;
    EXPECT_EQ(*loaded, tensor) << name;
  }
}

TEST_F(SafetensorsTest, UnalignedDataAndMetadata) {
  auto file = parse(
      encode("{\"__metadata__\":{\"format\":\"pt\"},\"a\":{\"dtype\":\"I32\",\"shape\":[2],\"data_offsets\":[1,9]}} ",
             llvm::StringRef("\x7f\1\0\0\0\2\0\0\0", 9)));
  ASSERT_TRUE(static_cast<bool>(file));
  auto tensor = file->get("a");
  ASSERT_TRUE(static_cast<bool>(tensor));
  EXPECT_EQ(tensor->str(), "2xi32=1,2");
  EXPECT_TRUE(file->contains("a"));
  expectError(errorOf(file->get("b")), "the file has no tensor 'b'");
}

TEST_F(SafetensorsTest, Errors) {
  expectError(errorOf(parse("1234")), "it has only 4 bytes");
  expectError(errorOf(parse(llvm::StringRef("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10))), "the header claims");
  expectError(errorText("{", ""), "the header is not JSON");
  expectError(errorText("[]", ""), "the header is not a JSON object");
  expectError(errorText("{\"a\":1}", ""), "tensor 'a' is not a JSON object");
  expectError(errorText("{\"a\":{}}", ""), "lacks dtype, shape or data_offsets");
  expectError(errorText(std::string(100000, '['), ""), "the header nests too deeply");
  auto entry = [](llvm::StringRef dtype, llvm::StringRef shape, llvm::StringRef offsets) {
    return ("{\"a\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}}").str();
  };
  expectError(errorText(entry("F8_E4M3", "[1]", "[0,1]"), "...."), "has dtype 'F8_E4M3'");
  expectError(errorText(entry("F32", "[-1]", "[0,4]"), "...."), "an extent that is no natural number");
  expectError(errorText(entry("F32", "[1.5]", "[0,4]"), "...."), "an extent that is no natural number");
  expectError(errorText(entry("F32", "[1]", "[0,8]"), "...."), "lies outside the file's 4 bytes");
  expectError(errorText(entry("F32", "[1]", "[4,0]"), "...."), "lies outside");
  expectError(errorText(entry("F32", "[1]", "[-4,0]"), "...."), "lies outside");
  expectError(errorText(entry("F32", "[2]", "[0,4]"), "...."), "which its shape and dtype do not need");
  expectError(errorText(entry("F32", "[4611686018427387904,4]", "[0,0]"), "...."), "do not need");
  expectError(errorText("{\"a\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]},"
                        "\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[2,4]}}",
                        "...."),
              "tensors 'a' and 'b' overlap");
}

TEST_F(SafetensorsTest, TruncationsAndGarbageNeverCrash) {
  std::string bytes = encode("{\"a\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[0,8]}}", "12345678");
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(errorOf(parse(llvm::StringRef(bytes).take_front(size))), "") << size;
  std::mt19937 random(9);
  for (int round = 0; round < 20000; ++round) {
    std::string broken = bytes;
    for (int flips = 1 + random() % 4; flips > 0; --flips)
      broken[random() % bytes.size()] = static_cast<char>(random());
    (void)errorOf(parse(broken));
  }
}

TEST_F(SafetensorsTest, NamesElementTypesItDoesNotKnow) {
  std::string text = errorText(R"({"w":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]}})", "x");
  EXPECT_NE(text.find("'F8_E4M3', which is not an element type"), std::string::npos) << text;
}
