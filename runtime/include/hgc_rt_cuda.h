/*===- hgc_rt_cuda.h - what GPUs does this machine have ---------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For tools: needs no model. Links with hgc_rt_cuda and hgc_rt.
 *===----------------------------------------------------------------------===*/
#ifndef HGC_RT_CUDA_INFO_H
#define HGC_RT_CUDA_INFO_H

#include "hgc_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HGC_RT_CUDA_MAX_GPUS 64

typedef struct hgc_rt_cuda_gpu {
  char name[96];
  int32_t ordinal;
  int32_t sm; /**< 80 means compute capability 8.0. */
  int32_t multiprocessors;
  int32_t visible;    /**< Place in HGC_VISIBLE_DEVICES from 1; 0: hidden. */
  int32_t prohibited; /**< Its compute mode forbids computing. */
  int32_t reserved;
  int64_t total_bytes;
  int64_t free_bytes; /**< -1: no context can be made on it. */
} hgc_rt_cuda_gpu;

typedef struct hgc_rt_cuda_info {
  int32_t driver_version; /**< 12040 is CUDA 12.4; 0: no driver. */
  int32_t n_gpus;
  hgc_rt_cuda_gpu gpus[HGC_RT_CUDA_MAX_GPUS];
  char problem[1024]; /**< Why no GPU can be used, with a line `hint: ...`. */
} hgc_rt_cuda_info;

/** Lists the GPUs.
 *
 * \param device    "gpu" or "emulated[:TABLE]"; NULL: as HGC_DEVICE says, the
 *                  driver's unless it names the emulator.
 * \param emulator  Path of the emulator, or NULL: HGC_EMULATOR.
 * \return HGC_RT_OK, or HGC_RT_NO_DEVICE, HGC_RT_INVALID_ARGUMENT (`device`)
 *         with out->problem set. */
hgc_rt_status hgc_rt_cuda_find(const char *device, const char *emulator,
                               hgc_rt_cuda_info *out);

#ifdef __cplusplus
}
#endif
#endif /* HGC_RT_CUDA_INFO_H */
