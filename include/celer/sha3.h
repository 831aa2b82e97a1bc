/* sha3.h: SHA-3 and SHAKE (FIPS 202), their derived functions (SP 800-185), TurboSHAKE and KangarooTwelve (RFC 9861), and
   the permutation under them.

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
    uint8_t suffix; /* domain bits and the first padding bit: 0x06 SHA-3, 0x1f SHAKE, 0x04 cSHAKE */
    uint8_t rounds; /* 24; 12 in TurboSHAKE and KangarooTwelve */
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

/* The functions of SP 800-185 are cSHAKE with names and encodings of their own. custom, the customization string S,
   separates one use of a function from another and may be empty. Keys, names and customizations are input as messages
   are: of any length and alignment, NULL when empty, all read before the first output is written. */

/* cSHAKE128, SP 800-185 section 3: SHAKE128 under a function name N (NIST's to give out; empty in most uses) and a
   customization string. With both empty it is SHAKE128. Blocks of 168 bytes. */
struct celer_cshake128 {
    struct celer_sponge sponge;
};
/* out = the first out_len bytes of cSHAKE128(in, N = name, S = custom). */
CELER_API void celer_cshake128(uint8_t *out, size_t out_len, const void *in, size_t in_len, const void *name,
                               size_t name_len, const void *custom, size_t custom_len);
CELER_API void celer_cshake128_init(struct celer_cshake128 *ctx, const void *name, size_t name_len,
                                    const void *custom, size_t custom_len);
CELER_API void celer_cshake128_update(struct celer_cshake128 *ctx, const void *in, size_t in_len);
CELER_API void celer_cshake128_squeeze(struct celer_cshake128 *ctx, uint8_t *out, size_t out_len);
CELER_API void celer_cshake128_wipe(struct celer_cshake128 *ctx);

/* cSHAKE256: the same over SHAKE256. Blocks of 136 bytes. */
struct celer_cshake256 {
    struct celer_sponge sponge;
};
/* out = the first out_len bytes of cSHAKE256(in, N = name, S = custom). */
CELER_API void celer_cshake256(uint8_t *out, size_t out_len, const void *in, size_t in_len, const void *name,
                               size_t name_len, const void *custom, size_t custom_len);
CELER_API void celer_cshake256_init(struct celer_cshake256 *ctx, const void *name, size_t name_len,
                                    const void *custom, size_t custom_len);
CELER_API void celer_cshake256_update(struct celer_cshake256 *ctx, const void *in, size_t in_len);
CELER_API void celer_cshake256_squeeze(struct celer_cshake256 *ctx, uint8_t *out, size_t out_len);
CELER_API void celer_cshake256_wipe(struct celer_cshake256 *ctx);

/* KMAC128, SP 800-185 section 4: a message authentication code of any length; another length is another code, not a
   longer one. Compare codes with celer_equal. The standard asks for a key of 128 bits at least. */
struct celer_kmac128 {
    struct celer_sponge sponge;
};
/* out = KMAC128(key, in, 8 * out_len, custom). */
CELER_API void celer_kmac128(uint8_t *out, size_t out_len, const void *key, size_t key_len, const void *in,
                             size_t in_len, const void *custom, size_t custom_len);
CELER_API void celer_kmac128_init(struct celer_kmac128 *ctx, const void *key, size_t key_len,
                                  const void *custom, size_t custom_len);
CELER_API void celer_kmac128_update(struct celer_kmac128 *ctx, const void *in, size_t in_len);
CELER_API void celer_kmac128_final(struct celer_kmac128 *ctx, uint8_t *out, size_t out_len);
CELER_API void celer_kmac128_wipe(struct celer_kmac128 *ctx);

/* KMAC256: the same over cSHAKE256; a key of 256 bits at least. */
struct celer_kmac256 {
    struct celer_sponge sponge;
};
/* out = KMAC256(key, in, 8 * out_len, custom). */
CELER_API void celer_kmac256(uint8_t *out, size_t out_len, const void *key, size_t key_len, const void *in,
                             size_t in_len, const void *custom, size_t custom_len);
CELER_API void celer_kmac256_init(struct celer_kmac256 *ctx, const void *key, size_t key_len,
                                  const void *custom, size_t custom_len);
