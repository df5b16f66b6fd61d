// A program with two models: one part of it, one a library beside it.
#include "lstm.hpp"
#include "mlp.hpp"

#include <cstdio>
#include <vector>

int main() {
  auto classifier = hgc::models::mlp::create();
  auto encoder = hgc::models::lstm::create();
  if (!classifier || !encoder)
    return 1;
  std::vector<float> image(784, 0.5f), probs(10);
  using args = hgc::models::lstm::encode_args;
  std::vector<float> xs(args::xs_size(4), 0.25f), last(args::last_size(4)), states(args::states_size(4));
  if (!classifier->predict({1, image, probs}) || !encoder->encode({4, xs, last, states}))
    return 1;
  double sum = 0;
  for (float p : probs)
    sum += static_cast<double>(p);
  std::printf("probabilities sum to %.3f, %zu states\n", sum, states.size());
  return 0;
}
