/* blake2.h: what the rows of the list of hashes need besides the public functions. */
#ifndef CELER_SRC_BLAKE2_H
#define CELER_SRC_BLAKE2_H
#include "celer/blake2.h"

/* celer_blake2b_many, celer_blake2s_many with parameters. */
int celer_blake2b_many_params_(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n,
                               const void *key, size_t key_len, const struct celer_blake2_params *params);
int celer_blake2s_many_params_(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n,
                               const void *key, size_t key_len, const struct celer_blake2_params *params);
#endif
