/*===- hgc_rt_dlpack.h - DLPack tensors as arguments ------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * hgc_rt_dl_tensor has the layout of DLPack 0.8's DLTensor, so a pointer to the
 * one may be cast to the other; dlpack.h itself is not needed.
 *===----------------------------------------------------------------------===*/
#ifndef HGC_RT_DLPACK_H
#define HGC_RT_DLPACK_H

#include "hgc_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/** DLTensor of DLPack. */
typedef struct hgc_rt_dl_tensor {
  void *data;
  int32_t device_type; /**< 1 CPU, 3 pinned host memory of CUDA */
  int32_t device_id;
  int32_t ndim;
  uint8_t dtype_code; /**< 0 int, 1 uint, 2 float, 4 bfloat, 6 bool */
  uint8_t dtype_bits;
  uint16_t dtype_lanes;
  int64_t *shape;
  int64_t *strides; /**< In elements; NULL means row-major and dense. */
  uint64_t byte_offset;
} hgc_rt_dl_tensor;

/** hgc_rt_dtype of a DLPack type; 0 when hgc has none. */
static inline int32_t hgc_rt_dl_dtype(uint8_t code, uint8_t bits,
                                      uint16_t lanes) {
  int32_t log = bits == 8    ? 0
                : bits == 16 ? 1
                : bits == 32 ? 2
                : bits == 64 ? 3
                             : -1;
  if (lanes != 1 || log < 0)
    return 0;
  if (code == 0)
    return HGC_RT_I8 + log;
  if (code == 1)
    return HGC_RT_U8 + log;
  if (code == 2)
    return log == 1   ? HGC_RT_F16
           : log == 2 ? HGC_RT_F32
           : log == 3 ? HGC_RT_F64
                      : 0;
  if (code == 4)
    return log == 1 ? HGC_RT_BF16 : 0;
  if (code == 6)
    return log == 0 ? HGC_RT_BOOL : 0;
  return 0;
}

/** Makes an argument of a DLPack tensor, which stays owned by the caller.
 *
 * \param strides  Room for HGC_RT_MAX_RANK numbers that `out` will point to.
 * \return HGC_RT_OK, HGC_RT_INVALID_ARGUMENT (NULL, rank), HGC_RT_UNSUPPORTED
 *         (not in host memory, or a type hgc does not have). */
static inline hgc_rt_status
hgc_rt_tensor_from_dlpack(const hgc_rt_dl_tensor *dl, int64_t *strides,
                          hgc_rt_tensor *out) {
  int32_t dtype, i;
  if (!dl || !strides || !out || dl->ndim < 0 || dl->ndim > HGC_RT_MAX_RANK ||
      (dl->ndim > 0 && !dl->shape))
    return HGC_RT_INVALID_ARGUMENT;
  dtype = hgc_rt_dl_dtype(dl->dtype_code, dl->dtype_bits, dl->dtype_lanes);
  if ((dl->device_type != 1 && dl->device_type != 3) || dtype == 0)
    return HGC_RT_UNSUPPORTED;
  out->data = dl->data ? (void *)((char *)dl->data + dl->byte_offset) : NULL;
  out->dims = dl->shape;
  out->strides = NULL;
  out->dtype = dtype;
  out->rank = dl->ndim;
  if (dl->strides) {
    for (i = 0; i < dl->ndim; ++i)
      strides[i] = (int64_t)((uint64_t)dl->strides[i] *
                             (uint64_t)hgc_rt_dtype_size(dtype));
    out->strides = strides;
  }
  return HGC_RT_OK;
}

#ifdef __cplusplus
}
#endif
#endif /* HGC_RT_DLPACK_H */
