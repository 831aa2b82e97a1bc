/* sha2.h: SHA-224 and SHA-256 (FIPS 180-4).

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

#ifdef __cplusplus
}
#endif
#endif
