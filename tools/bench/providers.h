/* providers.h: where the subjects of measurement come from. */
#ifndef BENCH_PROVIDERS_H
#define BENCH_PROVIDERS_H
#include "celer/provider.h"

/* celer itself: every hash alone and in batches, the permutation; each as the library chooses its code, and on every
   backend that this CPU has. Restricts the library by celer_cpu_mask while it runs. NULL: out of memory. */
const struct celer_provider *provider_celer(void);
#endif
