/*===- staging.c - copies between host memory and a GPU ---------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Only pinned memory can be copied while the host goes on. Memory of callers
 * is rarely pinned, so it passes through a ring of pinned memory in pieces:
 * while one is on its way the next is filled. What comes from the GPU waits in
 * the ring until the host waits for the stream, or its piece is needed.
 *===----------------------------------------------------------------------===*/

#include "cuda.h"

#include <string.h>

#define ALIGNMENT 256
#define SMALLEST (64 * 1024)
#define LARGEST (8 * 1024 * 1024)

/* Bytes of an entry's widest variant. */
static int64_t tensor_bytes(const hgc_rt_entry_info *info, int32_t variant,
                            const hgc_rt_tensor_info *t) {
  int64_t bytes = hgc_rt_dtype_size(t->dtype);
  for (int32_t i = 0; i < t->rank; ++i) {
    int64_t dim = t->dims[i];
    if (dim < 0 && dim >= -info->n_dims)
      dim = info->variant_dims[(int64_t)variant * info->n_dims - 1 - dim];
    if (__builtin_mul_overflow(bytes, dim, &bytes) || bytes > LARGEST)
      return LARGEST;
  }
  return hgc_rti_round_up(bytes, ALIGNMENT);
}

/* Room for the arguments of the widest call and for weights, within limits. */
static int64_t ring_bytes(const hgc_rt_model_desc *desc) {
  int64_t most = SMALLEST;
  if (desc->weights_bytes > most)
    most = desc->weights_bytes;
  for (int32_t e = 0; e < desc->n_entries && most < LARGEST; ++e) {
    const hgc_rt_entry_info *info = &desc->entries[e].info;
    for (int32_t v = 0; v < info->n_variants && most < LARGEST; ++v) {
      int64_t sum = 0;
      for (int32_t i = 0; i < info->n_inputs && sum < LARGEST; ++i)
        sum += tensor_bytes(info, v, &info->inputs[i]);
      for (int32_t i = 0; i < info->n_outputs && sum < LARGEST; ++i)
        sum += tensor_bytes(info, v, &info->outputs[i]);
      most = sum > most ? sum : most;
    }
  }
  return most < LARGEST ? hgc_rti_round_up(most, SMALLEST) : LARGEST;
}

hgc_rt_status hgc_rti_cu_staging_create(hgc_rti_cu_device *d) {
  hgc_rti_cu_staging *s = &d->staging;
  int64_t bytes = ring_bytes(d->gpu->model->desc);
  void *memory = NULL;
  hgc_rt_status status =
      HGC_RTI_CU(d, cuMemHostAlloc, &memory, (size_t)bytes, 0);
  if (status != HGC_RT_OK)
    return status;
  s->memory = memory;
  s->bytes = bytes;
  for (int32_t i = 0; status == HGC_RT_OK && i < HGC_RTI_CU_SLOTS; ++i)
    status = HGC_RTI_CU(d, cuEventCreate, &s->slots[i].event,
                        HGC_CU_EVENT_DISABLE_TIMING);
  return status;
}

void hgc_rti_cu_staging_destroy(hgc_rti_cu_device *d) {
  hgc_rti_cu_staging *s = &d->staging;
  for (int32_t i = 0; i < HGC_RTI_CU_SLOTS; ++i)
    if (s->slots[i].event)
      d->gpu->api.cuEventDestroy_v2(s->slots[i].event);
  if (s->memory)
    d->gpu->api.cuMemFreeHost(s->memory);
  s->memory = NULL;
  s->bytes = 0;
}

static hgc_rti_cu_slot *slot_at(hgc_rti_cu_staging *s, int32_t i) {
  return &s->slots[(s->first + i) % HGC_RTI_CU_SLOTS];
}

/* The copy is done: hands over what the host wants. */
static void settle(hgc_rti_cu_staging *s, hgc_rti_cu_slot *slot) {
  if (slot->busy && slot->out)
    memcpy(slot->out, s->memory + slot->offset, (size_t)slot->bytes);
  slot->busy = 0;
}

static void retire(hgc_rti_cu_staging *s) {
  while (s->count > 0 && !slot_at(s, 0)->busy) {
    s->first = (s->first + 1) % HGC_RTI_CU_SLOTS;
    --s->count;
  }
}

/* Waits for one piece, so that its memory can be used again. */
static hgc_rt_status await(hgc_rti_cu_device *d, hgc_rti_cu_slot *slot) {
  hgc_rt_status status = HGC_RT_OK;
  if (slot->busy)
    status = HGC_RTI_CU(d, cuEventSynchronize, slot->event);
  if (status == HGC_RT_OK)
    settle(&d->staging, slot);
  return status;
}

/* Where the next piece of `bytes` fits, or -1. */
static int64_t free_offset(hgc_rti_cu_staging *s, int64_t bytes) {
  if (s->count == 0)
    return 0;
  if (s->count == HGC_RTI_CU_SLOTS)
    return -1;
  const hgc_rti_cu_slot *last = slot_at(s, s->count - 1);
  int64_t begin = slot_at(s, 0)->offset;
  int64_t end = hgc_rti_round_up(last->offset + last->bytes, ALIGNMENT);
  if (last->offset >= begin) { /* in use: begin to end */
    if (end + bytes <= s->bytes)
      return end;
    return bytes <= begin ? 0 : -1;
  }
  return end + bytes <= begin ? end : -1;
}

