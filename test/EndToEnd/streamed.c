/* Stores past the caches, into buffers of any alignment: every element is written, and
 * nothing beside them.
 *
 * RUN: rm -rf %t && mkdir %t && cd %t
 * RUN: %python -c "import json, sys; t = json.load(open(sys.argv[1])); t['l3_bytes'] = 4096; json.dump(t, open('small.json', 'w'))" %S/../../lib/Target/tables/x86-64-v3.json
 * RUN: hgc compile %S/Inputs/streamed.mlir --target-table=small.json --verify -o streamed.so
 * RUN: hgc compile %S/Inputs/streamed.mlir --target-table=small.json --emit=asm -o - | FileCheck %s
 * CHECK: vmovntps
 * CHECK: sfence
 * RUN: %cc -std=gnu11 -Wall -Wextra -Werror %s -I. -I%S/Inputs streamed.so -lm -Wl,-rpath,%t -o main
 * RUN: ./main
 */
#include "check.h"
#include "streamed.h"

#include <math.h>

#define COUNT 10007
#define SPARE 64

static float x[COUNT];
static float space[COUNT + 2 * SPARE] __attribute__((aligned(64)));

#define ROWS 9
#define LENGTH 301

/* What rows of `space` should be, in the order of x. */
static double softmax_of(const float *row, int i) {
  double sum = 0;
  for (int k = 0; k < LENGTH; ++k)
    sum += exp(row[k] - row[i]);
  return 1 / sum;
}

static double norm_of(const float *row, int i) {
  double mean = 0, variance = 0;
  for (int k = 0; k < LENGTH; ++k)
    mean += row[k] / LENGTH;
  for (int k = 0; k < LENGTH; ++k)
    variance += (row[k] - mean) * (row[k] - mean) / LENGTH;
  return (row[i] - mean) / sqrt(variance + 1e-5) * 2 + 3;
}

static void check_rows(const float *y, double (*expected)(const float *, int)) {
  for (int row = 0; row < ROWS; ++row)
    for (int i = 0; i < LENGTH; ++i) {
      double value = expected(x + row * LENGTH, i);
      CHECK(fabs(y[row * LENGTH + i] - value) <= 1e-5 * (fabs(value) + 1e-3));
    }
  CHECK(y[-1] == -1 && y[ROWS * LENGTH] == -1);
}

static void clear(void) {
  for (int i = 0; i < COUNT + 2 * SPARE; ++i)
    space[i] = -1;
}

int main(void) {
  float scale[LENGTH], bias[LENGTH];
  for (int i = 0; i < LENGTH; ++i)
    scale[i] = 2, bias[i] = 3;
  for (int i = 0; i < COUNT; ++i)
    x[i] = (float)(i % 1000) / 8;
  for (int threads = 1; threads <= 3; ++threads) {
    hgc_rt_options options = hgc_rt_options_default();
    options.num_threads = threads;
    streamed *model = NULL;
    CHECK_OK(streamed_create(&options, &model), streamed_last_error());
    for (int shift = 0; shift < 17; ++shift) {
      float *y = space + SPARE + shift;
      clear();
      CHECK_OK(streamed_line(model, x, y), streamed_last_error());
      for (int i = 0; i < COUNT; ++i)
        CHECK(y[i] == x[i] * x[i]);
      CHECK(y[-1] == -1 && y[COUNT] == -1);
      clear();
      CHECK_OK(streamed_rows(model, x, y), streamed_last_error());
      check_rows(y, softmax_of);
      clear();
      CHECK_OK(streamed_norm(model, x, scale, bias, y), streamed_last_error());
      check_rows(y, norm_of);
    }
    streamed_destroy(model);
  }
  return 0;
}
