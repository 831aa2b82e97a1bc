/* f1600.c: the public permutation, on as many states as the caller has. */
#include "celer/sha3.h"
#include "sha3/keccak.h"

/* Where no row has the width, columns of states are copied out, permuted by the widest row there is, and put back. */
static void f1600(uint64_t *s, unsigned ways)
{
    const struct keccak_backend *k = celer_keccak_(ways);
    if (k != NULL) {
        k->permute(s, 24);
        return;
    }
    unsigned width = ways / 2;
    while ((k = celer_keccak_(width)) == NULL) /* width 1 always is */
        width /= 2;
    uint64_t t[25 * KECCAK_MAX_WAYS / 2];
    for (unsigned w = 0; w < ways; w += width) {
        for (unsigned i = 0; i < 25; i++)
            for (unsigned j = 0; j < width; j++)
                t[i * width + j] = s[i * ways + w + j];
        k->permute(t, 24);
        for (unsigned i = 0; i < 25; i++)
            for (unsigned j = 0; j < width; j++)
                s[i * ways + w + j] = t[i * width + j];
    }
    celer_wipe(t, sizeof t);
}

void celer_keccak_f1600_x1(uint64_t s[CELER_AT_LEAST(25)])
{
    celer_keccak_(1)->permute(s, 24);
}

void celer_keccak_f1600_x2(uint64_t s[CELER_AT_LEAST(50)])
{
    f1600(s, 2);
}

void celer_keccak_f1600_x4(uint64_t s[CELER_AT_LEAST(100)])
{
    f1600(s, 4);
}

void celer_keccak_f1600_x8(uint64_t s[CELER_AT_LEAST(200)])
{
    f1600(s, 8);
}
