/*===- error.c - messages of the last failure and the log -------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The message is thread local, so that two threads with an instance each never
 * read each other's. The hint is what the user can act on: a long message is
 * cut before it, never through it.
 *===----------------------------------------------------------------------===*/

#include "runtime.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static _Thread_local char last_error[HGC_RTI_ERROR_SIZE];

const char *hgc_rt_last_error(void) { return last_error; }

void hgc_rti_error_set(const char *message) {
  size_t n = strlen(message);
  if (n >= sizeof(last_error))
    n = sizeof(last_error) - 1;
  memcpy(last_error, message, n);
  last_error[n] = 0;
}

void hgc_rti_error_clear(void) { last_error[0] = 0; }

hgc_rt_status hgc_rti_error(hgc_rt_status code, const char *hint,
                            const char *fmt, ...) {
  static const char lead[] = "\nhint: ", more[] = "...";
  size_t hint_length = strlen(hint), most = sizeof(last_error) / 2;
  if (hint_length > most)
    hint_length = most;
  size_t tail = sizeof(lead) - 1 + hint_length;
  size_t room = sizeof(last_error) - tail - sizeof(more);
  va_list list;
  va_start(list, fmt);
  int wanted = vsnprintf(last_error, room, fmt, list);
  va_end(list);
  size_t n = wanted < 0 ? 0 : (size_t)wanted;
  if (n >= room) {
    n = room - 1;
    memcpy(last_error + n, more, sizeof(more) - 1);
    n += sizeof(more) - 1;
  }
  memcpy(last_error + n, lead, sizeof(lead) - 1);
  memcpy(last_error + n + sizeof(lead) - 1, hint, hint_length);
  last_error[n + tail] = 0;
  return code;
}

void hgc_rti_log(const hgc_rti_model *model, hgc_rt_log_level level,
                 const char *fmt, ...) {
  char text[HGC_RTI_ERROR_SIZE];
  va_list list;
  if (!model->options.log && level < model->log_level)
    return;
  va_start(list, fmt);
  int n = vsnprintf(text, sizeof(text) - 1, fmt, list);
  va_end(list);
  if (n < 0)
    return;
  if (model->options.log) {
    model->options.log(model->options.log_user, level, text);
    return;
  }
  if (n > (int)sizeof(text) - 2)
    n = (int)sizeof(text) - 2;
  text[n] = '\n';
  if (write(2, text, (size_t)n + 1) < 0)
    return; /* Nobody is left to be told. */
}
