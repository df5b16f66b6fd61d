// Chains calls in device memory that the emulated driver gave out, with no copy in
// between, and compares with the CPU plan, which takes host memory. Then mistakes.
#include "layer.h"

#include "hgc_rt_dlpack.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8 * 16 };

static void *driver;

static void *function(const char *name) {
  void *found = dlsym(driver, name);
  if (!found) {
    printf("no %s\n", name);
    exit(2);
  }
  return found;
}

#define DRIVER(name, ...) static int (*name)(__VA_ARGS__)
DRIVER(cuInit, unsigned);
DRIVER(cuDevicePrimaryCtxRetain, void **, int);
DRIVER(cuDevicePrimaryCtxRelease_v2, int);
DRIVER(cuCtxSetCurrent, void *);
DRIVER(cuMemAlloc_v2, uint64_t *, size_t);
DRIVER(cuMemFree_v2, uint64_t);
DRIVER(cuMemcpyHtoD_v2, uint64_t, const void *, size_t);
DRIVER(cuMemcpyDtoH_v2, void *, uint64_t, size_t);
static size_t (*hgcemu_counters)(char *, size_t);

static void check(int status, const char *what) {
  if (status == 0)
    return;
  printf("%s: status %d: %s\n", what, status, layer_last_error());
  exit(1);
}

static void expect_error(hgc_rt_status status, const char *what) {
  printf("%s: %d: %s\n", what, (int)status, layer_last_error());
}

// Copies of one direction so far.
static long count(const char *direction) {
  static char text[65536];
  hgcemu_counters(text, sizeof text);
  const char *at = strstr(text, direction);
  return at ? strtol(strstr(at, "\"count\": ") + 9, NULL, 10) : 0;
}

static void load_driver(void) {
  void *context;
  driver = dlopen(getenv("HGC_EMULATOR"), RTLD_NOW | RTLD_LOCAL);
  *(void **)&cuInit = function("cuInit");
  *(void **)&cuDevicePrimaryCtxRetain = function("cuDevicePrimaryCtxRetain");
  *(void **)&cuDevicePrimaryCtxRelease_v2 = function("cuDevicePrimaryCtxRelease_v2");
  *(void **)&cuCtxSetCurrent = function("cuCtxSetCurrent");
  *(void **)&cuMemAlloc_v2 = function("cuMemAlloc_v2");
  *(void **)&cuMemFree_v2 = function("cuMemFree_v2");
  *(void **)&cuMemcpyHtoD_v2 = function("cuMemcpyHtoD_v2");
  *(void **)&cuMemcpyDtoH_v2 = function("cuMemcpyDtoH_v2");
  *(void **)&hgcemu_counters = function("hgcemu_counters");
  check(cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context), "driver");
}

static void run_mistakes(layer *model, float *host, void *x, void *y, const float *bias) {
  expect_error(layer_step(model, host, bias, y), "host memory");
  expect_error(layer_step(model, x, bias, NULL), "NULL");
  expect_error(layer_step(model, x, y, y), "device memory for b");
  hgc_rt_model *handle = (hgc_rt_model *)model;
  int64_t shape[] = {8, 16}, strides[HGC_RT_MAX_RANK];
  hgc_rt_tensor tensor;
  hgc_rt_dl_tensor dl = {x, 2, 0, 2, 2, 32, 1, shape, NULL, 0};
  check(hgc_rt_argument_from_dlpack(handle, 0, 0, &dl, strides, &tensor), "DLPack x");
  expect_error(hgc_rt_argument_from_dlpack(handle, 0, 1, &dl, strides, &tensor), "DLPack b");
  dl.device_type = 1;
  expect_error(hgc_rt_argument_from_dlpack(handle, 0, 0, &dl, strides, &tensor), "DLPack on the host");
  dl.device_type = 13;
  check(hgc_rt_argument_from_dlpack(handle, 0, 0, &dl, strides, &tensor), "DLPack managed");
  dl.device_type = 2;
  printf("a tensor for host memory: %d\n", (int)hgc_rt_tensor_from_dlpack(&dl, strides, &tensor));
  expect_error(hgc_rt_model_check_argument_gpu(handle, 0, 3, 0), "no such argument");
  expect_error(hgc_rt_model_device_alloc(handle, 1, 16, &x), "no such GPU");
  expect_error(hgc_rt_model_device_alloc(handle, 0, 16, NULL), "nowhere");
  expect_error(hgc_rt_model_copy_to_host(handle, 0, NULL, y, 16), "to NULL");
}

int main(void) {
  float start[N], bias[16], first[N], second[N], result[N];
  layer *model, *other;
  uint64_t x = 0, y = 0, z = 0;
  for (int i = 0; i < N; ++i)
    start[i] = (float)(i % 7) / 7 - 0.5f;
  for (int i = 0; i < 16; ++i)
    bias[i] = 0.1f * (float)i;
  load_driver();
  hgc_rt_options options = hgc_rt_options_default();
  check(layer_create(NULL, &model), "create");
  check(cuMemAlloc_v2(&x, sizeof start) || cuMemAlloc_v2(&y, sizeof start) || cuMemAlloc_v2(&z, sizeof start), "alloc");
  check(cuMemcpyHtoD_v2(x, start, sizeof start), "upload");
  long up = count("host_to_device"), down = count("device_to_host"), within = count("device_to_device");
  check(layer_step(model, (void *)x, bias, (void *)y), "first call");
  check(layer_step(model, (void *)y, bias, (void *)z), "second call");
  printf("copies of 2 calls: %ld up, %ld down, %ld within\n", count("host_to_device") - up,
         count("device_to_host") - down, count("device_to_device") - within);
  hgc_rt_ticket ticket;
  check(layer_step_start(model, (void *)x, bias, (void *)y, &ticket), "start");
  check(layer_wait(model, ticket), "wait");
  check(cuMemcpyDtoH_v2(result, z, sizeof result), "download");

  // The CPU plan of the same library takes host memory.
  options.device = "cpu";
  check(layer_create(&options, &other), "create on the CPU");
  check(layer_step(other, start, bias, first) || layer_step(other, first, bias, second), "calls on the CPU");
  float worst = 0;
  for (int i = 0; i < N; ++i)
    worst = fmaxf(worst, fabsf(second[i] - result[i]));
  printf("largest difference %s\n", worst < 1e-5f ? "is small" : "is LARGE");
  printf("x is expected on %d, in the CPU plan on %d\n", hgc_rt_model_argument_gpu((hgc_rt_model *)model, 0, 0),
         hgc_rt_model_argument_gpu((hgc_rt_model *)other, 0, 0));
  void *memory = NULL;
  expect_error(hgc_rt_model_device_alloc((hgc_rt_model *)other, 0, 16, &memory), "memory in the CPU plan");

  run_mistakes(model, start, (void *)x, (void *)y, bias);
  check(cuMemFree_v2(x) || cuMemFree_v2(y) || cuMemFree_v2(z), "free");
  layer_destroy(model);
  layer_destroy(other);
  return cuDevicePrimaryCtxRelease_v2(0);
}
