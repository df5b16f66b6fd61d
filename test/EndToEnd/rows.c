/* Rows whose results are written at aligned addresses, into buffers of any alignment:
 * the same bits everywhere, and nothing beside them.
 *
 * RUN: rm -rf %t && mkdir %t && cd %t
 * RUN: hgc compile %S/Inputs/rows.mlir --verify -o rows.so
 * RUN: %cc -std=gnu11 -Wall -Wextra -Werror %s -I. -I%S/Inputs rows.so -lm -Wl,-rpath,%t -o main
 * RUN: ./main
 */
#include "check.h"
#include "rows.h"

#define COUNT (7 * 301)
#define SPARE 64

static float x[COUNT + SPARE], expected[COUNT];
static float space[COUNT + 2 * SPARE] __attribute__((aligned(64)));

int main(void) {
  rows *model = NULL;
  CHECK_OK(rows_create(NULL, &model), rows_last_error());
  for (int shift = 0; shift < 17; ++shift) {
    float *y = space + SPARE + shift;
    for (int i = 0; i < COUNT; ++i)
      x[shift + i] = (float)(i * 37 % 1000) / 100;
    for (int i = 0; i < COUNT + 2 * SPARE; ++i)
      space[i] = -1;
    CHECK_OK(rows_softmax(model, x + shift, y), rows_last_error());
    for (int i = 0; i < COUNT; ++i) {
      if (shift == 0)
        expected[i] = y[i];
      CHECK(y[i] > 0 && y[i] == expected[i]);
    }
    CHECK(y[-1] == -1 && y[COUNT] == -1);
  }
  rows_destroy(model);
  return 0;
}
