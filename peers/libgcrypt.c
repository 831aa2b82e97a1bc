/* libgcrypt.c: libgcrypt: gcry_md_hash_buffer, which needs no handle, for fixed lengths; for SHAKE, which it does not
   serve, one handle for all messages. */
#include <gcrypt.h>
#include "celer/provider.h"

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

static int refuse_kem(const struct celer_subject *self, void **state, const char **why)
{
    (void)self, (void)state;
    *why = gcry_check_version("1.11.0") != NULL ? "this plug-in does not reach the ML-KEM of libgcrypt"
                                                : "ML-KEM needs libgcrypt 1.11";
    return -1;
}

#define COMMON(of_kind, name, length)                                                              \
  .kind = (of_kind), .flags = CELER_SUBJECT_DEFAULT, .ways = 1, .function = (name), .backend = "", \
  .out_len = (length)
#define HASH(name, length, id)                                                                      \
  {                                                                                                 \
    COMMON(CELER_KIND_HASH, name, length), .notes = "one call, no handle", .arg = &(const int){id}, \
                                           .open = open_plain, .run.hash = hash                     \
  }
#define XOF(name, length, id)                                                                        \
  {                                                                                                  \
    COMMON(CELER_KIND_XOF, name, length), .notes = "reused handle", .arg = &(const int){id},         \
                                          .open = open_handle, .close = close_handle, .run.xof = xof \
  }
#define KEM(name)                                                     \
  {                                                                   \
    COMMON(CELER_KIND_KEM, name, 32), .notes = "", .open = refuse_kem \
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
    KEM("ml-kem-512"),
    KEM("ml-kem-768"),
    KEM("ml-kem-1024"),
};

const struct celer_provider *celer_provider_1(const char **why)
{
    static struct celer_provider provider = {
        .abi = CELER_PROVIDER_ABI,
        .subject_size = sizeof(struct celer_subject),
        .library = "libgcrypt",
        .compiler = "",
        .flags = "",
        .subjects = subjects,
        .subject_count = sizeof subjects / sizeof subjects[0],
    };
    provider.version = gcry_check_version(GCRYPT_VERSION);
    if (provider.version == NULL) {
        *why = "libgcrypt is older than the headers this was built with";
        return NULL;
    }
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    return &provider;
}
