/* blake2_vectors.h: the test vectors of BLAKE2. */
#ifndef BLAKE2_VECTORS_H
#define BLAKE2_VECTORS_H
#include "celer/blake2.h"
#include "celer/hash.h"

#define BLAKE2_HASHLIB  "blake2/hashlib.json"
#define BLAKE2_SELFTEST "blake2/rfc7693-selftest.json"

struct blake2_case {
    size_t number;
    const char *function; /* "blake2b" */
    uint8_t *msg, *key, *out;
    size_t msg_len, key_len, out_len;
    struct celer_blake2_params params;
    int last_node;
};

/* Reads a file of cases and calls visit(case, arg) for each. */
void blake2_each(const char *path, void (*visit)(const struct blake2_case *c, void *arg), void *arg);

/* Checks the cases of a file that are about that row of the list, and returns how many. */
size_t blake2_check(const struct celer_hash *hash, const char *path);
#endif
