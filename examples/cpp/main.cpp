// Calls the compiled perceptron from C++: no pointer to free, every size checked.
#include "mlp.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

using perceptron = hgc::models::mlp;

static int fail(const hgc::status &status) {
  std::fprintf(stderr, "%s\n", status.message().c_str());
  return 1;
}

int main() {
  auto model = perceptron::create();
  if (!model)
    return fail(model.status());

  for (std::int64_t batch : {1, 32}) {
    std::vector<float> images(perceptron::predict_args::x_size(batch));
    std::vector<float> probs(perceptron::predict_args::probs_size(batch));
    for (std::size_t i = 0; i < images.size(); ++i)
      images[i] = static_cast<float>(i % 29) / 29.0f;
    // Arguments in order, or by name: args.x = images.
    if (auto status = model->predict({batch, images, probs}); !status)
      return fail(status);
    auto best = std::max_element(probs.begin(), probs.begin() + 10);
    std::printf("batch %2d: class %d with p = %.4f\n", static_cast<int>(batch), static_cast<int>(best - probs.begin()),
                static_cast<double>(*best));
  }

  // A view of the wrong size is a status, not a crash.
  float image[783] = {}, probs[10];
  hgc::status status = model->predict({1, image, probs});
  std::printf("%s\n", status.message().c_str());

  // Two calls in flight; each ticket waits at the end of its life at the latest.
  std::vector<float> first(784), second(784, 1.0f), a(10), b(10);
  auto one = model->predict_start({1, first, a});
  auto two = model->predict_start({1, second, b});
  if (!one || !two || !one->wait() || !two->wait())
    return 1;
  std::printf("on %s: %.4f and %.4f\n", model->device(), static_cast<double>(a[0]), static_cast<double>(b[0]));
  return 0;
}
