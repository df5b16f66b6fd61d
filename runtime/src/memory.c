/*===- memory.c - allocator hooks, arena, scratch, state --------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * All sizes are constants of the model, so an instance takes its memory at
 * create and a call can never fail for want of it.
 *===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include "runtime.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096
#define LARGE (64 * 1024) /* from here on whole pages are worth having */
#define HUGE_PAGE (2 * 1024 * 1024)
#define VERY_LARGE (2 * HUGE_PAGE) /* and from here on huge ones */

/* The first call touches thousands of pages otherwise, each with a trap. Where
 * the system has no huge pages to give, small ones do. */
static void *alloc_pages(int64_t bytes, int64_t alignment) {
  void *ptr = NULL;
  if (posix_memalign(&ptr, (size_t)alignment, (size_t)bytes))
    return NULL;
  if (alignment >= HUGE_PAGE)
    madvise(ptr, (size_t)(bytes / HUGE_PAGE * HUGE_PAGE), MADV_HUGEPAGE);
  return ptr;
}

void *hgc_rti_alloc(const hgc_rt_options *options, int64_t bytes,
                    int64_t alignment) {
  void *ptr = NULL;
  if (options->alloc)
    ptr = options->alloc(options->alloc_user, (size_t)bytes, (size_t)alignment);
  else
    ptr = alloc_pages(bytes, alignment);
  if (ptr && (uintptr_t)ptr % (uintptr_t)alignment) {
    hgc_rti_free(options, ptr, bytes, alignment);
    ptr = NULL;
  }
  if (!ptr)
    hgc_rti_error(HGC_RT_OUT_OF_MEMORY,
                  "free memory, use fewer threads, or compile smaller variants",
                  "cannot allocate %lld bytes aligned to %lld",
                  (long long)bytes, (long long)alignment);
  return ptr;
}

void hgc_rti_free(const hgc_rt_options *options, void *ptr, int64_t bytes,
                  int64_t alignment) {
  if (!ptr)
    return;
  if (options->free)
    options->free(options->alloc_user, ptr, (size_t)bytes, (size_t)alignment);
  else
    free(ptr);
}

/* Allocators of callers are not asked for huge pages. */
static int64_t alignment_of(const hgc_rti_model *model, int64_t bytes) {
  if (bytes >= VERY_LARGE && !model->options.alloc)
    return HUGE_PAGE;
  return bytes >= LARGE ? PAGE : HGC_RTI_CACHE_LINE;
}

/* Makes room for `threads` ranges; the old scratch stays on failure. */
hgc_rt_status hgc_rti_scratch_resize(hgc_rti_model *model, int32_t threads) {
  int64_t stride = model->scratch_stride;
  if (threads == model->threads)
    return HGC_RT_OK;
  if (stride > 0) {
    int64_t bytes, old = stride * model->threads;
    uint8_t *scratch = NULL;
    if (__builtin_mul_overflow(stride, (int64_t)threads, &bytes))
      bytes = INT64_MAX / 2;
    scratch = hgc_rti_alloc(&model->options, bytes, alignment_of(model, bytes));
    if (!scratch)
      return HGC_RT_OUT_OF_MEMORY;
    hgc_rti_free(&model->options, model->scratch, old,
                 alignment_of(model, old));
    model->scratch = scratch;
  }
  model->threads = threads;
  return HGC_RT_OK;
}

/* Weights must be open: initial values come from there. Host memory of what
 * lives on a GPU is never touched. */
hgc_rt_status hgc_rti_state_init(hgc_rti_model *model) {
  const hgc_rt_model_desc *desc = model->desc;
  if (desc->state_bytes > 0 && !model->device.gpu)
    memset(model->ctx.state, 0, (size_t)desc->state_bytes);
  for (int32_t i = 0; i < desc->n_params; ++i) {
    const hgc_rt_param_desc *p = &desc->params[i];
    if (!(p->info.flags & HGC_RT_PARAM_MUTABLE) ||
        hgc_rti_device_home(model, i))
      continue;
    if (p->init_offset >= 0)
      memcpy(model->ctx.state + p->offset, model->ctx.weights + p->init_offset,
             (size_t)p->info.bytes);
    else
      memset(model->ctx.state + p->offset, 0, (size_t)p->info.bytes);
  }
  return model->device.gpu ? hgc_rti_cuda.state_init(model) : HGC_RT_OK;
}

/* On failure the caller destroys what there is. */
hgc_rt_status hgc_rti_buffers_create(hgc_rti_model *model) {
  const hgc_rt_model_desc *desc = model->desc;
  if (desc->scratch_bytes > 0)
    model->scratch_stride =
        hgc_rti_round_up(desc->scratch_bytes, HGC_RTI_CACHE_LINE);
  hgc_rt_status status = hgc_rti_scratch_resize(model, model->default_threads);
  if (status != HGC_RT_OK)
    return status;
  if (desc->arena_bytes > 0) {
    model->ctx.arena = hgc_rti_alloc(&model->options, desc->arena_bytes,
                                     alignment_of(model, desc->arena_bytes));
    if (!model->ctx.arena)
      return HGC_RT_OUT_OF_MEMORY;
  }
  if (desc->state_bytes > 0) {
    model->ctx.state = hgc_rti_alloc(&model->options, desc->state_bytes,
                                     alignment_of(model, desc->state_bytes));
    if (!model->ctx.state)
      return HGC_RT_OUT_OF_MEMORY;
  }
  return hgc_rti_guarded_create(model);
}

void hgc_rti_buffers_destroy(hgc_rti_model *model) {
  const hgc_rt_model_desc *desc = model->desc;
  int64_t scratch = model->scratch_stride * model->threads;
  hgc_rti_guarded_destroy(model);
  hgc_rti_free(&model->options, model->ctx.state, desc->state_bytes,
               alignment_of(model, desc->state_bytes));
  hgc_rti_free(&model->options, model->ctx.arena, desc->arena_bytes,
               alignment_of(model, desc->arena_bytes));
  hgc_rti_free(&model->options, model->scratch, scratch,
               alignment_of(model, scratch));
}
