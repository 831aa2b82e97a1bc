/* leaves.h: the inner hashes of tree modes: leaves of one length that lie one behind the other in memory. They need
   none of the refilling of lanes.h: as many as the CPU has lanes for are absorbed side by side, straight from the
   message. */
#ifndef CELER_LEAVES_H
#define CELER_LEAVES_H
#include "celer/sha3.h"

/* The longest chaining value: twice 256 bits of security. */
#define LEAF_MAX_CV 64

/* How a tree mode hashes a leaf: cv_len bytes (a multiple of 8, up to LEAF_MAX_CV) of the sponge with these numbers
   (see sponge.h). */
struct leaf_kind {
    uint8_t cv_len, rate, suffix, rounds;
};

/* For i < n, the cv_len bytes at cv + i * cv_len = chaining value of the leaf_len bytes at in + i * leaf_len. */
void celer_leaves_(uint8_t *cv, const uint8_t *in, size_t leaf_len, size_t n, const struct leaf_kind *kind);

/* The same, absorbed into node one after the other. */
void celer_leaves_absorb_(struct celer_sponge *node, const uint8_t *in, size_t leaf_len, size_t n,
                          const struct leaf_kind *kind);

/* For trees whose node itself absorbs the first of n (>= 1) chunks, in a lane like the others: node, which is as init
   left it, absorbs that chunk, and cv gets the chaining values of those that fitted beside it, KECCAK_MAX_WAYS with
   it at most; that of the first is of no use. Returns the number of chunks done. */
size_t celer_leaves_first_(struct celer_sponge *node, uint8_t *cv, const uint8_t *in, size_t leaf_len,
                           size_t n, const struct leaf_kind *kind);
#endif
