/*===- hgc_rt_abi.h - contract between generated code and the runtime -------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Code generation lays these structs out as constants of the model library and
 * calls the functions below; both sides include this file, so a change that
 * moves a field fails to compile in both. Pointers are 8 bytes, no bit-fields,
 * padding is spelled out. Not for users: see hgc_rt.h.
 *===----------------------------------------------------------------------===*/
#ifndef HGC_RT_ABI_H
#define HGC_RT_ABI_H

#include "hgc_rt.h"

#ifdef __cplusplus
#define HGC_RT_ASSERT_ABI(cond) static_assert(cond, #cond)
extern "C" {
#else
#define HGC_RT_ASSERT_ABI(cond) _Static_assert(cond, #cond)
#endif
#define HGC_RT_ASSERT_AT(type, field, offset)                                  \
  HGC_RT_ASSERT_ABI(offsetof(type, field) == (offset))

#define HGC_RT_ABI_VERSION 3u
#define HGC_RT_MAX_KERNEL_ARGS                                                 \
  64 /**< Beyond it a scratch kernel runs serially. */

/** Bits of hgc_rt_model_desc.cpu_features. Never renumbered. */
enum {
  HGC_RT_CPU_SSE3 = 0,
  HGC_RT_CPU_SSSE3 = 1,
  HGC_RT_CPU_SSE41 = 2,
  HGC_RT_CPU_SSE42 = 3,
  HGC_RT_CPU_POPCNT = 4,
  HGC_RT_CPU_CX16 = 5,
  HGC_RT_CPU_AVX = 6,
  HGC_RT_CPU_AVX2 = 7,
  HGC_RT_CPU_FMA = 8,
  HGC_RT_CPU_F16C = 9,
  HGC_RT_CPU_BMI1 = 10,
  HGC_RT_CPU_BMI2 = 11,
  HGC_RT_CPU_LZCNT = 12,
  HGC_RT_CPU_MOVBE = 13,
  HGC_RT_CPU_AVX512F = 14,
  HGC_RT_CPU_AVX512BW = 15,
  HGC_RT_CPU_AVX512CD = 16,
  HGC_RT_CPU_AVX512DQ = 17,
  HGC_RT_CPU_AVX512VL = 18,
  HGC_RT_CPU_AVX512VNNI = 19,
  HGC_RT_CPU_AVX512BF16 = 20,
  HGC_RT_CPU_AVX512FP16 = 21,
  HGC_RT_CPU_AVXVNNI = 22,
  HGC_RT_CPU_AMX_TILE = 23,
  HGC_RT_CPU_AMX_INT8 = 24,
  HGC_RT_CPU_AMX_BF16 = 25,
  HGC_RT_CPU_AVX512VBMI = 26,
  HGC_RT_CPU_AVX512IFMA = 27,
  HGC_RT_CPU_NEON = 40,
  HGC_RT_CPU_FP16 = 41,
  HGC_RT_CPU_DOTPROD = 42,
  HGC_RT_CPU_BF16 = 43,
  HGC_RT_CPU_I8MM = 44,
  HGC_RT_CPU_SVE = 45,
  HGC_RT_CPU_SVE2 = 46,
  HGC_RT_CPU_LSE = 47
};

struct hgc_rt_gpu_bases;
struct hgc_rt_gpu_plan;

/** State of a call, as generated code reads it. */
typedef struct hgc_rt_ctx {
  void *arena;            /**< 64-byte aligned; a page when large. */
  const uint8_t *weights; /**< Base of the immutable blob. */
  uint8_t *state;         /**< Base of the mutable parameters. */
  int64_t *extents;       /**< Actual extents of bounded dims, by slot. */
  const struct hgc_rt_gpu_bases *gpus; /**< By number; see hgc_rt_gpu_abi.h. */
} hgc_rt_ctx;
HGC_RT_ASSERT_AT(hgc_rt_ctx, arena, 0);
HGC_RT_ASSERT_AT(hgc_rt_ctx, weights, 8);
HGC_RT_ASSERT_AT(hgc_rt_ctx, state, 16);
HGC_RT_ASSERT_AT(hgc_rt_ctx, extents, 24);
HGC_RT_ASSERT_AT(hgc_rt_ctx, gpus, 32);

/** Runs units [begin, end) of a kernel. */
typedef void (*hgc_rt_kernel_fn)(void **args, int64_t begin, int64_t end);
/** Runs one variant of an entry; args are its inputs, then its outputs. */
typedef hgc_rt_status (*hgc_rt_program_fn)(hgc_rt_ctx *ctx, void **args);

/** A kernel, as hgc_rt_launch takes it. Texts may not be NULL. */
typedef struct hgc_rt_kernel_desc {
  const char *name;
  const char *ops;      /**< Graph operations inside, for people. */
  const char *location; /**< `file:line:col` of the root, or "". */
  hgc_rt_kernel_fn fn;
  int64_t units;         /**< Iterations that may be split; >= 0. */
  int64_t grain;         /**< Fewest units worth a thread; >= 1. */
  int64_t scratch_bytes; /**< Per range; > 0 reserves the last argument. */
  int64_t flops;
  int64_t bytes;
  int64_t output_count; /**< Elements of what it writes; 0: not known. */
  int32_t output_arg;   /**< Argument it writes to. */
  int32_t output_dtype; /**< hgc_rt_dtype */
  /** NULL, or combines partial results once all ranges are done, in one range
   *  [0, 1). All ranges then share the scratch memory they leave them in. */
  hgc_rt_kernel_fn finish;
} hgc_rt_kernel_desc;
HGC_RT_ASSERT_AT(hgc_rt_kernel_desc, name, 0);
HGC_RT_ASSERT_AT(hgc_rt_kernel_desc, ops, 8);
HGC_RT_ASSERT_AT(hgc_rt_kernel_desc, location, 16);
HGC_RT_ASSERT_AT(hgc_rt_kernel_desc, fn, 24);
HGC_RT_ASSERT_AT(hgc_rt_kernel_desc, units, 32);
HGC_RT_ASSERT_AT(hgc_rt_kernel_desc, grain, 40);
HGC_RT_ASSERT_AT(hgc_rt_kernel_desc, scratch_bytes, 48);
HGC_RT_ASSERT_AT(hgc_rt_kernel_desc, flops, 56);
HGC_RT_ASSERT_AT(hgc_rt_kernel_desc, bytes, 64);
HGC_RT_ASSERT_AT(hgc_rt_kernel_desc, output_count, 72);
HGC_RT_ASSERT_AT(hgc_rt_kernel_desc, output_arg, 80);
HGC_RT_ASSERT_AT(hgc_rt_kernel_desc, output_dtype, 84);
HGC_RT_ASSERT_AT(hgc_rt_kernel_desc, finish, 88);
HGC_RT_ASSERT_ABI(sizeof(hgc_rt_kernel_desc) == 96);

/** dims <= this value minus k name extent slot k of a bounded dim (reserved).
 */
#define HGC_RT_DIM_EXTENT (-1000)

HGC_RT_ASSERT_AT(hgc_rt_tensor_info, name, 0);
HGC_RT_ASSERT_AT(hgc_rt_tensor_info, dims, 8);
HGC_RT_ASSERT_AT(hgc_rt_tensor_info, dtype, 16);
HGC_RT_ASSERT_AT(hgc_rt_tensor_info, rank, 20);
HGC_RT_ASSERT_ABI(sizeof(hgc_rt_tensor_info) == 24);

/** One compiled combination of symbolic dims. */
typedef struct hgc_rt_variant_desc {
  hgc_rt_program_fn program;
  int64_t arena_bytes;
  hgc_rt_program_fn gpu_program; /**< NULL in a library without a GPU plan. */
} hgc_rt_variant_desc;
HGC_RT_ASSERT_AT(hgc_rt_variant_desc, program, 0);
HGC_RT_ASSERT_AT(hgc_rt_variant_desc, arena_bytes, 8);
HGC_RT_ASSERT_AT(hgc_rt_variant_desc, gpu_program, 16);
HGC_RT_ASSERT_ABI(sizeof(hgc_rt_variant_desc) == 24);

/** An entry: its public description, then its programs. Without symbolic dims
 *  n_dims is 0, n_variants 1, and dim_names and variant_dims may be NULL. */
typedef struct hgc_rt_entry_desc {
  hgc_rt_entry_info info;
  const hgc_rt_variant_desc *variants; /**< [n_variants] */
  /** [n_outputs]: the output that gets the actual shape of an output whose
   *  dims are the largest extents, else -1; NULL when there is none. */
  const int64_t *shape_outputs;
} hgc_rt_entry_desc;
HGC_RT_ASSERT_AT(hgc_rt_entry_desc, info.name, 0);
HGC_RT_ASSERT_AT(hgc_rt_entry_desc, info.n_dims, 8);
HGC_RT_ASSERT_AT(hgc_rt_entry_desc, info.n_inputs, 12);
HGC_RT_ASSERT_AT(hgc_rt_entry_desc, info.n_outputs, 16);
HGC_RT_ASSERT_AT(hgc_rt_entry_desc, info.n_variants, 20);
HGC_RT_ASSERT_AT(hgc_rt_entry_desc, info.dim_names, 24);
HGC_RT_ASSERT_AT(hgc_rt_entry_desc, info.inputs, 32);
HGC_RT_ASSERT_AT(hgc_rt_entry_desc, info.outputs, 40);
HGC_RT_ASSERT_AT(hgc_rt_entry_desc, info.variant_dims, 48);
HGC_RT_ASSERT_AT(hgc_rt_entry_desc, variants, 56);
HGC_RT_ASSERT_AT(hgc_rt_entry_desc, shape_outputs, 64);
HGC_RT_ASSERT_ABI(sizeof(hgc_rt_entry_desc) == 72);

/** A parameter. `offset` is into the state when mutable, else into the weights
 *  (canonical copy; unused when HGC_RT_PARAM_PACKED). */
typedef struct hgc_rt_param_desc {
  hgc_rt_param_info info;
  int64_t offset;
  int64_t init_offset; /**< Initial value in the weights; -1: zeros. */
} hgc_rt_param_desc;
HGC_RT_ASSERT_AT(hgc_rt_param_desc, info.tensor, 0);
HGC_RT_ASSERT_AT(hgc_rt_param_desc, info.flags, 24);
HGC_RT_ASSERT_AT(hgc_rt_param_desc, info.reserved, 28);
HGC_RT_ASSERT_AT(hgc_rt_param_desc, info.bytes, 32);
HGC_RT_ASSERT_AT(hgc_rt_param_desc, offset, 40);
HGC_RT_ASSERT_AT(hgc_rt_param_desc, init_offset, 48);
HGC_RT_ASSERT_ABI(sizeof(hgc_rt_param_desc) == 56);

/** A model. One constant per library. */
typedef struct hgc_rt_model_desc {
  uint32_t size;    /**< sizeof(hgc_rt_model_desc) */
  uint32_t version; /**< HGC_RT_ABI_VERSION */
  const char *name;
  const char *hgc_version;
  const char *target_cpu;
  uint64_t cpu_features; /**< 1 << HGC_RT_CPU_* of all that the code uses. */
  const hgc_rt_entry_desc *entries;
  const hgc_rt_param_desc *params;
  int32_t n_entries;
  int32_t n_params;
  int64_t arena_bytes;   /**< Maximum over all variants. */
  int64_t scratch_bytes; /**< Per thread: maximum over all kernels. */
  int64_t state_bytes;
  int64_t weights_bytes;
  const uint8_t *weights;       /**< Embedded blob, or NULL when external. */
  const char *weights_file;     /**< Bare file name, or NULL when embedded. */
  int64_t weights_file_size;    /**< Exact size of that file. */
  int64_t weights_offset;       /**< Of the blob in it; a multiple of 64. */
  uint64_t weights_hash;        /**< hgc_rt_hash64 of the blob. */
  uint64_t weights_header_hash; /**< hgc_rt_hash64 of bytes [0, offset). */
  const int64_t *guarded_sizes; /**< --arena=separate: payload per buffer. */
  int32_t n_guarded;
  uint32_t flags; /**< 0 */
  int64_t n_extents;
  const char *extra_json; /**< An object for describe_json's "compiler", or
                               NULL. */
  int32_t num_threads;    /**< Default; 0: all cores. */
  int32_t reserved;
  const struct hgc_rt_gpu_plan *gpu; /**< NULL: code for the CPU alone. */
} hgc_rt_model_desc;
HGC_RT_ASSERT_AT(hgc_rt_model_desc, size, 0);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, version, 4);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, name, 8);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, hgc_version, 16);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, target_cpu, 24);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, cpu_features, 32);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, entries, 40);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, params, 48);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, n_entries, 56);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, n_params, 60);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, arena_bytes, 64);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, scratch_bytes, 72);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, state_bytes, 80);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, weights_bytes, 88);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, weights, 96);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, weights_file, 104);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, weights_file_size, 112);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, weights_offset, 120);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, weights_hash, 128);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, weights_header_hash, 136);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, guarded_sizes, 144);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, n_guarded, 152);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, flags, 156);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, n_extents, 160);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, extra_json, 168);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, num_threads, 176);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, reserved, 180);
HGC_RT_ASSERT_AT(hgc_rt_model_desc, gpu, 184);
HGC_RT_ASSERT_ABI(sizeof(hgc_rt_model_desc) == 192);

