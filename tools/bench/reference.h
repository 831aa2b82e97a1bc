/* reference.h: what a subject has to compute, said by someone else.

   Where celer has the function, by its own portable code called in another way: in pieces, one message at a time, one
   state at a time, with opened keys. That masks the library to that code, so a subject has to be entered anew afterwards. Where celer
   lacks it, by another provider: the first one that has the function, gets an official vector of it right if there is
   one here, and is not the subject's own. Each thread opens what it asks. */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "celer/provider.h"

/* False: celer has no function of that name, or none with output of that length. */
bool reference_hash(const char *function, uint8_t *out, size_t out_len, const uint8_t *in, size_t in_len);

/* `times` permutations of `ways` interleaved states. */
bool reference_permutation(const char *function, uint8_t *out, const uint8_t *in, uint32_t ways,
                           size_t times);

/* `ways` hashes in a row, each replaced by its hash `iterations` times; a chain of sha256 is called sha256-chain. */
bool reference_chain(const char *function, uint8_t *out, const uint8_t *in, uint32_t ways,
                     uint64_t iterations);

/* The providers of a run, in the order in which they are asked; count 0 ends that, and has to come before they go. */
void reference_providers(const struct celer_provider *const *providers, size_t count);

/* Closes what this thread opened to ask; any other thread that asks has to do so before it ends. */
void reference_forget(void);

/* One result of a subject of kind HASH, XOF or MANY; false: nobody but itself can say, so it remains unverified. */
bool reference_result(const struct celer_subject *subject, uint8_t *out, size_t out_len, const uint8_t *in,
                      size_t in_len);

/* A KEM, celer's portable one or another provider's, that computes the same of the same seeds and coins: one key at a
   time, keys as bytes. *state is where it was opened. It is good until the thread asks again. NULL: there is none, or
   the subject draws its own randomness. */
const struct celer_subject *reference_kem(const struct celer_subject *subject, void **state);

/* Who says that: "celer", "openssl"; NULL: nobody. */
const char *reference_name(const struct celer_subject *subject);

/* Whether anybody but the subject itself can say that its results are right, of whatever kind they are. */
bool reference_exists(const struct celer_subject *subject);
#endif
