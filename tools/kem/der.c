/* der.c: the ASN.1 of ML-KEM keys: as much DER as they need. */
#include "kem.h"
#include <string.h>

enum {
    DER_INTEGER = 0x02,
    DER_BIT_STRING = 0x03,
    DER_OCTET_STRING = 0x04,
    DER_OID = 0x06,
    DER_SEQUENCE = 0x30,
    DER_SEED = 0x80,       /* [0] of ML-KEM-PrivateKey */
    DER_ATTRIBUTES = 0xa0, /* [0] of OneAsymmetricKey */
    DER_PUBLIC_KEY = 0x81  /* [1] of it */
};

/* id-alg-ml-kem-512 and the others, 2.16.840.1.101.3.4.4.1 to .3, but for the last number. */
static const uint8_t oid_arc[] = {0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x04};
enum { OID_LEN = sizeof oid_arc + 1 };

struct der {
    const uint8_t *at;
    size_t left;
};

/* Takes the element that `in` begins with, if it has that tag, and a length in the shortest form. */
static bool take(struct der *in, unsigned tag, struct der *content)
{
    if (in->left < 2 || in->at[0] != tag)
        return false;
    size_t length = in->at[1], head = 2;
    if (length >= 0x80) {
        const size_t digits = length - 0x80;
        if (digits < 1 || digits > 2 || in->left < 2 + digits)
            return false;
        length = in->at[head++];
        if (digits == 2)
            length = length << 8 | in->at[head++];
        if (length < (digits == 2 ? 0x100 : 0x80))
            return false;
    }
    if (length > in->left - head)
        return false;
    *content = (struct der){in->at + head, length};
    in->at += head + length;
    in->left -= head + length;
    return true;
}

static const char malformed[] = "the DER is malformed";

/* AlgorithmIdentifier: no parameters, not even NULL. */
static const char *take_algorithm(struct der *in, struct kem_key *key)
{
    struct der algorithm, oid;
    if (!take(in, DER_SEQUENCE, &algorithm) || !take(&algorithm, DER_OID, &oid))
        return malformed;
    if (oid.left != OID_LEN || memcmp(oid.at, oid_arc, sizeof oid_arc) != 0 || oid.at[OID_LEN - 1] < 1 ||
        oid.at[OID_LEN - 1] > 3)
        return "it is of another algorithm";
    key->kem = celer_kem_at(oid.at[OID_LEN - 1] - 1u);
    return algorithm.left == 0 ? NULL : "the algorithm has parameters";
}

static const char *take_bytes(struct der *in, unsigned tag, uint8_t *out, size_t n)
{
    struct der bytes;
    if (!take(in, tag, &bytes))
        return malformed;
    if (bytes.left != n)
        return "a part of it has a wrong length";
    memcpy(out, bytes.at, n);
    return NULL;
}

/* A BIT STRING of whole bytes. */
static const char *take_ek(struct der *in, unsigned tag, struct kem_key *key)
{
    struct der bits;
    if (!take(in, tag, &bits) || bits.left < 1 || bits.at[0] != 0)
        return malformed;
    if (bits.left - 1 != key->kem->ek_len)
        return "the encapsulation key has a wrong length";
    memcpy(key->ek, bits.at + 1, key->kem->ek_len);
    key->has_ek = true;
    return NULL;
}

/* ML-KEM-PrivateKey, a CHOICE by the tag. */
static const char *take_parts(struct der *in, struct kem_key *key)
{
    struct der parts;
    const char *wrong = malformed;
    switch (in->left > 0 ? in->at[0] : 0) {
    case DER_SEED:
        key->form = KEM_SEED;
        wrong = take_bytes(in, DER_SEED, key->seed, sizeof key->seed);
        break;
    case DER_OCTET_STRING:
        key->form = KEM_EXPANDED;
        wrong = take_bytes(in, DER_OCTET_STRING, key->dk, key->kem->dk_len);
        break;
    case DER_SEQUENCE:
        key->form = KEM_BOTH;
        if (!take(in, DER_SEQUENCE, &parts))
            break;
        wrong = take_bytes(&parts, DER_OCTET_STRING, key->seed, sizeof key->seed);
        if (wrong == NULL)
            wrong = take_bytes(&parts, DER_OCTET_STRING, key->dk, key->kem->dk_len);
        if (wrong == NULL && parts.left > 0)
            wrong = malformed;
        break;
    default:
        break;
    }
    return wrong == NULL && in->left > 0 ? malformed : wrong;
}

