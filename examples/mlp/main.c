/* Calls the compiled perceptron once for one image and once for a batch. */
#include "mlp.h"

#include <stdio.h>
#include <string.h>

static float images[32 * 784], probs[32 * 10];

static int classify(mlp *model, int64_t batch) {
  if (mlp_predict(model, batch, images, probs) != HGC_RT_OK) {
    fprintf(stderr, "predict failed: %s\n", mlp_last_error());
    return 1;
  }
  double sum = 0;
  int best = 0;
  for (int i = 0; i < 10; ++i) {
    sum += probs[i];
    if (probs[i] > probs[best])
      best = i;
  }
  printf("batch %2d: class %d with p = %.4f (probabilities sum to %.4f)\n", (int)batch, best, probs[best], sum);
  return 0;
}

int main(void) {
  for (int i = 0; i < 32 * 784; ++i)
    images[i] = (float)(i % 29) / 29.0f;
  mlp *model = NULL;
  if (mlp_create(NULL, &model) != HGC_RT_OK) {
    fprintf(stderr, "create failed: %s\n", mlp_last_error());
    return 1;
  }
  int failed = classify(model, 1) || classify(model, 32);
  mlp_destroy(model);
  return failed;
}
