/* poly_avx2.c: polynomials in vectors of 16 coefficients, with AVX2. */
#include "mlkem/poly.h"
#include "mlkem/places.h"
#include "mlkem/zeta.h"
#include "base/bytes.h"

#if CELER_X86
CELER_TARGET_BEGIN("avx2,bmi2")
#  include <immintrin.h>

/* A pointer that might be any: or gcc copies the constants there to the stack first. */
#  define AVX2_OPAQUE(pointer) __asm__("" : "+r"(pointer))

/* Steps of one function, which compilers should not call. */
#  define AVX2_PART static inline __attribute__((always_inline))

AVX2_PART __m128i poly_avx2_load16(const void *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

AVX2_PART void poly_avx2_store16(void *p, __m128i v)
{
    _mm_storeu_si128((__m128i *)p, v);
}

AVX2_PART __m256i poly_avx2_load(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

AVX2_PART void poly_avx2_store(void *p, __m256i v)
{
    _mm256_storeu_si256((__m256i *)p, v);
}

/* 16 bytes, and 16 others. */
AVX2_PART __m256i poly_avx2_load_halves(const void *low, const void *high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(poly_avx2_load16(low)), poly_avx2_load16(high), 1);
}

/* 16 bytes, twice. */
#  define AVX2_TWICE(...) _mm256_broadcastsi128_si256(__VA_ARGS__)
AVX2_PART __m256i poly_avx2_load_twice(const void *p)
{
    return AVX2_TWICE(poly_avx2_load16(p));
}

/* ---- reduction and multiplication ---- */

AVX2_PART __m256i poly_avx2_q(void)
{
    return _mm256_set1_epi16(MLKEM_Q);
}

/* A constant to multiply by, as Montgomery did: in (-q/2, q/2), and that times 1 / q modulo 2^16. */
struct avx2_factor {
    _Alignas(32) int16_t z[16];
    _Alignas(32) int16_t z_by_q[16];
};
#  define AVX2_BY_Q(z) ((int16_t)((z) * -3327))

/* a z / 2^16: the upper half of a product, less that of the multiple of q with the same lower half. At most
   |z| / q |a| q / 2^16 + q / 2 < |a| / 39 + q / 2 in magnitude. */
AVX2_PART __m256i poly_avx2_mul(__m256i a, __m256i z, __m256i z_by_q)
{
    const __m256i t = _mm256_mulhi_epi16(_mm256_mullo_epi16(a, z_by_q), poly_avx2_q());
    return _mm256_sub_epi16(_mm256_mulhi_epi16(a, z), t);
}

AVX2_PART __m256i poly_avx2_mul_by(__m256i a, const struct avx2_factor *f)
{
    return poly_avx2_mul(a, _mm256_load_si256((const __m256i *)f->z),
                         _mm256_load_si256((const __m256i *)f->z_by_q));
}

AVX2_PART __m256i poly_avx2_mul_constant(__m256i a, int z)
{
    return poly_avx2_mul(a, _mm256_set1_epi16((int16_t)z), _mm256_set1_epi16(AVX2_BY_Q(z)));
}

/* The residue of any a near to zero: as 10 / 2^15 is 1.016 / q, below q / 2 + |a| / 62 in magnitude. */
AVX2_PART __m256i poly_avx2_reduce(__m256i a)
{
    const __m256i t = _mm256_mulhrs_epi16(a, _mm256_set1_epi16(10));
    return _mm256_sub_epi16(a, _mm256_mullo_epi16(t, poly_avx2_q()));
}

/* From (-q, q) to [0, q): without its sign, a negative number is a great one. */
AVX2_PART __m256i poly_avx2_positive(__m256i a)
{
    return _mm256_min_epu16(a, _mm256_add_epi16(a, poly_avx2_q()));
}

/* ---- NTT ----

   Layers that pair coefficients 128, 64 and 32 apart pair whole vectors, of every other vector. The inner layers are
   done on 8 vectors that follow each other: of vectors v and v + 2 come together

       low    their lower halves
       high   their upper halves

   for v = 0, 1, 4 and 5, so that layer 16 pairs v with v + 1, and layer 8 low with high. Then quarters, and pairs of
   coefficients, are brought together by shuffles within halves. */

/* zeta^bitrev7(i), times the 2^16 that the product takes away; the same for the way back; and this with the factor that
   the way back ends with, 2^16 / 128. */
#  define AVX2_ZETA(i)     MONTGOMERY(ZETA(i))
#  define AVX2_BACK(i)     MONTGOMERY(ZETA_BACK(i))
#  define AVX2_BACK_END(i) MONTGOMERY(ZETA_BACK(i) * 512 % MLKEM_Q)

/* A factor of the numbers z(i), by the kind of vector: one number, one in each half, quarter and eighth. */
#  define AVX2_FACTOR(KIND, z, ...)      \
    {                                    \
      {KIND(AVX2_SELF, z, __VA_ARGS__)}, \
      {                                  \
        KIND(AVX2_BY_Q, z, __VA_ARGS__)  \
      }                                  \
    }
#  define AVX2_SELF(z)              (z)
#  define AVX2_2(z)                 z, z
#  define AVX2_4(z)                 AVX2_2(z), AVX2_2(z)
#  define AVX2_8(z)                 AVX2_4(z), AVX2_4(z)
#  define AVX2_WHOLE(f, z, i)       AVX2_8(f(z(i))), AVX2_8(f(z(i)))
#  define AVX2_HALVES(f, z, i, j)   AVX2_8(f(z(i))), AVX2_8(f(z(j)))
#  define AVX2_QUARTERS(f, z, i, j) AVX2_4(f(z(i))), AVX2_4(f(z(i + 1))), AVX2_4(f(z(j))), AVX2_4(f(z(j + 1)))
#  define AVX2_EIGHTHS_4(f, z, i) \
    AVX2_2(f(z(i))), AVX2_2(f(z(i + 1))), AVX2_2(f(z(i + 2))), AVX2_2(f(z(i + 3)))
#  define AVX2_EIGHTHS(f, z, i, j) AVX2_EIGHTHS_4(f, z, i), AVX2_EIGHTHS_4(f, z, j)

/* Block b of n in a layer takes z(n + b); it begins in vector 2 b, b, b / 2 and b / 4 of layers 16, 8, 4 and 2. */
struct avx2_outer {
    struct avx2_factor layer128, layer64[2], layer32[4];
};
struct avx2_inner {
    struct avx2_factor layer16[2], layer8[4], layer4[4], layer2[4];
};
#  define AVX2_LAYER64(z)                                          \
    {                                                              \
      AVX2_FACTOR(AVX2_WHOLE, z, 2), AVX2_FACTOR(AVX2_WHOLE, z, 3) \
    }
#  define AVX2_LAYER32(z)                                                                          \
    {                                                                                              \
      AVX2_FACTOR(AVX2_WHOLE, z, 4), AVX2_FACTOR(AVX2_WHOLE, z, 5), AVX2_FACTOR(AVX2_WHOLE, z, 6), \
          AVX2_FACTOR(AVX2_WHOLE, z, 7)                                                            \
    }
#  define AVX2_LAYER16(z, v) AVX2_FACTOR(AVX2_HALVES, z, 8 + v / 2, 8 + v / 2 + 1)
#  define AVX2_LAYER8(z, v)  AVX2_FACTOR(AVX2_HALVES, z, 16 + v, 16 + v + 2)
#  define AVX2_LAYER4(z, v)  AVX2_FACTOR(AVX2_QUARTERS, z, 32 + 2 * v, 32 + 2 * v + 4)
#  define AVX2_LAYER2(z, v)  AVX2_FACTOR(AVX2_EIGHTHS, z, 64 + 4 * v, 64 + 4 * v + 8)
#  define AVX2_EACH(LAYER, z, v)                                           \
    {                                                                      \
      LAYER(z, v), LAYER(z, (v + 1)), LAYER(z, (v + 4)), LAYER(z, (v + 5)) \
    }
#  define AVX2_INNER(z, v)                                                          \
    {                                                                               \
      {AVX2_LAYER16(z, v), AVX2_LAYER16(z, (v + 4))}, AVX2_EACH(AVX2_LAYER8, z, v), \
          AVX2_EACH(AVX2_LAYER4, z, v), AVX2_EACH(AVX2_LAYER2, z, v)                \
    }

static const struct avx2_outer poly_avx2_outer = {
    AVX2_FACTOR(AVX2_WHOLE, AVX2_ZETA, 1),
    AVX2_LAYER64(AVX2_ZETA),
    AVX2_LAYER32(AVX2_ZETA),
};
static const struct avx2_outer poly_avx2_outer_back = {
    AVX2_FACTOR(AVX2_WHOLE, AVX2_BACK_END, 1),
    AVX2_LAYER64(AVX2_BACK),
    AVX2_LAYER32(AVX2_BACK),
};
static const struct avx2_inner poly_avx2_inner[2] = {AVX2_INNER(AVX2_ZETA, 0), AVX2_INNER(AVX2_ZETA, 8)};
static const struct avx2_inner poly_avx2_inner_back[2] = {AVX2_INNER(AVX2_BACK, 0), AVX2_INNER(AVX2_BACK, 8)};

/* a, b become a + z b, a - z b. */
AVX2_PART void poly_avx2_butterfly(__m256i *a, __m256i *b, const struct avx2_factor *z)
{
    const __m256i t = poly_avx2_mul_by(*b, z);
    *b = _mm256_sub_epi16(*a, t);
    *a = _mm256_add_epi16(*a, t);
}

/* a, b become a + b, z (a - b). */
AVX2_PART void poly_avx2_butterfly_back(__m256i *a, __m256i *b, const struct avx2_factor *z)
{
    const __m256i t = _mm256_sub_epi16(*a, *b);
    *a = _mm256_add_epi16(*a, *b);
    *b = poly_avx2_mul_by(t, z);
}

/* The pairs of layer 64 among 8 vectors: the first of each. */
AVX2_PART size_t poly_avx2_pair(size_t i)
{
    return i / 2 * 4 + i % 2;
}

/* The outer layers of one of two sets of 8 vectors. */
AVX2_PART void poly_avx2_ntt_outer(int16_t *c, const struct avx2_outer *z)
{
    __m256i v[8];
    for (size_t i = 0; i < 8; i++)
        v[i] = poly_avx2_load(c + 32 * i);
    for (size_t i = 0; i < 4; i++)
        poly_avx2_butterfly(&v[i], &v[i + 4], &z->layer128);
    for (size_t i = 0; i < 4; i++)
        poly_avx2_butterfly(&v[poly_avx2_pair(i)], &v[poly_avx2_pair(i) + 2], &z->layer64[i / 2]);
    for (size_t i = 0; i < 4; i++)
        poly_avx2_butterfly(&v[2 * i], &v[2 * i + 1], &z->layer32[i]);
    for (size_t i = 0; i < 8; i++)
        poly_avx2_store(c + 32 * i, v[i]);
}

/* The inner layers of 8 vectors. */
AVX2_PART void poly_avx2_ntt_inner(int16_t *c, const struct avx2_inner *z)
{
    __m256i low[4], high[4];
    for (size_t i = 0; i < 4; i++) {
        int16_t *const from = c + 64 * (i / 2) + 16 * (i % 2);
        low[i] = poly_avx2_load_halves(from, from + 32);
        high[i] = poly_avx2_load_halves(from + 8, from + 40);
    }
    for (size_t i = 0; i < 4; i += 2) {
        poly_avx2_butterfly(&low[i], &low[i + 1], &z->layer16[i / 2]);
        poly_avx2_butterfly(&high[i], &high[i + 1], &z->layer16[i / 2]);
    }
    for (size_t i = 0; i < 4; i++)
        poly_avx2_butterfly(&low[i], &high[i], &z->layer8[i]);
    for (size_t i = 0; i < 4; i++) {
        const __m256i l = low[i], h = high[i];
        low[i] = _mm256_unpacklo_epi64(l, h);
        high[i] = _mm256_unpackhi_epi64(l, h);
        poly_avx2_butterfly(&low[i], &high[i], &z->layer4[i]);
    }
    for (size_t i = 0; i < 4; i++) {
        const __m256i l = low[i], h = high[i];
        low[i] = _mm256_blend_epi32(l, _mm256_slli_epi64(h, 32), 0xAA);
        high[i] = _mm256_blend_epi32(_mm256_srli_epi64(l, 32), h, 0xAA);
        poly_avx2_butterfly(&low[i], &high[i], &z->layer2[i]);
    }
    for (size_t i = 0; i < 4; i++) {
        int16_t *const to = c + 64 * (i / 2) + 16 * (i % 2);
        const __m256i l = poly_avx2_reduce(low[i]), h = poly_avx2_reduce(high[i]);
        low[i] = _mm256_unpacklo_epi32(l, h);
        high[i] = _mm256_unpackhi_epi32(l, h);
        poly_avx2_store(to, _mm256_permute2x128_si256(low[i], high[i], 0x20));
        poly_avx2_store(to + 32, _mm256_permute2x128_si256(low[i], high[i], 0x31));
    }
}

/* A layer takes a magnitude of m to at most m + m / 39 + q / 2: seven of them one of q to less than 5 q, which 16 bits
   hold, and reduction brings below 0.6 q. */
static void poly_avx2_ntt(poly *p, size_t n)
{
    for (; n > 0; n--, p++) {
        const struct avx2_outer *outer = &poly_avx2_outer;
        const struct avx2_inner *inner = poly_avx2_inner;
        AVX2_OPAQUE(outer);
        AVX2_OPAQUE(inner);
        poly_avx2_ntt_outer(*p, outer);
        poly_avx2_ntt_outer(*p + 16, outer);
        poly_avx2_ntt_inner(*p, &inner[0]);
        poly_avx2_ntt_inner(*p + 128, &inner[1]);
    }
    _mm256_zeroupper();
}

/* Layers double the magnitude of sums: from q after layers 2, 4 and 8 to less than 8 q, which is reduced to 0.63 q;
   products of 8 q are below 0.71 q. So after layer 16 all are below 1.42 q. */
AVX2_PART void poly_avx2_inverse_inner(int16_t *c, const struct avx2_inner *z)
{
    __m256i low[4], high[4];
    for (size_t i = 0; i < 4; i++) {
        const int16_t *const from = c + 64 * (i / 2) + 16 * (i % 2);
        const __m256 l = _mm256_castsi256_ps(poly_avx2_load_halves(from, from + 32));
        const __m256 h = _mm256_castsi256_ps(poly_avx2_load_halves(from + 8, from + 40));
        low[i] = _mm256_castps_si256(_mm256_shuffle_ps(l, h, 0x88));
        high[i] = _mm256_castps_si256(_mm256_shuffle_ps(l, h, 0xDD));
        poly_avx2_butterfly_back(&low[i], &high[i], &z->layer2[i]);
    }
    for (size_t i = 0; i < 4; i++) {
        const __m256i l = low[i], h = high[i];
        low[i] = _mm256_blend_epi32(l, _mm256_slli_epi64(h, 32), 0xAA);
        high[i] = _mm256_blend_epi32(_mm256_srli_epi64(l, 32), h, 0xAA);
        poly_avx2_butterfly_back(&low[i], &high[i], &z->layer4[i]);
    }
    for (size_t i = 0; i < 4; i++) {
        const __m256i l = low[i], h = high[i];
        low[i] = _mm256_unpacklo_epi64(l, h);
        high[i] = _mm256_unpackhi_epi64(l, h);
        poly_avx2_butterfly_back(&low[i], &high[i], &z->layer8[i]);
        low[i] = poly_avx2_reduce(low[i]);
    }
    for (size_t i = 0; i < 4; i += 2) {
        poly_avx2_butterfly_back(&low[i], &low[i + 1], &z->layer16[i / 2]);
        poly_avx2_butterfly_back(&high[i], &high[i + 1], &z->layer16[i / 2]);
    }
    for (size_t i = 0; i < 4; i++) {
        int16_t *const to = c + 64 * (i / 2) + 16 * (i % 2);
        poly_avx2_store(to, _mm256_permute2x128_si256(low[i], high[i], 0x20));
        poly_avx2_store(to + 32, _mm256_permute2x128_si256(low[i], high[i], 0x31));
    }
}

/* After layers 32 and 64 sums are below 2.84 q and 5.7 q. Of the only pair of such sums of sums one is reduced to 0.6 q:
   layer 128 makes no more than 6.3 q of them. Its products are below q. */
AVX2_PART void poly_avx2_inverse_outer(int16_t *c, const struct avx2_outer *z)
{
    __m256i v[8];
    for (size_t i = 0; i < 8; i++)
        v[i] = poly_avx2_load(c + 32 * i);
    for (size_t i = 0; i < 4; i++)
        poly_avx2_butterfly_back(&v[2 * i], &v[2 * i + 1], &z->layer32[i]);
    for (size_t i = 0; i < 4; i++)
        poly_avx2_butterfly_back(&v[poly_avx2_pair(i)], &v[poly_avx2_pair(i) + 2], &z->layer64[i / 2]);
    v[0] = poly_avx2_reduce(v[0]);
    for (size_t i = 0; i < 4; i++) {
        poly_avx2_butterfly_back(&v[i], &v[i + 4], &z->layer128);
        poly_avx2_store(c + 32 * i, poly_avx2_mul_constant(v[i], MONTGOMERY(512)));
        poly_avx2_store(c + 32 * (i + 4), v[i + 4]);
    }
}

static void poly_avx2_inverse(poly *p, size_t n)
{
    for (; n > 0; n--, p++) {
        const struct avx2_outer *outer = &poly_avx2_outer_back;
        const struct avx2_inner *inner = poly_avx2_inner_back;
        AVX2_OPAQUE(outer);
        AVX2_OPAQUE(inner);
        poly_avx2_inverse_inner(*p, &inner[0]);
        poly_avx2_inverse_inner(*p + 128, &inner[1]);
        poly_avx2_inverse_outer(*p, outer);
        poly_avx2_inverse_outer(*p + 16, outer);
    }
    _mm256_zeroupper();
}

/* ---- products of NTTs ----

   A pair of coefficients is a number of 32 bits, and vpmaddwd the sum of two products in each: of a with (b0, b1 gamma),
   which is the cache, the even coefficient; of a with (b1, b0) the odd one. */

#  define AVX2_PAIRS(f, z, i) f(z(0)), f(z(i)), f(z(0)), f(-z(i))
#  define AVX2_GAMMAS(f, z, i) \
    AVX2_PAIRS(f, z, i), AVX2_PAIRS(f, z, i + 1), AVX2_PAIRS(f, z, i + 2), AVX2_PAIRS(f, z, i + 3)
#  define AVX2_GAMMAS_4(i)                                                              \
    AVX2_FACTOR(AVX2_GAMMAS, AVX2_ZETA, i), AVX2_FACTOR(AVX2_GAMMAS, AVX2_ZETA, i + 4), \
        AVX2_FACTOR(AVX2_GAMMAS, AVX2_ZETA, i + 8), AVX2_FACTOR(AVX2_GAMMAS, AVX2_ZETA, i + 12)

static const struct avx2_factor poly_avx2_gammas[16] = {
    AVX2_GAMMAS_4(64),
    AVX2_GAMMAS_4(80),
    AVX2_GAMMAS_4(96),
    AVX2_GAMMAS_4(112),
};

static void poly_avx2_prepare(poly *cache, const poly *b, size_t n)
{
    for (; n > 0; n--, cache++, b++)
        for (size_t i = 0; i < 16; i++)
            poly_avx2_store(*cache + 16 * i,
                            poly_avx2_mul_by(poly_avx2_load(*b + 16 * i), &poly_avx2_gammas[i]));
    _mm256_zeroupper();
}

/* A sum of 2n products is below 8 q^2 in magnitude, and 2^-16 of that and q / 2 are below q together. */
AVX2_PART void poly_avx2_dot_of(int16_t *r, const poly *a, const poly *b, const poly *cache, size_t n)
{
    const __m256i swap = AVX2_TWICE(_mm_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13));
    for (size_t i = 0; i < MLKEM_N; i += 16) {
        __m256i even = _mm256_setzero_si256(), odd = _mm256_setzero_si256();
        for (size_t j = 0; j < n; j++) {
            const __m256i x = poly_avx2_load(a[j] + i), y = poly_avx2_load(b[j] + i);
            even = _mm256_add_epi32(even, _mm256_madd_epi16(x, poly_avx2_load(cache[j] + i)));
            odd = _mm256_add_epi32(odd, _mm256_madd_epi16(x, _mm256_shuffle_epi8(y, swap)));
        }
        const __m256i low = _mm256_blend_epi16(even, _mm256_slli_epi32(odd, 16), 0xAA);
        const __m256i high = _mm256_blend_epi16(_mm256_srli_epi32(even, 16), odd, 0xAA);
        const __m256i t = _mm256_mullo_epi16(low, _mm256_set1_epi16(AVX2_BY_Q(1)));
        poly_avx2_store(r + i, _mm256_sub_epi16(high, _mm256_mulhi_epi16(t, poly_avx2_q())));
    }
}

