/* KT128 of a file, or of standard input: a tree, so that eight chunks of a long message are hashed at once. Updates are
   fastest in multiples of eight chunks. */
#include <celer/sha3.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    static uint8_t buffer[64 * CELER_KT_CHUNK];
    FILE *const file = argc > 1 ? fopen(argv[1], "rb") : stdin;
    struct celer_kt128 ctx;
    uint8_t digest[32];
    size_t n;

    if (file == NULL) {
        perror(argv[1]);
        return 2;
    }
    celer_kt128_init(&ctx);
    while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
        celer_kt128_update(&ctx, buffer, n);
    if (ferror(file)) {
        perror("read error");
        return 2;
    }
    celer_kt128_squeeze(&ctx, digest, sizeof digest);
    for (size_t i = 0; i < sizeof digest; i++)
        printf("%02x", digest[i]);
    printf("  %s\n", argc > 1 ? argv[1] : "-");
}
