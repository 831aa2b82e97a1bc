/* The three parameter sets of ML-KEM by their rows, with seed and coins given, so that the results are always the same.
   Real ones come from celer_random. */
#include <celer/mlkem.h>
#include <celer/random.h>
#include <celer/sha3.h>
#include <stdio.h>

static void print(const char *what, const uint8_t *bytes, size_t n)
{
    uint8_t digest[CELER_SHA3_256_LEN];
    celer_sha3_256(digest, bytes, n);
    printf("  %-18s %4zu bytes, SHA3-256 ", what, n);
    for (size_t i = 0; i < 8; i++)
        printf("%02x", digest[i]);
    puts("...");
}

int main(void)
{
    const struct celer_kem *kem;
    uint8_t seed[CELER_MLKEM_SEED], coins[CELER_MLKEM_COINS];
    uint8_t ek[CELER_MLKEM1024_EK], dk[CELER_MLKEM1024_DK], ct[CELER_MLKEM1024_CT]; /* room for any set */
    uint8_t sent[CELER_MLKEM_SS], received[CELER_MLKEM_SS];

    for (size_t i = 0; i < sizeof seed; i++)
        seed[i] = (uint8_t)i; /* d || z: all of the private key that has to be kept */
    for (size_t i = 0; i < sizeof coins; i++)
        coins[i] = (uint8_t)(0x40 + i);

    for (size_t i = 0; (kem = celer_kem_at(i)) != NULL; i++) {
        kem->keygen(ek, dk, seed);
        if (kem->encaps(ct, sent, ek, coins) != CELER_OK || kem->decaps(received, ct, dk) != CELER_OK)
            return 1;
        printf("%s, %s\n", kem->name, kem->source);
        print("encapsulation key", ek, kem->ek_len);
        print("decapsulation key", dk, kem->dk_len);
        print("ciphertext", ct, kem->ct_len);
        print("secret", sent, kem->ss_len);
        puts(celer_equal(sent, received, sizeof sent) ? "  which arrives" : "  which does not arrive");
    }
    celer_wipe(dk, sizeof dk);
    celer_wipe(sent, sizeof sent);
    celer_wipe(received, sizeof received);
}
