/*===- trace.c - HGC_TRACE: a Chrome trace of every kernel ------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Events collect in a buffer taken at create and reach the file when it is full
 * and at destroy. Instances, and libraries, of one process share the file: who
 * finds this process' header appends to it, who finds anything else starts
 * anew. The file is a complete JSON document after every write.
 *===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include "runtime.h"
#include "text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EVENTS 4096
#define GPU_LANES 10000000 /* beyond what Linux numbers threads with */
#define END "\n]}\n"

typedef struct event {
  hgc_rt_kernel_timing timing; /* without `ops`: a whole call */
  int64_t thread;
} event;

typedef struct hgc_rti_trace {
  int64_t bytes; /* of this allocation */
  int64_t count;
  const char *path;
  event events[EVENTS];
} hgc_rti_trace;

hgc_rt_status hgc_rti_trace_open(hgc_rti_model *model) {
  const char *path = getenv("HGC_TRACE");
  if (path && *path) {
    size_t length = strlen(path) + 1;
    int64_t bytes = (int64_t)(sizeof(hgc_rti_trace) + length);
    hgc_rti_trace *trace =
        hgc_rti_alloc(&model->options, bytes, HGC_RTI_CACHE_LINE);
    if (!trace)
      return HGC_RT_OUT_OF_MEMORY;
    trace->bytes = bytes;
    trace->count = 0;
    trace->path = memcpy(trace + 1, path, length);
    model->trace = trace;
  }
  model->timing = model->trace || model->options.kernel_timing;
  return HGC_RT_OK;
}

static int write_all(int fd, const char *data, int64_t bytes) {
  while (bytes > 0) {
    ssize_t n = write(fd, data, (size_t)bytes);
    if (n <= 0)
      return 0;
    data += n;
    bytes -= n;
  }
  return 1;
}

static void put_microseconds(hgc_rti_text *text, const char *key, int64_t ns) {
  char fraction[5] = {'.', (char)('0' + ns / 100 % 10),
                      (char)('0' + ns / 10 % 10), (char)('0' + ns % 10), 0};
  hgc_rti_text_field_int(text, key, ns / 1000);
  hgc_rti_text_put(text, fraction);
}

static void put_event(hgc_rti_text *text, const hgc_rti_model *model,
                      const event *e) {
  const hgc_rt_kernel_timing *t = &e->timing;
  hgc_rti_text_put(text, "{");
  hgc_rti_text_field(text, "name", t->name);
  hgc_rti_text_field(text, "cat", t->ops ? "kernel" : "call");
  hgc_rti_text_field(text, "ph", "X");
  put_microseconds(text, "ts", t->begin_ns);
  put_microseconds(text, "dur", t->end_ns - t->begin_ns);
  hgc_rti_text_field_int(text, "pid", getpid());
  hgc_rti_text_field_int(text, "tid", e->thread);
  hgc_rti_text_put(text, ",\"args\":{");
  hgc_rti_text_field(text, "model", model->desc->name);
  hgc_rti_text_field(text, "device",
                     t->gpu < 0 && t->ops
                         ? "cpu"
                         : hgc_rti_device_kind_name(model->device.kind));
  if (t->ops) {
    hgc_rti_text_field(text, "ops", t->ops);
    hgc_rti_text_field(text, "location", t->location);
    hgc_rti_text_field_int(text, "units", t->units);
    hgc_rti_text_field_int(text, "ranges", t->ranges);
    hgc_rti_text_field_int(text, "flops", t->flops);
    hgc_rti_text_field_int(text, "bytes", t->bytes);
  }
  if (t->gpu >= 0) {
    hgc_rti_text_field_int(text, "gpu", t->gpu);
    hgc_rti_text_field_int(text, "stream", t->stream);
  }
  hgc_rti_text_put(text, "}}");
}

/* The random bytes the kernel gives each program tell processes with the same
 * number apart, in containers for instance. */
