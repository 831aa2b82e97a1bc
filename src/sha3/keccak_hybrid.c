/* keccak_hybrid.c: Keccak-p[1600] on one state, in general registers and in vector registers at once.

   One lane per vector register leaves half of a core idle: a round takes 90 operations in vectors alone, 130
   in general registers alone. Here planes 0 and 1 of every round's output (lanes 0 .. 9) are made in general
   registers and planes 2, 3 and 4 in vectors: about 65 scalar and 66 vector operations, on different ports.

   What crosses from one side to the other, and how:
   - Each side adds up its own share of the five column parities and sends it across (vmovq, in both
     directions at once); each side then adds the other's share to its own. So a round waits for one crossing,
     where a parity made on one side and sent to the other would have it wait for two.
   - Lanes which pi moves to the other side, and those it moves within planes 0 and 1, go through memory.
     Nothing waits for them. One round reads them from s and writes t, the next the other way, so that none is
     overwritten before it has been read. Planes 2, 3 and 4 each get two lanes from memory, and three which
     never leave the vectors.
   - Theta adds c ^ rol(c, 1) by two-operand logic. On Zen 5, vpternlogq takes 3 cycles instead of 2 unless
     the operand it overwrites comes last, and it slows down near stores and near vmovq to general registers,
     which two-operand logic does not.

   The statements stand in the order that measured best: plane 0, then 2 and 3, then 1 and 4 together, so that
   both shares are ready at the same time. Two empty asm statements keep compilers from undoing that, and from
   replacing the way through memory by moves and spills; without them the code is right, and slower.

   Cycles for 24 rounds, and for a block of SHA3-256, measured on Zen 5:

                                      gcc 12       clang 14
       this file                      660  640     655  625
       without the asm statements     695  665     765  740
       one lane per vector register   880  855     910  890
       general registers (BMI2)       905  905     990  885

   A round is 176 instructions (gcc 12) and takes about 25 cycles; the bounds are 22 by dispatch of 8 a cycle
   and 21 by latency, with the 20 vector rotations going 2 a cycle. */
#include "sha3/keccak.h"
#include "base/bytes.h"
#include "base/wipe.h"

#if CELER_X86
CELER_TARGET_BEGIN("avx512f,avx512vl,bmi,bmi2")
#  include <immintrin.h>

static inline __m128i hybrid_in_order(__m128i v)
{
    __asm__ volatile("" : "+v"(v));
    return v;
}

static inline void hybrid_memory_in_order(void)
{
    __asm__ volatile("" : : : "memory");
}

static inline __m128i hybrid_vector(uint64_t lane)
{
    return hybrid_in_order(_mm_cvtsi64_si128((long long)lane));
}

static inline uint64_t hybrid_scalar(__m128i lane)
{
    return (uint64_t)_mm_cvtsi128_si64(lane);
}

/* Lanes in memory. Always 8 bytes, so that a load is served by the store before it. */
static inline uint64_t hybrid_load(const uint64_t *p)
{
    hybrid_memory_in_order();
    return *p;
}

static inline __m128i hybrid_load_v(const uint64_t *p)
{
    hybrid_memory_in_order();
    return _mm_set1_epi64x((long long)*p); /* not _mm_loadl_epi64: a broadcast can be an operand of vpxorq */
}

static inline void hybrid_store(uint64_t *p, uint64_t lane)
{
    *p = lane;
    hybrid_memory_in_order();
}

static inline void hybrid_store_v(uint64_t *p, __m128i lane)
{
    _mm_storel_epi64((__m128i *)(void *)p, lane);
    hybrid_memory_in_order();
}

#  define ROL(a, n)    ((a) << (n) | (a) >> (64 - (n)))
#  define CHI(a, b, c) ((a) ^ (~(b) & (c)))

/* The same on the lower half of a vector. Tables: bit 4a + 2b + c is the result for input bits a, b, c. */
#  define XOR_V(a, b)     hybrid_in_order(_mm_xor_si128(a, b))
#  define XOR3_V(a, b, c) hybrid_in_order(_mm_ternarylogic_epi64(a, b, c, 0x96))
#  define CHI_V(a, b, c)  hybrid_in_order(_mm_ternarylogic_epi64(a, b, c, 0xd2))
#  define ROL_V(a, n)     hybrid_in_order(_mm_rol_epi64(a, n))

/* Theta's last step and rho: a lane, what theta adds to its column, its rotation. */
static inline uint64_t hybrid_rho(uint64_t a, uint64_t d, unsigned n)
{
    return ROL(a ^ d, n);
}
#  define RHO_V(a, d, n) ROL_V(XOR_V(d, a), n)

