/* Classifies one picture and tells on what kind of machine it does so. */
#include "mnist_cnn.h"

#include <stdio.h>
#include <sys/utsname.h>

int main(void) {
  static float image[28 * 28], probs[10];
  for (int i = 0; i < 28 * 28; ++i)
    image[i] = (float)(i % 29) / 29.0f;
  struct utsname machine;
  mnist_cnn *model = NULL;
  if (mnist_cnn_create(NULL, &model) != HGC_RT_OK || mnist_cnn_predict(model, 1, image, probs) != HGC_RT_OK ||
      uname(&machine)) {
    fprintf(stderr, "%s\n", mnist_cnn_last_error());
    return 1;
  }
  int best = 0;
  for (int i = 1; i < 10; ++i)
    best = probs[i] > probs[best] ? i : best;
  printf("%s: class %d with p = %.4f\n", machine.machine, best, probs[best]);
  mnist_cnn_destroy(model);
  return 0;
}
