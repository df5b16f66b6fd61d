/*===- launch.c - what programs call while they run -------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A kernel's units are cut into ranges before anybody runs them, so who runs
 * which range is the only thing that timing decides; no bit depends on it.
 *===----------------------------------------------------------------------===*/

#include "../../src/runtime.h"

#include <string.h>

typedef struct launch {
  const hgc_rti_model *model;
  const hgc_rt_kernel_desc *kernel;
  void **args;
  int64_t nargs;
  int64_t ranges;
  int backwards;
} launch;

static void *scratch_of(const hgc_rti_model *model, int64_t range) {
  return model->scratch + range * model->scratch_stride;
}

/* No kernel computes a unit differently because of others in its range. */
static void run_units(const hgc_rt_kernel_desc *k, void **args, int64_t begin,
                      int64_t end, int backwards) {
  if (!backwards) {
    k->fn(args, begin, end);
    return;
  }
  for (int64_t unit = end; unit > begin; --unit)
    k->fn(args, unit - 1, unit);
}

static void run_range(void *task, int64_t range) {
  const launch *l = task;
  const hgc_rt_kernel_desc *k = l->kernel;
  /* The first `rest` ranges are one unit longer; no product can overflow. */
  int64_t length = k->units / l->ranges, rest = k->units % l->ranges;
  int64_t begin = range * length + (range < rest ? range : rest);
  int64_t end = begin + length + (range < rest);
  if (k->scratch_bytes <= 0 || k->finish) {
    run_units(k, l->args, begin, end, l->backwards);
    return;
  }
  void *args[HGC_RT_MAX_KERNEL_ARGS];
  memcpy(args, l->args, (size_t)(l->nargs - 1) * sizeof(void *));
  args[l->nargs - 1] = scratch_of(l->model, range);
  run_units(k, args, begin, end, l->backwards);
}

static int64_t range_count(const hgc_rti_model *model,
                           const hgc_rt_kernel_desc *k, int64_t nargs) {
  int64_t grain = k->grain > 0 ? k->grain : 1;
  int64_t most = k->units / grain + (k->units % grain != 0);
  if (k->scratch_bytes > 0 && nargs > HGC_RT_MAX_KERNEL_ARGS)
    return 1;
  return most < model->threads ? most : model->threads;
}

static void run_ranges(hgc_rti_model *model, hgc_rt_task_fn fn, void *task,
                       int64_t count) {
  const hgc_rt_pool *pool = model->options.pool;
  if (pool)
    pool->parallel_for(pool->user, fn, task, count);
  else
    hgc_rti_pool_run(model, fn, task, count);
}

/* All units on this thread, in scratch memory number `range`. */
static void run_alone(const hgc_rti_model *model, const hgc_rt_kernel_desc *k,
                      void **args, int64_t nargs, int64_t range,
                      int backwards) {
  if (k->scratch_bytes > 0)
    args[nargs - 1] = scratch_of(model, range);
  run_units(k, args, 0, k->units, backwards);
  if (k->finish)
    k->finish(args, 0, 1);
}

static void run_all(hgc_rti_model *model, const hgc_rt_kernel_desc *k,
                    void **args, int64_t nargs, int64_t ranges,
                    int backwards) {
  if (ranges <= 1) {
    run_alone(model, k, args, nargs, 0, backwards);
    return;
  }
  if (k->finish)
    args[nargs - 1] = scratch_of(model, 0);
  /* Other threads fetch it whole. */
  _Alignas(64) launch l = {model, k, args, nargs, ranges, backwards};
  run_ranges(model, run_range, &l, ranges);
  if (k->finish)
    k->finish(args, 0, 1);
}

static void report(hgc_rti_model *model, const hgc_rt_kernel_desc *k,
                   void **args, int64_t ranges, int64_t begin_ns,
                   int64_t end_ns) {
  hgc_rt_kernel_timing t = {.size = (uint32_t)sizeof(t),
                            .version = HGC_RT_VERSION,
                            .name = k->name,
                            .ops = k->ops,
                            .location = k->location,
                            .begin_ns = begin_ns,
                            .end_ns = end_ns,
                            .units = k->units,
                            .ranges = ranges,
                            .flops = k->flops,
                            .bytes = k->bytes,
                            .gpu = HGC_RT_HOST,
                            .output_count = k->output_count,
                            .output_dtype = k->output_dtype};
  if (k->output_count > 0)
    t.output = args[k->output_arg];
  hgc_rti_trace_kernel(model, &t);
}

