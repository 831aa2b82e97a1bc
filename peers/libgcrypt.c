/* libgcrypt.c: libgcrypt: gcry_md_hash_buffer, which needs no handle, for fixed lengths; for SHAKE, which it does not
   serve, one handle for all messages; ML-KEM with the seeds and coins that it is given. */
#include <gcrypt.h>
#include "peer.h"

static int algorithm(const struct celer_subject *self)
{
    return *(const int *)self->arg;
}

static int open_plain(const struct celer_subject *self, void **state, const char **why)
{
    *state = NULL;
    *why = "this libgcrypt was built without it";
    return gcry_md_test_algo(algorithm(self)) != 0 ? -1 : 0;
}

static void hash(const struct celer_subject *self, void *state, uint8_t *out, const void *in, size_t in_len)
{
    (void)state;
    gcry_md_hash_buffer(algorithm(self), out, in, in_len);
}

static int open_handle(const struct celer_subject *self, void **state, const char **why)
{
    gcry_md_hd_t handle;
    *why = "this libgcrypt was built without it";
    if (gcry_md_open(&handle, algorithm(self), 0) != 0)
        return -1;
    *state = handle;
    return 0;
}

static void close_handle(const struct celer_subject *self, void *state)
{
    (void)self;
    gcry_md_close(state);
}

static void xof(const struct celer_subject *self, void *state, uint8_t *out, size_t out_len, const void *in,
                size_t in_len)
{
    gcry_md_reset(state);
    gcry_md_write(state, in, in_len);
    if (gcry_md_extract(state, algorithm(self), out, out_len) != 0)
        return; /* nothing written, and that is noticed */
}

#if GCRYPT_VERSION_NUMBER >= 0x010c00

static int keygen(const struct celer_subject *self, void *state, uint8_t *ek, uint8_t *dk,
                  const uint8_t *seed64)
{
    (void)state;
    return gcry_kem_genkey(algorithm(self), ek, self->run.kem.ek_len, dk, self->run.kem.dk_len, seed64, 64) !=
           0;
}

static int encaps(const struct celer_subject *self, void *state, uint8_t *ct, uint8_t *ss, const uint8_t *ek,
                  const uint8_t *coins32)
{
    (void)state;
    return gcry_kem_encap(algorithm(self), ek, self->run.kem.ek_len, ct, self->run.kem.ct_len, ss, 32,
                          coins32, 32) != 0;
}

static int decaps(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                  const uint8_t *dk)
{
    (void)state;
    return gcry_kem_decap(algorithm(self), dk, self->run.kem.dk_len, ct, self->run.kem.ct_len, ss, 32, NULL,
                          0) != 0;
}

#  define KEM(set)                                                    \
    {                                                                 \
      .arg = &(const int){GCRY_KEM_MLKEM##set},                       \
      .run.kem = {.ek_len = GCRY_KEM_MLKEM##set##_PUBKEY_LEN,         \
                  .dk_len = GCRY_KEM_MLKEM##set##_SECKEY_LEN,         \
                  .ct_len = GCRY_KEM_MLKEM##set##_CIPHER_LEN,         \
                  .keygen = keygen,                                   \
                  .encaps = encaps,                                   \
                  .decaps = decaps},                                  \
      PEER_SUBJECT(CELER_KIND_KEM, "ml-kem-" #set, 32, "seeds given") \
    }

#else

static int refuse_kem(const struct celer_subject *self, void **state, const char **why)
{
    (void)self, (void)state;
    *why = "ML-KEM with given seeds needs libgcrypt 1.12";
    return -1;
}

#  define KEM(set)                                                             \
    {                                                                          \
      .open = refuse_kem, PEER_SUBJECT(CELER_KIND_KEM, "ml-kem-" #set, 32, "") \
    }

#endif

#define HASH(name, length, id)                                         \
  {                                                                    \
    .arg = &(const int){id}, .open = open_plain, .run.hash = hash,     \
    PEER_SUBJECT(CELER_KIND_HASH, name, length, "one call, no handle") \
  }
#define XOF(name, length, id)                                                            \
  {                                                                                      \
    .arg = &(const int){id}, .open = open_handle, .close = close_handle, .run.xof = xof, \
    PEER_SUBJECT(CELER_KIND_XOF, name, length, "reused handle")                          \
  }
static const struct celer_subject subjects[] = {
    HASH("sha224", 28, GCRY_MD_SHA224),
    HASH("sha256", 32, GCRY_MD_SHA256),
    HASH("sha384", 48, GCRY_MD_SHA384),
    HASH("sha512", 64, GCRY_MD_SHA512),
    HASH("sha512-224", 28, GCRY_MD_SHA512_224),
    HASH("sha512-256", 32, GCRY_MD_SHA512_256),
    HASH("sha3-224", 28, GCRY_MD_SHA3_224),
    HASH("sha3-256", 32, GCRY_MD_SHA3_256),
    HASH("sha3-384", 48, GCRY_MD_SHA3_384),
    HASH("sha3-512", 64, GCRY_MD_SHA3_512),
    XOF("shake128", 32, GCRY_MD_SHAKE128),
    XOF("shake256", 64, GCRY_MD_SHAKE256),
    HASH("blake2b", 64, GCRY_MD_BLAKE2B_512),
    HASH("blake2s", 32, GCRY_MD_BLAKE2S_256),
    KEM(512),
    KEM(768),
    KEM(1024),
};

const struct celer_provider *celer_provider_1(const char **why)
{
    static struct celer_provider provider = {PEER_PROVIDER("libgcrypt")};
    provider.version = gcry_check_version(GCRYPT_VERSION);
    if (provider.version == NULL) {
        *why = "libgcrypt is older than the headers this was built with";
        return NULL;
    }
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    return &provider;
}
