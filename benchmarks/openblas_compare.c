/*===- openblas_compare.c - compiled models against code on OpenBLAS --------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: compare hgc|openblas THREADS SECONDS
 *
 * Times either compiled models or the same layers written by hand on OpenBLAS;
 * prints case, median and least microseconds. openblas.py alternates the two: they
 * need processes of their own, because OpenBLAS keeps idle threads spinning for
 * a long time on the cores the other side wants. Results are not compared here:
 * that is what the test suite does.
 *===----------------------------------------------------------------------===*/
#define _POSIX_C_SOURCE 200809L
#include "conv.h"
#include "gemm.h"
#include "mlp.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void openblas_set_num_threads(int);

enum { MAX_ROUNDS = 100000 };
static double times[MAX_ROUNDS];

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static float *random_floats(size_t count) {
  float *data = aligned_alloc(64, (count * sizeof(float) + 63) / 64 * 64);
  if (!data)
    abort();
  for (size_t i = 0; i < count; ++i)
    data[i] = (float)(rand() % 2001 - 1000) / 1000.0f;
  return data;
}

static void check(hgc_rt_status status, const char *message) {
  if (status == HGC_RT_OK)
    return;
  fprintf(stderr, "openblas_compare: error: %s\n", message);
  exit(1);
}

/* Mean time of `repeat` calls. */
static double time_calls(void (*function)(void), int repeat) {
  double begin = now_us();
  for (int i = 0; i < repeat; ++i)
    function();
  return (now_us() - begin) / repeat;
}

/* Calls `function` for `seconds` and prints one line. */
static void measure(const char *name, double seconds, void (*function)(void)) {
  time_calls(function, 3);
  /* Short functions are timed several at once: the clock is not free. */
  double once = time_calls(function, 1);
  int repeat = once < 100 ? (int)(100 / (once + 0.1)) + 1 : 1;
  int rounds = 0;
  double end = now_us() + seconds * 1e6;
  do
    times[rounds] = time_calls(function, repeat);
  while (++rounds < MAX_ROUNDS && now_us() < end);
  qsort(times, (size_t)rounds, sizeof(double), by_value);
  printf("%s\t%.3f\t%.3f\n", name, times[rounds / 2], times[0]);
}

static void add_bias_relu(float *y, const float *bias, int rows, int columns) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      float v = y[i * columns + j] + bias[j];
      y[i * columns + j] = v > 0 ? v : 0;
    }
}

static void dense(const float *x, const float *w, float *y, int rows, int depth, int columns) {
  if (rows == 1)
    cblas_sgemv(CblasRowMajor, CblasTrans, depth, columns, 1, w, columns, x, 1, 0, y, 1);
  else
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, depth, 1, x, depth, w, columns, 0, y,
                columns);
}

/*--- 1024 x 1024 x 1024 ----------------------------------------------------*/

enum { SIDE = 1024 };
static gemm *gemm_model;
static float *gx, *gw, *gb, *gy;

static void gemm_ours(void) { check(gemm_run(gemm_model, gx, gy), gemm_last_error()); }

static void gemm_theirs(void) {
  dense(gx, gw, gy, SIDE, SIDE, SIDE);
  add_bias_relu(gy, gb, SIDE, SIDE);
}

/*--- 3x3 convolution, 64 -> 64 channels, 56 x 56 pixels --------------------*/

enum { EDGE = 56, CHANNELS = 64, DEPTH = 9 * CHANNELS };
static conv *conv_model;
static float *cx, *cw, *cb, *cy, *columns;

static void conv_ours(void) { check(conv_run(conv_model, cx, cy), conv_last_error()); }

static void conv_theirs(void) {
  for (int row = 0; row < EDGE; ++row)
    for (int pixel = 0; pixel < EDGE; ++pixel)
      for (int k = 0; k < 9; ++k) {
        int h = row + k / 3 - 1, w = pixel + k % 3 - 1;
        float *to = columns + (size_t)((row * EDGE + pixel) * 9 + k) * CHANNELS;
        if (h < 0 || h >= EDGE || w < 0 || w >= EDGE)
          memset(to, 0, CHANNELS * sizeof(float));
        else
          memcpy(to, cx + (h * EDGE + w) * CHANNELS, CHANNELS * sizeof(float));
      }
  dense(columns, cw, cy, EDGE * EDGE, DEPTH, CHANNELS);
  add_bias_relu(cy, cb, EDGE * EDGE, CHANNELS);
}

/*--- perceptron 784-128-10 with softmax ------------------------------------*/

static mlp *mlp_model;
static float *mx, *w1, *b1, *hidden, *w2, *b2, *probs;
static int batch;

static void mlp_ours(void) { check(mlp_predict(mlp_model, batch, mx, probs), mlp_last_error()); }

static void mlp_theirs(void) {
  dense(mx, w1, hidden, batch, 784, 128);
  add_bias_relu(hidden, b1, batch, 128);
  dense(hidden, w2, probs, batch, 128, 10);
  for (int i = 0; i < batch; ++i) {
    float *row = probs + i * 10, most = -INFINITY, sum = 0;
    for (int j = 0; j < 10; ++j)
      row[j] += b2[j], most = row[j] > most ? row[j] : most;
    for (int j = 0; j < 10; ++j)
      row[j] = expf(row[j] - most), sum += row[j];
    for (int j = 0; j < 10; ++j)
      row[j] /= sum;
  }
}

static void make_models(int threads) {
  hgc_rt_options options = hgc_rt_options_default();
  options.num_threads = threads;
  check(gemm_create(&options, &gemm_model), gemm_last_error());
  check(conv_create(&options, &conv_model), conv_last_error());
  check(mlp_create(&options, &mlp_model), mlp_last_error());
}

static void make_data(void) {
  gx = random_floats(SIDE * SIDE), gw = random_floats(SIDE * SIDE), gb = random_floats(SIDE);
  gy = random_floats(SIDE * SIDE);
  cx = random_floats(EDGE * EDGE * CHANNELS), cw = random_floats(DEPTH * CHANNELS), cb = random_floats(CHANNELS);
  cy = random_floats(EDGE * EDGE * CHANNELS), columns = random_floats((size_t)EDGE * EDGE * DEPTH);
  mx = random_floats(32 * 784), w1 = random_floats(784 * 128), b1 = random_floats(128);
  hidden = random_floats(32 * 128), w2 = random_floats(128 * 10), b2 = random_floats(10), probs = random_floats(320);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: %s hgc|openblas THREADS SECONDS\n", argv[0]);
    return 2;
  }
  int threads = atoi(argv[2]), is_ours = strcmp(argv[1], "hgc") == 0;
  double seconds = atof(argv[3]);
  make_data();
  if (is_ours)
    make_models(threads);
  else
    openblas_set_num_threads(threads);
  measure("matmul 1024x1024x1024", 2 * seconds, is_ours ? gemm_ours : gemm_theirs);
  batch = 1;
  measure("mlp 784-128-10, batch 1", seconds, is_ours ? mlp_ours : mlp_theirs);
  batch = 32;
  measure("mlp 784-128-10, batch 32", seconds, is_ours ? mlp_ours : mlp_theirs);
  measure("conv 3x3 64->64, 56x56", seconds, is_ours ? conv_ours : conv_theirs);
  if (is_ours)
    gemm_destroy(gemm_model), conv_destroy(conv_model), mlp_destroy(mlp_model);
  return 0;
}
