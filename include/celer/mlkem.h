/* mlkem.h: ML-KEM, FIPS 203. Sizes are in the types; coins are in the names.

   - Byte keys: every call makes the checks of FIPS 203 sections 7.2 and 7.3 that its input needs. A caller who uses a key
     often opens it once, and then nothing is left that could fail but the randomness.
   - Functions that take no seed and no coins draw them from celer_random (celer/random.h). CELER_ERANDOM: the system
     gave none, and the outputs are zeros.
   - CELER_EKEY: the key is none; the outputs are zeros.
   - A ciphertext that was not made for the key is no error: it gives a secret that nobody else knows (implicit rejection,
     section 6.3), in the same time.
   - The private key to store is the seed (d || z, 64 bytes): celer_mlkem768_keygen_seed makes both keys of it, and
     celer_mlkem768_dk_open_seed opens it.
   - Pointers need no alignment. Outputs do not overlap inputs, nor each other. No memory is allocated; all that is secret
     and left on the stack is erased. Stack: see docs/MLKEM.md.
   - What takes secrets takes the same time and touches the same memory whatever they are. Times do depend on the
     encapsulation key, which is public. */
#ifndef CELER_MLKEM_H
#define CELER_MLKEM_H
#include "cpu.h"
#ifdef __cplusplus
extern "C" {
#endif

#define CELER_MLKEM_SEED  64 /* d || z */
#define CELER_MLKEM_COINS 32 /* m */
#define CELER_MLKEM_SS    32 /* the shared secret, K */

/* ML-KEM-512, FIPS 203 section 8, table 2: k = 2. */
#define CELER_MLKEM512_EK 800
#define CELER_MLKEM512_DK 1632
#define CELER_MLKEM512_CT 768

/* Opened keys: checked and expanded. Plain values; private but for their size. */
struct celer_mlkem512_ek {
    int16_t a[2][2][256]; /* the matrix A, transposed */
    int16_t t[2][256];
    uint8_t h[32]; /* H(ek) */
};
struct celer_mlkem512_dk {
    struct celer_mlkem512_ek ek;
    int16_t s[2][256];
    uint8_t z[32];
};

/* A new key pair, algorithm 19. 0, or CELER_ERANDOM. */
CELER_API int celer_mlkem512_keygen(uint8_t ek[CELER_AT_LEAST(CELER_MLKEM512_EK)],
                                    uint8_t dk[CELER_AT_LEAST(CELER_MLKEM512_DK)]) CELER_MUST_CHECK;
/* A secret ss for the owner of ek, and ct that tells it to him, algorithm 20. 0; CELER_EKEY: a coefficient of ek is
   not below q; CELER_ERANDOM. */
CELER_API int celer_mlkem512_encaps(uint8_t ct[CELER_AT_LEAST(CELER_MLKEM512_CT)],
                                    uint8_t ss[CELER_AT_LEAST(CELER_MLKEM_SS)],
                                    const uint8_t ek[CELER_AT_LEAST(CELER_MLKEM512_EK)]) CELER_MUST_CHECK;
/* The secret that ct tells, algorithm 21. 0; CELER_EKEY: the hash inside dk is not that of the ek inside dk. */
CELER_API int celer_mlkem512_decaps(uint8_t ss[CELER_AT_LEAST(CELER_MLKEM_SS)],
                                    const uint8_t ct[CELER_AT_LEAST(CELER_MLKEM512_CT)],
                                    const uint8_t dk[CELER_AT_LEAST(CELER_MLKEM512_DK)]) CELER_MUST_CHECK;
/* The same with the randomness given, algorithms 16 and 17: for seeds as private keys, tests, and hosts without an
   operating system. seed is d || z. */
CELER_API void celer_mlkem512_keygen_seed(uint8_t ek[CELER_AT_LEAST(CELER_MLKEM512_EK)],
                                          uint8_t dk[CELER_AT_LEAST(CELER_MLKEM512_DK)],
                                          const uint8_t seed[CELER_AT_LEAST(CELER_MLKEM_SEED)]);
CELER_API int
celer_mlkem512_encaps_coins(uint8_t ct[CELER_AT_LEAST(CELER_MLKEM512_CT)],
                            uint8_t ss[CELER_AT_LEAST(CELER_MLKEM_SS)],
                            const uint8_t ek[CELER_AT_LEAST(CELER_MLKEM512_EK)],
                            const uint8_t m[CELER_AT_LEAST(CELER_MLKEM_COINS)]) CELER_MUST_CHECK;
/* Checks alone, sections 7.2 and 7.3: 0 or CELER_EKEY. */
CELER_API int celer_mlkem512_ek_check(const uint8_t ek[CELER_AT_LEAST(CELER_MLKEM512_EK)]) CELER_MUST_CHECK;
CELER_API int celer_mlkem512_dk_check(const uint8_t dk[CELER_AT_LEAST(CELER_MLKEM512_DK)]) CELER_MUST_CHECK;

/* Checks a key and opens it. 0 or CELER_EKEY: then *key is zeros, and is not to be used. A seed is always a key. */
CELER_API int celer_mlkem512_ek_open(struct celer_mlkem512_ek *key,
                                     const uint8_t ek[CELER_AT_LEAST(CELER_MLKEM512_EK)]) CELER_MUST_CHECK;
CELER_API int celer_mlkem512_dk_open(struct celer_mlkem512_dk *key,
                                     const uint8_t dk[CELER_AT_LEAST(CELER_MLKEM512_DK)]) CELER_MUST_CHECK;
CELER_API void celer_mlkem512_dk_open_seed(struct celer_mlkem512_dk *key,
                                           const uint8_t seed[CELER_AT_LEAST(CELER_MLKEM_SEED)]);
/* Encapsulation and decapsulation with opened keys. */
CELER_API int celer_mlkem512_ek_encaps(uint8_t ct[CELER_AT_LEAST(CELER_MLKEM512_CT)],
                                       uint8_t ss[CELER_AT_LEAST(CELER_MLKEM_SS)],
                                       const struct celer_mlkem512_ek *key) CELER_MUST_CHECK;
CELER_API void celer_mlkem512_ek_encaps_coins(uint8_t ct[CELER_AT_LEAST(CELER_MLKEM512_CT)],
                                              uint8_t ss[CELER_AT_LEAST(CELER_MLKEM_SS)],
                                              const struct celer_mlkem512_ek *key,
                                              const uint8_t m[CELER_AT_LEAST(CELER_MLKEM_COINS)]);
CELER_API void celer_mlkem512_dk_decaps(uint8_t ss[CELER_AT_LEAST(CELER_MLKEM_SS)],
                                        const uint8_t ct[CELER_AT_LEAST(CELER_MLKEM512_CT)],
                                        const struct celer_mlkem512_dk *key);
/* Erase an opened key. */
CELER_API void celer_mlkem512_ek_wipe(struct celer_mlkem512_ek *key);
CELER_API void celer_mlkem512_dk_wipe(struct celer_mlkem512_dk *key);

/* n operations side by side in the vector lanes of the CPU: item i of every output from item i of every input. Where a
   key is none the outputs of that item are zeros, the others are done, and CELER_EKEY is returned. */
CELER_API void celer_mlkem512_keygen_seed_many(uint8_t (*ek)[CELER_MLKEM512_EK],
                                               uint8_t (*dk)[CELER_MLKEM512_DK],
                                               const uint8_t (*seed)[CELER_MLKEM_SEED], size_t n);
CELER_API int celer_mlkem512_encaps_coins_many(uint8_t (*ct)[CELER_MLKEM512_CT],
                                               uint8_t (*ss)[CELER_MLKEM_SS],
                                               const uint8_t (*ek)[CELER_MLKEM512_EK],
                                               const uint8_t (*m)[CELER_MLKEM_COINS],
                                               size_t n) CELER_MUST_CHECK;
CELER_API int celer_mlkem512_decaps_many(uint8_t (*ss)[CELER_MLKEM_SS],
                                         const uint8_t (*ct)[CELER_MLKEM512_CT],
                                         const uint8_t (*dk)[CELER_MLKEM512_DK], size_t n) CELER_MUST_CHECK;

/* ML-KEM-768, FIPS 203 section 8, table 2: k = 3. */
#define CELER_MLKEM768_EK 1184
#define CELER_MLKEM768_DK 2400
#define CELER_MLKEM768_CT 1088

/* Opened keys: checked and expanded. Plain values; private but for their size. */
struct celer_mlkem768_ek {
    int16_t a[3][3][256]; /* the matrix A, transposed */
    int16_t t[3][256];
    uint8_t h[32]; /* H(ek) */
};
struct celer_mlkem768_dk {
    struct celer_mlkem768_ek ek;
    int16_t s[3][256];
    uint8_t z[32];
};

/* As those of ML-KEM-512. */
CELER_API int celer_mlkem768_keygen(uint8_t ek[CELER_AT_LEAST(CELER_MLKEM768_EK)],
                                    uint8_t dk[CELER_AT_LEAST(CELER_MLKEM768_DK)]) CELER_MUST_CHECK;
CELER_API int celer_mlkem768_encaps(uint8_t ct[CELER_AT_LEAST(CELER_MLKEM768_CT)],
                                    uint8_t ss[CELER_AT_LEAST(CELER_MLKEM_SS)],
                                    const uint8_t ek[CELER_AT_LEAST(CELER_MLKEM768_EK)]) CELER_MUST_CHECK;
CELER_API int celer_mlkem768_decaps(uint8_t ss[CELER_AT_LEAST(CELER_MLKEM_SS)],
                                    const uint8_t ct[CELER_AT_LEAST(CELER_MLKEM768_CT)],
                                    const uint8_t dk[CELER_AT_LEAST(CELER_MLKEM768_DK)]) CELER_MUST_CHECK;
CELER_API void celer_mlkem768_keygen_seed(uint8_t ek[CELER_AT_LEAST(CELER_MLKEM768_EK)],
                                          uint8_t dk[CELER_AT_LEAST(CELER_MLKEM768_DK)],
                                          const uint8_t seed[CELER_AT_LEAST(CELER_MLKEM_SEED)]);
CELER_API int
celer_mlkem768_encaps_coins(uint8_t ct[CELER_AT_LEAST(CELER_MLKEM768_CT)],
                            uint8_t ss[CELER_AT_LEAST(CELER_MLKEM_SS)],
                            const uint8_t ek[CELER_AT_LEAST(CELER_MLKEM768_EK)],
                            const uint8_t m[CELER_AT_LEAST(CELER_MLKEM_COINS)]) CELER_MUST_CHECK;
CELER_API int celer_mlkem768_ek_check(const uint8_t ek[CELER_AT_LEAST(CELER_MLKEM768_EK)]) CELER_MUST_CHECK;
CELER_API int celer_mlkem768_dk_check(const uint8_t dk[CELER_AT_LEAST(CELER_MLKEM768_DK)]) CELER_MUST_CHECK;

CELER_API int celer_mlkem768_ek_open(struct celer_mlkem768_ek *key,
                                     const uint8_t ek[CELER_AT_LEAST(CELER_MLKEM768_EK)]) CELER_MUST_CHECK;
CELER_API int celer_mlkem768_dk_open(struct celer_mlkem768_dk *key,
                                     const uint8_t dk[CELER_AT_LEAST(CELER_MLKEM768_DK)]) CELER_MUST_CHECK;
CELER_API void celer_mlkem768_dk_open_seed(struct celer_mlkem768_dk *key,
                                           const uint8_t seed[CELER_AT_LEAST(CELER_MLKEM_SEED)]);
CELER_API int celer_mlkem768_ek_encaps(uint8_t ct[CELER_AT_LEAST(CELER_MLKEM768_CT)],
                                       uint8_t ss[CELER_AT_LEAST(CELER_MLKEM_SS)],
                                       const struct celer_mlkem768_ek *key) CELER_MUST_CHECK;
CELER_API void celer_mlkem768_ek_encaps_coins(uint8_t ct[CELER_AT_LEAST(CELER_MLKEM768_CT)],
                                              uint8_t ss[CELER_AT_LEAST(CELER_MLKEM_SS)],
                                              const struct celer_mlkem768_ek *key,
                                              const uint8_t m[CELER_AT_LEAST(CELER_MLKEM_COINS)]);
CELER_API void celer_mlkem768_dk_decaps(uint8_t ss[CELER_AT_LEAST(CELER_MLKEM_SS)],
                                        const uint8_t ct[CELER_AT_LEAST(CELER_MLKEM768_CT)],
                                        const struct celer_mlkem768_dk *key);
CELER_API void celer_mlkem768_ek_wipe(struct celer_mlkem768_ek *key);
CELER_API void celer_mlkem768_dk_wipe(struct celer_mlkem768_dk *key);

CELER_API void celer_mlkem768_keygen_seed_many(uint8_t (*ek)[CELER_MLKEM768_EK],
                                               uint8_t (*dk)[CELER_MLKEM768_DK],
                                               const uint8_t (*seed)[CELER_MLKEM_SEED], size_t n);
CELER_API int celer_mlkem768_encaps_coins_many(uint8_t (*ct)[CELER_MLKEM768_CT],
                                               uint8_t (*ss)[CELER_MLKEM_SS],
                                               const uint8_t (*ek)[CELER_MLKEM768_EK],
                                               const uint8_t (*m)[CELER_MLKEM_COINS],
                                               size_t n) CELER_MUST_CHECK;
CELER_API int celer_mlkem768_decaps_many(uint8_t (*ss)[CELER_MLKEM_SS],
                                         const uint8_t (*ct)[CELER_MLKEM768_CT],
                                         const uint8_t (*dk)[CELER_MLKEM768_DK], size_t n) CELER_MUST_CHECK;

/* ML-KEM-1024, FIPS 203 section 8, table 2: k = 4. */
#define CELER_MLKEM1024_EK 1568
#define CELER_MLKEM1024_DK 3168
#define CELER_MLKEM1024_CT 1568

/* Opened keys: checked and expanded. Plain values; private but for their size. */
struct celer_mlkem1024_ek {
    int16_t a[4][4][256]; /* the matrix A, transposed */
    int16_t t[4][256];
    uint8_t h[32]; /* H(ek) */
};
struct celer_mlkem1024_dk {
    struct celer_mlkem1024_ek ek;
    int16_t s[4][256];
    uint8_t z[32];
};

/* As those of ML-KEM-512. */
CELER_API int celer_mlkem1024_keygen(uint8_t ek[CELER_AT_LEAST(CELER_MLKEM1024_EK)],
                                     uint8_t dk[CELER_AT_LEAST(CELER_MLKEM1024_DK)]) CELER_MUST_CHECK;
CELER_API int celer_mlkem1024_encaps(uint8_t ct[CELER_AT_LEAST(CELER_MLKEM1024_CT)],
                                     uint8_t ss[CELER_AT_LEAST(CELER_MLKEM_SS)],
                                     const uint8_t ek[CELER_AT_LEAST(CELER_MLKEM1024_EK)]) CELER_MUST_CHECK;
CELER_API int celer_mlkem1024_decaps(uint8_t ss[CELER_AT_LEAST(CELER_MLKEM_SS)],
                                     const uint8_t ct[CELER_AT_LEAST(CELER_MLKEM1024_CT)],
                                     const uint8_t dk[CELER_AT_LEAST(CELER_MLKEM1024_DK)]) CELER_MUST_CHECK;
CELER_API void celer_mlkem1024_keygen_seed(uint8_t ek[CELER_AT_LEAST(CELER_MLKEM1024_EK)],
                                           uint8_t dk[CELER_AT_LEAST(CELER_MLKEM1024_DK)],
                                           const uint8_t seed[CELER_AT_LEAST(CELER_MLKEM_SEED)]);
CELER_API int
celer_mlkem1024_encaps_coins(uint8_t ct[CELER_AT_LEAST(CELER_MLKEM1024_CT)],
                             uint8_t ss[CELER_AT_LEAST(CELER_MLKEM_SS)],
                             const uint8_t ek[CELER_AT_LEAST(CELER_MLKEM1024_EK)],
                             const uint8_t m[CELER_AT_LEAST(CELER_MLKEM_COINS)]) CELER_MUST_CHECK;
CELER_API int celer_mlkem1024_ek_check(const uint8_t ek[CELER_AT_LEAST(CELER_MLKEM1024_EK)]) CELER_MUST_CHECK;
CELER_API int celer_mlkem1024_dk_check(const uint8_t dk[CELER_AT_LEAST(CELER_MLKEM1024_DK)]) CELER_MUST_CHECK;

CELER_API int celer_mlkem1024_ek_open(struct celer_mlkem1024_ek *key,
                                      const uint8_t ek[CELER_AT_LEAST(CELER_MLKEM1024_EK)]) CELER_MUST_CHECK;
CELER_API int celer_mlkem1024_dk_open(struct celer_mlkem1024_dk *key,
                                      const uint8_t dk[CELER_AT_LEAST(CELER_MLKEM1024_DK)]) CELER_MUST_CHECK;
CELER_API void celer_mlkem1024_dk_open_seed(struct celer_mlkem1024_dk *key,
                                            const uint8_t seed[CELER_AT_LEAST(CELER_MLKEM_SEED)]);
CELER_API int celer_mlkem1024_ek_encaps(uint8_t ct[CELER_AT_LEAST(CELER_MLKEM1024_CT)],
                                        uint8_t ss[CELER_AT_LEAST(CELER_MLKEM_SS)],
                                        const struct celer_mlkem1024_ek *key) CELER_MUST_CHECK;
CELER_API void celer_mlkem1024_ek_encaps_coins(uint8_t ct[CELER_AT_LEAST(CELER_MLKEM1024_CT)],
                                               uint8_t ss[CELER_AT_LEAST(CELER_MLKEM_SS)],
                                               const struct celer_mlkem1024_ek *key,
                                               const uint8_t m[CELER_AT_LEAST(CELER_MLKEM_COINS)]);
CELER_API void celer_mlkem1024_dk_decaps(uint8_t ss[CELER_AT_LEAST(CELER_MLKEM_SS)],
                                         const uint8_t ct[CELER_AT_LEAST(CELER_MLKEM1024_CT)],
                                         const struct celer_mlkem1024_dk *key);
CELER_API void celer_mlkem1024_ek_wipe(struct celer_mlkem1024_ek *key);
CELER_API void celer_mlkem1024_dk_wipe(struct celer_mlkem1024_dk *key);

CELER_API void celer_mlkem1024_keygen_seed_many(uint8_t (*ek)[CELER_MLKEM1024_EK],
                                                uint8_t (*dk)[CELER_MLKEM1024_DK],
                                                const uint8_t (*seed)[CELER_MLKEM_SEED], size_t n);
CELER_API int celer_mlkem1024_encaps_coins_many(uint8_t (*ct)[CELER_MLKEM1024_CT],
                                                uint8_t (*ss)[CELER_MLKEM_SS],
                                                const uint8_t (*ek)[CELER_MLKEM1024_EK],
                                                const uint8_t (*m)[CELER_MLKEM_COINS],
                                                size_t n) CELER_MUST_CHECK;
CELER_API int celer_mlkem1024_decaps_many(uint8_t (*ss)[CELER_MLKEM_SS],
                                          const uint8_t (*ct)[CELER_MLKEM1024_CT],
                                          const uint8_t (*dk)[CELER_MLKEM1024_DK], size_t n) CELER_MUST_CHECK;

/* A parameter set, for programs that choose by name. Functions as above; their arguments have the lengths below. */
struct celer_kem {
    const char *name;   /* "ml-kem-768" */
    const char *source; /* "FIPS 203" */
    size_t ek_len, dk_len, ct_len, ss_len, seed_len, coins_len;
    size_t open_ek_size, open_dk_size; /* of struct celer_mlkem768_ek and _dk */
    const struct celer_kernel *kernel; /* the backends of its arithmetic */
    void (*keygen)(uint8_t *ek, uint8_t *dk, const uint8_t *seed);
    int (*encaps)(uint8_t *ct, uint8_t *ss, const uint8_t *ek, const uint8_t *coins);
    int (*decaps)(uint8_t *ss, const uint8_t *ct, const uint8_t *dk);
    int (*ek_check)(const uint8_t *ek);
    int (*dk_check)(const uint8_t *dk);
    int (*ek_open)(void *key, const uint8_t *ek);
    int (*dk_open)(void *key, const uint8_t *dk);
    void (*ek_encaps)(uint8_t *ct, uint8_t *ss, const void *key, const uint8_t *coins);
    void (*dk_decaps)(uint8_t *ss, const uint8_t *ct, const void *key);
    /* n items of these lengths, one behind the other */
    void (*keygen_many)(uint8_t *ek, uint8_t *dk, const uint8_t *seed, size_t n);
    int (*encaps_many)(uint8_t *ct, uint8_t *ss, const uint8_t *ek, const uint8_t *coins, size_t n);
    int (*decaps_many)(uint8_t *ss, const uint8_t *ct, const uint8_t *dk, size_t n);
};

/* Row i, in the order of strength; NULL past the last. */
CELER_API const struct celer_kem *celer_kem_at(size_t i);

/* The row of that name: "ml-kem-768"; upper case, "mlkem768" and "kem768" are accepted. NULL when there is none. */
CELER_API const struct celer_kem *celer_kem_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
