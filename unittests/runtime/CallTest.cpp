//===- CallTest.cpp - arguments, variants, parameters ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include "hgc_rt_dlpack.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

using namespace hgc::rt_test;

namespace {

bool errorHas(const char *text) {
  std::string error = lastError();
  EXPECT_NE(error.find(text), std::string::npos) << error;
  return true;
}

TEST(Call, PicksTheVariant) {
  Instance m(testDesc());
  std::vector<float> y;
  for (int64_t batch : {1000, 1, 3})
    EXPECT_EQ(m.scale(batch, y), HGC_RT_OK);
  EXPECT_STREQ(hgc_rt_last_error(), "");
  EXPECT_EQ(m.scale(7, y), HGC_RT_NO_VARIANT);
  errorHas("model 'testmodel': entry 'scale' has no variant for batch=7; "
           "compiled: batch=1; batch=3; batch=1000");
  errorHas("--dim batch=7");
  int8_t a[6] = {};
  int64_t out = 0;
  EXPECT_EQ(m.call(kPair, {a, a, &out}, {2, 4}), HGC_RT_NO_VARIANT);
  errorHas("for n=2, m=4; compiled: n=2, m=3; n=0, m=3; n=4, m=1");
  EXPECT_EQ(m.call(kPair, {a, a, &out}, {2, 3}), HGC_RT_OK);
  EXPECT_EQ(out, 203);
}

TEST(Call, TypedArgumentErrors) {
  Instance m(testDesc());
  alignas(8) char buffer[256] = {};
  EXPECT_EQ(m.call(6, {}), HGC_RT_INVALID_ARGUMENT);
  errorHas("entry 6 is out of range, expected 0 to 5");
  EXPECT_EQ(m.call(-1, {}), HGC_RT_INVALID_ARGUMENT);
  EXPECT_EQ(hgc_rt_call(m.model, kScale, nullptr, nullptr), HGC_RT_INVALID_ARGUMENT);
  errorHas("entry 'scale': dims is NULL, expected 1");
  int64_t batch = 1;
  EXPECT_EQ(hgc_rt_call(m.model, kScale, &batch, nullptr), HGC_RT_INVALID_ARGUMENT);
  errorHas("args is NULL, expected 2");
  EXPECT_EQ(m.call(kScale, {nullptr, buffer}, {1}), HGC_RT_INVALID_ARGUMENT);
  errorHas("input 'x' is NULL, expected 16 bytes");
  EXPECT_EQ(m.call(kScale, {buffer, nullptr}, {1}), HGC_RT_INVALID_ARGUMENT);
  errorHas("output 'y' is NULL");
  EXPECT_EQ(m.call(kScale, {buffer + 2, buffer + 64}, {1}), HGC_RT_INVALID_ARGUMENT);
  errorHas("which is not a multiple of 4");
  EXPECT_EQ(m.call(kScale, {buffer, buffer + 12}, {1}), HGC_RT_INVALID_ARGUMENT);
  errorHas("output 'y' overlaps input 'x'");
  EXPECT_EQ(m.call(kScale, {buffer, buffer}, {1}), HGC_RT_INVALID_ARGUMENT);
  EXPECT_EQ(m.call(kScale, {buffer + 4, buffer + 20}, {1}), HGC_RT_OK)
      << "natural alignment is enough, neighbours do not overlap";
  // An empty tensor needs no memory.
  int64_t out = 0;
  EXPECT_EQ(m.call(kPair, {nullptr, buffer, &out}, {0, 3}), HGC_RT_OK);
  EXPECT_EQ(out, 3);
  EXPECT_EQ(m.call(kPair, {reinterpret_cast<char *>(&out) + 4, buffer, &out}, {0, 3}), HGC_RT_OK)
      << "nor does it overlap any";
}

TEST(Call, HandleOfAnotherLibrary) {
  Instance m(testDesc());
  hgc_rt_model_api other = *m.model->api;
  const hgc_rt_model_api *handle[64] = {&other};
  EXPECT_EQ(hgc_rt_call(handle, 0, nullptr, nullptr), HGC_RT_INVALID_ARGUMENT);
  errorHas("the handle is not an instance of this library");
  hgc_rt_destroy(handle); // ignored
}

struct Generic : ::testing::Test {
  Instance m{testDesc()};
  alignas(8) int8_t a[6] = {}, b[3] = {};
  int64_t y = 0, dimsA[2] = {2, 3}, dimsB[1] = {3};
  hgc_rt_tensor in[2] = {{a, dimsA, nullptr, HGC_RT_I8, 2}, {b, dimsB, nullptr, HGC_RT_BOOL, 1}};
  hgc_rt_tensor out[1] = {{&y, nullptr, nullptr, HGC_RT_I64, 0}};

