/* Classifies 10,000 rows in batches; the next batch is started before the last
 * one is waited for, so that its rows travel while the GPU computes. */
#include "classifier.h"

#include <math.h>
#include <stdio.h>

enum { ROWS = 10000, BATCH = 1000, FEATURES = 100, CLASSES = 10 };
static float rows[ROWS * FEATURES], probs[ROWS * CLASSES];

static int fail(const char *what) {
  fprintf(stderr, "%s failed: %s\n", what, classifier_last_error());
  return 1;
}

int main(void) {
  for (int i = 0; i < ROWS * FEATURES; ++i)
    rows[i] = (float)(i % 37) / 37.0f - 0.5f;
  classifier *model = NULL;
  if (classifier_create(NULL, &model) != HGC_RT_OK)
    return fail("create");
  hgc_rt_ticket last = 0;
  int batches = 0;
  for (int row = 0; row < ROWS; row += BATCH, ++batches) {
    hgc_rt_ticket next = 0;
    if (classifier_predict_start(model, rows + row * FEATURES, probs + row * CLASSES, &next) != HGC_RT_OK)
      return fail("start");
    if (last && classifier_wait(model, last) != HGC_RT_OK)
      return fail("wait");
    last = next;
  }
  if (classifier_wait(model, last) != HGC_RT_OK)
    return fail("wait");
  classifier_destroy(model);

  int good = 0;
  for (int row = 0; row < ROWS; ++row) {
    double sum = 0;
    for (int i = 0; i < CLASSES; ++i)
      sum += probs[row * CLASSES + i];
    good += fabs(sum - 1) < 1e-4;
  }
  printf("%d rows in %d batches, %d sums of probabilities are 1\n", ROWS, batches, good);
  return good == ROWS ? 0 : 1;
}
