/*===- os.c - clock, cores, waiting -----------------------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Waiting spins for at most 50 us, which covers the gap between two kernels,
 * and then parks on a futex. Raw system calls replace libc functions that have
 * several versions with different ABIs: generated libraries bind by bare name.
 *===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include "runtime.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SPIN_NS 50000
#define SPINS_PER_CLOCK 32
#define MARK_BYTES 4096

int64_t hgc_rti_now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void hgc_rti_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

int32_t hgc_rti_cores(void) {
  unsigned long mask[128]; /* 8192 CPUs */
  long bytes = syscall(SYS_sched_getaffinity, 0, sizeof(mask), mask);
  int32_t count = 0;
  for (long i = 0; i < bytes / (long)sizeof(mask[0]); ++i)
    for (unsigned long m = mask[i]; m; m &= m - 1)
      ++count;
  if (count < 1)
    return 1;
  return count < HGC_RTI_MAX_THREADS ? count : HGC_RTI_MAX_THREADS;
}

/* Returns when the word may have changed; callers test it again. */
void hgc_rti_event_wait(hgc_rti_event *event, uint32_t value) {
  int64_t end = 0;
  for (uint32_t i = 1;; ++i) {
    if (atomic_load_explicit(&event->word, memory_order_acquire) != value)
      return;
    hgc_rti_pause();
    if (i % SPINS_PER_CLOCK)
      continue;
    int64_t now = hgc_rti_now_ns();
    if (!end)
      end = now + SPIN_NS;
    else if (now >= end)
      break;
  }
  /* The waker reads `sleepers` after it changed the word, the kernel reads the
   * word after we raised `sleepers`: one of the two sees the other. */
  atomic_fetch_add(&event->sleepers, 1);
  syscall(SYS_futex, &event->word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, value, NULL,
          NULL, 0);
  atomic_fetch_sub(&event->sleepers, 1);
}

/* To be called after the word was changed with sequential consistency. */
void hgc_rti_event_wake(hgc_rti_event *event, int32_t count) {
  if (atomic_load(&event->sleepers))
    syscall(SYS_futex, &event->word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, count,
            NULL, NULL, 0);
}

/* The application's signal handlers must not run on our threads; faults and
 * profilers are about the thread itself and stay. The kernel's mask is one
 * 64-bit word, smaller than libc's. */
int hgc_rti_thread_start(pthread_t *thread, void *(*fn)(void *), void *arg) {
  static const uint8_t kept[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                                 SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
  uint64_t mask = ~UINT64_C(0), old = 0;
  for (size_t i = 0; i < sizeof(kept); ++i)
    mask &= ~(UINT64_C(1) << (kept[i] - 1));
  long changed = syscall(SYS_rt_sigprocmask, SIG_BLOCK, &mask, &old, 8);
  int failed = pthread_create(thread, NULL, fn, arg);
  if (changed == 0)
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &old, NULL, 8);
  return failed;
}

/* A page that holds 1 and reads as 0 in a forked child: a load per call instead
 * of a system call. NULL where the kernel has no such pages. */
_Atomic uint32_t *hgc_rti_fork_mark_create(void) {
  void *page = mmap(NULL, MARK_BYTES, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    return NULL;
  if (madvise(page, MARK_BYTES, MADV_WIPEONFORK)) {
    munmap(page, MARK_BYTES);
    return NULL;
  }
  _Atomic uint32_t *mark = page;
  atomic_store(mark, 1);
  return mark;
}

void hgc_rti_fork_mark_destroy(_Atomic uint32_t *mark) {
  if (mark)
    munmap((void *)mark, MARK_BYTES);
}
