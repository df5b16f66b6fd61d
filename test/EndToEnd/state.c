/* Mutable parameters: read before, written at the end of a call, by any entry;
 * own to an instance; set, got and reset from C; untouched by a call that fails.
 *
 * RUN: rm -rf %t && mkdir %t && cd %t
 * RUN: hgc compile %S/Inputs/state.mlir -o state.so
 * RUN: %cc -std=c11 -Wall -Wextra -Werror %s -I. -I%S/Inputs state.so -lm -Wl,-rpath,%t -o main
 * RUN: ./main
 * RUN: mkdir separate
 * RUN: hgc compile %S/Inputs/state.mlir --arena=separate -o separate/state.so
 * RUN: %cc -std=c11 -Wall -Wextra -Werror %s -Iseparate -I%S/Inputs separate/state.so -lm -Wl,-rpath,%t/separate -o main
 * RUN: ./main
 *
 * No op of the graph dialect fails at run time; the exec stage can.
 * RUN: mkdir failing
 * RUN: hgc compile %S/Inputs/state.mlir --emit=exec -o plain.mlir
 * RUN: sed "s/^ *exec.copy %%0 to %%arg2 /exec.fail_if %%arg1, \"the caller said so\" : memref<i1> loc(unknown)\n&/" plain.mlir > failing.mlir
 * RUN: not cmp plain.mlir failing.mlir
 * RUN: hgc compile failing.mlir --start-from=exec -o failing/state.so
 * RUN: %cc -std=c11 -Wall -Wextra -Werror -DFAILING %s -Ifailing -I%S/Inputs failing/state.so -lm -Wl,-rpath,%t/failing -o main
 * RUN: ./main
 */
#include "check.h"
#include "state.h"

static hgc_rt_model *model;

static int32_t find(const char *name) {
  for (int32_t i = 0; i < hgc_rt_model_param_count(model); ++i)
    if (!strcmp(hgc_rt_model_param_info(model, i)->tensor.name, name))
      return i;
  return -1;
}

static int n_is(float first, float second) {
  float n[2];
  CHECK_OK(hgc_rt_model_get_param(model, find("n"), n, sizeof(n)), state_last_error());
  return n[0] == first && n[1] == second;
}

static int pair_is(int32_t a, int32_t b) {
  int32_t values[2][3];
  CHECK_OK(hgc_rt_model_get_param(model, find("a"), values[0], 12), state_last_error());
  CHECK_OK(hgc_rt_model_get_param(model, find("b"), values[1], 12), state_last_error());
  return values[0][0] == a && values[0][2] == a + 2 && values[1][0] == b && values[1][2] == b + 2;
}

int main(void) {
  state *s = NULL, *other = NULL;
  CHECK_OK(state_create(NULL, &s), state_last_error());
  CHECK_OK(state_create(NULL, &other), state_last_error());
  model = (hgc_rt_model *)s;
  float x[2] = {10, 20}, before[2], sum[2];
  uint8_t no = 0;
  CHECK_OK(state_step(s, x, &no, before), state_last_error());
  CHECK(before[0] == 1 && before[1] == 2 && n_is(11, 22));
  CHECK_OK(state_step(s, x, &no, before), state_last_error());
  CHECK(before[0] == 11 && before[1] == 22 && n_is(21, 42));
  CHECK_OK(state_sum(s, sum), state_last_error());
  CHECK(sum[0] == 31 && sum[1] == 62);
  CHECK_OK(state_sum(other, sum), state_last_error());
  CHECK(sum[0] == 11 && sum[1] == 22);

  CHECK(pair_is(1, 7));
  CHECK_OK(state_swap(s), state_last_error());
  CHECK(pair_is(7, 1));
  CHECK_OK(state_swap(s), state_last_error());
  CHECK(pair_is(1, 7));

  /* A call that is refused changes nothing. */
  CHECK(state_step(s, NULL, &no, before) == HGC_RT_INVALID_ARGUMENT && strstr(state_last_error(), "hint: "));
  CHECK(state_step(s, x, &no, x) == HGC_RT_INVALID_ARGUMENT);
  CHECK(state_step(NULL, x, &no, before) == HGC_RT_INVALID_ARGUMENT);
  CHECK(n_is(21, 42));
#ifdef FAILING
  uint8_t yes = 1;
  CHECK(state_step(s, x, &yes, before) != HGC_RT_OK && strstr(state_last_error(), "the caller said so"));
  CHECK(n_is(21, 42));
  CHECK_OK(state_step(s, x, &no, before), state_last_error());
  CHECK(before[0] == 21 && before[1] == 42 && n_is(31, 62));
#endif

  CHECK_OK(hgc_rt_model_reset(model), state_last_error());
  CHECK(n_is(1, 2) && pair_is(1, 7));
  float set[2] = {5, 6};
  CHECK_OK(hgc_rt_model_set_param(model, find("n"), set, sizeof(set)), state_last_error());
  CHECK_OK(state_sum(s, sum), state_last_error());
  CHECK(sum[0] == 15 && sum[1] == 26);
  CHECK(hgc_rt_model_set_param(model, find("fixed"), set, sizeof(set)) == HGC_RT_UNSUPPORTED);
  CHECK(hgc_rt_model_set_param(model, find("n"), set, 4) == HGC_RT_INVALID_ARGUMENT);
  state_destroy(s);
  state_destroy(other);
  state_destroy(NULL);
  return 0;
}
