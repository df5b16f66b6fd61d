/* A model that allocates from the program's own memory, runs on its own threads
 * and reports its kernels. */
#include "mnist_cnn.h"

#include <stdint.h>
#include <stdio.h>

/* Memory of the instance: a fixed block. Calls allocate nothing. */
static _Alignas(4096) unsigned char block[4 << 20];
static size_t used;

static void *allocate(void *user, size_t bytes, size_t alignment) {
  (void)user;
  size_t start = (used + alignment - 1) / alignment * alignment;
  if (start + bytes > sizeof(block))
    return NULL;
  used = start + bytes;
  return block + start;
}

static void release(void *user, void *memory, size_t bytes, size_t alignment) {
  (void)user, (void)memory, (void)bytes, (void)alignment;
}

/* Threads of the program: those of OpenMP. */
static int pieces;

static void parallel_for(void *user, hgc_rt_task_fn fn, void *task, int64_t count) {
  (void)user;
#pragma omp parallel for schedule(dynamic)
  for (int64_t i = 0; i < count; ++i) {
    fn(task, i);
#pragma omp atomic
    ++pieces;
  }
}

static int kernels;

static void count_kernel(void *user, const hgc_rt_kernel_timing *timing) {
  (void)user;
  kernels += timing->end_ns >= timing->begin_ns;
}

static float image[28 * 28], probs[10];

int main(void) {
  hgc_rt_pool pool = {sizeof(pool), HGC_RT_VERSION, NULL, parallel_for, NULL, NULL};
  hgc_rt_options options = hgc_rt_options_default();
  options.num_threads = 4;
  options.alloc = allocate;
  options.free = release;
  options.pool = &pool;
  options.kernel_timing = count_kernel;
  mnist_cnn *model = NULL;
  if (mnist_cnn_create(&options, &model) != HGC_RT_OK) {
    fprintf(stderr, "%s\n", mnist_cnn_last_error());
    return 1;
  }
  size_t before = used;
  for (int i = 0; i < 10; ++i)
    if (mnist_cnn_predict(model, 1, image, probs) != HGC_RT_OK)
      return 1;
  printf("%s, %s in 10 calls\n", used == before ? "nothing allocated" : "allocated", kernels ? "kernels timed" : "no kernel");
  printf("%s\n", pieces ? "work was split over the program's threads" : "nothing was worth splitting");
  mnist_cnn_destroy(model);
  return 0;
}
