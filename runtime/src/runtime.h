/*===- runtime.h - what the runtime's own files share -----------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Internal names start with hgc_rti_: they are hidden in a shared library but
 * visible in a static one. No call allocates memory.
 *===----------------------------------------------------------------------===*/
#ifndef HGC_RT_RUNTIME_H
#define HGC_RT_RUNTIME_H

#include "device.h"

#include <pthread.h>

#define HGC_RTI_MAX_THREADS 256
#define HGC_RTI_DEPTH 2 /* calls in flight */
#define HGC_RTI_CACHE_LINE 64

/* A call made by start. `ticket` is 0 while the slot is free. */
typedef struct hgc_rti_slot {
  hgc_rt_ticket ticket;
  const hgc_rt_variant_desc *variant;
  int32_t entry;
  hgc_rt_status status;
  void **args;
  char error[HGC_RTI_ERROR_SIZE];
} hgc_rti_slot;

/* A word to wait on, and how many threads sleep on it. */
typedef struct hgc_rti_event {
  _Atomic uint32_t word;
  _Atomic uint32_t sleepers;
} hgc_rti_event;

/* The thread that runs started calls. */
typedef struct hgc_rti_worker {
  pthread_t thread;
  int32_t running;
  _Atomic int32_t stop;
  hgc_rt_ticket seen; /* last ticket taken; the thread's own once it runs */
  hgc_rti_event submitted; /* low bits of the last ticket handed over */
  hgc_rti_event completed; /* low bits of the last ticket finished */
} hgc_rti_worker;

typedef struct hgc_rti_model {
  const hgc_rt_model_api *api; /* first: this is the public handle */
  const hgc_rt_model_desc *desc;
  hgc_rt_ctx ctx;
  hgc_rt_options options;
  hgc_rt_log_level log_level; /* without a hook: the least that is shown */
  hgc_rti_device device;
  int64_t block_bytes; /* of this struct and the arrays behind it */

  _Atomic int32_t busy;        /* 1 while a caller is inside */
  _Atomic int32_t pid;         /* process that last used it, to notice a fork */
  _Atomic uint32_t *fork_mark; /* see os.c; NULL: compare pid at every call */
  _Atomic int32_t failed;
  _Atomic int32_t status; /* failure of a launch, which cannot return one */
  int32_t current_entry;  /* for messages */
  int32_t threads, default_threads;
  int32_t pool_held; /* holds a reference to the library's pool */
  uint8_t *scratch;
  int64_t scratch_stride;

  void *weights_map;
  int64_t weights_map_bytes;
  uint8_t **guarded; /* payloads; the whole mapping follows from the size */

  void **call_args; /* room for the widest entry, and for its dims */
  int64_t *call_dims;
  hgc_rt_ticket last_ticket;
  hgc_rti_slot slots[HGC_RTI_DEPTH];
  int32_t order[HGC_RTI_DEPTH]; /* slot of a ticket, by ticket % depth */
  hgc_rti_worker worker;

  int32_t timing; /* a hook or a trace wants kernel times */
  struct hgc_rti_trace *trace;
} hgc_rti_model;

/* The model a program's context belongs to. */
static inline hgc_rti_model *hgc_rti_model_of(hgc_rt_ctx *ctx) {
  return (hgc_rti_model *)(void *)((char *)ctx - offsetof(hgc_rti_model, ctx));
}

static inline int64_t hgc_rti_round_up(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}
/* error.c: sets this thread's message, `fmt` and then the line of the hint,
 * which survives when the message is cut. Returns `code`. */
