/* poly_scalar.c: ML-KEM's arithmetic in portable C.

   Products are reduced as Montgomery did, with R = 2^16, in 16-bit halves: compilers know the upper half of a product as
   one instruction on vectors. Sums are reduced late; the greatest magnitude that each step can leave is stated with it.
   With CELER_DEBUG_BOUNDS defined the statements are checked, at the price of branches on secrets: for tests only. */
#include "mlkem/zeta.h"
#include "base/bytes.h"
#include "base/wipe.h"

#define SCALAR_QINV 62209 /* 1 / q modulo 2^16 */

#ifdef CELER_DEBUG_BOUNDS
#  include <stdio.h>
#  include <stdlib.h>

static void scalar_bound(const int16_t *p, size_t n, int least, int most)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] < least || p[i] > most) {
            fprintf(stderr, "poly_scalar: coefficient %u is %d, not in [%d, %d]\n", (unsigned)i, p[i], least,
                    most);
            abort();
        }
}
#else
#  define scalar_bound(p, n, least, most) ((void)0)
#endif

/* a b / R. Exactly, it is (a b - m q) / R for an m of 16 bits, so at most |a b| / R + q / 2 in magnitude: below 2497 for
   any a and |b| <= q / 2, and below 1834 for |a|, |b| < q. */
static inline int16_t scalar_mul(int16_t a, int16_t b)
{
    const int16_t factor = (int16_t)((uint32_t)(uint16_t)b * SCALAR_QINV);
    const int16_t m = (int16_t)((uint32_t)(uint16_t)a * (uint16_t)factor);
    return (int16_t)((int16_t)((int32_t)a * b >> 16) - (int16_t)((int32_t)m * MLKEM_Q >> 16));
}

/* A residue of any a, at most 2186 in magnitude: -1044 is R modulo q. */
static inline int16_t scalar_reduce(int16_t a)
{
    return scalar_mul(a, -1044);
}

/* That in [0, q). */
static inline int16_t scalar_positive(int16_t a)
{
    const int16_t r = scalar_reduce(a);
    return (int16_t)(r + (MLKEM_Q & r >> 15));
}

/* Butterflies of algorithms 9 and 10: of n coefficients, each with one of the other half and a power of zeta. Forth adds
   at most 2496 to a magnitude; back doubles it. */
static inline void scalar_forth(int16_t *restrict a, int16_t *restrict b, const int16_t *restrict zeta,
                                size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const int16_t t = scalar_mul(b[i], zeta[i]);
        b[i] = (int16_t)(a[i] - t);
        a[i] = (int16_t)(a[i] + t);
    }
}

static inline void scalar_back(int16_t *restrict a, int16_t *restrict b, const int16_t *restrict zeta,
                               size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const int16_t t = (int16_t)(b[i] - a[i]);
        a[i] = (int16_t)(a[i] + b[i]);
        b[i] = scalar_mul(t, zeta[i]);
    }
}

/* Vectors want many neighbours to do the same with. The layers of len 128 to 16 have them. Those of len 8, 4 and 2 stay
   inside of 16 blocks of 8 pairs of coefficients; so for them the pairs are sorted by their place in the block, and then
   the distances are 128, 64 and 32. */
static inline void scalar_sort(int16_t *sorted, const int16_t *p)
{
    for (size_t place = 0; place < 8; place++)
        for (size_t block = 0; block < 16; block++)
            memcpy(sorted + 32 * place + 2 * block, p + 16 * block + 2 * place, 2 * sizeof *p);
}

static inline void scalar_unsort(int16_t *p, const int16_t *sorted)
{
    for (size_t block = 0; block < 16; block++)
        for (size_t place = 0; place < 8; place++)
            memcpy(p + 16 * block + 2 * place, sorted + 32 * place + 2 * block, 2 * sizeof *p);
}

/* The power of zeta for each of the 128 butterflies of a layer, in the order of those. A layer of n blocks has powers
   number n .. 2n - 1, which algorithm 10 takes from the last to the first. n is 1 << layer in the wide layers, and
   16 << layer in the sorted ones. */
