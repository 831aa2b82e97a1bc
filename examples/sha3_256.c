/* The shortest program: SHA3-256 of three bytes. */
#include <celer/sha3.h>
#include <stdio.h>

int main(void)
{
    uint8_t digest[CELER_SHA3_256_LEN];
    celer_sha3_256(digest, "abc", 3);
    for (size_t i = 0; i < sizeof digest; i++)
        printf("%02x", digest[i]);
    puts("");
}
