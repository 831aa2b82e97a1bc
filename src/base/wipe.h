/* wipe.h: zeros that stay. Dead stores to memory about to be freed are removed by compilers; the empty asm
   pretends to read them. Pieces of 64 bytes, because gcc makes a slow string instruction of a longer memset. */
#ifndef CELER_WIPE_H
#define CELER_WIPE_H
#include <string.h>

static inline void wipe(void *p, size_t n)
{
#if defined(__GNUC__)
    unsigned char *c = p;
    for (; n > 64; n -= 64, c += 64)
        memset(c, 0, 64);
    memset(c, 0, n);
    __asm__ __volatile__("" : : "r"(p) : "memory");
#else
    volatile unsigned char *v = (volatile unsigned char *)p;
    while (n-- > 0)
        *v++ = 0;
#endif
}
#endif