static void poly_avx2_dot(int16_t *r, const poly *a, const poly *b, const poly *cache, size_t n)
{
    if (n == 2) /* the inner loop is unrolled, where n is known */
        poly_avx2_dot_of(r, a, b, cache, 2);
    else if (n == 3)
        poly_avx2_dot_of(r, a, b, cache, 3);
    else if (n == 4)
        poly_avx2_dot_of(r, a, b, cache, 4);
    else
        poly_avx2_dot_of(r, a, b, cache, n);
    _mm256_zeroupper();
}

static void poly_avx2_plain_add(int16_t *r, const int16_t *e)
{
    for (size_t i = 0; i < MLKEM_N; i += 16) {
        const __m256i plain = poly_avx2_mul_constant(poly_avx2_load(r + i), MONTGOMERY(65536 % MLKEM_Q));
        const __m256i sum = _mm256_add_epi16(plain, poly_avx2_load(e + i));
        poly_avx2_store(r + i, poly_avx2_positive(poly_avx2_reduce(sum)));
    }
    _mm256_zeroupper();
}

static void poly_avx2_add(int16_t *r, const int16_t *a)
{
    for (size_t i = 0; i < MLKEM_N; i += 16)
        poly_avx2_store(r + i, _mm256_add_epi16(poly_avx2_load(r + i), poly_avx2_load(a + i)));
    _mm256_zeroupper();
}

