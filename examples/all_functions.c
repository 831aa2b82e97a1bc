/* Every hash of the list, on "abc". */
#include <celer/hash.h>
#include <stdio.h>

int main(void)
{
    const struct celer_hash *hash;
    for (size_t i = 0; (hash = celer_hash_at(i)) != NULL; i++) {
        struct celer_hash_ctx ctx;
        uint8_t digest[64];
        if (celer_hash_init(&ctx, hash, NULL) != 0 || hash->out_len > sizeof digest)
            continue; /* it must have a key, or its output has no place here */
        celer_hash_update(&ctx, "abc", 3);
        celer_hash_final(&ctx, digest);
        printf("%-18s ", hash->name);
        for (size_t j = 0; j < hash->out_len; j++)
            printf("%02x", digest[j]);
        puts("");
    }
}