static const char *take_private(struct der *in, struct kem_key *key)
{
    struct der version, parts, attributes;
    if (!take(in, DER_INTEGER, &version) || version.left != 1 || version.at[0] > 1)
        return malformed;
    const char *wrong = take_algorithm(in, key);
    if (wrong != NULL)
        return wrong;
    if (!take(in, DER_OCTET_STRING, &parts))
        return malformed;
    wrong = take_parts(&parts, key);
    take(in, DER_ATTRIBUTES, &attributes); /* optional, and nothing to us */
    if (wrong == NULL && in->left > 0 && in->at[0] == DER_PUBLIC_KEY && version.at[0] == 1)
        wrong = take_ek(in, DER_PUBLIC_KEY, key);
    return wrong;
}

const char *kem_der_decode(struct kem_key *key, const uint8_t *in, size_t n)
{
    struct der all = {in, n}, fields;
    key->has_ek = false;
    if (!take(&all, DER_SEQUENCE, &fields) || all.left > 0)
        return malformed;
    const char *wrong;
    if (key->secret) {
        wrong = take_private(&fields, key);
    } else {
        wrong = take_algorithm(&fields, key);
        if (wrong == NULL)
            wrong = take_ek(&fields, DER_BIT_STRING, key);
    }
    return wrong == NULL && fields.left > 0 ? malformed : wrong;
}

/* Encoding goes from the end to the beginning, so that each length is known when it is written. */
static uint8_t *put(uint8_t *at, const void *bytes, size_t n)
{
    memcpy(at - n, bytes, n);
    return at - n;
}

/* The tag and length of what lies from `at` to `end`. */
static uint8_t *put_head(uint8_t *at, unsigned tag, const uint8_t *end)
{
    const size_t length = (size_t)(end - at);
    const uint8_t lengths[] = {(uint8_t)(length >> 8), (uint8_t)length};
    if (length >= 0x100) {
        at = put(at, lengths, 2);
        *--at = 0x82;
    } else {
        at = put(at, lengths + 1, 1);
        if (length >= 0x80)
            *--at = 0x81;
    }
    *--at = (uint8_t)tag;
    return at;
}

static uint8_t *put_element(uint8_t *at, unsigned tag, const void *bytes, size_t n)
{
    const uint8_t *const end = at;
    return put_head(put(at, bytes, n), tag, end);
}

static uint8_t *put_algorithm(uint8_t *at, const struct celer_kem *kem)
{
    const uint8_t *const end = at;
    uint8_t last = 1;
    while (celer_kem_at(last - 1u) != kem)
        last++;
    at = put(at, &last, 1);
    at = put(at, oid_arc, sizeof oid_arc);
    at = put_head(at, DER_OID, end);
    return put_head(at, DER_SEQUENCE, end);
}

static uint8_t *put_parts(uint8_t *at, const struct kem_key *key, enum kem_form form)
{
    const uint8_t *const end = at;
    if (form == KEM_SEED)
        return put_element(at, DER_SEED, key->seed, sizeof key->seed);
    at = put_element(at, DER_OCTET_STRING, key->dk, key->kem->dk_len);
    if (form == KEM_EXPANDED)
        return at;
    at = put_element(at, DER_OCTET_STRING, key->seed, sizeof key->seed);
    return put_head(at, DER_SEQUENCE, end);
}

size_t kem_der_encode(uint8_t out[KEM_DER_MAX], const struct kem_key *key, enum kem_form form)
{
    uint8_t *const end = out + KEM_DER_MAX, *at = end;
    if (key->secret) {
        at = put_head(put_parts(at, key, form), DER_OCTET_STRING, end);
        at = put_algorithm(at, key->kem);
        at = put_element(at, DER_INTEGER, "", 1); /* version 0 */
    } else {
        at = put(at, key->ek, key->kem->ek_len);
        *--at = 0; /* bits that are not used */
        at = put_head(at, DER_BIT_STRING, end);
        at = put_algorithm(at, key->kem);
    }
    at = put_head(at, DER_SEQUENCE, end);
    const size_t n = (size_t)(end - at);
    memmove(out, at, n);
    celer_wipe(out + n, KEM_DER_MAX - n);
    return n;
}