/* A piece of at most half the ring, so that two can be under way. */
static hgc_rt_status acquire(hgc_rti_cu_device *d, int32_t stream,
                             int64_t bytes, hgc_rti_cu_slot **out) {
  hgc_rti_cu_staging *s = &d->staging;
  int64_t offset;
  retire(s);
  while ((offset = free_offset(s, bytes)) < 0) {
    hgc_rt_status status = await(d, slot_at(s, 0));
    if (status != HGC_RT_OK)
      return status;
    retire(s);
  }
  hgc_rti_cu_slot *slot = slot_at(s, s->count++);
  slot->offset = offset;
  slot->bytes = bytes;
  slot->stream = stream;
  slot->out = NULL;
  slot->busy = 0; /* until the copy is under way */
  *out = slot;
  return HGC_RT_OK;
}

static hgc_rt_status mark(hgc_rti_cu_device *d, hgc_rti_cu_slot *slot,
                          void *out) {
  slot->busy = 1;
  slot->out = out;
  return HGC_RTI_CU(d, cuEventRecord, slot->event, d->streams[slot->stream]);
}

static int is_pinned(const hgc_rti_cu_device *d, const void *host) {
  unsigned type = 0;
  return d->gpu->api.cuPointerGetAttribute &&
         !d->gpu->api.cuPointerGetAttribute(&type, HGC_CU_POINTER_MEMORY_TYPE,
                                            (hgc_cu_ptr)(uintptr_t)host) &&
         type == HGC_CU_MEMORYTYPE_HOST;
}

static int overlap(const char *a, int64_t a_bytes, const char *b,
                   int64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

/* The source may be the target of a copy that is still under way. */
static hgc_rt_status await_source(hgc_rti_gpu *gpu, const void *src,
                                  int64_t bytes) {
  hgc_rt_status status = HGC_RT_OK;
  for (int32_t n = 0; n < gpu->plan->n_devices; ++n) {
    hgc_rti_cu_device *d = &gpu->devices[n];
    for (int32_t i = 0; status == HGC_RT_OK && i < d->staging.count; ++i) {
      hgc_rti_cu_slot *slot = slot_at(&d->staging, i);
      if (slot->busy && slot->out &&
          overlap(src, bytes, slot->out, slot->bytes))
        status = await(d, slot);
    }
  }
  return status;
}

hgc_rt_status hgc_rti_cu_to_device(hgc_rti_cu_device *d, int32_t stream,
                                   hgc_cu_ptr dst, const void *src,
                                   int64_t bytes) {
  const char *from = src;
  int64_t most = d->staging.bytes / 2;
  hgc_rt_status status = await_source(d->gpu, src, bytes);
  d->dirty[stream] = 1;
  if (status == HGC_RT_OK && is_pinned(d, src))
    return HGC_RTI_CU(d, cuMemcpyHtoDAsync_v2, dst, src, (size_t)bytes,
                      d->streams[stream]);
  while (status == HGC_RT_OK && bytes > 0) {
    hgc_rti_cu_slot *slot = NULL;
    int64_t piece = bytes < most ? bytes : most;
    status = acquire(d, stream, piece, &slot);
    if (status != HGC_RT_OK)
      break;
    uint8_t *stage = d->staging.memory + slot->offset;
    memcpy(stage, from, (size_t)piece);
    status = HGC_RTI_CU(d, cuMemcpyHtoDAsync_v2, dst, stage, (size_t)piece,
                        d->streams[stream]);
    if (status == HGC_RT_OK)
      status = mark(d, slot, NULL);
    from += piece;
    dst += (hgc_cu_ptr)piece;
    bytes -= piece;
  }
  return status;
}

hgc_rt_status hgc_rti_cu_to_host(hgc_rti_cu_device *d, int32_t stream,
                                 void *dst, hgc_cu_ptr src, int64_t bytes) {
  char *to = dst;
  int64_t most = d->staging.bytes / 2;
  hgc_rt_status status = HGC_RT_OK;
  d->dirty[stream] = 1;
  if (is_pinned(d, dst))
    return HGC_RTI_CU(d, cuMemcpyDtoHAsync_v2, dst, src, (size_t)bytes,
                      d->streams[stream]);
  while (status == HGC_RT_OK && bytes > 0) {
    hgc_rti_cu_slot *slot = NULL;
    int64_t piece = bytes < most ? bytes : most;
    status = acquire(d, stream, piece, &slot);
    if (status != HGC_RT_OK)
      break;
    status =
        HGC_RTI_CU(d, cuMemcpyDtoHAsync_v2, d->staging.memory + slot->offset,
                   src, (size_t)piece, d->streams[stream]);
    if (status == HGC_RT_OK)
      status = mark(d, slot, to);
    to += piece;
    src += (hgc_cu_ptr)piece;
    bytes -= piece;
  }
  return status;
}

hgc_rt_status hgc_rti_cu_sync(hgc_rti_cu_device *d, int32_t stream) {
  hgc_rti_cu_staging *s = &d->staging;
  hgc_rt_status status = HGC_RTI_CU(d, cuStreamSynchronize, d->streams[stream]);
  if (status != HGC_RT_OK)
    return status;
  for (int32_t i = 0; i < s->count; ++i)
    if (slot_at(s, i)->stream == stream)
      settle(s, slot_at(s, i));
  retire(s);
  d->dirty[stream] = 0;
  return HGC_RT_OK;
}

void hgc_rti_cu_staging_drop(hgc_rti_cu_device *d) {
  for (int32_t i = 0; i < HGC_RTI_CU_SLOTS; ++i)
    d->staging.slots[i].busy = 0;
  d->staging.first = d->staging.count = 0;
}