static void poly_avx2_sub(int16_t *r, const int16_t *a)
{
    for (size_t i = 0; i < MLKEM_N; i += 16)
        poly_avx2_store(r + i, _mm256_sub_epi16(poly_avx2_load(r + i), poly_avx2_load(a + i)));
    _mm256_zeroupper();
}

/* ---- fields of bits ----

   A field of at most 12 bits is taken out of bytes as the word that holds it, multiplied so that the field is at its
   top. In a half of a vector there are 8 fields, as many bytes as a field has bits. */

/* Where the words begin: each of eight of the lower half at a byte of it, and of the upper. */
#  define AVX2_WORD(at) (char)((at)&15), (char)(((at) + 1) & 15)
#  define AVX2_WORDS(low, high, a, b, c, d, e, f, g, h)                                                  \
    _mm256_setr_epi8(AVX2_WORD(low + a), AVX2_WORD(low + b), AVX2_WORD(low + c), AVX2_WORD(low + d),     \
                     AVX2_WORD(low + e), AVX2_WORD(low + f), AVX2_WORD(low + g), AVX2_WORD(low + h),     \
                     AVX2_WORD(high + a), AVX2_WORD(high + b), AVX2_WORD(high + c), AVX2_WORD(high + d), \
                     AVX2_WORD(high + e), AVX2_WORD(high + f), AVX2_WORD(high + g), AVX2_WORD(high + h))

