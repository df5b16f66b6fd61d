//===- ErrorTest.cpp - failures that are hard to come by ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

using namespace hgc::rt_test;

/// What opening a file fails with, or 0; the linker routes the runtime's open
/// here.
static std::atomic<int> openError{0};

extern "C" {
int __real_open(const char *, int, ...);
int __wrap_open(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & O_CREAT) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  if (!openError)
    return __real_open(path, flags, mode);
  errno = openError;
  return -1;
}
}

/// Sanitizers end the program at a giant allocation unless told otherwise.
extern "C" {
const char *__asan_default_options();
const char *__tsan_default_options();
const char *__asan_default_options() { return "allocator_may_return_null=1"; }
const char *__tsan_default_options() { return "allocator_may_return_null=1"; }
}

namespace {

bool errorHas(const std::string &text) {
  std::string error = lastError();
  EXPECT_NE(error.find(text), std::string::npos) << error;
  return true;
}

/// A model with one entry of one input, whose program is `fn`.
struct OneEntry {
  int64_t dims[2] = {2, 2};
  hgc_rt_tensor_info input = {"x", dims, HGC_RT_F32, 2};
  hgc_rt_variant_desc variant;
  hgc_rt_entry_desc entry;
  hgc_rt_model_desc desc = testDesc();

