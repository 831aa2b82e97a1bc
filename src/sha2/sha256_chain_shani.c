/* sha256_chain_shani.c: the hash chain x1 to x4 by the SHA extensions of x86.

   The first rounds of a step wait for the last of the step before: 32 times the 4 cycles of sha256rnds2, a shuffle and
   an addition. On Zen 5 that makes 132 cycles, and on Golden Cove, where the shuffle and the addition take 2 cycles less
   and the way from the last round to them 2 more. One chain comes within 1 % when the schedule keeps pace. Several are
   bound by the unit of sha256rnds2, busy for 2 cycles on Zen 5 and 3 on Golden Cove, to 64 and 96 cycles a hash. */
#include "sha2/sha2.h"
#include "sha2/sha256.h"
#include "sha2/sha256_chain.h"

#if CELER_X86
CELER_TARGET_BEGIN("sha,sse4.1")
#  include "sha2/shani.h"

#  define CHAIN_MAX_WAYS 4

/* The upper half of x. Alone, a chain gets it by way of memory: gcc 12's code with a shuffle lost 5 cycles a hash on
   Golden Cove, where the schedule's instructions compete with the rounds; on Zen 5 both are the same. Several chains
   leave less room for loads and stores. */
static inline __m128i chain_upper_half(__m128i x, size_t ways)
{
    uint64_t half[2];
    if (ways > 1)
        return _mm_shuffle_epi32(x, 0x0e);
    _mm_storeu_si128((__m128i *)(void *)half, x);
    __asm__("" : "+m"(half));
    return _mm_loadl_epi64((const __m128i *)(const void *)&half[1]);
}

/* For each chain w < ways, unrolled. clang 14 unrolls only loops that are known to turn as often as the pragma says. */
#  define CHAIN_EACH _Pragma("GCC unroll 4") for (size_t w = 0; w < CHAIN_MAX_WAYS; w++) if (w < ways)

/* Between two steps feba and hgdc, ordered as the instructions want them, are the hash less the initial value. */
static inline __attribute__((always_inline)) void chain_shani(uint32_t *h, uint64_t iterations,
                                                              const size_t ways)
{
    const __m128i iv0123 = shani_load(celer_sha256_iv_), iv4567 = shani_load(celer_sha256_iv_ + 4);
    const __m128i iv_feba = _mm_shuffle_epi32(_mm_unpacklo_epi64(iv0123, iv4567), 0x1b);
    const __m128i iv_hgdc = _mm_shuffle_epi32(_mm_unpackhi_epi64(iv0123, iv4567), 0x1b);
    const __m128i k0123 = _mm_add_epi32(iv0123, shani_load(celer_sha256_k_));
    const __m128i k4567 = _mm_add_epi32(iv4567, shani_load(celer_sha256_k_ + 4));
    const __m128i k_abef = _mm_unpacklo_epi64(k0123, k4567), k_cdgh = _mm_unpackhi_epi64(k0123, k4567);
    const __m128i w8 = _mm_setr_epi32((int)0x80000000, 0, 0, 0), w12 = _mm_setr_epi32(0, 0, 0, 256);
    __m128i feba[CHAIN_MAX_WAYS], hgdc[CHAIN_MAX_WAYS];

    CHAIN_EACH
    {
        const __m128i x = _mm_sub_epi32(shani_gather(h + w, ways), iv0123);
        const __m128i y = _mm_sub_epi32(shani_gather(h + 4 * ways + w, ways), iv4567);
        feba[w] = _mm_shuffle_epi32(_mm_unpacklo_epi64(x, y), 0x1b);
        hgdc[w] = _mm_shuffle_epi32(_mm_unpackhi_epi64(x, y), 0x1b);
    }
    for (; iterations != 0; iterations--) {
        __m128i ring[CHAIN_MAX_WAYS][4]; /* the last 16 words of the schedule */
        CHAIN_EACH
        {
            const __m128i abef = _mm_shuffle_epi32(feba[w], 0x1b), cdgh = _mm_shuffle_epi32(hgdc[w], 0x1b);
            const __m128i wk0145 = _mm_add_epi32(abef, k_abef), wk2367 = _mm_add_epi32(cdgh, k_cdgh);
            hgdc[w] = _mm_sha256rnds2_epu32(iv_hgdc, iv_feba, wk0145);
            feba[w] = _mm_sha256rnds2_epu32(iv_feba, hgdc[w], wk2367);
            hgdc[w] = _mm_sha256rnds2_epu32(hgdc[w], feba[w], _mm_shuffle_epi32(wk0145, 0x0e));
            feba[w] = _mm_sha256rnds2_epu32(feba[w], hgdc[w], _mm_shuffle_epi32(wk2367, 0x0e));
            ring[w][0] = _mm_add_epi32(_mm_unpacklo_epi64(abef, cdgh), iv0123);
            ring[w][1] = _mm_add_epi32(_mm_unpackhi_epi64(abef, cdgh), iv4567);
            ring[w][2] = w8;
            ring[w][3] = w12;
        }
#  pragma GCC unroll 2
        for (unsigned i = 2; i < 4; i++) {
            const __m128i wk = shani_load(celer_sha256_chain_k_ + 4 * i);
            CHAIN_EACH
            {
                hgdc[w] = _mm_sha256rnds2_epu32(hgdc[w], feba[w], wk);
                feba[w] = _mm_sha256rnds2_epu32(feba[w], hgdc[w], _mm_shuffle_epi32(wk, 0x0e));
            }
        }
#  pragma GCC unroll 12
        for (unsigned i = 4; i < 16; i++) {
            CHAIN_EACH
            {
                __m128i *const r = ring[w];
                if (i == 4) /* the words that would be added are zeros of the padding */
                    r[0] = _mm_sha256msg2_epu32(_mm_sha256msg1_epu32(r[0], r[1]), r[3]);
                else
                    r[i % 4] = shani_schedule(r[i % 4], r[(i + 1) % 4], r[(i + 2) % 4], r[(i + 3) % 4]);
                const __m128i wk = _mm_add_epi32(r[i % 4], shani_load(celer_sha256_k_ + 4 * i));
                hgdc[w] = _mm_sha256rnds2_epu32(hgdc[w], feba[w], wk);
                feba[w] = _mm_sha256rnds2_epu32(feba[w], hgdc[w], chain_upper_half(wk, ways));
                if (ways > 1) /* keeps the order; gcc 12 made 87 cycles a hash of x3's 74 */
                    __asm__ volatile("" : "+x"(feba[w]), "+x"(hgdc[w]));
            }
        }
    }
    CHAIN_EACH
    {
        const __m128i abef = _mm_shuffle_epi32(_mm_add_epi32(feba[w], iv_feba), 0x1b);
        const __m128i cdgh = _mm_shuffle_epi32(_mm_add_epi32(hgdc[w], iv_hgdc), 0x1b);
        shani_scatter(h + w, ways, _mm_unpacklo_epi64(abef, cdgh));
        shani_scatter(h + 4 * ways + w, ways, _mm_unpackhi_epi64(abef, cdgh));
    }
}

#  define CHAIN_KERNEL(ways)                                                   \
    void celer_sha256_chain_x##ways##_shani_(uint32_t *h, uint64_t iterations) \
    {                                                                          \
      shani_clear_upper_halves();                                              \
      chain_shani(h, iterations, ways);                                        \
    }
CHAIN_KERNEL(1)
CHAIN_KERNEL(2)
CHAIN_KERNEL(3)
CHAIN_KERNEL(4)
CELER_TARGET_END
#endif
