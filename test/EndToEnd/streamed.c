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
#include <string.h>

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

#define PAGES 7
#define PAGE 1024

/* Rows of whole pages are written in an order that depends on where buffers lie; results do not. */
static void check_pages(streamed *model) {
  static float in[(2 * PAGES + 2) * PAGE] __attribute__((aligned(4096))),
      out[(2 * PAGES + 2) * PAGE] __attribute__((aligned(4096)));
  static float softmax[2 * PAGES * PAGE], norm[PAGES * PAGE], scale[PAGE], bias[PAGE];
  static const int shifts[] = {0, 16, 48, 128, 200, 256, 336, 512, 700, 784, 1008, 1, 21};
  enum { SHIFTS = sizeof shifts / sizeof *shifts };
  for (int i = 0; i < PAGE; ++i)
    scale[i] = 2, bias[i] = 3;
  for (int a = 0; a < SHIFTS; ++a)
    for (int b = 0; b < SHIFTS; ++b) {
      float *from = in + shifts[a], *to = out + PAGE + shifts[b];
      for (int i = 0; i < 2 * PAGES * PAGE; ++i)
        from[i] = (float)(i * 37 % 1009) / 64;
      to[-1] = to[2 * PAGES * PAGE] = to[PAGES * PAGE] = -1;
      CHECK_OK(streamed_pages(model, from, to), streamed_last_error());
      CHECK(to[-1] == -1 && to[2 * PAGES * PAGE] == -1);
      if (a == 0 && b == 0)
        memcpy(softmax, to, sizeof softmax);
      CHECK(memcmp(softmax, to, sizeof softmax) == 0);
      to[PAGES * PAGE] = -1;
      CHECK_OK(streamed_page_norm(model, from, scale, bias, to), streamed_last_error());
      CHECK(to[-1] == -1 && to[PAGES * PAGE] == -1);
      if (a == 0 && b == 0)
        memcpy(norm, to, sizeof norm);
      CHECK(memcmp(norm, to, sizeof norm) == 0);
    }
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
    check_pages(model);
    streamed_destroy(model);
  }
  return 0;
}
