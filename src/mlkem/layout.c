/* layout.c: the layout word by word, and the choice. */
#include "mlkem/layout.h"
#include "base/bytes.h"

static void layout_start(uint64_t *s, unsigned ways, unsigned states, const uint8_t *head,
                         const uint64_t *tails, unsigned rate, uint64_t end)
{
    for (unsigned w = 0; w < ways; w++) {
        if (!(states >> w & 1))
            continue;
        for (unsigned i = 0; i < 4; i++)
            s[i * ways + w] = load64_le(head + 8 * i);
        for (unsigned i = 4; i < 25; i++)
            s[i * ways + w] = 0;
        s[4 * ways + w] = tails[w];
        s[(rate - 1) * ways + w] ^= end;
    }
}

static void layout_put(uint64_t *s, unsigned ways, unsigned w, const uint64_t *state)
{
    for (unsigned i = 0; i < 25; i++)
        s[i * ways + w] = state[i];
}

static void layout_mix(uint64_t *s, unsigned ways, unsigned w, const uint8_t *in, unsigned words)
{
    for (unsigned i = 0; i < words; i++)
        s[i * ways + w] ^= load64_le(in + 8 * i);
}

static void layout_blocks(uint8_t (*out)[LAYOUT_BLOCK], const uint64_t *s, unsigned ways, unsigned words)
{
    for (unsigned w = 0; w < ways; w++)
        for (unsigned i = 0; i < words; i++)
            store64_le(out[w] + 8 * i, s[i * ways + w]);
}

const struct layout celer_layout_scalar_ = {layout_start, layout_put, layout_mix, layout_blocks};

const struct layout *celer_layout_(void)
{
#if CELER_X86
    const uint32_t vl = CELER_CPU_AVX512F | CELER_CPU_AVX512VL;
    if ((celer_cpu_features_() & vl) == vl)
        return &celer_layout_avx512_;
#endif
    return &celer_layout_scalar_;
}
