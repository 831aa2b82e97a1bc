/* layout_avx512.c: the layout in vectors. A state written word by word would be read before the words have left the
   store buffer, and each read would wait for that. */
#include "mlkem/layout.h"
#include "base/bytes.h"

#if CELER_X86
CELER_TARGET_BEGIN("avx512f,avx512vl")
#  include <immintrin.h>

static inline __m512i layout_load8(const uint64_t *p)
{
    return _mm512_loadu_si512(p);
}

static inline void layout_store8(uint64_t *p, __m512i v)
{
    _mm512_storeu_si512(p, v);
}

static inline __m256i layout_load4(const uint64_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

static inline void layout_store4(uint64_t *p, __m256i v)
{
    _mm256_storeu_si256((__m256i *)(void *)p, v);
}

static void layout_start_avx512(uint64_t *s, unsigned ways, unsigned states, const uint8_t *head,
                                const uint64_t *tails, unsigned rate, uint64_t end)
{
    if (ways < 4) {
        celer_layout_scalar_.start(s, ways, states, head, tails, rate, end);
        return;
    }
    /* The tails come last: they have just been written, one by one. */
    const __mmask8 new = (__mmask8)states, old = (__mmask8)~states;
    if (ways == 8) {
        for (unsigned i = 5; i < 25; i++)
            layout_store8(s + 8 * i, _mm512_maskz_mov_epi64(old, layout_load8(s + 8 * i)));
        layout_store8(s + 8 * (rate - 1),
                      _mm512_mask_set1_epi64(layout_load8(s + 8 * (rate - 1)), new, (long long)end));
        for (unsigned i = 0; i < 4; i++)
            layout_store8(s + 8 * i, _mm512_mask_set1_epi64(layout_load8(s + 8 * i), new,
                                                            (long long)load64_le(head + 8 * i)));
        layout_store8(s + 32, _mm512_mask_mov_epi64(layout_load8(s + 32), new, layout_load8(tails)));
    } else {
        for (unsigned i = 5; i < 25; i++)
            layout_store4(s + 4 * i, _mm256_maskz_mov_epi64(old, layout_load4(s + 4 * i)));
        layout_store4(s + 4 * (rate - 1),
                      _mm256_mask_set1_epi64(layout_load4(s + 4 * (rate - 1)), new, (long long)end));
        for (unsigned i = 0; i < 4; i++)
            layout_store4(s + 4 * i, _mm256_mask_set1_epi64(layout_load4(s + 4 * i), new,
                                                            (long long)load64_le(head + 8 * i)));
        layout_store4(s + 16, _mm256_mask_mov_epi64(layout_load4(s + 16), new, layout_load4(tails)));
    }
    _mm256_zeroupper();
}

static void layout_put_avx512(uint64_t *s, unsigned ways, unsigned w, const uint64_t *state)
{
    const __mmask8 m = (__mmask8)(1u << w);
    if (ways == 8)
        for (unsigned i = 0; i < 25; i++)
            layout_store8(s + 8 * i, _mm512_mask_set1_epi64(layout_load8(s + 8 * i), m, (long long)state[i]));
    else if (ways == 4)
        for (unsigned i = 0; i < 25; i++)
            layout_store4(s + 4 * i, _mm256_mask_set1_epi64(layout_load4(s + 4 * i), m, (long long)state[i]));
    else
        celer_layout_scalar_.put(s, ways, w, state);
    _mm256_zeroupper();
}

static void layout_mix_avx512(uint64_t *s, unsigned ways, unsigned w, const uint8_t *in, unsigned words)
{
    const __mmask8 m = (__mmask8)(1u << w);
    if (ways < 4) {
        celer_layout_scalar_.mix(s, ways, w, in, words);
        return;
    }
    if (ways == 8)
        for (unsigned i = 0; i < words; i++) {
            const __m512i v = layout_load8(s + 8 * i),
                          x = _mm512_set1_epi64((long long)load64_le(in + 8 * i));
            layout_store8(s + 8 * i, _mm512_mask_xor_epi64(v, m, v, x));
        }
    else
        for (unsigned i = 0; i < words; i++) {
            const __m256i v = layout_load4(s + 4 * i),
                          x = _mm256_set1_epi64x((long long)load64_le(in + 8 * i));
            layout_store4(s + 4 * i, _mm256_mask_xor_epi64(v, m, v, x));
        }
    _mm256_zeroupper();
}

/* Eight words of eight states, to 64 bytes of each. */
static inline void layout_8x8(uint8_t (*out)[LAYOUT_BLOCK], size_t at, const uint64_t *s)
{
    __m512i a[8], b[8];
    for (unsigned i = 0; i < 8; i++)
        a[i] = layout_load8(s + 8 * i);
    for (unsigned i = 0; i < 8; i += 2) {
        b[i] = _mm512_unpacklo_epi64(a[i], a[i + 1]);
        b[i + 1] = _mm512_unpackhi_epi64(a[i], a[i + 1]);
    }
    for (unsigned i = 0; i < 4;
         i++) { /* pairs of words 0-1 with 2-3, and 4-5 with 6-7, of even or odd states */
        const unsigned x = i % 2 + 4 * (i / 2);
        a[i] = _mm512_shuffle_i64x2(b[x], b[x + 2], 0x88);
        a[i + 4] = _mm512_shuffle_i64x2(b[x], b[x + 2], 0xdd);
    }
    /* a[i] has quarters 0 and 2, a[i + 4] quarters 1 and 3, of states i % 2 + 2 * quarter */
    for (unsigned i = 0; i < 2; i++) {
        _mm512_storeu_si512(out[i] + at, _mm512_shuffle_i64x2(a[i], a[i + 2], 0x88));
        _mm512_storeu_si512(out[i + 4] + at, _mm512_shuffle_i64x2(a[i], a[i + 2], 0xdd));
        _mm512_storeu_si512(out[i + 2] + at, _mm512_shuffle_i64x2(a[i + 4], a[i + 6], 0x88));
        _mm512_storeu_si512(out[i + 6] + at, _mm512_shuffle_i64x2(a[i + 4], a[i + 6], 0xdd));
    }
}

static inline void layout_4x4(uint8_t (*out)[LAYOUT_BLOCK], size_t at, const uint64_t *s)
{
    __m256i a[4], b[4];
    for (unsigned i = 0; i < 4; i++)
        a[i] = layout_load4(s + 4 * i);
    for (unsigned i = 0; i < 4; i += 2) {
        b[i] = _mm256_unpacklo_epi64(a[i], a[i + 1]);
        b[i + 1] = _mm256_unpackhi_epi64(a[i], a[i + 1]);
    }
    for (unsigned i = 0; i < 2; i++) {
        _mm256_storeu_si256((__m256i *)(void *)(out[i] + at),
                            _mm256_permute2x128_si256(b[i], b[i + 2], 0x20));
        _mm256_storeu_si256((__m256i *)(void *)(out[i + 2] + at),
                            _mm256_permute2x128_si256(b[i], b[i + 2], 0x31));
    }
}

static void layout_blocks_avx512(uint8_t (*out)[LAYOUT_BLOCK], const uint64_t *s, unsigned ways,
                                 unsigned words)
{
    if (ways == 8)
        for (unsigned i = 0; i < words; i += 8)
            layout_8x8(out, 8 * i, s + 8 * i);
    else if (ways == 4)
        for (unsigned i = 0; i < words; i += 4)
            layout_4x4(out, 8 * i, s + 4 * i);
    else
        celer_layout_scalar_.blocks(out, s, ways, words);
    _mm256_zeroupper();
}

const struct layout celer_layout_avx512_ = {layout_start_avx512, layout_put_avx512, layout_mix_avx512,
                                            layout_blocks_avx512};
CELER_TARGET_END
#endif