CELER_API void celer_kmac256_update(struct celer_kmac256 *ctx, const void *in, size_t in_len);
CELER_API void celer_kmac256_final(struct celer_kmac256 *ctx, uint8_t *out, size_t out_len);
CELER_API void celer_kmac256_wipe(struct celer_kmac256 *ctx);

/* KMACXOF128, SP 800-185 section 4.3.1: KMAC128 whose output goes on as long as one likes. */
struct celer_kmacxof128 {
    struct celer_sponge sponge;
};
/* out = the first out_len bytes of KMACXOF128(key, in, custom). */
CELER_API void celer_kmacxof128(uint8_t *out, size_t out_len, const void *key, size_t key_len, const void *in,
                                size_t in_len, const void *custom, size_t custom_len);
CELER_API void celer_kmacxof128_init(struct celer_kmacxof128 *ctx, const void *key, size_t key_len,
                                     const void *custom, size_t custom_len);
CELER_API void celer_kmacxof128_update(struct celer_kmacxof128 *ctx, const void *in, size_t in_len);
CELER_API void celer_kmacxof128_squeeze(struct celer_kmacxof128 *ctx, uint8_t *out, size_t out_len);
CELER_API void celer_kmacxof128_wipe(struct celer_kmacxof128 *ctx);

/* KMACXOF256: the same over cSHAKE256. */
struct celer_kmacxof256 {
    struct celer_sponge sponge;
};
/* out = the first out_len bytes of KMACXOF256(key, in, custom). */
CELER_API void celer_kmacxof256(uint8_t *out, size_t out_len, const void *key, size_t key_len, const void *in,
                                size_t in_len, const void *custom, size_t custom_len);
CELER_API void celer_kmacxof256_init(struct celer_kmacxof256 *ctx, const void *key, size_t key_len,
                                     const void *custom, size_t custom_len);
CELER_API void celer_kmacxof256_update(struct celer_kmacxof256 *ctx, const void *in, size_t in_len);
CELER_API void celer_kmacxof256_squeeze(struct celer_kmacxof256 *ctx, uint8_t *out, size_t out_len);
CELER_API void celer_kmacxof256_wipe(struct celer_kmacxof256 *ctx);

/* What the TupleHash contexts have in common. Private. */
struct celer_tuplehash_state {
    struct celer_sponge sponge;
    uint64_t left; /* bytes the current element still lacks */
};

/* TupleHash128, SP 800-185 section 5: hashes a sequence of byte strings, so that ("a", "bc") and ("ab", "c") differ; an
   empty element counts. An element is given whole, or announced by its length with begin and then given by any
   number of updates. An update beyond the announced length, or an end before it, kills the context: zeros come
   out. */
struct celer_tuplehash128 {
    struct celer_tuplehash_state state;
};
/* out = TupleHash128(elements, 8 * out_len, custom); n elements. */
CELER_API void celer_tuplehash128(uint8_t *out, size_t out_len, const struct celer_msg *elements, size_t n,
                                  const void *custom, size_t custom_len);
CELER_API void celer_tuplehash128_init(struct celer_tuplehash128 *ctx, const void *custom, size_t custom_len);
/* A whole element. */
CELER_API void celer_tuplehash128_element(struct celer_tuplehash128 *ctx, const void *in, size_t in_len);
/* An element of element_len bytes, which updates then bring. CELER_EINVAL when ctx is dead or has given out output
   already, or when it dies now because the element before is not complete. */
CELER_API int celer_tuplehash128_begin(struct celer_tuplehash128 *ctx, size_t element_len) CELER_MUST_CHECK;
CELER_API void celer_tuplehash128_update(struct celer_tuplehash128 *ctx, const void *in, size_t in_len);
CELER_API void celer_tuplehash128_final(struct celer_tuplehash128 *ctx, uint8_t *out, size_t out_len);
CELER_API void celer_tuplehash128_wipe(struct celer_tuplehash128 *ctx);

/* TupleHash256: the same over cSHAKE256. */
struct celer_tuplehash256 {
    struct celer_tuplehash_state state;
};
/* out = TupleHash256(elements, 8 * out_len, custom); n elements. */
CELER_API void celer_tuplehash256(uint8_t *out, size_t out_len, const struct celer_msg *elements, size_t n,
                                  const void *custom, size_t custom_len);
