/*===- residents.h - arguments in memory of a GPU ---------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef HGC_RT_RESIDENTS_H
#define HGC_RT_RESIDENTS_H

#include "hgc_rt_gpu_abi.h"

/* The GPU of an argument; HGC_RT_HOST: it is in host memory. */
int32_t hgc_rti_resident_gpu(const hgc_rt_gpu_plan *plan, int32_t entry,
                             int32_t argument);
int32_t hgc_rti_argument_gpu(const hgc_rt_model *model, int32_t entry,
                             int32_t argument);
hgc_rt_status hgc_rti_check_argument_gpu(const hgc_rt_model *model,
                                         int32_t entry, int32_t argument,
                                         int32_t gpu);
hgc_rt_status hgc_rti_device_alloc(hgc_rt_model *model, int32_t gpu,
                                   int64_t bytes, void **out);
hgc_rt_status hgc_rti_device_free(hgc_rt_model *model, int32_t gpu,
                                  void *memory);
hgc_rt_status hgc_rti_device_copy(hgc_rt_model *model, int32_t gpu,
                                  void *device, void *host, int64_t bytes,
                                  int32_t to_host);

#endif /* HGC_RT_RESIDENTS_H */
