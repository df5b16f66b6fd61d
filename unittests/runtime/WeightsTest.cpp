//===- WeightsTest.cpp - weights in a file --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include "hgc_rt_hash.h"

#include <gtest/gtest.h>

#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace hgc::rt_test;

namespace {

struct Weights : ::testing::Test {
  std::string folder = tempPath("weights"), name = "t.weights.safetensors";
  std::string path = folder + "/" + name, contents;
  hgc_rt_model_desc desc = testDesc();
  hgc_rt_options options = hgc_rt_options_default();

  void SetUp() override {
    mkdir(folder.c_str(), 0755);
    contents.assign(64, 'h');
    contents.append(reinterpret_cast<const char *>(kWeights), 16);
    desc.weights = nullptr;
    desc.weights_file = name.c_str();
    desc.weights_file_size = 80;
    desc.weights_offset = 64;
    desc.weights_header_hash = hgc_rt_hash64(contents.data(), 64);
    desc.weights_hash = hgc_rt_hash64(contents.data() + 64, 16);
    options.num_threads = 1;
    options.weights_path = path.c_str();
    write(contents);
  }
  void TearDown() override {
    unlink(path.c_str());
    rmdir(folder.c_str());
  }
  void write(const std::string &text) { std::ofstream(path, std::ios::binary | std::ios::trunc) << text; }
  hgc_rt_status scale() {
    Instance m(desc, 1, &options);
    std::vector<float> y;
    return m.status != HGC_RT_OK                     ? m.status
           : m.scale(1, y) != HGC_RT_OK              ? HGC_RT_INTERNAL
           : y == std::vector<float>{12, 22, 32, 42} ? HGC_RT_OK
                                                     : HGC_RT_DEVICE_FAILED;
  }
};

TEST_F(Weights, FileOrFolder) {
  EXPECT_EQ(scale(), HGC_RT_OK);
  options.weights_path = folder.c_str();
  EXPECT_EQ(scale(), HGC_RT_OK);
}

TEST_F(Weights, BesideTheLibrary) {
  // The descriptor is on this program's stack, which belongs to no library:
  // the bare name, relative to the working folder, is what remains.
  options.weights_path = nullptr;
  EXPECT_EQ(scale(), HGC_RT_IO_ERROR);
  EXPECT_NE(lastError().find("cannot open weights file 't.weights.safetensors': "
                             "no such file\nhint: keep the weights file beside"),
            std::string::npos)
      << lastError();
}

TEST_F(Weights, Missing) {
  std::string elsewhere = folder + "/missing";
  options.weights_path = elsewhere.c_str();
  EXPECT_EQ(scale(), HGC_RT_IO_ERROR);
  EXPECT_NE(lastError().find(elsewhere), std::string::npos);
  std::string tooLong(5000, 'x');
  options.weights_path = tooLong.c_str();
  EXPECT_EQ(scale(), HGC_RT_INVALID_ARGUMENT);
}

TEST_F(Weights, Truncated) {
  write(contents.substr(0, 79));
  EXPECT_EQ(scale(), HGC_RT_BAD_WEIGHTS);
  EXPECT_NE(lastError().find("has 79 bytes, expected 80 (truncated?)"), std::string::npos);
  write("");
  EXPECT_EQ(scale(), HGC_RT_BAD_WEIGHTS);
  write(contents + "x");
  EXPECT_EQ(scale(), HGC_RT_BAD_WEIGHTS);
}

TEST_F(Weights, Foreign) {
  std::string other = contents;
  other[10] = 'H';
  write(other);
  EXPECT_EQ(scale(), HGC_RT_BAD_WEIGHTS);
  EXPECT_NE(lastError().find("another header"), std::string::npos);
  other = contents;
  other[79] ^= 1;
  write(other);
  EXPECT_EQ(scale(), HGC_RT_BAD_WEIGHTS);
  EXPECT_NE(lastError().find("other contents"), std::string::npos);
}

TEST_F(Weights, LargeFilesAreHashedOnRequest) {
  contents.resize(64 + (20 << 20));
  desc.weights_bytes = 20 << 20;
  desc.weights_file_size = int64_t(contents.size());
  desc.weights_hash = hgc_rt_hash64(contents.data() + 64, 20 << 20);
  write(contents);
  EXPECT_EQ(scale(), HGC_RT_OK);
  contents.back() ^= 1;
  write(contents);
  EXPECT_EQ(scale(), HGC_RT_OK);
  options.flags = HGC_RT_VERIFY_WEIGHTS;
  EXPECT_EQ(scale(), HGC_RT_BAD_WEIGHTS);
}

TEST(Hash, SeesEveryByteAndTheLength) {
  unsigned char data[100] = {};
  for (size_t n = 0; n < 100; ++n) {
    uint64_t hash = hgc_rt_hash64(data, n);
    EXPECT_NE(hash, hgc_rt_hash64(data, n + 1 > 99 ? 0 : n + 1));
    for (size_t i = 0; i < n; ++i) {
      data[i] = 1;
      EXPECT_NE(hgc_rt_hash64(data, n), hash) << n << " " << i;
      data[i] = 0;
    }
  }
  // The value is part of the file format: it may never change.
  EXPECT_EQ(hgc_rt_hash64("hgc", 3), UINT64_C(14590222546023770421));
}

} // namespace
