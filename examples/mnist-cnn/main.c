/* Classifies one drawn digit with the compiled convolutional network. */
#include "mnist_cnn.h"

#include <stdio.h>

static float image[28 * 28], probs[10];

/* A vertical stroke with a foot: the shape of a one. */
static void draw(void) {
  for (int row = 4; row < 24; ++row)
    for (int column = 13; column < 16; ++column)
      image[row * 28 + column] = 1.0f;
  for (int column = 10; column < 19; ++column)
    image[24 * 28 + column] = 1.0f;
}

int main(void) {
  mnist_cnn *model = NULL;
  draw();
  if (mnist_cnn_create(NULL, &model) != HGC_RT_OK || mnist_cnn_predict(model, 1, image, probs) != HGC_RT_OK) {
    fprintf(stderr, "mnist_cnn failed: %s\n", mnist_cnn_last_error());
    mnist_cnn_destroy(model);
    return 1;
  }
  double sum = 0;
  for (int i = 0; i < 10; ++i) {
    sum += probs[i];
    printf("class %d: %.4f\n", i, probs[i]);
  }
  printf("probabilities sum to %.4f\n", sum);
  mnist_cnn_destroy(model);
  return 0;
}