/* What is in registers from round to round: the lanes that stay in vectors, and the five column parities on
   both sides. The other 16 lanes are in memory. */
struct hybrid {
    __m128i a11, a13, a14, a15, a17, a19, a20, a21, a23;
    __m128i v0, v1, v2, v3, v4;
    uint64_t c0, c1, c2, c3, c4;
};

/* One round, FIPS 202 section 3.2: lane i is a<i> before it, b<x> or w<x> after rho and pi, e<i> after it. */
static inline __attribute__((always_inline)) void hybrid_round(struct hybrid *h, const uint64_t *in,
                                                               uint64_t *out, uint64_t rc)
{
    uint64_t b0, b1, b2, b3, b4;
    __m128i w0, w1, w2, w3, w4;

    /* Theta on the scalar side, and plane 0. */
    const uint64_t d0 = h->c4 ^ ROL(h->c1, 1), d1 = h->c0 ^ ROL(h->c2, 1), d2 = h->c1 ^ ROL(h->c3, 1),
                   d3 = h->c2 ^ ROL(h->c4, 1), d4 = h->c3 ^ ROL(h->c0, 1);
    b0 = hybrid_load(in + 0) ^ d0;
    b1 = hybrid_rho(hybrid_load(in + 6), d1, 44);
    b2 = hybrid_rho(hybrid_load(in + 12), d2, 43);
    b3 = hybrid_rho(hybrid_load(in + 18), d3, 21);
    b4 = hybrid_rho(hybrid_load(in + 24), d4, 14);
    const uint64_t e0 = CHI(b0, b1, b2) ^ rc, e1 = CHI(b1, b2, b3), e2 = CHI(b2, b3, b4),
                   e3 = CHI(b3, b4, b0), e4 = CHI(b4, b0, b1);
    hybrid_store(out + 0, e0);
    hybrid_store(out + 1, e1);
    hybrid_store(out + 2, e2);
    hybrid_store(out + 3, e3);
    hybrid_store(out + 4, e4);

    /* Theta on the vector side, and plane 2. */
    w0 = ROL_V(h->v1, 1);
    w1 = ROL_V(h->v2, 1);
    w2 = ROL_V(h->v3, 1);
    w3 = ROL_V(h->v4, 1);
    w4 = ROL_V(h->v0, 1);
    const __m128i u0 = XOR_V(w0, h->v4), u1 = XOR_V(w1, h->v0), u2 = XOR_V(w2, h->v1), u3 = XOR_V(w3, h->v2),
                  u4 = XOR_V(w4, h->v3);
    w0 = RHO_V(hybrid_load_v(in + 1), u1, 1);
    w1 = RHO_V(hybrid_load_v(in + 7), u2, 6);
    w2 = RHO_V(h->a13, u3, 25);
    w3 = RHO_V(h->a19, u4, 8);
    w4 = RHO_V(h->a20, u0, 18);
    const __m128i e10 = CHI_V(w0, w1, w2), e11 = CHI_V(w1, w2, w3), e12 = CHI_V(w2, w3, w4),
                  e13 = CHI_V(w3, w4, w0), e14 = CHI_V(w4, w0, w1);
    hybrid_store_v(out + 10, e10);
    hybrid_store_v(out + 12, e12);

    /* Plane 3. */
    w0 = RHO_V(hybrid_load_v(in + 4), u4, 27);
    w1 = RHO_V(hybrid_load_v(in + 5), u0, 36);
    w2 = RHO_V(h->a11, u1, 10);
    w3 = RHO_V(h->a17, u2, 15);
    w4 = RHO_V(h->a23, u3, 56);
    const __m128i e15 = CHI_V(w0, w1, w2), e16 = CHI_V(w1, w2, w3), e17 = CHI_V(w2, w3, w4),
                  e18 = CHI_V(w3, w4, w0), e19 = CHI_V(w4, w0, w1);
    hybrid_store_v(out + 16, e16);
    hybrid_store_v(out + 18, e18);

    /* Planes 1 and 4. */
    b0 = hybrid_rho(hybrid_load(in + 3), d3, 28);
    b1 = hybrid_rho(hybrid_load(in + 9), d4, 20);
    b2 = hybrid_rho(hybrid_load(in + 10), d0, 3);
    b3 = hybrid_rho(hybrid_load(in + 16), d1, 45);
    b4 = hybrid_rho(hybrid_load(in + 22), d2, 61);
    w0 = RHO_V(hybrid_load_v(in + 2), u2, 62);
    w1 = RHO_V(hybrid_load_v(in + 8), u3, 55);
    w2 = RHO_V(h->a14, u4, 39);
    w3 = RHO_V(h->a15, u0, 41);
    w4 = RHO_V(h->a21, u1, 2);
    const __m128i e20 = CHI_V(w0, w1, w2), e21 = CHI_V(w1, w2, w3);
    const uint64_t e5 = CHI(b0, b1, b2);
    hybrid_store(out + 5, e5);
    const __m128i e22 = CHI_V(w2, w3, w4);
    hybrid_store_v(out + 22, e22);
    const uint64_t e6 = CHI(b1, b2, b3);
    hybrid_store(out + 6, e6);
    const __m128i e23 = CHI_V(w3, w4, w0);
    const uint64_t e7 = CHI(b2, b3, b4);
    hybrid_store(out + 7, e7);
    const __m128i e24 = CHI_V(w4, w0, w1);
    hybrid_store_v(out + 24, e24);
    const uint64_t e8 = CHI(b3, b4, b0), e9 = CHI(b4, b0, b1);
    hybrid_store(out + 8, e8);
    hybrid_store(out + 9, e9);

    /* The next round's parities: the shares cross, and are added on both sides. */
    const uint64_t q0 = e0 ^ e5, q1 = e1 ^ e6, q2 = e2 ^ e7, q3 = e3 ^ e8, q4 = e4 ^ e9;
    h->v0 = hybrid_vector(q0);
    h->v1 = hybrid_vector(q1);
    h->v2 = hybrid_vector(q2);
    h->v3 = hybrid_vector(q3);
    h->v4 = hybrid_vector(q4);
    const __m128i p0 = XOR3_V(e10, e15, e20), p1 = XOR3_V(e16, e11, e21), p2 = XOR3_V(e12, e17, e22),
                  p3 = XOR3_V(e18, e13, e23), p4 = XOR3_V(e24, e14, e19);
    h->c0 = q0 ^ hybrid_scalar(p0), h->v0 = XOR_V(h->v0, p0);
    h->c1 = q1 ^ hybrid_scalar(p1), h->v1 = XOR_V(h->v1, p1);
    h->c2 = q2 ^ hybrid_scalar(p2), h->v2 = XOR_V(h->v2, p2);
    h->c3 = q3 ^ hybrid_scalar(p3), h->v3 = XOR_V(h->v3, p3);
    h->c4 = q4 ^ hybrid_scalar(p4), h->v4 = XOR_V(h->v4, p4);
    h->a11 = e11, h->a13 = e13, h->a14 = e14, h->a15 = e15, h->a17 = e17;
    h->a19 = e19, h->a20 = e20, h->a21 = e21, h->a23 = e23;
}