AVX2_PART __m256i poly_avx2_fields(__m256i bytes, __m256i words, __m256i lift)
{
    return _mm256_mullo_epi16(_mm256_shuffle_epi8(bytes, words), lift);
}

/* 16 numbers of 12 bits. */
AVX2_PART __m256i poly_avx2_decode12_16(const uint8_t *in)
{
    const __m256i words = AVX2_WORDS(0, 4, 0, 1, 3, 4, 6, 7, 9, 10);
    const __m256i lift = _mm256_set1_epi32(1 << 16 | 16);
    return _mm256_srli_epi16(poly_avx2_fields(poly_avx2_load_halves(in, in + 8), words, lift), 4);
}

/* ---- sampling ---- */

/* Half a byte is looked up. */
static void poly_avx2_cbd2(int16_t *p, const uint8_t *in)
{
    const __m256i value = AVX2_TWICE(_mm_setr_epi8(0, 1, 1, 2, -1, 0, 0, 1, -1, 0, 0, 1, -2, -1, -1, 0));
    const __m256i half = _mm256_set1_epi8(15);
    for (size_t i = 0; i < MLKEM_N; i += 64) {
        const __m256i bytes = poly_avx2_load(in + i / 2);
        const __m256i even = _mm256_shuffle_epi8(value, _mm256_and_si256(bytes, half));
        const __m256i odd = _mm256_shuffle_epi8(value, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half));
        const __m256i a = _mm256_unpacklo_epi8(even, odd), b = _mm256_unpackhi_epi8(even, odd);
        poly_avx2_store(p + i, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(a)));
        poly_avx2_store(p + i + 16, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(b)));
        poly_avx2_store(p + i + 32, _mm256_cvtepi8_epi16(_mm256_extracti128_si256(a, 1)));
        poly_avx2_store(p + i + 48, _mm256_cvtepi8_epi16(_mm256_extracti128_si256(b, 1)));
    }
    _mm256_zeroupper();
}

