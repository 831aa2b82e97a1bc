/* sp800_185.h: the test vectors of SP 800-185 and of MACs, which differ in their form and not in what they hold. */
#ifndef SP800_185_H
#define SP800_185_H
#include <stddef.h>
#include <stdint.h>
#include "celer/hash.h"
#include "celer/sha3.h"

#define SP800_185_SAMPLES "sp800-185/nist-samples.json"

/* Bytes of a case. In a last byte that is not full, the bits are at the high end. */
struct sp800_185_bits {
    uint8_t *bytes;
    size_t bits;
};

struct sp800_185_case {
    size_t number;
    char function[32]; /* "kmacxof128", "hmacsha3-256" */
    struct sp800_185_bits key, msg, name, custom, out;
    struct celer_msg *tuple;
    size_t tuple_len;
    size_t block_len;
    int valid; /* 0: out is wrong */
};

/* Calls visit(case, arg) for each case of a file. */
void sp800_185_each(const char *path, void (*visit)(const struct sp800_185_case *c, void *arg), void *arg);

/* ParallelHash up to the number of its blocks, from SHAKE of one block after the other; what is left to absorb is the
   length of the output. */
void sp800_185_parallel_node(struct celer_sponge *node, unsigned rate, const uint8_t *in, size_t len,
                             size_t block_len, const void *custom, size_t custom_len);

/* Checks the cases of a file that are about that hash, on the rows that run now; returns how many they are. */
size_t sp800_185_check(const struct celer_hash *hash, const char *path);
#endif
