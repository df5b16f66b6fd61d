/* A library in the life of a process: loaded and unloaded with threads alive,
 * forked, called from several threads, through tickets.
 *
 * RUN: rm -rf %t && mkdir %t && cd %t
 * RUN: hgc compile %examples/mlp/mlp.mlir -o mlp.so
 * RUN: %cc -std=gnu11 -Wall -Wextra -Werror %s -I. -I%S/Inputs -ldl -lm -pthread -o main
 * RUN: ./main ./mlp.so
 */
#include "check.h"
#include "hgc_rt.h"

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static float x[32 * 784], want[32 * 10];
static const int64_t x_dims[] = {32, 784}, y_dims[] = {32, 10};

static const hgc_rt_model_export *load(const char *path, void **handle) {
  *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  CHECK(*handle);
  hgc_rt_model_v1_fn get = (hgc_rt_model_v1_fn)dlsym(*handle, "hgc_model_v1");
  CHECK(get && get());
  return get();
}

static hgc_rt_model *create(const hgc_rt_model_export *library, int threads) {
  hgc_rt_options options = hgc_rt_options_default();
  options.num_threads = threads;
  hgc_rt_model *model = NULL;
  CHECK_OK(library->create(library, &options, &model), library->last_error());
  return model;
}

static hgc_rt_tensor tensor(float *data, const int64_t *dims) {
  hgc_rt_tensor t = {data, dims, NULL, HGC_RT_F32, 2};
  return t;
}

static void call(hgc_rt_model *model, float *y) {
  hgc_rt_tensor in = tensor(x, x_dims), out = tensor(y, y_dims);
  CHECK_OK(hgc_rt_model_call(model, 0, &in, 1, &out, 1), hgc_rt_model_last_error(model));
}

static void expect(hgc_rt_model *model) {
  float y[32 * 10];
  memset(y, 0xff, sizeof(y));
  call(model, y);
  CHECK(!memcmp(y, want, sizeof(y)));
}

static int count_threads(void) {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *entry; (entry = readdir(tasks));)
    count += entry->d_name[0] != '.';
  closedir(tasks);
  return count;
}

/* A joined thread leaves the process' books a moment later. */
static int is_alone(void) {
  for (int i = 0; i < 20000 && count_threads() != 1; ++i)
    usleep(1000);
  return count_threads() == 1;
}

/* A child has none of the parent's worker threads, and needs them again. */
static void check_fork(hgc_rt_model *model) {
  expect(model);
  for (int i = 0; i < 3; ++i) {
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      alarm(300);
      expect(model);
      expect(model);
      _exit(0);
    }
    expect(model);
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

/* Two calls in flight, in order; a third is refused; tickets are spent once. */
static void check_tickets(hgc_rt_model *model) {
  static float y[3][32 * 10];
  hgc_rt_tensor in = tensor(x, x_dims), out[3];
  hgc_rt_ticket tickets[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i)
    out[i] = tensor(y[i], y_dims);
  for (int round = 0; round < 20; ++round) {
    memset(y, 0xff, sizeof(y));
    for (int i = 0; i < 2; ++i)
      CHECK_OK(hgc_rt_model_start(model, 0, &in, 1, &out[i], 1, &tickets[i]), hgc_rt_model_last_error(model));
    CHECK(hgc_rt_model_start(model, 0, &in, 1, &out[2], 1, &tickets[2]) == HGC_RT_BUSY);
    CHECK(hgc_rt_model_call(model, 0, &in, 1, &out[2], 1) == HGC_RT_BUSY);
    for (int i = 0; i < 2; ++i) {
      CHECK_OK(hgc_rt_model_wait(model, tickets[i]), hgc_rt_model_last_error(model));
      CHECK(hgc_rt_model_wait(model, tickets[i]) == HGC_RT_INVALID_ARGUMENT);
      CHECK(!memcmp(y[i], want, sizeof(want)));
    }
  }
  CHECK(tickets[0] != 0 && tickets[0] != tickets[1] && tickets[2] == 0);
  CHECK(hgc_rt_model_wait(model, 12345) == HGC_RT_INVALID_ARGUMENT);
}

static void *work(void *model) {
  for (int i = 0; i < 50; ++i)
    expect(model);
  return NULL;
}

static void check_instances(const hgc_rt_model_export *library) {
  hgc_rt_model *models[3];
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i)
    models[i] = create(library, i + 1);
  for (int i = 0; i < 3; ++i)
    CHECK(!pthread_create(&threads[i], NULL, work, models[i]));
  for (int i = 0; i < 3; ++i)
    CHECK(!pthread_join(threads[i], NULL));
  for (int i = 0; i < 3; ++i)
    hgc_rt_model_destroy(models[i]);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  alarm(600);
  fill(x, 32 * 784);
  void *handle;
  const hgc_rt_model_export *library = load(argv[1], &handle);
  hgc_rt_model *one = create(library, 1), *two = create(library, 2);
  call(one, want);
  expect(two);
  check_fork(two);
  check_tickets(one);
  check_tickets(two);
  CHECK_OK(hgc_rt_model_set_threads(one, 3), hgc_rt_model_last_error(one));
  expect(one);
  hgc_rt_model_destroy(one);
  hgc_rt_model_destroy(two);
  check_instances(library);
  CHECK(is_alone());
  dlclose(handle);

  /* Unloading while workers spin or sleep would crash in their code. */
  for (int i = 0; i < 20; ++i) {
    library = load(argv[1], &handle);
    hgc_rt_model *model = create(library, 2 + i % 3);
    expect(model);
    if (i % 2)
      usleep(300);
    hgc_rt_model_destroy(model);
    CHECK(dlclose(handle) == 0);
    CHECK(is_alone() && !dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD));
  }
  return 0;
}
