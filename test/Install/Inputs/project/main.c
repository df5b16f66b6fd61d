#include "first.h"
#include "second.h"

#include <stdio.h>

int main(void) {
  first *a = NULL;
  second *b = NULL;
  float x = 1.5f, y = 2.0f;
  if (first_create(NULL, &a) != HGC_RT_OK || second_create(NULL, &b) != HGC_RT_OK)
    return 1;
  float two[2];
  if (first_run(a, &x, &two[0]) != HGC_RT_OK || second_run(b, &y, &two[1]) != HGC_RT_OK)
    return 1;
  printf("%g %g\n", (double)two[0], (double)two[1]);
  first_destroy(a);
  second_destroy(b);
  return 0;
}
