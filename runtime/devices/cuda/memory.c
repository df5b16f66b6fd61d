/*===- memory.c - device memory of the caller -------------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/

#include "cuda.h"

/* Memory the driver does not know is the host's. Managed memory is wherever it
 * is wanted. Drivers that cannot tell are trusted. */
int32_t hgc_rti_cu_pointer_gpu(const hgc_rti_model *model, const void *data,
                               int32_t expected) {
  const hgc_rti_gpu *gpu = model->device.gpu;
  hgc_cu_ptr pointer = (hgc_cu_ptr)(uintptr_t)data;
  unsigned type = 0;
  int ordinal = -1;
  unsigned char managed = 0;
  if (!gpu->api.cuPointerGetAttribute)
    return expected;
  if (gpu->api.cuPointerGetAttribute(&type, HGC_CU_POINTER_MEMORY_TYPE,
                                     pointer) ||
      type == HGC_CU_MEMORYTYPE_HOST)
    return HGC_RT_HOST;
  if (!gpu->api.cuPointerGetAttribute(&managed, HGC_CU_POINTER_IS_MANAGED,
                                      pointer) &&
      managed)
    return expected;
  if (gpu->api.cuPointerGetAttribute(&ordinal, HGC_CU_POINTER_DEVICE_ORDINAL,
                                     pointer))
    return expected;
  for (int32_t i = 0; i < gpu->plan->n_devices; ++i)
    if (gpu->devices[i].ordinal == ordinal)
      return i;
  return HGC_RTI_OTHER_GPU;
}

hgc_rt_status hgc_rti_cu_memory_alloc(hgc_rti_model *model, int32_t gpu,
                                      int64_t bytes, void **out) {
  hgc_rti_cu_device *d = &model->device.gpu->devices[gpu];
  hgc_cu_ptr memory = 0;
  hgc_rt_status status = hgc_rti_cu_bind(d->gpu, gpu);
  /* An empty tensor has an address, too. */
  if (status == HGC_RT_OK)
    status = HGC_RTI_CU(d, cuMemAlloc_v2, &memory, (size_t)(bytes ? bytes : 1));
  status = hgc_rti_cu_end(model, status);
  if (status == HGC_RT_OK)
    *out = (void *)(uintptr_t)memory;
  return status;
}

hgc_rt_status hgc_rti_cu_memory_free(hgc_rti_model *model, int32_t gpu,
                                     void *memory) {
  hgc_rti_cu_device *d = &model->device.gpu->devices[gpu];
  hgc_rt_status status = hgc_rti_cu_bind(d->gpu, gpu);
  if (status == HGC_RT_OK)
    status = HGC_RTI_CU(d, cuMemFree_v2, (hgc_cu_ptr)(uintptr_t)memory);
  return hgc_rti_cu_end(model, status);
}

hgc_rt_status hgc_rti_cu_memory_copy(hgc_rti_model *model, int32_t gpu,
                                     void *device, void *host, int64_t bytes,
                                     int32_t to_host) {
  hgc_rti_cu_device *d = &model->device.gpu->devices[gpu];
  hgc_cu_ptr there = (hgc_cu_ptr)(uintptr_t)device;
  hgc_rt_status status = hgc_rti_cu_bind(d->gpu, gpu);
  if (status == HGC_RT_OK)
    status = to_host ? hgc_rti_cu_to_host(d, 0, host, there, bytes)
                     : hgc_rti_cu_to_device(d, 0, there, host, bytes);
  return hgc_rti_cu_end(model, status);
}
