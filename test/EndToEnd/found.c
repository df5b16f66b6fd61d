/* Results whose shape depends on the data: the buffer has room for the largest
 * shape and the call tells the actual one. Checks at run time fail the call.
 *
 * RUN: rm -rf %t && mkdir %t && cd %t
 * RUN: hgc compile %S/Inputs/found.mlir -o found.so
 * RUN: %cc -std=c11 -Wall -Wextra -Werror %s -I. -I%S/Inputs found.so -lm -Wl,-rpath,%t -o main
 * RUN: ./main
 * RUN: FileCheck %s --input-file=found.h
 *
 * RUN: mkdir separate
 * RUN: hgc compile %S/Inputs/found.mlir --arena=separate -O0 -o separate/found.so
 * RUN: %cc -std=c11 -Wall -Wextra -Werror %s -Iseparate -I%S/Inputs separate/found.so -lm -Wl,-rpath,%t/separate -o main
 * RUN: ./main
 *
 * The conditions come from the GPU; a library with a GPU plan falls back, too.
 * RUN: mkdir gpu
 * RUN: hgc compile %S/Inputs/found.mlir --gpu sm_80 --place 'gpu(.*)' --arena=separate -o gpu/found.so
 * RUN: %cc -std=c11 -Wall -Wextra -Werror %s -Igpu -I%S/Inputs gpu/found.so -lm -Wl,-rpath,%t/gpu -o main
 * RUN: %emulated ./main
 * RUN: env HGC_DEVICE=cpu ./main
 *
 * All commands show the actual shape, and not the output that holds it.
 * RUN: hgc run found.so --entry positive --input x=2x3xf32=1,-1,2,0,3,-4 --input limit=i64=6 --output at=@at.npy \
 * RUN:   | FileCheck %s --check-prefix=TWICE
 * RUN: hgc eval %S/Inputs/found.mlir --entry positive --input x=2x3xf32=1,-1,2,0,3,-4 --input limit=i64=6 \
 * RUN:   --expect at=@at.npy | FileCheck %s --check-prefix=SAME
 * RUN: hgc run gpu/found.so --device emulated --entry positive --input x=2x3xf32=-1,-1,-2,0,-3,7 --input limit=i64=6 \
 * RUN:   | FileCheck %s --check-prefix=ONE
 * RUN: hgc inspect found.so | FileCheck %s --check-prefix=JSON
 * RUN: hgc inspect %S/Inputs/found.mlir | FileCheck %s --check-prefix=INSPECT
 * RUN: not hgc run found.so --entry positive --input x=2x3xf32=1,1,1,1,1,1 --input limit=i64=5 2>&1 \
 * RUN:   | FileCheck %s --check-prefix=FAILS
 * RUN: not hgc eval %S/Inputs/found.mlir --entry positive --input x=2x3xf32=1,1,1,1,1,1 --input limit=i64=5 2>&1 \
 * RUN:   | FileCheck %s --check-prefix=EVAL
 * RUN: sed /hgc.check/d %S/Inputs/found.mlir > open.mlir
 * RUN: hgc compile open.mlir --verify -o verified.so
 *
 * CHECK:      #define FOUND_POSITIVE_AT_MAX_BYTES INT64_C(96)
 * CHECK:      \param at  output, i64[6, 2] at most; the actual shape
 * CHECK-NEXT: is in at_shape, its elements are the first ones of the buffer
 * CHECK-NEXT: \param at_shape  output, i64[2], actual shape of at
 * CHECK:      int64_t *at,
 * CHECK-NEXT: int64_t at_shape[2],
 * CHECK-NEXT: float *twice);
 *
 * TWICE-NOT: at
 * TWICE: twice: 2x3xf32=2,-2,4,0,6,-8
 * SAME: at: 6 elements agree
 * ONE: at: 1x2xi64=1,2
 * JSON: "name": "at",
 * JSON: "shape_output": "at_shape"
 * INSPECT: output at 6x2xi64 at most
 * FAILS: error: model 'found': entry 'positive': more elements of 'x' are positive than 'limit' says
 * FAILS-NEXT: hint: raise 'limit'
 * EVAL: found.mlir:{{.*}}: error: 'hgc.check' op more elements of 'x' are positive than 'limit' says
 * EVAL: note: hint: raise 'limit'
 */
#include "check.h"
#include "found.h"

static found *model;

static void check_positive(void) {
  const float x[6] = {1, -1, 2, 0, 3, -4}, none[6] = {0};
  const int64_t limit = 3, low = 2;
  int64_t at[FOUND_POSITIVE_AT_MAX_BYTES / sizeof(int64_t)], shape[2];
  float twice[6];
  CHECK_OK(found_positive(model, x, &limit, at, shape, twice), found_last_error());
  CHECK(shape[0] == 3 && shape[1] == 2 && twice[5] == -8);
  CHECK(at[0] == 0 && at[1] == 0 && at[2] == 0 && at[3] == 2 && at[4] == 1 && at[5] == 1);
  CHECK_OK(found_positive(model, none, &limit, at, shape, twice), found_last_error());
  CHECK(shape[0] == 0 && shape[1] == 2);

  CHECK(found_positive(model, x, &low, at, shape, twice) == HGC_RT_INVALID_ARGUMENT);
  CHECK(strstr(found_last_error(), "entry 'positive': more elements of 'x' are positive than 'limit' says"));
  CHECK(strstr(found_last_error(), "\nhint: raise 'limit'"));

  /* Tickets: the shape is there after the wait, the failure comes out of it. */
  hgc_rt_ticket ticket;
  CHECK_OK(found_positive_start(model, x, &limit, at, shape, twice, &ticket), found_last_error());
  CHECK_OK(found_wait(model, ticket), found_last_error());
  CHECK(shape[0] == 3);
  CHECK_OK(found_positive_start(model, x, &low, at, shape, twice, &ticket), found_last_error());
  CHECK(found_wait(model, ticket) == HGC_RT_INVALID_ARGUMENT);
}

/* Hosts without the typed header ask which output has the shape. */
static void check_generic(void) {
  hgc_rt_model *generic = (hgc_rt_model *)model;
  CHECK(hgc_rt_model_shape_output(generic, 0, 0) == 1);
  CHECK(hgc_rt_model_shape_output(generic, 0, 1) == -1 && hgc_rt_model_shape_output(generic, 0, 2) == -1);
  CHECK(hgc_rt_model_shape_output(generic, 0, 3) == -1 && hgc_rt_model_shape_output(generic, 7, 0) == -1);
  CHECK(hgc_rt_model_shape_output(generic, 1, 0) == -1 && hgc_rt_model_shape_output(NULL, 0, 0) == -1);
}

static void check_walk(void) {
  const float good[4] = {1, 2, 3, 4}, bad[4] = {1, 2, -3, 4};
  const uint8_t yes = 1, no = 0;
  float sum;
  CHECK_OK(found_walk(model, good, &yes, &sum), found_last_error());
  CHECK(sum == 10);
  CHECK_OK(found_walk(model, bad, &no, &sum), found_last_error());
  CHECK(sum == 4);
  CHECK(found_walk(model, bad, &yes, &sum) == HGC_RT_INVALID_ARGUMENT);
  CHECK(strstr(found_last_error(), "a step is negative"));
  CHECK_OK(found_walk(model, good, &yes, &sum), found_last_error());
}

int main(void) {
  CHECK_OK(found_create(NULL, &model), found_last_error());
  check_positive();
  check_generic();
  check_walk();
  found_destroy(model);
  return 0;
}
