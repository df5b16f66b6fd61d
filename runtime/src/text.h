/*===- text.h - writing into a buffer of fixed size -------------------------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Like snprintf, a text counts what it would hold when the buffer is too small.
 *===----------------------------------------------------------------------===*/
#ifndef HGC_RT_TEXT_H
#define HGC_RT_TEXT_H

#include <stdint.h>

typedef struct hgc_rti_text {
  char *data;
  int64_t capacity;
  int64_t length; /* of the whole text, without the NUL */
  char last;
} hgc_rti_text;

void hgc_rti_text_init(hgc_rti_text *text, char *data, int64_t capacity);
void hgc_rti_text_put(hgc_rti_text *text, const char *string);
void hgc_rti_text_int(hgc_rti_text *text, int64_t value);
/* A JSON string; control characters are escaped. */
void hgc_rti_text_quoted(hgc_rti_text *text, const char *string);
/* `, "key": ` or, after an opening bracket, without the comma. */
void hgc_rti_text_key(hgc_rti_text *text, const char *key);
void hgc_rti_text_field(hgc_rti_text *text, const char *key,
                        const char *string);
void hgc_rti_text_field_int(hgc_rti_text *text, const char *key, int64_t value);
/* A comma unless the last character opened a list. */
void hgc_rti_text_next(hgc_rti_text *text);

#endif /* HGC_RT_TEXT_H */
