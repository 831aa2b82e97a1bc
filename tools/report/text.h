/* text.h: text that grows; numbers and quoting that are the same in every locale; files that appear whole or not. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H
#include <stdbool.h>
#include <stddef.h>

/* Begins as {0}. After `failed` (out of memory) nothing more is added. */
struct text {
    char *data;
    size_t len, room;
    bool failed;
};

void text_free(struct text *t);
void text_bytes(struct text *t, const void *data, size_t n);
void text_add(struct text *t, const char *s);
/* For whole numbers and words: a fraction would follow the locale. */
void text_format(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* With exactly so many decimals (0 .. 6), and a point. */
void text_number(struct text *t, double value, int decimals);
/* A coordinate: one decimal at most. */
void text_coordinate(struct text *t, double value);
/* As many decimals as a reader wants: 0.0123, 5.42, 61.70, 807.4, 1234. */
void text_figure(struct text *t, double value);

/* For HTML and XML, in text and in quoted attributes. */
void text_escaped(struct text *t, const char *s);
/* A field of RFC 4180; one that a spreadsheet would take for a formula gets an apostrophe before it. */
void text_csv(struct text *t, const char *s);
/* Bytes as "64 B", "16 KiB"; only whole multiples are shortened. */
void text_size(struct text *t, unsigned long long bytes);

/* At most n characters of UTF-8, the last an ellipsis when some are left out; and their number. */
void text_clipped(struct text *t, const char *s, size_t n);
size_t text_length(const char *s);

/* Only [a-z0-9-], for names of files and elements. */
void text_slug(struct text *t, const char *s);

/* Writes the file under another name beside it and renames it. False: the line in `why` names it and says why not; then
   nothing has changed. */
bool text_save(const struct text *t, const char *path, char *why, size_t why_size);
#endif