#define SCALAR_16(M, layer, i)                                                                      \
  M(layer, i), M(layer, i + 1), M(layer, i + 2), M(layer, i + 3), M(layer, i + 4), M(layer, i + 5), \
      M(layer, i + 6), M(layer, i + 7), M(layer, i + 8), M(layer, i + 9), M(layer, i + 10),         \
      M(layer, i + 11), M(layer, i + 12), M(layer, i + 13), M(layer, i + 14), M(layer, i + 15)
#define SCALAR_LAYER(M, layer)                                                                              \
  {                                                                                                         \
    SCALAR_16(M, layer, 0), SCALAR_16(M, layer, 16), SCALAR_16(M, layer, 32), SCALAR_16(M, layer, 48),      \
        SCALAR_16(M, layer, 64), SCALAR_16(M, layer, 80), SCALAR_16(M, layer, 96), SCALAR_16(M, layer, 112) \
  }
#define SCALAR_WIDE(layer, i)        MONTGOMERY(ZETA((1 << (layer)) + ((i) >> (7 - (layer)))))
#define SCALAR_WIDE_BACK(layer, i)   MONTGOMERY(ZETA((2 << (layer)) - 1 - ((i) >> (7 - (layer)))))
#define SCALAR_BLOCK(layer, i)       (((i) / 2 % 16 << (layer)) + ((i) >> (7 - (layer))))
#define SCALAR_SORTED(layer, i)      MONTGOMERY(ZETA((16 << (layer)) + SCALAR_BLOCK(layer, i)))
#define SCALAR_SORTED_BACK(layer, i) MONTGOMERY(ZETA((32 << (layer)) - 1 - SCALAR_BLOCK(layer, i)))

static const int16_t scalar_wide[4][128] = {SCALAR_LAYER(SCALAR_WIDE, 0), SCALAR_LAYER(SCALAR_WIDE, 1),
                                            SCALAR_LAYER(SCALAR_WIDE, 2), SCALAR_LAYER(SCALAR_WIDE, 3)};
static const int16_t scalar_wide_back[4][128] = {
    SCALAR_LAYER(SCALAR_WIDE_BACK, 0), SCALAR_LAYER(SCALAR_WIDE_BACK, 1), SCALAR_LAYER(SCALAR_WIDE_BACK, 2),
    SCALAR_LAYER(SCALAR_WIDE_BACK, 3)};
static const int16_t scalar_sorted[3][128] = {SCALAR_LAYER(SCALAR_SORTED, 0), SCALAR_LAYER(SCALAR_SORTED, 1),
                                              SCALAR_LAYER(SCALAR_SORTED, 2)};
static const int16_t scalar_sorted_back[3][128] = {SCALAR_LAYER(SCALAR_SORTED_BACK, 0),
                                                   SCALAR_LAYER(SCALAR_SORTED_BACK, 1),
                                                   SCALAR_LAYER(SCALAR_SORTED_BACK, 2)};

static void scalar_ntt(poly *p, size_t n)
{
    poly sorted;
    for (; n != 0; n--, p++) {
        scalar_bound(*p, MLKEM_N, 1 - MLKEM_Q, MLKEM_Q - 1);
        for (size_t layer = 0, len = 128; layer < 4; layer++, len /= 2)
            for (size_t i = 0; i < 128; i += len)
                scalar_forth(*p + 2 * i, *p + 2 * i + len, scalar_wide[layer] + i, len);
        scalar_sort(sorted, *p);
        for (size_t layer = 0, len = 128; layer < 3; layer++, len /= 2)
            for (size_t i = 0; i < 128; i += len)
                scalar_forth(sorted + 2 * i, sorted + 2 * i + len, scalar_sorted[layer] + i, len);
        scalar_bound(sorted, MLKEM_N, -20800, 20800); /* 3328 + 7 * 2496 */
        for (size_t i = 0; i < MLKEM_N; i++)
            sorted[i] = scalar_reduce(sorted[i]);
        scalar_unsort(*p, sorted);
    }
    wipe(sorted, sizeof sorted);
}

