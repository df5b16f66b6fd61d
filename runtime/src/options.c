/*===- options.c - what the caller and the environment ask for --------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A caller built against an older header passes a shorter struct (the rest is
 * default), one built against a newer header a longer one, which is accepted as
 * long as it asks for nothing this library does not know.
 *===----------------------------------------------------------------------===*/

#include "runtime.h"

#include <stdlib.h>
#include <string.h>

static hgc_rt_status check_values(const hgc_rt_options *o) {
  const uint32_t known = HGC_RT_STRICT_PLACEMENT | HGC_RT_VERIFY_WEIGHTS;
  if (o->flags & ~known)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                         "use the HGC_RT_* bits listed at hgc_rt_options.flags",
                         "options.flags is 0x%x, which has unknown bits",
                         o->flags);
  if ((o->alloc == NULL) != (o->free == NULL))
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                         "set both options.alloc and options.free, or neither",
                         "options has only one of alloc and free");
  if (o->pool && (o->pool->size < sizeof(hgc_rt_pool) ||
                  o->pool->version != HGC_RT_VERSION))
    return hgc_rti_error(
        HGC_RT_VERSION_MISMATCH,
        "set pool.size = sizeof(hgc_rt_pool), pool.version = HGC_RT_VERSION",
        "options.pool has size %u, version %u, expected %u, %u", o->pool->size,
        o->pool->version, (unsigned)sizeof(hgc_rt_pool), HGC_RT_VERSION);
  if (o->pool && !o->pool->parallel_for)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                         "set pool.parallel_for, or leave options.pool NULL",
                         "options.pool has no parallel_for");
  return HGC_RT_OK;
}

hgc_rt_status hgc_rti_options_read(const hgc_rt_options *in,
                                   hgc_rt_options *out) {
  *out = hgc_rt_options_default();
  if (!in)
    return HGC_RT_OK;
  if (in->version != HGC_RT_VERSION ||
      in->size < offsetof(hgc_rt_options, num_threads))
    return hgc_rti_error(HGC_RT_VERSION_MISMATCH,
                         "start from hgc_rt_options_default()",
                         "options has size %u, version %u, expected %u, %u",
                         in->size, in->version, out->size, out->version);
  const char *bytes = (const char *)in;
  for (uint32_t i = out->size; i < in->size; ++i)
    if (bytes[i])
      return hgc_rti_error(HGC_RT_VERSION_MISMATCH,
                           "compile the model again with a newer hgc",
                           "options uses a field this library does not know");
  uint32_t known = in->size < out->size ? in->size : out->size;
  memcpy(out, in, known);
  out->size = (uint32_t)sizeof(*out);
  return check_values(out);
}

static hgc_rt_status read_environment(const char *text, int32_t *out) {
  int32_t value = 0;
  const char *p = text;
  for (; *p >= '0' && *p <= '9' && value <= HGC_RTI_MAX_THREADS; ++p)
    value = value * 10 + (*p - '0');
  if (*p || value < 1 || value > HGC_RTI_MAX_THREADS)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                         "set HGC_NUM_THREADS to a number, or unset it",
                         "HGC_NUM_THREADS is '%.32s', expected 1 to %d", text,
                         HGC_RTI_MAX_THREADS);
  *out = value;
  return HGC_RT_OK;
}

/* What goes to stderr when the caller has no hook. */
hgc_rt_status hgc_rti_log_level_read(hgc_rt_log_level *out) {
  static const char *const names[] = {"info", "warning", "error"};
  const char *text = getenv("HGC_LOG");
  *out = HGC_RT_LOG_WARNING;
  if (!text || !*text)
    return HGC_RT_OK;
  for (int32_t i = HGC_RT_LOG_INFO; i <= HGC_RT_LOG_ERROR; ++i)
    if (strlen(text) == strlen(names[i]) &&
        !memcmp(text, names[i], strlen(text))) {
      *out = (hgc_rt_log_level)i;
      return HGC_RT_OK;
    }
  return hgc_rti_error(
      HGC_RT_INVALID_ARGUMENT, "set HGC_LOG to one of these, or unset it",
      "HGC_LOG is '%.32s', expected info, warning or error", text);
}

/* The caller's word, then the environment's, then the compiler's, then all. */
hgc_rt_status hgc_rti_thread_count(int32_t requested, int32_t compiled,
                                   int32_t *out) {
  if (requested < 0 || requested > HGC_RTI_MAX_THREADS)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                         "pass 0 to use all cores of this process",
                         "the number of threads is %d, expected 0 to %d",
                         requested, HGC_RTI_MAX_THREADS);
  if (requested > 0) {
    *out = requested;
    return HGC_RT_OK;
  }
  const char *text = getenv("HGC_NUM_THREADS");
  if (text && *text)
    return read_environment(text, out);
  *out = compiled > 0 && compiled <= HGC_RTI_MAX_THREADS ? compiled
                                                         : hgc_rti_cores();
  return HGC_RT_OK;
}
