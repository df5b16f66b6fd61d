/*===- residents.c - arguments in memory of a GPU ---------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The GPU plan may take arguments, and leave results, in device memory of the
 * caller. In the CPU plan every argument is in host memory.
 *===----------------------------------------------------------------------===*/

#include "runtime.h"

#include <stdio.h>

int32_t hgc_rti_resident_gpu(const hgc_rt_gpu_plan *plan, int32_t entry,
                             int32_t argument) {
  for (int32_t i = 0; plan && i < plan->n_residents; ++i)
    if (plan->residents[i].entry == entry &&
        plan->residents[i].argument == argument)
      return plan->residents[i].gpu;
  return HGC_RT_HOST;
}

int32_t hgc_rti_argument_gpu(const hgc_rt_model *handle, int32_t entry,
                             int32_t argument) {
  const hgc_rti_model *model = (const hgc_rti_model *)handle;
  if (!model || !model->device.gpu)
    return HGC_RT_HOST;
  return hgc_rti_resident_gpu(model->desc->gpu, entry, argument);
}

static void spell(int32_t gpu, char *text, size_t capacity) {
  if (gpu == HGC_RT_HOST)
    snprintf(text, capacity, "host memory");
  else if (gpu == HGC_RTI_OTHER_GPU)
    snprintf(text, capacity, "memory of another GPU");
  else
    snprintf(text, capacity, "memory of GPU %d", gpu);
}

hgc_rt_status hgc_rti_check_argument_gpu(const hgc_rt_model *handle,
                                         int32_t entry, int32_t argument,
                                         int32_t gpu) {
  const hgc_rti_model *model = (const hgc_rti_model *)handle;
  char has[32], wants[32];
  hgc_rt_status status = hgc_rti_check_entry(model, entry);
  if (status != HGC_RT_OK)
    return status;
  const hgc_rt_entry_info *info = &model->desc->entries[entry].info;
  if (argument < 0 || argument >= info->n_inputs + info->n_outputs)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                         "count the inputs first, then the outputs",
                         "model '%s': entry '%s' has no argument %d",
                         model->desc->name, info->name, argument);
  int32_t expected = hgc_rti_argument_gpu(handle, entry, argument);
  if (gpu == expected)
    return HGC_RT_OK;
  const hgc_rt_tensor_info *tensor =
      argument < info->n_inputs ? &info->inputs[argument]
                                : &info->outputs[argument - info->n_inputs];
  spell(gpu, has, sizeof(has));
  spell(expected, wants, sizeof(wants));
  return hgc_rti_error(
      HGC_RT_INVALID_ARGUMENT,
      expected == HGC_RT_HOST
          ? "copy it to the host, or compile with --resident and run the GPU "
            "plan"
          : "hgc_rt_model_device_alloc and _copy_to_device make it so",
      "model '%s': entry '%s': %s '%s' is in %s, expected %s",
      model->desc->name, info->name,
      argument < info->n_inputs ? "input" : "output", tensor->name, has, wants);
}

/* What device memory needs: an instance that runs its GPU plan, and is idle. */
static hgc_rt_status enter(hgc_rti_model *model, int32_t gpu) {
  hgc_rt_status status = hgc_rti_enter_idle(model);
  if (status != HGC_RT_OK)
    return status;
  status = hgc_rti_device_check(model);
  if (status == HGC_RT_OK &&
      (!model->device.gpu || gpu < 0 || gpu >= model->desc->gpu->n_devices))
    status = hgc_rti_error(
        HGC_RT_NO_DEVICE, "argument_gpu tells on which GPU an argument is",
        "model '%s' runs its %s plan, which has no GPU %d", model->desc->name,
        model->device.gpu ? "GPU" : "CPU", gpu);
  if (status != HGC_RT_OK)
    hgc_rti_leave(model);
  return status;
}

hgc_rt_status hgc_rti_device_alloc(hgc_rt_model *handle, int32_t gpu,
                                   int64_t bytes, void **out) {
  hgc_rti_model *model = (hgc_rti_model *)handle;
  if (!out || bytes < 0)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT, "pass a size and a place",
                         "device_alloc of %lld bytes to %p", (long long)bytes,
                         (void *)out);
  hgc_rt_status status = enter(model, gpu);
  if (status != HGC_RT_OK)
    return status;
  status = hgc_rti_cuda.memory_alloc(model, gpu, bytes, out);
  hgc_rti_leave(model);
  return status;
}

hgc_rt_status hgc_rti_device_free(hgc_rt_model *handle, int32_t gpu,
                                  void *memory) {
  hgc_rti_model *model = (hgc_rti_model *)handle;
  hgc_rt_status status = enter(model, gpu);
  if (status != HGC_RT_OK)
    return status;
  if (memory)
    status = hgc_rti_cuda.memory_free(model, gpu, memory);
  hgc_rti_leave(model);
  return status;
}

hgc_rt_status hgc_rti_device_copy(hgc_rt_model *handle, int32_t gpu,
                                  void *device, void *host, int64_t bytes,
                                  int32_t to_host) {
  hgc_rti_model *model = (hgc_rti_model *)handle;
  if (bytes < 0 || (bytes > 0 && (!device || !host)))
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT, "pass both buffers",
                         "device_copy of %lld bytes between %p and %p",
                         (long long)bytes, device, host);
  hgc_rt_status status = enter(model, gpu);
  if (status != HGC_RT_OK)
    return status;
  if (bytes > 0)
    status = hgc_rti_cuda.memory_copy(model, gpu, device, host, bytes, to_host);
  hgc_rti_leave(model);
  return status;
}
