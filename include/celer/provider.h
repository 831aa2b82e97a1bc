/* provider.h: what `celer bench` measures. Everything it times comes through the table described here: celer's own
   code, and that of other libraries, each in a shared object that exports one symbol, celer_provider_1. A plug-in
   needs this header and nothing else of celer; examples/provider.c is one, 40 lines around a hash.

       cc -shared -fPIC -I celer/include -o mine.so mine.c && celer bench sha256 --plugin ./mine.so

   The layout below is frozen: it is that of number 1, and whatever changes it gets another number and another symbol.
   Bits and kinds may be added; a bench that does not know a kind leaves its subjects out.

   Everything a provider hands out, strings and tables, stays valid and unchanged until the program ends. Pointers to
   strings are never NULL. Buffers have any alignment, but for those of uint64_t, and inputs never overlap outputs.
   A pointer to no bytes may be NULL. */
#ifndef CELER_PROVIDER_H
#define CELER_PROVIDER_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#define CELER_PROVIDER_ABI 1

#ifndef CELER_MSG_DEFINED
#  define CELER_MSG_DEFINED
/* One input of a batch; the same as in common.h. */
struct celer_msg {
    const void *data;
    size_t len;
};
#endif

/* Which member of `run` a subject fills in. */
enum celer_kind {
    CELER_KIND_HASH = 1,
    CELER_KIND_XOF,
    CELER_KIND_MANY,
    CELER_KIND_PERMUTATION,
    CELER_KIND_CHAIN,
    CELER_KIND_KEM
};

/* Flags of a subject. */
#define CELER_SUBJECT_DEFAULT UINT32_C(1) /* what the library does when it is not told which code to use */
#define CELER_SUBJECT_RANDOM  UINT32_C(2) /* KEM: draws its own randomness and ignores seed64 and coins32 */

/* One thing to measure. Every function gets the subject itself, and as `state` what open put there. Results are
   compared with celer's own portable code, or where it has none with that of other providers: a subject that computes
   something else is reported, not timed. A KEM that draws its own randomness is compared by going there and back.

   What is timed is the call of `run` and nothing else, so whatever a user of the library does once for many messages
   belongs into open: finding the algorithm, making a context. Say so in notes. */
struct celer_subject {
    uint32_t kind;
    uint32_t flags;
    uint32_t ways; /* PERMUTATION, CHAIN, KEM: states, chains or keys that one call works on. MANY: 0, any.
                      HASH, XOF: 1 */
    const char *function; /* celer's name for it: "sha3-256" "keccak-f1600" "sha256-chain" "ml-kem-768" */
    const char *backend;  /* the library's name for the code path; "" when it does not say */
    const char *notes;    /* what makes it unlike others: "reused context", "opened keys"; "" */
    size_t out_len;  /* bytes of one result; XOF: the customary length; PERMUTATION: of one state; KEM: 32 */
    const void *arg; /* the provider's own: a row, the name of an algorithm */

    /* Outside of what is timed; each may be NULL. open: before anything else; returns 0, or another value and in *why
       the reason why this cannot run here ("ML-KEM needs version 3.5"). Each thread that will run the subject opens it,
       and a state is used by one thread only. enter: before every series of calls, for example to select a backend;
       calls that are not timed follow. close: once for each open that returned 0, at the end. */
    int (*open)(const struct celer_subject *self, void **state, const char **why);
    void (*enter)(const struct celer_subject *self, void *state);
    void (*close)(const struct celer_subject *self, void *state);

    union {
        /* out_len bytes at out = the digest of in. */
        void (*hash)(const struct celer_subject *self, void *state, uint8_t *out, const void *in,
                     size_t in_len);
        void (*xof)(const struct celer_subject *self, void *state, uint8_t *out, size_t out_len,
                    const void *in, size_t in_len);
        /* out + i * out_len = the digest of msgs[i], i < n; XOFs get the length asked for. */
        void (*many)(const struct celer_subject *self, void *state, uint8_t *out, size_t out_len,
                     const struct celer_msg *msgs, size_t n);
        /* `times` permutations of every state, in place. Lane i of state w is number i * ways + w, in host order. */
        void (*permutation)(const struct celer_subject *self, void *state, uint64_t *states, size_t times);
        /* hash[i] = its `iterations`-fold hash, i < ways. */
        void (*chain)(const struct celer_subject *self, void *state, uint8_t (*hash)[32],
                      uint64_t iterations);
        /* `ways` operations a call; each argument is that many items, one after the other, of ek_len, dk_len, ct_len
           bytes; shared secrets have 32, seeds (d and z of FIPS 203) 64, coins (m) 32. Return 0 on success; a function
           that the library lacks is NULL. A subject with open_keys keeps `ways` ek and dk in a form of its own:
           open_keys is not timed, and encaps and decaps then get NULL for the key. */
        struct {
            size_t ek_len, dk_len, ct_len;
            int (*keygen)(const struct celer_subject *self, void *state, uint8_t *ek, uint8_t *dk,
                          const uint8_t *seed64);
            int (*encaps)(const struct celer_subject *self, void *state, uint8_t *ct, uint8_t *ss,
                          const uint8_t *ek, const uint8_t *coins32);
            int (*decaps)(const struct celer_subject *self, void *state, uint8_t *ss, const uint8_t *ct,
                          const uint8_t *dk);
            int (*open_keys)(const struct celer_subject *self, void *state, const uint8_t *ek,
                             const uint8_t *dk);
        } kem;
        void (*reserved[16])(void); /* room for kinds to come, so that they do not move what is here */
    } run;
};

struct celer_provider {
    uint32_t abi;                  /* CELER_PROVIDER_ABI */
    uint32_t subject_size;         /* sizeof(struct celer_subject) as the provider was compiled */
    const char *library, *version; /* "openssl", "3.0.19": of the library that runs, not of its headers */
    const char *compiler, *flags;  /* that made the library: "gcc 12.2.0", "-O3"; "": not known */
    const struct celer_subject *subjects;
    size_t subject_count;
};

/* The one symbol of a plug-in; a second call returns the same. NULL, and the reason in *why, when it cannot serve here.
   A plug-in is loaded with RTLD_LOCAL: libraries that it links do not get in the way of those of another. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const struct celer_provider *
celer_provider_1(const char **why);

#ifdef __cplusplus
}
#endif
#endif
