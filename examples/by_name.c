/* A hash chosen at run time: by_name ALGORITHM reads standard input and prints its digest. */
#include <celer/hash.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    static struct celer_hash_ctx ctx;
    static uint8_t buffer[65536], digest[64];
    const struct celer_hash *hash = celer_hash_find(argc > 1 ? argv[1] : "sha256");
    size_t n;

    if (hash == NULL || celer_hash_init(&ctx, hash, NULL) != 0) {
        fprintf(stderr, "there are:");
        for (size_t i = 0; celer_hash_at(i) != NULL; i++)
            fprintf(stderr, " %s", celer_hash_at(i)->name);
        fprintf(stderr, "\n");
        return 2;
    }
    while ((n = fread(buffer, 1, sizeof buffer, stdin)) > 0)
        celer_hash_update(&ctx, buffer, n);
    celer_hash_final(&ctx, digest);
    for (size_t i = 0; i < hash->out_len; i++)
        printf("%02x", digest[i]);
    printf("  %s\n", hash->name);
    return 0;
}
