// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled as pedantic C++17.
#include "HeaderTest.inc"

#include "hgc_rt_abi.h"

int headerTestCxx();
int headerTestCxx() { return useHeaders(); }
