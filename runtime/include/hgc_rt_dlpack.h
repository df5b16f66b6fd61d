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
  int32_t device_type; /**< 1 CPU, 2 CUDA, 3 pinned host memory of CUDA,
                            13 managed memory of CUDA */
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

/** The argument a DLPack tensor is, wherever it lies; see below. */
static inline hgc_rt_status hgc_rt_dl_convert(const hgc_rt_dl_tensor *dl,
                                              int64_t *strides,
                                              hgc_rt_tensor *out) {
  int32_t dtype, i;
  if (!dl || !strides || !out || dl->ndim < 0 || dl->ndim > HGC_RT_MAX_RANK ||
      (dl->ndim > 0 && !dl->shape))
    return HGC_RT_INVALID_ARGUMENT;
  dtype = hgc_rt_dl_dtype(dl->dtype_code, dl->dtype_bits, dl->dtype_lanes);
  if (dtype == 0)
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

/** Whether the host can read it. */
static inline int hgc_rt_dl_on_host(const hgc_rt_dl_tensor *dl) {
  return dl->device_type == 1 || dl->device_type == 3 || dl->device_type == 13;
}

/** Makes an argument of a DLPack tensor in host memory, which stays owned by
 *  the caller.
 *
 * \param strides  Room for HGC_RT_MAX_RANK numbers that `out` will point to.
 * \return HGC_RT_OK, HGC_RT_INVALID_ARGUMENT (NULL, rank), HGC_RT_UNSUPPORTED
 *         (not in host memory, or a type hgc does not have). */
static inline hgc_rt_status
hgc_rt_tensor_from_dlpack(const hgc_rt_dl_tensor *dl, int64_t *strides,
                          hgc_rt_tensor *out) {
  hgc_rt_status status = hgc_rt_dl_convert(dl, strides, out);
  if (status != HGC_RT_OK)
    return status;
  return hgc_rt_dl_on_host(dl) ? HGC_RT_OK : HGC_RT_UNSUPPORTED;
}

/** As hgc_rt_tensor_from_dlpack, for argument `argument` (inputs first, then
 *  outputs) of an entry: takes memory of a GPU where the plan that runs expects
 *  it, and only there.
 *
 * \return as above, and HGC_RT_INVALID_ARGUMENT when the tensor is on the other
 *         side; hgc_rt_model_last_error then says where it should be. */
static inline hgc_rt_status
hgc_rt_argument_from_dlpack(const hgc_rt_model *model, int32_t entry,
                            int32_t argument, const hgc_rt_dl_tensor *dl,
                            int64_t *strides, hgc_rt_tensor *out) {
  int32_t expected = hgc_rt_model_argument_gpu(model, entry, argument), gpu;
  hgc_rt_status status = hgc_rt_dl_convert(dl, strides, out);
  if (status != HGC_RT_OK)
    return status;
  if (!hgc_rt_dl_on_host(dl) && dl->device_type != 2)
    return HGC_RT_UNSUPPORTED;
  /* Managed memory is where it is wanted; of which GPU other memory is, the
   * call asks the driver. */
  if (dl->device_type == 13)
    gpu = expected;
  else if (hgc_rt_dl_on_host(dl))
    gpu = -1;
  else
    gpu = expected < 0 ? 0 : expected;
  return hgc_rt_model_check_argument_gpu(model, entry, argument, gpu);
}

#ifdef __cplusplus
}
#endif
#endif /* HGC_RT_DLPACK_H */
