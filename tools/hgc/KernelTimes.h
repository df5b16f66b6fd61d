//===- KernelTimes.h - measured time of each kernel -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_KERNELTIMES_H
#define HGC_TOOLS_KERNELTIMES_H

#include "Loading.h"

#include <map>

namespace hgc::driver {

/// Short times seen in one model, in nanoseconds: what it takes undisturbed.
struct ModelTimes {
  struct Kernel {
    std::string ops;
    double ns = 0;
    int64_t launches = 0;
  };
  std::map<std::string, Kernel> kernels;
  double callNs = 0;
  int64_t calls = 0;
  /// Threads the model used.
  int64_t threads = 1;
};

/// Compiles the model of `flags` and calls it for about `seconds`, on random
/// inputs unless the flags name some.
llvm::Expected<ModelTimes> measureKernels(const ArgParser &parser, LoadFlags flags, double seconds);

} // namespace hgc::driver

#endif // HGC_TOOLS_KERNELTIMES_H
