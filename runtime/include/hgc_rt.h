/*===- hgc_rt.h - public C interface of compiled models ---------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Every library made by `hgc compile` carries its own runtime with hidden
 * symbols and is reached through a table of functions, so this header has no
 * library of its own to link. C11 and C++17; needs <stddef.h>, <stdint.h> only.
 *
 * A NULL model gives HGC_RT_INVALID_ARGUMENT, 0 or NULL, never a crash.
 * Threads: a model instance serves one caller at a time (a second concurrent
 * call gets HGC_RT_BUSY); separate instances may run in parallel.
 * Enum values are never renumbered; structs only grow at their end.
 *===----------------------------------------------------------------------===*/
#ifndef HGC_RT_H
#define HGC_RT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HGC_RT_VERSION 1u  /**< Version of the structs of this header. */
#define HGC_RT_MAX_RANK 16 /**< Highest rank of a DLPack tensor. */

/** Result of every call that can fail; the message is in `last_error`. */
typedef enum hgc_rt_status {
  HGC_RT_OK = 0,
  HGC_RT_INVALID_ARGUMENT = 1, /**< A pointer, count, shape or type is wrong. */
  HGC_RT_OUT_OF_MEMORY = 2,    /**< An allocation failed. */
  HGC_RT_UNSUPPORTED_CPU = 3,  /**< This CPU lacks features the code needs. */
  HGC_RT_IO_ERROR = 4,         /**< A file could not be opened or mapped. */
  HGC_RT_DEVICE_FAILED = 5,    /**< A device or the model reported failure. */
  HGC_RT_VERSION_MISMATCH = 6, /**< Struct sizes or versions do not agree. */
  HGC_RT_INTERNAL = 7,         /**< A bug in hgc; please report it. */
  HGC_RT_FAILED_INSTANCE = 8, /**< An earlier call failed; reset or recreate. */
  HGC_RT_NO_VARIANT = 9,      /**< No variant was compiled for these dims. */
  HGC_RT_BUSY = 10,           /**< The instance is in use by another call. */
  HGC_RT_UNSUPPORTED = 11,    /**< Valid, but this model cannot do it. */
  HGC_RT_BAD_WEIGHTS = 12,    /**< The weights file is not the model's own. */
  HGC_RT_NO_DEVICE = 13       /**< The wanted device cannot be used. */
} hgc_rt_status;

/** Element types; i1 (BOOL) takes one byte that holds 0 or 1. */
typedef enum hgc_rt_dtype {
  HGC_RT_F32 = 1,
  HGC_RT_F64 = 2,
  HGC_RT_F16 = 3,
  HGC_RT_BF16 = 4,
  HGC_RT_BOOL = 5,
  HGC_RT_I8 = 6,
  HGC_RT_I16 = 7,
  HGC_RT_I32 = 8,
  HGC_RT_I64 = 9,
  HGC_RT_U8 = 10,
  HGC_RT_U16 = 11,
  HGC_RT_U32 = 12,
  HGC_RT_U64 = 13
} hgc_rt_dtype;

/** Severity of a log message. */
typedef enum hgc_rt_log_level {
  HGC_RT_LOG_INFO = 0,
  HGC_RT_LOG_WARNING = 1,
  HGC_RT_LOG_ERROR = 2
} hgc_rt_log_level;

/** Bits of hgc_rt_options.flags. */
enum {
  /** Fail at create instead of falling back to another device. */
  HGC_RT_STRICT_PLACEMENT = 1u << 0,
  /** Hash the whole weights file at create. Small files always are. */
  HGC_RT_VERIFY_WEIGHTS = 1u << 1
};

/** Bits of hgc_rt_param_info.flags. */
enum {
  HGC_RT_PARAM_MUTABLE = 1u
                         << 0,  /**< Lives in the instance, set_param works. */
  HGC_RT_PARAM_PACKED = 1u << 1 /**< Kept only packed; get_param refuses. */
};

typedef struct hgc_rt_model_api hgc_rt_model_api;

/** An instance of a model. Opaque but for its table of functions. */
typedef struct hgc_rt_model {
  const hgc_rt_model_api *api;
} hgc_rt_model;

