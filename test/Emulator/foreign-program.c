// A program that knows nothing of hgc finds the emulated GPU as its CUDA driver
// and its cuBLAS; only mistakes are printed.
// RUN: %cc -std=c11 -Wall -Wextra -Werror %s -o %t -ldl
// RUN: env LD_LIBRARY_PATH=%build/lib/emulated-cuda HGC_EMU_DEVICE=l4 %t 64 2> %t.err | FileCheck %s
// RUN: FileCheck %s --allow-empty --check-prefix=SILENT < %t.err
// RUN: %exits 1 env LD_LIBRARY_PATH=%build/lib/emulated-cuda HGC_EMU_LEAKS=1 %t 65 | FileCheck %s --check-prefix=WRONG
// RUN: env LD_LIBRARY_PATH=%build/lib/emulated-cuda HGC_EMU_COUNTERS=%t.json %t 64
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// CHECK: device: hgc emulated L4
// CHECK-NEXT: cuMemAlloc of CUDA 3.1: absent
// CHECK-NEXT: c[0] = 128
// SILENT-NOT: {{.}}
// WRONG: hgc-emu: error: cuMemcpyHtoD writes 260 bytes at {{0x.*}}
// WRONG: hgc-emu: error: leak: 256 bytes of device memory
// JSON: "direction": "host_to_device", "count": 1, "bytes": 256
// JSON: "name": "cublas gemm", "launches": 1
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *load(const char *library, const char *function) {
  void *handle = dlopen(library, RTLD_NOW);
  return handle ? dlsym(handle, function) : NULL;
}

#define DRIVER(name, ...) int (*name)(__VA_ARGS__) = load("libcuda.so.1", #name)
#define BLAS(name, ...) int (*name)(__VA_ARGS__) = load("libcublas.so.13", #name)

int main(int argc, char **argv) {
  size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 64;
  DRIVER(cuInit, unsigned);
  DRIVER(cuDeviceGetName, char *, int, int);
  DRIVER(cuDevicePrimaryCtxRetain, void **, int);
  DRIVER(cuDevicePrimaryCtxRelease_v2, int);
  DRIVER(cuCtxSetCurrent, void *);
  DRIVER(cuMemAlloc_v2, uint64_t *, size_t);
  DRIVER(cuMemFree_v2, uint64_t);
  DRIVER(cuMemcpyHtoD_v2, uint64_t, const void *, size_t);
  DRIVER(cuMemcpyDtoH_v2, void *, uint64_t, size_t);
  BLAS(cublasCreate_v2, void **);
  BLAS(cublasDestroy_v2, void *);
  BLAS(cublasSgemm_v2, void *, int, int, int, int, int, const float *, uint64_t, int, uint64_t, int, const float *,
       uint64_t, int);

  char name[64];
  void *context, *handle;
  uint64_t a = 0, c = 0;
  float values[128], one = 1, zero = 0;
  for (int i = 0; i < 128; ++i)
    values[i] = i < 64 ? 4 : 0;
  if (cuInit(0) || cuDeviceGetName(name, sizeof name, 0) || cuDevicePrimaryCtxRetain(&context, 0) ||
      cuCtxSetCurrent(context) || cuMemAlloc_v2(&a, 256))
    return 2;
  printf("device: %s\n", name);
  printf("cuMemAlloc of CUDA 3.1: %s\n", load("libcuda.so.1", "cuMemAlloc") ? "present" : "absent");
  if (cuMemcpyHtoD_v2(a, values, count * 4))
    return 1;
  if (cuMemAlloc_v2(&c, 256) || cublasCreate_v2(&handle) ||
      cublasSgemm_v2(handle, 0, 1, 8, 8, 8, &one, a, 8, a, 8, &zero, c, 8) || cuMemcpyDtoH_v2(values, c, 256) ||
      cublasDestroy_v2(handle) || cuMemFree_v2(a) || cuMemFree_v2(c) || cuDevicePrimaryCtxRelease_v2(0))
    return 3;
  printf("c[0] = %g\n", values[0]);
  return 0;
}
