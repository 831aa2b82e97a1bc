/* sha2.h: SHA-224, SHA-256, SHA-384, SHA-512, SHA-512/224 and SHA-512/256 (FIPS 180-4).

   Rules for every context here:
   - It is a plain value, aligned as C aligns its type: no pointers inside; memcpy makes a second, independent one.
   - init, any number of updates of any length, then final once.
   - final erases the context. A context that is all zeros, or was erased, is dead: update does nothing, final
     writes zeros.
   - Input and output need no alignment. out may overlap in; in the _many functions it must not.
   - A null pointer is allowed where its length is 0. */
#ifndef CELER_SHA2_H
#define CELER_SHA2_H
#include "common.h"
#ifdef __cplusplus
extern "C" {
#endif

/* What SHA-224 and SHA-256 share. Private: read it in a debugger, never in code. */
struct celer_sha256_state {
    uint64_t len;      /* bytes seen so far, modulo 2^61 */
    uint32_t h[8];     /* the chaining value H of FIPS 180-4 section 6.2 */
    uint8_t block[64]; /* the last len % 64 bytes, not yet compressed */
    uint32_t alive;    /* 0: dead */
    uint32_t unused;
};

/* SHA-224, FIPS 180-4 section 6.3. 28 bytes of output; blocks of 64 bytes. */
#define CELER_SHA224_LEN 28
struct celer_sha224 {
    struct celer_sha256_state state;
};
/* out = SHA-224(in). */
CELER_API void celer_sha224(uint8_t out[CELER_AT_LEAST(28)], const void *in, size_t in_len);
/* out[i] = SHA-224(msgs[i]) for i < n. */
CELER_API void celer_sha224_many(uint8_t (*out)[28], const struct celer_msg *msgs, size_t n);
/* The same in pieces; see the rules above. */
CELER_API void celer_sha224_init(struct celer_sha224 *ctx);
CELER_API void celer_sha224_update(struct celer_sha224 *ctx, const void *in, size_t in_len);
CELER_API void celer_sha224_final(struct celer_sha224 *ctx, uint8_t out[CELER_AT_LEAST(28)]);
/* Erases a context that will not see final. */
CELER_API void celer_sha224_wipe(struct celer_sha224 *ctx);

/* SHA-256, FIPS 180-4 section 6.2. 32 bytes of output; blocks of 64 bytes. */
#define CELER_SHA256_LEN 32
struct celer_sha256 {
    struct celer_sha256_state state;
};
/* out = SHA-256(in). */
CELER_API void celer_sha256(uint8_t out[CELER_AT_LEAST(32)], const void *in, size_t in_len);
/* out[i] = SHA-256(msgs[i]) for i < n. */
CELER_API void celer_sha256_many(uint8_t (*out)[32], const struct celer_msg *msgs, size_t n);
/* The same in pieces; see the rules above. */
CELER_API void celer_sha256_init(struct celer_sha256 *ctx);
CELER_API void celer_sha256_update(struct celer_sha256 *ctx, const void *in, size_t in_len);
CELER_API void celer_sha256_final(struct celer_sha256 *ctx, uint8_t out[CELER_AT_LEAST(32)]);
/* Erases a context that will not see final. */
CELER_API void celer_sha256_wipe(struct celer_sha256 *ctx);

/* What SHA-384, SHA-512, SHA-512/224 and SHA-512/256 share. Private, too. The standard allows messages of 2^128 - 1
   bits; here they are counted as bytes, in 64 bits, which no machine will ever hash. */
struct celer_sha512_state {
    uint64_t len;       /* bytes seen so far */
    uint64_t h[8];      /* the chaining value H of FIPS 180-4 section 6.4 */
    uint8_t block[128]; /* the last len % 128 bytes, not yet compressed */
    uint32_t alive;     /* 0: dead */
    uint32_t unused;
};

/* SHA-384, FIPS 180-4 section 6.5. 48 bytes of output; blocks of 128 bytes. */
#define CELER_SHA384_LEN 48
struct celer_sha384 {
    struct celer_sha512_state state;
};
/* out = SHA-384(in). */
CELER_API void celer_sha384(uint8_t out[CELER_AT_LEAST(48)], const void *in, size_t in_len);
/* out[i] = SHA-384(msgs[i]) for i < n. */
CELER_API void celer_sha384_many(uint8_t (*out)[48], const struct celer_msg *msgs, size_t n);
/* The same in pieces; see the rules above. */
CELER_API void celer_sha384_init(struct celer_sha384 *ctx);
CELER_API void celer_sha384_update(struct celer_sha384 *ctx, const void *in, size_t in_len);
CELER_API void celer_sha384_final(struct celer_sha384 *ctx, uint8_t out[CELER_AT_LEAST(48)]);
/* Erases a context that will not see final. */
CELER_API void celer_sha384_wipe(struct celer_sha384 *ctx);

/* SHA-512, FIPS 180-4 section 6.4. 64 bytes of output; blocks of 128 bytes. */
#define CELER_SHA512_LEN 64
struct celer_sha512 {
    struct celer_sha512_state state;
};
/* out = SHA-512(in). */
CELER_API void celer_sha512(uint8_t out[CELER_AT_LEAST(64)], const void *in, size_t in_len);
/* out[i] = SHA-512(msgs[i]) for i < n. */
CELER_API void celer_sha512_many(uint8_t (*out)[64], const struct celer_msg *msgs, size_t n);
/* The same in pieces; see the rules above. */
CELER_API void celer_sha512_init(struct celer_sha512 *ctx);
CELER_API void celer_sha512_update(struct celer_sha512 *ctx, const void *in, size_t in_len);
CELER_API void celer_sha512_final(struct celer_sha512 *ctx, uint8_t out[CELER_AT_LEAST(64)]);
/* Erases a context that will not see final. */
CELER_API void celer_sha512_wipe(struct celer_sha512 *ctx);

/* SHA-512/224, FIPS 180-4 section 6.6. 28 bytes of output; blocks of 128 bytes. */
#define CELER_SHA512_224_LEN 28
struct celer_sha512_224 {
    struct celer_sha512_state state;
};
/* out = SHA-512/224(in). */
CELER_API void celer_sha512_224(uint8_t out[CELER_AT_LEAST(28)], const void *in, size_t in_len);
/* out[i] = SHA-512/224(msgs[i]) for i < n. */
CELER_API void celer_sha512_224_many(uint8_t (*out)[28], const struct celer_msg *msgs, size_t n);
/* The same in pieces; see the rules above. */
CELER_API void celer_sha512_224_init(struct celer_sha512_224 *ctx);
CELER_API void celer_sha512_224_update(struct celer_sha512_224 *ctx, const void *in, size_t in_len);
CELER_API void celer_sha512_224_final(struct celer_sha512_224 *ctx, uint8_t out[CELER_AT_LEAST(28)]);
/* Erases a context that will not see final. */
CELER_API void celer_sha512_224_wipe(struct celer_sha512_224 *ctx);

/* SHA-512/256, FIPS 180-4 section 6.7. 32 bytes of output; blocks of 128 bytes. */
#define CELER_SHA512_256_LEN 32
struct celer_sha512_256 {
    struct celer_sha512_state state;
};
/* out = SHA-512/256(in). */
CELER_API void celer_sha512_256(uint8_t out[CELER_AT_LEAST(32)], const void *in, size_t in_len);
/* out[i] = SHA-512/256(msgs[i]) for i < n. */
CELER_API void celer_sha512_256_many(uint8_t (*out)[32], const struct celer_msg *msgs, size_t n);
/* The same in pieces; see the rules above. */
CELER_API void celer_sha512_256_init(struct celer_sha512_256 *ctx);
CELER_API void celer_sha512_256_update(struct celer_sha512_256 *ctx, const void *in, size_t in_len);
CELER_API void celer_sha512_256_final(struct celer_sha512_256 *ctx, uint8_t out[CELER_AT_LEAST(32)]);
/* Erases a context that will not see final. */
CELER_API void celer_sha512_256_wipe(struct celer_sha512_256 *ctx);

#ifdef __cplusplus
}
#endif
#endif