/** Names a call made by `start`; never 0. */
typedef uint64_t hgc_rt_ticket;

/** Static description of a tensor. dims[i] >= 0 is an extent, dims[i] == -1-k
 *  is the entry's symbolic dimension k. */
typedef struct hgc_rt_tensor_info {
  const char *name;
  const int64_t *dims;
  int32_t dtype; /**< hgc_rt_dtype */
  int32_t rank;
} hgc_rt_tensor_info;

/** Static description of an entry function. */
typedef struct hgc_rt_entry_info {
  const char *name;
  int32_t n_dims; /**< Symbolic dimensions. */
  int32_t n_inputs;
  int32_t n_outputs;
  int32_t n_variants;
  const char *const *dim_names;      /**< [n_dims] */
  const hgc_rt_tensor_info *inputs;  /**< [n_inputs] */
  const hgc_rt_tensor_info *outputs; /**< [n_outputs] */
  const int64_t *variant_dims;       /**< [n_variants][n_dims] compiled sizes */
} hgc_rt_entry_info;

/** Static description of a parameter; `dims` are all static. */
typedef struct hgc_rt_param_info {
  hgc_rt_tensor_info tensor;
  uint32_t flags; /**< HGC_RT_PARAM_* */
  int32_t reserved;
  int64_t bytes; /**< Size of its canonical row-major copy. */
} hgc_rt_param_info;

/** A tensor of the caller. `data` needs the natural alignment of its type. */
typedef struct hgc_rt_tensor {
  void *data;
  const int64_t *dims;
  const int64_t *strides; /**< In bytes; NULL means row-major and dense. */
  int32_t dtype;          /**< hgc_rt_dtype */
  int32_t rank;
} hgc_rt_tensor;

/** Memory of an instance in bytes. */
typedef struct hgc_rt_memory_info {
  uint32_t size, version;
  int64_t arena_bytes;
  int64_t scratch_bytes_per_thread;
  int64_t scratch_bytes; /**< For all threads of the instance. */
  int64_t weights_bytes; /**< Read-only; shared between processes. */
  int64_t state_bytes;   /**< Mutable parameters. */
  int64_t guarded_bytes; /**< Buffers of a library made for tests, else 0. */
  int64_t device_bytes;  /**< On all GPUs of the instance. */
  int64_t pinned_bytes;  /**< Host memory for copies to and from GPUs. */
} hgc_rt_memory_info;

/** One piece of parallel work: called once per index in [0, count). */
typedef void (*hgc_rt_task_fn)(void *task, int64_t index);

/** A thread pool: of the application, or of another model (see get_pool). */
typedef struct hgc_rt_pool {
  uint32_t size, version;
  void *user;
  /** Calls fn(task, i) once for each i in [0, count), on any threads in any
   *  order, and returns when all have returned. Must allow nested use. */
  void (*parallel_for)(void *user, hgc_rt_task_fn fn, void *task,
                       int64_t count);
  /** Keep-alive pair, called at create and destroy; both may be NULL. */
  void (*retain)(void *user);
  void (*release)(void *user);
} hgc_rt_pool;

/** What the per-kernel hook receives. Times are CLOCK_MONOTONIC. */
typedef struct hgc_rt_kernel_timing {
  uint32_t size, version;
  const char *name;     /**< Of the kernel. */
  const char *ops;      /**< Graph operations it holds. */
  const char *location; /**< Source place of its root. */
  int64_t begin_ns, end_ns;
  int64_t units;  /**< Iterations that could be split; blocks on a GPU. */
  int64_t ranges; /**< Pieces they were split into; launches on a GPU. */
  int64_t flops, bytes;
  int32_t gpu;    /**< Number of the GPU, or -1: the CPU. */
  int32_t stream; /**< Of that GPU. */
  /** What a kernel of the CPU has written, while the hook runs; else NULL. */
  const void *output;
  int64_t output_count; /**< Elements. */
  int32_t output_dtype; /**< hgc_rt_dtype */
  int32_t reserved;
} hgc_rt_kernel_timing;

