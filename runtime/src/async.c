/*===- async.c - start and wait ---------------------------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two slots and a thread of the instance that takes them in order: enough to
 * prepare the next call while one runs. Arguments are checked by start, so that
 * only what the model itself reports can come out of wait. If no thread can be
 * started, start runs the call itself.
 *===----------------------------------------------------------------------===*/

#include "runtime.h"

#include <string.h>

static void finish(hgc_rti_model *model, hgc_rti_slot *slot) {
  model->device.slot = (int32_t)(slot - model->slots);
  slot->status = hgc_rti_check_usable(model);
  if (slot->status == HGC_RT_OK)
    slot->status =
        hgc_rti_execute(model, slot->entry, slot->variant, slot->args);
  if (slot->status != HGC_RT_OK)
    memcpy(slot->error, hgc_rt_last_error(), sizeof(slot->error));
  if (model->device.gpu)
    hgc_rti_cuda.prefetch_end(model, model->device.slot);
  model->device.slot = -1;
  atomic_store(&model->worker.completed.word, (uint32_t)slot->ticket);
  hgc_rti_event_wake(&model->worker.completed, 1);
}

static hgc_rti_slot *slot_of(hgc_rti_model *model, hgc_rt_ticket ticket) {
  for (int32_t i = 0; i < HGC_RTI_DEPTH; ++i)
    if (model->slots[i].ticket == ticket)
      return &model->slots[i];
  return NULL;
}

static void *worker_main(void *arg) {
  hgc_rti_model *model = arg;
  hgc_rti_worker *w = &model->worker;
  for (;;) {
    uint32_t submitted =
        atomic_load_explicit(&w->submitted.word, memory_order_acquire);
    if (submitted == (uint32_t)w->seen) {
      hgc_rti_event_wait(&w->submitted, submitted);
      continue;
    }
    if (atomic_load(&w->stop))
      return NULL;
    ++w->seen;
    finish(model, &model->slots[model->order[w->seen % HGC_RTI_DEPTH]]);
  }
}

static int ensure_worker(hgc_rti_model *model) {
  hgc_rti_worker *w = &model->worker;
  if (w->running)
    return 1;
  w->seen = model->last_ticket;
  atomic_store(&w->stop, 0);
  atomic_store(&w->submitted.word, (uint32_t)w->seen);
  w->running = !hgc_rti_thread_start(&w->thread, worker_main, model);
  return w->running;
}

int32_t hgc_rti_in_flight(const hgc_rti_model *model) {
  int32_t count = 0;
  for (int32_t i = 0; i < HGC_RTI_DEPTH; ++i)
    count += model->slots[i].ticket != 0;
  return count;
}

/* Takes the instance and a free slot for a new call. */
static hgc_rt_status begin(hgc_rti_model *model, const hgc_rt_ticket *ticket,
                           hgc_rti_slot **slot) {
  hgc_rt_status status = hgc_rti_enter(model);
  if (status != HGC_RT_OK)
    return status;
  *slot = slot_of(model, 0);
  if (!ticket)
    status = hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                           "pass the address of an hgc_rt_ticket",
                           "model '%s': ticket is NULL", model->desc->name);
  else if (!*slot)
    status = hgc_rti_error(HGC_RT_BUSY, "wait for one of the tickets first",
                           "model '%s': %d calls are in flight already",
                           model->desc->name, HGC_RTI_DEPTH);
  else
    status = hgc_rti_check_usable(model);
  if (status != HGC_RT_OK)
    hgc_rti_leave(model);
  return status;
}

/* A call that another one runs before. */
static int has_to_wait(const hgc_rti_model *model) {
  uint32_t completed = atomic_load(&model->worker.completed.word);
  for (int32_t i = 0; i < HGC_RTI_DEPTH; ++i) {
    hgc_rt_ticket ticket = model->slots[i].ticket;
    if (ticket && (int32_t)(completed - (uint32_t)ticket) < 0)
      return 1;
  }
  return 0;
}

static void submit(hgc_rti_model *model, hgc_rti_slot *slot,
                   hgc_rt_ticket *ticket) {
  int threaded = ensure_worker(model);
  if (model->device.gpu && has_to_wait(model))
    hgc_rti_cuda.prefetch_start(model, (int32_t)(slot - model->slots));
  slot->ticket = *ticket = ++model->last_ticket;
  if (!threaded) {
    finish(model, slot);
    return;
  }
  model->order[slot->ticket % HGC_RTI_DEPTH] = (int32_t)(slot - model->slots);
  atomic_store(&model->worker.submitted.word, (uint32_t)slot->ticket);
  hgc_rti_event_wake(&model->worker.submitted, 1);
}

