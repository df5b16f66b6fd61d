/*===- hgc_rt_gpu_abi.h - GPU part of the generated code's contract ---------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A library with a GPU plan holds one hgc_rt_gpu_plan beside the CPU programs.
 * Its programs run on the host and put work on numbered streams of numbered
 * GPUs; a device pointer is a CUdeviceptr in a `void *`. Every function that
 * can fail returns a status the program returns at once.
 *===----------------------------------------------------------------------===*/
#ifndef HGC_RT_GPU_ABI_H
#define HGC_RT_GPU_ABI_H

#include "hgc_rt_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HGC_RT_HOST (-1) /**< In place of the number of a GPU. */

/** Bases of one GPU's memory, read by programs through hgc_rt_ctx.gpus. */
typedef struct hgc_rt_gpu_bases {
  uint64_t arena, weights, state;
} hgc_rt_gpu_bases;
HGC_RT_ASSERT_AT(hgc_rt_gpu_bases, arena, 0);
HGC_RT_ASSERT_AT(hgc_rt_gpu_bases, weights, 8);
HGC_RT_ASSERT_AT(hgc_rt_gpu_bases, state, 16);
HGC_RT_ASSERT_ABI(sizeof(hgc_rt_gpu_bases) == 24);

enum { HGC_RT_IMAGE_PTX = 1, HGC_RT_IMAGE_CUBIN = 2 };

/** The code of all kernels: PTX for `sm` and later, or a cubin for `sm`. */
typedef struct hgc_rt_gpu_image {
  const void *data; /**< PTX ends in a NUL, which `bytes` counts. */
  int64_t bytes;
  int32_t kind; /**< HGC_RT_IMAGE_* */
  int32_t sm;   /**< 80 means compute capability 8.0. */
} hgc_rt_gpu_image;
HGC_RT_ASSERT_AT(hgc_rt_gpu_image, data, 0);
HGC_RT_ASSERT_AT(hgc_rt_gpu_image, bytes, 8);
HGC_RT_ASSERT_AT(hgc_rt_gpu_image, kind, 16);
HGC_RT_ASSERT_AT(hgc_rt_gpu_image, sm, 20);
HGC_RT_ASSERT_ABI(sizeof(hgc_rt_gpu_image) == 24);

/** One launch of a kernel. Its function takes all buffers of the kernel
 *  (inputs, output, then the scratch memory if there is any). */
typedef struct hgc_rt_gpu_launch_desc {
  const char *function;
  uint32_t grid[3], block[3];
  uint32_t shared_bytes; /**< Dynamic shared memory. */
  int32_t slot;          /**< Of the function, in [0, plan.n_functions). */
} hgc_rt_gpu_launch_desc;
HGC_RT_ASSERT_AT(hgc_rt_gpu_launch_desc, function, 0);
HGC_RT_ASSERT_AT(hgc_rt_gpu_launch_desc, grid, 8);
HGC_RT_ASSERT_AT(hgc_rt_gpu_launch_desc, block, 20);
HGC_RT_ASSERT_AT(hgc_rt_gpu_launch_desc, shared_bytes, 32);
HGC_RT_ASSERT_AT(hgc_rt_gpu_launch_desc, slot, 36);
HGC_RT_ASSERT_ABI(sizeof(hgc_rt_gpu_launch_desc) == 40);

/** A product that cuBLAS may compute instead of the launches: row-major
 *  c[b] = op(a[b]) * op(b[b]); strides and leading dims in elements. */
typedef struct hgc_rt_gpu_gemm_desc {
  int64_t m, n, k, batch;
  int64_t lda, ldb, ldc;
  int64_t stride_a, stride_b, stride_c;
  int32_t type_a, type_b, type_c; /**< hgc_rt_dtype */
  int32_t transpose_a, transpose_b;
  int32_t arg_a, arg_b, arg_c; /**< Buffers of the kernel. */
  int32_t allow_tf32;          /**< f32 operands may be rounded. */
  int32_t reserved;
} hgc_rt_gpu_gemm_desc;
HGC_RT_ASSERT_AT(hgc_rt_gpu_gemm_desc, m, 0);
HGC_RT_ASSERT_AT(hgc_rt_gpu_gemm_desc, lda, 32);
HGC_RT_ASSERT_AT(hgc_rt_gpu_gemm_desc, stride_a, 56);
HGC_RT_ASSERT_AT(hgc_rt_gpu_gemm_desc, type_a, 80);
HGC_RT_ASSERT_AT(hgc_rt_gpu_gemm_desc, transpose_a, 92);
HGC_RT_ASSERT_AT(hgc_rt_gpu_gemm_desc, arg_a, 100);
HGC_RT_ASSERT_AT(hgc_rt_gpu_gemm_desc, allow_tf32, 112);
HGC_RT_ASSERT_ABI(sizeof(hgc_rt_gpu_gemm_desc) == 120);

