/*===- text.c - writing into a buffer of fixed size -------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Enough to write JSON and lists without allocating.
 *===----------------------------------------------------------------------===*/

#include "text.h"

#include <stddef.h>

static void put_char(hgc_rti_text *text, char c) {
  if (text->length + 1 < text->capacity) {
    text->data[text->length] = c;
    text->data[text->length + 1] = 0;
  }
  ++text->length;
  text->last = c;
}

void hgc_rti_text_init(hgc_rti_text *text, char *data, int64_t capacity) {
  text->data = data;
  text->capacity = data ? capacity : 0;
  text->length = 0;
  text->last = 0;
  if (text->capacity > 0)
    data[0] = 0;
}

void hgc_rti_text_put(hgc_rti_text *text, const char *string) {
  while (*string)
    put_char(text, *string++);
}

void hgc_rti_text_int(hgc_rti_text *text, int64_t value) {
  char digits[20];
  int n = 0;
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  if (value < 0)
    put_char(text, '-');
  do {
    digits[n++] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest);
  while (n > 0)
    put_char(text, digits[--n]);
}

void hgc_rti_text_quoted(hgc_rti_text *text, const char *string) {
  static const char hex[] = "0123456789abcdef";
  put_char(text, '"');
  for (; *string; ++string) {
    unsigned char c = (unsigned char)*string;
    if (c == '"' || c == '\\')
      put_char(text, '\\');
    if (c >= 0x20) {
      put_char(text, (char)c);
      continue;
    }
    hgc_rti_text_put(text, "\\u00");
    put_char(text, hex[c >> 4]);
    put_char(text, hex[c & 15]);
  }
  put_char(text, '"');
}

void hgc_rti_text_next(hgc_rti_text *text) {
  if (text->last != '{' && text->last != '[')
    put_char(text, ',');
}

void hgc_rti_text_key(hgc_rti_text *text, const char *key) {
  hgc_rti_text_next(text);
  hgc_rti_text_quoted(text, key);
  put_char(text, ':');
}

void hgc_rti_text_field(hgc_rti_text *text, const char *key,
                        const char *string) {
  hgc_rti_text_key(text, key);
  hgc_rti_text_quoted(text, string);
}

void hgc_rti_text_field_int(hgc_rti_text *text, const char *key,
                            int64_t value) {
  hgc_rti_text_key(text, key);
  hgc_rti_text_int(text, value);
}
