/* sponge.h: absorb and squeeze over Keccak-p[1600], for every construction of this family. FIPS 202 section 4.

   A celer_sponge is dead (rate 0), absorbing (phase 0: pos bytes of the block are in s, pos < rate), or squeezing
   (phase 1: pos bytes of s are given out, pos <= rate; the permutation waits until a byte more is wanted). */
#ifndef CELER_SPONGE_H
#define CELER_SPONGE_H
#include "celer/sha3.h"

#define SHAKE_SUFFIX 0x1fu /* bits 1111, then padding */

/* suffix: the domain bits, then a 1 bit, from the least significant bit up: 0x06, 0x1f. */
void celer_sponge_init_(struct celer_sponge *sponge, unsigned rate, unsigned suffix, unsigned rounds);
void celer_sponge_absorb_(struct celer_sponge *sponge, const void *in, size_t in_len);
/* Zeros up to the end of the block, if it has begun. */
void celer_sponge_fill_(struct celer_sponge *sponge);
/* 1 while input is taken: neither dead nor squeezing. */
int celer_sponge_absorbing_(const struct celer_sponge *sponge);
/* Ends absorbing if nothing did yet, then gives out the next out_len bytes. */
void celer_sponge_squeeze_(struct celer_sponge *sponge, uint8_t *out, size_t out_len);
/* squeeze, then erases the sponge. */
void celer_sponge_final_(struct celer_sponge *sponge, uint8_t *out, size_t out_len);
void celer_sponge_wipe_(struct celer_sponge *sponge);

/* The whole of it at once. rounds 24 or 12; out may overlap in. */
void celer_sponge_(uint8_t *out, size_t out_len, const void *in, size_t in_len, unsigned rate,
                   unsigned suffix, unsigned rounds);

/* out + i * out_len = the sponge of msgs[i]. */
void celer_sponge_many_(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n, unsigned rate,
                        unsigned suffix, unsigned rounds);

/* out + i * out_len = what start, which stands at the beginning of a block, gives out after msgs[i] and the end_len
   bytes at end. */
void celer_sponge_many_from_(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n,
                             const struct celer_sponge *start, const uint8_t *end, size_t end_len);

/* For tests: ends absorbing after nbits (0 .. 7) more bits, the least significant ones of last. */
void celer_sponge_finish_bits_(struct celer_sponge *sponge, uint8_t last, unsigned nbits);
#endif
