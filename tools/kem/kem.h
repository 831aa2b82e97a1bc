/* kem.h: what the files of `celer kem` share: keys and their formats, files, the verbs. */
#ifndef KEM_KEM_H
#define KEM_KEM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "celer/celer.h"

/* Room for what any parameter set has. */
enum {
    KEM_EK_MAX = CELER_MLKEM1024_EK,
    KEM_DK_MAX = CELER_MLKEM1024_DK,
    KEM_CT_MAX = CELER_MLKEM1024_CT,
    KEM_DER_MAX = KEM_DK_MAX + CELER_MLKEM_SEED + 64,
    KEM_TEXT_MAX = 2 * KEM_DK_MAX + 64, /* of all in hexadecimal; PEM is shorter */
    KEM_FILE_MAX = 1 << 16 /* a PEM file may hold more than the key, such as its numbers in words */
};

enum kem_format { KEM_RAW, KEM_HEX, KEM_PEM };
enum kem_form { KEM_SEED, KEM_EXPANDED, KEM_BOTH };

/* A key as it was read: which of its parts were there, and after kem_key_complete all that follow from them. */
struct kem_key {
    const struct celer_kem *kem;
    enum kem_format format;
    bool secret;        /* a private key: */
    enum kem_form form; /* seed, dk or both are given, */
    bool has_ek;        /* and perhaps ek too */
    uint8_t seed[CELER_MLKEM_SEED], dk[KEM_DK_MAX], ek[KEM_EK_MAX];
};

/* der.c: SubjectPublicKeyInfo (RFC 5280) and OneAsymmetricKey (RFC 5958) of ML-KEM, as RFC 9935 has them. `secret`, and to
   encode all parts, are set before. Decoding takes DER and nothing else; it returns NULL, or what is wrong. */
const char *kem_der_decode(struct kem_key *key, const uint8_t *in, size_t n);
size_t kem_der_encode(uint8_t out[KEM_DER_MAX], const struct kem_key *key, enum kem_form form);

/* text.c: bytes as text, without branches or addresses that depend on them. The length of what was made. */
size_t kem_hex_encode(char *text, const uint8_t *bytes, size_t n);
size_t kem_pem_encode(char *text, const char *label, const uint8_t *bytes, size_t n);
/* From text[0 .. n - 1], over which the result may lie. Blanks and line ends between digits are allowed. False: it is no
   such text. */
bool kem_hex_decode(uint8_t *bytes, size_t *bytes_len, const char *text, size_t n);
/* The one block of a PEM file (RFC 7468) and its label, as "PUBLIC KEY"; other lines may stand before it. Returns NULL,
   or what is wrong; *label is empty when no block begins at all. */
const char *kem_pem_decode(uint8_t *bytes, size_t *bytes_len, char label[32], const char *text, size_t n);

/* key.c: from the bytes of a file, at most KEM_FILE_MAX, which are overwritten, to a key. `kem`: that set alone, or NULL.
   Returns NULL, or what is wrong; then key->kem is NULL where the set is not known. */
const char *kem_key_decode(struct kem_key *key, uint8_t *bytes, size_t n, const struct celer_kem *kem);
/* Computes what is not given, and makes the checks of FIPS 203 and RFC 9935. Returns NULL, or what is wrong. */
const char *kem_key_complete(struct kem_key *key);
/* Whether what is said to the public half is heard by the private one, which no standard asks for. Returns NULL, or what
   is wrong. */
const char *kem_key_try(const struct kem_key *key);
/* The private key in that form, or the public one. */
size_t kem_key_encode(char out[KEM_TEXT_MAX], const struct kem_key *key, enum kem_format format,
                      enum kem_form form);
/* The file, complete. Returns 0; or an exit code after an error line. */
enum kem_kind { KEM_ANY, KEM_PUBLIC, KEM_PRIVATE };
int kem_key_read(struct kem_key *key, const char *name, const struct celer_kem *kem, enum kem_kind kind);
/* "ML-KEM-768", or "ML-KEM" for NULL; static. */
const char *kem_title(const struct celer_kem *kem);

/* file.c: a whole file of at most `room` bytes; "-" is standard input. Returns 0; or an exit code after an error line. */
int kem_file_read(const char *name, uint8_t *bytes, size_t room, size_t *n);

/* Files for the owner alone, of which all are written or none; "-" is standard output. None may be there, unless `force`:
   then each takes the place of what is there, in one step. Returns 0; or an exit code after an error line. */
struct kem_output {
    const char *name;
    const void *bytes;
    size_t n;
    bool secret; /* not for a terminal, unless `force` */
};
enum { KEM_OUTPUTS = 2 };
int kem_files_write(const struct kem_output *outputs, size_t n, bool force);

/* test.c: from now on that row runs, of the arithmetic and of all the hashes that have its like; false after an error line.
 */
bool kem_use_row(const struct celer_backend *row);

/* All sets, or that one, on all backends, or the one in use; prints what it did. Returns an exit code. */
int kem_test(const struct celer_kem *only, bool all_backends, uint64_t rounds);
#endif
