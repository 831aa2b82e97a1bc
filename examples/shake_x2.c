/* SHAKE128 on two messages at once, as lattice cryptography expands a matrix: two seeds of one length, blocks of output
   as long as they are needed. */
#include <celer/sha3.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static uint8_t seed[2][34] = {{1}, {2}}, blocks[2][3 * CELER_SHAKE128_RATE];
    const uint8_t *const in[2] = {seed[0], seed[1]};
    uint8_t *const out[2] = {blocks[0], blocks[1]};
    uint8_t *const next[2] = {blocks[0] + 2 * CELER_SHAKE128_RATE, blocks[1] + 2 * CELER_SHAKE128_RATE};
    struct celer_shake128_x2 ctx;

    celer_shake128_x2_init(&ctx);
    celer_shake128_x2_absorb(&ctx, in, sizeof seed[0]);
    celer_shake128_x2_squeezeblocks(&ctx, out, 2);
    celer_shake128_x2_squeezeblocks(&ctx, next, 1);
    celer_shake128_x2_wipe(&ctx);

    for (int i = 0; i < 2; i++) {
        uint8_t alone[sizeof blocks[0]];
        celer_shake128(alone, sizeof alone, seed[i], sizeof seed[i]);
        for (int j = 0; j < 16; j++)
            printf("%02x", blocks[i][j]);
        printf("... %s\n", memcmp(alone, blocks[i], sizeof alone) == 0 ? "as alone" : "WRONG");
    }
}
