/* poly_avx512.c: ML-KEM's arithmetic with AVX-512, on vectors of 32 coefficients. */
#include "mlkem/poly.h"
#include "mlkem/zeta.h"
#include "base/bytes.h"

#if CELER_X86
CELER_TARGET_BEGIN("avx512f,avx512vl,avx512bw,avx512vbmi,avx512vbmi2,avx2,bmi2,popcnt")
#  include <immintrin.h>

#  define LANES   32
#  define VECTORS (MLKEM_N / LANES)

/* A loop that is unrolled before it is decided which arrays become registers. */
#  if defined(__clang__)
#    define foreach(i, n, step) \
      CELER_PRAGMA(clang loop unroll(full)) for (unsigned i = 0; i < (n); i += (step))
#  else
#    define foreach(i, n, step) CELER_PRAGMA(GCC unroll 8) for (unsigned i = 0; i < (n); i += (step))
#  endif

#  define ALWAYS_INLINE static inline __attribute__((always_inline))

static inline __m512i poly512_load(const int16_t *p)
{
    return _mm512_loadu_si512(p);
}

static inline __m256i poly512_load_half(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

static inline void poly512_store(int16_t *p, __m512i v)
{
    _mm512_storeu_si512(p, v);
}

static inline __m512i poly512_set(int x)
{
    return _mm512_set1_epi16((short)x);
}

/* A constant to multiply by, as Montgomery's method wants it: c in (-q/2, q/2), and c / q modulo 2^16. */
struct poly512_factor {
    __m512i c, over_q;
};

#  define OVER_Q (-3327) /* 1 / q modulo 2^16 */

/* That of all lanes. */
ALWAYS_INLINE struct poly512_factor poly512_all(int c)
{
    return (struct poly512_factor){poly512_set(c), poly512_set((int16_t)(c * OVER_Q))};
}

/* a * c / 2^16 modulo q, of every a. The product less the multiple of q with the same lower half is left with
   its upper half. Magnitude: at most |a| |c| / 2^16 + q / 2; below 2497 whatever a is. */
static inline __m512i poly512_multiply(__m512i a, struct poly512_factor f)
{
    const __m512i multiple = _mm512_mullo_epi16(a, f.over_q);
    __m512i product =
        _mm512_sub_epi16(_mm512_mulhi_epi16(a, f.c), _mm512_mulhi_epi16(multiple, poly512_set(MLKEM_Q)));
    /* Without this gcc makes four operations with the halves of x + product and x - product. */
    __asm__("" : "+v"(product));
    return product;
}

/* A residue of every a, below 0.66 q in magnitude. 10 / 2^15 is more than 1 / q by 0.157 / 2^15: the quotient
   is wrong by at most 1/2 for the rounding, and 0.157 |a| / 2^15. */
static inline __m512i poly512_reduce(__m512i a)
{
    const __m512i quotient = _mm512_mulhrs_epi16(a, poly512_set(10));
    return _mm512_sub_epi16(a, _mm512_mullo_epi16(quotient, poly512_set(MLKEM_Q)));
}

/* a + m where a < 0, of a in [-m, 2^15 - m). */
static inline __m512i poly512_add_if_negative(__m512i a, int m)
{
    return _mm512_min_epu16(a, _mm512_add_epi16(a, poly512_set(m)));
}

/* The butterflies of algorithm 9 and of algorithm 10. */
static inline void poly512_forward(__m512i *a, __m512i *b, struct poly512_factor zeta)
{
    const __m512i t = poly512_multiply(*b, zeta);
    *b = _mm512_sub_epi16(*a, t);
    *a = _mm512_add_epi16(*a, t);
}

static inline void poly512_backward(__m512i *a, __m512i *b, struct poly512_factor zeta)
{
    const __m512i t = _mm512_sub_epi16(*b, *a);
    *a = _mm512_add_epi16(*a, *b);
    *b = poly512_multiply(t, zeta);
}

/* The layers of 128, 64 and 32 combine vectors with vectors; those of 16 to 2 combine lanes, and take vectors
   in pairs. In a pair a coefficient's place has six bits: the upper one says which vector, five say which
   lane. The coefficients of a butterfly differ in one bit of their number, and that has to be the upper one
   of the place: poly512_swap16 .. poly512_swap2 exchange it for the bit of value 16 .. 2, and back. After all
   four the upper bit is the number's of value 2, and the others lie in order, which poly512_interleave mends;
   poly512_deinterleave undoes that. */
static inline void poly512_swap16(__m512i *a, __m512i *b)
{
    const __m512i x = *a, y = *b;
    *a = _mm512_inserti64x4(x, _mm512_castsi512_si256(y), 1);
    *b = _mm512_shuffle_i64x2(x, y, 0xee);
}

static inline void poly512_swap8(__m512i *a, __m512i *b)
{
    const __m512i x = *a, y = *b;
    *a = _mm512_mask_shuffle_i64x2(x, 0xcc, y, y, 0xa0);
    *b = _mm512_mask_shuffle_i64x2(y, 0x33, x, x, 0xf5);
}

static inline void poly512_swap4(__m512i *a, __m512i *b)
{
    const __m512i x = *a, y = *b;
    *a = _mm512_unpacklo_epi64(x, y);
    *b = _mm512_unpackhi_epi64(x, y);
}

static inline void poly512_swap2(__m512i *a, __m512i *b)
{
    const __m512i x = *a, y = *b;
    *a = _mm512_mask_shuffle_epi32(x, 0xaaaa, y, 0xa0);
    *b = _mm512_mask_shuffle_epi32(y, 0x5555, x, 0xf5);
}

static inline void poly512_interleave(__m512i *a, __m512i *b)
{
    const __m512i low = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const __m512i x = *a, y = *b;
    *a = _mm512_permutex2var_epi32(x, low, y);
    *b = _mm512_permutex2var_epi32(x, _mm512_add_epi32(low, _mm512_set1_epi32(8)), y);
}

static inline void poly512_deinterleave(__m512i *a, __m512i *b)
{
    const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    const __m512i x = *a, y = *b;
    *a = _mm512_permutex2var_epi32(x, even, y);
    *b = _mm512_permutex2var_epi32(x, _mm512_add_epi32(even, _mm512_set1_epi32(1)), y);
}

/* The factors of a layer within vectors: of pair k, lane i takes ZETA(z + step * ((32 k + i) / len)). */
struct poly512_zetas {
    int16_t c[LANES], over_q[LANES];
};

#  define ZETA_C(i)                MONTGOMERY(ZETA(i))
#  define ZETA_OVER_Q(i)           ((int16_t)(ZETA_C(i) * OVER_Q))
#  define LANE(f, z, step, len, i) f((z) + (step) * ((i) / (len)))
#  define LANES_4(f, z, step, len, i)                                                         \
    LANE(f, z, step, len, i), LANE(f, z, step, len, (i) + 1), LANE(f, z, step, len, (i) + 2), \
        LANE(f, z, step, len, (i) + 3)
#  define LANES_16(f, z, step, len, i)                                                                 \
    LANES_4(f, z, step, len, i), LANES_4(f, z, step, len, (i) + 4), LANES_4(f, z, step, len, (i) + 8), \
        LANES_4(f, z, step, len, (i) + 12)
#  define LANES_32(f, z, step, len)                               \
    {                                                             \
      LANES_16(f, z, step, len, 0), LANES_16(f, z, step, len, 16) \
    }
#  define PAIR(z, step, len)                                              \
    {                                                                     \
      LANES_32(ZETA_C, z, step, len), LANES_32(ZETA_OVER_Q, z, step, len) \
    }
#  define PAIRS(z, step, len)                                                                 \
    {                                                                                         \
      PAIR(z, step, len), PAIR((z) + (step)*32 / (len), step, len),                           \
          PAIR((z) + (step)*64 / (len), step, len), PAIR((z) + (step)*96 / (len), step, len), \
    }

static const struct poly512_zetas poly512_up16[4] = PAIRS(8, 1, 16);
static const struct poly512_zetas poly512_up8[4] = PAIRS(16, 1, 8);
static const struct poly512_zetas poly512_up4[4] = PAIRS(32, 1, 4);
static const struct poly512_zetas poly512_up2[4] = PAIRS(64, 1, 2);
static const struct poly512_zetas poly512_down2[4] = PAIRS(127, -1, 2);
static const struct poly512_zetas poly512_down4[4] = PAIRS(63, -1, 4);
static const struct poly512_zetas poly512_down8[4] = PAIRS(31, -1, 8);
static const struct poly512_zetas poly512_down16[4] = PAIRS(15, -1, 16);

/* m polynomials in registers, at most three, are worked on side by side: one alone would wait for its own
   results. What takes v takes them all, or else one. */
typedef __m512i poly512_vectors[VECTORS];
typedef void poly512_swap(__m512i *, __m512i *);
typedef void poly512_butterfly(__m512i *, __m512i *, struct poly512_factor);

ALWAYS_INLINE void poly512_layer(poly512_vectors *v, unsigned m, poly512_butterfly *butterfly, unsigned j,
                                 unsigned k, int c)
{
    foreach (i, m, 1)
        butterfly(&v[i][j], &v[i][k], poly512_all(c));
}

/* A layer within vectors, after the swaps for it. */
ALWAYS_INLINE void poly512_pairs_layer(poly512_vectors *v, unsigned m, poly512_swap *swap,
                                       poly512_butterfly *butterfly, const struct poly512_zetas *zetas)
{
    foreach (j, VECTORS, 2) {
        const struct poly512_factor zeta = {poly512_load(zetas[j / 2].c), poly512_load(zetas[j / 2].over_q)};
        foreach (i, m, 1) {
            swap(&v[i][j], &v[i][j + 1]);
            butterfly(&v[i][j], &v[i][j + 1], zeta);
        }
    }
}

ALWAYS_INLINE void poly512_load_all(poly512_vectors v, const int16_t *p)
{
    foreach (j, VECTORS, 1)
        v[j] = poly512_load(p + LANES * j);
}

ALWAYS_INLINE void poly512_store_all(int16_t *p, const poly512_vectors v)
{
    foreach (j, VECTORS, 1)
        poly512_store(p + LANES * j, v[j]);
}

/* v[0], v[step] .. */
ALWAYS_INLINE void poly512_reduce_each(poly512_vectors v, unsigned step)
{
    foreach (j, VECTORS, step)
        v[j] = poly512_reduce(v[j]);
}

ALWAYS_INLINE void poly512_swap_pairs(poly512_vectors v, poly512_swap *swap)
{
    foreach (j, VECTORS, 2)
        swap(&v[j], &v[j + 1]);
}

ALWAYS_INLINE void poly512_ntt_of(poly *p, unsigned m)
{
    poly512_vectors v[3];
    foreach (i, m, 1)
        poly512_load_all(v[i], p[i]);
    foreach (j, 4, 1)
        poly512_layer(v, m, poly512_forward, j, j + 4, ZETA_C(1));
    foreach (j, 2, 1) {
        poly512_layer(v, m, poly512_forward, j, j + 2, ZETA_C(2));
        poly512_layer(v, m, poly512_forward, j + 4, j + 6, ZETA_C(3));
    }
    poly512_layer(v, m, poly512_forward, 0, 1, ZETA_C(4));
    poly512_layer(v, m, poly512_forward, 2, 3, ZETA_C(5));
    poly512_layer(v, m, poly512_forward, 4, 5, ZETA_C(6));
    poly512_layer(v, m, poly512_forward, 6, 7, ZETA_C(7));
    poly512_pairs_layer(v, m, poly512_swap16, poly512_forward, poly512_up16);
    poly512_pairs_layer(v, m, poly512_swap8, poly512_forward, poly512_up8);
    poly512_pairs_layer(v, m, poly512_swap4, poly512_forward, poly512_up4);
    poly512_pairs_layer(v, m, poly512_swap2, poly512_forward, poly512_up2); /* below q + 7 * 2497 */
    foreach (i, m, 1) {
        poly512_reduce_each(v[i], 1);
        poly512_swap_pairs(v[i], poly512_interleave);
        poly512_store_all(p[i], v[i]);
    }
}

/* What the last layer multiplies by besides: 2^16 / 128. */
#  define SCALE 512

ALWAYS_INLINE void poly512_inverse_of(poly *p, unsigned m)
{
    poly512_vectors v[3];
    foreach (i, m, 1)
        poly512_load_all(v[i], p[i]);
    poly512_pairs_layer(v, m, poly512_deinterleave, poly512_backward, poly512_down2); /* below 2q */
    poly512_pairs_layer(v, m, poly512_swap2, poly512_backward, poly512_down4);        /* below 4q */
    poly512_pairs_layer(v, m, poly512_swap4, poly512_backward, poly512_down8); /* sums 8q, products 2341 */
    foreach (i, m, 1)
        poly512_reduce_each(v[i], 2); /* sums are at even places: below 2341 */
    poly512_pairs_layer(v, m, poly512_swap8, poly512_backward, poly512_down16); /* below 4681 */
    foreach (i, m, 1)
        poly512_swap_pairs(v[i], poly512_swap16);
    poly512_layer(v, m, poly512_backward, 0, 1, ZETA_C(7)); /* sums below 9361, products below 1903 */
    poly512_layer(v, m, poly512_backward, 2, 3, ZETA_C(6));
    poly512_layer(v, m, poly512_backward, 4, 5, ZETA_C(5));
    poly512_layer(v, m, poly512_backward, 6, 7, ZETA_C(4));
    foreach (j, 2, 1) { /* 0 and 4 below 18721, the others below 3805 */
        poly512_layer(v, m, poly512_backward, j, j + 2, ZETA_C(3));
        poly512_layer(v, m, poly512_backward, j + 4, j + 6, ZETA_C(2));
    }
    foreach (i, m, 1)
        poly512_reduce_each(v[i], 4); /* below 2341 */
    foreach (j, 4, 1) {               /* sums below 7611; in the end all below 2497 */
        poly512_layer(v, m, poly512_backward, j, j + 4, MONTGOMERY(ZETA(1) * SCALE % MLKEM_Q));
        foreach (i, m, 1)
            v[i][j] = poly512_multiply(v[i][j], poly512_all(MONTGOMERY(SCALE)));
    }
    foreach (i, m, 1)
        poly512_store_all(p[i], v[i]);
}

/* Functions of their own: gcc would keep constants of one in registers that another needs. */
#  define FUNCTIONS_OF(m)                                             \
    static __attribute__((noinline)) void poly512_ntt##m(poly *p)     \
    {                                                                 \
      poly512_ntt_of(p, m);                                           \
    }                                                                 \
    static __attribute__((noinline)) void poly512_inverse##m(poly *p) \
    {                                                                 \
      poly512_inverse_of(p, m);                                       \
    }
FUNCTIONS_OF(1)
FUNCTIONS_OF(2)
FUNCTIONS_OF(3)

/* Side by side they are twice as fast; but code for three is so long that from memory to the decoder it takes what it
   saves: so by threes where there are more of them, and three alone one after the other. */
ALWAYS_INLINE void poly512_each(poly *p, size_t n, void (*one)(poly *), void (*two)(poly *),
                                void (*three)(poly *))
{
    for (; n >= 6; n -= 3, p += 3)
        three(p);
    for (; n > 1 && n != 3; n -= 2, p += 2)
        two(p);
    for (; n > 0; n--, p++)
        one(p);
    _mm256_zeroupper();
}

static void poly512_ntt(poly *p, size_t n)
{
    poly512_each(p, n, poly512_ntt1, poly512_ntt2, poly512_ntt3);
}

static void poly512_inverse(poly *p, size_t n)
{
    poly512_each(p, n, poly512_inverse1, poly512_inverse2, poly512_inverse3);
}

/* cache: pairs (b0, b1 * gamma), so that both coefficients of a product of pairs are sums of two products: c0
   = a0 * b0 + a1 * (b1 * gamma), c1 = a0 * b1 + a1 * b0. */
static void poly512_prepare(poly *cache, const poly *b, size_t n)
{
    for (size_t j = 0; j < VECTORS; j++) {
        const __m256i gammas = poly512_load_half(celer_poly_gammas_mont_ + LANES / 2 * j);
        const __m512i c = _mm512_slli_epi32(_mm512_cvtepu16_epi32(gammas), 16);
        const struct poly512_factor gamma = {c, _mm512_mullo_epi16(c, poly512_set(OVER_Q))};
        for (size_t i = 0; i < n; i++) {
            const __m512i v = poly512_load(b[i] + LANES * j);
            poly512_store(cache[i] + LANES * j,
                          _mm512_mask_blend_epi16(0xaaaaaaaa, v, poly512_multiply(v, gamma)));
        }
    }
    _mm256_zeroupper();
}

/* Of sums of 2n products of numbers below q, at most 8 q^2: r is at most 8 q^2 / 2^16 + q / 2 < 3019. */
ALWAYS_INLINE void poly512_dot_of(int16_t *r, const poly *a, const poly *b, const poly *cache, size_t n)
{
    for (size_t j = 0; j < MLKEM_N; j += LANES) {
        __m512i even = _mm512_setzero_si512(), odd = even;
        for (size_t i = 0; i < n; i++) {
            const __m512i x = poly512_load(a[i] + j), swapped = _mm512_rol_epi32(poly512_load(b[i] + j), 16);
            even = _mm512_add_epi32(even, _mm512_madd_epi16(x, poly512_load(cache[i] + j)));
            odd = _mm512_add_epi32(odd, _mm512_madd_epi16(x, swapped));
        }
        const __m512i low = _mm512_mask_blend_epi16(0xaaaaaaaa, even, _mm512_slli_epi32(odd, 16));
        const __m512i high = _mm512_mask_blend_epi16(0xaaaaaaaa, _mm512_srli_epi32(even, 16), odd);
        const __m512i multiple = _mm512_mullo_epi16(low, poly512_set(OVER_Q));
        poly512_store(r + j, _mm512_sub_epi16(high, _mm512_mulhi_epi16(multiple, poly512_set(MLKEM_Q))));
    }
}

static void poly512_dot(int16_t *r, const poly *a, const poly *b, const poly *cache, size_t n)
{
    if (n == 4)
        poly512_dot_of(r, a, b, cache, 4);
    else if (n == 3)
        poly512_dot_of(r, a, b, cache, 3);
    else if (n == 2)
        poly512_dot_of(r, a, b, cache, 2);
    else
        poly512_dot_of(r, a, b, cache, n);
    _mm256_zeroupper();
}

static void poly512_plain_add(int16_t *r, const int16_t *e)
{
    const struct poly512_factor one = poly512_all(MONTGOMERY(65536 % MLKEM_Q));
    for (size_t j = 0; j < MLKEM_N; j += LANES) {
        const __m512i sum = _mm512_add_epi16(poly512_multiply(poly512_load(r + j), one), poly512_load(e + j));
        const __m512i v = poly512_add_if_negative(sum, 2 * MLKEM_Q); /* below 2q */
        poly512_store(r + j, _mm512_min_epu16(v, _mm512_sub_epi16(v, poly512_set(MLKEM_Q))));
    }
    _mm256_zeroupper();
}

static void poly512_add(int16_t *r, const int16_t *a)
{
    for (size_t j = 0; j < MLKEM_N; j += LANES)
        poly512_store(r + j, _mm512_add_epi16(poly512_load(r + j), poly512_load(a + j)));
    _mm256_zeroupper();
}

static void poly512_sub(int16_t *r, const int16_t *a)
{
    for (size_t j = 0; j < MLKEM_N; j += LANES)
        poly512_store(r + j, _mm512_sub_epi16(poly512_load(r + j), poly512_load(a + j)));
    _mm256_zeroupper();
}

/* How 32 numbers of d bits are taken out of 4 d bytes. Four numbers are a window: it begins with a byte or in
   the middle of one, and is held in 64 bits. bytes: those of the eight windows. bits: where in its window
   each byte of the results begins, such that numbers come out shifted left by `left`, and with bits of others
   round them. */
struct poly512_fields {
    uint8_t bytes[64], bits[64];
};

#  define BYTES(at)            (at), (at) + 1, (at) + 2, (at) + 3, (at) + 4, (at) + 5, (at) + 6, (at) + 7
#  define BITS(at)             (at) & 63, ((at) + 8) & 63
#  define WINDOW_BYTES(d, i)   BYTES((d) * (i) / 2)
#  define WINDOW_BITS(d, at)   BITS(at), BITS((at) + (d)), BITS((at) + 2 * (d)), BITS((at) + 3 * (d))
#  define TWO_WINDOWS(d, left) WINDOW_BITS(d, -(left)), WINDOW_BITS(d, (d) % 2 * 4 - (left))
#  define FIELDS(d, left)                                                                           \
    {                                                                                               \
      {WINDOW_BYTES(d, 0), WINDOW_BYTES(d, 1), WINDOW_BYTES(d, 2), WINDOW_BYTES(d, 3),              \
       WINDOW_BYTES(d, 4), WINDOW_BYTES(d, 5), WINDOW_BYTES(d, 6), WINDOW_BYTES(d, 7)},             \
          {TWO_WINDOWS(d, left), TWO_WINDOWS(d, left), TWO_WINDOWS(d, left), TWO_WINDOWS(d, left)}, \
    }

static inline __m512i poly512_unpack(__m512i in, const struct poly512_fields *f)
{
    const __m512i windows = _mm512_permutexvar_epi8(_mm512_loadu_si512(f->bytes), in);
    return _mm512_multishift_epi64_epi8(_mm512_loadu_si512(f->bits), windows);
}

/* The 4 d bytes of numbers 32 i to 32 i + 31. */
static inline __m512i poly512_load_packed(const uint8_t *in, unsigned d, size_t i)
{
    return _mm512_maskz_loadu_epi8((UINT64_C(1) << 4 * d) - 1, in + 4 * d * i);
}

/* The lower d bits of 32 numbers, to 4 d bytes. Two are brought together about the middle of 32 bits, four
   about that of 64, and if d is odd eight about that of 128; what else there is are other bits of numbers.
   Then bytes are. */
ALWAYS_INLINE void poly512_store_packed(uint8_t *out, unsigned d, size_t i, __m512i v)
{
    const int spare = 16 - (int)d;
    const __m512i two = _mm512_sllv_epi16(v, _mm512_set1_epi32(spare));
    const __m512i four = _mm512_rolv_epi32(two, _mm512_set4_epi32(-spare, spare, -spare, spare));
    __m512i bytes;
    __mmask64 which;
    if (d % 2 == 0) {
        bytes = _mm512_srlv_epi64(four, _mm512_set1_epi64(2 * spare));
        which = ((UINT64_C(1) << d / 2) - 1) * UINT64_C(0x0101010101010101);
    } else {
        const __m512i ends =
            _mm512_rolv_epi64(four, _mm512_set4_epi64(-2 * spare, 2 * spare, -2 * spare, 2 * spare));
        bytes =
            _mm512_shrdv_epi64(ends, _mm512_shuffle_epi32(ends, _MM_PERM_BADC), _mm512_set1_epi64(4 * spare));
        which = ((UINT64_C(1) << d) - 1) * UINT64_C(0x0001000100010001);
    }
    /* Over its own input: given zeros, Zen 5 waits for the old value of the register that they go to. */
    bytes = _mm512_mask_compress_epi8(bytes, which, bytes);
    _mm512_mask_storeu_epi8(out + 4 * d * i, (UINT64_C(1) << 4 * d) - 1, bytes);
}

/* The number of ones in the lower half of eta bits, less that in the upper half: of i < 2^(2 eta), in tables
   that instructions look up in registers. */
static void poly512_cbd2(int16_t *p, const uint8_t *in)
{
    static const struct poly512_fields nibbles = FIELDS(4, 0);
    /* Five bits are looked up, the fifth is of the next number: the table is there twice. */
    static const int16_t differences[LANES] = {0, 1, 1, 2, -1, 0, 0, 1, -1, 0, 0, 1, -2, -1, -1, 0,
                                               0, 1, 1, 2, -1, 0, 0, 1, -1, 0, 0, 1, -2, -1, -1, 0};
    const __m512i table = poly512_load(differences);
    for (size_t i = 0; i < VECTORS; i++) {
        const __m512i x = poly512_unpack(poly512_load_packed(in, 4, i), &nibbles);
        poly512_store(p + LANES * i, _mm512_permutexvar_epi16(x, table));
    }
    _mm256_zeroupper();
}

static void poly512_cbd3(int16_t *p, const uint8_t *in)
{
    static const struct poly512_fields sixes = FIELDS(6, 0);
    static const int16_t differences[2 * LANES] = {0,  1,  1,  2, 1,  2, 2, 3, -1, 0,  0,  1,  0,  1,  1,  2,
                                                   -1, 0,  0,  1, 0,  1, 1, 2, -2, -1, -1, 0,  -1, 0,  0,  1,
                                                   -1, 0,  0,  1, 0,  1, 1, 2, -2, -1, -1, 0,  -1, 0,  0,  1,
                                                   -2, -1, -1, 0, -1, 0, 0, 1, -3, -2, -2, -1, -2, -1, -1, 0};
    const __m512i low = poly512_load(differences), high = poly512_load(differences + LANES);
    for (size_t i = 0; i < VECTORS; i++) {
        const __m512i x = poly512_unpack(poly512_load_packed(in, 6, i), &sixes);
        poly512_store(p + LANES * i, _mm512_permutex2var_epi16(low, x, high));
    }
    _mm256_zeroupper();
}

static const struct poly512_fields poly512_fields12 = FIELDS(12, 0);

static inline __m512i poly512_unpack12(__m512i in)
{
    return _mm512_and_si512(poly512_unpack(in, &poly512_fields12), poly512_set(0xfff));
}

/* The 112 numbers of a block: three times 32, and 16. What a vector has behind the numbers that are kept, the
   next one is written over. careful: p may become full. */
ALWAYS_INLINE size_t poly512_reject_of(int16_t *p, size_t have, const uint8_t *in, int careful)
{
    /* All loads before the first store, whose address is late. */
    const __m512i x[4] = {
        poly512_unpack12(_mm512_loadu_si512(in)),
        poly512_unpack12(_mm512_loadu_si512(in + 48)),
        poly512_unpack12(_mm512_loadu_si512(in + 96)),
        poly512_unpack12(_mm512_castsi256_si512(poly512_load_half(in + 144))),
    };
    foreach (i, 4, 1) {
        const __mmask32 good =
            _mm512_mask_cmplt_epu16_mask(i < 3 ? 0xffffffff : 0xffff, x[i], poly512_set(MLKEM_Q));
        const __m512i kept = _mm512_mask_compress_epi16(x[i], good, x[i]);
        if (careful)
            _mm512_mask_storeu_epi16(p + have, _bzhi_u32(0xffffffff, (unsigned)(MLKEM_N - have)), kept);
        else
            poly512_store(p + have, kept);
        have += (size_t)_mm_popcnt_u32(good);
        if (careful && have > MLKEM_N)
            have = MLKEM_N;
    }
    return have;
}

static size_t poly512_reject(int16_t *p, size_t have, const uint8_t *in)
{
    have =
        have <= MLKEM_N - 4 * LANES ? poly512_reject_of(p, have, in, 0) : poly512_reject_of(p, have, in, 1);
    _mm256_zeroupper();
    return have;
}

static void poly512_encode12(uint8_t *out, const int16_t *p)
{
    for (size_t i = 0; i < VECTORS; i++)
        poly512_store_packed(out, 12, i, poly512_add_if_negative(poly512_load(p + LANES * i), MLKEM_Q));
    _mm256_zeroupper();
}

static unsigned poly512_decode12(int16_t *p, const uint8_t *in)
{
    __m512i greatest = _mm512_setzero_si512();
    for (size_t i = 0; i < VECTORS; i++) {
        const __m512i x = poly512_unpack12(poly512_load_packed(in, 12, i));
        greatest = _mm512_max_epu16(greatest, x);
        poly512_store(p + LANES * i, _mm512_min_epu16(x, _mm512_sub_epi16(x, poly512_set(MLKEM_Q))));
    }
    const __mmask32 bad = _mm512_cmpge_epu16_mask(greatest, poly512_set(MLKEM_Q));
    _mm256_zeroupper();
    return bad != 0;
}

/* 2^(16 + d) / q, rounded. */
#  define BY_Q(d) (((1 << (16 + (d))) + MLKEM_Q / 2) / MLKEM_Q)

/* round(x * 2^d / q), with bits above the lower d that mean nothing. It is first cut off, with 2^(16 + d) / q
   as a whole number; for d = 11 with that for d = 10 and 2 x, to stay below 2^15. So scaled it is wrong by
   less than 0.2 for any x of the contract, which leaves a remainder in (-0.2 q, 1.2 q): known modulo 2^16,
   and with it how to round. */
static inline __m512i poly512_round(__m512i x, unsigned d)
{
    const unsigned over = d < 11 ? d : 10;
    static const int16_t scales[] = {[1] = BY_Q(1), [4] = BY_Q(4), [5] = BY_Q(5), [10] = BY_Q(10)};
    const __m512i scale = poly512_set(scales[over]);
    const __m512i cut = _mm512_mulhi_epi16(d < 11 ? x : _mm512_add_epi16(x, x), scale);
    const __m512i rest = _mm512_sub_epi16(_mm512_sllv_epi16(x, poly512_set((int)d)),
                                          _mm512_mullo_epi16(cut, poly512_set(MLKEM_Q)));
    const __mmask32 up = _mm512_cmpgt_epi16_mask(rest, poly512_set(MLKEM_Q / 2));
    return _mm512_mask_sub_epi16(cut, up, cut, poly512_set(-1));
}

ALWAYS_INLINE void poly512_compress_of(uint8_t *out, const int16_t *p, unsigned d)
{
    for (size_t i = 0; i < VECTORS; i++)
        poly512_store_packed(out, d, i, poly512_round(poly512_load(p + LANES * i), d));
}

static void poly512_compress(uint8_t *out, const int16_t *p, unsigned d)
{
    if (d == 11)
        poly512_compress_of(out, p, 11);
    else if (d == 10)
        poly512_compress_of(out, p, 10);
    else if (d == 5)
        poly512_compress_of(out, p, 5);
    else if (d == 4)
        poly512_compress_of(out, p, 4);
    else
        for (size_t i = 0; i < VECTORS; i++) {
            const __m512i x = poly512_round(poly512_load(p + LANES * i), 1);
            store32_le(out + 4 * i, _mm512_test_epi16_mask(x, poly512_set(1)));
        }
    _mm256_zeroupper();
}

/* round(x * q / 2^d), of x shifted left by 15 - d. */
ALWAYS_INLINE void poly512_decompress_of(int16_t *p, const uint8_t *in, unsigned d,
                                         const struct poly512_fields *f)
{
    for (size_t i = 0; i < VECTORS; i++) {
        const __m512i mask = poly512_set(((1 << d) - 1) << (15 - d));
        const __m512i x = _mm512_and_si512(poly512_unpack(poly512_load_packed(in, d, i), f), mask);
        poly512_store(p + LANES * i, _mm512_mulhrs_epi16(x, poly512_set(MLKEM_Q)));
    }
}

static void poly512_decompress(int16_t *p, const uint8_t *in, unsigned d)
{
    static const struct poly512_fields f11 = FIELDS(11, 4), f10 = FIELDS(10, 5), f5 = FIELDS(5, 10),
                                       f4 = FIELDS(4, 11);
    if (d == 11)
        poly512_decompress_of(p, in, 11, &f11);
    else if (d == 10)
        poly512_decompress_of(p, in, 10, &f10);
    else if (d == 5)
        poly512_decompress_of(p, in, 5, &f5);
    else if (d == 4)
        poly512_decompress_of(p, in, 4, &f4);
    else
        for (size_t i = 0; i < VECTORS; i++)
            poly512_store(p + LANES * i, _mm512_maskz_set1_epi16(load32_le(in + 4 * i), (MLKEM_Q + 1) / 2));
    _mm256_zeroupper();
}

const struct poly_functions celer_poly_avx512_ = {
    poly512_ntt,      poly512_inverse,  poly512_prepare,  poly512_dot,        poly512_plain_add,
    poly512_add,      poly512_sub,      poly512_cbd2,     poly512_cbd3,       poly512_reject,
    poly512_encode12, poly512_decode12, poly512_compress, poly512_decompress,
};
#  undef LANES
#  undef VECTORS
#  undef foreach
#  undef ALWAYS_INLINE
#  undef OVER_Q
#  undef ZETA_C
#  undef ZETA_OVER_Q
#  undef LANE
#  undef LANES_4
#  undef LANES_16
#  undef LANES_32
#  undef PAIR
#  undef PAIRS
#  undef SCALE
#  undef FUNCTIONS_OF
#  undef BYTES
#  undef BITS
#  undef WINDOW_BYTES
#  undef WINDOW_BITS
#  undef TWO_WINDOWS
#  undef FIELDS
#  undef BY_Q
CELER_TARGET_END
#endif
