/* reference.c: see reference.h. */
#include "reference.h"
#include <string.h>
#include "celer/celer.h"

bool reference_hash(const char *function, uint8_t *out, size_t out_len, const uint8_t *in, size_t in_len)
{
    const struct celer_hash *hash = celer_hash_find(function);
    const struct celer_hash_opts opts = {.out_len = out_len};
    struct celer_hash_ctx ctx;
    celer_cpu_mask(0);
    if (hash == NULL || celer_hash_init(&ctx, hash, &opts) != 0)
        return false;
    for (size_t piece = 1; in_len > 0; piece++) { /* 1, 2, 3, ... bytes: they end everywhere in a block */
        const size_t n = piece < in_len ? piece : in_len;
        celer_hash_update(&ctx, in, n);
        in += n;
        in_len -= n;
    }
    celer_hash_final(&ctx, out);
    return true;
}

bool reference_permutation(const char *function, uint8_t *out, const uint8_t *in, uint32_t ways, size_t times)
{
    if (strcmp(function, "keccak-f1600") != 0)
        return false;
    celer_cpu_mask(0);
    for (size_t w = 0; w < ways; w++) {
        uint64_t s[25];
        for (size_t i = 0; i < 25; i++)
            memcpy(&s[i], in + 8 * (i * ways + w), 8);
        for (size_t n = 0; n < times; n++)
            celer_keccak_f1600_x1(s);
        for (size_t i = 0; i < 25; i++)
            memcpy(out + 8 * (i * ways + w), &s[i], 8);
    }
    return true;
}
