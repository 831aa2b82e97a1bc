/* ML-KEM-768: Alice publishes a key, Bob sends her a secret by it. */
#include <celer/mlkem.h>
#include <stdio.h>

int main(void)
{
    uint8_t ek[CELER_MLKEM768_EK],
        dk[CELER_MLKEM768_DK];     /* Alice's keys: to encapsulate, and to decapsulate */
    uint8_t ct[CELER_MLKEM768_CT]; /* what Bob sends */
    uint8_t alices[CELER_MLKEM_SS], bobs[CELER_MLKEM_SS]; /* what both have in the end */

    if (celer_mlkem768_keygen(ek, dk) != CELER_OK) /* the system gave no random bytes */
        return 1;
    if (celer_mlkem768_encaps(ct, bobs, ek) != CELER_OK) /* or ek is no key */
        return 1;
    if (celer_mlkem768_decaps(alices, ct, dk) != CELER_OK) /* dk is no key */
        return 1;
    puts(celer_equal(alices, bobs, sizeof alices) ? "Alice and Bob share a secret" : "never printed");

    /* Somebody changes the ciphertext on its way. That is no error, and tells him nothing: Alice gets a secret that
       nobody else has, and what Bob encrypts with his does not open. */
    ct[0] ^= 1;
    if (celer_mlkem768_decaps(alices, ct, dk) != CELER_OK)
        return 1;
    puts(celer_equal(alices, bobs, sizeof alices) ? "never printed"
                                                  : "a forged ciphertext gives another secret");

    celer_wipe(dk, sizeof dk);
    celer_wipe(alices, sizeof alices);
    celer_wipe(bobs, sizeof bobs);
}
