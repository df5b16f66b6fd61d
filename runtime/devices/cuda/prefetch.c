/*===- prefetch.c - inputs of the next call, on their way early -------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A call that is started while another one runs sends its inputs ahead, to
 * memory of its slot on each GPU that reads them; when its program asks for
 *them they are there. A program tells by running which inputs it copies, so the
 *first call of a variant sends nothing ahead, and no byte travels that would
 *not have anyway. Whatever fails here only means that the call copies its
 *inputs itself.
 *===----------------------------------------------------------------------===*/

#include "cuda.h"

#define ALIGNMENT 256

/* `known` is copied by the thread that starts calls and the one that runs them,
 * which takes no time. */
static void lock(hgc_rti_gpu *gpu) {
  while (atomic_exchange_explicit(&gpu->ahead.lock, 1, memory_order_acquire))
    hgc_rti_pause();
}

static void unlock(hgc_rti_gpu *gpu) {
  atomic_store_explicit(&gpu->ahead.lock, 0, memory_order_release);
}

/* Makes the context of a GPU current on any thread. */
static int enter(const hgc_rti_cu_device *d) {
  return !d->gpu->api.cuCtxPushCurrent_v2(d->context);
}

static void leave(const hgc_rti_cu_device *d) {
  hgc_cu_context popped = NULL;
  d->gpu->api.cuCtxPopCurrent_v2(&popped);
}

static int make(const hgc_cu_api *api, hgc_rti_cu_prefetch *p) {
  if (!p->stream &&
      api->cuStreamCreate(&p->stream, HGC_CU_STREAM_NON_BLOCKING)) {
    p->stream = NULL;
    return 0;
  }
  if (!p->done && api->cuEventCreate(&p->done, HGC_CU_EVENT_DISABLE_TIMING)) {
    p->done = NULL;
    return 0;
  }
  return 1;
}

static int reserve(const hgc_rti_gpu *gpu, hgc_rti_cu_prefetch *p,
                   int64_t bytes) {
  if (bytes <= p->bytes)
    return 1;
  if (gpu->plan->is_limited)
    return 0;
  if (p->memory)
    gpu->api.cuMemFree_v2(p->memory);
  p->memory = 0;
  p->bytes = 0;
  if (gpu->api.cuMemAlloc_v2(&p->memory, (size_t)bytes)) {
    p->memory = 0;
    return 0;
  }
  p->bytes = bytes;
  return 1;
}

/* What calls of `variant` copy; 0 when that is not known yet. */
static int32_t recall(hgc_rti_gpu *gpu, const hgc_rt_variant_desc *variant,
                      hgc_rti_cu_upload *out) {
  lock(gpu);
  int32_t count =
      gpu->ahead.known.variant == variant ? gpu->ahead.known.count : 0;
  for (int32_t i = 0; i < count; ++i)
    out[i] = gpu->ahead.known.list[i];
  unlock(gpu);
  return count;
}

/* A call in flight may still write what the next one reads. */
static int is_output(const hgc_rti_model *model, const char *src,
                     int64_t bytes) {
  for (int32_t s = 0; s < HGC_RTI_DEPTH; ++s) {
    const hgc_rti_slot *slot = &model->slots[s];
    if (!slot->ticket)
      continue;
    const hgc_rt_entry_desc *entry = &model->desc->entries[slot->entry];
    for (int32_t i = 0; i < entry->info.n_outputs; ++i) {
      const char *out = slot->args[entry->info.n_inputs + i];
      int64_t size =
          hgc_rti_tensor_bytes(entry, slot->variant, &entry->info.outputs[i]);
      if (src < out + size && out < src + bytes)
        return 1;
    }
  }
  return 0;
}

/* Sends those of the uploads that go to this GPU. */
static void send(const hgc_rti_cu_device *d, hgc_rti_cu_prefetch *p,
                 void **args, const hgc_rti_cu_upload *uploads, int32_t count) {
  const hgc_cu_api *api = &d->gpu->api;
  int64_t offset = 0;
  p->sent = 1;
  for (int32_t i = 0; i < count; ++i) {
    if (uploads[i].gpu != d->number)
      continue;
    hgc_rti_cu_piece *piece = &p->pieces[p->count];
    piece->host = (const char *)args[uploads[i].input] + uploads[i].offset;
    piece->bytes = uploads[i].bytes;
    piece->device = p->memory + (hgc_cu_ptr)offset;
    if (is_output(d->gpu->model, piece->host, piece->bytes))
      continue;
    if (api->cuMemcpyHtoDAsync_v2(piece->device, piece->host,
                                  (size_t)piece->bytes, p->stream))
      break;
    p->count++;
    offset += hgc_rti_round_up(piece->bytes, ALIGNMENT);
  }
  /* Without the event nobody could wait for the pieces. */
  if (api->cuEventRecord(p->done, p->stream))
    p->count = 0;
}

