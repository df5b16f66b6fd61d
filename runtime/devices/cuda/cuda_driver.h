/*===- cuda_driver.h - what we use of the CUDA driver API -------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Own declarations: neither the runtime nor hgc needs a CUDA toolkit to build.
 * unittests/runtime compares them with cuda.h where that is installed. Names
 * carry a prefix so that both can be seen by one file. The emulator implements
 * exactly this list.
 *===----------------------------------------------------------------------===*/
#ifndef HGC_RT_CUDA_DRIVER_H
#define HGC_RT_CUDA_DRIVER_H

#include <stddef.h>
#include <stdint.h>

/* Handles are pointers, as in cuda.h. */
typedef int hgc_cu_result;
typedef int hgc_cu_device;
typedef uint64_t hgc_cu_ptr;
typedef struct hgc_cu_context_st *hgc_cu_context;
typedef struct hgc_cu_module_st *hgc_cu_module;
typedef struct hgc_cu_function_st *hgc_cu_function;
typedef struct hgc_cu_stream_st *hgc_cu_stream;
typedef struct hgc_cu_event_st *hgc_cu_event;

/* CUresult. Beyond 700 the context is lost unless said otherwise. */
enum {
  HGC_CU_SUCCESS = 0,
  HGC_CU_ERROR_INVALID_VALUE = 1,
  HGC_CU_ERROR_OUT_OF_MEMORY = 2,
  HGC_CU_ERROR_NOT_INITIALIZED = 3,
  HGC_CU_ERROR_DEINITIALIZED = 4,
  HGC_CU_ERROR_STUB_LIBRARY = 34,
  HGC_CU_ERROR_DEVICE_UNAVAILABLE = 46,
  HGC_CU_ERROR_NO_DEVICE = 100,
  HGC_CU_ERROR_INVALID_DEVICE = 101,
  HGC_CU_ERROR_INVALID_IMAGE = 200,
  HGC_CU_ERROR_INVALID_CONTEXT = 201,
  HGC_CU_ERROR_NO_BINARY_FOR_GPU = 209,
  HGC_CU_ERROR_ECC_UNCORRECTABLE = 214,
  HGC_CU_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
  HGC_CU_ERROR_INVALID_PTX = 218,
  HGC_CU_ERROR_JIT_COMPILER_NOT_FOUND = 221,
  HGC_CU_ERROR_UNSUPPORTED_PTX_VERSION = 222,
  HGC_CU_ERROR_JIT_COMPILATION_DISABLED = 223,
  HGC_CU_ERROR_INVALID_SOURCE = 300,
  HGC_CU_ERROR_OPERATING_SYSTEM = 304,
  HGC_CU_ERROR_INVALID_HANDLE = 400,
  HGC_CU_ERROR_NOT_FOUND = 500,
  HGC_CU_ERROR_NOT_READY = 600, /* no error: ask again */
  HGC_CU_ERROR_ILLEGAL_ADDRESS = 700,
  HGC_CU_ERROR_LAUNCH_OUT_OF_RESOURCES = 701, /* context survives */
  HGC_CU_ERROR_LAUNCH_TIMEOUT = 702,
  HGC_CU_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704, /* context survives */
  HGC_CU_ERROR_PEER_ACCESS_NOT_ENABLED = 705,     /* context survives */
  HGC_CU_ERROR_CONTEXT_IS_DESTROYED = 709,
  HGC_CU_ERROR_ASSERT = 710,
  HGC_CU_ERROR_TOO_MANY_PEERS = 711, /* context survives */
  HGC_CU_ERROR_HARDWARE_STACK_ERROR = 714,
  HGC_CU_ERROR_ILLEGAL_INSTRUCTION = 715,
  HGC_CU_ERROR_MISALIGNED_ADDRESS = 716,
  HGC_CU_ERROR_INVALID_ADDRESS_SPACE = 717,
  HGC_CU_ERROR_INVALID_PC = 718,
  HGC_CU_ERROR_LAUNCH_FAILED = 719,
  HGC_CU_ERROR_NOT_PERMITTED = 800,
  HGC_CU_ERROR_NOT_SUPPORTED = 801,
  HGC_CU_ERROR_SYSTEM_NOT_READY = 802,
  HGC_CU_ERROR_SYSTEM_DRIVER_MISMATCH = 803,
  HGC_CU_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804,
  HGC_CU_ERROR_UNKNOWN = 999
};

/* CUdevice_attribute */
enum {
  HGC_CU_DEVICE_MAX_THREADS_PER_BLOCK = 1,
  HGC_CU_DEVICE_WARP_SIZE = 10,
  HGC_CU_DEVICE_MULTIPROCESSOR_COUNT = 16,
  HGC_CU_DEVICE_COMPUTE_MODE = 20,
  HGC_CU_DEVICE_UNIFIED_ADDRESSING = 41,
  HGC_CU_DEVICE_COMPUTE_CAPABILITY_MAJOR = 75,
  HGC_CU_DEVICE_COMPUTE_CAPABILITY_MINOR = 76,
  HGC_CU_DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97
};

/* CUcomputemode, CUstream_flags, CUevent_flags, CUfunction_attribute,
 * CUjit_option, CUpointer_attribute, CUmemorytype */
enum {
  HGC_CU_COMPUTEMODE_PROHIBITED = 2,
  HGC_CU_STREAM_DEFAULT = 0,
  HGC_CU_STREAM_NON_BLOCKING = 1,
  HGC_CU_EVENT_DEFAULT = 0,
  HGC_CU_EVENT_DISABLE_TIMING = 2,
  HGC_CU_FUNC_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
  HGC_CU_JIT_ERROR_LOG_BUFFER = 5,
  HGC_CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
  HGC_CU_POINTER_MEMORY_TYPE = 2,
  HGC_CU_POINTER_IS_MANAGED = 8,
  HGC_CU_POINTER_DEVICE_ORDINAL = 9,
  HGC_CU_MEMORYTYPE_HOST = 1
};

