/* leaves.c: see leaves.h. */
#include "sha3/leaves.h"
#include "base/bytes.h"
#include "base/wipe.h"
#include "sha3/keccak.h"
#include "sha3/sponge.h"

/* State w ^= len bytes at in, and byte `len` of it ^= suffix. len < 200. */
static void leaves_xor_last(uint64_t *s, size_t ways, size_t w, const uint8_t *in, size_t len,
                            unsigned suffix)
{
    uint64_t last = (uint64_t)suffix << 8 * (len % 8);
    size_t i = 0;
    for (; i < len / 8; i++)
        s[i * ways + w] ^= load64_le(in + 8 * i);
    for (size_t b = 0; b < len % 8; b++)
        last |= (uint64_t)in[8 * i + b] << 8 * b;
    s[i * ways + w] ^= last;
}

/* n leaves, 1 .. ways of k; the lanes left over take the first leaf along. first: NULL, or gets the state of the first
   leaf after its whole blocks. Last blocks are added to the states in place: as padded copies, which vectors would
   load right after bytes were stored, they cost hundreds of cycles. */
static void leaves_side_by_side(const struct keccak_backend *k, uint8_t *cv, const uint8_t *in,
                                size_t leaf_len, size_t n, const struct leaf_kind *kind, uint64_t *first)
{
    const size_t ways = k->row.ways, rate = kind->rate;
    const size_t whole = leaf_len / rate * rate, last = leaf_len % rate;
    const uint8_t *at[KECCAK_MAX_WAYS];
    uint64_t s[25 * KECCAK_MAX_WAYS];

    for (size_t w = 0; w < ways; w++)
        at[w] = w < n ? in + w * leaf_len : in;
    zero_bytes(s, 25 * sizeof s[0] * ways);
    if (whole > 0)
        k->absorb(s, kind->rounds, rate, at, whole / rate);
    for (size_t i = 0; first != NULL && i < 25; i++)
        first[i] = s[i * ways];
    for (size_t w = 0; w < n; w++) {
        leaves_xor_last(s, ways, w, at[w] + whole, last, kind->suffix);
        s[(rate / 8 - 1) * ways + w] ^= UINT64_C(1) << 63;
    }
    k->permute(s, kind->rounds);
    for (size_t w = 0; w < n; w++)
        for (size_t i = 0; i < kind->cv_len / 8u; i++, cv += 8)
            store64_le(cv, s[i * ways + w]);
    wipe(s, 25 * sizeof s[0] * ways);
}

void celer_leaves_(uint8_t *cv, const uint8_t *in, size_t leaf_len, size_t n, const struct leaf_kind *kind)
{
    while (n > 0) {
        const struct keccak_backend *k = celer_keccak_widest_(n);
        const size_t batch = n < k->row.ways ? n : k->row.ways;
        leaves_side_by_side(k, cv, in, leaf_len, batch, kind, NULL);
        cv += batch * kind->cv_len;
        in += batch * leaf_len;
        n -= batch;
    }
}

size_t celer_leaves_first_(struct celer_sponge *node, uint8_t *cv, const uint8_t *in, size_t leaf_len,
                           size_t n, const struct leaf_kind *kind)
{
    const struct keccak_backend *k = celer_keccak_widest_(n);
    const size_t batch = n < k->row.ways ? n : k->row.ways, tail = leaf_len % kind->rate;
    leaves_side_by_side(k, cv, in, leaf_len, batch, kind, node->s);
    celer_sponge_absorb_(node, in + leaf_len - tail, tail);
    return batch;
}

void celer_leaves_absorb_(struct celer_sponge *node, const uint8_t *in, size_t leaf_len, size_t n,
                          const struct leaf_kind *kind)
{
    uint8_t cv[KECCAK_MAX_WAYS * LEAF_MAX_CV];
    while (n > 0) {
        const size_t batch = n < KECCAK_MAX_WAYS ? n : KECCAK_MAX_WAYS;
        celer_leaves_(cv, in, leaf_len, batch, kind);
        celer_sponge_absorb_(node, cv, batch * kind->cv_len);
        in += batch * leaf_len;
        n -= batch;
    }
    wipe(cv, sizeof cv);
}
