/* random.c: random bytes of the operating system. CELER_NO_RANDOM leaves them out, for hosts that have none: there is
   then only what is given its seeds and coins. */
#include "celer/random.h"

#ifndef CELER_NO_RANDOM
#  include "base/wipe.h"

/* Each system's source, in calls of at most RANDOM_AT_ONCE bytes: how many came, 0 or less when none did. */
#  if defined(_WIN32)
#    include <windows.h>
#    include <bcrypt.h>
#    define RANDOM_AT_ONCE 0x10000000

static ptrdiff_t random_some(unsigned char *out, size_t n)
{
    const NTSTATUS status = BCryptGenRandom(NULL, out, (ULONG)n, BCRYPT_USE_SYSTEM_PREFERRED_RNG);
    return status >= 0 ? (ptrdiff_t)n : -1;
}
#  elif defined(__linux__) || defined(__FreeBSD__) || defined(__DragonFly__)
#    include <errno.h>
#    include <sys/random.h>
#    define RANDOM_AT_ONCE 0x1000000

/* A signal interrupts long requests, and all that wait until the system has its first random bytes. */
static ptrdiff_t random_some(unsigned char *out, size_t n)
{
    ptrdiff_t got;
    do
        got = getrandom(out, n, 0);
    while (got < 0 && errno == EINTR);
    return got;
}
#  else
#    include <unistd.h>
#    if defined(__APPLE__)
#      include <sys/random.h>
#    endif
#    define RANDOM_AT_ONCE 256 /* all that getentropy gives */

static ptrdiff_t random_some(unsigned char *out, size_t n)
{
    return getentropy(out, n) == 0 ? (ptrdiff_t)n : -1;
}
#  endif

int celer_random(void *out, size_t n)
{
    unsigned char *const bytes = out;
    size_t done = 0;
    while (done < n) {
        const size_t want = n - done < RANDOM_AT_ONCE ? n - done : RANDOM_AT_ONCE;
        const ptrdiff_t got = random_some(bytes + done, want);
        if (got <= 0) {
            wipe(bytes, n);
            return CELER_ERANDOM;
        }
        done += (size_t)got;
    }
    return CELER_OK;
}
#endif