/** Options of create. Start from hgc_rt_options_default(). */
typedef struct hgc_rt_options {
  uint32_t size, version;
  int32_t num_threads; /**< 0: HGC_NUM_THREADS, else what was compiled in, else
                            the cores this process may use. */
  uint32_t flags;      /**< HGC_RT_STRICT_PLACEMENT, HGC_RT_VERIFY_WEIGHTS */
  const char *weights_path; /**< File, or folder that holds it; NULL: beside
                                 the library. */
  /** Both or neither. `alloc` returns NULL on failure. */
  void *(*alloc)(void *user, size_t bytes, size_t alignment);
  void (*free)(void *user, void *ptr, size_t bytes, size_t alignment);
  void *alloc_user;
  /** `level` is an hgc_rt_log_level. NULL: warnings go to stderr. */
  void (*log)(void *user, int32_t level, const char *message);
  void *log_user;
  /** Called after every kernel by the thread that issued it; for kernels of a
   *  GPU before the call returns. */
  void (*kernel_timing)(void *user, const hgc_rt_kernel_timing *timing);
  void *timing_user;
  /** Pool to use instead of the library's own; must outlive the instance. */
  const hgc_rt_pool *pool;
  /** Where to run: "auto" (a GPU if the model has code for it and it can be
   *  used, else the CPU), "cpu", "gpu", "emulated" or "emulated:TABLE". What is
   *  named here must be there, or create fails. NULL: HGC_DEVICE, else auto. */
  const char *device;
  /** Absolute path of libhgc_emucuda.so; NULL: HGC_EMULATOR. */
  const char *emulator;
  /** A CUstream of the primary context of the model's first GPU, to put its
   *  work behind what the caller has there. NULL: a stream of its own. */
  void *cuda_stream;
} hgc_rt_options;

/** Functions of an instance. The inline wrappers below document them. */
struct hgc_rt_model_api {
  uint32_t size, version;
  void (*destroy)(hgc_rt_model *);
  int32_t (*entry_count)(const hgc_rt_model *);
  const hgc_rt_entry_info *(*entry_info)(const hgc_rt_model *, int32_t entry);
  hgc_rt_status (*call)(hgc_rt_model *, int32_t entry,
                        const hgc_rt_tensor *inputs, int32_t n_inputs,
                        const hgc_rt_tensor *outputs, int32_t n_outputs);
  hgc_rt_status (*start)(hgc_rt_model *, int32_t entry,
                         const hgc_rt_tensor *inputs, int32_t n_inputs,
                         const hgc_rt_tensor *outputs, int32_t n_outputs,
                         hgc_rt_ticket *ticket);
  hgc_rt_status (*wait)(hgc_rt_model *, hgc_rt_ticket ticket);
  const char *(*last_error)(void);
  int64_t (*describe_json)(const hgc_rt_model *, char *buffer,
                           int64_t capacity);
  hgc_rt_status (*memory_requirements)(const hgc_rt_model *,
                                       hgc_rt_memory_info *out);
  int32_t (*param_count)(const hgc_rt_model *);
  const hgc_rt_param_info *(*param_info)(const hgc_rt_model *, int32_t param);
  hgc_rt_status (*get_param)(hgc_rt_model *, int32_t param, void *data,
                             int64_t bytes);
  hgc_rt_status (*set_param)(hgc_rt_model *, int32_t param, const void *data,
                             int64_t bytes);
  hgc_rt_status (*reset)(hgc_rt_model *);
  hgc_rt_status (*set_threads)(hgc_rt_model *, int32_t num_threads);
  int32_t (*get_threads)(const hgc_rt_model *);
  const hgc_rt_pool *(*get_pool)(hgc_rt_model *);
  const char *(*device)(const hgc_rt_model *);
  const char *(*device_name)(const hgc_rt_model *);
  const char *(*fallback_reason)(const hgc_rt_model *);
  int32_t (*shape_output)(const hgc_rt_model *, int32_t entry, int32_t output);
  int32_t (*argument_gpu)(const hgc_rt_model *, int32_t entry,
                          int32_t argument);
  hgc_rt_status (*check_argument_gpu)(const hgc_rt_model *, int32_t entry,
                                      int32_t argument, int32_t gpu);
  hgc_rt_status (*device_alloc)(hgc_rt_model *, int32_t gpu, int64_t bytes,
                                void **out);
  hgc_rt_status (*device_free)(hgc_rt_model *, int32_t gpu, void *memory);
  hgc_rt_status (*device_copy)(hgc_rt_model *, int32_t gpu, void *device,
                               void *host, int64_t bytes, int32_t to_host);
  hgc_rt_status (*save)(hgc_rt_model *, const char *path);
  hgc_rt_status (*load)(hgc_rt_model *, const char *path);
};