/* The struct `hgc_model_v1()` returns: `create`, `describe_json`, `last_error`
 * are hgc_rt_export_create, hgc_rt_export_describe, hgc_rt_last_error. */
HGC_RT_ASSERT_AT(hgc_rt_model_export, size, 0);
HGC_RT_ASSERT_AT(hgc_rt_model_export, version, 4);
HGC_RT_ASSERT_AT(hgc_rt_model_export, name, 8);
HGC_RT_ASSERT_AT(hgc_rt_model_export, desc, 16);
HGC_RT_ASSERT_AT(hgc_rt_model_export, create, 24);
HGC_RT_ASSERT_AT(hgc_rt_model_export, describe_json, 32);
HGC_RT_ASSERT_AT(hgc_rt_model_export, last_error, 40);
HGC_RT_ASSERT_ABI(sizeof(hgc_rt_model_export) == 48);
HGC_RT_ASSERT_ABI(sizeof(hgc_rt_status) == 4);

/*--- Called by programs ----------------------------------------------------*/

/** Runs a kernel: [0, units) is cut into min(threads, ceil(units / grain))
 *  ranges of near-equal length. `nargs` counts all of `args`; with
 *  scratch_bytes > 0 the last one is a free slot that receives the scratch
 *  memory of the range (64-byte aligned), or of all ranges with `finish`.
 *  Returns when all ranges are done and combined. */
