/* Every element type as input, parameter and output of an entry: C types of the
 * header, bytes in memory, arithmetic at the edges of the range.
 *
 * RUN: rm -rf %t && split-file %s %t && cd %t
 * RUN: hgc compile dtypes.mlir -o dtypes.so --verify
 * RUN: FileCheck main.c < dtypes.h
 * RUN: %cc -std=c11 -Wall -Wextra -pedantic -Werror main.c -I. -I%S/Inputs dtypes.so -lm -Wl,-rpath,%t -o main
 * RUN: ./main
 * RUN: hgc run dtypes.so --entry=sum --input u8=2xui8=200,1 --input i1=2xi1=1,0 --input bf16=2xbf16=1.5,-2 | FileCheck main.c --check-prefix=SUM
 */
//--- dtypes.mlir
module @dtypes {
  hgc.parameter @bf16 : tensor<2xbf16> = dense<[1.0, 3.0]>
  hgc.parameter @u16 : tensor<2xui16> = dense<[65535, 7]>
  func.func @sum(
      %f32: tensor<2xf32> {hgc.name = "f32"}, %f64: tensor<2xf64> {hgc.name = "f64"},
      %f16: tensor<2xf16> {hgc.name = "f16"}, %bf16: tensor<2xbf16> {hgc.name = "bf16"},
      %i1: tensor<2xi1> {hgc.name = "i1"}, %i8: tensor<2xi8> {hgc.name = "i8"},
      %i16: tensor<2xi16> {hgc.name = "i16"}, %i32: tensor<2xi32> {hgc.name = "i32"},
      %i64: tensor<2xi64> {hgc.name = "i64"}, %u8: tensor<2xui8> {hgc.name = "u8"},
      %u16: tensor<2xui16> {hgc.name = "u16"}, %u32: tensor<2xui32> {hgc.name = "u32"},
      %u64: tensor<2xui64> {hgc.name = "u64"})
      -> (tensor<2xf32> {hgc.name = "of32"}, tensor<2xf64> {hgc.name = "of64"}, tensor<2xf16> {hgc.name = "of16"},
          tensor<2xbf16> {hgc.name = "obf16"}, tensor<2xi1> {hgc.name = "oi1"}, tensor<2xi8> {hgc.name = "oi8"},
          tensor<2xi16> {hgc.name = "oi16"}, tensor<2xi32> {hgc.name = "oi32"}, tensor<2xi64> {hgc.name = "oi64"},
          tensor<2xui8> {hgc.name = "ou8"}, tensor<2xui16> {hgc.name = "ou16"}, tensor<2xui32> {hgc.name = "ou32"},
          tensor<2xui64> {hgc.name = "ou64"}) attributes {hgc.entry} {
    %pbf16 = hgc.read @bf16 : tensor<2xbf16>
    %pu16 = hgc.read @u16 : tensor<2xui16>
    %0 = hgc.add %f32, %f32 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %1 = hgc.add %f64, %f64 : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
    %2 = hgc.add %f16, %f16 : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
    %3 = hgc.add %bf16, %pbf16 : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>
    %4 = hgc.not %i1 : tensor<2xi1>
    %5 = hgc.add %i8, %i8 : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
    %6 = hgc.add %i16, %i16 : (tensor<2xi16>, tensor<2xi16>) -> tensor<2xi16>
    %7 = hgc.add %i32, %i32 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %8 = hgc.add %i64, %i64 : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %9 = hgc.add %u8, %u8 : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
    %10 = hgc.max %u16, %pu16 : (tensor<2xui16>, tensor<2xui16>) -> tensor<2xui16>
    %11 = hgc.div %u32, %u32 : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %12 = hgc.max %u64, %u64 : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<2xf32>, tensor<2xf64>, tensor<2xf16>,
        tensor<2xbf16>, tensor<2xi1>, tensor<2xi8>, tensor<2xi16>, tensor<2xi32>, tensor<2xi64>, tensor<2xui8>,
        tensor<2xui16>, tensor<2xui32>, tensor<2xui64>
  }
}
//--- main.c
#include "check.h"
#include "dtypes.h"

