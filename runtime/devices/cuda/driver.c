/*===- driver.c - opening the CUDA driver -----------------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A machine may have no driver, the toolkit's stub in its place, one that is
 * too old, or one that does not start: each gets its own explanation. The
 * library is never unloaded, since drivers keep threads and exit handlers.
 *===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include "cuda.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static const char real_name[] = "libcuda.so.1";

static hgc_rt_status prepare_emulator(const hgc_rti_device_wish *wish) {
  if (!wish->emulator)
    return hgc_rti_error(HGC_RT_NO_DEVICE,
                         "set HGC_EMULATOR to the absolute path of "
                         "libhgc_emucuda.so",
                         "device 'emulated' needs the emulator, which is not "
                         "part of a model");
  if (wish->emulator[0] != '/')
    return hgc_rti_error(
        HGC_RT_NO_DEVICE, "write the whole path, which starts with a slash",
        "the emulator is '%.256s', expected an absolute path", wish->emulator);
  if (!wish->table[0])
    return HGC_RT_OK;
  const char *set = getenv("HGC_EMU_DEVICE");
  int same = set && strlen(set) == strlen(wish->table) &&
             memcmp(set, wish->table, strlen(set)) == 0;
  void *loaded = dlopen(wish->emulator, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (loaded) {
    dlclose(loaded);
    if (!same)
      return hgc_rti_error(HGC_RT_NO_DEVICE,
                           "use one table in a process, or start another",
                           "the emulator runs as '%.64s' already, not as '%s'",
                           set ? set : "its default device", wish->table);
  }
  setenv("HGC_EMU_DEVICE", wish->table, 1);
  return HGC_RT_OK;
}

static hgc_rt_status open_library(const hgc_rti_device_wish *wish,
                                  void **library) {
  int emulated = wish->kind == HGC_RTI_EMULATED;
  const char *path = wish->emulator;
  if (emulated) {
    hgc_rt_status status = prepare_emulator(wish);
    if (status != HGC_RT_OK)
      return status;
  } else {
    path = getenv("HGC_CUDA_DRIVER");
    if (!path || !*path)
      path = real_name;
  }
  *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (*library)
    return HGC_RT_OK;
  const char *why = dlerror();
  return hgc_rti_error(
      HGC_RT_NO_DEVICE,
      emulated ? "build hgc's emulator and set HGC_EMULATOR to its path"
               : "install NVIDIA's driver (`nvidia-smi` must work), or give "
                 "the container access to the GPU",
      "no %s: %.512s", emulated ? "emulator" : "NVIDIA driver",
      why ? why : path);
}

/* Function pointers and data pointers are of one size wherever CUDA runs. */
static int find_symbol(void *library, const char *name, void *field) {
  void *symbol = dlsym(library, name);
  memcpy(field, &symbol, sizeof(symbol));
  return symbol != NULL;
}

static const char *find_symbols(void *library, hgc_cu_api *api) {
#define FIND(name, args)                                                       \
  if (!find_symbol(library, #name, &api->name))                                \
    return #name;
  HGC_CU_FUNCTIONS(FIND)
#undef FIND
#define FIND(name, args) find_symbol(library, #name, &api->name);
  HGC_CU_OPTIONAL_FUNCTIONS(FIND)
#undef FIND
  return NULL;
}

static hgc_rt_status init_failed(const hgc_cu_api *api, hgc_cu_result code) {
  const char *hint = "run `nvidia-smi`: it must list the GPU";
  const char *what = "the NVIDIA driver does not start";
  switch (code) {
  case HGC_CU_ERROR_STUB_LIBRARY:
    what = "libcuda.so.1 is the CUDA toolkit's stub, not a driver";
    hint = "remove the toolkit's 'stubs' folder from LD_LIBRARY_PATH, and "
           "install NVIDIA's driver";
    break;
  case HGC_CU_ERROR_NO_DEVICE:
    what = "the NVIDIA driver finds no GPU";
    hint = "run `nvidia-smi`, and check CUDA_VISIBLE_DEVICES";
    break;
  case HGC_CU_ERROR_NOT_INITIALIZED:
    what = "this process cannot use CUDA";
    hint = "a child of a process that has used CUDA must be started with exec";
    break;
  case HGC_CU_ERROR_SYSTEM_DRIVER_MISMATCH:
  case HGC_CU_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
    what = "the NVIDIA driver's library and kernel module do not agree";
    hint = "restart the machine after an update of the driver";
    break;
  default:
    break;
  }
  return hgc_rti_error(HGC_RT_NO_DEVICE, hint, "%s: cuInit gave %s (%d)", what,
                       hgc_rti_cu_code_name(api, code), code);
}

hgc_rt_status hgc_rti_cu_open(const hgc_rti_device_wish *wish, hgc_cu_api *api,
                              int32_t *version, void **library) {
  hgc_rt_status status = open_library(wish, library);
  if (status != HGC_RT_OK)
    return status;
  const char *missing = find_symbols(*library, api);
  if (missing)
    status = hgc_rti_error(
        HGC_RT_NO_DEVICE, "install NVIDIA's driver R450 or a newer one",
        "the NVIDIA driver is too old: it has no %s", missing);
  hgc_cu_result code = missing ? 0 : api->cuInit(0);
  if (code != HGC_CU_SUCCESS)
    status = init_failed(api, code);
  if (status == HGC_RT_OK) {
    int value = 0;
    code = api->cuDriverGetVersion(&value);
    *version = value;
    if (code != HGC_CU_SUCCESS)
      status = hgc_rti_error(HGC_RT_NO_DEVICE,
                             "run `nvidia-smi`: it must list the GPU",
                             "cuDriverGetVersion gave %s (%d)",
                             hgc_rti_cu_code_name(api, code), code);
  }
  return status;
}
