/* BLAKE2b with a key: a message authentication code, without HMAC. And with a personalization: keys for two purposes. */
#include <celer/blake2.h>
#include <stdio.h>

static void print(const char *what, const uint8_t *bytes, size_t n)
{
    printf("%-10s ", what);
    for (size_t i = 0; i < n; i++)
        printf("%02x", bytes[i]);
    puts("");
}

/* out = a key made from `key` for one purpose, of which personal has the 16 letters. */
static int derive(uint8_t out[32], const uint8_t key[CELER_BLAKE2B_KEY_LEN],
                  const char personal[CELER_BLAKE2B_PERSONAL_LEN])
{
    const struct celer_blake2_params params = {
        .personal = personal,
        .personal_len = CELER_BLAKE2B_PERSONAL_LEN,
    };
    struct celer_blake2b ctx;
    const int error = celer_blake2b_init_params(&ctx, 32, key, CELER_BLAKE2B_KEY_LEN, &params);
    return error != 0 ? error : celer_blake2b_final(&ctx, out);
}

int main(void)
{
    uint8_t key[CELER_BLAKE2B_KEY_LEN], message[] = {0, 1, 2}, code[CELER_BLAKE2B_LEN],
                                        again[CELER_BLAKE2B_LEN];
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (uint8_t)i;
    printf("sizes: digest %d, key %d, salt %d, personalization %d, block %d\n", CELER_BLAKE2B_LEN,
           CELER_BLAKE2B_KEY_LEN, CELER_BLAKE2B_SALT_LEN, CELER_BLAKE2B_PERSONAL_LEN,
           CELER_BLAKE2B_BLOCK_LEN);

    if (celer_blake2b(code, sizeof code, message, sizeof message, key, sizeof key) != 0)
        return 1; /* a length out of its range */
    print("code", code, sizeof code);

    /* Who receives message and code computes the code again, here in pieces, and compares in constant time. */
    struct celer_blake2b ctx;
    if (celer_blake2b_init(&ctx, sizeof again, key, sizeof key) != 0)
        return 1;
    celer_blake2b_update(&ctx, message, 1);
    celer_blake2b_update(&ctx, message + 1, sizeof message - 1);
    if (celer_blake2b_final(&ctx, again) != 0)
        return 1;
    puts(celer_equal(code, again, sizeof code) ? "authentic" : "forged");

    uint8_t encrypt[32], sign[32];
    if (derive(encrypt, key, "example: encrypt") != 0 || derive(sign, key, "example: sign   ") != 0)
        return 1;
    print("encrypt", encrypt, sizeof encrypt);
    print("sign", sign, sizeof sign);
    celer_wipe(key, sizeof key);
}
