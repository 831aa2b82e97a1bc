/* KMAC128: a message authentication code. Sample 2 of NIST's SP 800-185. */
#include <celer/sha3.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char custom[] = "My Tagged Application";
    uint8_t key[32], message[] = {0, 1, 2, 3}, tag[32], again[32];
    struct celer_kmac128 ctx;

    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (uint8_t)(0x40 + i);
    celer_kmac128(tag, sizeof tag, key, sizeof key, message, sizeof message, custom, strlen(custom));
    for (size_t i = 0; i < sizeof tag; i++)
        printf("%02x", tag[i]);
    puts("");

    /* Who receives message and tag computes the tag again, here in pieces, and compares in constant time. */
    celer_kmac128_init(&ctx, key, sizeof key, custom, strlen(custom));
    celer_kmac128_update(&ctx, message, 1);
    celer_kmac128_update(&ctx, message + 1, sizeof message - 1);
    celer_kmac128_final(&ctx, again, sizeof again);
    puts(celer_equal(tag, again, sizeof tag) ? "authentic" : "forged");
    celer_wipe(key, sizeof key);
}
