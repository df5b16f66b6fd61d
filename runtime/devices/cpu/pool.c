/*===- pool.c - the threads of a library ------------------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One pool per library, in static storage: threads start at the first parallel
 * launch and are joined when the last instance that used them goes, so that
 * dlclose is safe. A job is a number of chunks; its caller works, too, and
 * waits for *chunks*, never for threads: a thread that is not scheduled holds
 * nobody up, and a pool with no threads at all is merely serial. Claims carry
 * the job's epoch, so a late thread can never take a chunk of a newer job.
 * A second job at the same time (nested, or of another instance) runs inline.
 *===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include "../../src/runtime.h"

#include <sched.h>
#include <unistd.h>

#define CLOSED UINT32_MAX /* chunk index of a job that is being set up */

static struct {
  /* All that a thread must know of a job is in the cache line it waits on: a
   * line that has to come from another core costs as much as some chunks. */
  _Alignas(64) hgc_rti_event epoch; /* number of the current job */
  _Atomic uint64_t next;            /* epoch << 32 | next free chunk */
  _Atomic(hgc_rt_task_fn) fn;
  _Atomic(void *) task;
  _Atomic uint32_t count;
  _Atomic int32_t stop;
  _Alignas(64) hgc_rti_event done; /* chunks that threads have ever finished */
  _Alignas(64) _Atomic int32_t owned; /* 1 while a job runs */
  _Atomic int32_t pid; /* process the threads belong to; 0 before the first */
  _Atomic int32_t wanted; /* threads asked for; fewer may have started */
  /* The rest is guarded by `lock`. */
  _Atomic int32_t lock; /* process id of its holder */
  int32_t started;
  int32_t references;
  pthread_t threads[HGC_RTI_MAX_THREADS];
} pool;

/* Runs free chunks of a job; a thread reports each, its caller only counts. */
static uint32_t drain(uint32_t epoch, int is_caller) {
  uint32_t chunks = 0;
  uint64_t claim = atomic_load_explicit(&pool.next, memory_order_acquire);
  while ((uint32_t)(claim >> 32) == epoch) {
    /* If these are of a newer job, then `next` has changed before them and the
     * exchange below fails. */
    hgc_rt_task_fn fn = atomic_load_explicit(&pool.fn, memory_order_acquire);
    void *task = atomic_load_explicit(&pool.task, memory_order_acquire);
    uint32_t count = atomic_load_explicit(&pool.count, memory_order_acquire);
    uint32_t chunk = (uint32_t)claim;
    if (chunk >= count)
      break;
    if (!atomic_compare_exchange_weak_explicit(&pool.next, &claim, claim + 1,
                                               memory_order_acq_rel,
                                               memory_order_acquire))
      continue;
    fn(task, chunk);
    ++chunks;
    if (!is_caller) {
      atomic_fetch_add(&pool.done.word, 1);
      hgc_rti_event_wake(&pool.done, 1);
    }
    claim = atomic_load_explicit(&pool.next, memory_order_acquire);
  }
  return chunks;
}

static void *thread_main(void *start) {
  uint32_t seen = (uint32_t)(uintptr_t)start;
  for (;;) {
    uint32_t epoch =
        atomic_load_explicit(&pool.epoch.word, memory_order_acquire);
    if (epoch == seen) {
      hgc_rti_event_wait(&pool.epoch, seen);
      continue;
    }
    if (atomic_load(&pool.stop))
      return NULL;
    seen = epoch;
    drain(epoch, 0);
  }
}

/* Runs a job; the caller has checked that the threads are of this process. */
static void run(hgc_rt_task_fn fn, void *task, int64_t count) {
  int32_t free = 0;
  if (count < 2 || count >= CLOSED ||
      !atomic_compare_exchange_strong(&pool.owned, &free, 1)) {
    for (int64_t i = 0; i < count; ++i)
      fn(task, i);
    return;
  }
  uint32_t n = (uint32_t)count, own = 1;
  uint32_t before = atomic_load_explicit(&pool.done.word, memory_order_relaxed);
  uint32_t epoch =
      atomic_load_explicit(&pool.epoch.word, memory_order_relaxed) + 1;
  /* Close the old job, publish the new one, then open it. The first chunk is
   * the caller's: what a loop reads again and again stays in one core's cache. */
  atomic_store_explicit(&pool.next, (uint64_t)epoch << 32 | CLOSED,
                        memory_order_release);
  atomic_store_explicit(&pool.fn, fn, memory_order_release);
  atomic_store_explicit(&pool.task, task, memory_order_release);
  atomic_store_explicit(&pool.count, n, memory_order_release);
  atomic_store_explicit(&pool.next, (uint64_t)epoch << 32 | 1,
                        memory_order_release);
  atomic_store(&pool.epoch.word, epoch);
  hgc_rti_event_wake(&pool.epoch, (int32_t)n - 1);
  fn(task, 0);
  for (;;) {
    uint32_t done = atomic_load_explicit(&pool.done.word, memory_order_acquire);
    if (done - before == n - own)
      break;
    uint32_t more = drain(epoch, 1);
    own += more;
    if (!more)
      hgc_rti_event_wait(&pool.done, done);
  }
  atomic_store_explicit(&pool.owned, 0, memory_order_release);
}