/* Lane i, which is in column x, ^= its bytes of the block, wherever the lane is. k<x> is the parity of the
   block's column: computed beside the state, it makes the state's parities right without another pass over
   the lanes. */
#  define ABSORB_MEMORY(i, x)           \
    if (rate > 8 * i) {                 \
      s[i] ^= load64_le(block + 8 * i); \
      k##x ^= load64_le(block + 8 * i); \
    }
#  define ABSORB_VECTOR(i, x)                                                                            \
    if (rate > 8 * i) {                                                                                  \
      h->a##i = _mm_xor_si128(h->a##i, _mm_loadl_epi64((const __m128i *)(const void *)(block + 8 * i))); \
      k##x ^= load64_le(block + 8 * i);                                                                  \
    }

static inline __attribute__((always_inline)) void hybrid_absorb(struct hybrid *h, uint64_t *s, size_t rate,
                                                                const uint8_t *block)
{
    uint64_t k0 = 0, k1 = 0, k2 = 0, k3 = 0, k4 = 0;
    /* clang-format off */
    ABSORB_MEMORY(0, 0)  ABSORB_MEMORY(1, 1)  ABSORB_MEMORY(2, 2)  ABSORB_MEMORY(3, 3)  ABSORB_MEMORY(4, 4)
    ABSORB_MEMORY(5, 0)  ABSORB_MEMORY(6, 1)  ABSORB_MEMORY(7, 2)  ABSORB_MEMORY(8, 3)  ABSORB_MEMORY(9, 4)
    ABSORB_MEMORY(10, 0) ABSORB_VECTOR(11, 1) ABSORB_MEMORY(12, 2) ABSORB_VECTOR(13, 3) ABSORB_VECTOR(14, 4)
    ABSORB_VECTOR(15, 0) ABSORB_MEMORY(16, 1) ABSORB_VECTOR(17, 2) ABSORB_MEMORY(18, 3) ABSORB_VECTOR(19, 4)
    ABSORB_VECTOR(20, 0) ABSORB_VECTOR(21, 1) ABSORB_MEMORY(22, 2) ABSORB_VECTOR(23, 3)
        /* clang-format on */
        h->c0 ^= k0,
        h->c1 ^= k1, h->c2 ^= k2, h->c3 ^= k3, h->c4 ^= k4;
    h->v0 = XOR_V(h->v0, hybrid_vector(k0));
    h->v1 = XOR_V(h->v1, hybrid_vector(k1));
    h->v2 = XOR_V(h->v2, hybrid_vector(k2));
    h->v3 = XOR_V(h->v3, hybrid_vector(k3));
    h->v4 = XOR_V(h->v4, hybrid_vector(k4));
}

