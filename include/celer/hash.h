/* hash.h: every hash behind one row; for programs that choose an algorithm by name.

       const struct celer_hash *hash = celer_hash_find("sha3-256");
       struct celer_hash_ctx ctx;
       if (hash == NULL || celer_hash_init(&ctx, hash, NULL) != 0)
           ...
       celer_hash_update(&ctx, data, len);
       celer_hash_final(&ctx, out);                 (hash->out_len bytes)

   The rules of the typed contexts hold here as well: plain value, dead when zeroed or finished, overlap allowed. One
   thing is different: a context that was never started, or whose start failed, does not know how long its output would
   be, and final writes nothing. So look at what init returns. */
#ifndef CELER_HASH_H
#define CELER_HASH_H
#include "cpu.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Flags of a row. */
#define CELER_HASH_XOF    UINT32_C(1)   /* output of any length; squeeze may be called again and again */
#define CELER_HASH_KEY    UINT32_C(2)   /* takes a key (key_min > 0: must have one) */
#define CELER_HASH_CUSTOM UINT32_C(4)   /* takes a customization string */
#define CELER_HASH_SALT   UINT32_C(8)   /* takes salt and personalization */
#define CELER_HASH_NAME   UINT32_C(16)  /* takes a function name: cSHAKE */
#define CELER_HASH_BLOCK  UINT32_C(32)  /* takes the length of the blocks it hashes apart: ParallelHash */
#define CELER_HASH_DOMAIN UINT32_C(64)  /* takes a domain byte: TurboSHAKE */
#define CELER_HASH_TREE   UINT32_C(128) /* a tree over parts of the message, several of them at once */

/* Everything a hash can be told before the first byte. NULL, or all zeros, is the plain hash. Lengths in bytes. */
struct celer_hash_opts {
    size_t out_len; /* 0: hash->out_len */
    const void *key;
    size_t key_len;
    const void *custom;
    size_t custom_len;
    const void *salt;
    size_t salt_len;
    const void *personal;
    size_t personal_len;
    const void *name;
    size_t name_len;
    size_t block_len; /* 0: 8192 */
    unsigned domain;  /* 0x01 .. 0x7f; 0: 0x1f */
};

/* A hash. Rows are celer's own; the sizes and the kernel are for you to read, the methods for celer to call. */
struct celer_hash {
    const char *name;                  /* "sha3-256" */
    const char *family;                /* "sha3": the folder and the header it lives in */
    const char *source;                /* "FIPS 202 6.1" */
    size_t out_len;                    /* customary output length, bytes */
    size_t out_min, out_max;           /* least and most; SIZE_MAX: any */
    size_t block_len;                  /* updates of a multiple of it are fastest, but for trees; HMAC's B */
    size_t key_min, key_max;           /* bytes; 0, 0: no key */
    size_t salt_len;                   /* bytes of a salt, and of a personalization; 0: takes neither */
    size_t ctx_size;                   /* at most CELER_HASH_CTX_SIZE */
    const struct celer_kernel *kernel; /* the backends it can run on */
    uint32_t flags;
    uint32_t param; /* the family's own, such as rate and suffix */
    /* Methods, for celer_hash_ functions, which check what these do not; opts is not NULL. */
    void (*init)(void *ctx, const struct celer_hash *hash, const struct celer_hash_opts *opts);
    void (*update)(void *ctx, const void *in, size_t in_len);
    void (*final)(void *ctx, uint8_t *out, size_t out_len);
    void (*squeeze)(void *ctx, uint8_t *out, size_t out_len); /* NULL: no XOF */
    void (*many)(const struct celer_hash *hash, const struct celer_hash_opts *opts, uint8_t *out,
                 size_t out_len, const struct celer_msg *msgs, size_t n); /* NULL: one by one */
};

#define CELER_HASH_CTX_SIZE 2048
struct celer_hash_ctx {
    const struct celer_hash *hash; /* NULL: dead */
    size_t out_len;
    union {
        unsigned char bytes[CELER_HASH_CTX_SIZE];
        uint64_t align;
    } state;
};

/* Row i of the list of all hashes, in a fixed order; NULL past the last. */
CELER_API const struct celer_hash *celer_hash_at(size_t i);

/* The row of that name; upper case and '_' for '-' are accepted. Where the length of the output is open, the name may
   say the customary one, in bits: "blake2b-512" is "blake2b". NULL when there is none. */
CELER_API const struct celer_hash *celer_hash_find(const char *name);

/* Starts a computation. CELER_EINVAL, and a dead context, when hash is NULL, as celer_hash_find gives it, or opts hold
   something the row does not take: an output or key length or a domain out of its range, a salt or personalization of
   another length, or anything it has no use for. */
CELER_API int celer_hash_init(struct celer_hash_ctx *ctx, const struct celer_hash *hash,
                              const struct celer_hash_opts *opts) CELER_MUST_CHECK;
CELER_API void celer_hash_update(struct celer_hash_ctx *ctx, const void *in, size_t in_len);

/* Writes ctx->out_len bytes (opts->out_len, or hash->out_len) and erases the context. A dead one writes nothing
   when it was never given a length. */
CELER_API void celer_hash_final(struct celer_hash_ctx *ctx, uint8_t *out);

/* XOFs only: the next out_len bytes of output. CELER_EINVAL, and zeros, when the row is no XOF or ctx is dead. */
CELER_API int celer_hash_squeeze(struct celer_hash_ctx *ctx, uint8_t *out, size_t out_len) CELER_MUST_CHECK;

/* out + i * out_len = hash of msgs[i], i < n. CELER_EINVAL as celer_hash_init; out is then left alone. */
CELER_API int celer_hash_many(const struct celer_hash *hash, const struct celer_hash_opts *opts, uint8_t *out,
                              const struct celer_msg *msgs, size_t n) CELER_MUST_CHECK;

/* Erases the context. */
CELER_API void celer_hash_wipe(struct celer_hash_ctx *ctx);

/* HMAC, FIPS 198-1, over the hashes of the list that read their message in one pass to an output of fixed length: no
   XOF, none of the functions of SP 800-185 (KMAC is the code to take there). The code has hash->out_len bytes;
   compare codes with celer_equal. The key may have any length; one longer than hash->block_len is hashed first. The
   rules of contexts hold as above. */
#define CELER_HMAC_STATE_SIZE 256 /* bytes of state that such a hash has at most */
struct celer_hmac_ctx {
    const struct celer_hash *hash; /* NULL: dead */
    size_t out_len;
    union {
        unsigned char bytes[CELER_HMAC_STATE_SIZE];
        uint64_t align;
    } inner, outer;
};

/* out = HMAC(key, in). CELER_EINVAL when hash is NULL or no hash for HMAC; out then gets zeros, as many as the hash has
   bytes. */
CELER_API int celer_hmac(const struct celer_hash *hash, uint8_t *out, const void *key, size_t key_len,
                         const void *in, size_t in_len) CELER_MUST_CHECK;
/* CELER_EINVAL in the same cases, and a dead context, for which final writes nothing. */
CELER_API int celer_hmac_init(struct celer_hmac_ctx *ctx, const struct celer_hash *hash, const void *key,
                              size_t key_len) CELER_MUST_CHECK;
CELER_API void celer_hmac_update(struct celer_hmac_ctx *ctx, const void *in, size_t in_len);
CELER_API void celer_hmac_final(struct celer_hmac_ctx *ctx, uint8_t *out);
CELER_API void celer_hmac_wipe(struct celer_hmac_ctx *ctx);

#ifdef __cplusplus
}
#endif
#endif
