/* poly_neon.c: polynomials in vectors of 8 coefficients, with what every AArch64 processor has. */
#include "mlkem/poly.h"
#include "mlkem/places.h"
#include "mlkem/zeta.h"
#include "base/bytes.h"

#if CELER_ARM
#  include <arm_neon.h>

/* Steps of one function, which compilers should not call. */
#  define NEON_PART static inline __attribute__((always_inline))

/* A pointer that might be any: else compilers copy constants there to the stack first. */
#  define NEON_OPAQUE(pointer) __asm__("" : "+r"(pointer))

/* ---- reduction and multiplication ---- */

/* A constant to multiply by: in (-q/2, q/2), and that times 2^15 / q, rounded. */
struct neon_factor {
    int16_t z[8];
    int16_t z_by_q[8];
};
#  define NEON_BY_Q(z) ((int16_t)((32768 * (z) + ((z) < 0 ? -(MLKEM_Q / 2) : MLKEM_Q / 2)) / MLKEM_Q))

/* The lower half of a product. Unsigned, since gcc's vmulq_s16 is a product of signed numbers in C. */
NEON_PART int16x8_t poly_neon_mul_low(int16x8_t a, int16x8_t b)
{
    return vreinterpretq_s16_u16(vmulq_u16(vreinterpretq_u16_s16(a), vreinterpretq_u16_s16(b)));
}

/* a z less a multiple of q, which is the nearest but for what the rounding of z_by_q makes of a: below q / 2 + |a| / 19.6
   in magnitude. */
NEON_PART int16x8_t poly_neon_mul(int16x8_t a, int16x8_t z, int16x8_t z_by_q)
{
    return vmlsq_n_s16(poly_neon_mul_low(a, z), vqrdmulhq_s16(a, z_by_q), MLKEM_Q);
}

NEON_PART int16x8_t poly_neon_mul_by(int16x8_t a, const struct neon_factor *f)
{
    return poly_neon_mul(a, vld1q_s16(f->z), vld1q_s16(f->z_by_q));
}

NEON_PART int16x8_t poly_neon_mul_constant(int16x8_t a, int z)
{
    return poly_neon_mul(a, vdupq_n_s16((int16_t)z), vdupq_n_s16(NEON_BY_Q(z)));
}

/* The residue of any a near to zero: as 10 / 2^15 is 1.016 / q, below q / 2 + |a| / 62 in magnitude. */
NEON_PART int16x8_t poly_neon_reduce(int16x8_t a)
{
    return vmlsq_n_s16(a, vqrdmulhq_n_s16(a, 10), MLKEM_Q);
}

/* From (-q, q) to [0, q): without its sign, a negative number is a great one. */
NEON_PART int16x8_t poly_neon_positive(int16x8_t a)
{
    const int16x8_t more = vaddq_s16(a, vdupq_n_s16(MLKEM_Q));
    return vreinterpretq_s16_u16(vminq_u16(vreinterpretq_u16_s16(a), vreinterpretq_u16_s16(more)));
}

/* ---- NTT ----

   Layers that pair coefficients 128, 64 and 32 apart are done on every fourth vector, layers 16 and 8 on 8 vectors that
   follow each other. Of vectors 2 i and 2 i + 1 of these come together

       low    their lower halves
       high   their upper halves

   which layer 4 pairs; then pairs of coefficients. */

/* zeta^bitrev7(i); the same for the way back; and this with the factor that the way back ends with, 2^16 / 128. */
#  define NEON_ZETA(i)     CENTRED(ZETA(i))
#  define NEON_BACK(i)     CENTRED(ZETA_BACK(i))
#  define NEON_BACK_END(i) CENTRED(ZETA_BACK(i) * 512 % MLKEM_Q)

/* A factor of the numbers z(i), by the kind of vector: one number, one in each half and quarter. */
#  define NEON_FACTOR(KIND, z, i) \
    {                             \
      {KIND(NEON_SELF, z, i)},    \
      {                           \
        KIND(NEON_BY_Q, z, i)     \
      }                           \
    }
#  define NEON_SELF(z)         (z)
#  define NEON_2(z)            z, z
#  define NEON_4(z)            NEON_2(z), NEON_2(z)
#  define NEON_WHOLE(f, z, i)  NEON_4(f(z(i))), NEON_4(f(z(i)))
#  define NEON_HALVES(f, z, i) NEON_4(f(z(i))), NEON_4(f(z(i + 1)))
#  define NEON_QUARTERS(f, z, i) \
    NEON_2(f(z(i))), NEON_2(f(z(i + 1))), NEON_2(f(z(i + 2))), NEON_2(f(z(i + 3)))

