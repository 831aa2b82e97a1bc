/* wipe.h: zeros that stay. Dead stores to memory about to be freed are removed by compilers; the empty asm
   pretends to read them. */
#ifndef CELER_WIPE_H
#define CELER_WIPE_H
#include "base/bytes.h"

static inline void wipe(void *p, size_t n)
{
#if defined(__GNUC__)
    zero_bytes(p, n);
    __asm__ __volatile__("" : : "r"(p) : "memory");
#else
    volatile unsigned char *v = (volatile unsigned char *)p;
    while (n-- > 0)
        *v++ = 0;
#endif
}
#endif