static void scalar_inverse(poly *p, size_t n)
{
    poly sorted;
    for (; n != 0; n--, p++) {
        scalar_bound(*p, MLKEM_N, 1 - MLKEM_Q, MLKEM_Q - 1);
        scalar_sort(sorted, *p);
        for (size_t layer = 3, len = 32; layer-- > 0; len *= 2)
            for (size_t i = 0; i < 128; i += len)
                scalar_back(sorted + 2 * i, sorted + 2 * i + len, scalar_sorted_back[layer] + i, len);
        scalar_bound(sorted, MLKEM_N, -26624, 26624); /* 8 * 3328 */
        for (size_t i = 0; i < MLKEM_N; i++)
            sorted[i] = scalar_mul(sorted[i], 1);
        scalar_bound(sorted, MLKEM_N, -1664, 1664); /* 26624 / R + q / 2 */
        scalar_unsort(*p, sorted);
        for (size_t layer = 4, len = 16; layer-- > 0; len *= 2)
            for (size_t i = 0; i < 128; i += len)
                scalar_back(*p + 2 * i, *p + 2 * i + len, scalar_wide_back[layer] + i, len);
        scalar_bound(*p, MLKEM_N, -26624, 26624); /* 16 * 1664 */
        for (size_t i = 0; i < MLKEM_N; i++)
            (*p)[i] = scalar_mul((*p)[i], 304); /* 2^16 / 128, and R^2 for two products */
        scalar_bound(*p, MLKEM_N, -1788, 1788); /* 26624 * 304 / R + q / 2 */
    }
    wipe(sorted, sizeof sorted);
}

/* The even coefficients, and behind them the odd ones. */
static void scalar_prepare(poly *cache, const poly *b, size_t n)
{
    for (; n != 0; n--, cache++, b++)
        for (size_t i = 0; i < MLKEM_N / 2; i++) {
            (*cache)[i] = (*b)[2 * i];
            (*cache)[MLKEM_N / 2 + i] = (*b)[2 * i + 1];
        }
}

/* Karatsuba's three products in place of the four of algorithm 12, summed up before a power of zeta is multiplied by. Four
   of a0 b0 or a1 b1 are at most 4 * 1833 in magnitude, of (a0 + a1)(b0 + b1) at most 4 * 2340, as the factors are below 2q:
   the odd sum is at most 4 * (2340 + 2 * 1833) = 24024. */
static void scalar_dot(int16_t *r, const poly *a, const poly *b, const poly *cache, size_t n)
{
    (void)b;
    enum { PAIRS = MLKEM_N / 2 };
    int16_t even[PAIRS] = {0}, odd[PAIRS] = {0}, both[PAIRS] = {0};
    for (; n != 0; n--, a++, cache++)
        for (size_t i = 0; i < PAIRS; i++) {
            const int16_t a0 = (*a)[2 * i], a1 = (*a)[2 * i + 1], b0 = (*cache)[i], b1 = (*cache)[PAIRS + i];
            even[i] = (int16_t)(even[i] + scalar_mul(a0, b0));
            odd[i] = (int16_t)(odd[i] + scalar_mul(a1, b1));
            both[i] = (int16_t)(both[i] + scalar_mul((int16_t)(a0 + a1), (int16_t)(b0 + b1)));
        }
    scalar_bound(even, PAIRS, -7332, 7332);
    scalar_bound(odd, PAIRS, -7332, 7332);
    scalar_bound(both, PAIRS, -9360, 9360);
    for (size_t i = 0; i < PAIRS; i++) {
        r[2 * i] = scalar_reduce((int16_t)(even[i] + scalar_mul(odd[i], celer_poly_gammas_mont_[i])));
        r[2 * i + 1] = scalar_reduce((int16_t)(both[i] - even[i] - odd[i]));
    }
    wipe(even, sizeof even);
    wipe(odd, sizeof odd);
    wipe(both, sizeof both);
}