/** What a library exports as `hgc_model_v1()` (static: `<name>_model_v1()`), so
 *  that a host can use any model without its generated header. */
typedef struct hgc_rt_model_export hgc_rt_model_export;
struct hgc_rt_model_export {
  uint32_t size, version;
  const char *name;
  const void *desc; /**< Private to the library. */
  hgc_rt_status (*create)(const hgc_rt_model_export *self,
                          const hgc_rt_options *options, hgc_rt_model **out);
  /** As hgc_rt_model_describe_json, without an instance: any CPU will do. */
  int64_t (*describe_json)(const hgc_rt_model_export *self, char *buffer,
                           int64_t capacity);
  const char *(*last_error)(void);
};
typedef const hgc_rt_model_export *(*hgc_rt_model_v1_fn)(void);

/** Default options: own pool, malloc, no hooks. */
static inline hgc_rt_options hgc_rt_options_default(void) {
  hgc_rt_options o;
  unsigned char *p = (unsigned char *)&o;
  size_t i;
  for (i = 0; i < sizeof(o); ++i)
    p[i] = 0;
  o.size = (uint32_t)sizeof(o);
  o.version = HGC_RT_VERSION;
  return o;
}

/** Waits for calls in flight, then frees the instance. NULL is allowed. */
static inline void hgc_rt_model_destroy(hgc_rt_model *model) {
  if (model)
    model->api->destroy(model);
}

/** Number of entry functions. */
static inline int32_t hgc_rt_model_entry_count(const hgc_rt_model *model) {
  return model ? model->api->entry_count(model) : 0;
}

/** Description of an entry, valid while the library is loaded; NULL when the
 *  index is out of range. */
static inline const hgc_rt_entry_info *
hgc_rt_model_entry_info(const hgc_rt_model *model, int32_t entry) {
  return model ? model->api->entry_info(model, entry) : NULL;
}

/** Runs an entry and waits for it. Symbolic dims are taken from the shapes.
 *
 * \param inputs, outputs  Borrowed until the call returns; dense row-major.
 *                         Outputs overlap nothing. On failure their contents
 *                         are unspecified.
 * \return HGC_RT_OK, or HGC_RT_INVALID_ARGUMENT (count, shape, type, layout,
 *         alignment, overlap, NULL), HGC_RT_NO_VARIANT, HGC_RT_BUSY (another
 *         call, or tickets not yet waited for), HGC_RT_FAILED_INSTANCE, or
 *         what the model itself reports. */
static inline hgc_rt_status
hgc_rt_model_call(hgc_rt_model *model, int32_t entry,
                  const hgc_rt_tensor *inputs, int32_t n_inputs,
                  const hgc_rt_tensor *outputs, int32_t n_outputs) {
  if (!model)
    return HGC_RT_INVALID_ARGUMENT;
  return model->api->call(model, entry, inputs, n_inputs, outputs, n_outputs);
}

/** As call, but returns at once; `*ticket` is set on success only. Buffers are
 *  borrowed until `wait`; the tensor structs are not. At most two calls are in
 *  flight and run in order; a third start gets HGC_RT_BUSY. */
static inline hgc_rt_status
hgc_rt_model_start(hgc_rt_model *model, int32_t entry,
                   const hgc_rt_tensor *inputs, int32_t n_inputs,
                   const hgc_rt_tensor *outputs, int32_t n_outputs,
                   hgc_rt_ticket *ticket) {
  if (!model)
    return HGC_RT_INVALID_ARGUMENT;
  return model->api->start(model, entry, inputs, n_inputs, outputs, n_outputs,
                           ticket);
}

