/* Encodes two sequences at once, by two calls in flight on one instance. */
#include "lstm.h"

#include <math.h>
#include <stdio.h>

enum { STEPS = 20, FEATURES = 16, UNITS = 32 };

static float xs[2][STEPS * FEATURES], last[2][UNITS], states[2][STEPS * UNITS];

static int fail(const char *what) {
  fprintf(stderr, "%s failed: %s\n", what, lstm_last_error());
  return 1;
}

int main(void) {
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < STEPS * FEATURES; ++i)
      xs[k][i] = sinf(0.1f * (float)(i + 100 * k));

  lstm *model = NULL;
  if (lstm_create(NULL, &model) != HGC_RT_OK)
    return fail("create");
  hgc_rt_ticket tickets[2];
  for (int k = 0; k < 2; ++k)
    if (lstm_encode_start(model, 1, xs[k], last[k], states[k], &tickets[k]) != HGC_RT_OK)
      return fail("start");
  for (int k = 0; k < 2; ++k) {
    if (lstm_wait(model, tickets[k]) != HGC_RT_OK)
      return fail("wait");
    int same = 1;
    for (int i = 0; i < UNITS; ++i)
      same &= last[k][i] == states[k][(STEPS - 1) * UNITS + i];
    printf("sequence %d: h[0] = %+.4f, h[31] = %+.4f; last state %s the final step\n", k, last[k][0], last[k][31],
           same ? "equals" : "DIFFERS FROM");
  }
  lstm_destroy(model);
  return 0;
}
