/*===- checkpoint.c - mutable parameters in a safetensors file --------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A file is written beside its final place, brought to the disk and renamed: a
 * full disk or a crash leaves the old one. It is read as a whole before the
 * first parameter changes.
 *===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include "runtime.h"
#include "safetensors.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PATH_SIZE 4096
#define ALIGNMENT 64
#define MOST_HEADER (64 << 20)
#define SAVE_HINT "check the folder, its permissions and the free space"
#define LOAD_HINT "load a file that save of this model wrote"

static int is_mutable(const hgc_rt_param_desc *p) {
  return (p->info.flags & HGC_RT_PARAM_MUTABLE) != 0;
}

/*--- Writing ---------------------------------------------------------------*/

/* The header, padded so that data are aligned; sizes only if `buffer` is NULL.
 */
static int64_t write_header(const hgc_rti_model *model, char *buffer,
                            int64_t capacity) {
  const hgc_rt_model_desc *desc = model->desc;
  hgc_rti_text text;
  int64_t offset = 0;
  hgc_rti_text_init(&text, buffer, capacity);
  hgc_rti_text_put(&text, "{\"__metadata__\":{");
  hgc_rti_text_field(&text, "format", "hgc");
  hgc_rti_text_field(&text, "model", desc->name);
  hgc_rti_text_put(&text, "}");
  for (int32_t i = 0; i < desc->n_params; ++i) {
    const hgc_rt_param_info *info = &desc->params[i].info;
    if (!is_mutable(&desc->params[i]))
      continue;
    hgc_rti_text_key(&text, info->tensor.name);
    hgc_rti_text_put(&text, "{");
    hgc_rti_text_field(&text, "dtype",
                       hgc_rti_safetensors_type(info->tensor.dtype));
    hgc_rti_text_key(&text, "shape");
    hgc_rti_text_put(&text, "[");
    for (int32_t d = 0; d < info->tensor.rank; ++d) {
      hgc_rti_text_next(&text);
      hgc_rti_text_int(&text, info->tensor.dims[d]);
    }
    hgc_rti_text_put(&text, "]");
    hgc_rti_text_key(&text, "data_offsets");
    hgc_rti_text_put(&text, "[");
    hgc_rti_text_int(&text, offset);
    hgc_rti_text_next(&text);
    offset += info->bytes;
    hgc_rti_text_int(&text, offset);
    hgc_rti_text_put(&text, "]}");
  }
  hgc_rti_text_put(&text, "}");
  while ((8 + text.length) % ALIGNMENT)
    hgc_rti_text_put(&text, " ");
  return text.length;
}

static int write_all(int fd, const void *data, int64_t bytes) {
  const char *at = data;
  while (bytes > 0) {
    ssize_t n = write(fd, at, bytes > 1 << 30 ? 1 << 30 : (size_t)bytes);
    if (n < 0 && errno == EINTR)
      continue;
    if (n == 0)
      errno = ENOSPC;
    if (n <= 0)
      return 0;
    at += n;
    bytes -= n;
  }
  return 1;
}

static hgc_rt_status cannot(const char *what, const char *path, int code) {
  return hgc_rti_error(HGC_RT_IO_ERROR, SAVE_HINT, "cannot %s '%s'%s", what,
                       path,
                       code == ENOSPC   ? ": no space left on the device"
                       : code == EDQUOT ? ": the disk quota is used up"
                       : code == EACCES ? ": permission denied"
                       : code == EROFS  ? ": the file system is read-only"
                       : code == EISDIR ? ": it is a folder"
                       : code == ENOENT ? ": no such folder"
                                        : "");
}

/* What is on a GPU comes through `buffer`. */
static hgc_rt_status write_params(hgc_rti_model *model, int fd,
                                  const char *path, void *buffer) {
  const hgc_rt_model_desc *desc = model->desc;
  for (int32_t i = 0; i < desc->n_params; ++i) {
    const hgc_rt_param_desc *p = &desc->params[i];
    if (!is_mutable(p))
      continue;
    const hgc_rt_gpu_param_desc *home = hgc_rti_device_home(model, i);
    const void *data = home ? buffer : model->ctx.state + p->offset;
    if (home) {
      hgc_rt_status status = hgc_rti_cuda.param_get(model, home, buffer);
      if (status != HGC_RT_OK)
        return status;
    }
    if (!write_all(fd, data, p->info.bytes))
      return cannot("write", path, errno);
  }
  return HGC_RT_OK;
}

static hgc_rt_status write_file(hgc_rti_model *model, int fd, const char *path,
                                char *header, int64_t length, void *buffer) {
  uint8_t size[8];
  write_header(model, header, length + 1);
  for (int i = 0; i < 8; ++i)
    size[i] = (uint8_t)((uint64_t)length >> 8 * i);
  if (!write_all(fd, size, 8) || !write_all(fd, header, length))
    return cannot("write", path, errno);
  hgc_rt_status status = write_params(model, fd, path, buffer);
  if (status == HGC_RT_OK && syscall(SYS_fsync, fd))
    status = cannot("write", path, errno);
  return status;
}

