/* chain.h: hash chains, hash <- SHA-256(hash), n times over. To compute one takes its time, whatever the hardware beside
   the core; to check one from values noted down on the way takes many lanes, cores or machines a fraction of it.

   All functions work in place on hashes of 32 bytes, of any alignment. n = 0 leaves a hash as it is. Several hashes lie
   one after the other. The time depends on the numbers of steps and chains alone; but copies are not erased, for the
   hashes of a chain are there to be published. */
#ifndef CELER_CHAIN_H
#define CELER_CHAIN_H
#include "common.h"
#include "cpu.h"
#ifdef __cplusplus
extern "C" {
#endif

/* n times: hash = SHA-256(hash). FIPS 180-4 section 6.2. */
CELER_API void celer_sha256_chain(uint8_t hash[CELER_AT_LEAST(32)], uint64_t n);

/* The same with 2, 3, 4, 8 or 16 chains at once. Where no code has that width, in groups as wide as there is. */
CELER_API void celer_sha256_chain_x2(uint8_t (*hash)[32], uint64_t n);
CELER_API void celer_sha256_chain_x3(uint8_t (*hash)[32], uint64_t n);
CELER_API void celer_sha256_chain_x4(uint8_t (*hash)[32], uint64_t n);
CELER_API void celer_sha256_chain_x8(uint8_t (*hash)[32], uint64_t n);
CELER_API void celer_sha256_chain_x16(uint8_t (*hash)[32], uint64_t n);

/* n[i] steps of hash[i], for i < count: any number of chains, each with a length of its own, in the widths in which
   they are done soonest. */
CELER_API void celer_chain_step_many(uint8_t (*hash)[32], const uint64_t *n, size_t count);

/* The table of the code for it; see cpu.h. */
CELER_API const struct celer_kernel *celer_sha256_chain_kernel(void);

/* ---- Mix-ins and verification ---- */

/* hash = SHA-256(hash || payload). It binds a message, of which the payload is a digest, to its place in the chain: all
   that follows was computed by someone who knew it. */
CELER_API void celer_chain_mix(uint8_t hash[CELER_AT_LEAST(32)], const uint8_t payload[CELER_AT_LEAST(32)]);

/* A piece of a chain: it is claimed that `steps` steps lead from start to end. */
struct celer_chain_segment {
    uint8_t start[32], end[32];
    uint64_t steps;
};

/* Where segments come from, and who waits for them. Both functions return 0 to go on, anything else to cancel. */
struct celer_chain_source {
    void *arg;
    /* Segment i; it may be asked for again. */
    int (*get)(void *arg, uint64_t i, struct celer_chain_segment *segment);
    /* So many more steps are done, maybe of a segment that is computed once more. Called many times a second where steps
       are fast. May be NULL. */
    int (*done)(void *arg, uint64_t steps);
};

enum celer_chain_verdict {
    CELER_CHAIN_VALID = 0,
    CELER_CHAIN_INVALID = 1,   /* a segment leads elsewhere */
    CELER_CHAIN_CANCELLED = 2, /* get or done said so, before there was a verdict */
    CELER_CHAIN_BROKEN = 3     /* the code for this CPU finds a segment bad that portable code finds good */
};

/* Computes segments first .. end - 1 anew, in lanes. *bad is the lowest of those that are INVALID or BROKEN, and otherwise
   `end`. Whether these are all segments of a chain, whether each begins where the one before it ends, and whether the
   first and the last value are those expected, is for `get` to see to. */
CELER_API enum celer_chain_verdict celer_chain_verify(const struct celer_chain_source *source, uint64_t first,
                                                      uint64_t end, uint64_t *bad) CELER_MUST_CHECK;

/* ---- The file ----

   A header and any number of records, both of fixed length. Numbers are little-endian. CRC32C: RFC 3720 appendix B.4.

       header, 512 bytes                             record, 48 bytes
         0    8  CELER_CHAIN_MAGIC                     0    8  index: steps from the seed on
         8    2  version, 1                            8    4  type: enum celer_chain_type
        10    2  algorithm, 1: SHA-256                12   32  hash; what it is depends on the type
        12    4  flags, 0                             44    4  CRC32C of bytes 0 to 43
        16   32  seed: the value at index 0
        48    8  segment: most steps from one value to the next, 1 to CELER_CHAIN_INDEX_MAX
        56    4  length of the context, 0 to 448
        60  448  context, any bytes, then zeros
       508    4  CRC32C of bytes 0 to 507 */
#define CELER_CHAIN_HEADER_LEN  512
#define CELER_CHAIN_RECORD_LEN  48
#define CELER_CHAIN_CONTEXT_MAX 448
#define CELER_CHAIN_MAGIC       "\211CHAIN\r\n"
#define CELER_CHAIN_INDEX_MAX   (UINT64_MAX >> 1) /* so that every reader of JSON can hold an index */

struct celer_chain_header {
    uint32_t version, algorithm, flags;
    uint8_t seed[32];
    uint64_t segment;
    uint32_t context_len;
    char context[CELER_CHAIN_CONTEXT_MAX + 1]; /* zeros behind context_len bytes */
};

/* What the hash of a record is:
   checkpoint: the value after `index` steps. All other records have the index of the one before them.
   mix: a payload, mixed into the value, which does not count as a step.
   resume: a run begins, which shall reach the index in the first 8 bytes, or none if that is 0; then zeros.
   final: a run has ended, and this is the value; more may follow.
   label: up to 32 bytes of text, and zeros. It is said of the mix-in that comes next, and nothing proves it. Several in
   a row are one text, of up to 128 bytes. */
enum celer_chain_type {
    CELER_CHAIN_CHECKPOINT = 1,
    CELER_CHAIN_MIX = 2,
    CELER_CHAIN_RESUME = 3,
    CELER_CHAIN_FINAL = 4,
    CELER_CHAIN_LABEL = 5
};

struct celer_chain_record {
    uint64_t index;
    uint32_t type;
    uint8_t hash[32];
};

/* To the bytes of a file. The version is written as 1, the algorithm as 1, flags as 0. */
CELER_API void celer_chain_header_encode(uint8_t out[CELER_AT_LEAST(512)],
                                         const struct celer_chain_header *header);
CELER_API void celer_chain_record_encode(uint8_t out[CELER_AT_LEAST(48)],
                                         const struct celer_chain_record *record);

/* And back. CELER_EINVAL: magic or CRC is wrong, and all of *out is zero; or, of a header, version, algorithm, flags, a
   length or what is behind the context is none of the above, and of *out only the numbers are set. A record's type and
   index are not judged. */
CELER_API int celer_chain_header_decode(struct celer_chain_header *out,
                                        const uint8_t in[CELER_AT_LEAST(512)]) CELER_MUST_CHECK;
CELER_API int celer_chain_record_decode(struct celer_chain_record *out,
                                        const uint8_t in[CELER_AT_LEAST(48)]) CELER_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
