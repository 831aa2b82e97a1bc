/* providers.h: where the subjects of measurement come from. */
#ifndef BENCH_PROVIDERS_H
#define BENCH_PROVIDERS_H
#include <stdbool.h>
#include "celer/hash.h"
#include "celer/provider.h"

/* Whether its output can be longer than any digest: an XOF, or a function that hashes the length as well. The latter is
   measured with its customary length, and with others where they are asked for. */
static inline bool hash_is_extendable(const struct celer_hash *hash)
{
    return hash->out_max > 64;
}

/* celer itself: every hash alone and in batches, the permutation; each as the library chooses its code, and on every
   backend that this CPU has. Restricts the library by celer_cpu_mask while it runs. NULL: out of memory. */
const struct celer_provider *provider_celer(void);
#endif