/** A kernel, as hgc_rt_gpu_launch takes it. Texts may not be NULL. */
typedef struct hgc_rt_gpu_kernel_desc {
  const char *name, *ops, *location; /**< As in hgc_rt_kernel_desc. */
  const hgc_rt_gpu_launch_desc *launches;
  const hgc_rt_gpu_gemm_desc *gemm; /**< NULL: never a library's work. */
  int32_t n_launches;
  int32_t reserved;
  int64_t scratch_bytes; /**< > 0 reserves the last argument. */
  int64_t flops;
  int64_t bytes;
} hgc_rt_gpu_kernel_desc;
HGC_RT_ASSERT_AT(hgc_rt_gpu_kernel_desc, name, 0);
HGC_RT_ASSERT_AT(hgc_rt_gpu_kernel_desc, launches, 24);
HGC_RT_ASSERT_AT(hgc_rt_gpu_kernel_desc, gemm, 32);
HGC_RT_ASSERT_AT(hgc_rt_gpu_kernel_desc, n_launches, 40);
HGC_RT_ASSERT_AT(hgc_rt_gpu_kernel_desc, scratch_bytes, 48);
HGC_RT_ASSERT_AT(hgc_rt_gpu_kernel_desc, flops, 56);
HGC_RT_ASSERT_AT(hgc_rt_gpu_kernel_desc, bytes, 64);
HGC_RT_ASSERT_ABI(sizeof(hgc_rt_gpu_kernel_desc) == 72);

/** Memory the plan needs on one GPU, as it is allocated. Scratch and workspace
 *  are per stream that kernels are launched on. */
typedef struct hgc_rt_gpu_device_desc {
  int64_t arena_bytes, weights_bytes, state_bytes;
  int64_t scratch_bytes;   /**< A multiple of 256. */
  int64_t workspace_bytes; /**< Of cuBLAS; 0: own kernels do all products. */
  const int64_t *guarded_sizes; /**< --arena=separate, as in the model. */
  int64_t n_guarded;
} hgc_rt_gpu_device_desc;
HGC_RT_ASSERT_AT(hgc_rt_gpu_device_desc, arena_bytes, 0);
HGC_RT_ASSERT_AT(hgc_rt_gpu_device_desc, workspace_bytes, 32);
HGC_RT_ASSERT_AT(hgc_rt_gpu_device_desc, guarded_sizes, 40);
HGC_RT_ASSERT_AT(hgc_rt_gpu_device_desc, n_guarded, 48);
HGC_RT_ASSERT_ABI(sizeof(hgc_rt_gpu_device_desc) == 56);

/** Home of a mutable parameter in the GPU plan. */
typedef struct hgc_rt_gpu_param_desc {
  int32_t param;  /**< Index into hgc_rt_model_desc.params. */
  int32_t device; /**< GPU whose state holds it. */
  int64_t offset; /**< Into that state. */
} hgc_rt_gpu_param_desc;
HGC_RT_ASSERT_AT(hgc_rt_gpu_param_desc, param, 0);
HGC_RT_ASSERT_AT(hgc_rt_gpu_param_desc, device, 4);
HGC_RT_ASSERT_AT(hgc_rt_gpu_param_desc, offset, 8);
HGC_RT_ASSERT_ABI(sizeof(hgc_rt_gpu_param_desc) == 16);

/** An argument that callers of the GPU plan pass as memory of a GPU. */
typedef struct hgc_rt_gpu_resident_desc {
  int32_t entry, argument, gpu; /**< Inputs first, then outputs. */
} hgc_rt_gpu_resident_desc;
HGC_RT_ASSERT_ABI(sizeof(hgc_rt_gpu_resident_desc) == 12);

