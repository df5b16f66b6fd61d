/* What the comparison with peers measures without an interpreter: the time of
   calls, the peak of fused multiply-adds, the bandwidth of memory, and whether
   somebody else uses the cores. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __AVX__
#include <immintrin.h>
#endif

/* Vectors, and stores of them past the caches where there are such. */
#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#define STORE_PAST(to, value) _mm512_stream_ps((float *)(to), (__m512)(value))
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#define STORE_PAST(to, value) _mm256_stream_ps((float *)(to), (__m256)(value))
#else
#define VECTOR_BYTES 32
#define STORE_PAST(to, value) (*(vec *)(to) = (value))
#endif
typedef float vec __attribute__((vector_size(VECTOR_BYTES)));
enum { LANES = VECTOR_BYTES / sizeof(float), CHAINS = 12, MAX_THREADS = 64 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef uintptr_t (*call_fn)(uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                             uintptr_t, uintptr_t, uintptr_t, uintptr_t);

/* Calls `fn` with up to eight integer or pointer arguments for some seconds, at
   least `least` times; writes the seconds of each call. Returns the number of
   calls, or -1 - status when one gave a status other than 0. */
int64_t bench_calls(void *fn, const uintptr_t *a, double seconds, int64_t least,
                    double *times, int64_t capacity) {
  call_fn call = (call_fn)fn;
  int64_t count = 0;
  double start = now(), before = start;
  while (count < capacity && (count < least || before - start < seconds)) {
    /* Status codes have 32 bits; the rest of the register is not defined. */
    uintptr_t status = call(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
    double after = now();
    if ((uint32_t)status != 0)
      return -1 - (int64_t)(uint32_t)status;
    times[count++] = after - before;
    before = after;
  }
  return count;
}

/* Calls `fn` once for each of `count` steps. Step number `n`, from 1, is written to
   `step`; its argument number `moving` is `a[moving]` plus `stride` for each batch
   before, of which there are `batches`. Returns the first status other than 0. */
int64_t bench_steps(void *fn, const uintptr_t *a, int moving, size_t stride,
                    int64_t batches, int64_t *step, int64_t first,
                    int64_t count) {
  call_fn call = (call_fn)fn;
  uintptr_t b[8];
  memcpy(b, a, sizeof b);
  for (int64_t n = first; n < first + count; ++n) {
    *step = n;
    b[moving] = a[moving] + stride * (size_t)((n - 1) % batches);
    uintptr_t status = call(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]);
    if ((uint32_t)status != 0)
      return (int64_t)(uint32_t)status;
  }
  return 0;
}

enum { FMA, READ, COPY, STREAM };

/* What a thread does; passes through memory begin and end together. */
struct job {
  int kind, number;
  char *from, *to;
  size_t bytes;
  double seconds, rate;
  struct team *team;
};

enum { MAX_PASSES = 100000 };
struct team {
  pthread_barrier_t barrier;
  int done;
  int passes;
  double times[MAX_PASSES];
};

/* Independent chains, enough to hide the latency of two units. Results are used,
   or the loop would be dropped. */
static double fma_rate(double seconds) {
  vec acc[CHAINS];
  const vec factor = (vec){0} + 0.999f, term = (vec){0} + 0.001f;
  for (int i = 0; i < CHAINS; ++i)
    acc[i] = term * (float)i;
  double best = 0, end = now() + seconds;
  do {
    enum { STEPS = 100000 };
    double start = now();
    for (int s = 0; s < STEPS; ++s)
      /* Unrolled, so that every chain has a register of its own. */
#pragma GCC unroll 12
      for (int i = 0; i < CHAINS; ++i)
        acc[i] = acc[i] * factor + term;
    for (int i = 0; i < CHAINS; ++i)
      __asm__ volatile("" : "+m"(acc[i]));
    double rate = 2.0 * LANES * CHAINS * STEPS / (now() - start);
    best = rate > best ? rate : best;
  } while (now() < end);
  return best;
}

static void read_all(const char *from, size_t bytes) {
  vec sum[8] = {0};
  for (size_t i = 0; i + sizeof sum <= bytes; i += sizeof sum)
    for (int k = 0; k < 8; ++k)
      sum[k] += *(const vec *)(from + i + (size_t)k * sizeof(vec));
  for (int k = 0; k < 8; ++k)
    __asm__ volatile("" : "+x"(sum[k]));
}

/* Stores past the caches, which need not read what they replace. */
static void stream_all(char *to, const char *from, size_t bytes) {
  for (size_t i = 0; i + sizeof(vec) <= bytes; i += sizeof(vec))
    STORE_PAST(to + i, *(const vec *)(from + i));
  atomic_thread_fence(memory_order_seq_cst);
}

static void pass(const struct job *job) {
  if (job->kind == READ)
    read_all(job->from, job->bytes);
  else if (job->kind == COPY)
    memcpy(job->to, job->from, job->bytes);
  else
    stream_all(job->to, job->from, job->bytes);
}

static void *run_job(void *argument) {
  struct job *job = argument;
  struct team *team = job->team;
  if (job->kind == FMA) {
    job->rate = fma_rate(job->seconds);
    return NULL;
  }
  double end = now() + job->seconds;
  for (;;) {
    if (job->number == 0)
      team->done = now() >= end || team->passes == MAX_PASSES;
    pthread_barrier_wait(&team->barrier);
    if (team->done)
      return NULL;
    double start = now();
    pass(job);
    pthread_barrier_wait(&team->barrier);
    if (job->number == 0)
      team->times[team->passes++] = now() - start;
  }
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median_time(struct team *team) {
  qsort(team->times, (size_t)team->passes, sizeof(double), compare);
  return team->times[team->passes / 2];
}

static char *allocate(size_t bytes) {
  char *data = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (data)
    memset(data, 1, bytes);
  return data;
}

/* Rate of all threads together: the best FLOP/s (kind 0), or bytes/s of the median
   pass that reads (kind 1) or copies a working set of `bytes`, shared by the threads,
   with plain stores (kind 2) or with stores past the caches (kind 3). Negative when
   memory or threads are lacking. */
double bench_rate(int kind, size_t bytes, int threads, double seconds) {
  static struct team team;
  struct job jobs[MAX_THREADS];
  pthread_t ids[MAX_THREADS];
  if (threads < 1 || threads > MAX_THREADS || pthread_barrier_init(&team.barrier, NULL, (unsigned)threads))
    return -1;
  team.passes = 0;
  double rate = 0;
  int started = 0, failed = 0, copies = kind == COPY || kind == STREAM;
  size_t share = bytes / (size_t)threads / (copies ? 2 : 1) / 64 * 64;
  for (int i = 0; i < threads; ++i) {
    jobs[i] = (struct job){kind, i, NULL, NULL, share, seconds, 0, &team};
    if (kind != FMA)
      failed |= !(jobs[i].from = allocate(share));
    if (copies)
      failed |= !(jobs[i].to = allocate(share));
  }
  for (; !failed && started < threads; ++started)
    if (pthread_create(&ids[started], NULL, run_job, &jobs[started]))
      abort(); /* the others would wait for it */
  for (int i = 0; i < started; ++i) {
    pthread_join(ids[i], NULL);
    rate += jobs[i].rate;
  }
  if (!failed && kind != FMA)
    rate = (double)share * threads * (copies ? 2 : 1) / median_time(&team);
  for (int i = 0; i < threads; ++i) {
    free(jobs[i].from);
    free(jobs[i].to);
  }
  pthread_barrier_destroy(&team.barrier);
  return failed ? -1 : rate;
}

static void pin(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

/* Sums that fill a core's front end: who shares the core takes up to half of it. */
static void add_integers(int steps) {
  uint64_t sums[6] = {0};
  for (int s = 0; s < steps; ++s)
#pragma GCC unroll 6
    for (int i = 0; i < 6; ++i) {
      sums[i] += (uint64_t)s;
      __asm__ volatile("" : "+r"(sums[i]));
    }
}

struct watch {
  int core;
  double seconds, pace;
};

static void *run_watch(void *argument) {
  struct watch *watch = argument;
  pin(watch->core);
  enum { STEPS = 10000 };
  int64_t count = 0;
  double start = now(), end = start;
  for (; end - start < watch->seconds; end = now(), ++count)
    add_integers(STEPS);
  watch->pace = (end - start) / (double)count;
  return NULL;
}

struct exchange {
  _Alignas(64) atomic_int turn;
  int asker, core, count;
  double seconds;
};

static void *answer_turns(void *argument) {
  struct exchange *exchange = argument;
  pin(exchange->core);
  for (int i = 0; i < exchange->count; ++i) {
    while (atomic_load(&exchange->turn) != 2 * i + 1)
      ;
    atomic_store(&exchange->turn, 2 * i + 2);
  }
  return NULL;
}

static void *ask_turns(void *argument) {
  struct exchange *exchange = argument;
  pthread_t other;
  pin(exchange->asker);
  if (pthread_create(&other, NULL, answer_turns, exchange))
    return NULL;
  double start = 0;
  for (int i = 0; i < exchange->count; ++i) {
    if (i == exchange->count / 2)
      start = now(); /* the other one has begun by now */
    atomic_store(&exchange->turn, 2 * i + 1);
    while (atomic_load(&exchange->turn) != 2 * i + 2)
      ;
  }
  exchange->seconds = (now() - start) / (exchange->count - exchange->count / 2);
  pthread_join(other, NULL);
  return NULL;
}

/* Seconds in which a cache line goes from one core to another and back, the mean of half of `count` times; negative
   when threads are lacking. */
double bench_exchange(int first, int second, int count) {
  struct exchange exchange = {0, first, second, count, -1};
  pthread_t thread;
  if (count >= 2 && !pthread_create(&thread, NULL, ask_turns, &exchange))
    pthread_join(thread, NULL);
  return exchange.seconds;
}

/* Seconds for some fixed work on the slowest of these cores, the mean of what fits
   into so many seconds: it grows when others use the cores, or their other halves. */
double bench_pace(const int *cores, int count, double seconds) {
  struct watch watches[MAX_THREADS];
  pthread_t ids[MAX_THREADS];
  double slowest = 0;
  if (count < 1 || count > MAX_THREADS)
    return -1;
  for (int i = 0; i < count; ++i) {
    watches[i] = (struct watch){cores[i], seconds, 0};
    if (pthread_create(&ids[i], NULL, run_watch, &watches[i]))
      abort(); /* results would say nothing */
  }
  for (int i = 0; i < count; ++i) {
    pthread_join(ids[i], NULL);
    slowest = watches[i].pace > slowest ? watches[i].pace : slowest;
  }
  return slowest;
}
