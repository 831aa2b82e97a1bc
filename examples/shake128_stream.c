/* SHAKE128 in pieces: absorb a message as it arrives, squeeze as much output as is wanted. */
#include <celer/sha3.h>
#include <stdio.h>

int main(void)
{
    struct celer_shake128 ctx;
    uint8_t out[16];

    celer_shake128_init(&ctx);
    celer_shake128_update(&ctx, "ab", 2);
    celer_shake128_update(&ctx, "c", 1);
    for (int line = 0; line < 4; line++) { /* the first 64 bytes of the output, 16 at a time */
        celer_shake128_squeeze(&ctx, out, sizeof out);
        for (size_t i = 0; i < sizeof out; i++)
            printf("%02x", out[i]);
        puts("");
    }
    celer_shake128_wipe(&ctx);
}
