/* sum.h: what the parts of `celer sum` share.

       main.c     options; hashing mode
       check.c    -c
       line.c     the text of a line, written and read
       read.c     from a file to a digest, on the backend asked for

   A line is GNU's "DIGEST  NAME" or, tagged, BSD's "SHA256 (NAME) = DIGEST". A name that holds a backslash, line feed
   or carriage return has these three written as \\, \n and \r, and its whole line then begins with a backslash. */
#ifndef SUM_H
#define SUM_H
#include <stdbool.h>
#include <stdio.h>
#include "celer/celer.h"

#define SUM_MAX_OUT (1024 * 1024) /* longest output of an XOF, bytes */

/* A hash and the length of its output in bytes. hash NULL: not said; out_len 0: left open. */
struct sum_algorithm {
    const struct celer_hash *hash;
    size_t out_len;
};

/* What a name means: "sha3-256"; "blake2b", which leaves the length open; "blake2b-384". False when it means nothing;
   then the hash is not NULL if it is there, but has no output of so many bits. */
bool sum_find(struct sum_algorithm *algorithm, const char *name);

/* Sets the length of the output; false when the hash has none of that many bits. */
bool sum_set_bits(struct sum_algorithm *algorithm, uint64_t bits);

struct sum_options {
    struct sum_algorithm algorithm;
    const char *backend; /* NULL: the library's choice */
    bool check, tag, zero;
    bool ignore_missing, quiet, status, strict, warn; /* with check only */
};

/* What one worker needs to hash a file. Too large for a stack. */
#define SUM_READ_SIZE (128 * 1024)
struct sum_worker {
    struct celer_hash_ctx ctx;
    uint8_t out[SUM_MAX_OUT];
    unsigned char buffer[SUM_READ_SIZE];
};

/* The digest of the file `name` ("-": standard input) into worker->out. Returns 0, or errno of what failed. */
int sum_file(struct sum_worker *worker, const struct sum_algorithm *algorithm, const char *name);

/* 0 when the hash runs on the backend asked for, if one was; else -1 after an error line. */
int sum_check_backend(const struct sum_options *options, const struct celer_hash *hash);

/* Writes the line of a file, with its end. */
void sum_write_line(FILE *to, const struct sum_options *options, const uint8_t *out, const char *name);

/* Writes a name as it stands in a line: after a backslash and escaped, where it has to be. */
void sum_write_name(FILE *to, const char *name);

/* A line of a list: what is claimed. */
struct sum_line {
    struct sum_algorithm algorithm;
    bool guessed;       /* the algorithm, from the length */
    const char *digest; /* 2 * out_len hexadecimal digits of either case */
    char *name;
};

/* Between digest and name stand two characters, a space and then a space or '*'. Lists of another tradition have one
   space. A name that begins with a space makes the two look alike, so the first line that is clear decides for its list. */
enum sum_gap { SUM_GAP_UNKNOWN, SUM_GAP_ONE, SUM_GAP_TWO };

/* Reads a line of len bytes, its end already cut off, followed by a 0; writes over it. `untagged` is what a line without
   a tag claims: with hash NULL the member of SHA-2 whose digest has as many digits, with out_len 0 an output of as many
   digits. False: no proper line. */
bool sum_read_line(char *line, size_t len, const struct sum_algorithm *untagged, enum sum_gap *gap,
                   struct sum_line *result);

/* Whether the line's digest is `out`. */
bool sum_line_equals(const struct sum_line *line, const uint8_t *out);

/* Checks every line of a list ("-": standard input). Returns an exit code. */
int sum_check_list(struct sum_worker *worker, const struct sum_options *options, const char *list);
#endif