/* X(exported symbol, arguments): functions the runtime cannot do without. */
#define HGC_CU_FUNCTIONS(X)                                                    \
  X(cuInit, (unsigned flags))                                                  \
  X(cuDriverGetVersion, (int *version))                                        \
  X(cuGetErrorName, (hgc_cu_result error, const char **text))                  \
  X(cuGetErrorString, (hgc_cu_result error, const char **text))                \
  X(cuDeviceGetCount, (int *count))                                            \
  X(cuDeviceGet, (hgc_cu_device * device, int ordinal))                        \
  X(cuDeviceGetName, (char *name, int capacity, hgc_cu_device device))         \
  X(cuDeviceTotalMem_v2, (size_t * bytes, hgc_cu_device device))               \
  X(cuDeviceGetAttribute, (int *value, int attribute, hgc_cu_device device))   \
  X(cuDeviceCanAccessPeer,                                                     \
    (int *can, hgc_cu_device device, hgc_cu_device peer))                      \
  X(cuDevicePrimaryCtxRetain, (hgc_cu_context * ctx, hgc_cu_device device))    \
  X(cuDevicePrimaryCtxRelease_v2, (hgc_cu_device device))                      \
  X(cuCtxPushCurrent_v2, (hgc_cu_context ctx))                                 \
  X(cuCtxPopCurrent_v2, (hgc_cu_context * ctx))                                \
  X(cuCtxSynchronize, (void))                                                  \
  X(cuCtxEnablePeerAccess, (hgc_cu_context peer, unsigned flags))              \
  X(cuMemGetInfo_v2, (size_t * free_bytes, size_t * total))                    \
  X(cuMemAlloc_v2, (hgc_cu_ptr * ptr, size_t bytes))                           \
  X(cuMemFree_v2, (hgc_cu_ptr ptr))                                            \
  X(cuMemHostAlloc, (void **ptr, size_t bytes, unsigned flags))                \
  X(cuMemFreeHost, (void *ptr))                                                \
  X(cuMemcpyHtoDAsync_v2,                                                      \
    (hgc_cu_ptr dst, const void *src, size_t bytes, hgc_cu_stream stream))     \
  X(cuMemcpyDtoHAsync_v2,                                                      \
    (void *dst, hgc_cu_ptr src, size_t bytes, hgc_cu_stream stream))           \
  X(cuMemcpyDtoDAsync_v2,                                                      \
    (hgc_cu_ptr dst, hgc_cu_ptr src, size_t bytes, hgc_cu_stream stream))      \
  X(cuMemcpyPeerAsync,                                                         \
    (hgc_cu_ptr dst, hgc_cu_context dst_ctx, hgc_cu_ptr src,                   \
     hgc_cu_context src_ctx, size_t bytes, hgc_cu_stream stream))              \
  X(cuMemsetD8Async,                                                           \
    (hgc_cu_ptr dst, unsigned char value, size_t count, hgc_cu_stream stream)) \
  X(cuMemsetD16Async, (hgc_cu_ptr dst, unsigned short value, size_t count,     \
                       hgc_cu_stream stream))                                  \
  X(cuMemsetD32Async,                                                          \
    (hgc_cu_ptr dst, unsigned value, size_t count, hgc_cu_stream stream))      \
  X(cuModuleLoadDataEx, (hgc_cu_module * module, const void *image,            \
                         unsigned n_options, int *options, void **values))     \
  X(cuModuleUnload, (hgc_cu_module module))                                    \
  X(cuModuleGetFunction,                                                       \
    (hgc_cu_function * function, hgc_cu_module module, const char *name))      \
  X(cuFuncSetAttribute, (hgc_cu_function function, int attribute, int value))  \
  X(cuLaunchKernel,                                                            \
    (hgc_cu_function function, unsigned grid_x, unsigned grid_y,               \
     unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,    \
     unsigned shared_bytes, hgc_cu_stream stream, void **params,               \
     void **extra))                                                            \
  X(cuStreamCreate, (hgc_cu_stream * stream, unsigned flags))                  \
  X(cuStreamDestroy_v2, (hgc_cu_stream stream))                                \
  X(cuStreamSynchronize, (hgc_cu_stream stream))                               \
  X(cuStreamWaitEvent,                                                         \
    (hgc_cu_stream stream, hgc_cu_event event, unsigned flags))                \
  X(cuStreamGetCtx, (hgc_cu_stream stream, hgc_cu_context * ctx))              \
  X(cuEventCreate, (hgc_cu_event * event, unsigned flags))                     \
  X(cuEventDestroy_v2, (hgc_cu_event event))                                   \
  X(cuEventRecord, (hgc_cu_event event, hgc_cu_stream stream))                 \
  X(cuEventSynchronize, (hgc_cu_event event))                                  \
  X(cuEventElapsedTime, (float *ms, hgc_cu_event start, hgc_cu_event end))

/* Functions that may be missing (NULL): they only save time. */
#define HGC_CU_OPTIONAL_FUNCTIONS(X)                                           \
  X(cuPointerGetAttribute, (void *value, int attribute, hgc_cu_ptr ptr))

/* A driver's functions, by exported name. */
typedef struct hgc_cu_api {
#define HGC_CU_FIELD(name, args) hgc_cu_result(*name) args;
  HGC_CU_FUNCTIONS(HGC_CU_FIELD)
  HGC_CU_OPTIONAL_FUNCTIONS(HGC_CU_FIELD)
#undef HGC_CU_FIELD
} hgc_cu_api;

#endif /* HGC_RT_CUDA_DRIVER_H */