CELER_API void celer_tuplehash256_init(struct celer_tuplehash256 *ctx, const void *custom, size_t custom_len);
/* A whole element. */
CELER_API void celer_tuplehash256_element(struct celer_tuplehash256 *ctx, const void *in, size_t in_len);
/* An element of element_len bytes, which updates then bring. CELER_EINVAL when ctx is dead or has given out output
   already, or when it dies now because the element before is not complete. */
CELER_API int celer_tuplehash256_begin(struct celer_tuplehash256 *ctx, size_t element_len) CELER_MUST_CHECK;
CELER_API void celer_tuplehash256_update(struct celer_tuplehash256 *ctx, const void *in, size_t in_len);
CELER_API void celer_tuplehash256_final(struct celer_tuplehash256 *ctx, uint8_t *out, size_t out_len);
CELER_API void celer_tuplehash256_wipe(struct celer_tuplehash256 *ctx);

/* TupleHashXOF128, SP 800-185 section 5.3.1: TupleHash128 with output as long as one likes. */
struct celer_tuplehashxof128 {
    struct celer_tuplehash_state state;
};
/* out = the first out_len bytes of TupleHashXOF128(elements, custom); n elements. */
CELER_API void celer_tuplehashxof128(uint8_t *out, size_t out_len, const struct celer_msg *elements, size_t n,
                                     const void *custom, size_t custom_len);
CELER_API void celer_tuplehashxof128_init(struct celer_tuplehashxof128 *ctx, const void *custom,
                                          size_t custom_len);
/* A whole element. */
CELER_API void celer_tuplehashxof128_element(struct celer_tuplehashxof128 *ctx, const void *in,
                                             size_t in_len);
/* An element of element_len bytes, which updates then bring. CELER_EINVAL when ctx is dead or has given out output
   already, or when it dies now because the element before is not complete. */
CELER_API int celer_tuplehashxof128_begin(struct celer_tuplehashxof128 *ctx,
                                          size_t element_len) CELER_MUST_CHECK;
CELER_API void celer_tuplehashxof128_update(struct celer_tuplehashxof128 *ctx, const void *in, size_t in_len);
CELER_API void celer_tuplehashxof128_squeeze(struct celer_tuplehashxof128 *ctx, uint8_t *out, size_t out_len);
CELER_API void celer_tuplehashxof128_wipe(struct celer_tuplehashxof128 *ctx);

/* TupleHashXOF256, SP 800-185 section 5.3.1: TupleHash256 with output as long as one likes. */
struct celer_tuplehashxof256 {
    struct celer_tuplehash_state state;
};
/* out = the first out_len bytes of TupleHashXOF256(elements, custom); n elements. */
CELER_API void celer_tuplehashxof256(uint8_t *out, size_t out_len, const struct celer_msg *elements, size_t n,
                                     const void *custom, size_t custom_len);
CELER_API void celer_tuplehashxof256_init(struct celer_tuplehashxof256 *ctx, const void *custom,
                                          size_t custom_len);
/* A whole element. */
CELER_API void celer_tuplehashxof256_element(struct celer_tuplehashxof256 *ctx, const void *in,
                                             size_t in_len);
/* An element of element_len bytes, which updates then bring. CELER_EINVAL when ctx is dead or has given out output
   already, or when it dies now because the element before is not complete. */
CELER_API int celer_tuplehashxof256_begin(struct celer_tuplehashxof256 *ctx,
                                          size_t element_len) CELER_MUST_CHECK;
CELER_API void celer_tuplehashxof256_update(struct celer_tuplehashxof256 *ctx, const void *in, size_t in_len);
CELER_API void celer_tuplehashxof256_squeeze(struct celer_tuplehashxof256 *ctx, uint8_t *out, size_t out_len);
CELER_API void celer_tuplehashxof256_wipe(struct celer_tuplehashxof256 *ctx);

/* What the ParallelHash contexts have in common. Private. */
struct celer_parallelhash_state {
    struct celer_sponge node; /* takes the hashes of the blocks */
    struct celer_sponge leaf; /* takes the bytes of a block that came in pieces; live when pos > 0 */
    uint64_t block_len;
    uint64_t pos;    /* bytes of the current block seen so far, < block_len */
    uint64_t blocks; /* before it */
};

