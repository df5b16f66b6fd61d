//===- MemoryLimitsTest.cpp - sizes and limits as users write them --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "hgc/Support/MemoryLimits.h"

#include "gtest/gtest.h"

using namespace hgc;

namespace {

int64_t bytes(llvm::StringRef text) {
  llvm::Expected<int64_t> value = parseBytes(text);
  EXPECT_TRUE(bool(value)) << text.str();
  return value ? *value : (llvm::consumeError(value.takeError()), -1);
}

std::string error(llvm::Error problem) { return llvm::toString(std::move(problem)); }

TEST(MemoryLimits, SizesHaveBinaryUnits) {
  EXPECT_EQ(bytes("0"), 0);
  EXPECT_EQ(bytes("1234"), 1234);
  EXPECT_EQ(bytes("64KiB"), 65536);
  EXPECT_EQ(bytes("64MiB"), 67108864);
  EXPECT_EQ(bytes("1.5GiB"), 1610612736);
  EXPECT_EQ(bytes("8589934591GiB"), 8589934591LL << 30);
}

TEST(MemoryLimits, WrongSizesAreRefused) {
  for (const char *text : {"", "MiB", "1.5", "-1", "64MB", "1e3", "0x10", "1..5MiB", "64 MiB"})
    EXPECT_NE(error(parseBytes(text).takeError()).find("is not a number of bytes"), std::string::npos) << text;
  for (const char *text : {"99999999999999999999", "8589934592GiB", "9999999999.5GiB"})
    EXPECT_NE(error(parseBytes(text).takeError()).find("more memory than any device has"), std::string::npos) << text;
}

TEST(MemoryLimits, DevicesHaveTheirOwnLimit) {
  llvm::Expected<MemoryLimits> limits = MemoryLimits::parse("gpu=1MiB, gpu:1=2MiB,cpu=3KiB");
  ASSERT_TRUE(bool(limits));
  EXPECT_EQ(limits->getGpu(0), 1 << 20);
  EXPECT_EQ(limits->getGpu(1), 2 << 20);
  EXPECT_EQ(limits->getGpu(7), 1 << 20);
  EXPECT_EQ(limits->getCpu(), 3 << 10);
  EXPECT_EQ(limits->str(), "cpu=3072,gpu=1048576,gpu:1=2097152");
  limits = MemoryLimits::parse("gpu:1=5");
  ASSERT_TRUE(bool(limits));
  EXPECT_EQ(limits->getGpu(0), std::nullopt);
  EXPECT_EQ(limits->getCpu(), std::nullopt);
  EXPECT_EQ(MemoryLimits::parse(limits->str())->getGpu(1), 5);
}

TEST(MemoryLimits, WrongLimitsAreRefused) {
  auto refuse = [](const char *text, const char *expected) {
    EXPECT_NE(error(MemoryLimits::parse(text).takeError()).find(expected), std::string::npos) << text;
  };
  refuse("64MiB", "is not of the form DEVICE=SIZE");
  refuse("", "is not of the form DEVICE=SIZE");
  refuse("gpu=", "is not of the form DEVICE=SIZE");
  refuse("tpu=1", "names 'tpu', expected cpu, gpu or gpu:N");
  refuse("gpu:x=1", "names 'gpu:x', expected cpu, gpu or gpu:N");
  refuse("gpu:64=1", "no plan has that many GPUs");
  refuse("gpu=1,gpu=2", "names 'gpu' twice");
  refuse("gpu:0=1,gpu:0=2", "names 'gpu:0' twice");
  refuse("cpu=1,cpu=2", "names 'cpu' twice");
  refuse("gpu=x", "is not a number of bytes");
}

} // namespace
