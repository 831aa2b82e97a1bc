/* libblake3.c: BLAKE3, by its authors: one hasher for all messages. Its library knows no other function. */
#include <blake3.h>
#include <stdlib.h>
#include "peer.h"

static int open_hasher(const struct celer_subject *self, void **state, const char **why)
{
    (void)self;
    *why = "out of memory";
    *state = malloc(sizeof(blake3_hasher));
    if (*state == NULL)
        return -1;
    blake3_hasher_init(*state);
    return 0;
}

static void close_hasher(const struct celer_subject *self, void *state)
{
    (void)self;
    free(state);
}

static void hash(const struct celer_subject *self, void *state, uint8_t *out, const void *in, size_t in_len)
{
    blake3_hasher_reset(state);
    blake3_hasher_update(state, in, in_len);
    blake3_hasher_finalize(state, out, self->out_len);
}

static const struct celer_subject subjects[] = {
    {PEER_SUBJECT(CELER_KIND_HASH, "blake3", BLAKE3_OUT_LEN, "reused hasher, one thread"),
     .open = open_hasher, .close = close_hasher, .run.hash = hash},
};

const struct celer_provider *celer_provider_1(const char **why)
{
    static struct celer_provider provider = {PEER_PROVIDER("libblake3")};
    (void)why;
    provider.version = blake3_version();
    return &provider;
}
