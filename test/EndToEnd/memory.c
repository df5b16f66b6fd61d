/* Calls allocate nothing; what create takes is what the header says; a failing
 * allocator and wrong options are errors, not crashes.
 *
 * RUN: rm -rf %t && mkdir %t && cd %t
 * RUN: hgc compile %examples/mnist-cnn/mnist_cnn.mlir -o mnist_cnn.so
 * RUN: %cc -std=gnu11 -Wall -Wextra -Werror %s -I. -I%S/Inputs mnist_cnn.so -lm -Wl,-rpath,%t -o main
 * RUN: ./main
 */
#include "check.h"
#include "mnist_cnn.h"

#include <malloc.h>

static int64_t allocations, frees, bytes, budget = 1 << 30;

static void *allocate(void *user, size_t size, size_t alignment) {
  CHECK(user == &budget);
  if (bytes + (int64_t)size > budget)
    return NULL;
  void *pointer = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  ++allocations;
  bytes += (int64_t)size;
  return pointer;
}

static void release(void *user, void *pointer, size_t size, size_t alignment) {
  CHECK(user == &budget && alignment);
  ++frees;
  bytes -= (int64_t)size;
  free(pointer);
}

static float image[28 * 28], probs[10];

int main(void) {
  hgc_rt_options options = hgc_rt_options_default();
  options.num_threads = 2;
  options.alloc = allocate;
  options.free = release;
  options.alloc_user = &budget;
  mnist_cnn *model = NULL;
  CHECK_OK(mnist_cnn_create(&options, &model), mnist_cnn_last_error());
  CHECK_OK(mnist_cnn_predict(model, 1, image, probs), mnist_cnn_last_error());

  /* The arena and the scratch of both threads are as announced. */
  hgc_rt_memory_info memory = {.size = sizeof(memory), .version = HGC_RT_VERSION};
  CHECK_OK(hgc_rt_model_memory_requirements((hgc_rt_model *)model, &memory), mnist_cnn_last_error());
  CHECK(memory.arena_bytes == MNIST_CNN_ARENA_BYTES && memory.weights_bytes == MNIST_CNN_WEIGHTS_BYTES);
  CHECK(memory.scratch_bytes_per_thread == MNIST_CNN_SCRATCH_BYTES_PER_THREAD);
  CHECK(memory.state_bytes == MNIST_CNN_STATE_BYTES);
  int64_t planned = memory.arena_bytes + memory.scratch_bytes + memory.state_bytes;
  CHECK(bytes >= planned && bytes <= planned + 64 * 1024);

  int64_t before = allocations, peak = bytes;
  struct mallinfo2 heap = mallinfo2();
  for (int i = 0; i < 20; ++i)
    CHECK_OK(mnist_cnn_predict(model, 1, image, probs), mnist_cnn_last_error());
  struct mallinfo2 after = mallinfo2();
  CHECK(allocations == before && bytes == peak && frees == 0);
  CHECK(heap.uordblks == after.uordblks && heap.hblks == after.hblks);
  mnist_cnn_destroy(model);
  CHECK(bytes == 0 && frees == allocations);

  /* Whatever allocation fails, create says so and takes back the rest. */
  hgc_rt_status status = HGC_RT_OUT_OF_MEMORY;
  for (budget = 0; status != HGC_RT_OK; budget += 4096) {
    model = NULL;
    status = mnist_cnn_create(&options, &model);
    CHECK(status == HGC_RT_OK || (status == HGC_RT_OUT_OF_MEMORY && !model && bytes == 0));
    CHECK(status == HGC_RT_OK || strstr(mnist_cnn_last_error(), "hint: "));
    CHECK(budget < (64 << 20));
  }
  mnist_cnn_destroy(model);

  model = NULL;
  options.free = NULL;
  CHECK(mnist_cnn_create(&options, &model) == HGC_RT_INVALID_ARGUMENT && !model);
  options = hgc_rt_options_default();
  options.size = 3;
  CHECK(mnist_cnn_create(&options, &model) == HGC_RT_VERSION_MISMATCH && !model);
  options = hgc_rt_options_default();
  options.num_threads = -1;
  CHECK(mnist_cnn_create(&options, &model) == HGC_RT_INVALID_ARGUMENT && !model);
  CHECK(mnist_cnn_create(NULL, NULL) == HGC_RT_INVALID_ARGUMENT);
  return 0;
}