  hgc_rt_status call(int32_t nIn = 2, int32_t nOut = 1) {
    return hgc_rt_model_call(m.model, kPair, in, nIn, out, nOut);
  }
};

TEST_F(Generic, BindsDimsFromShapes) {
  EXPECT_EQ(call(), HGC_RT_OK);
  EXPECT_EQ(y, 203);
  dimsA[0] = 4, dimsA[1] = dimsB[0] = 1;
  EXPECT_EQ(call(), HGC_RT_OK);
  EXPECT_EQ(y, 401);
  dimsA[0] = 5;
  EXPECT_EQ(call(), HGC_RT_NO_VARIANT);
}

TEST_F(Generic, Counts) {
  EXPECT_EQ(call(1), HGC_RT_INVALID_ARGUMENT);
  errorHas("entry 'pair' got 1 inputs, expected 2");
  EXPECT_EQ(call(3), HGC_RT_INVALID_ARGUMENT);
  EXPECT_EQ(call(2, 0), HGC_RT_INVALID_ARGUMENT);
  errorHas("got 0 outputs, expected 1");
  EXPECT_EQ(hgc_rt_model_call(m.model, kPair, nullptr, 2, out, 1), HGC_RT_INVALID_ARGUMENT);
  errorHas("got 2 inputs at NULL");
  EXPECT_EQ(hgc_rt_model_call(m.model, 9, in, 2, out, 1), HGC_RT_INVALID_ARGUMENT);
}

TEST_F(Generic, TypesAndShapes) {
  in[0].dtype = HGC_RT_U8;
  EXPECT_EQ(call(), HGC_RT_INVALID_ARGUMENT);
  errorHas("input 'a' has element type ui8 (10), expected i8");
  in[0].dtype = 77;
  EXPECT_EQ(call(), HGC_RT_INVALID_ARGUMENT);
  errorHas("unknown (77)");
  in[0].dtype = HGC_RT_I8;
  in[0].rank = 3;
  EXPECT_EQ(call(), HGC_RT_INVALID_ARGUMENT);
  errorHas("has rank 3, expected 2");
  in[0].rank = 2;
  in[0].dims = nullptr;
  EXPECT_EQ(call(), HGC_RT_INVALID_ARGUMENT);
  errorHas("input 'a' has dims NULL, expected 2 extents");
  in[0].dims = dimsA;
  dimsA[0] = -1;
  EXPECT_EQ(call(), HGC_RT_INVALID_ARGUMENT);
  errorHas("extent -1 in dimension 0");
  dimsA[0] = 2, dimsB[0] = 2;
  EXPECT_EQ(call(), HGC_RT_INVALID_ARGUMENT);
  errorHas("'b' has extent 2 in dimension 0, but 'm' is 3 in an earlier tensor");
  dimsB[0] = 3;
  in[1].data = nullptr;
  EXPECT_EQ(call(), HGC_RT_INVALID_ARGUMENT);
  errorHas("input 'b' is NULL");
}

TEST_F(Generic, StaticExtent) {
  float x[15] = {}, z[12] = {};
  int64_t dimsX[2] = {3, 5}, dimsZ[2] = {3, 4};
  hgc_rt_tensor tx = {x, dimsX, nullptr, HGC_RT_F32, 2};
  hgc_rt_tensor tz = {z, dimsZ, nullptr, HGC_RT_F32, 2};
  EXPECT_EQ(hgc_rt_model_call(m.model, kScale, &tx, 1, &tz, 1), HGC_RT_INVALID_ARGUMENT);
  errorHas("extent 5 in dimension 1, expected 4");
}

TEST_F(Generic, Strides) {
  int64_t dense[2] = {3, 1}, wide[2] = {4, 1}, whatever[2] = {99, 99};
  in[0].strides = dense;
  EXPECT_EQ(call(), HGC_RT_OK);
  in[0].strides = wide;
  EXPECT_EQ(call(), HGC_RT_INVALID_ARGUMENT);
  errorHas("stride 4 bytes in dimension 0, expected 3");
  in[0].strides = whatever;
  dimsA[0] = 0;
  EXPECT_EQ(call(), HGC_RT_OK) << "an empty tensor has no layout";
  int64_t column[2] = {1, 77};
  in[0].strides = column;
  dimsA[0] = 4, dimsA[1] = dimsB[0] = 1;
  EXPECT_EQ(call(), HGC_RT_OK) << "the stride of an extent of 1 is unused";
}

TEST_F(Generic, DlPack) {
  hgc_rt_dl_tensor dl = {a, 1, 0, 2, 0, 8, 1, dimsA, nullptr, 0};
  int64_t strides[HGC_RT_MAX_RANK];
  ASSERT_EQ(hgc_rt_tensor_from_dlpack(&dl, strides, &in[0]), HGC_RT_OK);
  EXPECT_EQ(call(), HGC_RT_OK);
  int64_t elements[2] = {6, 2};
  dl = {a, 1, 0, 2, 2, 32, 1, dimsA, elements, 16};
  ASSERT_EQ(hgc_rt_tensor_from_dlpack(&dl, strides, &in[0]), HGC_RT_OK);
  EXPECT_EQ(in[0].dtype, HGC_RT_F32);
  EXPECT_EQ(in[0].data, a + 16);
  EXPECT_EQ(strides[0], 24);
  dl.device_type = 2;
  EXPECT_EQ(hgc_rt_tensor_from_dlpack(&dl, strides, &in[0]), HGC_RT_UNSUPPORTED);
  dl.device_type = 1, dl.dtype_lanes = 4;
  EXPECT_EQ(hgc_rt_tensor_from_dlpack(&dl, strides, &in[0]), HGC_RT_UNSUPPORTED);
  dl.ndim = 17;
  EXPECT_EQ(hgc_rt_tensor_from_dlpack(&dl, strides, &in[0]), HGC_RT_INVALID_ARGUMENT);
  EXPECT_EQ(hgc_rt_dl_dtype(1, 64, 1), HGC_RT_U64);
  EXPECT_EQ(hgc_rt_dl_dtype(0, 16, 1), HGC_RT_I16);
  EXPECT_EQ(hgc_rt_dl_dtype(4, 16, 1), HGC_RT_BF16);
  EXPECT_EQ(hgc_rt_dl_dtype(6, 8, 1), HGC_RT_BOOL);
  EXPECT_EQ(hgc_rt_dl_dtype(2, 8, 1), 0);
  EXPECT_EQ(sizeof(hgc_rt_dl_tensor), 48u);
  EXPECT_EQ(offsetof(hgc_rt_dl_tensor, byte_offset), 40u);
}

TEST(Params, ReadWriteReset) {
  Instance m(testDesc());
  float w[4] = {};
  int64_t counter = 0, y = 0;
  EXPECT_EQ(hgc_rt_model_param_count(m.model), 3);
  EXPECT_STREQ(hgc_rt_model_param_info(m.model, kWeight)->tensor.name, "w");
  EXPECT_EQ(hgc_rt_model_param_info(m.model, 3), nullptr);
  EXPECT_EQ(hgc_rt_model_get_param(m.model, kWeight, w, 16), HGC_RT_OK);
  EXPECT_EQ(w[3], 40);
  EXPECT_EQ(hgc_rt_model_set_param(m.model, kWeight, w, 16), HGC_RT_UNSUPPORTED);
  errorHas("parameter 'w' is immutable");
  EXPECT_EQ(hgc_rt_model_get_param(m.model, kPacked, w, 16), HGC_RT_UNSUPPORTED);
  errorHas("'packed' is kept only in the layout of its kernels");
  EXPECT_EQ(hgc_rt_model_get_param(m.model, 3, w, 16), HGC_RT_INVALID_ARGUMENT);
  EXPECT_EQ(hgc_rt_model_get_param(m.model, kWeight, w, 12), HGC_RT_INVALID_ARGUMENT);
  errorHas("got 12 bytes, expected 16");
  EXPECT_EQ(hgc_rt_model_set_param(m.model, kCounter, nullptr, 8), HGC_RT_INVALID_ARGUMENT);
  counter = 100;
  EXPECT_EQ(hgc_rt_model_set_param(m.model, kCounter, &counter, 8), HGC_RT_OK);
  EXPECT_EQ(m.count(5, y), HGC_RT_OK);
  EXPECT_EQ(y, 105);
  EXPECT_EQ(hgc_rt_model_get_param(m.model, kCounter, &counter, 8), HGC_RT_OK);
  EXPECT_EQ(counter, 105);
  EXPECT_EQ(hgc_rt_model_reset(m.model), HGC_RT_OK);
  EXPECT_EQ(m.count(5, y), HGC_RT_OK);
  EXPECT_EQ(y, 5);
}

TEST(Params, InitialValueComesFromTheWeights) {
  hgc_rt_model_desc desc = testDesc();
  hgc_rt_param_desc params[3] = {desc.params[0], desc.params[1], desc.params[2]};
  params[kCounter].init_offset = 8;
  desc.params = params;
  Instance m(desc);
  int64_t expected, y = 0;
  std::memcpy(&expected, kWeights + 2, 8);
  EXPECT_EQ(m.count(0, y), HGC_RT_OK);
  EXPECT_EQ(y, expected);
}

TEST(Call, FailureHalfWayMarksTheInstance) {
  Instance m(testDesc());
  int64_t y = 0;
  EXPECT_EQ(m.count(-1, y), HGC_RT_DEVICE_FAILED);
  EXPECT_STREQ(hgc_rt_last_error(), "model 'testmodel': entry 'count': x is "
                                    "negative\nhint: count upwards");
  EXPECT_EQ(m.count(1, y), HGC_RT_FAILED_INSTANCE);
  errorHas("an earlier call failed and may have left its parameters half updated");
  EXPECT_EQ(hgc_rt_model_get_param(m.model, kCounter, &y, 8), HGC_RT_FAILED_INSTANCE);
  EXPECT_EQ(hgc_rt_model_reset(m.model), HGC_RT_OK);
  EXPECT_EQ(m.count(1, y), HGC_RT_OK);
  EXPECT_EQ(y, 1);
}

TEST(Call, ARefusedCallLeavesTheInstanceUsable) {
  Instance m(testDesc());
  int64_t y = 0;
  EXPECT_EQ(m.count(3, y), HGC_RT_OK);
  EXPECT_EQ(m.count(kRefusedCount, y), HGC_RT_INVALID_ARGUMENT);
  errorHas("too many");
  EXPECT_EQ(m.count(1, y), HGC_RT_OK);
  EXPECT_EQ(y, 4);
}

TEST(Call, ErrorsBelongToTheirThread) {
  Instance m(testDesc());
  std::vector<float> y;
  EXPECT_EQ(m.scale(7, y), HGC_RT_NO_VARIANT);
  std::thread([] { EXPECT_STREQ(hgc_rt_last_error(), ""); }).join();
  std::thread([] {
    hgc_rt_call(nullptr, 0, nullptr, nullptr);
    errorHas("the model is NULL");
  }).join();
  errorHas("batch=7");
}

} // namespace