/* A rename is on the disk once its folder is. */
static void sync_folder(char *path) {
  char *slash = NULL;
  for (char *c = path; *c; ++c)
    if (*c == '/')
      slash = c;
  if (slash)
    slash[slash == path] = 0;
  int fd = open(slash ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return;
  syscall(SYS_fsync, fd);
  close(fd);
}

static hgc_rt_status replace_file(hgc_rti_model *model, const char *path,
                                  char *header, int64_t length, void *buffer) {
  char temporary[PATH_SIZE];
  int n =
      snprintf(temporary, sizeof(temporary), "%s.%d.tmp", path, (int)getpid());
  if (n < 0 || n >= (int)sizeof(temporary))
    return hgc_rti_error(HGC_RT_INVALID_ARGUMENT, "use a shorter path",
                         "the path '%s' is too long", path);
  int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0)
    return cannot("create", temporary, errno);
  hgc_rt_status status =
      write_file(model, fd, temporary, header, length, buffer);
  close(fd);
  if (status == HGC_RT_OK &&
      syscall(SYS_renameat, AT_FDCWD, temporary, AT_FDCWD, path))
    status = cannot("replace", path, errno);
  if (status != HGC_RT_OK)
    syscall(SYS_unlinkat, AT_FDCWD, temporary, 0);
  else
    sync_folder(temporary);
  return status;
}

/* Room for the largest parameter that is on a GPU. */
static int64_t largest_remote(hgc_rti_model *model) {
  int64_t most = 0;
  for (int32_t i = 0; i < model->desc->n_params; ++i)
    if (hgc_rti_device_home(model, i) &&
        model->desc->params[i].info.bytes > most)
      most = model->desc->params[i].info.bytes;
  return most;
}

static hgc_rt_status save(hgc_rti_model *model, const char *path) {
  int64_t length = write_header(model, NULL, 0);
  int64_t room = hgc_rti_round_up(length + 1, ALIGNMENT);
  int64_t bytes = room + largest_remote(model);
  char *memory = hgc_rti_alloc(&model->options, bytes, ALIGNMENT);
  if (!memory)
    return HGC_RT_OUT_OF_MEMORY;
  hgc_rt_status status =
      replace_file(model, path, memory, length, memory + room);
  hgc_rti_free(&model->options, memory, bytes, ALIGNMENT);
  return status;
}

/*--- Reading ---------------------------------------------------------------*/

/* A file, and where it has each parameter (-1: not seen yet). */
typedef struct checkpoint {
  hgc_rti_model *model;
  const char *path;
  const uint8_t *data;
  int64_t data_bytes;
  int64_t *offsets;
} checkpoint;

static hgc_rt_status misfit(const checkpoint *file, const char *name,
                            const char *what) {
  return hgc_rti_error(HGC_RT_BAD_WEIGHTS, LOAD_HINT,
                       "'%s' does not fit model '%s': tensor '%s' %s",
                       file->path, file->model->desc->name, name, what);
}

static int32_t find_param(const hgc_rt_model_desc *desc, const char *name) {
  size_t length = strlen(name);
  for (int32_t i = 0; i < desc->n_params; ++i) {
    const char *other = desc->params[i].info.tensor.name;
    if (is_mutable(&desc->params[i]) && strlen(other) == length &&
        !memcmp(name, other, length))
      return i;
  }
  return -1;
}

static hgc_rt_status visit(void *user, const hgc_rti_entry *entry) {
  checkpoint *file = user;
  int32_t param = find_param(file->model->desc, entry->name);
  if (param < 0)
    return misfit(file, entry->name, "is no state of it");
  const hgc_rt_param_info *info = &file->model->desc->params[param].info;
  if (file->offsets[param] >= 0)
    return misfit(file, entry->name, "is there twice");
  if (entry->dtype != info->tensor.dtype)
    return misfit(file, entry->name, "has another element type");
  int same = entry->rank == info->tensor.rank;
  for (int32_t d = 0; same && d < entry->rank; ++d)
    same = entry->dims[d] == info->tensor.dims[d];
  if (!same)
    return misfit(file, entry->name, "has another shape");
  if (entry->end - entry->begin != info->bytes || entry->end > file->data_bytes)
    return misfit(file, entry->name, "is cut short");
  file->offsets[param] = entry->begin;
  return HGC_RT_OK;
}