/* The ones among three bits are looked up. */
AVX2_PART __m256i poly_avx2_cbd3_16(__m256i bytes, __m256i words)
{
    const __m256i lift = AVX2_TWICE(_mm_setr_epi16(1024, 16, 64, 256, 1024, 16, 64, 256));
    const __m256i ones = AVX2_TWICE(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i six = poly_avx2_fields(bytes, words, lift);
    const __m256i three = _mm256_and_si256(_mm256_srli_epi16(six, 10), _mm256_set1_epi16(7));
    return _mm256_sub_epi16(_mm256_shuffle_epi8(ones, three),
                            _mm256_shuffle_epi8(ones, _mm256_srli_epi16(six, 13)));
}

static void poly_avx2_cbd3(int16_t *p, const uint8_t *in)
{
    const __m256i first = AVX2_WORDS(0, 6, 0, 0, 1, 2, 3, 3, 4, 5);
    const __m256i second = AVX2_WORDS(4, 10, 0, 0, 1, 2, 3, 3, 4, 5);
    for (size_t i = 0; i < MLKEM_N; i += 32, in += 24) {
        poly_avx2_store(p + i, poly_avx2_cbd3_16(poly_avx2_load_twice(in), first));
        poly_avx2_store(p + i + 16, poly_avx2_cbd3_16(poly_avx2_load_twice(in + 8), second));
    }
    _mm256_zeroupper();
}

static const uint64_t poly_avx2_places[256] = {PLACES_OF_SETS};

/* Indices of bytes: from i < 16 on, those of the first of two vectors moved down by i bytes; from 16 + i on, those of
   the second, which move in. */
#  define AVX2_NONE -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1
static const int8_t poly_avx2_slide[48] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, AVX2_NONE,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
};

