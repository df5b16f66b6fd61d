/*===- guarded.c - one mapping per buffer, for --arena=separate -------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Every buffer ends (up to 15 bytes of alignment) at a page that may not be
 * touched and has such a page before it, so that an access beyond it faults at
 * once. What the pages cannot catch - the slack beside the payload - is checked
 * for the poison after the call. Poison at the start of each call makes stale
 * and uninitialised reads visible as 0xCB.
 *===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include "runtime.h"

#include <string.h>
#include <sys/mman.h>

#if defined(__aarch64__)
#define PAGE 65536 /* the largest page a kernel may be built with */
#else
#define PAGE 4096
#endif
#define POISON 0xCB

static int64_t body_bytes(int64_t size) {
  int64_t bytes = hgc_rti_round_up(size, PAGE);
  return bytes > 0 ? bytes : PAGE;
}

/* First byte after the leading guard, where the accessible part starts. */
static uint8_t *body_of(const hgc_rti_model *model, int32_t i) {
  int64_t size = model->desc->guarded_sizes[i];
  return model->guarded[i] + hgc_rti_round_up(size, 16) - body_bytes(size);
}

static uint8_t *map_one(int64_t size) {
  int64_t body = body_bytes(size);
  uint8_t *base = mmap(NULL, (size_t)(body + 2 * PAGE), PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return NULL;
  if (mprotect(base + PAGE, (size_t)body, PROT_READ | PROT_WRITE)) {
    munmap(base, (size_t)(body + 2 * PAGE));
    return NULL;
  }
  return base + PAGE + body - hgc_rti_round_up(size, 16);
}

hgc_rt_status hgc_rti_guarded_create(hgc_rti_model *model) {
  for (int32_t i = 0; i < model->desc->n_guarded; ++i) {
    int64_t size = model->desc->guarded_sizes[i];
    model->guarded[i] = map_one(size);
    if (!model->guarded[i])
      return hgc_rti_error(HGC_RT_OUT_OF_MEMORY,
                           "compile without --arena=separate, which is for "
                           "tests",
                           "cannot map guarded buffer %d of %lld bytes", i,
                           (long long)size);
  }
  return HGC_RT_OK;
}

void hgc_rti_guarded_destroy(hgc_rti_model *model) {
  for (int32_t i = 0; i < model->desc->n_guarded; ++i)
    if (model->guarded[i])
      munmap(body_of(model, i) - PAGE,
             (size_t)(body_bytes(model->desc->guarded_sizes[i]) + 2 * PAGE));
}

void hgc_rti_guarded_poison(hgc_rti_model *model) {
  for (int32_t i = 0; i < model->desc->n_guarded; ++i)
    memset(body_of(model, i), POISON,
           (size_t)body_bytes(model->desc->guarded_sizes[i]));
}

static int intact(const uint8_t *begin, const uint8_t *end) {
  for (; begin < end; ++begin)
    if (*begin != POISON)
      return 0;
  return 1;
}

hgc_rt_status hgc_rti_guarded_check(hgc_rti_model *model) {
  for (int32_t i = 0; i < model->desc->n_guarded; ++i) {
    int64_t size = model->desc->guarded_sizes[i];
    const uint8_t *body = body_of(model, i), *data = model->guarded[i];
    int before = !intact(body, data);
    if (before || !intact(data + size, body + body_bytes(size)))
      return hgc_rti_error(HGC_RT_INTERNAL, "report this as a bug in hgc",
                           "model '%s': guarded buffer %d of %lld bytes was "
                           "written %s",
                           model->desc->name, i, (long long)size,
                           before ? "before its start" : "past its end");
  }
  return HGC_RT_OK;
}

int64_t hgc_rti_guarded_bytes(const hgc_rti_model *model) {
  int64_t sum = 0;
  for (int32_t i = 0; i < model->desc->n_guarded; ++i)
    sum += body_bytes(model->desc->guarded_sizes[i]);
  return sum;
}

void *hgc_rt_guarded(hgc_rt_ctx *ctx, int64_t index) {
  return hgc_rti_model_of(ctx)->guarded[index];
}
