/* TupleHash128: hashes a sequence of strings, and tells ("abc", "d") from ("ab", "cd"). Sample 1 of NIST's SP 800-185, in
   both ways. */
#include <celer/sha3.h>
#include <stdio.h>

static void print(const uint8_t digest[32])
{
    for (size_t i = 0; i < 32; i++)
        printf("%02x", digest[i]);
    puts("");
}

int main(void)
{
    static const uint8_t first[] = {0x00, 0x01, 0x02}, second[] = {0x10, 0x11, 0x12, 0x13, 0x14, 0x15};
    const struct celer_msg elements[] = {{first, sizeof first}, {second, sizeof second}};
    struct celer_tuplehash128 ctx;
    uint8_t digest[32];

    celer_tuplehash128(digest, sizeof digest, elements, 2, NULL, 0);
    print(digest);

    celer_tuplehash128_init(&ctx, NULL, 0);
    celer_tuplehash128_element(&ctx, first, sizeof first);
    if (celer_tuplehash128_begin(&ctx, sizeof second) != 0) /* an element in pieces: first its length */
        return 1;
    celer_tuplehash128_update(&ctx, second, 4);
    celer_tuplehash128_update(&ctx, second + 4, 2);
    celer_tuplehash128_final(&ctx, digest, sizeof digest);
    print(digest);
}
