//===- FakeCuda.h - questions to the fake CUDA driver ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef HGC_UNITTESTS_RUNTIME_FAKECUDA_H
#define HGC_UNITTESTS_RUNTIME_FAKECUDA_H

#include "runtime/devices/cuda/cuda_driver.h"

/// What is alive in the driver.
struct FakeCudaState {
  int blocks, pinned, streams, events, modules, contexts;
  int stack;          ///< Contexts on the stack of this thread.
  int queued;         ///< Operations not yet done.
  const char *failed; ///< Function that FAKE_CUDA_FAIL made fail, or "".
};

#pragma GCC visibility push(default)
extern "C" {
#define FAKE_DECLARE(name, args) hgc_cu_result name args;
HGC_CU_FUNCTIONS(FAKE_DECLARE)
HGC_CU_OPTIONAL_FUNCTIONS(FAKE_DECLARE)
#undef FAKE_DECLARE
FakeCudaState fakeCudaState(void);
/// Name of the n-th call since cuInit, from 1; "" beyond the last.
const char *fakeCudaCall(int n);
/// Frees everything, as the end of the last context does.
void fakeCudaForget(void);
}
#pragma GCC visibility pop

#endif