static void scalar_plain_add(int16_t *r, const int16_t *e)
{
    const int16_t square = 1353; /* R^2 modulo q */
    for (size_t i = 0; i < MLKEM_N; i++)
        r[i] = scalar_positive((int16_t)(scalar_mul(r[i], square) + e[i]));
}

static void scalar_add(int16_t *r, const int16_t *a)
{
    for (size_t i = 0; i < MLKEM_N; i++)
        r[i] = (int16_t)(r[i] + a[i]);
}

static void scalar_sub(int16_t *r, const int16_t *a)
{
    for (size_t i = 0; i < MLKEM_N; i++)
        r[i] = (int16_t)(r[i] - a[i]);
}

/* Each byte has two coefficients of two sums of two bits. */
static void scalar_cbd2(int16_t *p, const uint8_t *in)
{
    for (size_t i = 0; i < MLKEM_N / 2; i++) {
        const unsigned sums = (in[i] & 0x55u) + (in[i] >> 1 & 0x55u);
        p[2 * i] = (int16_t)((int)(sums & 3) - (int)(sums >> 2 & 3));
        p[2 * i + 1] = (int16_t)((int)(sums >> 4 & 3) - (int)(sums >> 6));
    }
}

/* The n <= 8 bytes at p, and n bytes to p. n is a constant wherever they are called. */
static inline uint64_t scalar_load(const uint8_t *p, unsigned n)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++)
        v |= (uint64_t)p[i] << 8 * i;
    return v;
}

