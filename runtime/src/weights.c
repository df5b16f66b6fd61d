/*===- weights.c - the immutable blob ---------------------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Embedded weights are a section of the library. An external file is mapped
 * read-only and shared, so that processes share its pages and create does not
 * read it. Its size and header are always checked; the header holds the hash of
 * the contents, so this tells a stale or foreign file. The contents are hashed
 * when they are small or when the caller asks for it (about 100 ms/GB).
 *===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include "hgc_rt_hash.h"
#include "runtime.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ALWAYS_HASHED (16 << 20)
#define PATH_SIZE 4096
#define WHERE_HINT                                                             \
  "keep the weights file beside the library, or set options.weights_path"
#define WHICH_HINT                                                             \
  "use the weights file written together with this library, or compile again"

static hgc_rt_status bad_file(const char *path, const char *what) {
  return hgc_rti_error(HGC_RT_BAD_WEIGHTS, WHICH_HINT, "weights file '%s' %s",
                       path, what);
}

/* Folder of the library that holds the model: everything up to the slash. */
static size_t library_folder(const hgc_rt_model_desc *desc, char *path) {
  Dl_info info;
  if (!dladdr(desc, &info) || !info.dli_fname)
    return 0;
  size_t n = strlen(info.dli_fname);
  while (n > 0 && info.dli_fname[n - 1] != '/')
    --n;
  if (n >= PATH_SIZE)
    return 0;
  memcpy(path, info.dli_fname, n);
  return n;
}

static int is_folder(const char *path) {
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0)
    close(fd);
  return fd >= 0;
}

/* Writes the path of the file to open. */
static hgc_rt_status find_file(const hgc_rti_model *model, char *path) {
  const char *file = model->desc->weights_file;
  const char *wish = model->options.weights_path;
  int n;
  if (!wish) {
    size_t folder = library_folder(model->desc, path);
    n = snprintf(path + folder, PATH_SIZE - folder, "%s", file);
    if (n >= 0)
      n += (int)folder;
  } else if (is_folder(wish)) {
    n = snprintf(path, PATH_SIZE, "%s/%s", wish, file);
  } else {
    n = snprintf(path, PATH_SIZE, "%s", wish);
  }
  if (n < 0 || n >= PATH_SIZE)
    return hgc_rti_error(
        HGC_RT_INVALID_ARGUMENT, "use a shorter options.weights_path",
        "the path of weights file '%s' is longer than %d", file, PATH_SIZE - 1);
  return HGC_RT_OK;
}

static hgc_rt_status map_file(hgc_rti_model *model, const char *path, int fd) {
  int64_t expected = model->desc->weights_file_size;
  int64_t size = (int64_t)lseek(fd, 0, SEEK_END);
  if (size != expected)
    return hgc_rti_error(HGC_RT_BAD_WEIGHTS, WHICH_HINT,
                         "weights file '%s' has %lld bytes, expected %lld%s",
                         path, (long long)size, (long long)expected,
                         size < expected ? " (truncated?)" : "");
  void *map = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED)
    return hgc_rti_error(
        HGC_RT_IO_ERROR, "check the file system and the address space limit",
        "cannot map weights file '%s' (error %d)", path, errno);
  model->weights_map = map;
  model->weights_map_bytes = size;
  return HGC_RT_OK;
}

static hgc_rt_status check_contents(const hgc_rti_model *model,
                                    const char *path) {
  const hgc_rt_model_desc *desc = model->desc;
  const uint8_t *base = model->weights_map;
  if (hgc_rt_hash64(base, (size_t)desc->weights_offset) !=
      desc->weights_header_hash)
    return bad_file(path, "has another header than this model's");
  if (desc->weights_bytes > ALWAYS_HASHED &&
      !(model->options.flags & HGC_RT_VERIFY_WEIGHTS))
    return HGC_RT_OK;
  if (hgc_rt_hash64(base + desc->weights_offset, (size_t)desc->weights_bytes) !=
      desc->weights_hash)
    return bad_file(path, "has other contents than this model's");
  return HGC_RT_OK;
}

hgc_rt_status hgc_rti_weights_open(hgc_rti_model *model) {
  const hgc_rt_model_desc *desc = model->desc;
  char path[PATH_SIZE];
  model->ctx.weights = desc->weights;
  if (desc->weights || !desc->weights_file)
    return HGC_RT_OK;
  hgc_rt_status status = find_file(model, path);
  if (status != HGC_RT_OK)
    return status;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return hgc_rti_error(HGC_RT_IO_ERROR, WHERE_HINT,
                         "cannot open weights file '%s'%s", path,
                         errno == ENOENT   ? ": no such file"
                         : errno == EACCES ? ": permission denied"
                                           : "");
  status = map_file(model, path, fd);
  close(fd);
  if (status == HGC_RT_OK)
    status = check_contents(model, path);
  if (status == HGC_RT_OK)
    model->ctx.weights =
        (const uint8_t *)model->weights_map + desc->weights_offset;
  return status;
}

void hgc_rti_weights_close(hgc_rti_model *model) {
  if (model->weights_map)
    munmap(model->weights_map, (size_t)model->weights_map_bytes);
}
