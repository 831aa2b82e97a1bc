/* sponges.h: the hashing of ML-KEM. An operation has one or two long hashes, H and J, whose blocks follow one another;
   the samplings of its matrix, three blocks of output each; and short hashes, G and the noise. They go in groups, side
   by side in the lanes of the Keccak kernels: as many samplings as there is room for, beside the long hashes, and in
   the lanes that are left the short ones, one after the other:

       celer_sponges_start_(&s, celer_poly_());
       celer_sponges_add_long_(&s, &h);          celer_sponges_add_(&s, &task);       as often as needed
       celer_sponges_run_long_(&s, &h, 1);       celer_sponges_run_(&s, tasks, n);    until those are done
       sponges_end(&s);

   What was added stays where it is until it is done, which may be sooner than asked for: what there is room for goes
   along. Messages are whole 64-bit words and a last, partial one: all of FIPS 203 are. */
#ifndef CELER_SPONGES_H
#define CELER_SPONGES_H
#include "base/wipe.h"
#include "mlkem/layout.h"
#include "mlkem/poly.h"
#include "sha3/keccak.h"

/* Sponges side by side, and the long ones of them. */
#ifdef CELER_MLKEM_SMALL
#  define SPONGE_LANES 1
#else
#  define SPONGE_LANES KECCAK_MAX_WAYS
#endif
#define SPONGE_LONG KECCAK_MAX_WAYS

enum sponge_rate { /* in words */
                   RATE_SHAKE128 = 21,
                   RATE_SHAKE256 = 17,
                   RATE_SHA3_256 = 17,
                   RATE_SHA3_512 = 9
};

#define SPONGE_HEAD 4 /* words: the seed, or what else comes first */

/* A sampling, or a short hash. The message: SPONGE_HEAD words at head, rest_words at rest, and the bytes of tail with
   the suffix behind them; all in one block. */
struct sponge_task {
    const uint8_t *head, *rest;
    uint8_t *out;    /* out_words words of output, or: */
    int16_t *sample; /* algorithm 7: 256 coefficients; NULL for a hash */
    struct sponge_task *next;
    uint32_t tail;
    uint8_t rest_words, rate;
    uint8_t out_words;
    uint8_t blocks; /* of output still to come; 0: done */
};

/* A long hash, of 32 bytes at out. */
struct sponge_long {
    uint64_t s[25]; /* unless it is in a lane */
    const uint8_t *head, *rest;
    uint8_t *out;
    uint16_t words, ready; /* of head and rest; of which are known by now */
    uint16_t at;           /* of which are absorbed */
    uint8_t suffix;
    uint8_t blocks; /* still to come; 0: done */
};

struct sponges {
    _Alignas(64) uint64_t s[25 * SPONGE_LANES];
    _Alignas(64) uint8_t block[SPONGE_LANES][LAYOUT_BLOCK];
    const struct poly_functions *poly;
    const struct layout *layout;
    const struct keccak_backend *row[4]; /* for 1, 2, 4 and 8 lanes */
    unsigned widest;
    int is_x8_fast;
    struct sponge_task *samples, **last_sample, *shorts, **last_short; /* that wait */
    unsigned sample_count, short_blocks;
    struct sponge_long *chain[SPONGE_LONG]; /* the long ones that are not done */
    unsigned chain_count;
    unsigned ways, resident; /* the first `resident` chains are in the first lanes of a layout so wide */
};

void celer_sponges_start_(struct sponges *s, const struct poly_functions *poly_functions);
void celer_sponges_add_(struct sponges *s, struct sponge_task *task);
void celer_sponges_add_long_(struct sponges *s, struct sponge_long *task);
void celer_sponges_run_(struct sponges *s, const struct sponge_task *tasks, size_t n);
void celer_sponges_run_long_(struct sponges *s, const struct sponge_long *tasks, size_t n);

/* Overwrites what kernels have left below the stack of the caller: spilled registers, which are theirs alone. */
void celer_sponges_burn_(void);

static inline void sponges_end(struct sponges *s)
{
    wipe(s, sizeof *s);
}

/* Coefficients of NTT(A)[i][j] from rho: XOF(rho || j || i). These fill a task in its place, field by field: written
   elsewhere and copied, it would be read by wider loads than stores, which wait for each other. */
static inline void sponge_sample(struct sponge_task *t, int16_t *p, const uint8_t rho[32], unsigned i,
                                 unsigned j)
{
    t->head = rho;
    t->tail = j | i << 8 | 0x1f << 16;
    t->rest_words = 0;
    t->rate = RATE_SHAKE128;
    t->blocks = 3;
    t->sample = p;
}

static inline void sponge_short(struct sponge_task *t, uint8_t *out, unsigned words, const uint8_t *head,
                                uint32_t tail, unsigned rate)
{
    t->head = head;
    t->tail = tail;
    t->rest_words = 0;
    t->rate = (uint8_t)rate;
    t->blocks = (uint8_t)(words <= rate ? 1 : 2);
    t->sample = NULL;
    t->out = out;
    t->out_words = (uint8_t)words;
}

/* PRF(seed, n): `words` words of SHAKE256(seed || n). */
static inline void sponge_prf(struct sponge_task *t, uint8_t *out, unsigned words, const uint8_t seed[32],
                              unsigned n)
{
    sponge_short(t, out, words, seed, n | 0x1f << 8, RATE_SHAKE256);
}

/* G(d || k) = SHA3-512: 64 bytes. */
static inline void sponge_g_seed(struct sponge_task *t, uint8_t out[64], const uint8_t d[32], unsigned k)
{
    sponge_short(t, out, 8, d, k | 0x06 << 8, RATE_SHA3_512);
}

/* G(m || h). */
static inline void sponge_g(struct sponge_task *t, uint8_t out[64], const uint8_t m[32], const uint8_t h[32])
{
    sponge_short(t, out, 8, m, 0x06, RATE_SHA3_512);
    t->rest = h;
    t->rest_words = 4;
}

/* H(in) = SHA3-256, and J(z || c) = SHAKE256 to 32 bytes. Lengths are multiples of 8, more than a block. */
void celer_sponge_h_(struct sponge_long *task, uint8_t out[32], const uint8_t *in, size_t len);
void celer_sponge_j_(struct sponge_long *task, uint8_t out[32], const uint8_t z[32], const uint8_t *c,
                     size_t len);
#endif