static inline void scalar_store(uint8_t *p, uint64_t v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

/* Six bytes have eight coefficients, each the difference of two sums of three bits; plus 4 it has no sign. */
static void scalar_cbd3(int16_t *p, const uint8_t *in)
{
    const uint64_t bits = 0x249249249249, sums = 0x1c71c71c71c7, fours = 0x104104104104;
    for (size_t i = 0; i < MLKEM_N / 8; i++, in += 6, p += 8) {
        const uint64_t w = scalar_load(in, 6), three = (w & bits) + (w >> 1 & bits) + (w >> 2 & bits);
        const uint64_t numbers = (three & sums) + fours - (three >> 3 & sums);
        for (unsigned j = 0; j < 8; j++)
            p[j] = (int16_t)((int)(numbers >> 6 * j & 7) - 4);
    }
}

/* All numbers go to the place after the last good one, so that no branch depends on them: a fifth of them is bad, and the
   branches would be guessed wrong. */
static size_t scalar_reject(int16_t *p, size_t have, const uint8_t *in)
{
    int16_t good[112 + 1];
    size_t n = 0;
    for (size_t i = 0; i < 112 / 4; i++, in += 6) {
        const uint64_t four = load64_le(in);
        for (unsigned j = 0; j < 4; j++) {
            const uint64_t number = four >> 12 * j & 4095;
            good[n] = (int16_t)number;
            n += (size_t)((number - MLKEM_Q) >> 63);
        }
    }
    if (n > MLKEM_N - have)
        n = MLKEM_N - have;
    memcpy(p + have, good, n * sizeof good[0]);
    return have + n;
}

/* Numbers of d bits, eight of which fill d bytes. */
static inline void scalar_pack(uint8_t *out, const int16_t *p, unsigned d)
{
    for (size_t i = 0; i < MLKEM_N / 8; i++, out += d, p += 8) {
        uint64_t four[2] = {0, 0};
        for (unsigned j = 0; j < 8; j++)
            four[j / 4] |= (uint64_t)(uint16_t)p[j] << d * (j % 4);
        scalar_store(out, four[0] | four[1] << 4 * d, d < 8 ? d : 8);
        if (d > 8)
            scalar_store(out + 8, four[1] >> (64 - 4 * d), d - 8);
    }
}

static inline void scalar_unpack(int16_t *p, const uint8_t *in, unsigned d)
{
    for (size_t i = 0; i < MLKEM_N / 8; i++, in += d, p += 8) {
        uint64_t four[2];
        four[0] = d < 8 ? scalar_load(in, d) : load64_le(in);
        four[1] = d < 8 ? four[0] >> 4 * d : load64_le(in + d - 8) >> (64 - 4 * d);
        for (unsigned j = 0; j < 8; j++)
            p[j] = (int16_t)(four[j / 4] >> d * (j % 4) & ((1u << d) - 1));
    }
}

static void scalar_encode12(uint8_t *out, const int16_t *p)
{
    poly r;
    scalar_bound(p, MLKEM_N, 1 - MLKEM_Q, MLKEM_Q - 1);
    for (size_t i = 0; i < MLKEM_N; i++)
        r[i] = (int16_t)(p[i] + (MLKEM_Q & p[i] >> 15));
    scalar_pack(out, r, 12);
    wipe(r, sizeof r);
}

static unsigned scalar_decode12(int16_t *p, const uint8_t *in)
{
    uint16_t all_below = 0xffff; /* in the upper bit */
    scalar_unpack(p, in, 12);
    for (size_t i = 0; i < MLKEM_N; i++) {
        const int16_t r = (int16_t)(p[i] - MLKEM_Q);
        all_below &= (uint16_t)r;
        p[i] = (int16_t)(r + (MLKEM_Q & r >> 15));
    }
    return 1u - (all_below >> 15);
}

/* round(2^d x / q) modulo 2^d without a division: the quotient of 16 bits is near, and the remainder says whether it has
   to go up or down by one. 40317 is 2^27 / q, rounded. */
static inline void scalar_compress_to(uint8_t *out, const int16_t *p, unsigned d)
{
    int16_t number[MLKEM_N];
    for (size_t i = 0; i < MLKEM_N; i++) {
        const uint16_t x = (uint16_t)scalar_positive(p[i]);
        const uint16_t fraction = (uint16_t)((uint32_t)(uint16_t)(x << 4) * 40317 >> 16); /* of 2^15 */
        const uint16_t near = (uint16_t)((uint16_t)(fraction + (1u << (14 - d))) >> (15 - d));
        const int16_t rest = (int16_t)(((uint32_t)x << d) - (uint32_t)near * MLKEM_Q);
        const int16_t up = (int16_t)(MLKEM_Q / 2 - rest) >> 15, down = (int16_t)(MLKEM_Q / 2 + rest) >> 15;
        number[i] = (int16_t)((near - up + down) & ((1 << d) - 1));
    }
    scalar_pack(out, number, d);
    wipe(number, sizeof number);
}

static void scalar_compress(uint8_t *out, const int16_t *p, unsigned d)
{
    switch (d) {
    case 1:
        scalar_compress_to(out, p, 1);
        break;
    case 4:
        scalar_compress_to(out, p, 4);
        break;
    case 5:
        scalar_compress_to(out, p, 5);
        break;
    case 10:
        scalar_compress_to(out, p, 10);
        break;
    default:
        scalar_compress_to(out, p, 11);
    }
}

/* round(q y / 2^d). */
static inline void scalar_decompress_from(int16_t *p, const uint8_t *in, unsigned d)
{
    scalar_unpack(p, in, d);
    for (size_t i = 0; i < MLKEM_N; i++) {
        const uint32_t product = (uint32_t)(uint16_t)p[i] * MLKEM_Q;
        p[i] = (int16_t)((product + (1u << (d - 1))) >> d);
    }
}

static void scalar_decompress(int16_t *p, const uint8_t *in, unsigned d)
{
    switch (d) {
    case 1:
        scalar_decompress_from(p, in, 1);
        break;
    case 4:
        scalar_decompress_from(p, in, 4);
        break;
    case 5:
        scalar_decompress_from(p, in, 5);
        break;
    case 10:
        scalar_decompress_from(p, in, 10);
        break;
    default:
        scalar_decompress_from(p, in, 11);
    }
}

const struct poly_functions celer_poly_scalar_ = {
    scalar_ntt,      scalar_inverse,  scalar_prepare,  scalar_dot,        scalar_plain_add,
    scalar_add,      scalar_sub,      scalar_cbd2,     scalar_cbd3,       scalar_reject,
    scalar_encode12, scalar_decode12, scalar_compress, scalar_decompress,
};
