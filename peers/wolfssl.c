/* wolfssl.c: wolfCrypt: one context for all messages. Its final functions leave those of SHA ready for the next
   message; those of BLAKE2 have to be started anew. Which functions there are was decided when wolfSSL was built. */
#include <wolfssl/options.h>

#include <stdlib.h>
#include <wolfssl/ssl.h>
#include <wolfssl/wolfcrypt/blake2.h>
#include <wolfssl/wolfcrypt/sha256.h>
#include <wolfssl/wolfcrypt/sha3.h>
#include <wolfssl/wolfcrypt/sha512.h>
#include "peer.h"

union context {
    wc_Sha256 sha256; /* also SHA-224 */
#if defined(WOLFSSL_SHA512) || defined(WOLFSSL_SHA384)
    wc_Sha512 sha512; /* also SHA-384 */
#endif
#ifdef WOLFSSL_SHA3
    wc_Sha3 sha3;
#endif
#ifdef HAVE_BLAKE2B
    Blake2b blake2b;
#endif
#ifdef HAVE_BLAKE2S
    Blake2s blake2s;
#endif
};

static void close_context(const struct celer_subject *self, void *state)
{
    (void)self;
    free(state);
}

/* Opens a context with the expression `init`, in which it is called c. */
#define OPEN(name, type, init)                                                             \
  static int open_##name(const struct celer_subject *self, void **state, const char **why) \
  {                                                                                        \
    type *const c = (type *)(*state = calloc(1, sizeof(union context)));                   \
    (void)self;                                                                            \
    *why = c == NULL ? "out of memory" : "wolfSSL cannot start it";                        \
    if (c != NULL && (init) == 0)                                                          \
      return 0;                                                                            \
    free(c);                                                                               \
    return -1;                                                                             \
  }

/* A call that fails writes nothing, and that is noticed. */
#define HASH(name, type, init, update, finish)                                                         \
  OPEN(name, type, init)                                                                               \
  static void hash_##name(const struct celer_subject *self, void *state, uint8_t *out, const void *in, \
                          size_t in_len)                                                               \
  {                                                                                                    \
    (void)self;                                                                                        \
    if (update(state, in, (word32)in_len) != 0 || finish(state, out) != 0)                             \
      return;                                                                                          \
  }
#define XOF(name, type, init, update, finish)                                                         \
  OPEN(name, type, init)                                                                              \
  static void xof_##name(const struct celer_subject *self, void *state, uint8_t *out, size_t out_len, \
                         const void *in, size_t in_len)                                               \
  {                                                                                                   \
    (void)self;                                                                                       \
    if (update(state, in, (word32)in_len) != 0 || finish(state, out, (word32)out_len) != 0)           \
      return;                                                                                         \
  }
#define BLAKE(name, type, start, update, finish)                                                          \
  OPEN(name, type, start(c, (word32)self->out_len))                                                       \
  static void hash_##name(const struct celer_subject *self, void *state, uint8_t *out, const void *in,    \
                          size_t in_len)                                                                  \
  {                                                                                                       \
    const word32 len = (word32)self->out_len;                                                             \
    if (start(state, len) != 0 || update(state, in, (word32)in_len) != 0 || finish(state, out, len) != 0) \
      return;                                                                                             \
  }

