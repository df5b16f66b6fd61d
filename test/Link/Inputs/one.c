/* Runs the model; with an argument, on a buffer that is too short. */
#include "scale.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argv;
  float *x = calloc(64, sizeof(float));
  float *y = calloc(argc > 1 ? 32 : 64, sizeof(float));
  scale *model = NULL;
  hgc_rt_options options = hgc_rt_options_default();
  options.num_threads = 2;
  if (scale_create(&options, &model) != HGC_RT_OK || scale_run(model, x, y) != HGC_RT_OK) {
    fprintf(stderr, "%s\n", scale_last_error());
    return 1;
  }
  printf("y[0] = %g\n", y[0]);
  scale_destroy(model);
  free(x);
  free(y);
  return 0;
}