hgc_rt_status hgc_rti_error(hgc_rt_status code, const char *hint,
                            const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void hgc_rti_error_set(const char *message);
void hgc_rti_error_clear(void);
void hgc_rti_log(const hgc_rti_model *model, hgc_rt_log_level level,
                 const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* os.c */
int64_t hgc_rti_now_ns(void);
void hgc_rti_pause(void);
int32_t hgc_rti_cores(void);
void hgc_rti_event_wait(hgc_rti_event *event, uint32_t value);
void hgc_rti_event_wake(hgc_rti_event *event, int32_t count);
_Atomic uint32_t *hgc_rti_fork_mark_create(void);
void hgc_rti_fork_mark_destroy(_Atomic uint32_t *mark);
int hgc_rti_thread_start(pthread_t *thread, void *(*fn)(void *), void *arg);

/* memory.c */
void *hgc_rti_alloc(const hgc_rt_options *options, int64_t bytes,
                    int64_t alignment);
void hgc_rti_free(const hgc_rt_options *options, void *ptr, int64_t bytes,
                  int64_t alignment);
hgc_rt_status hgc_rti_buffers_create(hgc_rti_model *model);
void hgc_rti_buffers_destroy(hgc_rti_model *model);
hgc_rt_status hgc_rti_state_init(hgc_rti_model *model);
hgc_rt_status hgc_rti_scratch_resize(hgc_rti_model *model, int32_t threads);

/* guarded.c */
hgc_rt_status hgc_rti_guarded_create(hgc_rti_model *model);
void hgc_rti_guarded_destroy(hgc_rti_model *model);
void hgc_rti_guarded_poison(hgc_rti_model *model);
hgc_rt_status hgc_rti_guarded_check(hgc_rti_model *model);
int64_t hgc_rti_guarded_bytes(const hgc_rti_model *model);

/* weights.c */
hgc_rt_status hgc_rti_weights_open(hgc_rti_model *model);
void hgc_rti_weights_close(hgc_rti_model *model);

/* options.c */
hgc_rt_status hgc_rti_options_read(const hgc_rt_options *in,
                                   hgc_rt_options *out);
hgc_rt_status hgc_rti_thread_count(int32_t requested, int32_t compiled,
                                   int32_t *out);

/* devices/cpu/cpu_features.c. The override replaces what the CPU reports. */
extern const uint64_t *hgc_rti_cpu_override;
hgc_rt_status hgc_rti_cpu_check(const hgc_rt_model_desc *desc);
const char *hgc_rti_cpu_feature_name(int32_t bit); /* NULL: no such feature */
/* devices/cpu/pool.c */
extern const hgc_rt_pool hgc_rti_own_pool;
void hgc_rti_pool_run(hgc_rti_model *model, hgc_rt_task_fn fn, void *task,
                      int64_t count);
void hgc_rti_pool_drop(hgc_rti_model *model);

/* arguments.c: check everything, find the variant. */
hgc_rt_status hgc_rti_check_args(const hgc_rti_model *model, int32_t entry,
                                 const int64_t *dims, void *const *args,
                                 const hgc_rt_variant_desc **variant);
/* tensors.c: check tensors against the entry, fill `args` and `dims`. */
hgc_rt_status hgc_rti_check_tensors(const hgc_rti_model *model, int32_t entry,
                                    const hgc_rt_tensor *inputs,
                                    int32_t n_inputs,
                                    const hgc_rt_tensor *outputs,
                                    int32_t n_outputs, int64_t *dims,
                                    void **args);
hgc_rt_status hgc_rti_check_entry(const hgc_rti_model *model, int32_t entry);
const char *hgc_rti_dtype_name(int32_t dtype);

/* call.c: enter is a try-lock on the instance, taken by every public call. */
hgc_rt_status hgc_rti_enter(hgc_rti_model *model);
void hgc_rti_leave(hgc_rti_model *model);
hgc_rt_status hgc_rti_enter_idle(hgc_rti_model *model);
void hgc_rti_enter_last(hgc_rti_model *model);
hgc_rt_status hgc_rti_check_usable(const hgc_rti_model *model);
hgc_rt_status hgc_rti_execute(hgc_rti_model *model, int32_t entry,
                              const hgc_rt_variant_desc *variant, void **args);
hgc_rt_status hgc_rti_call_tensors(hgc_rt_model *model, int32_t entry,
                                   const hgc_rt_tensor *inputs,
                                   int32_t n_inputs,
                                   const hgc_rt_tensor *outputs,
                                   int32_t n_outputs);

/* async.c */
hgc_rt_status hgc_rti_start_tensors(hgc_rt_model *model, int32_t entry,
                                    const hgc_rt_tensor *inputs,
                                    int32_t n_inputs,
                                    const hgc_rt_tensor *outputs,
                                    int32_t n_outputs, hgc_rt_ticket *ticket);
int32_t hgc_rti_in_flight(const hgc_rti_model *model);
void hgc_rti_async_finish(hgc_rti_model *model);
void hgc_rti_async_forked(hgc_rti_model *model);

/* api.c, describe.c, params.c */
hgc_rt_status hgc_rti_get_param(hgc_rt_model *model, int32_t param, void *data,
                                int64_t bytes);
hgc_rt_status hgc_rti_set_param(hgc_rt_model *model, int32_t param,
                                const void *data, int64_t bytes);
hgc_rt_status hgc_rti_reset(hgc_rt_model *model);
int64_t hgc_rti_describe(const hgc_rt_model_desc *desc,
                         const hgc_rti_model *model, char *buffer,
                         int64_t capacity);
extern const hgc_rt_model_api hgc_rti_api;

/* trace.c: what a kernel took, for the hook and the trace; a whole call. */
hgc_rt_status hgc_rti_trace_open(hgc_rti_model *model);
void hgc_rti_trace_kernel(hgc_rti_model *model, const hgc_rt_kernel_timing *t);
void hgc_rti_trace_call(hgc_rti_model *model, int64_t begin_ns);
void hgc_rti_trace_forked(hgc_rti_model *model);
void hgc_rti_trace_close(hgc_rti_model *model);

#endif /* HGC_RT_RUNTIME_H */
