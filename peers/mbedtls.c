/* mbedtls.c: Mbed TLS 2.28 and 3: one context for all messages. */
#include <mbedtls/sha256.h>
#include <mbedtls/sha512.h>
#include <mbedtls/version.h>
#include <stdlib.h>
#include "peer.h"

#if MBEDTLS_VERSION_MAJOR >= 3
#  define CALL(function) function
#else
#  define CALL(function) function##_ret
#endif

/* A call that fails writes nothing, and that is noticed. `arg` points to whether it is the short form. */
#define FAMILY(name, in_struct)                                                                        \
  static int open_##name(const struct celer_subject *self, void **state, const char **why)             \
  {                                                                                                    \
    (void)self;                                                                                        \
    *why = "out of memory";                                                                            \
    *state = malloc(sizeof(in_struct));                                                                \
    if (*state == NULL)                                                                                \
      return -1;                                                                                       \
    mbedtls_##name##_init(*state);                                                                     \
    return 0;                                                                                          \
  }                                                                                                    \
  static void close_##name(const struct celer_subject *self, void *state)                              \
  {                                                                                                    \
    (void)self;                                                                                        \
    mbedtls_##name##_free(state);                                                                      \
    free(state);                                                                                       \
  }                                                                                                    \
  static void hash_##name(const struct celer_subject *self, void *state, uint8_t *out, const void *in, \
                          size_t in_len)                                                               \
  {                                                                                                    \
    if (CALL(mbedtls_##name##_starts)(state, *(const int *)self->arg) != 0 ||                          \
        CALL(mbedtls_##name##_update)(state, in, in_len) != 0 ||                                       \
        CALL(mbedtls_##name##_finish)(state, out) != 0)                                                \
      return;                                                                                          \
  }

FAMILY(sha256, mbedtls_sha256_context)
FAMILY(sha512, mbedtls_sha512_context)

#define HASH(name, length, family, is_short)                                                 \
  {                                                                                          \
    .arg = &(const int){is_short}, .open = open_##family, .close = close_##family,           \
    .run.hash = hash_##family, PEER_SUBJECT(CELER_KIND_HASH, name, length, "reused context") \
  }

static const struct celer_subject subjects[] = {
#if MBEDTLS_VERSION_MAJOR < 3 || defined(MBEDTLS_SHA224_C)
    HASH("sha224", 28, sha256, 1),
#endif
    HASH("sha256", 32, sha256, 0),
#if MBEDTLS_VERSION_MAJOR < 3 || defined(MBEDTLS_SHA384_C)
    HASH("sha384", 48, sha512, 1),
#endif
    HASH("sha512", 64, sha512, 0),
};

const struct celer_provider *celer_provider_1(const char **why)
{
    static char version[18];
    static const struct celer_provider provider = {PEER_PROVIDER("mbedtls"), .version = version};
    (void)why;
    mbedtls_version_get_string(version); /* at least 9 bytes, says its header */
    return &provider;
}