static hgc_rt_status check_file(checkpoint *file, const uint8_t *map,
                                int64_t bytes) {
  const char *problem = NULL;
  uint64_t length = 0;
  for (int i = 0; bytes >= 8 && i < 8; ++i)
    length |= (uint64_t)map[i] << 8 * i;
  if (bytes < 8 || length > MOST_HEADER || (int64_t)length > bytes - 8)
    return hgc_rti_error(HGC_RT_BAD_WEIGHTS, LOAD_HINT,
                         "'%s' is no safetensors file, or is cut short",
                         file->path);
  file->data = map + 8 + length;
  file->data_bytes = bytes - 8 - (int64_t)length;
  for (int32_t i = 0; i < file->model->desc->n_params; ++i)
    file->offsets[i] = -1;
  hgc_rt_status status = hgc_rti_read_header(
      (const char *)map + 8, (int64_t)length, visit, file, &problem);
  if (problem)
    return hgc_rti_error(HGC_RT_BAD_WEIGHTS, LOAD_HINT, "the header of '%s' %s",
                         file->path, problem);
  for (int32_t i = 0; status == HGC_RT_OK && i < file->model->desc->n_params;
       ++i)
    if (is_mutable(&file->model->desc->params[i]) && file->offsets[i] < 0)
      status = misfit(file, file->model->desc->params[i].info.tensor.name,
                      "is missing");
  return status;
}

static hgc_rt_status apply(const checkpoint *file) {
  hgc_rti_model *model = file->model;
  for (int32_t i = 0; i < model->desc->n_params; ++i) {
    const hgc_rt_param_desc *p = &model->desc->params[i];
    if (!is_mutable(p))
      continue;
    const hgc_rt_gpu_param_desc *home = hgc_rti_device_home(model, i);
    const uint8_t *data = file->data + file->offsets[i];
    if (!home) {
      memcpy(model->ctx.state + p->offset, data, (size_t)p->info.bytes);
      continue;
    }
    hgc_rt_status status = hgc_rti_cuda.param_set(model, home, data);
    if (status != HGC_RT_OK) {
      atomic_store(&model->failed, 1);
      return status;
    }
  }
  /* All state is new, whatever an earlier call left of it. */
  atomic_store(&model->failed, 0);
  return HGC_RT_OK;
}

static hgc_rt_status load_mapped(hgc_rti_model *model, const char *path,
                                 int64_t *offsets) {
  checkpoint file = {model, path, NULL, 0, offsets};
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return hgc_rti_error(HGC_RT_IO_ERROR, "check the path",
                         "cannot open '%s'%s", path,
                         errno == ENOENT   ? ": no such file"
                         : errno == EACCES ? ": permission denied"
                                           : "");
  int64_t bytes = (int64_t)lseek(fd, 0, SEEK_END);
  void *map = bytes > 0
                  ? mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, fd, 0)
                  : MAP_FAILED;
  close(fd);
  if (map == MAP_FAILED)
    return hgc_rti_error(HGC_RT_BAD_WEIGHTS, LOAD_HINT,
                         "'%s' is empty or cannot be mapped", path);
  hgc_rt_status status = check_file(&file, map, bytes);
  if (status == HGC_RT_OK)
    status = apply(&file);
  munmap(map, (size_t)bytes);
  return status;
}

static hgc_rt_status load(hgc_rti_model *model, const char *path) {
  int64_t bytes = (int64_t)sizeof(int64_t) * (model->desc->n_params + 1);
  int64_t *offsets = hgc_rti_alloc(&model->options, bytes, ALIGNMENT);
  if (!offsets)
    return HGC_RT_OUT_OF_MEMORY;
  hgc_rt_status status = load_mapped(model, path, offsets);
  hgc_rti_free(&model->options, offsets, bytes, ALIGNMENT);
  return status;
}

/*--- Public ----------------------------------------------------------------*/

static hgc_rt_status run(void *handle, const char *path, const char *what,
                         hgc_rt_status (*fn)(hgc_rti_model *, const char *)) {
  hgc_rti_model *model = handle;
  hgc_rt_status status = hgc_rti_enter_idle(model);
  if (status != HGC_RT_OK)
    return status;
  if (!path || !path[0])
    status = hgc_rti_error(HGC_RT_INVALID_ARGUMENT,
                           "pass the name of a safetensors file",
                           "%s got no path", what);
  else if (!hgc_rti_has_state(model))
    status = hgc_rti_error(
        HGC_RT_UNSUPPORTED, "compile it with --train, or assign parameters",
        "model '%s' has no state to %s", model->desc->name, what);
  else
    status =
        fn == save ? hgc_rti_check_usable(model) : hgc_rti_device_check(model);
  if (status == HGC_RT_OK)
    status = fn(model, path);
  hgc_rti_leave(model);
  return status;
}

hgc_rt_status hgc_rt_save(void *model, const char *path) {
  return run(model, path, "save", save);
}

hgc_rt_status hgc_rt_load(void *model, const char *path) {
  return run(model, path, "load", load);
}
