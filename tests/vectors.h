/* vectors.h: official test vectors, by hash. The files are in tests/vectors (CELER_VECTORS in the environment
   names another folder); where they come from and what is peculiar to each is in SOURCES.md there. */
#ifndef VECTORS_H
#define VECTORS_H
#include "celer/hash.h"

/* Name of vector file i of a hash, such as "sha3/SHA3_256ShortMsg.rsp"; NULL past the last. */
const char *vector_file(const struct celer_hash *hash, size_t i);

/* Hashes every message of vector file i, on the rows that run now. Fails the test when a digest is wrong, the
   file cannot be read, or the number of its cases is not the expected one. */
void vector_file_check(const struct celer_hash *hash, size_t i);

/* The whole of a file below tests/vectors, zero-terminated, for free(); that of a .gz is what gzip makes of it. Fails
   the test when it cannot be read. */
char *vector_text(const char *path);

/* Bytes from 2 * n hexadecimal digits at text; 0 when there are fewer. */
int hex_decode(uint8_t *bytes, const char *text, size_t n);
#endif
