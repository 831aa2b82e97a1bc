/* reference.h: what a subject has to compute, by celer's own portable code called in another way: in pieces, one
   message at a time, one state at a time. Both functions mask the library to that code, so a subject has to be entered
   anew after them. False: celer has no function of that name, or none with output of that length. */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool reference_hash(const char *function, uint8_t *out, size_t out_len, const uint8_t *in, size_t in_len);

/* `times` permutations of `ways` interleaved states. */
bool reference_permutation(const char *function, uint8_t *out, const uint8_t *in, uint32_t ways,
                           size_t times);
#endif
