/*===- cuda.h - what the files of the CUDA device share ---------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * All memory, streams and events are taken at create. A call makes a context
 * current on its thread when it begins and restores the thread's own at its
 * end. Functions return a status with the message set.
 *===----------------------------------------------------------------------===*/
#ifndef HGC_RT_CUDA_H
#define HGC_RT_CUDA_H

#include "../../src/runtime.h"
#include "cublas_api.h"
#include "prefetch.h"

#define HGC_RTI_CU_MAX_DEVICES 64
#define HGC_RTI_CU_SLOTS 16    /* pieces of staging memory under way */
#define HGC_RTI_CU_TIMINGS 256 /* kernels timed between two waits */

/* A piece of staging memory that a copy uses. */
typedef struct hgc_rti_cu_slot {
  int64_t offset, bytes;
  hgc_cu_event event;
  int32_t stream;
  int32_t busy;
  void *out; /* where the host wants it when the copy is done, or NULL */
} hgc_rti_cu_slot;

/* Pinned memory, given out and taken back in order. */
typedef struct hgc_rti_cu_staging {
  uint8_t *memory;
  int64_t bytes;
  int32_t first, count; /* of `slots`, as a ring */
  hgc_rti_cu_slot slots[HGC_RTI_CU_SLOTS];
} hgc_rti_cu_staging;

/* A kernel whose times are not known yet. */
typedef struct hgc_rti_cu_timing {
  hgc_cu_event begin, end;
  const hgc_rt_gpu_kernel_desc *kernel;
  int32_t stream;
} hgc_rti_cu_timing;

typedef struct hgc_rti_cu_clock {
  hgc_cu_event start; /* recorded when the host's clock read `start_ns` */
  int64_t start_ns;
  int32_t count;
  hgc_rti_cu_timing timings[HGC_RTI_CU_TIMINGS];
} hgc_rti_cu_clock;

typedef struct hgc_rti_cu_device {
  hgc_rti_gpu *gpu;
  int32_t number; /* in the plan */
  int32_t ordinal;
  int32_t sm;
  hgc_cu_device handle;
  char name[96];
  hgc_cu_context context; /* the primary one, retained; NULL: not yet */
  hgc_cu_module module;
  hgc_cu_function *functions; /* by slot, found at the first launch */
  uint32_t *shared;           /* by slot: dynamic shared memory allowed */
  hgc_cu_stream *streams;
  uint8_t *dirty; /* by stream: work since the last wait */
  hgc_cu_event *events;
  hgc_cu_event caller; /* marks what the caller's stream had before a call */
  hgc_cu_ptr arena, weights, state, scratch;
  int64_t scratch_stride;
  hgc_cu_ptr *guarded;
  int64_t bytes; /* allocated there */
  hgc_rti_cu_staging staging;
  hgc_rti_cu_clock *clock; /* NULL: nobody wants times */
  hgc_cublas_handle blas;  /* NULL: the kernels do products themselves */
  hgc_cu_ptr workspace;
  int64_t workspace_stride;
  hgc_rti_cu_prefetch prefetch[HGC_RTI_DEPTH]; /* by slot of the model */
} hgc_rti_cu_device;

struct hgc_rti_gpu {
  hgc_rti_model *model;
  const hgc_rt_gpu_plan *plan;
  hgc_cu_api api;
  hgc_cublas_api blas;
  int32_t driver_version; /* 12040 is CUDA 12.4 */
  int32_t emulated;
  int32_t n_streams;   /* per device; at least 1 */
  int64_t block_bytes; /* of this struct and what is behind it */
  hgc_rt_gpu_bases *bases;
  int32_t current; /* device whose context we made current, or -1 */
  int32_t calls;   /* begun, for poison */
  int32_t owns_first_stream;
  hgc_rti_cu_device *devices; /* [plan->n_devices] */
  hgc_rti_cu_ahead ahead;
};

/* A GPU as it was found. */
typedef struct hgc_rti_cu_found {
  hgc_cu_device handle;
  int32_t ordinal, sm, multiprocessors, visible, prohibited;
  int64_t total_bytes;
  char name[96];
} hgc_rti_cu_found;

/* driver.c: opens the driver's library, which then stays for good. */
hgc_rt_status hgc_rti_cu_open(const hgc_rti_device_wish *wish, hgc_cu_api *api,
                              int32_t *version, void **library);

/* find.c */
hgc_rt_status hgc_rti_cu_find(const hgc_cu_api *api, hgc_rti_cu_found *found,
                              int32_t *count);
hgc_rt_status hgc_rti_cu_choose(hgc_rti_gpu *gpu);

/* result.c: names the call, the kernel if any, and what to do. */
hgc_rt_status hgc_rti_cu_fail(hgc_rti_cu_device *device, hgc_cu_result code,
                              const char *call, const char *kernel);
const char *hgc_rti_cu_code_name(const hgc_cu_api *api, hgc_cu_result code);