/** Waits for a started call and returns its status; the ticket is then spent.
 *  HGC_RT_INVALID_ARGUMENT for a ticket that is not in flight. */
static inline hgc_rt_status hgc_rt_model_wait(hgc_rt_model *model,
                                              hgc_rt_ticket ticket) {
  if (!model)
    return HGC_RT_INVALID_ARGUMENT;
  return model->api->wait(model, ticket);
}

/** Message of the last failure in this library on this thread ("" if none),
 *  with a line `hint: ...` at its end. Valid until the thread's next call. */
static inline const char *hgc_rt_model_last_error(const hgc_rt_model *model) {
  return model ? model->api->last_error()
               : "the model is NULL\nhint: check what create returned";
}

/** Writes a JSON description (entries, tensors, variants, parameters, memory)
 *  of at most capacity-1 characters and a NUL, as snprintf does.
 *  \return length of the whole text. */
static inline int64_t hgc_rt_model_describe_json(const hgc_rt_model *model,
                                                 char *buffer,
                                                 int64_t capacity) {
  return model ? model->api->describe_json(model, buffer, capacity) : 0;
}

/** Fills `*out`, whose size and version the caller has set.
 *  \return HGC_RT_OK, HGC_RT_INVALID_ARGUMENT, HGC_RT_VERSION_MISMATCH. */
static inline hgc_rt_status
hgc_rt_model_memory_requirements(const hgc_rt_model *model,
                                 hgc_rt_memory_info *out) {
  if (!model)
    return HGC_RT_INVALID_ARGUMENT;
  return model->api->memory_requirements(model, out);
}

/** Number of parameters, and the description of one (NULL out of range). */
static inline int32_t hgc_rt_model_param_count(const hgc_rt_model *model) {
  return model ? model->api->param_count(model) : 0;
}
static inline const hgc_rt_param_info *
hgc_rt_model_param_info(const hgc_rt_model *model, int32_t param) {
  return model ? model->api->param_info(model, param) : NULL;
}

/** Copies a parameter out, row-major; `bytes` must be its exact size.
 *  \return HGC_RT_OK, HGC_RT_INVALID_ARGUMENT, HGC_RT_BUSY,
 *          HGC_RT_FAILED_INSTANCE, or HGC_RT_UNSUPPORTED (kept only packed). */
static inline hgc_rt_status hgc_rt_model_get_param(hgc_rt_model *model,
                                                   int32_t param, void *data,
                                                   int64_t bytes) {
  if (!model)
    return HGC_RT_INVALID_ARGUMENT;
  return model->api->get_param(model, param, data, bytes);
}

/** Sets a mutable parameter from a row-major copy of its exact size.
 *  \return as get_param; HGC_RT_UNSUPPORTED when it is immutable. */
static inline hgc_rt_status hgc_rt_model_set_param(hgc_rt_model *model,
                                                   int32_t param,
                                                   const void *data,
                                                   int64_t bytes) {
  if (!model)
    return HGC_RT_INVALID_ARGUMENT;
  return model->api->set_param(model, param, data, bytes);
}

/** Gives mutable parameters their initial values and clears a failure.
 *  \return HGC_RT_OK, HGC_RT_INVALID_ARGUMENT, HGC_RT_BUSY, or
 *          HGC_RT_FAILED_INSTANCE (its GPU is lost). */
static inline hgc_rt_status hgc_rt_model_reset(hgc_rt_model *model) {
  if (!model)
    return HGC_RT_INVALID_ARGUMENT;
  return model->api->reset(model);
}

/** Writes all mutable parameters to a safetensors file, by name and row-major.
 *  A file of that name is replaced once the new one is complete on the disk;
 *  after a failure it is as it was.
 *  \return HGC_RT_OK, HGC_RT_INVALID_ARGUMENT, HGC_RT_BUSY,
 *          HGC_RT_FAILED_INSTANCE, HGC_RT_IO_ERROR, HGC_RT_OUT_OF_MEMORY, or
 *          HGC_RT_UNSUPPORTED (no mutable parameters, or an older library). */