/* ParallelHash128, SP 800-185 section 6: hashes the blocks of block_len bytes of a long message each by itself, here up
   to 8 of them side by side, and then their hashes. block_len is at least 1 and part of the function: another one
   gives another hash. Blocks of 8192 bytes or more, several of them in one update, are fastest. */
struct celer_parallelhash128 {
    struct celer_parallelhash_state state;
};
/* out = ParallelHash128(in, block_len, 8 * out_len, custom). CELER_EINVAL, and zeros, when block_len is 0. */
CELER_API int celer_parallelhash128(uint8_t *out, size_t out_len, const void *in, size_t in_len,
                                    size_t block_len, const void *custom, size_t custom_len) CELER_MUST_CHECK;
/* CELER_EINVAL, and a dead context, when block_len is 0. */
CELER_API int celer_parallelhash128_init(struct celer_parallelhash128 *ctx, size_t block_len,
                                         const void *custom, size_t custom_len) CELER_MUST_CHECK;
CELER_API void celer_parallelhash128_update(struct celer_parallelhash128 *ctx, const void *in, size_t in_len);
CELER_API void celer_parallelhash128_final(struct celer_parallelhash128 *ctx, uint8_t *out, size_t out_len);
CELER_API void celer_parallelhash128_wipe(struct celer_parallelhash128 *ctx);

/* ParallelHash256: the same over cSHAKE256. */
struct celer_parallelhash256 {
    struct celer_parallelhash_state state;
};
/* out = ParallelHash256(in, block_len, 8 * out_len, custom). CELER_EINVAL, and zeros, when block_len is 0. */
CELER_API int celer_parallelhash256(uint8_t *out, size_t out_len, const void *in, size_t in_len,
                                    size_t block_len, const void *custom, size_t custom_len) CELER_MUST_CHECK;
/* CELER_EINVAL, and a dead context, when block_len is 0. */
CELER_API int celer_parallelhash256_init(struct celer_parallelhash256 *ctx, size_t block_len,
                                         const void *custom, size_t custom_len) CELER_MUST_CHECK;
CELER_API void celer_parallelhash256_update(struct celer_parallelhash256 *ctx, const void *in, size_t in_len);
CELER_API void celer_parallelhash256_final(struct celer_parallelhash256 *ctx, uint8_t *out, size_t out_len);
CELER_API void celer_parallelhash256_wipe(struct celer_parallelhash256 *ctx);

/* ParallelHashXOF128, SP 800-185 section 6.3.1: ParallelHash128 with output as long as one likes. */
struct celer_parallelhashxof128 {
    struct celer_parallelhash_state state;
};
/* out = the first out_len bytes of ParallelHashXOF128(in, block_len, custom). CELER_EINVAL, and zeros, when block_len is 0. */
CELER_API int celer_parallelhashxof128(uint8_t *out, size_t out_len, const void *in, size_t in_len,
                                       size_t block_len, const void *custom,
                                       size_t custom_len) CELER_MUST_CHECK;
/* CELER_EINVAL, and a dead context, when block_len is 0. */
CELER_API int celer_parallelhashxof128_init(struct celer_parallelhashxof128 *ctx, size_t block_len,
                                            const void *custom, size_t custom_len) CELER_MUST_CHECK;
CELER_API void celer_parallelhashxof128_update(struct celer_parallelhashxof128 *ctx, const void *in,
                                               size_t in_len);
CELER_API void celer_parallelhashxof128_squeeze(struct celer_parallelhashxof128 *ctx, uint8_t *out,
                                                size_t out_len);
CELER_API void celer_parallelhashxof128_wipe(struct celer_parallelhashxof128 *ctx);

/* ParallelHashXOF256, SP 800-185 section 6.3.1: ParallelHash256 with output as long as one likes. */
struct celer_parallelhashxof256 {
    struct celer_parallelhash_state state;
};
/* out = the first out_len bytes of ParallelHashXOF256(in, block_len, custom). CELER_EINVAL, and zeros, when block_len is 0. */
CELER_API int celer_parallelhashxof256(uint8_t *out, size_t out_len, const void *in, size_t in_len,
                                       size_t block_len, const void *custom,
                                       size_t custom_len) CELER_MUST_CHECK;
/* CELER_EINVAL, and a dead context, when block_len is 0. */
CELER_API int celer_parallelhashxof256_init(struct celer_parallelhashxof256 *ctx, size_t block_len,
                                            const void *custom, size_t custom_len) CELER_MUST_CHECK;