/* Those of 8 numbers that are in the set go to p[have], p[have + 1] .. *. Where fewer than 8 have room, the last 8 are
   made of those there were and those to come. */
AVX2_PART size_t poly_avx2_append(int16_t *p, size_t have, __m128i numbers, unsigned set)
{
    const __m128i even = _mm_loadl_epi64((const __m128i *)(const void *)&poly_avx2_places[set]);
    const __m128i places = _mm_unpacklo_epi8(even, _mm_add_epi8(even, _mm_set1_epi8(1)));
    const __m128i in_set = _mm_shuffle_epi8(numbers, places);
    if (have <= MLKEM_N - 8) {
        poly_avx2_store16(p + have, in_set);
    } else {
        const int8_t *slide = poly_avx2_slide + 2 * (MLKEM_N - have);
        const __m128i before = _mm_shuffle_epi8(poly_avx2_load16(p + have - 8), poly_avx2_load16(slide));
        const __m128i after = _mm_shuffle_epi8(in_set, poly_avx2_load16(slide + 16));
        poly_avx2_store16(p + MLKEM_N - 8, _mm_or_si128(before, after));
    }
    have += (size_t)__builtin_popcount(set);
    return have < MLKEM_N ? have : MLKEM_N;
}

static size_t poly_avx2_reject(int16_t *p, size_t have, const uint8_t *in)
{
    for (const uint8_t *end = in + 168; in != end && have < MLKEM_N; in += 24) {
        const __m256i numbers = poly_avx2_decode12_16(in);
        const __m256i below = _mm256_cmpgt_epi16(poly_avx2_q(), numbers);
        const unsigned set = (unsigned)_mm256_movemask_epi8(_mm256_packs_epi16(below, below));
        have = poly_avx2_append(p, have, _mm256_castsi256_si128(numbers), set & 255);
        have = poly_avx2_append(p, have, _mm256_extracti128_si256(numbers, 1), set >> 24);
    }
    _mm256_zeroupper();
    return have;
}

/* ---- coding ---- */

/* Of 64 coefficients, 16 are 6 numbers of 32 bits, in places for three vectors of 8. */
static void poly_avx2_encode12(uint8_t *out, const int16_t *p)
{
    const __m256i factors = _mm256_set1_epi32(4096 << 16 | 1);
    const __m256i bytes = AVX2_TWICE(_mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
    const __m256i places[4] = {
        _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 3),
        _mm256_setr_epi32(2, 4, 5, 6, 3, 3, 0, 1),
        _mm256_setr_epi32(5, 6, 3, 3, 0, 1, 2, 4),
        _mm256_setr_epi32(3, 3, 0, 1, 2, 4, 5, 6),
    };
    for (size_t i = 0; i < MLKEM_N; i += 64, out += 96) {
        __m256i v[4];
        for (size_t j = 0; j < 4; j++) {
            const __m256i pairs =
                _mm256_madd_epi16(poly_avx2_positive(poly_avx2_load(p + i + 16 * j)), factors);
            v[j] = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(pairs, bytes), places[j]);
        }
        poly_avx2_store(out, _mm256_blend_epi32(v[0], v[1], 0xC0));
        poly_avx2_store(out + 32, _mm256_blend_epi32(v[1], v[2], 0xF0));
        poly_avx2_store(out + 64, _mm256_blend_epi32(v[2], v[3], 0xFC));
    }
    _mm256_zeroupper();
}

static unsigned poly_avx2_decode12(int16_t *p, const uint8_t *in)
{
    __m256i bad = _mm256_setzero_si256();
    for (size_t i = 0; i < MLKEM_N; i += 16, in += 24) {
        const __m256i v = poly_avx2_decode12_16(in);
        bad = _mm256_or_si256(bad, _mm256_cmpgt_epi16(v, _mm256_set1_epi16(MLKEM_Q - 1)));
        /* less q, without sign: greater than v where v was below q */
        poly_avx2_store(p + i, _mm256_min_epu16(v, _mm256_sub_epi16(v, poly_avx2_q())));
    }
    const int good = _mm256_testz_si256(bad, bad);
    _mm256_zeroupper();
    return (unsigned)!good;
}

/* 2^(16 + d) / q, rounded. */
#  define AVX2_SCALE(d) (((1 << (16 + (d))) + MLKEM_Q / 2) / MLKEM_Q)

/* The d bits of 16 coefficients. The estimate of the quotient 2^d x / q is it or one less, as of all x in [-3q, 3q] was
   tried; so what is left of 2^d x is in (-q/2, 3q/2), and tells whether to round up. It needs no more than 16 bits. */
