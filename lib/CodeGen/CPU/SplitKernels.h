//===- SplitKernels.h - kernels in modules of their own ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef HGC_LIB_CODEGEN_CPU_SPLITKERNELS_H
#define HGC_LIB_CODEGEN_CPU_SPLITKERNELS_H

#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace hgc::cpu {

/// Kernels that are compiled together, apart from the rest.
struct KernelPart {
  /// A module that defines them; contexts must not be shared among threads.
  llvm::SmallVector<char, 0> bitcode;
  unsigned kernels = 0;
};

/// Takes functions that need nothing else of `module`, which the kernels are, out
/// of it into parts of about equal size; what remains declares them. They become
/// hidden symbols, as the parts must be linked again. How many parts there are
/// depends on the module only, so that machines with more cores make no other
/// code; a small module is left as it is.
std::vector<KernelPart> splitKernels(llvm::Module &module);

} // namespace hgc::cpu

#endif // HGC_LIB_CODEGEN_CPU_SPLITKERNELS_H
