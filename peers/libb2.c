/* libb2.c: libb2, by the authors of BLAKE2: its functions of one call. It does not tell its version; the build does. */
#include <blake2.h>
#include "peer.h"

/* In OpenMP's runtime library, which is there if libb2 was built with it. */
__attribute__((weak)) int omp_get_thread_num(void);

/* The parallel forms then start 4 or 8 threads in every call, of which each computes one leaf: they would wait for
   each other on the one CPU that is measured, and go on spinning beside what is measured next. */
static int open_parallel(const struct celer_subject *self, void **state, const char **why)
{
    (void)self;
    *state = NULL;
    *why = "this libb2 was built with OpenMP, and starts threads in every call";
    return omp_get_thread_num != NULL ? -1 : 0;
}

typedef int one_call(uint8_t *out, const void *in, const void *key, size_t out_len, size_t in_len,
                     size_t key_len);

/* A call that fails writes nothing, and that is noticed. */
static void hash(const struct celer_subject *self, void *state, uint8_t *out, const void *in, size_t in_len)
{
    one_call *const *function = self->arg;
    (void)state;
    if ((*function)(out, in, NULL, self->out_len, in_len, 0) != 0)
        return;
}

#define HASH(name, length, call) \
  .arg = &(one_call *const){call}, .run.hash = hash, PEER_SUBJECT(CELER_KIND_HASH, name, length, "one call")

static const struct celer_subject subjects[] = {
    {HASH("blake2b", BLAKE2B_OUTBYTES, blake2b)},
    {HASH("blake2s", BLAKE2S_OUTBYTES, blake2s)},
    {HASH("blake2bp", BLAKE2B_OUTBYTES, blake2bp), .open = open_parallel},
    {HASH("blake2sp", BLAKE2S_OUTBYTES, blake2sp), .open = open_parallel},
};

const struct celer_provider *celer_provider_1(const char **why)
{
    static const struct celer_provider provider = {PEER_PROVIDER("libb2"), .version = LIBRARY_VERSION};
    (void)why;
    return &provider;
}