/* A lock held by another process was inherited by a fork: nobody will ever
 * release it, so it may be taken. */
static int32_t lock(void) {
  int32_t self = (int32_t)getpid();
  for (;;) {
    int32_t holder = 0;
    if (atomic_compare_exchange_strong(&pool.lock, &holder, self))
      return self;
    if (holder != self &&
        atomic_compare_exchange_strong(&pool.lock, &holder, self))
      return self;
    sched_yield();
  }
}

static void unlock(void) {
  atomic_store_explicit(&pool.lock, 0, memory_order_release);
}

/* After a fork the threads do not exist; references are still right. */
static void adopt(int32_t self) {
  if (atomic_load(&pool.pid) == self)
    return;
  pool.started = 0;
  atomic_store(&pool.wanted, 0);
  atomic_store(&pool.owned, 0);
  atomic_store(&pool.stop, 0);
  atomic_store(&pool.epoch.sleepers, 0);
  atomic_store(&pool.done.sleepers, 0);
  atomic_store(&pool.pid, self);
}

static void grow(int32_t wanted) {
  uint32_t epoch = atomic_load(&pool.epoch.word);
  while (pool.started < wanted &&
         !hgc_rti_thread_start(&pool.threads[pool.started], thread_main,
                               (void *)(uintptr_t)epoch))
    ++pool.started;
  /* What could not be started is not tried again at every launch. */
  atomic_store(&pool.wanted, wanted);
}

static void hold(int32_t references, int32_t wanted) {
  adopt(lock());
  pool.references += references;
  if (wanted > atomic_load(&pool.wanted))
    grow(wanted);
  unlock();
}

static void release(void *user) {
  (void)user;
  adopt(lock());
  if (--pool.references == 0) {
    atomic_store(&pool.stop, 1);
    atomic_fetch_add(&pool.epoch.word, 1);
    hgc_rti_event_wake(&pool.epoch, HGC_RTI_MAX_THREADS);
    for (int32_t i = 0; i < pool.started; ++i)
      pthread_join(pool.threads[i], NULL);
    pool.started = 0;
    atomic_store(&pool.wanted, 0);
    atomic_store(&pool.stop, 0);
  }
  unlock();
}

static void retain(void *user) {
  (void)user;
  hold(1, 0);
}

/* The pool as another library's model uses it. */
static void parallel_for(void *user, hgc_rt_task_fn fn, void *task,
                         int64_t count) {
  int32_t wanted =
      (int32_t)(count < HGC_RTI_MAX_THREADS ? count : HGC_RTI_MAX_THREADS) - 1;
  (void)user;
  if (atomic_load(&pool.pid) != (int32_t)getpid() ||
      wanted > atomic_load(&pool.wanted))
    hold(0, wanted);
  run(fn, task, count);
}

const hgc_rt_pool hgc_rti_own_pool = {(uint32_t)sizeof(hgc_rt_pool),
                                      HGC_RT_VERSION,
                                      NULL,
                                      parallel_for,
                                      retain,
                                      release};

void hgc_rti_pool_run(hgc_rti_model *model, hgc_rt_task_fn fn, void *task,
                      int64_t count) {
  int32_t wanted = model->threads - 1;
  /* enter() has brought model->pid up to date for this call. */
  if (!model->pool_held ||
      atomic_load_explicit(&pool.pid, memory_order_relaxed) !=
          atomic_load_explicit(&model->pid, memory_order_relaxed) ||
      wanted > atomic_load_explicit(&pool.wanted, memory_order_relaxed)) {
    hold(!model->pool_held, wanted);
    model->pool_held = 1;
  }
  run(fn, task, count);
}

void hgc_rti_pool_drop(hgc_rti_model *model) {
  if (model->pool_held)
    release(NULL);
  model->pool_held = 0;
}