void hgc_rt_launch(hgc_rt_ctx *ctx, const hgc_rt_kernel_desc *kernel,
                   void **args, int64_t nargs);

/** hgc_rt_launch in iteration `turn` of a loop: in odd ones, each range runs its
 *  units one by one and back to front. It begins with what the iteration before
 *  has read last, which is still in the caches. */
void hgc_rt_launch_turn(hgc_rt_ctx *ctx, const hgc_rt_kernel_desc *kernel,
                        void **args, int64_t nargs, int64_t turn);

/** One launch of hgc_rt_parallel. */
typedef struct hgc_rt_parallel_launch {
  const hgc_rt_kernel_desc *kernel;
  void **args;
  int64_t nargs;    /**< As for hgc_rt_launch. */
  int64_t branch;   /**< Launches of one branch run in order. */
  int64_t begin_ns; /**< Set by the runtime, for timings. */
  int64_t end_ns;
} hgc_rt_parallel_launch;
HGC_RT_ASSERT_AT(hgc_rt_parallel_launch, kernel, 0);
HGC_RT_ASSERT_AT(hgc_rt_parallel_launch, args, 8);
HGC_RT_ASSERT_AT(hgc_rt_parallel_launch, nargs, 16);
HGC_RT_ASSERT_AT(hgc_rt_parallel_launch, branch, 24);
HGC_RT_ASSERT_ABI(sizeof(hgc_rt_parallel_launch) == 48);

