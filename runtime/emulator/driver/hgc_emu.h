/*===- hgc_emu.h - what the emulated driver tells beyond CUDA ---------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Exported by libhgc_emucuda.so for tests and tools.
 *===----------------------------------------------------------------------===*/
#ifndef HGC_EMU_H
#define HGC_EMU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Findings reported so far. */
uint64_t hgcemu_findings(void);

/** Copies the text of the latest finding; returns its length. */
size_t hgcemu_last_finding(char *text, size_t capacity);

/** Reports everything not released so far as findings; returns their number. */
uint64_t hgcemu_check(void);

/** Virtual time of the host in seconds; runs all pending work. */
double hgcemu_clock(void);

/** Operations recorded that have not run. */
uint64_t hgcemu_pending(void);

/** Calls of a function so far, or of all for NULL. */
uint64_t hgcemu_calls(const char *function);

/** Copies the counters as JSON; returns their length. */
size_t hgcemu_counters(char *text, size_t capacity);

/** Forgets everything, and reads HGC_EMU_* anew at the next call. Handles and
 *  memory of before are void; no other thread may be in the driver. */
void hgcemu_reset(void);

#ifdef __cplusplus
}
#endif
#endif /* HGC_EMU_H */
