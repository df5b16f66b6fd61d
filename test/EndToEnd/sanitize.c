/* Code instrumented for a sanitizer finds a caller's buffer that is too small;
 * without a mistake it says nothing. GCC brings its sanitizers along.
 *
 * RUN: rm -rf %t && mkdir -p %t/thread && cd %t
 * RUN: hgc compile %examples/mlp/mlp.mlir --sanitize=address -o mlp.so
 * RUN: gcc -std=c11 -fsanitize=address %s -I. -I%S/Inputs mlp.so -lm -Wl,-rpath,%t -o main
 * RUN: ./main 32
 * RUN: not ./main 1 2>&1 | FileCheck %s
 * CHECK: AddressSanitizer: heap-buffer-overflow
 * CHECK: READ of size
 * CHECK: #0 {{.*}} in hgc_kernel
 *
 * RUN: hgc compile %examples/mlp/mlp.mlir --sanitize=thread -o thread/mlp.so
 * RUN: llvm-nm -D thread/mlp.so | FileCheck %s --check-prefix=THREAD
 * THREAD: U __tsan_read
 * RUN: gcc -std=c11 -fsanitize=thread %s -Ithread -I%S/Inputs thread/mlp.so -lm -Wl,-rpath,%t/thread -o main
 * RUN: ./main 32
 */
#include "check.h"
#include "mlp.h"

int main(int argc, char **argv) {
  CHECK(argc == 2);
  size_t rows = (size_t)atoi(argv[1]);
  float *x = malloc(rows * 784 * sizeof(float)), *probs = malloc(32 * 10 * sizeof(float));
  fill(x, rows * 784);
  hgc_rt_options options = hgc_rt_options_default();
  options.num_threads = 2;
  mlp *model = NULL;
  CHECK_OK(mlp_create(&options, &model), mlp_last_error());
  for (int i = 0; i < 3; ++i)
    CHECK_OK(mlp_predict(model, 32, x, probs), mlp_last_error());
  mlp_destroy(model);
  free(x);
  free(probs);
  return 0;
}
