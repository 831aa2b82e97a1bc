/* A server that many clients send secrets to: its key is opened once, from its seed. Opening makes the checks and expands the
   matrix; what is left for each client cannot fail, and takes less time. */
#include <celer/mlkem.h>
#include <celer/random.h>
#include <stdio.h>

enum { CLIENTS = 1000 };

/* What a client does with a key that it has for many servers, or for one for long: it opens that, too. */
static int client_hello(const struct celer_mlkem768_ek *key, uint8_t ct[CELER_MLKEM768_CT],
                        uint8_t ss[CELER_MLKEM_SS])
{
    return celer_mlkem768_ek_encaps(ct, ss,
                                    key); /* fails when the system has no random bytes, and never else */
}

int main(void)
{
    static struct celer_mlkem768_dk server;  /* some kilobytes: rather not on a small stack */
    static struct celer_mlkem768_ek clients; /* the same for all of them here */
    uint8_t seed[CELER_MLKEM_SEED], ek[CELER_MLKEM768_EK], dk[CELER_MLKEM768_DK];
    uint8_t ct[CELER_MLKEM768_CT], theirs[CELER_MLKEM_SS], ours[CELER_MLKEM_SS];
    int agreed = 0;

    /* Once: the seed is what lies in the safe. */
    if (celer_random(seed, sizeof seed) != CELER_OK)
        return 1;
    celer_mlkem768_keygen_seed(ek, dk, seed); /* ek is published; dk is not needed here */
    celer_mlkem768_dk_open_seed(&server, seed);
    celer_wipe(seed, sizeof seed);
    celer_wipe(dk, sizeof dk);

    if (celer_mlkem768_ek_open(&clients, ek) != CELER_OK) { /* checked here, and never again */
        fputs("not an encapsulation key\n", stderr);
        return 1;
    }
    for (int i = 0; i < CLIENTS; i++) {
        if (client_hello(&clients, ct, theirs) != CELER_OK)
            return 1;
        celer_mlkem768_dk_decaps(ours, ct, &server);
        agreed += celer_equal(ours, theirs, sizeof ours);
    }
    printf("%d of %d clients and the server agree\n", agreed, CLIENTS);

    celer_mlkem768_dk_wipe(&server);
    celer_wipe(ours, sizeof ours);
    celer_wipe(theirs, sizeof theirs);
}
