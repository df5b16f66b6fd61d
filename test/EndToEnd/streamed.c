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

#define COUNT 10007
#define SPARE 64

static float x[COUNT];
static float space[COUNT + 2 * SPARE] __attribute__((aligned(64)));

int main(void) {
  for (int i = 0; i < COUNT; ++i)
    x[i] = (float)(i % 1000) / 8;
  for (int threads = 1; threads <= 3; ++threads) {
    hgc_rt_options options = hgc_rt_options_default();
    options.num_threads = threads;
    streamed *model = NULL;
    CHECK_OK(streamed_create(&options, &model), streamed_last_error());
    for (int shift = 0; shift < 17; ++shift) {
      float *y = space + SPARE + shift;
      for (int i = 0; i < COUNT + 2 * SPARE; ++i)
        space[i] = -1;
      CHECK_OK(streamed_line(model, x, y), streamed_last_error());
      for (int i = 0; i < COUNT; ++i)
        CHECK(y[i] == x[i] * x[i]);
      CHECK(y[-1] == -1 && y[COUNT] == -1);
    }
    streamed_destroy(model);
  }
  return 0;
}
