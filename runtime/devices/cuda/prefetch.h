/*===- prefetch.h - inputs of the next call, on their way early -------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef HGC_RT_PREFETCH_H
#define HGC_RT_PREFETCH_H

#include "../../src/runtime.h"
#include "cuda_driver.h"

#define HGC_RTI_CU_UPLOADS 32 /* copies of inputs that are sent ahead */

struct hgc_rti_cu_device;

/* A copy of a program from one of its inputs to a GPU. */
typedef struct hgc_rti_cu_upload {
  int32_t gpu, input;
  int64_t offset, bytes;
} hgc_rti_cu_upload;

/* Those of one call. */
typedef struct hgc_rti_cu_uploads {
  const hgc_rt_variant_desc *variant; /* NULL: of none */
  int32_t count;                      /* -1: too many */
  hgc_rti_cu_upload list[HGC_RTI_CU_UPLOADS];
} hgc_rti_cu_uploads;

/* Where a part of an input was sent ahead. */
typedef struct hgc_rti_cu_piece {
  const char *host;
  int64_t bytes;
  hgc_cu_ptr device;
} hgc_rti_cu_piece;

/* Inputs of a started call, on their way to one GPU while another call runs. */
typedef struct hgc_rti_cu_prefetch {
  hgc_cu_stream stream;
  hgc_cu_event done; /* all pieces are there */
  hgc_cu_ptr memory;
  int64_t bytes;
  int32_t sent; /* the stream has work */
  int32_t count;
  hgc_rti_cu_piece pieces[HGC_RTI_CU_UPLOADS];
} hgc_rti_cu_prefetch;

/* What an instance knows of its calls. */
typedef struct hgc_rti_cu_ahead {
  hgc_rti_cu_uploads seen;  /* by the call that runs */
  hgc_rti_cu_uploads known; /* of the last call; under the lock */
  _Atomic int32_t lock;
} hgc_rti_cu_ahead;

/* `slot` is about to be submitted, or done. */
void hgc_rti_cu_prefetch_start(hgc_rti_model *model, int32_t slot);
void hgc_rti_cu_prefetch_end(hgc_rti_model *model, int32_t slot);
void hgc_rti_cu_prefetch_destroy(struct hgc_rti_cu_device *device);
void hgc_rti_cu_uploads_begin(hgc_rti_gpu *gpu);
void hgc_rti_cu_uploads_end(hgc_rti_gpu *gpu);
/* Takes an input that was sent ahead; `*done` is 0 when there is none. */
hgc_rt_status hgc_rti_cu_upload_input(struct hgc_rti_cu_device *device,
                                      int32_t stream, hgc_cu_ptr dst,
                                      const void *src, int64_t bytes,
                                      int32_t *done);

#endif /* HGC_RT_PREFETCH_H */
