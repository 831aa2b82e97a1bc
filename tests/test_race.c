/* test_race.c: the first calls of many threads at once, in fresh processes; and hashing while the mask
   changes. Also what ThreadSanitizer is run on. */
#include "support.h"
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 16, PROCESSES = 200, DIGEST = 32 };

/* SHA-256 and SHA3-256 of "abc", FIPS 180-4 and FIPS 202 examples: written down, since to compute them here
   would be the first call. */
static const uint8_t sha256_abc[DIGEST] = {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40,
                                           0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17,
                                           0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
static const uint8_t sha3_256_abc[DIGEST] = {0x3a, 0x98, 0x5d, 0xa7, 0x4f, 0xe2, 0x25, 0xb2, 0x04, 0x5c, 0x17,
                                             0x2d, 0x6b, 0xd3, 0x90, 0xbd, 0x85, 0x5f, 0x08, 0x6e, 0x3e, 0x9d,
                                             0x52, 0x5b, 0x46, 0xbf, 0xe2, 0x45, 0x11, 0x43, 0x15, 0x32};

/* SHA-256 of SHA-256 of sha256_abc. */
static const uint8_t chain_abc[DIGEST] = {0xf2, 0xa7, 0x78, 0xf1, 0xa6, 0xed, 0x3d, 0x5b, 0xc5, 0x9a, 0x5d,
                                          0x79, 0x10, 0x4c, 0x59, 0x8f, 0x3f, 0x07, 0x09, 0x3f, 0x24, 0x0c,
                                          0xa4, 0xe9, 0x13, 0x33, 0xfb, 0x09, 0xed, 0x4f, 0x36, 0xda};

/* The secret of ML-KEM-512 where the seed and the coins are zeros. */
static const uint8_t kem_zeros[DIGEST] = {0x4a, 0xd5, 0x3a, 0x06, 0xb2, 0x9f, 0x12, 0x56, 0x84, 0x21, 0xa5,
                                          0x52, 0xc0, 0x81, 0x95, 0xb5, 0x86, 0x73, 0xc8, 0x2f, 0x87, 0x0c,
                                          0xc1, 0xcc, 0xd6, 0x5a, 0x08, 0xe4, 0x32, 0x5f, 0xeb, 0x27};

/* There and back. */
static int is_right_kem(void)
{
    static const uint8_t zeros[CELER_MLKEM_SEED];
    uint8_t ek[CELER_MLKEM512_EK], dk[CELER_MLKEM512_DK], ct[CELER_MLKEM512_CT], sent[DIGEST], got[DIGEST];
    celer_mlkem512_keygen_seed(ek, dk, zeros);
    return celer_mlkem512_encaps_coins(ct, sent, ek, zeros) == 0 && celer_mlkem512_decaps(got, ct, dk) == 0 &&
           memcmp(sent, kem_zeros, DIGEST) == 0 && memcmp(got, kem_zeros, DIGEST) == 0;
}

static int is_right(unsigned kind)
{
    uint8_t out[8][DIGEST];
    struct celer_msg msgs[8];
    struct celer_hash_ctx ctx;
    for (size_t i = 0; i < 8; i++)
        msgs[i] = (struct celer_msg){"abc", 3};
    switch (kind % 6) {
    case 0:
        celer_sha256(out[0], "abc", 3);
        return memcmp(out[0], sha256_abc, DIGEST) == 0;
    case 1:
        celer_sha3_256(out[0], "abc", 3);
        return memcmp(out[0], sha3_256_abc, DIGEST) == 0;
    case 2:
        celer_sha3_256_many(out, msgs, 8);
        for (size_t i = 0; i < 8; i++)
            if (memcmp(out[i], sha3_256_abc, DIGEST) != 0)
                return 0;
        return 1;
    case 3:
        for (size_t i = 0; i < 8; i++)
            memcpy(out[i], sha256_abc, DIGEST);
        celer_chain_step_many(out, (const uint64_t[8]){2, 2, 2, 2, 2, 2, 2, 2}, 8);
        for (size_t i = 0; i < 8; i++)
            if (memcmp(out[i], chain_abc, DIGEST) != 0)
                return 0;
        return 1;
    case 4:
        return is_right_kem();
    default:
        if (celer_hash_init(&ctx, celer_hash_find("SHA3_256"), NULL) != 0)
            return 0;
        celer_hash_update(&ctx, "abc", 3);
        celer_hash_final(&ctx, out[0]);
        return memcmp(out[0], sha3_256_abc, DIGEST) == 0;
    }
}

static pthread_barrier_t barrier;

static void *first_call(void *arg)
{
    unsigned *kind = arg;
    pthread_barrier_wait(&barrier);
    const int right = is_right(*kind);
    *kind = (unsigned)right;
    return NULL;
}

/* In a process of its own: the number of threads that got something wrong. */
static int first_calls(unsigned process)
{
    pthread_t threads[THREADS];
    unsigned kinds[THREADS];
    int wrong = 0;
    if (pthread_barrier_init(&barrier, NULL, THREADS) != 0)
        return 100;
    for (unsigned i = 0; i < THREADS; i++) {
        kinds[i] = i + process / 2; /* alike in each group of four, or all different; starting anywhere */
        if (process % 2 == 0)
            kinds[i] = process / 2;
        if (pthread_create(&threads[i], NULL, first_call, &kinds[i]) != 0)
            return 100;
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        wrong += kinds[i] != 1;
    }
    return wrong;
}

/* Wrong: the first of several stores that make up a choice is seen without the others. */
static void test_first_calls(void **state)
{
    (void)state;
    for (unsigned process = 0; process < PROCESSES; process++) {
        const pid_t pid = fork(); /* nothing of celer has run before, so every child is like a new program */
        assert_true(pid >= 0);
        if (pid == 0)
            _exit(first_calls(process));
        int status;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "process %u: status %x", process,
              (unsigned)status);
    }
}

static atomic_int stop, wrong;

static void *keep_hashing(void *arg)
{
    unsigned kind = *(unsigned *)arg;
    while (!atomic_load(&stop))
        if (!is_right(kind++))
            atomic_fetch_add(&wrong, 1);
    return NULL;
}

/* "Safe at any time": a mask that changes under running computations changes no result. */
static void test_mask_changes(void **state)
{
    (void)state;
    pthread_t threads[4];
    unsigned kinds[4];
    for (unsigned i = 0; i < 4; i++) {
        kinds[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, keep_hashing, &kinds[i]), 0);
    }
    struct rng rng = {11};
    for (unsigned i = 0; i < 5000; i++) {
        celer_cpu_mask(i % 4 == 0 ? CELER_CPU_AUTO : (uint32_t)rng_next(&rng) & 0xffff);
        usleep(50); /* in which the others find the choice stale, all at the same time */
    }
    atomic_store(&stop, 1);
    for (unsigned i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&wrong), 0);
}

int main(void)
{
    struct suite suite = {NULL, 0};
    suite_add(&suite, test_first_calls, NULL, "race: first calls of %d threads, %d processes", THREADS,
              PROCESSES);
    suite_add(&suite, test_mask_changes, NULL,
              "race: the mask changes while hashing"); /* has to be the last */
    return suite_run(&suite, "race") != 0;
}
