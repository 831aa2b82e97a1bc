/* libb2.c: libb2, by the authors of BLAKE2: its functions of one call. It does not tell its version; the build does. */
#include <blake2.h>
#include "celer/provider.h"

/* In OpenMP's runtime library, if libb2 was built with it. */
__attribute__((weak)) void omp_set_max_active_levels(int levels);

/* Where libb2 was built with OpenMP, the parallel forms start 4 or 8 threads in every call, which wait for each other
   on the one CPU that is measured, and go on spinning beside what is measured next. */
static int open_on_one_thread(const struct celer_subject *self, void **state, const char **why)
{
    (void)self, (void)why;
    *state = NULL;
    if (omp_set_max_active_levels != NULL)
        omp_set_max_active_levels(0);
    return 0;
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

#define HASH(name, length, call, note)                                                                     \
  {                                                                                                        \
    .kind = CELER_KIND_HASH, .flags = CELER_SUBJECT_DEFAULT, .ways = 1, .function = (name), .backend = "", \
    .notes = (note), .out_len = (length), .arg = &(one_call *const){call}, .open = open_on_one_thread,     \
    .run.hash = hash                                                                                       \
  }

static const struct celer_subject subjects[] = {
    HASH("blake2b", BLAKE2B_OUTBYTES, blake2b, "one call"),
    HASH("blake2s", BLAKE2S_OUTBYTES, blake2s, "one call"),
    HASH("blake2bp", BLAKE2B_OUTBYTES, blake2bp, "one call, one thread"),
    HASH("blake2sp", BLAKE2S_OUTBYTES, blake2sp, "one call, one thread"),
};

const struct celer_provider *celer_provider_1(const char **why)
{
    static const struct celer_provider provider = {
        .abi = CELER_PROVIDER_ABI,
        .subject_size = sizeof(struct celer_subject),
        .library = "libb2",
        .version = LIBB2_VERSION,
        .compiler = "",
        .flags = "",
        .subjects = subjects,
        .subject_count = sizeof subjects / sizeof subjects[0],
    };
    (void)why;
    return &provider;
}
