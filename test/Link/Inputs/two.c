/* Two static models in one program; each has a runtime of its own. */
#include "first.h"
#include "second.h"

#include <stdio.h>

int main(void) {
  float x[64], y[64], z[64];
  first *a = NULL;
  second *b = NULL;
  for (int i = 0; i < 64; ++i)
    x[i] = (float)i;
  if (first_create(NULL, &a) != HGC_RT_OK || second_create(NULL, &b) != HGC_RT_OK)
    return 1;
  if (first_run(a, x, y) != HGC_RT_OK || second_run(b, y, z) != HGC_RT_OK)
    return 2;
  printf("%s %s %g %g\n", first_model_v1()->name, second_model_v1()->name, y[63], z[63]);
  first_destroy(a);
  second_destroy(b);
  return 0;
}
