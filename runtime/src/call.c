/*===- call.c - one call of an instance -------------------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An instance has one arena, so one call runs at a time. A second caller is
 * told so instead of being queued: it has a bug, or wants an instance of its
 * own. A fork takes over an instance, except what other threads were doing.
 *===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include "runtime.h"

#include <sched.h>
#include <unistd.h>

#define FORKING (-1)

static hgc_rt_status busy(const hgc_rti_model *model, const char *why,
                          const char *hint) {
  return hgc_rti_error(HGC_RT_BUSY, hint, "model '%s': the instance %s",
                       model->desc->name, why);
}

/* In a forked child the thread inside the instance, if any, does not exist. */
static void notice_fork(hgc_rti_model *model) {
  if (model->fork_mark &&
      atomic_load_explicit(model->fork_mark, memory_order_acquire))
    return;
  int32_t self = (int32_t)getpid();
  int32_t known = atomic_load_explicit(&model->pid, memory_order_acquire);
  if (known == self || known == FORKING ||
      !atomic_compare_exchange_strong(&model->pid, &known, FORKING))
    return;
  if ((atomic_load(&model->busy) || hgc_rti_in_flight(model)) &&
      hgc_rti_has_state(model))
    atomic_store(&model->failed, 1);
  if (model->device.gpu)
    atomic_store(&model->device.lost, HGC_RTI_LOST_FORK);
  hgc_rti_async_forked(model);
  hgc_rti_trace_forked(model);
  atomic_store(&model->busy, 0);
  atomic_store_explicit(&model->pid, self, memory_order_release);
  if (model->fork_mark)
    atomic_store_explicit(model->fork_mark, 1, memory_order_release);
}

static int try_enter(hgc_rti_model *model) {
  int32_t free = 0;
  notice_fork(model);
  return atomic_load_explicit(&model->pid, memory_order_acquire) != FORKING &&
         atomic_compare_exchange_strong_explicit(&model->busy, &free, 1,
                                                 memory_order_acquire,
                                                 memory_order_relaxed);
}

hgc_rt_status hgc_rti_enter(hgc_rti_model *model) {
  if (!model)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT, "check what create returned",
                         "the model is NULL");
  if (model->api != &hgc_rti_api)
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                         "pass what create of this library returned",
                         "the handle is not an instance of this library");
  if (!try_enter(model))
    return busy(model, "is in use by another thread",
                "create one instance per thread, or serialise the calls");
  return HGC_RT_OK;
}

void hgc_rti_leave(hgc_rti_model *model) {
  atomic_store_explicit(&model->busy, 0, memory_order_release);
}

/* For what may not happen beside a started call. */
hgc_rt_status hgc_rti_enter_idle(hgc_rti_model *model) {
  hgc_rt_status status = hgc_rti_enter(model);
  if (status == HGC_RT_OK && hgc_rti_in_flight(model)) {
    hgc_rti_leave(model);
    return busy(model, "has started calls that were not waited for",
                "wait for their tickets first");
  }
  return status;
}

/* For destroy: waits until nobody is inside. */
void hgc_rti_enter_last(hgc_rti_model *model) {
  while (!try_enter(model))
    sched_yield();
}

hgc_rt_status hgc_rti_check_usable(const hgc_rti_model *model) {
  hgc_rt_status status = hgc_rti_device_check(model);
  if (status != HGC_RT_OK ||
      !atomic_load_explicit(&model->failed, memory_order_acquire))
    return status;
  return hgc_rti_error(HGC_RT_FAILED_INSTANCE,
                       "call reset to start from the initial parameters, or "
                       "create a new instance",
                       "model '%s': an earlier call failed and may have left "
                       "its parameters half updated",
                       model->desc->name);
}

/* Runs a program of the GPU plan; nothing is under way when it returns. */
static hgc_rt_status run_on_gpu(hgc_rti_model *model, hgc_rt_program_fn program,
                                void **args) {
  hgc_rt_status status = hgc_rti_cuda.begin(model);
  if (status != HGC_RT_OK)
    return status;
  return hgc_rti_cuda.end(model, program(&model->ctx, args));
}

hgc_rt_status hgc_rti_execute(hgc_rti_model *model, int32_t entry,
                              const hgc_rt_variant_desc *variant, void **args) {
  int64_t begin = model->timing ? hgc_rti_now_ns() : 0;
  hgc_rti_error_clear();
  model->current_entry = entry;
  model->device.variant = variant;
  model->device.args = args;
  atomic_store_explicit(&model->status, HGC_RT_OK, memory_order_relaxed);
  if (model->desc->n_guarded > 0)
    hgc_rti_guarded_poison(model);
  hgc_rt_status status = model->device.gpu
                             ? run_on_gpu(model, variant->gpu_program, args)
                             : variant->program(&model->ctx, args);
  if (status == HGC_RT_OK)
    status = (hgc_rt_status)atomic_load(&model->status);
  if (status == HGC_RT_OK && model->desc->n_guarded > 0)
    status = hgc_rti_guarded_check(model);
  if (model->timing)
    hgc_rti_trace_call(model, begin);
  if (status == HGC_RT_OK)
    return HGC_RT_OK;
  if (!hgc_rt_last_error()[0])
    hgc_rti_error(status, "check the values passed to this call",
                  "model '%s': entry '%s' failed with status %d",
                  model->desc->name, model->desc->entries[entry].info.name,
                  (int)status);
  /* A check that does not hold ends a program before any state is written. */
  if (hgc_rti_has_state(model) && status != HGC_RT_INVALID_ARGUMENT)
    atomic_store_explicit(&model->failed, 1, memory_order_release);
  return status;
}

hgc_rt_status hgc_rt_call(void *handle, int32_t entry, const int64_t *dims,
                          void **args) {
  hgc_rti_model *model = handle;
  const hgc_rt_variant_desc *variant = NULL;
  hgc_rt_status status = hgc_rti_enter_idle(model);
  if (status != HGC_RT_OK)
    return status;
  status = hgc_rti_check_usable(model);
  if (status == HGC_RT_OK)
    status = hgc_rti_check_args(model, entry, dims, args, &variant);
  if (status == HGC_RT_OK)
    status = hgc_rti_execute(model, entry, variant, args);
  hgc_rti_leave(model);
  return status;
}

hgc_rt_status hgc_rti_call_tensors(hgc_rt_model *handle, int32_t entry,
                                   const hgc_rt_tensor *inputs,
                                   int32_t n_inputs,
                                   const hgc_rt_tensor *outputs,
                                   int32_t n_outputs) {
  hgc_rti_model *model = (hgc_rti_model *)handle;
  const hgc_rt_variant_desc *variant = NULL;
  hgc_rt_status status = hgc_rti_enter_idle(model);
  if (status != HGC_RT_OK)
    return status;
  status = hgc_rti_check_usable(model);
  if (status == HGC_RT_OK)
    status =
        hgc_rti_check_tensors(model, entry, inputs, n_inputs, outputs,
                              n_outputs, model->call_dims, model->call_args);
  if (status == HGC_RT_OK)
    status = hgc_rti_check_args(model, entry, model->call_dims,
                                model->call_args, &variant);
  if (status == HGC_RT_OK)
    status = hgc_rti_execute(model, entry, variant, model->call_args);
  hgc_rti_leave(model);
  return status;
}