// CHECK: hgc_rt_status dtypes_sum(dtypes *model,
// CHECK-NEXT: const float *f32,
// CHECK-NEXT: const double *f64,
// CHECK-NEXT: const uint16_t *f16,
// CHECK-NEXT: const uint16_t *bf16,
// CHECK-NEXT: const uint8_t *i1,
// CHECK-NEXT: const int8_t *i8,
// CHECK-NEXT: const int16_t *i16,
// CHECK-NEXT: const int32_t *i32,
// CHECK-NEXT: const int64_t *i64,
// CHECK-NEXT: const uint8_t *u8,
// CHECK-NEXT: const uint16_t *u16,
// CHECK-NEXT: const uint32_t *u32,
// CHECK-NEXT: const uint64_t *u64,
// SUM: obf16: 2xbf16=2.5,1
// SUM: oi1: 2xi1=0,1
// SUM: ou8: 2xui8=144,2

int main(void) {
  dtypes *model = NULL;
  CHECK_OK(dtypes_create(NULL, &model), dtypes_last_error());
  float f32[2] = {1.5f, INFINITY}, of32[2];
  double f64[2] = {1e300, -0.0}, of64[2];
  uint16_t f16[2] = {0x3c00 /* 1 */, 0x7bff /* 65504 */}, of16[2];
  uint16_t bf16[2] = {0x3f80 /* 1 */, 0x4040 /* 3 */}, obf16[2];
  uint8_t i1[2] = {0, 1}, oi1[2];
  int8_t i8[2] = {100, -3}, oi8[2];
  int16_t i16[2] = {-32768, 5}, oi16[2];
  int32_t i32[2] = {INT32_MAX, -1}, oi32[2];
  int64_t i64[2] = {INT64_MIN, INT64_C(1) << 40}, oi64[2];
  uint8_t u8[2] = {200, 255}, ou8[2];
  uint16_t u16[2] = {1, 40000}, ou16[2];
  uint32_t u32[2] = {UINT32_MAX, 0}, ou32[2];
  uint64_t u64[2] = {UINT64_MAX, 1}, ou64[2];
  CHECK_OK(dtypes_sum(model, f32, f64, f16, bf16, i1, i8, i16, i32, i64, u8, u16, u32, u64, of32, of64, of16, obf16,
                      oi1, oi8, oi16, oi32, oi64, ou8, ou16, ou32, ou64),
           dtypes_last_error());
  CHECK(of32[0] == 3 && isinf(of32[1]) && of64[0] == 2e300 && of64[1] == 0 && signbit(of64[1]));
  CHECK(of16[0] == 0x4000 && of16[1] == 0x7c00 /* infinity */ && obf16[0] == 0x4000 && obf16[1] == 0x40c0);
  CHECK(oi1[0] == 1 && oi1[1] == 0 && oi8[0] == -56 && oi8[1] == -6 && oi16[0] == 0 && oi16[1] == 10);
  CHECK(oi32[0] == -2 && oi32[1] == -2 && oi64[0] == 0 && oi64[1] == INT64_C(1) << 41);
  CHECK(ou8[0] == 144 && ou8[1] == 254 && ou16[0] == 65535 && ou16[1] == 40000);
  CHECK(ou32[0] == 1 && ou32[1] == 0 && ou64[0] == UINT64_MAX && ou64[1] == 1);

  /* The same through the untyped interface, which checks types and shapes. */
  hgc_rt_model *generic = (hgc_rt_model *)model;
  const hgc_rt_entry_info *info = hgc_rt_model_entry_info(generic, 0);
  CHECK(info->n_inputs == 13 && info->n_outputs == 13);
  for (int i = 0; i < 13; ++i)
    CHECK(info->inputs[i].dtype == i + 1 && info->inputs[i].rank == 1 && info->inputs[i].dims[0] == 2);
  CHECK(hgc_rt_model_entry_info(generic, 1) == NULL && hgc_rt_model_entry_info(generic, -1) == NULL);
  CHECK(hgc_rt_model_call(generic, 0, NULL, 0, NULL, 0) == HGC_RT_INVALID_ARGUMENT);
  CHECK(hgc_rt_model_call(generic, 9, NULL, 0, NULL, 0) == HGC_RT_INVALID_ARGUMENT);
  dtypes_destroy(model);
  return 0;
}
