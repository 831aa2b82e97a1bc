/* layout.h: how what the sponges of ML-KEM absorb and squeeze gets into Keccak states side by side, and out of them. The
   states lie as in keccak.h: lane i of state w is s[i * ways + w]. */
#ifndef CELER_LAYOUT_H
#define CELER_LAYOUT_H
#include "cpu/cpu.h"

#define LAYOUT_WORDS 24 /* of a block, at most */
#define LAYOUT_BLOCK \
  (8 * LAYOUT_WORDS + 24) /* bytes between blocks: more than a block, which readers may overread */

struct layout {
    /* The states whose bits are in `states` become zeros, but for 4 words at head, the same for all, then tails[w], and
       `end` in word rate - 1. tails has as many elements as there are ways. */
    void (*start)(uint64_t *s, unsigned ways, unsigned states, const uint8_t *head, const uint64_t *tails,
                  unsigned rate, uint64_t end);
    /* State w = the 25 words at state. */
    void (*put)(uint64_t *s, unsigned ways, unsigned w, const uint64_t *state);
    /* State w ^= `words` words at in. */
    void (*mix)(uint64_t *s, unsigned ways, unsigned w, const uint8_t *in, unsigned words);
    /* out[w] = the first `words` words of state w, for all w; out may get up to LAYOUT_WORDS. */
    void (*blocks)(uint8_t (*out)[LAYOUT_BLOCK], const uint64_t *s, unsigned ways, unsigned words);
};

extern const struct layout celer_layout_scalar_;
#if CELER_X86
extern const struct layout celer_layout_avx512_; /* needs AVX512F and VL */
#endif

const struct layout *celer_layout_(void);
#endif
