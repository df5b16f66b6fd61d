/* Two models in one process, each on a thread of its own. */
#include "lstm.h"
#include "mlp.h"

#include <pthread.h>
#include <stdio.h>

static float image[784], probs[10], xs[20 * 4 * 16], last[4 * 32], states[20 * 4 * 32];

static void *classify(void *unused) {
  (void)unused;
  mlp *model = NULL;
  hgc_rt_status status = mlp_create(NULL, &model);
  for (int i = 0; i < 100 && status == HGC_RT_OK; ++i)
    status = mlp_predict(model, 1, image, probs);
  printf("%s", status == HGC_RT_OK ? "" : mlp_last_error());
  mlp_destroy(model);
  return NULL;
}

static void *encode(void *unused) {
  (void)unused;
  lstm *model = NULL;
  hgc_rt_status status = lstm_create(NULL, &model);
  for (int i = 0; i < 100 && status == HGC_RT_OK; ++i)
    status = lstm_encode(model, 4, xs, last, states);
  printf("%s", status == HGC_RT_OK ? "" : lstm_last_error());
  lstm_destroy(model);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  for (int i = 0; i < 784; ++i)
    image[i] = (float)(i % 29) / 29.0f;
  for (int i = 0; i < 20 * 4 * 16; ++i)
    xs[i] = (float)(i % 7) / 7.0f;
  if (pthread_create(&first, NULL, classify, NULL) || pthread_create(&second, NULL, encode, NULL))
    return 1;
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("probability of class 9: %.4f, last state: %.4f\n", probs[9], last[0]);
  return 0;
}