/* Block b of n in a layer takes z(n + b); it begins in vector 4 b, 2 b, b and b / 2 of layers 16, 8, 4 and 2. */
struct neon_outer {
    struct neon_factor layer128, layer64[2], layer32[4];
};
struct neon_inner {
    struct neon_factor layer16[2], layer8[4], layer4[4], layer2[4];
};
#  define NEON_TWO(KIND, z, i, step)  NEON_FACTOR(KIND, z, i), NEON_FACTOR(KIND, z, i + step)
#  define NEON_FOUR(KIND, z, i, step) NEON_TWO(KIND, z, i, step), NEON_TWO(KIND, z, i + 2 * step, step)
#  define NEON_INNER(z, v)                                                                      \
    {                                                                                           \
      {NEON_TWO(NEON_WHOLE, z, 8 + v / 4, 1)}, {NEON_FOUR(NEON_WHOLE, z, 16 + v / 2, 1)},       \
          {NEON_FOUR(NEON_HALVES, z, 32 + v, 2)}, {NEON_FOUR(NEON_QUARTERS, z, 64 + 2 * v, 4)}, \
    }
#  define NEON_INNERS(z) NEON_INNER(z, 0), NEON_INNER(z, 8), NEON_INNER(z, 16), NEON_INNER(z, 24)

static const struct neon_outer poly_neon_outer = {
    NEON_FACTOR(NEON_WHOLE, NEON_ZETA, 1),
    {NEON_TWO(NEON_WHOLE, NEON_ZETA, 2, 1)},
    {NEON_FOUR(NEON_WHOLE, NEON_ZETA, 4, 1)},
};
static const struct neon_outer poly_neon_outer_back = {
    NEON_FACTOR(NEON_WHOLE, NEON_BACK_END, 1),
    {NEON_TWO(NEON_WHOLE, NEON_BACK, 2, 1)},
    {NEON_FOUR(NEON_WHOLE, NEON_BACK, 4, 1)},
};
static const struct neon_inner poly_neon_inner[4] = {NEON_INNERS(NEON_ZETA)};
static const struct neon_inner poly_neon_inner_back[4] = {NEON_INNERS(NEON_BACK)};

/* a, b become a + z b, a - z b. */
NEON_PART void poly_neon_butterfly(int16x8_t *a, int16x8_t *b, const struct neon_factor *z)
{
    const int16x8_t t = poly_neon_mul_by(*b, z);
    *b = vsubq_s16(*a, t);
    *a = vaddq_s16(*a, t);
}

/* a, b become a + b, z (a - b). */
NEON_PART void poly_neon_butterfly_back(int16x8_t *a, int16x8_t *b, const struct neon_factor *z)
{
    const int16x8_t t = vsubq_s16(*a, *b);
    *a = vaddq_s16(*a, *b);
    *b = poly_neon_mul_by(t, z);
}

/* Of a and b, the lower halves to a, the upper to b; of their halves, the lower 32 bits, and the upper. Both undo
   themselves. */
NEON_PART void poly_neon_transpose_halves(int16x8_t *a, int16x8_t *b)
{
    const int64x2_t x = vreinterpretq_s64_s16(*a), y = vreinterpretq_s64_s16(*b);
    *a = vreinterpretq_s16_s64(vtrn1q_s64(x, y));
    *b = vreinterpretq_s16_s64(vtrn2q_s64(x, y));
}

NEON_PART void poly_neon_transpose_quarters(int16x8_t *a, int16x8_t *b)
{
    const int32x4_t x = vreinterpretq_s32_s16(*a), y = vreinterpretq_s32_s16(*b);
    *a = vreinterpretq_s16_s32(vtrn1q_s32(x, y));
    *b = vreinterpretq_s16_s32(vtrn2q_s32(x, y));
}

/* The pairs of layers 64 and 16, among 8 vectors: the first of each. */
NEON_PART size_t poly_neon_pair(size_t i)
{
    return i / 2 * 4 + i % 2;
}

NEON_PART void poly_neon_ntt_outer(int16_t *c, const struct neon_outer *z)
{
    int16x8_t v[8];
    for (size_t i = 0; i < 8; i++)
        v[i] = vld1q_s16(c + 32 * i);
    for (size_t i = 0; i < 4; i++)
        poly_neon_butterfly(&v[i], &v[i + 4], &z->layer128);
    for (size_t i = 0; i < 4; i++)
        poly_neon_butterfly(&v[poly_neon_pair(i)], &v[poly_neon_pair(i) + 2], &z->layer64[i / 2]);
    for (size_t i = 0; i < 4; i++)
        poly_neon_butterfly(&v[2 * i], &v[2 * i + 1], &z->layer32[i]);
    for (size_t i = 0; i < 8; i++)
        vst1q_s16(c + 32 * i, v[i]);
}

