/* sha256_shani.c: SHA-256 by the SHA extensions of x86. */
#include "sha2/sha256.h"
#include "base/bytes.h"
#include "base/wipe.h"

#if CELER_X86
CELER_TARGET_BEGIN("sha,sse4.1")
#  include "sha2/shani.h"

/* The chaining value at h, its words `stride` words apart, ordered as the instructions want the eight variables, lowest
   word first; and back. */
static inline void shani_enter(__m128i *feba, __m128i *hgdc, const uint32_t *h, size_t stride)
{
    const __m128i x = _mm_shuffle_epi32(shani_gather(h, stride), 0xb1);              /* b a d c */
    const __m128i y = _mm_shuffle_epi32(shani_gather(h + 4 * stride, stride), 0x1b); /* h g f e */
    *feba = _mm_alignr_epi8(x, y, 8);
    *hgdc = _mm_blend_epi16(y, x, 0xf0);
}

static inline void shani_leave(__m128i feba, __m128i hgdc, uint32_t *h, size_t stride)
{
    const __m128i x = _mm_shuffle_epi32(feba, 0x1b); /* a b e f */
    const __m128i y = _mm_shuffle_epi32(hgdc, 0xb1); /* g h c d */
    shani_scatter(h, stride, _mm_blend_epi16(x, y, 0xf0));
    shani_scatter(h + 4 * stride, stride, _mm_alignr_epi8(y, x, 8));
}

static inline __m128i shani_words(const uint8_t *in)
{
    return _mm_shuffle_epi8(shani_load(in),
                            _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));
}

/* Rounds 4i to 4i + 3; w is a ring of the last 16 words of the schedule. */
static inline void shani_rounds(__m128i *feba, __m128i *hgdc, __m128i w[4], unsigned i)
{
    const __m128i wk = _mm_add_epi32(w[i % 4], shani_load(celer_sha256_k_ + 4 * i));
    *hgdc = _mm_sha256rnds2_epu32(*hgdc, *feba, wk);
    *feba = _mm_sha256rnds2_epu32(*feba, *hgdc, _mm_shuffle_epi32(wk, 0x0e));
    if (i < 12)
        w[i % 4] = shani_schedule(w[i % 4], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]);
}

/* Compresses nblocks blocks at in, then tail_blocks blocks at tail, with the chaining value in registers. */
static void shani_compress(uint32_t h[8], const uint8_t *in, size_t nblocks, const void *tail,
                           size_t tail_blocks)
{
    __m128i feba, hgdc;
    shani_enter(&feba, &hgdc, h, 1);
    for (;; in = tail, nblocks = tail_blocks, tail_blocks = 0) {
        for (; nblocks != 0; nblocks--, in += SHA256_BLOCK) {
            const __m128i old_feba = feba, old_hgdc = hgdc;
            __m128i w[4];
#  pragma GCC unroll 4
            for (unsigned i = 0; i < 4; i++)
                w[i] = shani_words(in + 16 * i);
#  pragma GCC unroll 16
            for (unsigned i = 0; i < 16; i++)
                shani_rounds(&feba, &hgdc, w, i);
            feba = _mm_add_epi32(feba, old_feba);
            hgdc = _mm_add_epi32(hgdc, old_hgdc);
        }
        if (tail_blocks == 0)
            break;
    }
    shani_leave(feba, hgdc, h, 1);
}

/* Two messages by turns; the asm statements keep compilers from another order. */
void celer_sha256_lanes_x2_shani_(uint32_t *h, const uint8_t *const *in, size_t nblocks)
{
    __m128i feba0, hgdc0, feba1, hgdc1;
    shani_clear_upper_halves();
    shani_enter(&feba0, &hgdc0, h, 2);
    shani_enter(&feba1, &hgdc1, h + 1, 2);
    for (size_t at = 0; at < SHA256_BLOCK * nblocks; at += SHA256_BLOCK) {
        const __m128i old_feba0 = feba0, old_hgdc0 = hgdc0, old_feba1 = feba1, old_hgdc1 = hgdc1;
        __m128i w0[4], w1[4];
#  pragma GCC unroll 4
        for (unsigned i = 0; i < 4; i++) {
            w0[i] = shani_words(in[0] + at + 16 * i);
            w1[i] = shani_words(in[1] + at + 16 * i);
        }
#  pragma GCC unroll 16
        for (unsigned i = 0; i < 16; i++) {
            shani_rounds(&feba0, &hgdc0, w0, i);
            __asm__ volatile("" : "+x"(feba0), "+x"(hgdc0));
            shani_rounds(&feba1, &hgdc1, w1, i);
            __asm__ volatile("" : "+x"(feba1), "+x"(hgdc1));
        }
        feba0 = _mm_add_epi32(feba0, old_feba0);
        hgdc0 = _mm_add_epi32(hgdc0, old_hgdc0);
        feba1 = _mm_add_epi32(feba1, old_feba1);
        hgdc1 = _mm_add_epi32(hgdc1, old_hgdc1);
    }
    shani_leave(feba0, hgdc0, h, 2);
    shani_leave(feba1, hgdc1, h + 1, 2);
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

/* Writes the padded blocks after `len` bytes, the last of `total`, that end where the message does; returns their
   number. Unlike sha256_tail, it may look at all of the len bytes.

   The tail is stored in whole vectors: a load waits until the stores it overlaps have left the core, unless a
   single one holds all its bytes. After a tail written in bytes, no message could begin before the last one
   is done: independent messages of one block took 183 cycles each on Zen 5, and take 112 like this. */
static inline size_t shani_tail(__m128i tail[2 * SHA256_BLOCK / 16], const uint8_t *in, size_t len,
                                uint64_t total)
{
    const size_t n = len % SHA256_BLOCK;           /* bytes of the message in the tail: */
    const size_t vectors = n / 16, bytes = n % 16; /* so many whole vectors, so many bytes after them */
    const size_t tail_blocks = n < SHA256_BLOCK - 8 ? 1 : 2, end = 4 * tail_blocks - 1;
    const __m128i length = _mm_set_epi64x((long long)__builtin_bswap64(total << 3), 0);
    __m128i last;

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
    return tail_blocks;
}

void celer_sha256_finish_shani_(uint32_t h[8], const uint8_t *in, size_t len, uint64_t total)
{
    __m128i tail[2 * SHA256_BLOCK / 16];
    shani_clear_upper_halves();
    const size_t tail_blocks = shani_tail(tail, in, len, total);
    shani_compress(h, in, len / SHA256_BLOCK, tail, tail_blocks);
    wipe(tail, SHA256_BLOCK); /* by halves: for more than 64 bytes gcc takes rep stos, 20 cycles slower */
    wipe(tail + 4, SHA256_BLOCK);
}

size_t celer_sha256_tail_shani_(uint8_t *tail, const uint8_t *rest, size_t n, uint64_t total)
{
    shani_clear_upper_halves();
    return shani_tail((__m128i *)(void *)tail, rest, n, total);
}
CELER_TARGET_END
#endif
