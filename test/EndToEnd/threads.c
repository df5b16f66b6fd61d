/* Two threads, two models, 10,000 calls each: under ThreadSanitizer, under
 * AddressSanitizer, and without them counting what is allocated: nothing. Each
 * thread has an instance of both models; every other call goes through a ticket,
 * and every 100th to an instance that both threads want.
 *
 * RUN: rm -rf %t && mkdir -p %t/thread %t/address && cd %t
 * RUN: hgc compile %S/Inputs/pair.mlir --name=first --sanitize=thread --emit=staticlib -o thread/first.a
 * RUN: hgc compile %S/Inputs/pair.mlir --name=second --sanitize=thread --emit=staticlib -o thread/second.a
 * RUN: gcc -std=gnu11 -O1 -g -fsanitize=thread %s -I%S/Inputs -Ithread thread/first.a thread/second.a -lm -pthread -o thread/main
 * RUN: env TSAN_OPTIONS=halt_on_error=1 ./thread/main 10000
 *
 * RUN: hgc compile %S/Inputs/pair.mlir --name=first --sanitize=address --emit=staticlib -o address/first.a
 * RUN: hgc compile %S/Inputs/pair.mlir --name=second --sanitize=address --emit=staticlib -o address/second.a
 * RUN: gcc -std=gnu11 -O1 -g -fsanitize=address,undefined %s -I%S/Inputs -Iaddress address/first.a address/second.a -lm -pthread -o address/main
 * RUN: ./address/main 10000
 *
 * RUN: hgc compile %S/Inputs/pair.mlir --name=first -o first.so
 * RUN: hgc compile %S/Inputs/pair.mlir --name=second -o second.so
 * RUN: gcc -std=gnu11 -O1 -DCOUNT_ALLOCATIONS %s -I%S/Inputs -I. first.so second.so -lm -pthread -Wl,-rpath,%t -o main
 * RUN: ./main 10000
 */
#include "check.h"
#include "first.h"
#include "second.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_int armed, allocations;

#ifdef COUNT_ALLOCATIONS
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* All ways to memory lead through here, also those of the libraries. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

void *malloc(size_t bytes) {
  allocations += armed;
  return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
  allocations += armed;
  return __libc_calloc(count, bytes);
}

void *realloc(void *pointer, size_t bytes) {
  allocations += armed;
  return __libc_realloc(pointer, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  allocations += armed;
  return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t bytes) {
  *out = aligned_alloc(alignment, bytes);
  return *out ? 0 : 12;
}

void *mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset) {
  allocations += armed;
  return (void *)syscall(SYS_mmap, address, bytes, protection, flags, file, offset);
}
#endif

static int calls;
static first *shared;
static atomic_int shared_calls;
static pthread_barrier_t ready, finished;

/* One thread at a time; the other one is told so. */
static void call_shared(const float *x, float *y) {
  hgc_rt_status status = first_run(shared, 1, x, y);
  CHECK(status == HGC_RT_OK || status == HGC_RT_BUSY);
  shared_calls += status == HGC_RT_OK;
}

static void *work(void *number) {
  first *one = NULL;
  second *two = NULL;
  hgc_rt_options options = hgc_rt_options_default();
  options.num_threads = number ? 2 : 1;
  CHECK_OK(first_create(&options, &one), first_last_error());
  CHECK_OK(second_create(&options, &two), second_last_error());
  float x[4 * 8], y[4 * 8], z[8], other[8];
  hgc_rt_ticket ticket;
  fill(x, 4 * 8);
  /* The first calls may start threads. */
  CHECK_OK(first_run(one, 4, x, y), first_last_error());
  CHECK_OK(second_run_start(two, 4, x, y, &ticket), second_last_error());
  CHECK_OK(second_wait(two, ticket), second_last_error());
  pthread_barrier_wait(&ready);
  armed = 1;
  for (int i = 0; i < calls; ++i) {
    CHECK_OK(first_run(one, 4, x, y), first_last_error());
    if (i % 2) {
      CHECK_OK(second_run(two, 1, x, z), second_last_error());
    } else {
      CHECK_OK(second_run_start(two, 1, x, z, &ticket), second_last_error());
      CHECK_OK(second_wait(two, ticket), second_last_error());
    }
    CHECK(!memcmp(y, z, sizeof(z)));
    if (i % 100 == 0)
      call_shared(x, other);
  }
  pthread_barrier_wait(&finished);
  armed = 0;
  int64_t count = 0;
  CHECK_OK(hgc_rt_model_get_param((hgc_rt_model *)one, 1, &count, sizeof(count)), first_last_error());
  CHECK(count == calls + 1);
  first_destroy(one);
  second_destroy(two);
  return NULL;
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  calls = atoi(argv[1]);
  CHECK_OK(first_create(NULL, &shared), first_last_error());
  CHECK(!strcmp(hgc_rt_model_param_info((hgc_rt_model *)shared, 1)->tensor.name, "calls"));
  pthread_barrier_init(&ready, NULL, 2);
  pthread_barrier_init(&finished, NULL, 2);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i)
    CHECK(!pthread_create(&threads[i], NULL, work, i ? &threads : NULL));
  for (int i = 0; i < 2; ++i)
    CHECK(!pthread_join(threads[i], NULL));
  first_destroy(shared);
  CHECK(shared_calls > 0);
  CHECK(allocations == 0);
  return 0;
}