static inline hgc_rt_status hgc_rt_model_save(hgc_rt_model *model,
                                              const char *path) {
  if (!model)
    return HGC_RT_INVALID_ARGUMENT;
  if (model->api->size <= offsetof(hgc_rt_model_api, save))
    return HGC_RT_UNSUPPORTED;
  return model->api->save(model, path);
}

/** Reads what save wrote and clears a failure. The file must have each mutable
 *  parameter with its type and shape, and nothing else; otherwise nothing
 *  changes.
 *  \return as save; HGC_RT_BAD_WEIGHTS when the file does not fit. */
static inline hgc_rt_status hgc_rt_model_load(hgc_rt_model *model,
                                              const char *path) {
  if (!model)
    return HGC_RT_INVALID_ARGUMENT;
  if (model->api->size <= offsetof(hgc_rt_model_api, load))
    return HGC_RT_UNSUPPORTED;
  return model->api->load(model, path);
}

/** Changes the number of threads (0: as at create). May allocate scratch.
 *  \return HGC_RT_OK, HGC_RT_INVALID_ARGUMENT, HGC_RT_BUSY,
 *          HGC_RT_OUT_OF_MEMORY (the old number stays). */
static inline hgc_rt_status hgc_rt_model_set_threads(hgc_rt_model *model,
                                                     int32_t num_threads) {
  if (!model)
    return HGC_RT_INVALID_ARGUMENT;
  return model->api->set_threads(model, num_threads);
}

/** Number of threads kernels are split for. */
static inline int32_t hgc_rt_model_get_threads(const hgc_rt_model *model) {
  return model ? model->api->get_threads(model) : 0;
}

/** The pool of this model, for the options of another one. Its library must
 *  stay loaded while the other model exists. */
static inline const hgc_rt_pool *hgc_rt_model_get_pool(hgc_rt_model *model) {
  return model ? model->api->get_pool(model) : NULL;
}

/** Where the instance runs: "cpu", "gpu" or "emulated"; the name of the
 *  processor or GPU; why it does not run on a GPU although the model has code
 *  for one ("" when it does, when it has none, or when the CPU was asked for).
 *  A library older than these functions runs on the CPU. */
static inline const char *hgc_rt_model_device(const hgc_rt_model *model) {
  if (!model || model->api->size <= offsetof(hgc_rt_model_api, device))
    return model ? "cpu" : NULL;
  return model->api->device(model);
}
static inline const char *hgc_rt_model_device_name(const hgc_rt_model *model) {
  if (!model || model->api->size <= offsetof(hgc_rt_model_api, device_name))
    return model ? "" : NULL;
  return model->api->device_name(model);
}
static inline const char *
hgc_rt_model_fallback_reason(const hgc_rt_model *model) {
  if (!model || model->api->size <= offsetof(hgc_rt_model_api, fallback_reason))
    return model ? "" : NULL;
  return model->api->fallback_reason(model);
}

/** For an output whose shape depends on the data: number of the output (i64,
 *  one element a dim) that a call fills with its actual shape. Its elements
 *  then are the first ones of its buffer, dense and row-major; the dims in
 *  entry_info are the largest ones, and what the buffer has room for. -1 for an
 *  output that always has the shape in entry_info. */
static inline int32_t hgc_rt_model_shape_output(const hgc_rt_model *model,
                                                int32_t entry, int32_t output) {
  if (!model || model->api->size <= offsetof(hgc_rt_model_api, shape_output))
    return -1;
  return model->api->shape_output(model, entry, output);
}

/** Where the plan that runs expects an argument (inputs first, then outputs):
 *  the number of a GPU, whose device pointer is then passed, or -1: host
 *  memory. In the CPU plan it is always host memory. */
static inline int32_t hgc_rt_model_argument_gpu(const hgc_rt_model *model,
                                                int32_t entry,
                                                int32_t argument) {
  if (!model || model->api->size <= offsetof(hgc_rt_model_api, argument_gpu))
    return -1;
  return model->api->argument_gpu(model, entry, argument);
}

