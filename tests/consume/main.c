/* main.c: what somebody else's program does with celer; exits 0 when it got the right digest both ways. */
#include <celer/celer.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    /* SHA3-256("abc"), an example of FIPS 202 */
    static const uint8_t expected[32] = {0x3a, 0x98, 0x5d, 0xa7, 0x4f, 0xe2, 0x25, 0xb2, 0x04, 0x5c, 0x17,
                                         0x2d, 0x6b, 0xd3, 0x90, 0xbd, 0x85, 0x5f, 0x08, 0x6e, 0x3e, 0x9d,
                                         0x52, 0x5b, 0x46, 0xbf, 0xe2, 0x45, 0x11, 0x43, 0x15, 0x32};
    uint8_t direct[32], by_name[32] = {0};
    celer_sha3_256(direct, "abc", 3);

    struct celer_hash_ctx ctx;
    const struct celer_hash *hash = celer_hash_find("sha3-256");
    if (hash == NULL || celer_hash_init(&ctx, hash, NULL) != CELER_OK)
        return 1;
    celer_hash_update(&ctx, "abc", 3);
    celer_hash_final(&ctx, by_name);

    if (strcmp(celer_version(), CELER_VERSION) != 0 || memcmp(direct, expected, 32) != 0 ||
        memcmp(by_name, expected, 32) != 0)
        return 1;
    printf("celer %s\n", celer_version());
    return 0;
}