AVX2_PART __m256i poly_avx2_compress_16(const int16_t *p, unsigned d)
{
    const unsigned half = d == 11; /* whose factor has no room in 15 bits */
    static const int16_t factors[] = {
        [1] = AVX2_SCALE(1), [4] = AVX2_SCALE(4), [5] = AVX2_SCALE(5), [10] = AVX2_SCALE(10)};
    const int16_t factor = factors[d - half];
    const __m256i x = poly_avx2_load(p);
    const __m256i quotient = _mm256_mulhi_epi16(_mm256_slli_epi16(x, (int)half), _mm256_set1_epi16(factor));
    const __m256i rest =
        _mm256_sub_epi16(_mm256_slli_epi16(x, (int)d), _mm256_mullo_epi16(quotient, poly_avx2_q()));
    const __m256i up = _mm256_cmpgt_epi16(rest, _mm256_set1_epi16(MLKEM_Q / 2));
    return _mm256_and_si256(_mm256_sub_epi16(quotient, up), _mm256_set1_epi16((int16_t)((1 << d) - 1)));
}

static void poly_avx2_compress1(uint8_t *out, const int16_t *p)
{
    for (size_t i = 0; i < MLKEM_N; i += 32) {
        const __m256i a = _mm256_slli_epi16(poly_avx2_compress_16(p + i, 1), 15);
        const __m256i b = _mm256_slli_epi16(poly_avx2_compress_16(p + i + 16, 1), 15);
        const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(a, b), 0xD8);
        store32_le(out + i / 8, (uint32_t)_mm256_movemask_epi8(bytes));
    }
}

/* 32 numbers below 32 as bytes. */
AVX2_PART __m256i poly_avx2_compress_32(const int16_t *p, unsigned d)
{
    return _mm256_packus_epi16(poly_avx2_compress_16(p, d), poly_avx2_compress_16(p + 16, d));
}