/* Whether the kernel's scratch memory is there; else the call fails. */
static int has_scratch(hgc_rti_model *model, const hgc_rt_kernel_desc *kernel) {
  if (kernel->scratch_bytes <= model->scratch_stride)
    return 1;
  atomic_store(&model->status, HGC_RT_INTERNAL);
  hgc_rti_error(HGC_RT_INTERNAL, "report this as a bug in hgc",
                "kernel '%s' needs %lld bytes of scratch, the model has %lld",
                kernel->name, (long long)kernel->scratch_bytes,
                (long long)model->scratch_stride);
  return 0;
}

void hgc_rt_launch_turn(hgc_rt_ctx *ctx, const hgc_rt_kernel_desc *kernel,
                        void **args, int64_t nargs, int64_t turn) {
  hgc_rti_model *model = hgc_rti_model_of(ctx);
  if (kernel->units <= 0 || !has_scratch(model, kernel))
    return;
  int64_t ranges = range_count(model, kernel, nargs);
  int64_t begin = model->timing ? hgc_rti_now_ns() : 0;
  run_all(model, kernel, args, nargs, ranges, (int)(turn & 1));
  if (model->timing)
    report(model, kernel, args, ranges, begin, hgc_rti_now_ns());
}

void hgc_rt_launch(hgc_rt_ctx *ctx, const hgc_rt_kernel_desc *kernel,
                   void **args, int64_t nargs) {
  hgc_rt_launch_turn(ctx, kernel, args, nargs, 0);
}

typedef struct side_by_side {
  const hgc_rti_model *model;
  hgc_rt_parallel_launch *launches;
  int64_t count;
  int64_t threads;
} side_by_side;

/* Thread `thread` of a parallel launch runs every `threads`-th branch, in
 * scratch memory of its own. */
static void run_branches(void *task, int64_t thread) {
  const side_by_side *s = task;
  for (int64_t i = 0; i < s->count; ++i) {
    hgc_rt_parallel_launch *l = &s->launches[i];
    if (l->branch % s->threads != thread || l->kernel->units <= 0)
      continue;
    if (s->model->timing)
      l->begin_ns = hgc_rti_now_ns();
    run_alone(s->model, l->kernel, l->args, l->nargs, thread, 0);
    if (s->model->timing)
      l->end_ns = hgc_rti_now_ns();
  }
}

void hgc_rt_parallel(hgc_rt_ctx *ctx, hgc_rt_parallel_launch *launches,
                     int64_t count, int64_t branches) {
  hgc_rti_model *model = hgc_rti_model_of(ctx);
  int64_t threads = branches < model->threads ? branches : model->threads;
  for (int64_t i = 0; i < count; ++i)
    if (!has_scratch(model, launches[i].kernel))
      return;
  side_by_side s = {model, launches, count, threads > 1 ? threads : 1};
  if (threads > 1)
    run_ranges(model, run_branches, &s, threads);
  else
    run_branches(&s, 0);
  /* Hooks are called by one thread at a time, the caller's. */
  for (int64_t i = 0; model->timing && i < count; ++i)
    if (launches[i].kernel->units > 0)
      report(model, launches[i].kernel, launches[i].args, 1,
             launches[i].begin_ns, launches[i].end_ns);
}

void hgc_rt_copy(hgc_rt_ctx *ctx, void *dst, const void *src, int64_t bytes) {
  (void)ctx;
  if (bytes > 0 && dst != src)
    memcpy(dst, src, (size_t)bytes);
}

void hgc_rt_fill(hgc_rt_ctx *ctx, void *dst, const void *pattern,
                 int64_t elem_size, int64_t count) {
  (void)ctx;
  if (elem_size <= 0 || count <= 0)
    return;
  size_t done = (size_t)elem_size, all = done * (size_t)count;
  if (elem_size == 1) {
    memset(dst, *(const unsigned char *)pattern, all);
    return;
  }
  memcpy(dst, pattern, done);
  for (; done * 2 <= all; done *= 2) /* what is written is the pattern, too */
    memcpy((char *)dst + done, dst, done);
  memcpy((char *)dst + done, dst, all - done);
}

hgc_rt_status hgc_rt_fail(hgc_rt_ctx *ctx, int32_t code, const char *message) {
  hgc_rti_model *model = hgc_rti_model_of(ctx);
  const hgc_rt_entry_desc *entry = &model->desc->entries[model->current_entry];
  const char *hint = strstr(message, "\nhint: ");
  int length = hint ? (int)(hint - message) : (int)strlen(message);
  return hgc_rti_error(code == HGC_RT_OK ? HGC_RT_INTERNAL
                                         : (hgc_rt_status)code,
                       hint ? hint + 7 : "check the values passed to this call",
                       "model '%s': entry '%s': %.*s", model->desc->name,
                       entry->info.name, length, message);
}