/** Everything a library knows of GPUs. */
typedef struct hgc_rt_gpu_plan {
  const hgc_rt_gpu_image *images;
  const hgc_rt_gpu_device_desc *devices;
  const hgc_rt_gpu_param_desc *params; /**< Of parameters kept on a GPU. */
  /** Fills the weights of all GPUs, once, at create; NULL: nothing to do. */
  hgc_rt_program_fn load;
  int32_t n_images, n_devices, n_params;
  int32_t n_functions;
  int32_t n_streams; /**< Per GPU. */
  int32_t n_events;  /**< Per GPU. */
  int32_t min_sm;    /**< Oldest GPU the code runs on. */
  int32_t uses_cublas;
  int32_t n_launch_streams; /**< Kernels run on the first ones of each GPU. */
  int32_t is_limited;       /**< Nothing may be allocated beyond the above. */
  const hgc_rt_gpu_resident_desc *residents;
  int32_t n_residents;
  int32_t is_idle; /**< Every op of the GPU plan is on the CPU. */
} hgc_rt_gpu_plan;
HGC_RT_ASSERT_AT(hgc_rt_gpu_plan, images, 0);
HGC_RT_ASSERT_AT(hgc_rt_gpu_plan, devices, 8);
HGC_RT_ASSERT_AT(hgc_rt_gpu_plan, params, 16);
HGC_RT_ASSERT_AT(hgc_rt_gpu_plan, load, 24);
HGC_RT_ASSERT_AT(hgc_rt_gpu_plan, n_images, 32);
HGC_RT_ASSERT_AT(hgc_rt_gpu_plan, n_functions, 44);
HGC_RT_ASSERT_AT(hgc_rt_gpu_plan, n_streams, 48);
HGC_RT_ASSERT_AT(hgc_rt_gpu_plan, n_events, 52);
HGC_RT_ASSERT_AT(hgc_rt_gpu_plan, min_sm, 56);
HGC_RT_ASSERT_AT(hgc_rt_gpu_plan, uses_cublas, 60);
HGC_RT_ASSERT_AT(hgc_rt_gpu_plan, n_launch_streams, 64);
HGC_RT_ASSERT_AT(hgc_rt_gpu_plan, residents, 72);
HGC_RT_ASSERT_AT(hgc_rt_gpu_plan, is_idle, 84);
HGC_RT_ASSERT_ABI(sizeof(hgc_rt_gpu_plan) == 88);

/*--- Called by programs ----------------------------------------------------*/

/** Runs a kernel on a stream. `nargs` counts all of `args`; with
 *  scratch_bytes > 0 the last one is a free slot. */
hgc_rt_status hgc_rt_gpu_launch(hgc_rt_ctx *ctx, int32_t gpu, int32_t stream,
                                const hgc_rt_gpu_kernel_desc *kernel,
                                void **args, int64_t nargs);

/** Copies on a stream of `gpu`. `dst_gpu`, `src_gpu` are GPUs or HGC_RT_HOST;
 *  host memory may be written (read) until the stream is synchronised. */
hgc_rt_status hgc_rt_gpu_copy(hgc_rt_ctx *ctx, int32_t gpu, int32_t stream,
                              void *dst, int32_t dst_gpu, const void *src,
                              int32_t src_gpu, int64_t bytes);

/** Writes `count` copies of the `elem_size` bytes at `pattern`. */
hgc_rt_status hgc_rt_gpu_fill(hgc_rt_ctx *ctx, int32_t gpu, int32_t stream,
                              void *dst, const void *pattern, int64_t elem_size,
                              int64_t count);

/** Marks a point of a stream; lets a stream wait for such a mark, which may
 *  belong to another GPU; lets the host wait for a stream. */
hgc_rt_status hgc_rt_gpu_record(hgc_rt_ctx *ctx, int32_t gpu, int32_t stream,
                                int32_t event);
hgc_rt_status hgc_rt_gpu_wait(hgc_rt_ctx *ctx, int32_t gpu, int32_t stream,
                              int32_t event_gpu, int32_t event);
hgc_rt_status hgc_rt_gpu_sync(hgc_rt_ctx *ctx, int32_t gpu, int32_t stream);

/** Buffer `index` of --arena=separate on a GPU; NULL after a failure. */
void *hgc_rt_gpu_guarded(hgc_rt_ctx *ctx, int32_t gpu, int64_t index);

#ifdef __cplusplus
}
#endif
#endif /* HGC_RT_GPU_ABI_H */
