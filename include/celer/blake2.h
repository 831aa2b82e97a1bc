/* blake2.h: BLAKE2b and BLAKE2s (RFC 7693), BLAKE2bp and BLAKE2sp, BLAKE2Xb and BLAKE2Xs.

   Rules for every context here:
   - It is a plain value, aligned as C aligns its type: no pointers inside; memcpy makes a second, independent one.
   - init, which fixes the length of the output, any number of updates of any length, then final once; for BLAKE2X
     squeeze as often as there is output left.
   - init returns CELER_EINVAL, and leaves a dead context, for a length out of its range.
   - final erases the context. A context that is all zeros, or was erased, is dead: update does nothing, final returns
     CELER_EINVAL and writes nothing, as there is no length to write; squeeze returns CELER_EINVAL and writes zeros.
   - Input and output need no alignment. out may overlap in; in the _many functions it must not.
   - A null pointer is allowed where its length is 0.
   - Functions of one call that return CELER_EINVAL have written zeros to out, or where out_len is too long, to its
     beginning.

   The length of the output is hashed with the message: a short digest is not the beginning of a longer one. A key makes
   the digest a message authentication code, without need of HMAC; compare codes with celer_equal. A key of length 0 is no
   key. */
#ifndef CELER_BLAKE2_H
#define CELER_BLAKE2_H
#include "common.h"
#ifdef __cplusplus
extern "C" {
#endif

/* What an output can depend on besides message, key and length: the parameters of RFC 7693 section 2.5. All zeros are
   the plain hash. */
struct celer_blake2_params {
    /* Both tell one use of the function from another; 0 bytes, or exactly CELER_BLAKE2B_SALT_LEN and so on. */
    const void *salt;
    size_t salt_len;
    const void *personal;
    size_t personal_len;
    /* The rest is of nodes of a hash tree; all 0 where there is none. */
    uint8_t fanout;       /* children of an inner node; 0: no limit */
    uint8_t depth;        /* levels of the tree, 1 .. 255; 255 also for no limit. 0: no tree */
    uint8_t node_depth;   /* level of this node; 0: a leaf */
    uint8_t inner_len;    /* bytes of an inner node's hash, 0 .. CELER_BLAKE2B_LEN, CELER_BLAKE2S_LEN */
    uint32_t leaf_len;    /* most bytes of the message in a leaf; 0: no limit */
    uint64_t node_offset; /* which of its level, from 0; BLAKE2s: < 2^48 */
};

/* BLAKE2b, RFC 7693: 64 bytes of output at most; words of 64 bits, blocks of 128 bytes. */
#define CELER_BLAKE2B_LEN          64 /* output: 1 .. 64 bytes */
#define CELER_BLAKE2B_KEY_LEN      64 /* key: 0 .. 64 bytes */
#define CELER_BLAKE2B_SALT_LEN     16
#define CELER_BLAKE2B_PERSONAL_LEN 16
#define CELER_BLAKE2B_BLOCK_LEN    128
/* Its members are private: read them in a debugger, never in code. */
struct celer_blake2b {
    uint64_t s[12];     /* chaining value, counter, flags: see src/blake2/blake2b.h */
    uint8_t block[128]; /* the last bytes, not yet compressed: a block waits until more follows */
    uint8_t pos;        /* how many, 0 .. 128 */
    uint8_t out_len;    /* 0: dead */
    uint8_t last_node;  /* 1: the last node of its level */
    uint8_t unused[5];
};
/* out = BLAKE2b(in, key) of out_len bytes. */
CELER_API int celer_blake2b(uint8_t *out, size_t out_len, const void *in, size_t in_len, const void *key,
                            size_t key_len) CELER_MUST_CHECK;
/* For i < n, the out_len bytes at out + i * out_len = BLAKE2b(msgs[i], key); short or long, the messages share the
   vector lanes of the CPU. */
CELER_API int celer_blake2b_many(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n,
                                 const void *key, size_t key_len) CELER_MUST_CHECK;
/* The same in pieces; see the rules above. */
CELER_API int celer_blake2b_init(struct celer_blake2b *ctx, size_t out_len, const void *key,
                                 size_t key_len) CELER_MUST_CHECK;
/* init with parameters; NULL: none. CELER_EINVAL, and a dead context, also when one of them is out of its range. */
CELER_API int celer_blake2b_init_params(struct celer_blake2b *ctx, size_t out_len, const void *key,
                                        size_t key_len,
                                        const struct celer_blake2_params *params) CELER_MUST_CHECK;
CELER_API void celer_blake2b_update(struct celer_blake2b *ctx, const void *in, size_t in_len);
/* Tells, at any time before final, that this node of a tree is the last one of its level. */
CELER_API void celer_blake2b_last_node(struct celer_blake2b *ctx);
/* Writes as many bytes as init was told. */
CELER_API int celer_blake2b_final(struct celer_blake2b *ctx, uint8_t *out) CELER_MUST_CHECK;
/* Erases a context that will not see final. */
CELER_API void celer_blake2b_wipe(struct celer_blake2b *ctx);

/* BLAKE2s, RFC 7693: 32 bytes of output at most; words of 32 bits, blocks of 64 bytes. */
#define CELER_BLAKE2S_LEN          32 /* output: 1 .. 32 bytes */
#define CELER_BLAKE2S_KEY_LEN      32 /* key: 0 .. 32 bytes */
#define CELER_BLAKE2S_SALT_LEN     8
#define CELER_BLAKE2S_PERSONAL_LEN 8
#define CELER_BLAKE2S_BLOCK_LEN    64
/* Its members are private: read them in a debugger, never in code. */
struct celer_blake2s {
    uint32_t s[12];    /* chaining value, counter, flags: see src/blake2/blake2s.h */
    uint8_t block[64]; /* the last bytes, not yet compressed: a block waits until more follows */
    uint8_t pos;       /* how many, 0 .. 64 */
    uint8_t out_len;   /* 0: dead */
    uint8_t last_node; /* 1: the last node of its level */
    uint8_t unused[5];
};
/* out = BLAKE2s(in, key) of out_len bytes. */
CELER_API int celer_blake2s(uint8_t *out, size_t out_len, const void *in, size_t in_len, const void *key,
                            size_t key_len) CELER_MUST_CHECK;
/* For i < n, the out_len bytes at out + i * out_len = BLAKE2s(msgs[i], key); short or long, the messages share the
   vector lanes of the CPU. */
CELER_API int celer_blake2s_many(uint8_t *out, size_t out_len, const struct celer_msg *msgs, size_t n,
                                 const void *key, size_t key_len) CELER_MUST_CHECK;
/* The same in pieces; see the rules above. */
CELER_API int celer_blake2s_init(struct celer_blake2s *ctx, size_t out_len, const void *key,
                                 size_t key_len) CELER_MUST_CHECK;
/* init with parameters; NULL: none. CELER_EINVAL, and a dead context, also when one of them is out of its range. */
CELER_API int celer_blake2s_init_params(struct celer_blake2s *ctx, size_t out_len, const void *key,
                                        size_t key_len,
                                        const struct celer_blake2_params *params) CELER_MUST_CHECK;
CELER_API void celer_blake2s_update(struct celer_blake2s *ctx, const void *in, size_t in_len);
/* Tells, at any time before final, that this node of a tree is the last one of its level. */
CELER_API void celer_blake2s_last_node(struct celer_blake2s *ctx);
/* Writes as many bytes as init was told. */
CELER_API int celer_blake2s_final(struct celer_blake2s *ctx, uint8_t *out) CELER_MUST_CHECK;
/* Erases a context that will not see final. */
CELER_API void celer_blake2s_wipe(struct celer_blake2s *ctx);

/* BLAKE2bp: a tree over BLAKE2b of one root and 4 leaves, which take the blocks of the message in turn, so that one
   message fills the vector lanes of the CPU. Its outputs are not those of BLAKE2b. Long updates are the fastest. It starts
   no threads. */
#define CELER_BLAKE2BP_LEN       64 /* output: 1 .. 64 bytes */
#define CELER_BLAKE2BP_KEY_LEN   64 /* key: 0 .. 64 bytes */
#define CELER_BLAKE2BP_BLOCK_LEN 512
/* Private, too. */
struct celer_blake2bp {
    uint64_t s[12 * 4];  /* the leaves, interleaved */
    uint8_t block[1024]; /* the last bytes, not yet compressed: each leaf's last block waits */
    uint16_t pos;        /* how many */
    uint8_t out_len;     /* 0: dead */
    uint8_t key_len;
    uint8_t unused[4];
};
/* out = BLAKE2bp(in, key) of out_len bytes. */
CELER_API int celer_blake2bp(uint8_t *out, size_t out_len, const void *in, size_t in_len, const void *key,
                             size_t key_len) CELER_MUST_CHECK;
/* The same in pieces; see the rules above. */
CELER_API int celer_blake2bp_init(struct celer_blake2bp *ctx, size_t out_len, const void *key,
                                  size_t key_len) CELER_MUST_CHECK;
CELER_API void celer_blake2bp_update(struct celer_blake2bp *ctx, const void *in, size_t in_len);
CELER_API int celer_blake2bp_final(struct celer_blake2bp *ctx, uint8_t *out) CELER_MUST_CHECK;
/* Erases a context that will not see final. */
CELER_API void celer_blake2bp_wipe(struct celer_blake2bp *ctx);

/* BLAKE2sp: a tree over BLAKE2s of one root and 8 leaves, which take the blocks of the message in turn, so that one
   message fills the vector lanes of the CPU. Its outputs are not those of BLAKE2s. Long updates are the fastest. It starts
   no threads. */
#define CELER_BLAKE2SP_LEN       32 /* output: 1 .. 32 bytes */
#define CELER_BLAKE2SP_KEY_LEN   32 /* key: 0 .. 32 bytes */
#define CELER_BLAKE2SP_BLOCK_LEN 512
/* Private, too. */
struct celer_blake2sp {
    uint32_t s[12 * 8];  /* the leaves, interleaved */
    uint8_t block[1024]; /* the last bytes, not yet compressed: each leaf's last block waits */
    uint16_t pos;        /* how many */
    uint8_t out_len;     /* 0: dead */
    uint8_t key_len;
    uint8_t unused[4];
};
/* out = BLAKE2sp(in, key) of out_len bytes. */
CELER_API int celer_blake2sp(uint8_t *out, size_t out_len, const void *in, size_t in_len, const void *key,
                             size_t key_len) CELER_MUST_CHECK;
/* The same in pieces; see the rules above. */
CELER_API int celer_blake2sp_init(struct celer_blake2sp *ctx, size_t out_len, const void *key,
                                  size_t key_len) CELER_MUST_CHECK;
CELER_API void celer_blake2sp_update(struct celer_blake2sp *ctx, const void *in, size_t in_len);
CELER_API int celer_blake2sp_final(struct celer_blake2sp *ctx, uint8_t *out) CELER_MUST_CHECK;
/* Erases a context that will not see final. */
CELER_API void celer_blake2sp_wipe(struct celer_blake2sp *ctx);

/* For the length of an output of BLAKE2X that is not known beforehand. As nobody knows then which block is the last, all
   are made whole; the reference code makes the last one, if it is cut short, with its own digest length, so that it
   differs there. */
#define CELER_BLAKE2X_UNKNOWN SIZE_MAX

/* BLAKE2Xb: output of up to 2^32 - 2 bytes, made from a digest of BLAKE2b. That length is hashed, too; where it is not
   known beforehand, CELER_BLAKE2X_UNKNOWN stands for it, and there are 256 GiB. */
#define CELER_BLAKE2XB_MAX     UINT32_C(0xfffffffe) /* greatest length that can be told */
#define CELER_BLAKE2XB_KEY_LEN 64                   /* key: 0 .. 64 bytes */
/* Private, too. */
struct celer_blake2xb {
    struct celer_blake2b root; /* dead when squeezing has begun */
    uint8_t digest[64];        /* of the root */
    uint8_t block[64];         /* of output, the one that is begun */
    uint64_t at;               /* bytes given out */
    uint64_t end;              /* bytes there are; 0: dead */
    uint32_t total;            /* the length as it is hashed */
    uint32_t squeezing;        /* 1: digest is there */
};
/* out = BLAKE2Xb(in, key) of out_len bytes, 1 .. CELER_BLAKE2XB_MAX. */
CELER_API int celer_blake2xb(uint8_t *out, size_t out_len, const void *in, size_t in_len, const void *key,
                             size_t key_len) CELER_MUST_CHECK;
/* The same in pieces; see the rules above. out_len is that of the whole output, or CELER_BLAKE2X_UNKNOWN. After the
   first squeeze, even of 0 bytes, update is ignored. */
CELER_API int celer_blake2xb_init(struct celer_blake2xb *ctx, size_t out_len, const void *key,
                                  size_t key_len) CELER_MUST_CHECK;
CELER_API void celer_blake2xb_update(struct celer_blake2xb *ctx, const void *in, size_t in_len);
/* The next out_len bytes. CELER_EINVAL, and zeros, when fewer are left; these can still be had. */
CELER_API int celer_blake2xb_squeeze(struct celer_blake2xb *ctx, uint8_t *out,
                                     size_t out_len) CELER_MUST_CHECK;
/* Erases the context; nothing else does. */
CELER_API void celer_blake2xb_wipe(struct celer_blake2xb *ctx);

/* BLAKE2Xs: output of up to 65534 bytes, made from a digest of BLAKE2s. That length is hashed, too; where it is not
   known beforehand, CELER_BLAKE2X_UNKNOWN stands for it, and there are 128 GiB. */
#define CELER_BLAKE2XS_MAX     UINT32_C(0xfffe) /* greatest length that can be told */
#define CELER_BLAKE2XS_KEY_LEN 32               /* key: 0 .. 32 bytes */
/* Private, too. */
struct celer_blake2xs {
    struct celer_blake2s root; /* dead when squeezing has begun */
    uint8_t digest[32];        /* of the root */
    uint8_t block[32];         /* of output, the one that is begun */
    uint64_t at;               /* bytes given out */
    uint64_t end;              /* bytes there are; 0: dead */
    uint32_t total;            /* the length as it is hashed */
    uint32_t squeezing;        /* 1: digest is there */
};
/* out = BLAKE2Xs(in, key) of out_len bytes, 1 .. CELER_BLAKE2XS_MAX. */
CELER_API int celer_blake2xs(uint8_t *out, size_t out_len, const void *in, size_t in_len, const void *key,
                             size_t key_len) CELER_MUST_CHECK;
/* The same in pieces; see the rules above. out_len is that of the whole output, or CELER_BLAKE2X_UNKNOWN. After the
   first squeeze, even of 0 bytes, update is ignored. */
CELER_API int celer_blake2xs_init(struct celer_blake2xs *ctx, size_t out_len, const void *key,
                                  size_t key_len) CELER_MUST_CHECK;
CELER_API void celer_blake2xs_update(struct celer_blake2xs *ctx, const void *in, size_t in_len);
/* The next out_len bytes. CELER_EINVAL, and zeros, when fewer are left; these can still be had. */
CELER_API int celer_blake2xs_squeeze(struct celer_blake2xs *ctx, uint8_t *out,
                                     size_t out_len) CELER_MUST_CHECK;
/* Erases the context; nothing else does. */
CELER_API void celer_blake2xs_wipe(struct celer_blake2xs *ctx);

#ifdef __cplusplus
}
#endif
#endif