NEON_PART void poly_neon_ntt_inner(int16_t *c, const struct neon_inner *z)
{
    int16x8_t v[8];
    for (size_t i = 0; i < 8; i++)
        v[i] = vld1q_s16(c + 8 * i);
    for (size_t i = 0; i < 4; i++)
        poly_neon_butterfly(&v[poly_neon_pair(i)], &v[poly_neon_pair(i) + 2], &z->layer16[i / 2]);
    for (size_t i = 0; i < 4; i++)
        poly_neon_butterfly(&v[2 * i], &v[2 * i + 1], &z->layer8[i]);
    for (size_t i = 0; i < 8; i += 2) {
        poly_neon_transpose_halves(&v[i], &v[i + 1]);
        poly_neon_butterfly(&v[i], &v[i + 1], &z->layer4[i / 2]);
    }
    for (size_t i = 0; i < 8; i += 2) {
        poly_neon_transpose_quarters(&v[i], &v[i + 1]);
        poly_neon_butterfly(&v[i], &v[i + 1], &z->layer2[i / 2]);
    }
    for (size_t i = 0; i < 8; i++)
        v[i] = poly_neon_reduce(v[i]);
    for (size_t i = 0; i < 8; i += 2) {
        poly_neon_transpose_quarters(&v[i], &v[i + 1]);
        poly_neon_transpose_halves(&v[i], &v[i + 1]);
    }
    for (size_t i = 0; i < 8; i++)
        vst1q_s16(c + 8 * i, v[i]);
}

/* A layer takes a magnitude of m to less than m + m / 19.6 + q / 2: seven of them one of q to less than 5.6 q, which 16
   bits hold, and reduction brings below 0.6 q. */
static void poly_neon_ntt(poly *p, size_t n)
{
    for (; n > 0; n--, p++) {
        const struct neon_outer *outer = &poly_neon_outer;
        const struct neon_inner *inner = poly_neon_inner;
        NEON_OPAQUE(outer);
        NEON_OPAQUE(inner);
        for (size_t i = 0; i < 4; i++)
            poly_neon_ntt_outer(*p + 8 * i, outer);
        for (size_t i = 0; i < 4; i++)
            poly_neon_ntt_inner(*p + 64 * i, &inner[i]);
    }
}

/* Layers double the magnitude of sums: from q after layers 2, 4 and 8 to less than 8 q, which is reduced to 0.63 q;
   products of 8 q are below 0.91 q. So after layer 16 all are below 1.82 q. */
NEON_PART void poly_neon_inverse_inner(int16_t *c, const struct neon_inner *z)
{
    int16x8_t v[8];
    for (size_t i = 0; i < 8; i++)
        v[i] = vld1q_s16(c + 8 * i);
    for (size_t i = 0; i < 8; i += 2) {
        poly_neon_transpose_halves(&v[i], &v[i + 1]);
        poly_neon_transpose_quarters(&v[i], &v[i + 1]);
        poly_neon_butterfly_back(&v[i], &v[i + 1], &z->layer2[i / 2]);
    }
    for (size_t i = 0; i < 8; i += 2) {
        poly_neon_transpose_quarters(&v[i], &v[i + 1]);
        poly_neon_butterfly_back(&v[i], &v[i + 1], &z->layer4[i / 2]);
    }
    for (size_t i = 0; i < 8; i += 2) {
        poly_neon_transpose_halves(&v[i], &v[i + 1]);
        poly_neon_butterfly_back(&v[i], &v[i + 1], &z->layer8[i / 2]);
        v[i] = poly_neon_reduce(v[i]);
    }
    for (size_t i = 0; i < 4; i++)
        poly_neon_butterfly_back(&v[poly_neon_pair(i)], &v[poly_neon_pair(i) + 2], &z->layer16[i / 2]);
    for (size_t i = 0; i < 8; i++)
        vst1q_s16(c + 8 * i, v[i]);
}

/* After layers 32 and 64 sums are below 3.64 q and 7.3 q. Of the only pair of such sums of sums one is reduced to 0.62 q:
   layer 128 makes no more than 8 q of them. Its products are below q. */
NEON_PART void poly_neon_inverse_outer(int16_t *c, const struct neon_outer *z)
{
    int16x8_t v[8];
    for (size_t i = 0; i < 8; i++)
        v[i] = vld1q_s16(c + 32 * i);
    for (size_t i = 0; i < 4; i++)
        poly_neon_butterfly_back(&v[2 * i], &v[2 * i + 1], &z->layer32[i]);
    for (size_t i = 0; i < 4; i++)
        poly_neon_butterfly_back(&v[poly_neon_pair(i)], &v[poly_neon_pair(i) + 2], &z->layer64[i / 2]);
    v[0] = poly_neon_reduce(v[0]);
    for (size_t i = 0; i < 4; i++) {
        poly_neon_butterfly_back(&v[i], &v[i + 4], &z->layer128);
        vst1q_s16(c + 32 * i, poly_neon_mul_constant(v[i], 512));
        vst1q_s16(c + 32 * (i + 4), v[i + 4]);
    }
}