void hgc_rti_cu_prefetch_start(hgc_rti_model *model, int32_t slot) {
  hgc_rti_gpu *gpu = model->device.gpu;
  hgc_rti_cu_upload uploads[HGC_RTI_CU_UPLOADS];
  int32_t count = recall(gpu, model->slots[slot].variant, uploads);
  for (int32_t g = 0; g < gpu->plan->n_devices; ++g) {
    hgc_rti_cu_device *d = &gpu->devices[g];
    hgc_rti_cu_prefetch *p = &d->prefetch[slot];
    int64_t bytes = 0;
    for (int32_t i = 0; i < count; ++i)
      if (uploads[i].gpu == g)
        bytes += hgc_rti_round_up(uploads[i].bytes, ALIGNMENT);
    if (bytes == 0 || !enter(d))
      continue;
    if (make(&gpu->api, p) && reserve(gpu, p, bytes))
      send(d, p, model->slots[slot].args, uploads, count);
    leave(d);
  }
}

void hgc_rti_cu_prefetch_end(hgc_rti_model *model, int32_t slot) {
  hgc_rti_gpu *gpu = model->device.gpu;
  for (int32_t g = 0; g < gpu->plan->n_devices; ++g) {
    hgc_rti_cu_prefetch *p = &gpu->devices[g].prefetch[slot];
    if (p->sent && enter(&gpu->devices[g])) {
      gpu->api.cuStreamSynchronize(p->stream);
      leave(&gpu->devices[g]);
    }
    p->sent = p->count = 0;
  }
}

/* Context is current. */
void hgc_rti_cu_prefetch_destroy(hgc_rti_cu_device *d) {
  const hgc_cu_api *api = &d->gpu->api;
  for (int32_t i = 0; i < HGC_RTI_DEPTH; ++i) {
    hgc_rti_cu_prefetch *p = &d->prefetch[i];
    if (p->done)
      api->cuEventDestroy_v2(p->done);
    if (p->stream)
      api->cuStreamDestroy_v2(p->stream);
    if (p->memory)
      api->cuMemFree_v2(p->memory);
    p->done = NULL;
    p->stream = NULL;
    p->memory = 0;
    p->bytes = 0;
  }
}

/*--- While a program runs ---------------------------------------------------*/

void hgc_rti_cu_uploads_begin(hgc_rti_gpu *gpu) {
  gpu->ahead.seen.count = 0;
  gpu->ahead.seen.variant = gpu->model->device.variant;
}

/* Remembers a copy from an input; too many of them are not worth it. */
static void note(const hgc_rti_cu_device *d, const char *src, int64_t bytes) {
  hgc_rti_gpu *gpu = d->gpu;
  const hgc_rti_model *model = gpu->model;
  hgc_rti_cu_uploads *seen = &gpu->ahead.seen;
  if (!seen->variant || seen->count < 0)
    return;
  const hgc_rt_entry_desc *entry = &model->desc->entries[model->current_entry];
  for (int32_t i = 0; i < entry->info.n_inputs; ++i) {
    const char *input = model->device.args[i];
    int64_t size =
        hgc_rti_tensor_bytes(entry, seen->variant, &entry->info.inputs[i]);
    if (src < input || src + bytes > input + size)
      continue;
    if (seen->count == HGC_RTI_CU_UPLOADS) {
      seen->count = -1;
      return;
    }
    seen->list[seen->count++] = (hgc_rti_cu_upload){
        .gpu = d->number, .input = i, .offset = src - input, .bytes = bytes};
    return;
  }
}

/* The call was well: what it copied is known to whoever starts the next. */
void hgc_rti_cu_uploads_end(hgc_rti_gpu *gpu) {
  if (gpu->ahead.seen.variant) {
    lock(gpu);
    gpu->ahead.known = gpu->ahead.seen;
    unlock(gpu);
  }
  gpu->ahead.seen.variant = NULL;
}

hgc_rt_status hgc_rti_cu_upload_input(hgc_rti_cu_device *d, int32_t stream,
                                      hgc_cu_ptr dst, const void *src,
                                      int64_t bytes, int32_t *done) {
  *done = 0;
  note(d, src, bytes);
  int32_t slot = d->gpu->model->device.slot;
  const hgc_rti_cu_prefetch *p = slot >= 0 ? &d->prefetch[slot] : NULL;
  for (int32_t i = 0; p && i < p->count; ++i) {
    const hgc_rti_cu_piece *piece = &p->pieces[i];
    if (piece->host != src || piece->bytes != bytes)
      continue;
    *done = 1;
    hgc_rt_status status =
        HGC_RTI_CU(d, cuStreamWaitEvent, d->streams[stream], p->done, 0);
    if (status == HGC_RT_OK)
      status = HGC_RTI_CU(d, cuMemcpyDtoDAsync_v2, dst, piece->device,
                          (size_t)bytes, d->streams[stream]);
    return status;
  }
  return HGC_RT_OK;
}
