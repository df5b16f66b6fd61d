/*===- device.c - choosing a device, falling back to the CPU ----------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A library with a GPU plan holds the CPU plan as well. `auto` prefers the GPU
 * and says why it could not be had; a device that was named must be there. The
 * emulator is a tool for tests and is used only when it is named.
 *===----------------------------------------------------------------------===*/

#include "runtime.h"

#include <stdlib.h>
#include <string.h>

const char *hgc_rti_device_kind_name(hgc_rti_device_kind kind) {
  static const char *const names[] = {"auto", "cpu", "gpu", "emulated"};
  return names[kind];
}

static int starts_with(const char *text, const char *head) {
  while (*head)
    if (*text++ != *head++)
      return 0;
  return 1;
}

static int equal(const char *a, const char *b) {
  return strlen(a) == strlen(b) && starts_with(a, b);
}

static hgc_rt_status read_kind(const char *text, const char *origin,
                               hgc_rti_device_wish *wish) {
  for (int32_t kind = HGC_RTI_AUTO; kind <= HGC_RTI_EMULATED; ++kind)
    if (equal(text, hgc_rti_device_kind_name(kind))) {
      wish->kind = kind;
      return HGC_RT_OK;
    }
  size_t length = strlen(text);
  if (starts_with(text, "emulated:") && length > 9 &&
      length - 9 < sizeof(wish->table)) {
    wish->kind = HGC_RTI_EMULATED;
    memcpy(wish->table, text + 9, length - 8);
    return HGC_RT_OK;
  }
  return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                       "name a device, or leave it out to let the library "
                       "choose",
                       "%s is '%.64s', expected auto, cpu, gpu, emulated or "
                       "emulated:TABLE",
                       origin, text);
}

hgc_rt_status hgc_rti_device_wish_read(const hgc_rt_options *options,
                                       hgc_rti_device_wish *wish) {
  const char *strict = getenv("HGC_STRICT");
  const char *emulator = options->emulator, *origin = "options.device";
  const char *text = options->device;
  memset(wish, 0, sizeof(*wish));
  wish->strict = (options->flags & HGC_RT_STRICT_PLACEMENT) != 0 ||
                 (strict && *strict && !equal(strict, "0"));
  if (!emulator)
    emulator = getenv("HGC_EMULATOR");
  wish->emulator = emulator && *emulator ? emulator : NULL;
  if (!text) {
    text = getenv("HGC_DEVICE");
    origin = "HGC_DEVICE";
  }
  return text && *text ? read_kind(text, origin, wish) : HGC_RT_OK;
}

static hgc_rt_status check_plan(const hgc_rti_model *model) {
  const hgc_rt_model_desc *desc = model->desc;
  if (!desc->gpu)
    return hgc_rti_error(HGC_RT_NO_DEVICE,
                         "compile the model with --gpu, or do not ask for a "
                         "GPU",
                         "model '%s' has no code for a GPU", desc->name);
  if (!&hgc_rti_cuda)
    return hgc_rti_error(HGC_RT_INTERNAL, "report this as a bug in hgc",
                         "model '%s' has a GPU plan but not the CUDA part of "
                         "the runtime",
                         desc->name);
  for (int32_t i = 0; i < desc->n_entries; ++i)
    for (int32_t v = 0; v < desc->entries[i].info.n_variants; ++v)
      if (!desc->entries[i].variants[v].gpu_program)
        return hgc_rti_error(HGC_RT_INTERNAL, "report this as a bug in hgc",
                             "model '%s': variant %d of entry '%s' has no GPU "
                             "program",
                             desc->name, v, desc->entries[i].info.name);
  return HGC_RT_OK;
}

static void explain(hgc_rti_device *device, const char *why) {
  size_t length = strlen(why);
  memcpy(device->why, why, length + 1);
}

/* The last error without its hint. */
static const char *first_line(char *text, size_t capacity) {
  const char *error = hgc_rt_last_error();
  size_t i = 0;
  for (; error[i] && error[i] != '\n' && i + 1 < capacity; ++i)
    text[i] = error[i];
  text[i] = 0;
  return text;
}