static void poly_neon_inverse(poly *p, size_t n)
{
    for (; n > 0; n--, p++) {
        const struct neon_outer *outer = &poly_neon_outer_back;
        const struct neon_inner *inner = poly_neon_inner_back;
        NEON_OPAQUE(outer);
        NEON_OPAQUE(inner);
        for (size_t i = 0; i < 4; i++)
            poly_neon_inverse_inner(*p + 64 * i, &inner[i]);
        for (size_t i = 0; i < 4; i++)
            poly_neon_inverse_outer(*p + 8 * i, outer);
    }
}

/* ---- products of NTTs, in vectors of even and of odd coefficients ---- */

#  define NEON_PAIRS(f, z, i) f(z(i)), f(-z(i))
#  define NEON_GAMMAS(f, z, i) \
    NEON_PAIRS(f, z, i), NEON_PAIRS(f, z, i + 1), NEON_PAIRS(f, z, i + 2), NEON_PAIRS(f, z, i + 3)

static const struct neon_factor poly_neon_gammas[16] = {
    NEON_FOUR(NEON_GAMMAS, NEON_ZETA, 64, 4),
    NEON_FOUR(NEON_GAMMAS, NEON_ZETA, 80, 4),
    NEON_FOUR(NEON_GAMMAS, NEON_ZETA, 96, 4),
    NEON_FOUR(NEON_GAMMAS, NEON_ZETA, 112, 4),
};

/* The odd coefficients times gamma: half a polynomial. */
static void poly_neon_prepare(poly *cache, const poly *b, size_t n)
{
    for (; n > 0; n--, cache++, b++)
        for (size_t i = 0; i < 16; i++)
            vst1q_s16(*cache + 8 * i, poly_neon_mul_by(vld2q_s16(*b + 16 * i).val[1], &poly_neon_gammas[i]));
}

/* sum + a b. */
NEON_PART void poly_neon_multiply_add(int32x4_t sum[2], int16x8_t a, int16x8_t b)
{
    sum[0] = vmlal_s16(sum[0], vget_low_s16(a), vget_low_s16(b));
    sum[1] = vmlal_high_s16(sum[1], a, b);
}

/* sum / 2^16: less the multiple of q with the same lower half, it is an upper half. */
NEON_PART int16x8_t poly_neon_divide(const int32x4_t sum[2])
{
    const int16x8_t low = vuzp1q_s16(vreinterpretq_s16_s32(sum[0]), vreinterpretq_s16_s32(sum[1]));
    const int16x8_t t = poly_neon_mul_low(low, vdupq_n_s16(-3327)); /* 1 / q modulo 2^16 */
    return vuzp2q_s16(vreinterpretq_s16_s32(vmlsl_n_s16(sum[0], vget_low_s16(t), MLKEM_Q)),
                      vreinterpretq_s16_s32(vmlsl_high_n_s16(sum[1], t, MLKEM_Q)));
}

/* A sum of 2n products is below 8 q^2 in magnitude, and 2^-16 of that and q / 2 are below q together. */
static void poly_neon_dot(int16_t *r, const poly *a, const poly *b, const poly *cache, size_t n)
{
    for (size_t i = 0; i < 16; i++) {
        int32x4_t even[2] = {vdupq_n_s32(0), vdupq_n_s32(0)}, odd[2] = {vdupq_n_s32(0), vdupq_n_s32(0)};
        for (size_t j = 0; j < n; j++) {
            const int16x8x2_t x = vld2q_s16(a[j] + 16 * i), y = vld2q_s16(b[j] + 16 * i);
            poly_neon_multiply_add(even, x.val[0], y.val[0]);
            poly_neon_multiply_add(even, x.val[1], vld1q_s16(cache[j] + 8 * i));
            poly_neon_multiply_add(odd, x.val[0], y.val[1]);
            poly_neon_multiply_add(odd, x.val[1], y.val[0]);
        }
        const int16x8x2_t sum = {{poly_neon_divide(even), poly_neon_divide(odd)}};
        vst2q_s16(r + 16 * i, sum);
    }
}

static void poly_neon_plain_add(int16_t *r, const int16_t *e)
{
    for (size_t i = 0; i < MLKEM_N; i += 8) {
        const int16x8_t plain = poly_neon_mul_constant(vld1q_s16(r + i), CENTRED(65536 % MLKEM_Q));
        vst1q_s16(r + i, poly_neon_positive(poly_neon_reduce(vaddq_s16(plain, vld1q_s16(e + i)))));
    }
}

static void poly_neon_add(int16_t *r, const int16_t *a)
{
    for (size_t i = 0; i < MLKEM_N; i += 8)
        vst1q_s16(r + i, vaddq_s16(vld1q_s16(r + i), vld1q_s16(a + i)));
}

static void poly_neon_sub(int16_t *r, const int16_t *a)
{
    for (size_t i = 0; i < MLKEM_N; i += 8)
        vst1q_s16(r + i, vsubq_s16(vld1q_s16(r + i), vld1q_s16(a + i)));
}