hgc_rt_status hgc_rt_start(void *handle, int32_t entry, const int64_t *dims,
                           void **args, hgc_rt_ticket *ticket) {
  hgc_rti_model *model = handle;
  hgc_rti_slot *slot = NULL;
  hgc_rt_status status = begin(model, ticket, &slot);
  if (status != HGC_RT_OK)
    return status;
  status = hgc_rti_check_args(model, entry, dims, args, &slot->variant);
  if (status == HGC_RT_OK) {
    const hgc_rt_entry_info *info = &model->desc->entries[entry].info;
    for (int32_t i = 0; i < info->n_inputs + info->n_outputs; ++i)
      slot->args[i] = args[i];
    slot->entry = entry;
    submit(model, slot, ticket);
  }
  hgc_rti_leave(model);
  return status;
}

hgc_rt_status hgc_rti_start_tensors(hgc_rt_model *handle, int32_t entry,
                                    const hgc_rt_tensor *inputs,
                                    int32_t n_inputs,
                                    const hgc_rt_tensor *outputs,
                                    int32_t n_outputs, hgc_rt_ticket *ticket) {
  hgc_rti_model *model = (hgc_rti_model *)handle;
  hgc_rti_slot *slot = NULL;
  hgc_rt_status status = begin(model, ticket, &slot);
  if (status != HGC_RT_OK)
    return status;
  status = hgc_rti_check_tensors(model, entry, inputs, n_inputs, outputs,
                                 n_outputs, model->call_dims, slot->args);
  if (status == HGC_RT_OK)
    status = hgc_rti_check_args(model, entry, model->call_dims, slot->args,
                                &slot->variant);
  if (status == HGC_RT_OK) {
    slot->entry = entry;
    submit(model, slot, ticket);
  }
  hgc_rti_leave(model);
  return status;
}

static void await(hgc_rti_model *model, hgc_rt_ticket ticket) {
  hgc_rti_event *completed = &model->worker.completed;
  for (;;) {
    uint32_t now = atomic_load_explicit(&completed->word, memory_order_acquire);
    if ((int32_t)(now - (uint32_t)ticket) >= 0)
      return;
    hgc_rti_event_wait(completed, now);
  }
}

hgc_rt_status hgc_rt_wait(void *handle, hgc_rt_ticket ticket) {
  hgc_rti_model *model = handle;
  hgc_rt_status status = hgc_rti_enter(model);
  if (status != HGC_RT_OK)
    return status;
  hgc_rti_slot *slot = ticket ? slot_of(model, ticket) : NULL;
  if (!slot) {
    hgc_rti_leave(model);
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                         "wait once for each ticket that start has given",
                         "model '%s': ticket %llu is not in flight",
                         model->desc->name, (unsigned long long)ticket);
  }
  await(model, ticket);
  status = slot->status;
  if (status != HGC_RT_OK)
    hgc_rti_error_set(slot->error);
  slot->ticket = 0;
  hgc_rti_leave(model);
  return status;
}

/* For destroy: calls in flight end, then the thread. */
void hgc_rti_async_finish(hgc_rti_model *model) {
  hgc_rti_worker *w = &model->worker;
  if (!w->running)
    return;
  await(model, model->last_ticket);
  atomic_store(&w->stop, 1);
  atomic_fetch_add(&w->submitted.word, 1);
  hgc_rti_event_wake(&w->submitted, 1);
  pthread_join(w->thread, NULL);
  w->running = 0;
}

/* In a forked child the thread is gone, and with it what it had to do. */
void hgc_rti_async_forked(hgc_rti_model *model) {
  hgc_rti_worker *w = &model->worker;
  uint32_t completed = atomic_load(&w->completed.word);
  for (int32_t i = 0; i < HGC_RTI_DEPTH; ++i) {
    hgc_rti_slot *slot = &model->slots[i];
    if (!slot->ticket || (int32_t)(completed - (uint32_t)slot->ticket) >= 0)
      continue;
    slot->status = hgc_rti_error(HGC_RT_DEVICE_FAILED,
                                 "start the call again in this process",
                                 "model '%s': the call was in flight in "
                                 "another process when it forked",
                                 model->desc->name);
    memcpy(slot->error, hgc_rt_last_error(), sizeof(slot->error));
  }
  w->running = 0;
  atomic_store(&w->submitted.sleepers, 0);
  atomic_store(&w->completed.sleepers, 0);
  atomic_store(&w->completed.word, (uint32_t)model->last_ticket);
}
