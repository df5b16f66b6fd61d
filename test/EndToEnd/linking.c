/* Two models in one program: as shared libraries, as static ones, and one of
 * each; their runtimes do not meet. What is not theirs is not exported.
 *
 * RUN: rm -rf %t && mkdir %t && cd %t
 * RUN: hgc compile %examples/mlp/mlp.mlir -o mlp.so
 * RUN: hgc compile %examples/lstm/lstm.mlir -o lstm.so
 * RUN: hgc compile %examples/mlp/mlp.mlir --emit=staticlib -o libmlp.a
 * RUN: hgc compile %examples/lstm/lstm.mlir --emit=staticlib -o liblstm.a
 * RUN: %cc -std=c11 -Wall -Wextra -Werror -c %s -I. -I%S/Inputs -o main.o
 * RUN: %cc main.o mlp.so lstm.so -lm -Wl,-rpath,%t -o shared
 * RUN: ./shared > shared.txt
 * RUN: %cc main.o libmlp.a liblstm.a -lm -pthread -o static
 * RUN: ./static > static.txt
 * RUN: %cc main.o libmlp.a lstm.so -lm -pthread -Wl,-rpath,%t -o mixed
 * RUN: ./mixed > mixed.txt
 * RUN: cmp shared.txt static.txt
 * RUN: cmp shared.txt mixed.txt
 * RUN: FileCheck %s < shared.txt
 * CHECK: mlp {{[0-9a-f]+}}
 * CHECK-NEXT: lstm {{[0-9a-f]+}}
 *
 * RUN: llvm-nm -D --defined-only mlp.so | FileCheck %s --check-prefix=EXPORTS
 * EXPORTS-NOT: hgc_rt
 * EXPORTS: hgc_model_v1
 * EXPORTS-NEXT: mlp_create
 * EXPORTS-NEXT: mlp_destroy
 * EXPORTS-NEXT: mlp_last_error
 * EXPORTS-NEXT: mlp_predict
 * EXPORTS-NEXT: mlp_predict_start
 * EXPORTS-NEXT: mlp_wait
 * EXPORTS-NOT: {{.}}
 *
 * A static library carries its model's name on its entry point.
 * RUN: llvm-nm --defined-only --extern-only libmlp.a | FileCheck %s --check-prefix=ARCHIVE
 * ARCHIVE: mlp_model_v1
 */
#include "check.h"
#include "lstm.h"
#include "mlp.h"

/* FNV-1a: programs print the same bits, or they differ. */
static unsigned long long hash(const void *data, size_t bytes) {
  unsigned long long value = 14695981039346656037ull;
  for (size_t i = 0; i < bytes; ++i)
    value = (value ^ ((const unsigned char *)data)[i]) * 1099511628211ull;
  return value;
}

static float x[32 * 784], probs[32 * 10], xs[20 * 4 * 16], last[4 * 32], states[20 * 4 * 32];

int main(void) {
  fill(x, 32 * 784);
  fill(xs, 20 * 4 * 16);
  mlp *perceptron = NULL;
  lstm *recurrent = NULL;
  CHECK_OK(mlp_create(NULL, &perceptron), mlp_last_error());
  CHECK_OK(lstm_create(NULL, &recurrent), lstm_last_error());
  CHECK(mlp_predict(perceptron, 32, NULL, probs) == HGC_RT_INVALID_ARGUMENT);
  CHECK(strlen(mlp_last_error()) && !strlen(lstm_last_error()));
  CHECK_OK(mlp_predict(perceptron, 32, x, probs), mlp_last_error());
  CHECK_OK(lstm_encode(recurrent, 4, xs, last, states), lstm_last_error());
  mlp_destroy(perceptron);
  printf("mlp %llx\n", hash(probs, sizeof(probs)));
  CHECK_OK(lstm_encode(recurrent, 4, xs, last, states), lstm_last_error());
  printf("lstm %llx\n", hash(states, sizeof(states)));
  lstm_destroy(recurrent);
  return 0;
}
