/* stored.h: two finished runs, by what each ran in canaries. */
#ifndef COMPARE_STORED_H
#define COMPARE_STORED_H
#include "write.h"

struct stored_request {
    const char *const *functions; /* none: all */
    size_t function_count;
    const char *base, *test; /* beginnings of subjects' labels; NULL: those that both runs have */
    double min_effect;
};

/* Whether the two may be compared at all; false and why not. */
bool stored_comparable(const json_t *base, const json_t *test, char *why, size_t size);

/* Fills in rows, which the caller frees, and their verdicts. False and why not. */
bool stored_compare(const json_t *base, const json_t *test, const struct stored_request *request,
                    struct compare_result *result, char *why, size_t size);
#endif