/* ---- fields of bits ----

   A field of at most 10 bits is taken out of bytes as the word that holds it, shifted. 8 fields are as many bytes as a
   field has bits. */

/* Where the words begin: each of eight at a byte from `first` on. Of bits that no field has, any byte will do. */
#  define NEON_WORD(at) (at) & 15, ((at) + 1) & 15
#  define NEON_WORDS(first, a, b, c, d, e, f, g, h)                                               \
    {                                                                                             \
      NEON_WORD(first + a), NEON_WORD(first + b), NEON_WORD(first + c), NEON_WORD(first + d),     \
          NEON_WORD(first + e), NEON_WORD(first + f), NEON_WORD(first + g), NEON_WORD(first + h), \
    }

/* Shifts are to the left. */
NEON_PART uint16x8_t poly_neon_fields(uint8x16_t bytes, const uint8_t *words, const int16_t *shifts)
{
    return vshlq_u16(vreinterpretq_u16_u8(vqtbl1q_u8(bytes, vld1q_u8(words))), vld1q_s16(shifts));
}

/* ---- sampling ---- */

/* Half a byte is looked up. */
static void poly_neon_cbd2(int16_t *p, const uint8_t *in)
{
    static const int8_t values[16] = {0, 1, 1, 2, -1, 0, 0, 1, -1, 0, 0, 1, -2, -1, -1, 0};
    const int8x16_t value = vld1q_s8(values);
    for (size_t i = 0; i < MLKEM_N; i += 32) {
        const uint8x16_t bytes = vld1q_u8(in + i / 2);
        const int8x16_t even = vqtbl1q_s8(value, vandq_u8(bytes, vdupq_n_u8(15)));
        const int8x16_t odd = vqtbl1q_s8(value, vshrq_n_u8(bytes, 4));
        const int8x16_t a = vzip1q_s8(even, odd), b = vzip2q_s8(even, odd);
        vst1q_s16(p + i, vmovl_s8(vget_low_s8(a)));
        vst1q_s16(p + i + 8, vmovl_high_s8(a));
        vst1q_s16(p + i + 16, vmovl_s8(vget_low_s8(b)));
        vst1q_s16(p + i + 24, vmovl_high_s8(b));
    }
}

/* The ones among three bits are looked up. */
NEON_PART void poly_neon_cbd3_8(int16_t *p, uint8x16_t bytes, const uint8_t *words)
{
    static const int16_t shifts[8] = {10, 4, 6, 8, 10, 4, 6, 8};
    static const uint8_t ones[16] = {0, 1, 1, 2, 1, 2, 2, 3};
    const uint16x8_t six = poly_neon_fields(bytes, words, shifts);
    const uint8x16_t first = vreinterpretq_u8_u16(vandq_u16(vshrq_n_u16(six, 10), vdupq_n_u16(7)));
    const uint8x16_t second = vreinterpretq_u8_u16(vshrq_n_u16(six, 13));
    vst1q_s16(p, vsubq_s16(vreinterpretq_s16_u8(vqtbl1q_u8(vld1q_u8(ones), first)),
                           vreinterpretq_s16_u8(vqtbl1q_u8(vld1q_u8(ones), second))));
}

static void poly_neon_cbd3(int16_t *p, const uint8_t *in)
{
    static const uint8_t words[4][16] = {
        NEON_WORDS(0, 0, 0, 1, 2, 3, 3, 4, 5),
        NEON_WORDS(6, 0, 0, 1, 2, 3, 3, 4, 5),
        NEON_WORDS(4, 0, 0, 1, 2, 3, 3, 4, 5),
        NEON_WORDS(10, 0, 0, 1, 2, 3, 3, 4, 5),
    };
    for (size_t i = 0; i < MLKEM_N; i += 32, in += 24) {
        const uint8x16_t a = vld1q_u8(in), b = vld1q_u8(in + 8);
        poly_neon_cbd3_8(p + i, a, words[0]);
        poly_neon_cbd3_8(p + i + 8, a, words[1]);
        poly_neon_cbd3_8(p + i + 16, b, words[2]);
        poly_neon_cbd3_8(p + i + 24, b, words[3]);
    }
}

static const uint64_t poly_neon_places[256] = {PLACES_OF_SETS};

/* Those of 8 numbers that are below q to p[have], p[have + 1] .. Where fewer than 8 have room, the last 8 are made of
   those there were and those to come. */