static void put_header(hgc_rti_text *text) {
  const void *random = (const void *)getauxval(AT_RANDOM);
  int64_t id = 0;
  if (random)
    memcpy(&id, random, sizeof(id));
  hgc_rti_text_put(text, "{\"displayTimeUnit\":\"ns\",\"otherData\":{");
  hgc_rti_text_field_int(text, "pid", getpid());
  hgc_rti_text_key(text, "run");
  hgc_rti_text_put(text, "\"");
  hgc_rti_text_int(text, id);
  hgc_rti_text_put(text, "\"},\"traceEvents\":[\n");
}

/* Places the file where the next event goes; `*first` if there is none yet. */
static int open_trace(const char *path, int *first) {
  char ours[160], found[160];
  hgc_rti_text header;
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0)
    return -1;
  hgc_rti_text_init(&header, ours, sizeof(ours));
  put_header(&header);
  flock(fd, LOCK_EX);
  *first = read(fd, found, (size_t)header.length) != header.length ||
           memcmp(ours, found, (size_t)header.length) != 0;
  int good;
  if (*first)
    good = lseek(fd, 0, SEEK_SET) == 0 && ftruncate(fd, 0) == 0 &&
           write_all(fd, ours, header.length);
  else
    good = lseek(fd, -(off_t)(sizeof(END) - 1), SEEK_END) > 0;
  if (good)
    return fd;
  close(fd);
  return -1;
}

static int write_events(const hgc_rti_model *model, int fd, int first) {
  char buffer[4096];
  hgc_rti_text text;
  for (int64_t i = 0; i < model->trace->count; ++i) {
    hgc_rti_text_init(&text, buffer, sizeof(buffer));
    hgc_rti_text_put(&text, i || !first ? ",\n" : "");
    put_event(&text, model, &model->trace->events[i]);
    /* An event with a giant list of operations is left out, not cut. */
    if (text.length >= text.capacity) {
      hgc_rti_text_init(&text, buffer, sizeof(buffer));
      hgc_rti_text_put(&text, i || !first ? ",\n{}" : "{}");
    }
    if (!write_all(fd, buffer, text.length))
      return 0;
  }
  return write_all(fd, END, sizeof(END) - 1);
}

static void flush(hgc_rti_model *model) {
  hgc_rti_trace *trace = model->trace;
  int first = 0, good = 0;
  if (trace->count == 0)
    return;
  int fd = open_trace(trace->path, &first);
  if (fd >= 0) {
    good = write_events(model, fd, first);
    close(fd); /* and with it the lock */
  }
  if (!good)
    hgc_rti_log(model, HGC_RT_LOG_WARNING,
                "hgc: warning: cannot write %lld trace events to '%s'\n"
                "hint: set HGC_TRACE to a file this process may write",
                (long long)trace->count, trace->path);
  trace->count = 0;
}

static void add(hgc_rti_model *model, const hgc_rt_kernel_timing *t) {
  hgc_rti_trace *trace = model->trace;
  if (!trace)
    return;
  if (trace->count == EVENTS)
    flush(model);
  event *e = &trace->events[trace->count++];
  e->timing = *t;
  e->thread = t->gpu < 0 ? (int64_t)syscall(SYS_gettid)
                         : GPU_LANES + t->gpu * 100 + t->stream;
}

void hgc_rti_trace_kernel(hgc_rti_model *model, const hgc_rt_kernel_timing *t) {
  if (model->options.kernel_timing)
    model->options.kernel_timing(model->options.timing_user, t);
  add(model, t);
}

void hgc_rti_trace_call(hgc_rti_model *model, int64_t begin_ns) {
  hgc_rt_kernel_timing t = {
      .name = model->desc->entries[model->current_entry].info.name,
      .begin_ns = begin_ns,
      .end_ns = hgc_rti_now_ns(),
      .gpu = HGC_RT_HOST};
  add(model, &t);
}

/* In a forked child: what is in the buffer is the parent's to write. */
void hgc_rti_trace_forked(hgc_rti_model *model) {
  if (model->trace)
    model->trace->count = 0;
}

void hgc_rti_trace_close(hgc_rti_model *model) {
  if (!model->trace)
    return;
  flush(model);
  hgc_rti_free(&model->options, model->trace, model->trace->bytes,
               HGC_RTI_CACHE_LINE);
}
