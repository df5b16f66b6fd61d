//===- KernelWatch.h - where numbers stop to be finite ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_TOOLS_KERNELWATCH_H
#define HGC_TOOLS_KERNELWATCH_H

#include "dialects/Graph/Eval/HostTensor.h"

#include "runtime/include/hgc_rt.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace hgc::driver {

/// Looks at what each kernel has written. A kernel may always give infinities,
/// as masks do; what counts is the first one that begins to when a run fails.
class KernelWatch {
public:
  /// Step of the calls that follow.
  void setStep(int64_t number) { step = number; }
  /// For hgc_rt_options.kernel_timing; `user` is the watch.
  static void onKernel(void *user, const hgc_rt_kernel_timing *timing);
  /// Says which kernel failed first in this step or the one before; empty if
  /// none did. Without steps it is the first of all.
  std::string explain(int64_t failedStep = 0) const;

private:
  struct First {
    int64_t step;
    bool isNan;
    std::string ops, location;
  };

  int64_t step = 0;
  /// In the order of their first failure.
  llvm::MapVector<llvm::StringRef, First> kernels;
};

/// "NaN" or "infinite" if the tensor has elements that are, else empty.
llvm::StringRef findNonFinite(const HostTensor &tensor);

} // namespace hgc::driver

#endif // HGC_TOOLS_KERNELWATCH_H
