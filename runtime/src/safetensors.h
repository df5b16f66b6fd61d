/*===- safetensors.h - the header of a safetensors file ---------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef HGC_RT_SAFETENSORS_H
#define HGC_RT_SAFETENSORS_H

#include "hgc_rt.h"

#define HGC_RTI_MAX_NAME 1024

/* A tensor as the header describes it; offsets are into the data. */
typedef struct hgc_rti_entry {
  char name[HGC_RTI_MAX_NAME];
  int32_t dtype; /* 0: a type that models do not have */
  int32_t rank;
  int64_t dims[16];
  int64_t begin, end;
} hgc_rti_entry;

/* Reads the JSON of a header and calls `visit` for each tensor until it returns
 * something else than HGC_RT_OK. NULL in `*problem` on success or when `visit`
 * failed; else it says what is wrong with the text. */
hgc_rt_status
hgc_rti_read_header(const char *text, int64_t length,
                    hgc_rt_status (*visit)(void *user,
                                           const hgc_rti_entry *entry),
                    void *user, const char **problem);

/* Name of an element type in such files; NULL for an unknown one. */
const char *hgc_rti_safetensors_type(int32_t dtype);

#endif /* HGC_RT_SAFETENSORS_H */
