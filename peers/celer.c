/* celer.c: celer itself as a plug-in, so that one run compares it as several compilers, or commits, made it. */
#include "bench/providers.h"

const struct celer_provider *celer_provider_1(const char **why)
{
    const struct celer_provider *provider = provider_celer();
    if (provider == NULL)
        *why = "out of memory";
    return provider;
}
