/* planted.c: plug-ins with one thing wrong each, which PLANT says. */
#include <string.h>
#include "celer/provider.h"

#define GOOD      0
#define WRONG     1 /* its digests are */
#define NOTHING   2 /* is what it does */
#define OTHER_ABI 3
#define NO_SYMBOL 4
#define SIZE      5 /* of a subject */
#define REFUSES   6
#define NO_TEXT   7
#define NO_RUN    8
#define UNLINKED  9 /* calls a function that is nowhere */
#define EMPTY     10
#define CELER     11 /* is what it calls itself */

/* FNV-1a, which nobody else has, and everybody's SHA-256, which it is not. */
static void hash(const struct celer_subject *self, void *state, uint8_t *out, const void *in, size_t in_len)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    (void)state;
    for (size_t i = 0; i < in_len; i++)
        h = (h ^ ((const uint8_t *)in)[i]) * UINT64_C(0x100000001b3);
    if (PLANT != NOTHING)
        memset(out, (int)(h & 0x7f), self->out_len);
}

#if PLANT == UNLINKED
void celer_test_function_that_is_nowhere(void);
#endif

static const struct celer_subject subjects[] = {
    {.kind = CELER_KIND_HASH,
     .flags = CELER_SUBJECT_DEFAULT,
     .ways = 1,
     .function = PLANT == WRONG || PLANT == NOTHING ? "sha256" : "fnv1a",
     .backend = PLANT == NO_TEXT ? NULL : "",
     .notes = "",
     .out_len = 32,
     .run.hash = PLANT == NO_RUN ? NULL : hash},
};

#if PLANT != NO_SYMBOL
const struct celer_provider *celer_provider_1(const char **why)
{
    static const struct celer_provider provider = {
        .abi = PLANT == OTHER_ABI ? 0 : CELER_PROVIDER_ABI,
        .subject_size = sizeof(struct celer_subject) - (PLANT == SIZE ? 8 : 0),
        .library = PLANT == CELER ? "celer" : "planted",
        .version = "1",
        .compiler = "",
        .flags = "",
        .subjects = subjects,
        .subject_count = PLANT == EMPTY ? 0 : 1,
    };
#  if PLANT == UNLINKED
    celer_test_function_that_is_nowhere();
#  endif
    *why = "the moon is in the wrong quarter";
    return PLANT == REFUSES ? NULL : &provider;
}
#else
const void *planted(void); /* something, so that the object is not empty */
const void *planted(void)
{
    return subjects;
}
#endif
