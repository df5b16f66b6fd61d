/* Two host threads call an instance each, which splits its kernels between two
   threads. `short`: one buffer for a result lacks a float. */
#include "wide.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kCount = 256 * 512 };

static void *call(void *missing) {
  wide *model = NULL;
  hgc_rt_options options = hgc_rt_options_default();
  options.num_threads = 2;
  float *x = calloc(kCount, sizeof(float));
  float *y = malloc((kCount - (missing != NULL)) * sizeof(float));
  if (wide_create(&options, &model) != HGC_RT_OK)
    printf("failed: %s\n", wide_last_error());
  for (int i = 0; i < 5; ++i)
    if (wide_run(model, x, y) != HGC_RT_OK)
      printf("failed: %s\n", wide_last_error());
  printf("threads: %d, y[0] = %g\n", (int)hgc_rt_model_get_threads((hgc_rt_model *)model), y[0]);
  wide_destroy(model);
  free(x);
  free(y);
  return NULL;
}

int main(int argc, char **argv) {
  (void)argv;
  pthread_t other;
  pthread_create(&other, NULL, call, NULL);
  call(argc > 1 ? &other : NULL);
  pthread_join(other, NULL);
  printf("done\n");
  return 0;
}
