/* Awkward signatures: no input, no dims, scalars, a value returned twice, an
 * input returned, constants returned, entries that share parameters.
 *
 * RUN: rm -rf %t && split-file %s %t && cd %t
 * RUN: hgc compile results.mlir -o results.so --verify
 * RUN: %cc -std=c11 -Wall -Wextra -pedantic -Werror main.c -I. -I%S/Inputs results.so -lm -Wl,-rpath,%t -o main
 * RUN: ./main
 * RUN: mkdir separate
 * RUN: hgc compile results.mlir -o separate/results.so --arena=separate -O0
 * RUN: %cc -std=c11 main.c -Iseparate -I%S/Inputs separate/results.so -lm -Wl,-rpath,%t/separate -o main
 * RUN: ./main
 */
//--- results.mlir
module @results {
  hgc.parameter @w : tensor<2xf32> = dense<[3.0, 4.0]>
  func.func @none() -> (tensor<2xf32> {hgc.name = "w"}, tensor<3xi64> {hgc.name = "c"}) attributes {hgc.entry} {
    %0 = hgc.read @w : tensor<2xf32>
    %1 = hgc.constant dense<[1, -2, 3]> : tensor<3xi64>
    return %0, %1 : tensor<2xf32>, tensor<3xi64>
  }
  func.func @scalar(%x: tensor<f64> {hgc.name = "x"}) -> (tensor<f64> {hgc.name = "y"}) attributes {hgc.entry} {
    %0 = hgc.mul %x, %x : (tensor<f64>, tensor<f64>) -> tensor<f64>
    return %0 : tensor<f64>
  }
  func.func @twice(%x: tensor<2xf32> {hgc.name = "x"})
      -> (tensor<2xf32> {hgc.name = "first"}, tensor<2xf32> {hgc.name = "second"}, tensor<2xf32> {hgc.name = "same"},
          tensor<1x2xf32> {hgc.name = "view"}, tensor<2xf32> {hgc.name = "again"}) attributes {hgc.entry} {
    %w = hgc.read @w : tensor<2xf32>
    %0 = hgc.add %x, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %1 = hgc.reshape %0 shape [1, 2] : (tensor<2xf32>) -> tensor<1x2xf32>
    return %0, %0, %x, %1, %x : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<1x2xf32>, tensor<2xf32>
  }
  func.func @empty(%x: tensor<0x3xf32> {hgc.name = "x"}) -> (tensor<3xf32> {hgc.name = "sums"}) attributes {hgc.entry} {
    %0 = hgc.reduce sum %x axes = [0] : (tensor<0x3xf32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
  func.func @nothing(%x: tensor<4xf32> {hgc.name = "x"}) attributes {hgc.entry} {
    return
  }
}
//--- main.c
#include "check.h"
#include "results.h"

int main(void) {
  results *model = NULL;
  CHECK_OK(results_create(NULL, &model), results_last_error());
  CHECK(hgc_rt_model_entry_count((hgc_rt_model *)model) == 5);
  float w[2];
  int64_t c[3];
  CHECK_OK(results_none(model, w, c), results_last_error());
  CHECK(w[0] == 3 && w[1] == 4 && c[0] == 1 && c[1] == -2 && c[2] == 3);
  double x = -1.5, y = 0;
  CHECK_OK(results_scalar(model, &x, &y), results_last_error());
  CHECK(y == 2.25);
  float in[2] = {10, 20}, first[2], second[2], same[2], view[2], again[2];
  CHECK_OK(results_twice(model, in, first, second, same, view, again), results_last_error());
  CHECK(first[0] == 13 && first[1] == 24 && !memcmp(first, second, 8) && !memcmp(first, view, 8));
  CHECK(same[0] == 10 && same[1] == 20 && !memcmp(again, same, 8));
  float sums[3] = {1, 1, 1}, unused[4] = {0};
  CHECK_OK(results_empty(model, in, sums), results_last_error());
  CHECK(sums[0] == 0 && sums[1] == 0 && sums[2] == 0);
  CHECK_OK(results_nothing(model, unused), results_last_error());
  results_destroy(model);
  return 0;
}
