/* TurboSHAKE128, RFC 9861: twice the speed of SHAKE128. Each use has a domain byte of its own. */
#include <celer/sha3.h>
#include <stdio.h>

int main(void)
{
    static const uint8_t domains[] = {CELER_TURBOSHAKE_DOMAIN, 0x01, 0x80};
    uint8_t out[32];

    for (size_t i = 0; i < sizeof domains; i++) {
        if (celer_turboshake128(out, sizeof out, "abc", 3, domains[i]) != 0) {
            printf("domain %02x: not in 01 .. 7f\n", domains[i]);
            continue;
        }
        printf("domain %02x: ", domains[i]);
        for (size_t j = 0; j < sizeof out; j++)
            printf("%02x", out[j]);
        puts("");
    }
}
