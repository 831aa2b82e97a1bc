/* sha3.h: SHA-3 and SHAKE (FIPS 202), and the permutation under them.

   Rules for every context here:
   - It is a plain value, aligned as C aligns its type: no pointers inside; memcpy makes a second, independent one.
   - init, any number of updates of any length, then final once, or squeeze as often as you like.
   - final erases the context. A context that is all zeros, or was erased, is dead: update does nothing, final and
     squeeze write zeros.
   - After the first squeeze (even of 0 bytes), update is ignored.
   - Input and output need no alignment. out may overlap in; in the _many functions it must not.
   - A null pointer is allowed where its length is 0. */
#ifndef CELER_SHA3_H
#define CELER_SHA3_H
#include "common.h"
#ifdef __cplusplus
extern "C" {
#endif

/* The sponge inside every context below. Private: read it in a debugger, never in code. */
struct celer_sponge {
    uint64_t s[25]; /* the state: lane x + 5y of FIPS 202 section 3.1.2, in host byte order */
    uint8_t pos;    /* bytes of the current block that are absorbed, or squeezed */
    uint8_t rate;   /* bytes per block; 0: dead */
    uint8_t suffix; /* domain bits and the first padding bit: 0x06 SHA-3, 0x1f SHAKE */
    uint8_t rounds; /* 24 */
    uint8_t phase;  /* 0 absorbing, 1 squeezing */
    uint8_t unused[3];
};

/* SHA3-224, FIPS 202 section 6.1. 28 bytes of output; blocks of 144 bytes. */
#define CELER_SHA3_224_LEN 28
struct celer_sha3_224 {
    struct celer_sponge sponge;
};
/* out = SHA3-224(in). */
CELER_API void celer_sha3_224(uint8_t out[CELER_AT_LEAST(28)], const void *in, size_t in_len);
/* out[i] = SHA3-224(msgs[i]) for i < n; short or long, the messages share the vector lanes of the CPU. */
CELER_API void celer_sha3_224_many(uint8_t (*out)[28], const struct celer_msg *msgs, size_t n);
/* The same in pieces; see the rules above. */
CELER_API void celer_sha3_224_init(struct celer_sha3_224 *ctx);
CELER_API void celer_sha3_224_update(struct celer_sha3_224 *ctx, const void *in, size_t in_len);
CELER_API void celer_sha3_224_final(struct celer_sha3_224 *ctx, uint8_t out[CELER_AT_LEAST(28)]);
/* Erases a context that will not see final. */
CELER_API void celer_sha3_224_wipe(struct celer_sha3_224 *ctx);

/* SHA3-256, FIPS 202 section 6.1. 32 bytes of output; blocks of 136 bytes. */
#define CELER_SHA3_256_LEN 32
struct celer_sha3_256 {
    struct celer_sponge sponge;
};
/* out = SHA3-256(in). */
CELER_API void celer_sha3_256(uint8_t out[CELER_AT_LEAST(32)], const void *in, size_t in_len);
/* out[i] = SHA3-256(msgs[i]) for i < n; short or long, the messages share the vector lanes of the CPU. */
CELER_API void celer_sha3_256_many(uint8_t (*out)[32], const struct celer_msg *msgs, size_t n);
/* The same in pieces; see the rules above. */
CELER_API void celer_sha3_256_init(struct celer_sha3_256 *ctx);
CELER_API void celer_sha3_256_update(struct celer_sha3_256 *ctx, const void *in, size_t in_len);
CELER_API void celer_sha3_256_final(struct celer_sha3_256 *ctx, uint8_t out[CELER_AT_LEAST(32)]);
/* Erases a context that will not see final. */
CELER_API void celer_sha3_256_wipe(struct celer_sha3_256 *ctx);

/* SHA3-384, FIPS 202 section 6.1. 48 bytes of output; blocks of 104 bytes. */
#define CELER_SHA3_384_LEN 48
struct celer_sha3_384 {
    struct celer_sponge sponge;
};
/* out = SHA3-384(in). */
CELER_API void celer_sha3_384(uint8_t out[CELER_AT_LEAST(48)], const void *in, size_t in_len);
/* out[i] = SHA3-384(msgs[i]) for i < n; short or long, the messages share the vector lanes of the CPU. */
CELER_API void celer_sha3_384_many(uint8_t (*out)[48], const struct celer_msg *msgs, size_t n);
/* The same in pieces; see the rules above. */
CELER_API void celer_sha3_384_init(struct celer_sha3_384 *ctx);
CELER_API void celer_sha3_384_update(struct celer_sha3_384 *ctx, const void *in, size_t in_len);
CELER_API void celer_sha3_384_final(struct celer_sha3_384 *ctx, uint8_t out[CELER_AT_LEAST(48)]);
/* Erases a context that will not see final. */
CELER_API void celer_sha3_384_wipe(struct celer_sha3_384 *ctx);

/* SHA3-512, FIPS 202 section 6.1. 64 bytes of output; blocks of 72 bytes. */
#define CELER_SHA3_512_LEN 64
struct celer_sha3_512 {
    struct celer_sponge sponge;
};
/* out = SHA3-512(in). */
CELER_API void celer_sha3_512(uint8_t out[CELER_AT_LEAST(64)], const void *in, size_t in_len);
/* out[i] = SHA3-512(msgs[i]) for i < n; short or long, the messages share the vector lanes of the CPU. */
CELER_API void celer_sha3_512_many(uint8_t (*out)[64], const struct celer_msg *msgs, size_t n);
/* The same in pieces; see the rules above. */
CELER_API void celer_sha3_512_init(struct celer_sha3_512 *ctx);
CELER_API void celer_sha3_512_update(struct celer_sha3_512 *ctx, const void *in, size_t in_len);
CELER_API void celer_sha3_512_final(struct celer_sha3_512 *ctx, uint8_t out[CELER_AT_LEAST(64)]);
/* Erases a context that will not see final. */
CELER_API void celer_sha3_512_wipe(struct celer_sha3_512 *ctx);

/* SHAKE128, FIPS 202 section 6.2: output of any length, up to 128-bit security; blocks of 168 bytes. */
#define CELER_SHAKE128_RATE 168
struct celer_shake128 {
    struct celer_sponge sponge;
};
/* out = the first out_len bytes of SHAKE128(in). */
CELER_API void celer_shake128(uint8_t *out, size_t out_len, const void *in, size_t in_len);
/* For i < n, the out_len bytes at out + i * out_len = SHAKE128(msgs[i]). */
CELER_API void celer_shake128_many(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n);
/* The same in pieces; see the rules above. Squeezing 4 and 4 bytes gives what squeezing 8 gives. */
CELER_API void celer_shake128_init(struct celer_shake128 *ctx);
CELER_API void celer_shake128_update(struct celer_shake128 *ctx, const void *in, size_t in_len);
CELER_API void celer_shake128_squeeze(struct celer_shake128 *ctx, uint8_t *out, size_t out_len);
/* Erases the context; nothing else does, since squeezing has no end. */
CELER_API void celer_shake128_wipe(struct celer_shake128 *ctx);

/* SHAKE256, FIPS 202 section 6.2: output of any length, up to 256-bit security; blocks of 136 bytes. */
#define CELER_SHAKE256_RATE 136
struct celer_shake256 {
    struct celer_sponge sponge;
};
/* out = the first out_len bytes of SHAKE256(in). */
CELER_API void celer_shake256(uint8_t *out, size_t out_len, const void *in, size_t in_len);
/* For i < n, the out_len bytes at out + i * out_len = SHAKE256(msgs[i]). */
CELER_API void celer_shake256_many(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n);
/* The same in pieces; see the rules above. Squeezing 4 and 4 bytes gives what squeezing 8 gives. */
CELER_API void celer_shake256_init(struct celer_shake256 *ctx);
CELER_API void celer_shake256_update(struct celer_shake256 *ctx, const void *in, size_t in_len);
CELER_API void celer_shake256_squeeze(struct celer_shake256 *ctx, uint8_t *out, size_t out_len);
/* Erases the context; nothing else does, since squeezing has no end. */
CELER_API void celer_shake256_wipe(struct celer_shake256 *ctx);

/* SHAKE on 2, 4 or 8 messages at once that have the same length, and outputs too: what lattice cryptography expands its
   matrices with. in[w] and out[w] belong to message w. Messages of different lengths are for the _many functions. */

/* How far the contexts below are. Private. */
struct celer_ways {
    uint8_t pos;   /* bytes of the current block that are absorbed, or squeezed */
    uint8_t rate;  /* bytes per block; 0: dead */
    uint8_t phase; /* 0 absorbing, 1 squeezing */
    uint8_t unused[5];
};

struct celer_shake128_x2 {
    struct celer_ways at;
    uint64_t s[50]; /* interleaved as for the permutation below */
};
/* out[w] = the first out_len bytes of SHAKE128(in[w]), messages of in_len bytes. */
CELER_API void celer_shake128_x2(uint8_t *const out[2], size_t out_len, const uint8_t *const in[2],
                                 size_t in_len);
/* The same in pieces; see the rules above. absorb may be called again, with the next bytes of every message. */
CELER_API void celer_shake128_x2_init(struct celer_shake128_x2 *ctx);
CELER_API void celer_shake128_x2_absorb(struct celer_shake128_x2 *ctx, const uint8_t *const in[2],
                                        size_t in_len);
/* The next out_len bytes, or nblocks blocks of CELER_SHAKE128_RATE bytes, of every output. */
CELER_API void celer_shake128_x2_squeeze(struct celer_shake128_x2 *ctx, uint8_t *const out[2],
                                         size_t out_len);
CELER_API void celer_shake128_x2_squeezeblocks(struct celer_shake128_x2 *ctx, uint8_t *const out[2],
                                               size_t nblocks);
/* Erases the context; nothing else does, since squeezing has no end. */
CELER_API void celer_shake128_x2_wipe(struct celer_shake128_x2 *ctx);

struct celer_shake128_x4 {
    struct celer_ways at;
    uint64_t s[100]; /* interleaved as for the permutation below */
};
CELER_API void celer_shake128_x4(uint8_t *const out[4], size_t out_len, const uint8_t *const in[4],
                                 size_t in_len);
CELER_API void celer_shake128_x4_init(struct celer_shake128_x4 *ctx);
CELER_API void celer_shake128_x4_absorb(struct celer_shake128_x4 *ctx, const uint8_t *const in[4],
                                        size_t in_len);
CELER_API void celer_shake128_x4_squeeze(struct celer_shake128_x4 *ctx, uint8_t *const out[4],
                                         size_t out_len);
CELER_API void celer_shake128_x4_squeezeblocks(struct celer_shake128_x4 *ctx, uint8_t *const out[4],
                                               size_t nblocks);
CELER_API void celer_shake128_x4_wipe(struct celer_shake128_x4 *ctx);

struct celer_shake128_x8 {
    struct celer_ways at;
    uint64_t s[200]; /* interleaved as for the permutation below */
};
CELER_API void celer_shake128_x8(uint8_t *const out[8], size_t out_len, const uint8_t *const in[8],
                                 size_t in_len);
CELER_API void celer_shake128_x8_init(struct celer_shake128_x8 *ctx);
CELER_API void celer_shake128_x8_absorb(struct celer_shake128_x8 *ctx, const uint8_t *const in[8],
                                        size_t in_len);
CELER_API void celer_shake128_x8_squeeze(struct celer_shake128_x8 *ctx, uint8_t *const out[8],
                                         size_t out_len);
CELER_API void celer_shake128_x8_squeezeblocks(struct celer_shake128_x8 *ctx, uint8_t *const out[8],
                                               size_t nblocks);
CELER_API void celer_shake128_x8_wipe(struct celer_shake128_x8 *ctx);

struct celer_shake256_x2 {
    struct celer_ways at;
    uint64_t s[50]; /* interleaved as for the permutation below */
};
CELER_API void celer_shake256_x2(uint8_t *const out[2], size_t out_len, const uint8_t *const in[2],
                                 size_t in_len);
CELER_API void celer_shake256_x2_init(struct celer_shake256_x2 *ctx);
CELER_API void celer_shake256_x2_absorb(struct celer_shake256_x2 *ctx, const uint8_t *const in[2],
                                        size_t in_len);
CELER_API void celer_shake256_x2_squeeze(struct celer_shake256_x2 *ctx, uint8_t *const out[2],
                                         size_t out_len);
CELER_API void celer_shake256_x2_squeezeblocks(struct celer_shake256_x2 *ctx, uint8_t *const out[2],
                                               size_t nblocks);
CELER_API void celer_shake256_x2_wipe(struct celer_shake256_x2 *ctx);

struct celer_shake256_x4 {
    struct celer_ways at;
    uint64_t s[100]; /* interleaved as for the permutation below */
};
CELER_API void celer_shake256_x4(uint8_t *const out[4], size_t out_len, const uint8_t *const in[4],
                                 size_t in_len);
CELER_API void celer_shake256_x4_init(struct celer_shake256_x4 *ctx);
CELER_API void celer_shake256_x4_absorb(struct celer_shake256_x4 *ctx, const uint8_t *const in[4],
                                        size_t in_len);
CELER_API void celer_shake256_x4_squeeze(struct celer_shake256_x4 *ctx, uint8_t *const out[4],
                                         size_t out_len);
CELER_API void celer_shake256_x4_squeezeblocks(struct celer_shake256_x4 *ctx, uint8_t *const out[4],
                                               size_t nblocks);
CELER_API void celer_shake256_x4_wipe(struct celer_shake256_x4 *ctx);

struct celer_shake256_x8 {
    struct celer_ways at;
    uint64_t s[200]; /* interleaved as for the permutation below */
};
CELER_API void celer_shake256_x8(uint8_t *const out[8], size_t out_len, const uint8_t *const in[8],
                                 size_t in_len);
CELER_API void celer_shake256_x8_init(struct celer_shake256_x8 *ctx);
CELER_API void celer_shake256_x8_absorb(struct celer_shake256_x8 *ctx, const uint8_t *const in[8],
                                        size_t in_len);
CELER_API void celer_shake256_x8_squeeze(struct celer_shake256_x8 *ctx, uint8_t *const out[8],
                                         size_t out_len);
CELER_API void celer_shake256_x8_squeezeblocks(struct celer_shake256_x8 *ctx, uint8_t *const out[8],
                                               size_t nblocks);
CELER_API void celer_shake256_x8_wipe(struct celer_shake256_x8 *ctx);

/* Keccak-f[1600], FIPS 202 section 3.4, on 1, 2, 4 or 8 independent states at once. States are interleaved: lane i
   of state w is s[ways * i + w], a number in host byte order. Where the CPU has no code of that width the states
   are worked on one after the other, with the same result. */
CELER_API void celer_keccak_f1600_x1(uint64_t s[CELER_AT_LEAST(25)]);
CELER_API void celer_keccak_f1600_x2(uint64_t s[CELER_AT_LEAST(50)]);
CELER_API void celer_keccak_f1600_x4(uint64_t s[CELER_AT_LEAST(100)]);
CELER_API void celer_keccak_f1600_x8(uint64_t s[CELER_AT_LEAST(200)]);

#ifdef __cplusplus
}
#endif
#endif
