/* A hash chain: made one step after the other, with a value noted down every 10,000 steps; then verified all at once, from
   each value to the next. */
#include <celer/chain.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    enum { SEGMENTS = 20, STEPS = 10000 };
    uint8_t noted[SEGMENTS + 1][32] = {{0}}, reached[SEGMENTS][32];
    uint64_t steps[SEGMENTS];

    for (int i = 0; i < SEGMENTS; i++) { /* this takes its time, on any machine */
        memcpy(noted[i + 1], noted[i], 32);
        celer_sha256_chain(noted[i + 1], STEPS);
    }
    for (int i = 0; i < 32; i++)
        printf("%02x", noted[SEGMENTS][i]);
    printf("  after %d steps\n", SEGMENTS * STEPS);

    for (int i = 0; i < SEGMENTS; i++) {
        memcpy(reached[i], noted[i], 32);
        steps[i] = STEPS;
    }
    celer_chain_step_many(reached, steps, SEGMENTS); /* this takes a fraction of it */
    puts(memcmp(reached, noted + 1, sizeof reached) == 0 ? "valid" : "invalid");
}