NEON_PART size_t poly_neon_append(int16_t *p, size_t have, uint16x8_t numbers)
{
    static const uint16_t weights[8] = {0x101, 0x102, 0x104, 0x108, 0x110, 0x120, 0x140, 0x180};
    static const uint8_t in_order[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const uint16x8_t below = vcltq_u16(numbers, vdupq_n_u16(MLKEM_Q));
    const unsigned sum =
        vaddvq_u16(vandq_u16(below, vld1q_u16(weights))); /* the set, and 256 for each of it */
    const uint8x16_t even = vcombine_u8(vcreate_u8(poly_neon_places[sum & 255]), vdup_n_u8(0));
    const uint8x16_t places = vzip1q_u8(even, vaddq_u8(even, vdupq_n_u8(1)));
    const uint8x16_t in_set = vqtbl1q_u8(vreinterpretq_u8_u16(numbers), places);
    if (have <= MLKEM_N - 8) {
        vst1q_s16(p + have, vreinterpretq_s16_u8(in_set));
    } else {
        const uint8x16x2_t both = {{vreinterpretq_u8_s16(vld1q_s16(p + have - 8)), in_set}};
        const uint8x16_t from = vaddq_u8(vld1q_u8(in_order), vdupq_n_u8((uint8_t)(2 * (MLKEM_N - have))));
        vst1q_s16(p + MLKEM_N - 8, vreinterpretq_s16_u8(vqtbl2q_u8(both, from)));
    }
    have += sum >> 8;
    return have < MLKEM_N ? have : MLKEM_N;
}

/* 16 numbers of 12 bits: those in even places, and in odd. */
NEON_PART uint16x8x2_t poly_neon_decode12_16(const uint8_t *in)
{
    const uint8x8x3_t bytes = vld3_u8(in);
    const uint16x8_t middle = vmovl_u8(bytes.val[1]);
    const uint16x8x2_t v = {{
        vsliq_n_u16(vmovl_u8(bytes.val[0]), vandq_u16(middle, vdupq_n_u16(15)), 8),
        vsliq_n_u16(vshrq_n_u16(middle, 4), vmovl_u8(bytes.val[2]), 4),
    }};
    return v;
}

static size_t poly_neon_reject(int16_t *p, size_t have, const uint8_t *in)
{
    for (const uint8_t *end = in + 168; in != end && have < MLKEM_N; in += 24) {
        const uint16x8x2_t v = poly_neon_decode12_16(in);
        have = poly_neon_append(p, have, vzip1q_u16(v.val[0], v.val[1]));
        have = poly_neon_append(p, have, vzip2q_u16(v.val[0], v.val[1]));
    }
    return have;
}

/* ---- coding ---- */

static void poly_neon_encode12(uint8_t *out, const int16_t *p)
{
    for (size_t i = 0; i < MLKEM_N; i += 16, out += 24) {
        const int16x8x2_t v = vld2q_s16(p + i);
        const uint16x8_t even = vreinterpretq_u16_s16(poly_neon_positive(v.val[0]));
        const uint16x8_t odd = vreinterpretq_u16_s16(poly_neon_positive(v.val[1]));
        const uint8x8x3_t bytes = {{
            vmovn_u16(even),
            vmovn_u16(vsliq_n_u16(vshrq_n_u16(even, 8), odd, 4)),
            vshrn_n_u16(odd, 4),
        }};
        vst3_u8(out, bytes);
    }
}

static unsigned poly_neon_decode12(int16_t *p, const uint8_t *in)
{
    const uint16x8_t q = vdupq_n_u16(MLKEM_Q);
    uint16x8_t most = vdupq_n_u16(0);
    for (size_t i = 0; i < MLKEM_N; i += 16, in += 24) {
        const uint16x8x2_t v = poly_neon_decode12_16(in);
        most = vmaxq_u16(most, vmaxq_u16(v.val[0], v.val[1]));
        /* less q, without sign: greater than it was where it was below q */
        const int16x8x2_t residues = {{
            vreinterpretq_s16_u16(vminq_u16(v.val[0], vsubq_u16(v.val[0], q))),
            vreinterpretq_s16_u16(vminq_u16(v.val[1], vsubq_u16(v.val[1], q))),
        }};
        vst2q_s16(p + i, residues);
    }
    return vmaxvq_u16(most) >= MLKEM_Q;
}

/* 2^(15 + d) / q, rounded. */
#  define NEON_SCALE(d) (((32768 << (d)) + MLKEM_Q / 2) / MLKEM_Q)

/* The d bits of 8 coefficients. The estimate of the quotient 2^d x / q is so near that what is left of 2^d x is in
   (-q/2, 3q/2), as of all x in [-3q, 3q] was tried, and tells whether to round up. It needs no more than 16 bits. */
NEON_PART uint16x8_t poly_neon_compress_8(int16x8_t x, unsigned d)
{
    static const int16_t factors[] = {[1] = NEON_SCALE(1),
                                      [4] = NEON_SCALE(4),
                                      [5] = NEON_SCALE(5),
                                      [10] = NEON_SCALE(10),
                                      [11] = NEON_SCALE(11)};
    const int16x8_t quotient = vqdmulhq_n_s16(x, factors[d]);
    const int16x8_t rest = vmlsq_n_s16(vshlq_s16(x, vdupq_n_s16((int16_t)d)), quotient, MLKEM_Q);
    const uint16x8_t up = vcgtq_s16(rest, vdupq_n_s16(MLKEM_Q / 2));
    return vandq_u16(vsubq_u16(vreinterpretq_u16_s16(quotient), up), vdupq_n_u16((uint16_t)((1 << d) - 1)));
}

static void poly_neon_compress1(uint8_t *out, const int16_t *p)
{
    static const int16_t shifts[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (size_t i = 0; i < MLKEM_N; i += 8)
        out[i / 8] =
            (uint8_t)vaddvq_u16(vshlq_u16(poly_neon_compress_8(vld1q_s16(p + i), 1), vld1q_s16(shifts)));
}

static void poly_neon_compress4(uint8_t *out, const int16_t *p)
{
    for (size_t i = 0; i < MLKEM_N; i += 16) {
        const int16x8x2_t v = vld2q_s16(p + i);
        const uint16x8_t even = poly_neon_compress_8(v.val[0], 4), odd = poly_neon_compress_8(v.val[1], 4);
        vst1_u8(out + i / 2, vmovn_u16(vsliq_n_u16(even, odd, 4)));
    }
}

/* 16 numbers of 10 bits to 20 bytes. */
NEON_PART void poly_neon_store_10(uint8_t *out, uint16x8_t a, uint16x8_t b)
{
    static const uint8_t first[16] = {0, 1, 2, 3, 4, 8, 9, 10, 11, 12, 16, 17, 18, 19, 20, 24};
    const uint16x8_t v[2] = {a, b};
    uint8x16x2_t bytes;
    for (size_t i = 0; i < 2; i++) {
        const uint32x4_t words = vreinterpretq_u32_u16(v[i]);
        const uint64x2_t pairs = vreinterpretq_u64_u32(vsliq_n_u32(words, vshrq_n_u32(words, 16), 10));
        bytes.val[i] = vreinterpretq_u8_u64(vsliq_n_u64(pairs, vshrq_n_u64(pairs, 32), 20));
    }
    vst1q_u8(out, vqtbl2q_u8(bytes, vld1q_u8(first)));
    store32_le(out + 16, (uint32_t)(vgetq_lane_u64(vreinterpretq_u64_u8(bytes.val[1]), 1) >> 8));
}

/* 16 numbers of 5 bits as 8 of 10. */
NEON_PART uint16x8_t poly_neon_compress5_16(const int16_t *p)
{
    const int16x8x2_t v = vld2q_s16(p);
    return vsliq_n_u16(poly_neon_compress_8(v.val[0], 5), poly_neon_compress_8(v.val[1], 5), 5);
}

static void poly_neon_compress5(uint8_t *out, const int16_t *p)
{
    for (size_t i = 0; i < MLKEM_N; i += 32, out += 20)
        poly_neon_store_10(out, poly_neon_compress5_16(p + i), poly_neon_compress5_16(p + i + 16));
}

static void poly_neon_compress10(uint8_t *out, const int16_t *p)
{
    for (size_t i = 0; i < MLKEM_N; i += 16, out += 20)
        poly_neon_store_10(out, poly_neon_compress_8(vld1q_s16(p + i), 10),
                           poly_neon_compress_8(vld1q_s16(p + i + 8), 10));
}

static void poly_neon_compress11(uint8_t *out, const int16_t *p)
{
    for (size_t i = 0; i < MLKEM_N; i += 8, out += 11) {
        const uint32x4_t words = vreinterpretq_u32_u16(poly_neon_compress_8(vld1q_s16(p + i), 11));
        const uint64x2_t pairs = vreinterpretq_u64_u32(vsliq_n_u32(words, vshrq_n_u32(words, 16), 11));
        const uint64x2_t fours = vsliq_n_u64(pairs, vshrq_n_u64(pairs, 32), 22);
        const uint64_t low = vgetq_lane_u64(fours, 0), high = vgetq_lane_u64(fours, 1);
        store64_le(out, low | high << 44);
        store32_le(out + 7, (uint32_t)(high >> 12)); /* from bit 56 of 88 on */
    }
}

static void poly_neon_compress(uint8_t *out, const int16_t *p, unsigned d)
{
    if (d == 1)
        poly_neon_compress1(out, p);
    else if (d == 4)
        poly_neon_compress4(out, p);
    else if (d == 5)
        poly_neon_compress5(out, p);
    else if (d == 10)
        poly_neon_compress10(out, p);
    else
        poly_neon_compress11(out, p);
}

/* Numbers of d bits that begin at bit 15 - d, among others: sqrdmulh multiplies them by q / 2^d, and rounds. */
NEON_PART int16x8_t poly_neon_decompress_8(uint16x8_t v, unsigned d)
{
    const uint16x8_t number = vandq_u16(v, vdupq_n_u16((uint16_t)(0x8000 - (1 << (15 - d)))));
    return vqrdmulhq_n_s16(vreinterpretq_s16_u16(number), MLKEM_Q);
}

static void poly_neon_decompress1(int16_t *p, const uint8_t *in)
{
    static const uint16_t bits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    for (size_t i = 0; i < MLKEM_N; i += 8) {
        const uint16x8_t ones = vtstq_u16(vdupq_n_u16(in[i / 8]), vld1q_u16(bits));
        vst1q_s16(p + i, vreinterpretq_s16_u16(vandq_u16(ones, vdupq_n_u16((MLKEM_Q + 1) / 2))));
    }
}

static void poly_neon_decompress4(int16_t *p, const uint8_t *in)
{
    for (size_t i = 0; i < MLKEM_N; i += 16) {
        const uint16x8_t bytes = vmovl_u8(vld1_u8(in + i / 2));
        const int16x8x2_t v = {{
            poly_neon_decompress_8(vshlq_n_u16(bytes, 11), 4),
            poly_neon_decompress_8(vshlq_n_u16(bytes, 7), 4),
        }};
        vst2q_s16(p + i, v);
    }
}

static void poly_neon_decompress5(int16_t *p, const uint8_t *in)
{
    static const int16_t shifts[8] = {10, 5, 8, 3, 6, 9, 4, 7};
    static const uint8_t words[4][16] = {
        NEON_WORDS(0, 0, 0, 1, 1, 2, 3, 3, 4),
        NEON_WORDS(5, 0, 0, 1, 1, 2, 3, 3, 4),
        NEON_WORDS(6, 0, 0, 1, 1, 2, 3, 3, 4),
        NEON_WORDS(11, 0, 0, 1, 1, 2, 3, 3, 4),
    };
    for (size_t i = 0; i < MLKEM_N; i += 32, in += 20)
        for (size_t j = 0; j < 4; j++) {
            const uint16x8_t v = poly_neon_fields(vld1q_u8(in + j / 2 * 4), words[j], shifts);
            vst1q_s16(p + i + 8 * j, poly_neon_decompress_8(v, 5));
        }
}

static void poly_neon_decompress10(int16_t *p, const uint8_t *in)
{
    static const int16_t shifts[8] = {5, 3, 1, -1, 5, 3, 1, -1};
    static const uint8_t words[2][16] = {
        NEON_WORDS(0, 0, 1, 2, 3, 5, 6, 7, 8),
        NEON_WORDS(6, 0, 1, 2, 3, 5, 6, 7, 8),
    };
    for (size_t i = 0; i < MLKEM_N; i += 16, in += 20)
        for (size_t j = 0; j < 2; j++) {
            const uint16x8_t v = poly_neon_fields(vld1q_u8(in + 4 * j), words[j], shifts);
            vst1q_s16(p + i + 8 * j, poly_neon_decompress_8(v, 10));
        }
}

/* Two numbers are in 32 bits, and each goes to a word of them. */
static void poly_neon_decompress11(int16_t *p, const uint8_t *in)
{
    static const int32_t shifts[4] = {0, -6, -4, -2};
    static const uint8_t places[2][16] = {
        {0, 1, 2, 3, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11},
        {5, 6, 7, 8, 7, 8, 9, 10, 10, 11, 12, 13, 13, 14, 15, 255},
    };
    for (size_t i = 0; i < MLKEM_N; i += 16, in += 22)
        for (size_t j = 0; j < 2; j++) {
            const uint8x16_t bytes = vqtbl1q_u8(vld1q_u8(in + 6 * j), vld1q_u8(places[j]));
            const uint32x4_t pairs = vshlq_u32(vreinterpretq_u32_u8(bytes), vld1q_s32(shifts));
            const uint32x4_t v = vsliq_n_u32(vshlq_n_u32(pairs, 4), vshrq_n_u32(pairs, 11), 20);
            vst1q_s16(p + i + 8 * j, poly_neon_decompress_8(vreinterpretq_u16_u32(v), 11));
        }
}

static void poly_neon_decompress(int16_t *p, const uint8_t *in, unsigned d)
{
    if (d == 1)
        poly_neon_decompress1(p, in);
    else if (d == 4)
        poly_neon_decompress4(p, in);
    else if (d == 5)
        poly_neon_decompress5(p, in);
    else if (d == 10)
        poly_neon_decompress10(p, in);
    else
        poly_neon_decompress11(p, in);
}

const struct poly_functions celer_poly_neon_ = {
    .ntt = poly_neon_ntt,
    .inverse = poly_neon_inverse,
    .prepare = poly_neon_prepare,
    .dot = poly_neon_dot,
    .plain_add = poly_neon_plain_add,
    .add = poly_neon_add,
    .sub = poly_neon_sub,
    .cbd2 = poly_neon_cbd2,
    .cbd3 = poly_neon_cbd3,
    .reject = poly_neon_reject,
    .encode12 = poly_neon_encode12,
    .decode12 = poly_neon_decode12,
    .compress = poly_neon_compress,
    .decompress = poly_neon_decompress,
};
#endif
