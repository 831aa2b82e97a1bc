/* random.h: random bytes of the operating system. */
#ifndef CELER_RANDOM_H
#define CELER_RANDOM_H
#include "common.h"
#ifdef __cplusplus
extern "C" {
#endif

/* n random bytes at out, fit for keys, as the system gives them: getrandom, getentropy, or BCryptGenRandom. May wait
   while the system boots. CELER_ERANDOM, and zeros, when there are none to be had; never anything weaker. */
CELER_API int celer_random(void *out, size_t n) CELER_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
