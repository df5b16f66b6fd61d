/* Checks for the programs of this folder: the first failure ends the program. */
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                          \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

/* `call` returns a status; `error` is the text of the model's last failure. */
#define CHECK_OK(call, error)                                                                                          \
  do {                                                                                                                 \
    int status_ = (int)(call);                                                                                         \
    if (status_ != 0) {                                                                                                \
      fprintf(stderr, "%s:%d: %s gives %d: %s\n", __FILE__, __LINE__, #call, status_, error);                          \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

/* Writes a row-major f32 tensor as NumPy does. */
static inline void write_npy(const char *folder, const char *name, const float *data, int rank, const int *shape) {
  char path[1024], dims[128] = "", header[119];
  size_t count = 1;
  for (int i = 0; i < rank; ++i) {
    snprintf(dims + strlen(dims), sizeof(dims) - strlen(dims), "%d, ", shape[i]);
    count *= (size_t)shape[i];
  }
  memset(header, ' ', sizeof(header));
  int used = snprintf(header, sizeof(header), "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }", dims);
  header[used] = ' ';
  header[117] = '\n';
  snprintf(path, sizeof(path), "%s/%s.npy", folder, name);
  FILE *file = fopen(path, "wb");
  CHECK(file);
  CHECK(fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, file) == 10 && fwrite(header, 1, 118, file) == 118);
  CHECK(fwrite(data, 4, count, file) == count && fclose(file) == 0);
}

/* Numbers that differ from each other, in [-1, 1). */
static inline void fill(float *data, size_t count) {
  unsigned state = 12345;
  for (size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    data[i] = (float)(state >> 8) / 8388608.0f - 1.0f;
  }
}

#endif