/** Runs kernels side by side: branches 0 to `branches` - 1 on as many threads
 * as the instance has, each kernel as one range. Returns when all are done. */
void hgc_rt_parallel(hgc_rt_ctx *ctx, hgc_rt_parallel_launch *launches,
                     int64_t count, int64_t branches);

/** Copies between buffers that do not overlap partially (equal is allowed). */
void hgc_rt_copy(hgc_rt_ctx *ctx, void *dst, const void *src, int64_t bytes);

/** Writes `count` copies of the `elem_size` bytes at `pattern`. */
void hgc_rt_fill(hgc_rt_ctx *ctx, void *dst, const void *pattern,
                 int64_t elem_size, int64_t count);

/** Records `message` (which may end in "\nhint: ...") and returns `code`, for
 *  the program to return. */
hgc_rt_status hgc_rt_fail(hgc_rt_ctx *ctx, int32_t code, const char *message);

/** Buffer `index` of --arena=separate: 16-byte aligned, between guard pages,
 *  full of 0xCB bytes at the start of every call. */
void *hgc_rt_guarded(hgc_rt_ctx *ctx, int64_t index);

/*--- Called by the typed functions of a library ----------------------------*/

hgc_rt_status hgc_rt_create(const hgc_rt_model_desc *desc,
                            const hgc_rt_options *options, void **out);
void hgc_rt_destroy(void *model);
/** `dims` are the entry's symbolic dims (NULL if none); `args` its inputs, then
 *  its outputs. Statuses as hgc_rt_model_call. */
hgc_rt_status hgc_rt_call(void *model, int32_t entry, const int64_t *dims,
                          void **args);
hgc_rt_status hgc_rt_start(void *model, int32_t entry, const int64_t *dims,
                           void **args, hgc_rt_ticket *ticket);
hgc_rt_status hgc_rt_wait(void *model, hgc_rt_ticket ticket);
const char *hgc_rt_last_error(void);
/** As hgc_rt_model_save and hgc_rt_model_load. */
hgc_rt_status hgc_rt_save(void *model, const char *path);
hgc_rt_status hgc_rt_load(void *model, const char *path);

/*--- For the constant behind hgc_model_v1() --------------------------------*/

hgc_rt_status hgc_rt_export_create(const hgc_rt_model_export *self,
                                   const hgc_rt_options *options,
                                   hgc_rt_model **out);
int64_t hgc_rt_export_describe(const hgc_rt_model_export *self, char *buffer,
                               int64_t capacity);

#ifdef __cplusplus
}
#endif
#endif /* HGC_RT_ABI_H */
