/*===- safetensors.c - the header of a safetensors file ---------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A header is one JSON object of known form. Files are untrusted: every byte is
 * checked before it is used, and numbers cannot overflow.
 *===----------------------------------------------------------------------===*/

#include "safetensors.h"

#include <string.h>

typedef struct reader {
  const char *at, *end;
  const char *problem;
} reader;

static const char *const types[] = {
    [HGC_RT_F32] = "F32",   [HGC_RT_F64] = "F64",   [HGC_RT_F16] = "F16",
    [HGC_RT_BF16] = "BF16", [HGC_RT_BOOL] = "BOOL", [HGC_RT_I8] = "I8",
    [HGC_RT_I16] = "I16",   [HGC_RT_I32] = "I32",   [HGC_RT_I64] = "I64",
    [HGC_RT_U8] = "U8",     [HGC_RT_U16] = "U16",   [HGC_RT_U32] = "U32",
    [HGC_RT_U64] = "U64"};
#define TYPE_COUNT ((int32_t)(sizeof(types) / sizeof(types[0])))

const char *hgc_rti_safetensors_type(int32_t dtype) {
  return dtype >= 0 && dtype < TYPE_COUNT ? types[dtype] : NULL;
}

static int equal(const char *a, const char *b) {
  size_t n = strlen(a);
  return n == strlen(b) && !memcmp(a, b, n);
}

static int32_t find_type(const char *name) {
  for (int32_t i = 0; i < TYPE_COUNT; ++i)
    if (types[i] && equal(types[i], name))
      return i;
  return 0;
}

static int fail(reader *r, const char *problem) {
  if (!r->problem)
    r->problem = problem;
  return 0;
}

static void skip_space(reader *r) {
  while (r->at < r->end &&
         (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r'))
    ++r->at;
}

/* Takes `c` if it comes next. */
static int take(reader *r, char c) {
  skip_space(r);
  if (r->at >= r->end || *r->at != c)
    return 0;
  ++r->at;
  return 1;
}

static int expect(reader *r, char c) {
  return take(r, c) || fail(r, "is no JSON object of tensors");
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

/* The character behind a backslash, as at most three bytes. */
static int read_escape(reader *r, char out[4]) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  char c = r->at < r->end ? *r->at++ : 0;
  out[1] = 0;
  for (int i = 0; from[i]; ++i)
    if (c == from[i]) {
      out[0] = to[i];
      return 1;
    }
  uint32_t code = 0;
  if (c != 'u' || r->end - r->at < 4)
    return fail(r, "has a string with an unknown escape");
  for (int i = 0; i < 4; ++i) {
    int digit = hex_digit(*r->at++);
    if (digit < 0)
      return fail(r, "has a string with an unknown escape");
    code = code << 4 | (uint32_t)digit;
  }
  int n = 0;
  if (code >= 0x800) {
    out[n++] = (char)(0xE0 | code >> 12);
    out[n++] = (char)(0x80 | (code >> 6 & 63));
  } else if (code >= 0x80) {
    out[n++] = (char)(0xC0 | code >> 6);
  }
  out[n++] = (char)(code < 0x80 ? code : 0x80 | (code & 63));
  out[n] = 0;
  return 1;
}

/* A string of fewer than `capacity` bytes. */
static int read_string(reader *r, char *out, int64_t capacity) {
  int64_t n = 0;
  if (!expect(r, '"'))
    return 0;
  while (r->at < r->end && *r->at != '"') {
    char piece[4] = {*r->at++, 0, 0, 0};
    if (piece[0] == '\\' && !read_escape(r, piece))
      return 0;
    for (int i = 0; i == 0 || piece[i]; ++i) {
      if (n + 1 >= capacity)
        return fail(r, "has a string that is too long");
      out[n++] = piece[i];
    }
  }
  out[n] = 0;
  return expect(r, '"');
}

static int read_number(reader *r, int64_t *out) {
  skip_space(r);
  int64_t value = 0;
  const char *first = r->at;
  for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; ++r->at)
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, *r->at - '0', &value))
      return fail(r, "has a number that is too large");
  *out = value;
  return r->at > first || fail(r, "has an extent or offset that is no number");
}

/* At most `capacity` numbers; returns how many, or -1. */
static int32_t read_numbers(reader *r, int64_t *out, int32_t capacity) {
  int32_t n = 0;
  if (!expect(r, '['))
    return -1;
  if (take(r, ']'))
    return 0;
  do {
    if (n == capacity) {
      fail(r, "has a tensor of too many dims");
      return -1;
    }
    if (!read_number(r, &out[n++]))
      return -1;
  } while (take(r, ','));
  return expect(r, ']') ? n : -1;
}

static int read_field(reader *r, hgc_rti_entry *entry, int *seen) {
  char key[16], type[16];
  int64_t offsets[2];
  if (!read_string(r, key, sizeof(key)) || !expect(r, ':'))
    return 0;
  if (equal(key, "dtype")) {
    *seen |= 1;
    if (!read_string(r, type, sizeof(type)))
      return 0;
    entry->dtype = find_type(type);
    return 1;
  }
  if (equal(key, "shape")) {
    *seen |= 2;
    entry->rank = read_numbers(r, entry->dims, 16);
    return entry->rank >= 0;
  }
  if (!equal(key, "data_offsets"))
    return fail(r, "has a tensor with an unknown field");
  *seen |= 4;
  int32_t count = read_numbers(r, offsets, 2);
  if (count != 2)
    return fail(r, "has a tensor without two offsets");
  entry->begin = offsets[0];
  entry->end = offsets[1];
  return 1;
}

static int read_tensor(reader *r, hgc_rti_entry *entry) {
  int seen = 0;
  if (!expect(r, '{'))
    return 0;
  do {
    if (!read_field(r, entry, &seen))
      return 0;
  } while (take(r, ','));
  if (!expect(r, '}'))
    return 0;
  return (seen == 7 && entry->begin <= entry->end) ||
         fail(r, "has a tensor without type, shape or offsets");
}

/* Texts about the file; nobody reads them here. */
static int skip_metadata(reader *r) {
  char text[4096];
  if (!expect(r, '{') || take(r, '}'))
    return !r->problem;
  do {
    if (!read_string(r, text, sizeof(text)) || !expect(r, ':') ||
        !read_string(r, text, sizeof(text)))
      return 0;
  } while (take(r, ','));
  return expect(r, '}');
}

hgc_rt_status hgc_rti_read_header(
    const char *text, int64_t length,
    hgc_rt_status (*visit)(void *user, const hgc_rti_entry *entry), void *user,
    const char **problem) {
  reader r = {text, text + length, NULL};
  hgc_rti_entry entry;
  hgc_rt_status status = HGC_RT_OK;
  int more = expect(&r, '{') && !take(&r, '}');
  while (more && status == HGC_RT_OK) {
    int ok = read_string(&r, entry.name, sizeof(entry.name)) && expect(&r, ':');
    if (ok && equal(entry.name, "__metadata__"))
      ok = skip_metadata(&r);
    else if (ok && read_tensor(&r, &entry))
      status = visit(user, &entry);
    more = ok && !r.problem && take(&r, ',');
    if (ok && !r.problem && !more && status == HGC_RT_OK)
      expect(&r, '}');
  }
  skip_space(&r);
  if (!r.problem && status == HGC_RT_OK && r.at != r.end)
    fail(&r, "has more than one JSON object");
  *problem = r.problem;
  return r.problem ? HGC_RT_BAD_WEIGHTS : status;
}
