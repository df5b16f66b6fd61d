//===- NpzTest.cpp - NumPy's .npz archives --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestFiles.h"
#include "hgc/Support/Npy.h"
#include "hgc/Support/Random.h"

#include "llvm/Support/Base64.h"
#include <random>

using namespace hgc;

namespace {
struct NpzTest : testing::Test {
  mlir::MLIRContext context;
  TestFolder folder;

  std::string makeFile() {
    NamedTensors tensors;
    tensors.emplace_back("a", makeRandomTensor(mlir::Float32Type::get(&context), {2, 2}, 1));
    tensors.emplace_back("b", makeRandomTensor(mlir::IntegerType::get(&context, 64), {3}, 2));
    EXPECT_EQ(errorOf(writeNpz(folder.file("x.npz"), tensors)), "");
    return TestFolder::read(folder.file("x.npz"));
  }
  std::string errorText(llvm::StringRef bytes) { return errorOf(parseNpz(bytes, &context)); }
};
} // namespace

TEST_F(NpzTest, RoundTrip) {
  makeFile();
  llvm::Expected<NamedTensors> tensors = readNpz(folder.file("x.npz"), &context);
  ASSERT_TRUE(static_cast<bool>(tensors));
  ASSERT_EQ(tensors->size(), 2u);
  EXPECT_EQ((*tensors)[0].first, "a");
  EXPECT_EQ((*tensors)[0].second, makeRandomTensor(mlir::Float32Type::get(&context), {2, 2}, 1));
  EXPECT_EQ((*tensors)[1].second, makeRandomTensor(mlir::IntegerType::get(&context, 64), {3}, 2));
}

// An int32 array arange(40).reshape(4, 10) in the form numpy.savez_compressed gives it.
static constexpr llvm::StringLiteral kCompressed =
    "UEsDBC0AAAAIAAAAIQDRWAxO//////////8FABQAeC5ucHkBABAAIAEAAAAAAACVAAAAAAAAAJ3KuQrCQACE4cT7vu9zPVch"
    "hUIqsbZTbCysJJgVBTGyERvxKXxhf1/Bga+YYT6b3Xq7N42n8ZKu8o9aLoRcXmxpCXny9EM7t4OnXfXbV87VV+z+2bkr+sS2"
    "xHw2tcRb/JuEQUwEEEQIYUQQRQxx/I5JpJBGBlnkkEcBRZRQRgVV1FBHA0200EYHXQj00McAQ4wwhsQXUEsBAi0DLQAAAAgA"
    "AAAhANFYDE6VAAAAIAEAAAUAAAAAAAAAAAAAAIABAAAAAHgubnB5UEsFBgAAAAABAAEAMwAAAMwAAAAAAA==";

TEST_F(NpzTest, Deflated) {
  std::vector<char> bytes;
  ASSERT_EQ(errorOf(llvm::decodeBase64(kCompressed, bytes)), "");
  llvm::Expected<NamedTensors> tensors = parseNpz(llvm::StringRef(bytes.data(), bytes.size()), &context);
  ASSERT_TRUE(static_cast<bool>(tensors));
  ASSERT_EQ(tensors->size(), 1u);
  EXPECT_EQ((*tensors)[0].first, "x");
  EXPECT_EQ((*tensors)[0].second.getShape(), llvm::ArrayRef<int64_t>({4, 10}));
  for (int64_t i = 0; i < 40; ++i)
    EXPECT_EQ((*tensors)[0].second.getInt(i), i);
  // Bytes of the compressed stream: either zlib or the checksum notices.
  for (size_t at = 60; at < 120; ++at) {
    std::vector<char> broken = bytes;
    broken[at] ^= 0x55;
    EXPECT_NE(errorText(llvm::StringRef(broken.data(), broken.size())), "") << at;
  }
}

TEST_F(NpzTest, Errors) {
  std::string bytes = makeFile();
  expectError(errorText("PK"), "no central directory");
  std::string flipped = bytes;
  flipped[150] ^= 1;
  expectError(errorText(flipped), "fails its checksum");
  std::string method = bytes;
  size_t central = bytes.find("PK\x01\x02");
  method[central + 10] = 12;
  expectError(errorText(method), "uses compression method 12");
  std::string encrypted = bytes;
  encrypted[central + 8] |= 1;
  expectError(errorText(encrypted), "it is encrypted");
  std::string lost = bytes;
  lost[central] = 'x';
  expectError(errorText(lost), "entry 0 of the central directory is broken");
  std::string longName = bytes;
  longName[central + 29] = 127;
  expectError(errorText(longName), "the central directory is truncated");
  std::string offset = bytes;
  offset[central + 44] = 1;
  expectError(errorText(offset), "has no local header");
  std::string size = bytes;
  size[central + 22] = 1;
  expectError(errorText(size), "entry 'a.npy' is truncated");
  std::string bomb = bytes;
  bomb[central + 10] = 8;
  bomb[central + 27] = 127;
  expectError(errorText(bomb), "an entry claims");
  std::string stream = bytes;
  stream[central + 10] = 8;
  expectError(errorText(stream), "compressed data is broken");
}

TEST_F(NpzTest, TruncationsAndGarbageNeverCrash) {
  std::string bytes = makeFile();
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(errorText(llvm::StringRef(bytes).take_front(size)), "") << size;
  std::mt19937 random(5);
  for (int round = 0; round < 20000; ++round) {
    std::string broken = bytes;
    for (int flips = 1 + random() % 4; flips > 0; --flips)
      broken[random() % bytes.size()] = static_cast<char>(random());
    (void)errorText(broken);
  }
}
