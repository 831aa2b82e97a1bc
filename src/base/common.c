/* common.c: the functions of celer/common.h. */
#include "celer/common.h"
#include "base/equal.h"
#include "base/wipe.h"

const char *celer_version(void)
{
    return CELER_VERSION;
}

const char *celer_strerror(int error)
{
    switch (error) {
    case CELER_OK:
        return "no error";
    case CELER_EINVAL:
        return "an argument is outside its documented range";
    case CELER_EKEY:
        return "the key is not valid";
    case CELER_ERANDOM:
        return "the system gives no random bytes";
    default:
        return "unknown error";
    }
}

int celer_equal(const void *a, const void *b, size_t n)
{
    return (int)(differ_mask(a, b, n) + 1); /* all ones, or 0 */
}

void celer_wipe(void *p, size_t n)
{
    if (n != 0)
        wipe(p, n);
}