static inline hgc_rt_status hgc_rti_cu_check(hgc_rti_cu_device *device,
                                             hgc_cu_result code,
                                             const char *call) {
  return code == HGC_CU_SUCCESS ? HGC_RT_OK
                                : hgc_rti_cu_fail(device, code, call, NULL);
}
#define HGC_RTI_CU(device, function, ...)                                      \
  hgc_rti_cu_check(device, (device)->gpu->api.function(__VA_ARGS__), #function)

/* context.c: makes the context of a device, or none (-1), current. */
hgc_rt_status hgc_rti_cu_bind(hgc_rti_gpu *gpu, int32_t number);
hgc_rt_status hgc_rti_cu_device_create(hgc_rti_cu_device *device);
void hgc_rti_cu_device_destroy(hgc_rti_cu_device *device);
hgc_rt_status hgc_rti_cu_guarded_renew(hgc_rti_cu_device *device);
void hgc_rti_cu_peers(hgc_rti_gpu *gpu);
int64_t hgc_rti_cu_wanted_bytes(const hgc_rti_cu_device *device);

/* modules.c */
hgc_rt_status hgc_rti_cu_module_load(hgc_rti_cu_device *device);
hgc_rt_status hgc_rti_cu_function(hgc_rti_cu_device *device,
                                  const hgc_rt_gpu_launch_desc *launch,
                                  hgc_cu_function *out);

/* staging.c */
hgc_rt_status hgc_rti_cu_staging_create(hgc_rti_cu_device *device);
void hgc_rti_cu_staging_destroy(hgc_rti_cu_device *device);
hgc_rt_status hgc_rti_cu_to_device(hgc_rti_cu_device *device, int32_t stream,
                                   hgc_cu_ptr dst, const void *src,
                                   int64_t bytes);
hgc_rt_status hgc_rti_cu_to_host(hgc_rti_cu_device *device, int32_t stream,
                                 void *dst, hgc_cu_ptr src, int64_t bytes);
/* Waits for a stream and brings its copies to where the host wants them. */
hgc_rt_status hgc_rti_cu_sync(hgc_rti_cu_device *device, int32_t stream);
/* Forgets copies to the host: the call has failed. */
void hgc_rti_cu_staging_drop(hgc_rti_cu_device *device);

/* timing.c */
hgc_rt_status hgc_rti_cu_clock_create(hgc_rti_cu_device *device);
void hgc_rti_cu_clock_destroy(hgc_rti_cu_device *device);
hgc_rt_status hgc_rti_cu_clock_start(hgc_rti_cu_device *device);
hgc_rt_status hgc_rti_cu_clock_begin(hgc_rti_cu_device *device, int32_t stream,
                                     const hgc_rt_gpu_kernel_desc *kernel);
hgc_rt_status hgc_rti_cu_clock_end(hgc_rti_cu_device *device);
/* All streams are idle: tells the hook and the trace. */
hgc_rt_status hgc_rti_cu_clock_report(hgc_rti_cu_device *device);

/* blas.c: without cuBLAS, `blas` of the devices stays NULL. */
void hgc_rti_cu_blas_create(hgc_rti_gpu *gpu, void *driver);
void hgc_rti_cu_blas_destroy(hgc_rti_cu_device *device);
/* Sets `*done` to 0 when the kernel's own launches have to do it. */
hgc_rt_status hgc_rti_cu_gemm(hgc_rti_cu_device *device, int32_t stream,
                              const hgc_rt_gpu_kernel_desc *kernel, void **args,
                              int32_t *done);

/* instance.c: see hgc_rti_gpu_ops */
hgc_rt_status hgc_rti_cu_create(hgc_rti_model *model,
                                const hgc_rti_device_wish *wish);
void hgc_rti_cu_destroy(hgc_rti_model *model);
hgc_rt_status hgc_rti_cu_begin(hgc_rti_model *model);
hgc_rt_status hgc_rti_cu_end(hgc_rti_model *model, hgc_rt_status status);
hgc_rt_status hgc_rti_cu_state_init(hgc_rti_model *model);
hgc_rt_status hgc_rti_cu_param_get(hgc_rti_model *model,
                                   const hgc_rt_gpu_param_desc *home,
                                   void *data);
hgc_rt_status hgc_rti_cu_param_set(hgc_rti_model *model,
                                   const hgc_rt_gpu_param_desc *home,
                                   const void *data);
/* memory.c: see hgc_rti_gpu_ops */
int32_t hgc_rti_cu_pointer_gpu(const hgc_rti_model *model, const void *data,
                               int32_t expected);
hgc_rt_status hgc_rti_cu_memory_alloc(hgc_rti_model *model, int32_t gpu,
                                      int64_t bytes, void **out);
hgc_rt_status hgc_rti_cu_memory_free(hgc_rti_model *model, int32_t gpu,
                                     void *memory);
hgc_rt_status hgc_rti_cu_memory_copy(hgc_rti_model *model, int32_t gpu,
                                     void *device, void *host, int64_t bytes,
                                     int32_t to_host);

int64_t hgc_rti_cu_device_bytes(const hgc_rti_gpu *gpu);
int64_t hgc_rti_cu_pinned_bytes(const hgc_rti_gpu *gpu);

#endif /* HGC_RT_CUDA_H */