#ifdef WOLFSSL_SHA224
HASH(sha224, wc_Sha224, wc_InitSha224(c), wc_Sha224Update, wc_Sha224Final)
#endif
HASH(sha256, wc_Sha256, wc_InitSha256(c), wc_Sha256Update, wc_Sha256Final)
#ifdef WOLFSSL_SHA384
HASH(sha384, wc_Sha384, wc_InitSha384(c), wc_Sha384Update, wc_Sha384Final)
#endif
#ifdef WOLFSSL_SHA512
HASH(sha512, wc_Sha512, wc_InitSha512(c), wc_Sha512Update, wc_Sha512Final)
#  ifndef WOLFSSL_NOSHA512_224
HASH(sha512_224, wc_Sha512, wc_InitSha512_224(c), wc_Sha512_224Update, wc_Sha512_224Final)
#  endif
#  ifndef WOLFSSL_NOSHA512_256
HASH(sha512_256, wc_Sha512, wc_InitSha512_256(c), wc_Sha512_256Update, wc_Sha512_256Final)
#  endif
#endif
#ifdef WOLFSSL_SHA3
HASH(sha3_224, wc_Sha3, wc_InitSha3_224(c, NULL, INVALID_DEVID), wc_Sha3_224_Update, wc_Sha3_224_Final)
HASH(sha3_256, wc_Sha3, wc_InitSha3_256(c, NULL, INVALID_DEVID), wc_Sha3_256_Update, wc_Sha3_256_Final)
HASH(sha3_384, wc_Sha3, wc_InitSha3_384(c, NULL, INVALID_DEVID), wc_Sha3_384_Update, wc_Sha3_384_Final)
HASH(sha3_512, wc_Sha3, wc_InitSha3_512(c, NULL, INVALID_DEVID), wc_Sha3_512_Update, wc_Sha3_512_Final)
#  ifdef WOLFSSL_SHAKE128
XOF(shake128, wc_Shake, wc_InitShake128(c, NULL, INVALID_DEVID), wc_Shake128_Update, wc_Shake128_Final)
#  endif
#  ifdef WOLFSSL_SHAKE256
XOF(shake256, wc_Shake, wc_InitShake256(c, NULL, INVALID_DEVID), wc_Shake256_Update, wc_Shake256_Final)
#  endif
#endif
#ifdef HAVE_BLAKE2B
BLAKE(blake2b, Blake2b, wc_InitBlake2b, wc_Blake2bUpdate, wc_Blake2bFinal)
#endif
#ifdef HAVE_BLAKE2S
BLAKE(blake2s, Blake2s, wc_InitBlake2s, wc_Blake2sUpdate, wc_Blake2sFinal)
#endif

static int refuse_kem(const struct celer_subject *self, void **state, const char **why)
{
    (void)self, (void)state;
#ifdef WOLFSSL_HAVE_MLKEM
    *why = "this plug-in does not reach the ML-KEM of wolfSSL";
#else
    *why = "this wolfSSL was built without ML-KEM";
#endif
    return -1;
}

#define KEM(name)                                                  \
  {                                                                \
    PEER_SUBJECT(CELER_KIND_KEM, name, 32, ""), .open = refuse_kem \
  }
#define SUBJECT(of_kind, member, name, length, suffix)                              \
  {                                                                                 \
    .open = open_##suffix, .close = close_context, .run.member = member##_##suffix, \
    PEER_SUBJECT(of_kind, name, length, "reused context")                           \
  }

static const struct celer_subject subjects[] = {
#ifdef WOLFSSL_SHA224
    SUBJECT(CELER_KIND_HASH, hash, "sha224", 28, sha224),
#endif
    SUBJECT(CELER_KIND_HASH, hash, "sha256", 32, sha256),
#ifdef WOLFSSL_SHA384
    SUBJECT(CELER_KIND_HASH, hash, "sha384", 48, sha384),
#endif
#ifdef WOLFSSL_SHA512
    SUBJECT(CELER_KIND_HASH, hash, "sha512", 64, sha512),
#  ifndef WOLFSSL_NOSHA512_224
    SUBJECT(CELER_KIND_HASH, hash, "sha512-224", 28, sha512_224),
#  endif
#  ifndef WOLFSSL_NOSHA512_256
    SUBJECT(CELER_KIND_HASH, hash, "sha512-256", 32, sha512_256),
#  endif
#endif
#ifdef WOLFSSL_SHA3
    SUBJECT(CELER_KIND_HASH, hash, "sha3-224", 28, sha3_224),
    SUBJECT(CELER_KIND_HASH, hash, "sha3-256", 32, sha3_256),
    SUBJECT(CELER_KIND_HASH, hash, "sha3-384", 48, sha3_384),
    SUBJECT(CELER_KIND_HASH, hash, "sha3-512", 64, sha3_512),
#  ifdef WOLFSSL_SHAKE128
    SUBJECT(CELER_KIND_XOF, xof, "shake128", 32, shake128),
#  endif
#  ifdef WOLFSSL_SHAKE256
    SUBJECT(CELER_KIND_XOF, xof, "shake256", 64, shake256),
#  endif
#endif
#ifdef HAVE_BLAKE2B
    SUBJECT(CELER_KIND_HASH, hash, "blake2b", 64, blake2b),
#endif
#ifdef HAVE_BLAKE2S
    SUBJECT(CELER_KIND_HASH, hash, "blake2s", 32, blake2s),
#endif
    KEM("ml-kem-512"),
    KEM("ml-kem-768"),
    KEM("ml-kem-1024"),
};

const struct celer_provider *celer_provider_1(const char **why)
{
    static struct celer_provider provider = {PEER_PROVIDER("wolfssl")};
    (void)why;
    provider.version = wolfSSL_lib_version();
    return &provider;
}
