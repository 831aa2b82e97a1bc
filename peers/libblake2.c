/* libblake2.c: the reference package of BLAKE2, as a library: its functions of one call, whose arguments stand in
   another order than those of libb2. It does not tell its version; the build does. */
#include <blake2.h>
#include "peer.h"

typedef int one_call(void *out, size_t out_len, const void *in, size_t in_len, const void *key,
                     size_t key_len);

/* A call that fails writes nothing, and that is noticed. */
static void hash(const struct celer_subject *self, void *state, uint8_t *out, const void *in, size_t in_len)
{
    one_call *const *function = self->arg;
    (void)state;
    if ((*function)(out, self->out_len, in, in_len, NULL, 0) != 0)
        return;
}

#define HASH(name, length, call)                            \
  {                                                         \
    .arg = &(one_call *const){call}, .run.hash = hash,      \
    PEER_SUBJECT(CELER_KIND_HASH, name, length, "one call") \
  }

static const struct celer_subject subjects[] = {
    HASH("blake2b", BLAKE2B_OUTBYTES, blake2b),
    HASH("blake2s", BLAKE2S_OUTBYTES, blake2s),
    HASH("blake2bp", BLAKE2B_OUTBYTES, blake2bp),
    HASH("blake2sp", BLAKE2S_OUTBYTES, blake2sp),
};

const struct celer_provider *celer_provider_1(const char **why)
{
    static const struct celer_provider provider = {PEER_PROVIDER("libblake2"), .version = LIBRARY_VERSION};
    (void)why;
    return &provider;
}
