/* sha256_shani.c: SHA-256 by the SHA extensions of x86. */
#include "sha2/sha256.h"
#include "base/bytes.h"
#include "base/wipe.h"

#if CELER_X86
CELER_TARGET_BEGIN("sha,sse4.1")
#  include <immintrin.h>

/* sha256rnds2 is encoded in the legacy SSE form only. With the upper half of any ymm register in use, as a
   caller may leave it, some cores take hundreds of cycles at every change between that form and AVX. The
   instruction that clears the upper halves exists only where AVX does, which SHA does not imply. */
static inline void shani_clear_upper_halves(void)
{
    if (celer_cpu_detected() & CELER_CPU_AVX)
        __asm__ __volatile__("vzeroupper"
                             :
                             :
                             : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                               "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

static inline __m128i shani_load(const void *p)
{
    return _mm_loadu_si128(p);
}

/* Words t+16..t+19 of the message schedule from a = W[t..t+3], b = W[t+4..], c = W[t+8..], d = W[t+12..]:

       W[t+16] = s1(W[t+14]) + W[t+9] + s0(W[t+1]) + W[t]

   msg1 adds s0, msg2 adds s1. Of the words W[t+9..t+12] in between, the last, d[0], feeds no other word of
   the four, so it is added after msg2: as d is the newest input, that shortens the way from one step to the
   next. */
static inline __m128i shani_schedule(__m128i a, __m128i b, __m128i c, __m128i d)
{
    const __m128i x = _mm_add_epi32(_mm_sha256msg1_epu32(a, b), _mm_srli_si128(c, 4));
    return _mm_add_epi32(_mm_sha256msg2_epu32(x, d), _mm_slli_si128(d, 12));
}

/* Compresses nblocks blocks at in, then tail_blocks blocks at tail, with the chaining value in registers. */
static void shani_compress(uint32_t h[8], const uint8_t *in, size_t nblocks, const void *tail,
                           size_t tail_blocks)
{
    /* The instructions want the eight variables as {f, e, b, a} and {h, g, d, c}, lowest word first. */
    const __m128i swap = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    __m128i x = _mm_shuffle_epi32(shani_load(h), 0xb1);     /* b a d c */
    __m128i y = _mm_shuffle_epi32(shani_load(h + 4), 0x1b); /* h g f e */
    __m128i feba = _mm_alignr_epi8(x, y, 8);
    __m128i hgdc = _mm_blend_epi16(y, x, 0xf0);

    for (;; in = tail, nblocks = tail_blocks, tail_blocks = 0) {
        for (; nblocks != 0; nblocks--, in += SHA256_BLOCK) {
            const __m128i old_feba = feba, old_hgdc = hgdc;
            __m128i w[4]; /* the last 16 words of the schedule, in a ring */
#  pragma GCC unroll 4
            for (unsigned i = 0; i < 4; i++)
                w[i] = _mm_shuffle_epi8(shani_load(in + 16 * i), swap);
#  pragma GCC unroll 16
            for (unsigned i = 0; i < 16; i++) {
                const __m128i wk = _mm_add_epi32(w[i % 4], shani_load(celer_sha256_k_ + 4 * i));
                hgdc = _mm_sha256rnds2_epu32(hgdc, feba, wk);
                feba = _mm_sha256rnds2_epu32(feba, hgdc, _mm_shuffle_epi32(wk, 0x0e));
                if (i < 12)
                    w[i % 4] = shani_schedule(w[i % 4], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]);
            }
            feba = _mm_add_epi32(feba, old_feba);
            hgdc = _mm_add_epi32(hgdc, old_hgdc);
        }
        if (tail_blocks == 0)
            break;
    }

    x = _mm_shuffle_epi32(feba, 0x1b); /* a b e f */
    y = _mm_shuffle_epi32(hgdc, 0xb1); /* g h c d */
    _mm_storeu_si128((__m128i *)h, _mm_blend_epi16(x, y, 0xf0));
    _mm_storeu_si128((__m128i *)(h + 4), _mm_alignr_epi8(y, x, 8));
}

void celer_sha256_blocks_shani_(uint32_t h[8], const uint8_t *in, size_t nblocks)
{
    shani_clear_upper_halves();
    shani_compress(h, in, nblocks, NULL, 0);
}

/* Moves the bytes of x up by `by` (-16..16) places; zeros come in. */
static inline __m128i shani_shift(__m128i x, int by)
{
    /* Indices of a shuffle, where 0x80 stands for a zero. */
    static const uint8_t window[48] = {
        0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
        0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, /* below x */
        0,    1,    2,    3,    4,    5,    6,    7,
        8,    9,    10,   11,   12,   13,   14,   15, /* x */
        0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
        0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, /* above x */
    };
    return _mm_shuffle_epi8(x, shani_load(window + 16 - by));
}

/* The n < 16 bytes at p, then zeros, without a look at any other byte: from overlapping words. */
static inline __m128i shani_load_short(const uint8_t *p, size_t n)
{
    uint64_t low = 0, high = 0;
    if (n > 8) {
        low = load64_le(p);
        high = load64_le(p + n - 8) >> (8 * (16 - n));
    } else if (n >= 4) {
        low = load32_le(p) | (uint64_t)load32_le(p + n - 4) << (8 * (n - 4));
    } else if (n != 0) {
        low = p[0] | (uint64_t)p[n / 2] << (8 * (n / 2)) | (uint64_t)p[n - 1] << (8 * (n - 1));
    }
    return _mm_set_epi64x((long long)high, (long long)low);
}

/* The tail is stored in whole vectors: a load waits until the stores it overlaps have left the core, unless a
   single one holds all its bytes. After a tail written in bytes, no message could begin before the last one
   is done: independent messages of one block took 183 cycles each on Zen 5, and take 112 like this. */
void celer_sha256_finish_shani_(uint32_t h[8], const uint8_t *in, size_t len, uint64_t bits)
{
    shani_clear_upper_halves();

    const size_t n = len % SHA256_BLOCK;           /* bytes of the message in the tail: */
    const size_t vectors = n / 16, bytes = n % 16; /* so many whole vectors, so many bytes after them */
    const size_t tail_blocks = n < SHA256_BLOCK - 8 ? 1 : 2, end = 4 * tail_blocks - 1;
    const __m128i length = _mm_set_epi64x((long long)__builtin_bswap64(bits), 0);
    __m128i tail[2 * SHA256_BLOCK / 16], last;

    if (len >= 16)
        last = shani_shift(shani_load(in + (len - 16)), (int)bytes - 16);
    else
        last = shani_load_short(in, len);
    last = _mm_or_si128(last, shani_shift(_mm_cvtsi32_si128(0x80), (int)bytes));

#  pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++)
        tail[i] = i < vectors ? shani_load(in + (len - n) + 16 * i) : _mm_setzero_si128();
#  pragma GCC unroll 4
    for (size_t i = 4; i < 8; i++)
        tail[i] = _mm_setzero_si128();
    tail[end] = length;
    tail[vectors] = vectors == end ? _mm_or_si128(last, length) : last;

    shani_compress(h, in, len / SHA256_BLOCK, tail, tail_blocks);
    wipe(tail, SHA256_BLOCK); /* by halves: for more than 64 bytes gcc takes rep stos, 20 cycles slower */
    wipe(tail + 4, SHA256_BLOCK);
}

CELER_TARGET_END
#endif