/** HGC_RT_OK when an argument is expected on `gpu` (-1: the host), else
 *  HGC_RT_INVALID_ARGUMENT with a message that says where. */
static inline hgc_rt_status
hgc_rt_model_check_argument_gpu(const hgc_rt_model *model, int32_t entry,
                                int32_t argument, int32_t gpu) {
  if (!model)
    return HGC_RT_INVALID_ARGUMENT;
  if (model->api->size <= offsetof(hgc_rt_model_api, check_argument_gpu))
    return gpu < 0 ? HGC_RT_OK : HGC_RT_INVALID_ARGUMENT;
  return model->api->check_argument_gpu(model, entry, argument, gpu);
}

/** Memory of a GPU of the plan, for arguments that are resident there; any
 *  other device memory of that GPU's primary context will do as well. It is the
 *  caller's and must be freed before the instance is destroyed. `gpu` is what
 *  argument_gpu says.
 *  \return HGC_RT_OK, HGC_RT_INVALID_ARGUMENT, HGC_RT_NO_DEVICE (the CPU plan
 *          runs, or it has no such GPU), HGC_RT_OUT_OF_MEMORY, HGC_RT_BUSY,
 *          HGC_RT_FAILED_INSTANCE. */
static inline hgc_rt_status hgc_rt_model_device_alloc(hgc_rt_model *model,
                                                      int32_t gpu,
                                                      int64_t bytes,
                                                      void **out) {
  if (!model)
    return HGC_RT_INVALID_ARGUMENT;
  if (model->api->size <= offsetof(hgc_rt_model_api, device_alloc))
    return HGC_RT_UNSUPPORTED;
  return model->api->device_alloc(model, gpu, bytes, out);
}
static inline hgc_rt_status
hgc_rt_model_device_free(hgc_rt_model *model, int32_t gpu, void *memory) {
  if (!model)
    return HGC_RT_INVALID_ARGUMENT;
  if (model->api->size <= offsetof(hgc_rt_model_api, device_free))
    return HGC_RT_UNSUPPORTED;
  return model->api->device_free(model, gpu, memory);
}

/** Copies between device memory and the host and waits for it; statuses as
 *  device_alloc. */
static inline hgc_rt_status
hgc_rt_model_copy_to_device(hgc_rt_model *model, int32_t gpu, void *device,
                            const void *host, int64_t bytes) {
  if (!model)
    return HGC_RT_INVALID_ARGUMENT;
  if (model->api->size <= offsetof(hgc_rt_model_api, device_copy))
    return HGC_RT_UNSUPPORTED;
  return model->api->device_copy(model, gpu, device, (void *)host, bytes, 0);
}
static inline hgc_rt_status hgc_rt_model_copy_to_host(hgc_rt_model *model,
                                                      int32_t gpu, void *host,
                                                      const void *device,
                                                      int64_t bytes) {
  if (!model)
    return HGC_RT_INVALID_ARGUMENT;
  if (model->api->size <= offsetof(hgc_rt_model_api, device_copy))
    return HGC_RT_UNSUPPORTED;
  return model->api->device_copy(model, gpu, (void *)device, host, bytes, 1);
}

/** Size of an element in bytes; 0 for an unknown type. */
static inline int64_t hgc_rt_dtype_size(int32_t dtype) {
  switch (dtype) {
  case HGC_RT_BOOL:
  case HGC_RT_I8:
  case HGC_RT_U8:
    return 1;
  case HGC_RT_F16:
  case HGC_RT_BF16:
  case HGC_RT_I16:
  case HGC_RT_U16:
    return 2;
  case HGC_RT_F32:
  case HGC_RT_I32:
  case HGC_RT_U32:
    return 4;
  case HGC_RT_F64:
  case HGC_RT_I64:
  case HGC_RT_U64:
    return 8;
  default:
    return 0;
  }
}

#ifdef __cplusplus
}
#endif
#endif /* HGC_RT_H */