CELER_API void celer_parallelhashxof256_update(struct celer_parallelhashxof256 *ctx, const void *in,
                                               size_t in_len);
CELER_API void celer_parallelhashxof256_squeeze(struct celer_parallelhashxof256 *ctx, uint8_t *out,
                                                size_t out_len);
CELER_API void celer_parallelhashxof256_wipe(struct celer_parallelhashxof256 *ctx);

/* TurboSHAKE128, RFC 9861 section 2: SHAKE128 with half the rounds; output of any length, up to 128-bit security;
   blocks of 168 bytes. Uses with different values of domain, 0x01 .. 0x7f, have nothing to do with each other; one
   that needs no other beside it takes CELER_TURBOSHAKE_DOMAIN. */
#define CELER_TURBOSHAKE_DOMAIN  0x1f
#define CELER_TURBOSHAKE128_RATE 168
struct celer_turboshake128 {
    struct celer_sponge sponge;
};
/* out = the first out_len bytes of TurboSHAKE128(in, domain). CELER_EINVAL, and zeros, for a domain out of range. */
CELER_API int celer_turboshake128(uint8_t *out, size_t out_len, const void *in, size_t in_len,
                                  uint8_t domain) CELER_MUST_CHECK;
/* For i < n, the out_len bytes at out + i * out_len = TurboSHAKE128(msgs[i], domain). CELER_EINVAL as above. */
CELER_API int celer_turboshake128_many(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n,
                                       uint8_t domain) CELER_MUST_CHECK;
/* The same in pieces; see the rules above. CELER_EINVAL, and a dead context, for a domain out of range. */
CELER_API int celer_turboshake128_init(struct celer_turboshake128 *ctx, uint8_t domain) CELER_MUST_CHECK;
CELER_API void celer_turboshake128_update(struct celer_turboshake128 *ctx, const void *in, size_t in_len);
CELER_API void celer_turboshake128_squeeze(struct celer_turboshake128 *ctx, uint8_t *out, size_t out_len);
/* Erases the context; nothing else does, since squeezing has no end. */
CELER_API void celer_turboshake128_wipe(struct celer_turboshake128 *ctx);

/* TurboSHAKE256, RFC 9861 section 2: SHAKE256 with half the rounds; output of any length, up to 256-bit security;
   blocks of 136 bytes. Uses with different values of domain, 0x01 .. 0x7f, have nothing to do with each other; one
   that needs no other beside it takes CELER_TURBOSHAKE_DOMAIN. */
#define CELER_TURBOSHAKE256_RATE 136
struct celer_turboshake256 {
    struct celer_sponge sponge;
};
/* out = the first out_len bytes of TurboSHAKE256(in, domain). CELER_EINVAL, and zeros, for a domain out of range. */
CELER_API int celer_turboshake256(uint8_t *out, size_t out_len, const void *in, size_t in_len,
                                  uint8_t domain) CELER_MUST_CHECK;
/* For i < n, the out_len bytes at out + i * out_len = TurboSHAKE256(msgs[i], domain). CELER_EINVAL as above. */
CELER_API int celer_turboshake256_many(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n,
                                       uint8_t domain) CELER_MUST_CHECK;
/* The same in pieces; see the rules above. CELER_EINVAL, and a dead context, for a domain out of range. */
CELER_API int celer_turboshake256_init(struct celer_turboshake256 *ctx, uint8_t domain) CELER_MUST_CHECK;
CELER_API void celer_turboshake256_update(struct celer_turboshake256 *ctx, const void *in, size_t in_len);
CELER_API void celer_turboshake256_squeeze(struct celer_turboshake256 *ctx, uint8_t *out, size_t out_len);
/* Erases the context; nothing else does, since squeezing has no end. */
CELER_API void celer_turboshake256_wipe(struct celer_turboshake256 *ctx);

/* The tree inside both contexts of KangarooTwelve. Private, as the sponge is. */
struct celer_kt {
    struct celer_sponge node; /* the first chunk, then the chaining values of those that follow: the leaves */
    struct celer_sponge leaf; /* the leaf that is begun */
    uint64_t leaves;          /* whose chaining values are in node */
    uint32_t filled;          /* bytes of the chunk that is begun */
    uint32_t tree;            /* 1: that chunk is a leaf; 0: it is the first */
};