static void poly_avx2_compress4(uint8_t *out, const int16_t *p)
{
    const __m256i factors = _mm256_set1_epi16(16 << 8 | 1);
    for (size_t i = 0; i < MLKEM_N; i += 64) {
        const __m256i a = _mm256_maddubs_epi16(poly_avx2_compress_32(p + i, 4), factors);
        const __m256i b = _mm256_maddubs_epi16(poly_avx2_compress_32(p + i + 32, 4), factors);
        poly_avx2_store(out + i / 2, _mm256_permutevar8x32_epi32(_mm256_packus_epi16(a, b),
                                                                 _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
    }
}

/* 16 numbers of 10 bits to 20 bytes. */
AVX2_PART void poly_avx2_store_10(uint8_t *out, __m256i v)
{
    const __m256i pairs = _mm256_madd_epi16(v, _mm256_set1_epi32(1024 << 16 | 1));
    const __m256i fours = _mm256_srli_epi64(_mm256_sllv_epi32(pairs, _mm256_set1_epi64x(12)), 12);
    const __m256i bytes = _mm256_shuffle_epi8(
        fours, _mm256_setr_epi8(0, 1, 2, 3, 4, 8, 9, 10, 11, 12, -1, -1, -1, -1, -1, -1, /* */
                                9, 10, 11, 12, -1, -1, -1, -1, -1, -1, 0, 1, 2, 3, 4, 8));
    const __m128i rest = _mm256_extracti128_si256(bytes, 1);
    poly_avx2_store16(out, _mm_blend_epi16(_mm256_castsi256_si128(bytes), rest, 0xE0));
    store32_le(out + 16, (uint32_t)_mm_cvtsi128_si32(rest));
}

static void poly_avx2_compress5(uint8_t *out, const int16_t *p)
{
    for (size_t i = 0; i < MLKEM_N; i += 32, out += 20) {
        const __m256i v = _mm256_permute4x64_epi64(poly_avx2_compress_32(p + i, 5), 0xD8);
        poly_avx2_store_10(out, _mm256_maddubs_epi16(v, _mm256_set1_epi16(32 << 8 | 1)));
    }
}

static void poly_avx2_compress10(uint8_t *out, const int16_t *p)
{
    for (size_t i = 0; i < MLKEM_N; i += 16, out += 20)
        poly_avx2_store_10(out, poly_avx2_compress_16(p + i, 10));
}

static void poly_avx2_compress11(uint8_t *out, const int16_t *p)
{
    for (size_t i = 0; i < MLKEM_N; i += 16, out += 22) {
        const __m256i pairs =
            _mm256_madd_epi16(poly_avx2_compress_16(p + i, 11), _mm256_set1_epi32(2048 << 16 | 1));
        const __m256i fours = _mm256_srli_epi64(_mm256_sllv_epi32(pairs, _mm256_set1_epi64x(10)), 10);
        /* 44 bits and 44 bits of a half to 88 */
        const __m256i eights = _mm256_or_si256(_mm256_srlv_epi64(fours, _mm256_setr_epi64x(0, 20, 0, 20)),
                                               _mm256_slli_epi64(_mm256_bsrli_epi128(fours, 8), 44));
        const __m128i low = _mm256_castsi256_si128(eights), high = _mm256_extracti128_si256(eights, 1);
        poly_avx2_store16(out, low);
        poly_avx2_store16(out + 6, _mm_or_si128(_mm_bsrli_si128(low, 6), _mm_bslli_si128(high, 5)));
    }
}

static void poly_avx2_compress(uint8_t *out, const int16_t *p, unsigned d)
{
    if (d == 1)
        poly_avx2_compress1(out, p);
    else if (d == 4)
        poly_avx2_compress4(out, p);
    else if (d == 5)
        poly_avx2_compress5(out, p);
    else if (d == 10)
        poly_avx2_compress10(out, p);
    else
        poly_avx2_compress11(out, p);
    _mm256_zeroupper();
}

/* Numbers of d bits that begin at bit 15 - d, among others: vpmulhrsw multiplies them by q / 2^d, and rounds. */
AVX2_PART __m256i poly_avx2_decompress_16(__m256i v, unsigned d)
{
    const __m256i bits = _mm256_set1_epi16((int16_t)(0x8000 - (1 << (15 - d))));
    return _mm256_mulhrs_epi16(_mm256_and_si256(v, bits), poly_avx2_q());
}

/* Of 16 bytes, one after the other to all words of a half: each of 8 tests another bit of it. */
static void poly_avx2_decompress1(int16_t *p, const uint8_t *in)
{
    const __m256i bit = AVX2_TWICE(_mm_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128));
    for (size_t i = 0; i < MLKEM_N; i += 128) {
        const __m256i bytes = poly_avx2_load_twice(in + i / 8);
        __m256i place = _mm256_setr_m128i(_mm_setzero_si128(), _mm_set1_epi8(1));
        for (size_t j = 0; j < 128; j += 16) {
            const __m256i v = _mm256_and_si256(_mm256_shuffle_epi8(bytes, place), bit);
            poly_avx2_store(p + i + j, _mm256_and_si256(_mm256_cmpeq_epi16(v, bit),
                                                        _mm256_set1_epi16((MLKEM_Q + 1) / 2)));
            place = _mm256_add_epi8(place, _mm256_set1_epi8(2));
        }
    }
}

static void poly_avx2_decompress4(int16_t *p, const uint8_t *in)
{
    const __m256i words = AVX2_WORDS(0, 4, 0, 0, 1, 1, 2, 2, 3, 3);
    const __m256i lift = _mm256_set1_epi32(128 << 16 | 2048);
    for (size_t i = 0; i < MLKEM_N; i += 16) {
        const __m256i bytes = _mm256_set1_epi64x((long long)load64_le(in + i / 2));
        poly_avx2_store(p + i, poly_avx2_decompress_16(poly_avx2_fields(bytes, words, lift), 4));
    }
}

static void poly_avx2_decompress5(int16_t *p, const uint8_t *in)
{
    const __m256i lift = AVX2_TWICE(_mm_setr_epi16(1024, 32, 256, 8, 64, 512, 16, 128));
    const __m256i first = AVX2_WORDS(0, 5, 0, 0, 1, 1, 2, 3, 3, 4);
    const __m256i second = AVX2_WORDS(6, 11, 0, 0, 1, 1, 2, 3, 3, 4);
    for (size_t i = 0; i < MLKEM_N; i += 32, in += 20) {
        const __m256i a = poly_avx2_fields(poly_avx2_load_twice(in), first, lift);
        const __m256i b = poly_avx2_fields(poly_avx2_load_twice(in + 4), second, lift);
        poly_avx2_store(p + i, poly_avx2_decompress_16(a, 5));
        poly_avx2_store(p + i + 16, poly_avx2_decompress_16(b, 5));
    }
}

static void poly_avx2_decompress10(int16_t *p, const uint8_t *in)
{
    const __m256i words = AVX2_WORDS(0, 6, 0, 1, 2, 3, 5, 6, 7, 8);
    const __m256i lift = AVX2_TWICE(_mm_setr_epi16(64, 16, 4, 1, 64, 16, 4, 1));
    for (size_t i = 0; i < MLKEM_N; i += 16, in += 20) {
        const __m256i v = poly_avx2_fields(poly_avx2_load_halves(in, in + 4), words, lift);
        poly_avx2_store(p + i, poly_avx2_decompress_16(_mm256_srli_epi16(v, 1), 10));
    }
}

/* Two numbers are in 32 bits, and each goes to a word of them. */
static void poly_avx2_decompress11(int16_t *p, const uint8_t *in)
{
    const __m256i places = _mm256_setr_epi8(0, 1, 2, 3, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11, /* */
                                            5, 6, 7, 8, 7, 8, 9, 10, 10, 11, 12, 13, 13, 14, 15, -1);
    const __m256i lower = AVX2_TWICE(_mm_setr_epi32(0, 6, 4, 2));
    for (size_t i = 0; i < MLKEM_N; i += 16, in += 22) {
        const __m256i pairs =
            _mm256_srlv_epi32(_mm256_shuffle_epi8(poly_avx2_load_halves(in, in + 6), places), lower);
        const __m256i v = _mm256_blend_epi16(_mm256_slli_epi32(pairs, 4), _mm256_slli_epi32(pairs, 9), 0xAA);
        poly_avx2_store(p + i, poly_avx2_decompress_16(v, 11));
    }
}

static void poly_avx2_decompress(int16_t *p, const uint8_t *in, unsigned d)
{
    if (d == 1)
        poly_avx2_decompress1(p, in);
    else if (d == 4)
        poly_avx2_decompress4(p, in);
    else if (d == 5)
        poly_avx2_decompress5(p, in);
    else if (d == 10)
        poly_avx2_decompress10(p, in);
    else
        poly_avx2_decompress11(p, in);
    _mm256_zeroupper();
}

const struct poly_functions celer_poly_avx2_ = {
    .ntt = poly_avx2_ntt,
    .inverse = poly_avx2_inverse,
    .prepare = poly_avx2_prepare,
    .dot = poly_avx2_dot,
    .plain_add = poly_avx2_plain_add,
    .add = poly_avx2_add,
    .sub = poly_avx2_sub,
    .cbd2 = poly_avx2_cbd2,
    .cbd3 = poly_avx2_cbd3,
    .reject = poly_avx2_reject,
    .encode12 = poly_avx2_encode12,
    .decode12 = poly_avx2_decode12,
    .compress = poly_avx2_compress,
    .decompress = poly_avx2_decompress,
};

CELER_TARGET_END
#endif