/* nblocks >= 1 times: absorb a block, unless rate is 0; permute. */
static void hybrid_sponge(uint64_t *s, unsigned rounds, size_t rate, const uint8_t *block, size_t nblocks)
{
    /* Where s and t nearly agree in the lower 12 bits of their addresses, loads from one are held up by stores to
       the other, which costs 10 %. 512 bytes further they do not. */
    uint64_t space[64 + 25];
    uint64_t *const t = space + (((uintptr_t)s - (uintptr_t)space + 256) % 4096 < 512 ? 64 : 0);

    struct hybrid h;
    h.c0 = s[0] ^ s[5] ^ s[10] ^ s[15] ^ s[20], h.v0 = hybrid_vector(h.c0);
    h.c1 = s[1] ^ s[6] ^ s[11] ^ s[16] ^ s[21], h.v1 = hybrid_vector(h.c1);
    h.c2 = s[2] ^ s[7] ^ s[12] ^ s[17] ^ s[22], h.v2 = hybrid_vector(h.c2);
    h.c3 = s[3] ^ s[8] ^ s[13] ^ s[18] ^ s[23], h.v3 = hybrid_vector(h.c3);
    h.c4 = s[4] ^ s[9] ^ s[14] ^ s[19] ^ s[24], h.v4 = hybrid_vector(h.c4);
    h.a11 = hybrid_load_v(s + 11), h.a13 = hybrid_load_v(s + 13), h.a14 = hybrid_load_v(s + 14);
    h.a15 = hybrid_load_v(s + 15), h.a17 = hybrid_load_v(s + 17), h.a19 = hybrid_load_v(s + 19);
    h.a20 = hybrid_load_v(s + 20), h.a21 = hybrid_load_v(s + 21), h.a23 = hybrid_load_v(s + 23);
    do {
        if (rate != 0)
            hybrid_absorb(&h, s, rate, block);
        for (const uint64_t *rc = celer_keccak_rc_ + 24 - rounds; rc != celer_keccak_rc_ + 24; rc += 2) {
            hybrid_round(&h, s, t, rc[0]);
            hybrid_round(&h, t, s, rc[1]);
        }
        block += rate;
    } while (--nblocks > 0);
    hybrid_store_v(s + 11, h.a11), hybrid_store_v(s + 13, h.a13), hybrid_store_v(s + 14, h.a14);
    hybrid_store_v(s + 15, h.a15), hybrid_store_v(s + 17, h.a17), hybrid_store_v(s + 19, h.a19);
    hybrid_store_v(s + 20, h.a20), hybrid_store_v(s + 21, h.a21), hybrid_store_v(s + 23, h.a23);
    wipe(t, 25 * sizeof *t);
}

void celer_keccak_permute_x1_hybrid_(uint64_t *s, unsigned rounds)
{
    static const uint8_t nothing[1];
    hybrid_sponge(s, rounds, 0, nothing, 1);
}

void celer_keccak_absorb_x1_hybrid_(uint64_t *s, unsigned rounds, size_t rate, const uint8_t *const *in,
                                    size_t nblocks)
{
    if (nblocks > 0)
        hybrid_sponge(s, rounds, rate, in[0], nblocks);
}

#  undef ROL
#  undef CHI
#  undef XOR_V
#  undef XOR3_V
#  undef CHI_V
#  undef ROL_V
#  undef RHO_V
#  undef ABSORB_MEMORY
#  undef ABSORB_VECTOR
CELER_TARGET_END
#endif