  explicit OneEntry(hgc_rt_program_fn fn)
      : variant{fn, 0, nullptr}, entry{{"main", 0, 1, 0, 1, nullptr, &input, nullptr, nullptr}, &variant, nullptr} {
    desc.entries = &entry;
    desc.n_entries = 1;
    desc.n_params = 0;
    desc.state_bytes = 0;
  }
};

TEST(Error, ProgramWithoutAMessage) {
  OneEntry one([](hgc_rt_ctx *, void **) { return HGC_RT_DEVICE_FAILED; });
  Instance m(one.desc);
  float x[4] = {};
  EXPECT_EQ(m.call(0, {x}), HGC_RT_DEVICE_FAILED);
  errorHas("model 'testmodel': entry 'main' failed with status 5");
  EXPECT_EQ(m.call(0, {x}), HGC_RT_DEVICE_FAILED) << "without state there is nothing half-updated: no FAILED_INSTANCE";
}

TEST(Error, FailNeedsACodeAndGetsAHint) {
  OneEntry one([](hgc_rt_ctx *ctx, void **) { return hgc_rt_fail(ctx, HGC_RT_OK, "index 7 is out of bounds"); });
  Instance m(one.desc);
  float x[4] = {};
  EXPECT_EQ(m.call(0, {x}), HGC_RT_INTERNAL);
  EXPECT_STREQ(hgc_rt_last_error(), "model 'testmodel': entry 'main': index 7 is out of bounds\n"
                                    "hint: check the values passed to this call");
}

TEST(Error, LongMessagesKeepTheirHint) {
  static std::string text;
  OneEntry one([](hgc_rt_ctx *ctx, void **) { return hgc_rt_fail(ctx, HGC_RT_DEVICE_FAILED, text.c_str()); });
  Instance m(one.desc);
  float x[4] = {};
  text = std::string(3000, 'm') + "\nhint: do this";
  EXPECT_EQ(m.call(0, {x}), HGC_RT_DEVICE_FAILED);
  errorHas("mmm...\nhint: do this");
  text = "short\nhint: " + std::string(3000, 'h');
  EXPECT_EQ(m.call(0, {x}), HGC_RT_DEVICE_FAILED);
  errorHas("entry 'main': short\nhint: hhh");
}

TEST(Error, TensorTooLargeToExist) {
  OneEntry one([](hgc_rt_ctx *, void **) { return HGC_RT_OK; });
  one.dims[0] = one.dims[1] = INT64_C(1) << 40;
  Instance m(one.desc);
  float x[4] = {};
  EXPECT_EQ(m.call(0, {x}), HGC_RT_INTERNAL);
  errorHas("input 'x' has no valid size");
}

TEST(Error, GuardedBufferTooLarge) {
  hgc_rt_model_desc desc = testDesc();
  const int64_t sizes[] = {16, INT64_C(1) << 60};
  desc.guarded_sizes = sizes;
  desc.n_guarded = 2;
  EXPECT_EQ(Instance(desc).status, HGC_RT_OUT_OF_MEMORY);
  errorHas("cannot map guarded buffer 1 of 1152921504606846976 bytes");
}

TEST(Error, ScratchTooLarge) {
  hgc_rt_model_desc desc = testDesc();
  desc.scratch_bytes = INT64_C(1) << 61;
  EXPECT_EQ(Instance(desc, 16).status, HGC_RT_OUT_OF_MEMORY);
  errorHas("cannot allocate");
}

TEST(Error, WeightsThatCannotBeMapped) {
  std::string path = tempPath("empty");
  std::ofstream(path).close();
  hgc_rt_model_desc desc = testDesc();
  desc.weights = nullptr;
  desc.weights_file = "w";
  desc.weights_file_size = 0;
  hgc_rt_options o = hgc_rt_options_default();
  o.weights_path = path.c_str();
  EXPECT_EQ(Instance(desc, 1, &o).status, HGC_RT_IO_ERROR);
  errorHas("cannot map weights file '" + path + "' (error 22)");
  unlink(path.c_str());
}

TEST(Error, StateThatCannotBeSaved) {
  Instance m(testDesc());
  int64_t y = 0;
  ASSERT_EQ(m.count(3, y), HGC_RT_OK);
  std::string path = tempPath("state"), created = path + "." + std::to_string(getpid()) + ".tmp";
  const std::pair<int, const char *> cases[] = {{ENOSPC, "': no space left on the device\n"},
                                                {EDQUOT, "': the disk quota is used up\n"},
                                                {EACCES, "': permission denied\n"},
                                                {EROFS, "': the file system is read-only\n"},
                                                {ENOENT, "': no such folder\n"},
                                                {EIO, "'\n"}};
  for (auto [code, reason] : cases) {
    openError = code;
    EXPECT_EQ(hgc_rt_save(m.model, path.c_str()), HGC_RT_IO_ERROR);
    openError = 0;
    errorHas("cannot create '" + created + reason + "hint: check the folder");
  }
  EXPECT_NE(access(path.c_str(), F_OK), 0);
  EXPECT_EQ(hgc_rt_save(m.model, path.c_str()), HGC_RT_OK) << "the instance is as good as before";
  EXPECT_EQ(unlink(path.c_str()), 0);
  EXPECT_NE(access(created.c_str(), F_OK), 0);
}

TEST(Error, StateThatCannotBeLoaded) {
  Instance m(testDesc());
  int64_t y = 0;
  std::string path = tempPath("state");
  ASSERT_EQ(m.count(3, y), HGC_RT_OK);
  ASSERT_EQ(hgc_rt_save(m.model, path.c_str()), HGC_RT_OK);
  ASSERT_EQ(m.count(1, y), HGC_RT_OK);
  const std::pair<int, const char *> cases[] = {
      {ENOENT, "': no such file\n"}, {EACCES, "': permission denied\n"}, {EIO, "'\n"}};
  for (auto [code, reason] : cases) {
    openError = code;
    EXPECT_EQ(hgc_rt_load(m.model, path.c_str()), HGC_RT_IO_ERROR);
    openError = 0;
    errorHas("cannot open '" + path + reason + "hint: check the path");
  }
  EXPECT_EQ(m.count(0, y), HGC_RT_OK);
  EXPECT_EQ(y, 4) << "a file that cannot be read changes nothing";
  EXPECT_EQ(hgc_rt_load(m.model, path.c_str()), HGC_RT_OK);
  EXPECT_EQ(m.count(0, y), HGC_RT_OK);
  EXPECT_EQ(y, 3);
  unlink(path.c_str());
}

TEST(Error, OptionMessages) {
  hgc_rt_options o = hgc_rt_options_default();
  o.version = 2;
  Instance(testDesc(), 1, &o);
  errorHas("options has size " + std::to_string(sizeof(o)) + ", version 2");
  o = hgc_rt_options_default();
  o.free = [](void *, void *, size_t, size_t) {};
  Instance(testDesc(), 1, &o);
  errorHas("options has only one of alloc and free");
  hgc_rt_pool pool = {};
  o = hgc_rt_options_default();
  o.pool = &pool;
  Instance(testDesc(), 1, &o);
  errorHas("options.pool has size 0, version 0");
  o = hgc_rt_options_default();
  std::string path(5000, 'x');
  o.weights_path = path.c_str();
  hgc_rt_model_desc desc = testDesc();
  desc.weights = nullptr;
  desc.weights_file = "w.bin";
  Instance(desc, 1, &o);
  errorHas("the path of weights file 'w.bin' is longer than 4095");
}

TEST(Error, StructMessages) {
  EXPECT_EQ(hgc_rt_create(nullptr, nullptr, nullptr), HGC_RT_INVALID_ARGUMENT);
  errorHas("create got desc NULL");
  Instance m(testDesc());
  hgc_rt_model_memory_requirements(m.model, nullptr);
  errorHas("memory_requirements got out NULL");
  hgc_rt_memory_info info = {};
  hgc_rt_model_memory_requirements(m.model, &info);
  errorHas("the struct has size 0, version 0, expected 72, 1");
  hgc_rt_model_get_param(m.model, 9, &info, 8);
  errorHas("parameter 9 is out of range, expected 0 to 2");
  hgc_rt_model_set_param(m.model, kCounter, nullptr, 8);
  errorHas("parameter 'counter' got 8 bytes at NULL, expected 8");
}

} // namespace
