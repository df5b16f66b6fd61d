/* Trains the perceptron in C: no framework, the gradients are compiled code. */
#include "mlp.h"

#include <stdio.h>

enum { BATCH = 32, ROWS = 80 };
static float images[BATCH * 784];
static int32_t labels[BATCH];

/* Images of a class have a bright band at its height. */
static int64_t load_batch(int start) {
  int64_t rows = 0;
  for (; rows < BATCH && start + rows < ROWS; ++rows) {
    labels[rows] = (int32_t)((start + rows) * 7 % 10);
    for (int i = 0; i < 784; ++i)
      images[rows * 784 + i] = i / 79 == labels[rows] ? 1.0f : (float)(i * (start + rows) % 13) / 26.0f;
  }
  return rows;
}

static int run(mlp *model) {
  int64_t seed = 1, step = 0;
  float loss, accuracy;
  if (mlp_init(model, &seed) != HGC_RT_OK)
    return 1;
  for (int epoch = 1; epoch <= 10; ++epoch) {
    double sum = 0, right = 0;
    for (int start = 0; start < ROWS; start += BATCH) {
      /* The last batch is not full: rows beyond `valid` have no weight. */
      int64_t valid = load_batch(start);
      ++step;
      if (mlp_train_step(model, BATCH, images, labels, &step, &valid, &loss, &accuracy) != HGC_RT_OK)
        return 1;
      sum += (double)loss * (double)valid;
      right += (double)accuracy * (double)valid;
    }
    if (epoch == 1 || epoch == 10)
      printf("epoch %2d: loss %s, %s\n", epoch, sum / ROWS > 1 ? "above 1" : "below 1",
             right == ROWS ? "all right" : "some wrong");
  }
  return mlp_save(model, "trained.safetensors") != HGC_RT_OK;
}

int main(void) {
  mlp *model = NULL;
  if (mlp_create(NULL, &model) != HGC_RT_OK || run(model)) {
    fprintf(stderr, "%s\n", mlp_last_error());
    mlp_destroy(model);
    return 1;
  }
  mlp_destroy(model);

  /* A new instance continues where the file says. */
  mlp *again = NULL;
  float loss, accuracy;
  int64_t valid = load_batch(0);
  if (mlp_create(NULL, &again) != HGC_RT_OK || mlp_load(again, "trained.safetensors") != HGC_RT_OK ||
      mlp_evaluate(again, BATCH, images, labels, &valid, &loss, &accuracy) != HGC_RT_OK)
    return 1;
  printf("read again: %.0f %% right\n", (double)accuracy * 100);
  mlp_destroy(again);
  return 0;
}
