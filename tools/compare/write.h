/* write.h: verdicts in the shapes that programs and people read. */
#ifndef COMPARE_WRITE_H
#define COMPARE_WRITE_H
#include <jansson.h>
#include <stdio.h>
#include "verdict.h"

enum compare_format { COMPARE_TABLE, COMPARE_CSV, COMPARE_JSON, COMPARE_MD, COMPARE_FORMAT_COUNT };
extern const char *const compare_format_names[COMPARE_FORMAT_COUNT];

/* A line. Texts live as long as what it was made from. */
struct compare_row {
    const char *base_label, *test_label; /* "celer-avx512-gcc12" */
    const char *function;                /* "sha3_256" */
    const char *kind, *mode, *unit;
    uint32_t ways, base_ways; /* of test and base: messages, states */
    size_t dst_len, src_len;
    double base, test; /* medians in that unit; not above 0: unknown */
    size_t rejected;   /* trials */
    const char *fault; /* why there is no verdict; NULL */
    struct comparison comparison;
};

struct compare_result {
    struct compare_row *rows;
    size_t count;
    double min_effect;
    const char *method;                    /* "paired", "canary" */
    const char *base_source, *test_source; /* a file, a run; NULL: subjects of this run */
    bool interrupted;
};

/* False when out of memory. */
bool compare_write(const struct compare_result *result, enum compare_format format, FILE *to);

/* How many rows have that outcome; those without a figure count as inconclusive. */
size_t compare_count(const struct compare_result *result, enum outcome outcome);
#endif
