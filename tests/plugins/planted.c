/* planted.c: plug-ins with one thing wrong each, which PLANT says. */
#include <signal.h>
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
#define UNABLE    12 /* is what its hash needs */
#define BAD_OPEN  13 /* crashes */
#define BAD_RUN   14 /* crashes */
#define BAD_LOAD  15 /* crashes */
#define LINES     16 /* are in its name, two */
#define HOLLOW    17 /* without a function that runs, but one that opens */

/* FNV-1a, which nobody else has, and everybody's SHA-256, which it is not. */
static void hash(const struct celer_subject *self, void *state, uint8_t *out, const void *in, size_t in_len)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    (void)state;
    if (PLANT == BAD_RUN)
        raise(SIGILL);
    for (size_t i = 0; i < in_len; i++)
        h = (h ^ ((const uint8_t *)in)[i]) * UINT64_C(0x100000001b3);
    if (PLANT != NOTHING)
        memset(out, (int)(h & 0x7f), self->out_len);
}

static int open_hash(const struct celer_subject *self, void **state, const char **why)
{
    (void)self;
    (void)state;
    if (PLANT == BAD_OPEN)
        raise(SIGILL);
    *why = "it needs a full moon";
    return PLANT == UNABLE ? -1 : 0;
}

#if PLANT == UNLINKED
void celer_test_function_that_is_nowhere(void);
#endif

/* Not SHA-256. */
static void chain(const struct celer_subject *self, void *state, uint8_t (*hashes)[32], uint64_t iterations)
{
    (void)self;
    (void)state;
    hashes[0][0] = (uint8_t)(hashes[0][0] ^ (iterations | 1));
}

static const struct celer_subject subjects[] = {
    {.kind = CELER_KIND_HASH,
     .flags = CELER_SUBJECT_DEFAULT,
     .ways = 1,
     .function = PLANT == WRONG || PLANT == NOTHING ? "sha256"
                 : PLANT == LINES                   ? "fnv\n1a"
                                                    : "fnv1a",
     .backend = PLANT == NO_TEXT ? NULL : "",
     .notes = "",
     .out_len = 32,
     .open = PLANT == NO_RUN ? NULL : open_hash,
     .run.hash = PLANT == NO_RUN || PLANT == HOLLOW ? NULL : hash},
    {.kind = CELER_KIND_CHAIN,
     .flags = CELER_SUBJECT_DEFAULT,
     .ways = 1,
     .function = "sha256-chain",
     .backend = "",
     .notes = "",
     .out_len = 32,
     .run.chain = chain},
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
        .subject_count = PLANT == EMPTY   ? 0
                         : PLANT == WRONG ? 2
                                          : 1,
    };
#  if PLANT == UNLINKED
    celer_test_function_that_is_nowhere();
#  endif
    if (PLANT == BAD_LOAD)
        raise(SIGILL);
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
