/*===- device.h - which plan an instance runs, and where --------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The CUDA device is an archive of its own, linked when a program calls it. The
 * rest of the runtime reaches it through a table that is NULL otherwise.
 *===----------------------------------------------------------------------===*/
#ifndef HGC_RT_DEVICE_H
#define HGC_RT_DEVICE_H

#include "residents.h"

#include <stdatomic.h>

#define HGC_RTI_ERROR_SIZE 1024
#define HGC_RTI_OTHER_GPU (-2) /* one that the plan does not use */

struct hgc_rti_model;
typedef struct hgc_rti_gpu hgc_rti_gpu; /* see devices/cuda/cuda.h */

typedef enum hgc_rti_device_kind {
  HGC_RTI_AUTO,
  HGC_RTI_CPU,
  HGC_RTI_GPU,
  HGC_RTI_EMULATED
} hgc_rti_device_kind;

/* What the caller, else the environment, asks for. */
typedef struct hgc_rti_device_wish {
  hgc_rti_device_kind kind;
  char table[64];       /* of the emulated GPU; "": the emulator's choice */
  const char *emulator; /* path; NULL: unknown */
  int32_t strict;       /* no fallback */
} hgc_rti_device_wish;

/* Why a device that worked is lost; the instance then refuses calls. */
enum { HGC_RTI_LOST_ERROR = 1, HGC_RTI_LOST_FORK = 2 };

/* Part of an instance. */
typedef struct hgc_rti_device {
  hgc_rti_gpu *gpu; /* NULL: the CPU plan runs */
  hgc_rti_device_kind kind;
  _Atomic int32_t lost;
  int32_t slot; /* of the started call that runs; -1: of none */
  const hgc_rt_variant_desc *variant; /* that runs; NULL: no call does */
  void **args;
  char name[128];
  char why[192]; /* this plan, in words that follow "because" */
  char fallback_reason[HGC_RTI_ERROR_SIZE];
} hgc_rti_device;

/* What a kind of GPU does for an instance. Contexts are bound to the calling
 * thread between `begin` and `end` only. */
typedef struct hgc_rti_gpu_ops {
  /* Everything up to loaded weights and initial state; all or nothing. */
  hgc_rt_status (*create)(struct hgc_rti_model *model,
                          const hgc_rti_device_wish *wish);
  /* After a fork only host memory is given back. */
  void (*destroy)(struct hgc_rti_model *model);
  hgc_rt_status (*begin)(struct hgc_rti_model *model);
  /* Waits until nothing is under way; `status` is the program's. */
  hgc_rt_status (*end)(struct hgc_rti_model *model, hgc_rt_status status);
  hgc_rt_status (*state_init)(struct hgc_rti_model *model);
  /* `home` is an element of the plan's params. */
  hgc_rt_status (*param_get)(struct hgc_rti_model *model,
                             const hgc_rt_gpu_param_desc *home, void *data);
  hgc_rt_status (*param_set)(struct hgc_rti_model *model,
                             const hgc_rt_gpu_param_desc *home,
                             const void *data);
  int64_t (*device_bytes)(const hgc_rti_gpu *gpu);
  int64_t (*pinned_bytes)(const hgc_rti_gpu *gpu);
  /* A started call may send its inputs ahead; whatever it sent is over when
   * `prefetch_end` returns. */
  void (*prefetch_start)(struct hgc_rti_model *model, int32_t slot);
  void (*prefetch_end)(struct hgc_rti_model *model, int32_t slot);
  /* Where memory of the caller is: the number of a GPU, HGC_RT_HOST or
   * HGC_RTI_OTHER_GPU; `expected` where that does not matter. */
  int32_t (*pointer_gpu)(const struct hgc_rti_model *model, const void *data,
                         int32_t expected);
  hgc_rt_status (*memory_alloc)(struct hgc_rti_model *model, int32_t gpu,
                                int64_t bytes, void **out);
  hgc_rt_status (*memory_free)(struct hgc_rti_model *model, int32_t gpu,
                               void *memory);
  hgc_rt_status (*memory_copy)(struct hgc_rti_model *model, int32_t gpu,
                               void *device, void *host, int64_t bytes,
                               int32_t to_host);
} hgc_rti_gpu_ops;

extern const hgc_rti_gpu_ops hgc_rti_cuda
    __attribute__((weak, visibility("hidden")));

/* arguments.c: bytes of a tensor of a variant that was checked. */
int64_t hgc_rti_tensor_bytes(const hgc_rt_entry_desc *entry,
                             const hgc_rt_variant_desc *variant,
                             const hgc_rt_tensor_info *tensor);
/* options.c */
hgc_rt_status hgc_rti_log_level_read(hgc_rt_log_level *out);

/* device.c */
hgc_rt_status hgc_rti_device_wish_read(const hgc_rt_options *options,
                                       hgc_rti_device_wish *wish);
hgc_rt_status hgc_rti_device_open(struct hgc_rti_model *model);
void hgc_rti_device_close(struct hgc_rti_model *model);
const char *hgc_rti_device_kind_name(hgc_rti_device_kind kind);
hgc_rt_status hgc_rti_device_check(const struct hgc_rti_model *model);
/* Where a parameter lives in the plan that runs; NULL: in host memory. */
const hgc_rt_gpu_param_desc *
hgc_rti_device_home(const struct hgc_rti_model *model, int32_t param);
/* True if a failed program may have left something half updated. */
int hgc_rti_has_state(const struct hgc_rti_model *model);

#endif /* HGC_RT_DEVICE_H */