/* KangarooTwelve cuts message and customization string into chunks of this length. Those that lie whole in one update
   are hashed side by side, up to eight at once, so updates of a multiple of eight chunks are the fastest. Through
   hash.h it takes no customization string.

   Several threads can share a long message: one does init, and update with some chunks from the first one on; each of
   the others calls celer_kt128_leaves for some of those behind them; then the first does update_leaves with all their
   chaining values, in order, update with what is left of the message, and finish. */
#define CELER_KT_CHUNK 8192

/* KT128, RFC 9861 section 3: KangarooTwelve over TurboSHAKE128. Output of any length, up to 128-bit security. */
#define CELER_KT128_RATE   168
#define CELER_KT128_CV_LEN 32
struct celer_kt128 {
    struct celer_kt kt;
};
/* out = the first out_len bytes of KT128(in, custom). */
CELER_API void celer_kt128(uint8_t *out, size_t out_len, const void *in, size_t in_len, const void *custom,
                           size_t custom_len);
/* The same in pieces; see the rules above. The customization string comes when the message is complete: finish ends
   absorbing, as a squeeze without it does with an empty string; a second finish is ignored. */
CELER_API void celer_kt128_init(struct celer_kt128 *ctx);
CELER_API void celer_kt128_update(struct celer_kt128 *ctx, const void *in, size_t in_len);
CELER_API void celer_kt128_finish(struct celer_kt128 *ctx, const void *custom, size_t custom_len);
CELER_API void celer_kt128_squeeze(struct celer_kt128 *ctx, uint8_t *out, size_t out_len);
/* Erases the context; nothing else does, since squeezing has no end. */
CELER_API void celer_kt128_wipe(struct celer_kt128 *ctx);
/* For i < n, the 32 bytes at cv + 32 * i = chaining value of the CELER_KT_CHUNK bytes at in + CELER_KT_CHUNK * i: any
   chunk of a message but its first. */
CELER_API void celer_kt128_leaves(uint8_t *cv, const void *in, size_t n);
/* update with n whole chunks, given by their chaining values. CELER_EINVAL, and nothing is done, unless a whole number
   of chunks, one at least, has been absorbed, and absorbing has not ended. */
CELER_API int celer_kt128_update_leaves(struct celer_kt128 *ctx, const uint8_t *cv,
                                        size_t n) CELER_MUST_CHECK;

/* KT256, RFC 9861 section 3: KangarooTwelve over TurboSHAKE256. Output of any length, up to 256-bit security. */
#define CELER_KT256_RATE   136
#define CELER_KT256_CV_LEN 64
struct celer_kt256 {
    struct celer_kt kt;
};
/* out = the first out_len bytes of KT256(in, custom). */
CELER_API void celer_kt256(uint8_t *out, size_t out_len, const void *in, size_t in_len, const void *custom,
                           size_t custom_len);
/* The same in pieces; see the rules above. The customization string comes when the message is complete: finish ends
   absorbing, as a squeeze without it does with an empty string; a second finish is ignored. */
CELER_API void celer_kt256_init(struct celer_kt256 *ctx);
CELER_API void celer_kt256_update(struct celer_kt256 *ctx, const void *in, size_t in_len);
CELER_API void celer_kt256_finish(struct celer_kt256 *ctx, const void *custom, size_t custom_len);
CELER_API void celer_kt256_squeeze(struct celer_kt256 *ctx, uint8_t *out, size_t out_len);
/* Erases the context; nothing else does, since squeezing has no end. */
CELER_API void celer_kt256_wipe(struct celer_kt256 *ctx);
/* For i < n, the 64 bytes at cv + 64 * i = chaining value of the CELER_KT_CHUNK bytes at in + CELER_KT_CHUNK * i: any
   chunk of a message but its first. */
CELER_API void celer_kt256_leaves(uint8_t *cv, const void *in, size_t n);
/* update with n whole chunks, given by their chaining values. CELER_EINVAL, and nothing is done, unless a whole number
   of chunks, one at least, has been absorbed, and absorbing has not ended. */
CELER_API int celer_kt256_update_leaves(struct celer_kt256 *ctx, const uint8_t *cv,
                                        size_t n) CELER_MUST_CHECK;

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
