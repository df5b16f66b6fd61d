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

  /// Nanoseconds of all kernels in one call.
  double getKernelNs() const;
};

/// A call of a library with one entry on random inputs, as part of a larger model: between two calls
/// other data have passed through the caches, and then the inputs were made.
class TimedCall {
public:
  /// `coldBytes` of other data pass; 0: the caches keep what they have.
  static llvm::Expected<std::unique_ptr<TimedCall>> open(llvm::StringRef path, int64_t threads,
                                                         mlir::MLIRContext *context, int64_t coldBytes);
  ~TimedCall();

  llvm::Expected<ModelTimes> measure(double seconds);

private:
  struct State;
  explicit TimedCall(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// Compiles the model of `flags` and calls it for about `seconds`, on random
/// inputs unless the flags name some.
llvm::Expected<ModelTimes> measureKernels(const ArgParser &parser, LoadFlags flags, double seconds);

} // namespace hgc::driver

#endif // HGC_TOOLS_KERNELTIMES_H