/* Called when the instance has everything that the CPU plan needs. */
hgc_rt_status hgc_rti_device_open(hgc_rti_model *model) {
  hgc_rti_device *device = &model->device;
  hgc_rti_device_wish wish;
  char reason[512];
  const char *cpu = model->desc->target_cpu;
  size_t length = strlen(cpu);
  device->kind = HGC_RTI_CPU;
  if (length >= sizeof(device->name))
    length = sizeof(device->name) - 1;
  memcpy(device->name, cpu, length);
  explain(device, "it is the only one");
  hgc_rt_status status = hgc_rti_device_wish_read(&model->options, &wish);
  if (model->desc->gpu && wish.kind == HGC_RTI_CPU)
    explain(device, "the caller asks for the CPU");
  if (status != HGC_RT_OK || wish.kind == HGC_RTI_CPU ||
      (wish.kind == HGC_RTI_AUTO && !model->desc->gpu))
    return status;
  if (model->desc->flags & HGC_RT_STRICT_PLACEMENT)
    wish.strict = 1;
  status = check_plan(model);
  if (status == HGC_RT_OK)
    status = hgc_rti_cuda.create(model, &wish);
  if (status == HGC_RT_OK)
    return HGC_RT_OK;
  if (wish.kind != HGC_RTI_AUTO || wish.strict ||
      status == HGC_RT_INVALID_ARGUMENT)
    return status;
  /* The caller has device memory in hand, which the CPU plan cannot read. */
  if (model->desc->gpu && model->desc->gpu->n_residents > 0)
    return hgc_rti_error(HGC_RT_NO_DEVICE,
                         "pass host memory and set options.device or "
                         "HGC_DEVICE to cpu, which runs the CPU plan",
                         "model '%s' takes arguments in memory of a GPU, and "
                         "none can be used: %s",
                         model->desc->name, first_line(reason, sizeof(reason)));
  memcpy(device->fallback_reason, hgc_rt_last_error(),
         sizeof(device->fallback_reason));
  hgc_rti_error_clear();
  explain(device, "the GPU cannot be used");
  hgc_rti_log(model, HGC_RT_LOG_WARNING,
              "hgc: warning: model '%s' runs on the CPU: %s", model->desc->name,
              device->fallback_reason);
  return HGC_RT_OK;
}

void hgc_rti_device_close(hgc_rti_model *model) {
  if (model->device.gpu)
    hgc_rti_cuda.destroy(model);
}

hgc_rt_status hgc_rti_device_check(const hgc_rti_model *model) {
  switch (atomic_load_explicit(&model->device.lost, memory_order_acquire)) {
  case 0:
    return HGC_RT_OK;
  case HGC_RTI_LOST_FORK:
    return hgc_rti_error(HGC_RT_FAILED_INSTANCE,
                         "create the instance after fork, or start the child "
                         "with exec",
                         "model '%s': the instance runs on a GPU and belongs "
                         "to the process that forked",
                         model->desc->name);
  default:
    return hgc_rti_error(HGC_RT_FAILED_INSTANCE,
                         "restart the process; HGC_DEVICE=cpu avoids the GPU",
                         "model '%s': an earlier error has made %s unusable "
                         "for this process",
                         model->desc->name, model->device.name);
  }
}

const hgc_rt_gpu_param_desc *hgc_rti_device_home(const hgc_rti_model *model,
                                                 int32_t param) {
  const hgc_rt_gpu_plan *plan = model->device.gpu ? model->desc->gpu : NULL;
  for (int32_t i = 0; plan && i < plan->n_params; ++i)
    if (plan->params[i].param == param)
      return &plan->params[i];
  return NULL;
}

int hgc_rti_has_state(const hgc_rti_model *model) {
  const hgc_rt_gpu_plan *plan = model->device.gpu ? model->desc->gpu : NULL;
  return model->desc->state_bytes > 0 || (plan && plan->n_params > 0);
}
