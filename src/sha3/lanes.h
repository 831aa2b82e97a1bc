/* lanes.h: many sponge computations side by side, for every _many of this family and for tree hashes.

   A job is one message. Jobs may differ in length, rate and output length; a lane is refilled as soon as its job is
   done. No malloc, any number of jobs:

       celer_lanes_start_(&lanes, 24, jobs expected);
       celer_lanes_push_(&lanes, &job);   as often as needed; works when all lanes are busy
       celer_lanes_flush_(&lanes);        finishes what is left, erases lanes

   Every step is one call of the absorb kernel. A lane with nothing to absorb (it squeezes, or is free) absorbs zeros,
   which changes nothing; a lane of a smaller rate absorbs its block with zeros behind it. */
#ifndef CELER_LANES_H
#define CELER_LANES_H
#include "sha3/keccak.h"

/* out = the first out_len bytes of the sponge over in, then end, with that rate and suffix (see sponge.h). */
struct keccak_job {
    const uint8_t *in;
    size_t in_len;
    uint8_t *out;
    size_t out_len;
    const uint64_t *start; /* the state to begin with; NULL: zeros */
    const uint8_t *end;    /* has to stay until the job is done, as in has */
    uint8_t end_len, rate, suffix;
};

struct keccak_lanes {
    _Alignas(64) uint64_t s[25 * KECCAK_MAX_WAYS];   /* so that no vector of it crosses a cache line */
    struct keccak_job job[KECCAK_MAX_WAYS];          /* what is still to do */
    uint8_t block[KECCAK_MAX_WAYS][KECCAK_MAX_RATE]; /* padded last blocks */
    uint8_t phase[KECCAK_MAX_WAYS];                  /* enum in lanes.c */
    const struct keccak_backend *k;                  /* chosen at the start, kept for the batch */
    unsigned rounds, ways, live;                     /* live: lanes with a job */
};

void celer_lanes_start_(struct keccak_lanes *l, unsigned rounds, size_t expected);
void celer_lanes_push_(struct keccak_lanes *l, const struct keccak_job *job);
void celer_lanes_flush_(struct keccak_lanes *l);
#endif
