/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Compiled as pedantic C11. */
#include "HeaderTest.inc"

#include "hgc_rt_abi.h"

int headerTestC(void);
int headerTestC(void) { return useHeaders(); }
