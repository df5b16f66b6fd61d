/* Rows whose results are written at aligned addresses, into buffers of any alignment:
 * the same bits everywhere, and nothing beside them.
 *
 * RUN: rm -rf %t && mkdir %t && cd %t
 * RUN: hgc compile %S/Inputs/rows.mlir --verify -o rows.so
 * RUN: %cc -std=gnu11 -Wall -Wextra -Werror %s -I. -I%S/Inputs rows.so -lm -Wl,-rpath,%t -o main
 * RUN: ./main
 * RUN: hgc compile %S/Inputs/rows.mlir --verify --target-cpu=native -o rows.so && ./main
 */
#include "check.h"
#include "rows.h"

#define ROWS 7
#define MOST (ROWS * 320)
#define SPARE 64

static float x[MOST + SPARE], expected[MOST];
static float space[MOST + 2 * SPARE] __attribute__((aligned(64)));

typedef hgc_rt_status (*Entry)(rows *, const float *, float *);

/* Results of `count` elements, all of which are positive. */
static void check(rows *model, Entry entry, int count) {
  for (int shift = 0; shift < 17; ++shift) {
    float *y = space + SPARE + shift;
    for (int i = 0; i < count; ++i)
      x[shift + i] = (float)(i * 37 % 1000) / 100;
    for (int i = 0; i < MOST + 2 * SPARE; ++i)
      space[i] = -1;
    CHECK_OK(entry(model, x + shift, y), rows_last_error());
    for (int i = 0; i < count; ++i) {
      if (shift == 0)
        expected[i] = y[i];
      CHECK(y[i] > 0 && y[i] == expected[i]);
    }
    CHECK(y[-1] == -1 && y[count] == -1);
  }
}

int main(void) {
  rows *model = NULL;
  CHECK_OK(rows_create(NULL, &model), rows_last_error());
  check(model, rows_softmax, ROWS * 301);
  check(model, rows_even, ROWS * 320);
  check(model, rows_norm, ROWS * 320);
  check(model, rows_one, 320);
  rows_destroy(model);
  return 0;
}
