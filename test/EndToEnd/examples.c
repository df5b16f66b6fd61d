/* Every example called through its generated header, all three in one process;
 * the evaluator agrees with the numbers, and 1, 2 and 4 threads give equal bits.
 *
 * RUN: rm -rf %t && mkdir %t && cd %t
 * RUN: hgc compile %examples/mlp/mlp.mlir -o mlp.so
 * RUN: hgc compile %examples/mnist-cnn/mnist_cnn.mlir -o mnist_cnn.so
 * RUN: hgc compile %examples/lstm/lstm.mlir -o lstm.so
 * RUN: %cc -std=c11 -Wall -Wextra -pedantic -Werror %s -I. -I%S/Inputs mlp.so mnist_cnn.so lstm.so -lm -Wl,-rpath,%t -o main
 * RUN: ./main %t
 * RUN: hgc eval %examples/mlp/mlp.mlir --input x=@x.npy --expect probs=@probs.npy
 * RUN: hgc eval %examples/mnist-cnn/mnist_cnn.mlir --input image=@image.npy --expect probs=@digits.npy
 * RUN: hgc eval %examples/lstm/lstm.mlir --input xs=@xs.npy --expect last=@last.npy --expect states=@states.npy
 *
 * The library alone, from the command line; in the other arena mode as well.
 * RUN: hgc run lstm.so --input xs=@xs.npy --expect last=@last.npy --expect states=@states.npy --rtol=0 --atol=0
 * RUN: hgc run mlp.so --dim batch=32 --num-threads=1 --output one.npy
 * RUN: hgc run mlp.so --dim batch=32 --num-threads=2 --output two.npy
 * RUN: hgc run mlp.so --dim batch=32 --num-threads=4 --output four.npy
 * RUN: cmp one.npy two.npy
 * RUN: cmp one.npy four.npy
 * RUN: hgc run %examples/mlp/mlp.mlir --arena=separate --dim batch=32 --expect probs=@one.npy --rtol=0 --atol=0
 * RUN: hgc run %examples/mnist-cnn/mnist_cnn.mlir --arena=separate --input image=@image.npy --expect probs=@digits.npy --rtol=0 --atol=0
 * RUN: hgc run %examples/lstm/lstm.mlir --arena=separate --input xs=@xs.npy --expect last=@last.npy --expect states=@states.npy --rtol=0 --atol=0
 *
 * The program beside the example.
 * RUN: %cc -std=c11 -Wall -Wextra -pedantic -Werror %examples/mlp/main.c -I. mlp.so -Wl,-rpath,%t -o mlp
 * RUN: ./mlp | FileCheck %s
 * CHECK: batch  1: class {{[0-9]}} with p = 0.{{[0-9]+}} (probabilities sum to 1.0000)
 * CHECK: batch 32: class {{[0-9]}} with p = 0.{{[0-9]+}} (probabilities sum to 1.0000)
 */
#include "check.h"
#include "lstm.h"
#include "mlp.h"
#include "mnist_cnn.h"

static float x[32 * 784], probs[3][32 * 10], image[28 * 28], digits[3][10];
static float xs[20 * 4 * 16], last[3][4 * 32], states[3][20 * 4 * 32];
static const int threads[] = {1, 2, 4};

static void run(int i) {
  hgc_rt_options options = hgc_rt_options_default();
  options.num_threads = threads[i];
  mlp *perceptron = NULL;
  mnist_cnn *cnn = NULL;
  lstm *recurrent = NULL;
  CHECK_OK(mlp_create(&options, &perceptron), mlp_last_error());
  CHECK_OK(mnist_cnn_create(&options, &cnn), mnist_cnn_last_error());
  CHECK_OK(lstm_create(&options, &recurrent), lstm_last_error());
  CHECK(hgc_rt_model_get_threads((hgc_rt_model *)perceptron) == threads[i]);
  CHECK_OK(mlp_predict(perceptron, 32, x, probs[i]), mlp_last_error());
  CHECK_OK(mnist_cnn_predict(cnn, 1, image, digits[i]), mnist_cnn_last_error());
  CHECK_OK(lstm_encode(recurrent, 4, xs, last[i], states[i]), lstm_last_error());
  CHECK(mlp_predict(perceptron, 3, x, probs[i]) == HGC_RT_NO_VARIANT);
  CHECK(strstr(mlp_last_error(), "batch=3") && strstr(mlp_last_error(), "hint: "));
  mlp_destroy(perceptron);
  mnist_cnn_destroy(cnn);
  lstm_destroy(recurrent);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  fill(x, 32 * 784);
  fill(image, 28 * 28);
  fill(xs, 20 * 4 * 16);
  for (int i = 0; i < 3; ++i)
    run(i);
  for (int i = 1; i < 3; ++i) {
    CHECK(!memcmp(probs[0], probs[i], sizeof(probs[0])));
    CHECK(!memcmp(digits[0], digits[i], sizeof(digits[0])));
    CHECK(!memcmp(last[0], last[i], sizeof(last[0])) && !memcmp(states[0], states[i], sizeof(states[0])));
  }
  write_npy(argv[1], "x", x, 2, (const int[]){32, 784});
  write_npy(argv[1], "probs", probs[0], 2, (const int[]){32, 10});
  write_npy(argv[1], "image", image, 4, (const int[]){1, 28, 28, 1});
  write_npy(argv[1], "digits", digits[0], 2, (const int[]){1, 10});
  write_npy(argv[1], "xs", xs, 3, (const int[]){20, 4, 16});
  write_npy(argv[1], "last", last[0], 2, (const int[]){4, 32});
  write_npy(argv[1], "states", states[0], 3, (const int[]){20, 4, 32});
  return 0;
}
