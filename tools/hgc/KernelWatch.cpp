//===- KernelWatch.cpp - where numbers stop to be finite ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelWatch.h"

#include <algorithm>
#include <cmath>

using namespace hgc;
using namespace hgc::driver;

namespace {

enum Class { Finite, Infinite, NotANumber };

/// The class of a float from its bits.
Class classify(uint64_t bits, int exponentBits, int fractionBits) {
  uint64_t exponent = bits >> fractionBits & ((uint64_t(1) << exponentBits) - 1);
  if (exponent != (uint64_t(1) << exponentBits) - 1)
    return Finite;
  return bits & ((uint64_t(1) << fractionBits) - 1) ? NotANumber : Infinite;
}

template <typename T> Class worstOf(const void *data, int64_t count, int exponentBits, int fractionBits) {
  Class worst = Finite;
  for (int64_t i = 0; i < count && worst != NotANumber; ++i)
    worst = std::max(worst, classify(static_cast<const T *>(data)[i], exponentBits, fractionBits));
  return worst;
}

Class worstOf(const hgc_rt_kernel_timing &timing) {
  switch (timing.output_dtype) {
  case HGC_RT_F32:
    return worstOf<uint32_t>(timing.output, timing.output_count, 8, 23);
  case HGC_RT_F64:
    return worstOf<uint64_t>(timing.output, timing.output_count, 11, 52);
  case HGC_RT_F16:
    return worstOf<uint16_t>(timing.output, timing.output_count, 5, 10);
  case HGC_RT_BF16:
    return worstOf<uint16_t>(timing.output, timing.output_count, 8, 7);
  default:
    return Finite;
  }
}

} // namespace

void KernelWatch::onKernel(void *user, const hgc_rt_kernel_timing *timing) {
  auto &watch = *static_cast<KernelWatch *>(user);
  if (timing->size <= offsetof(hgc_rt_kernel_timing, output) || !timing->output || watch.kernels.contains(timing->name))
    return;
  Class worst = worstOf(*timing);
  if (worst != Finite)
    watch.kernels[timing->name] = {watch.step, worst == NotANumber, timing->ops, timing->location};
}

std::string KernelWatch::explain(int64_t failedStep) const {
  // The update of the step before may have made the parameters infinite.
  for (const auto &[name, first] : kernels) {
    if (first.step + 1 < failedStep)
      continue;
    std::string text = "the first kernel with ";
    text += first.isNan ? "NaN" : "infinite";
    text += " results is '" + name.str() + "' (" + first.ops + ")";
    if (!first.location.empty())
      text += " at " + first.location;
    return first.step ? text + ", in step " + std::to_string(first.step) : text;
  }
  return "";
}

llvm::StringRef hgc::driver::findNonFinite(const HostTensor &tensor) {
  llvm::StringRef found;
  for (int64_t i = 0, n = tensor.isFloat() ? tensor.getNumElements() : 0; i < n; ++i) {
    if (std::isnan(tensor.getDouble(i)))
      return "NaN";
    if (std::isinf(tensor.getDouble(i)))
      found = "infinite";
  }
  return found;
}
