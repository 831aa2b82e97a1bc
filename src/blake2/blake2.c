/* blake2.c: BLAKE2b and BLAKE2s, each with its parallel and its extendable form, on top of the two compression
   functions. One template for each of the three serves both letters. */
#include "blake2/blake2.h"
#include "blake2/blake2b.h"
#include "blake2/blake2s.h"
#include "base/bytes.h"
#include "base/wipe.h"

_Static_assert(sizeof(struct celer_blake2b) == 232, "the same everywhere");
_Static_assert(sizeof(struct celer_blake2s) == 120, "the same everywhere");
_Static_assert(sizeof(struct celer_blake2bp) == 1416, "the same everywhere");
_Static_assert(sizeof(struct celer_blake2sp) == 1416, "the same everywhere");
_Static_assert(sizeof(struct celer_blake2xb) == 384, "the same everywhere");
_Static_assert(sizeof(struct celer_blake2xs) == 208, "the same everywhere");

static const struct celer_blake2_params blake2_plain; /* what NULL stands for */

#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c)  JOIN_(a, b, c)
#define BLAKE2(stem)   JOIN(blake2, LETTER, stem)
#define BLAKE2X(stem)  JOIN(blake2x, LETTER, stem)
#define CELER(stem)    JOIN(celer_blake2, LETTER, stem)
#define CELER_X(stem)  JOIN(celer_blake2x, LETTER, stem)

#define LETTER     b
#define WORD       uint64_t
#define LOAD       load64_le
#define STORE      store64_le
#define BLOCK      BLAKE2B_BLOCK
#define MAX_WAYS   BLAKE2B_MAX_WAYS
#define MAX_LEN    CELER_BLAKE2B_LEN
#define OFFSET_LEN 8
#define LEAVES     4
#define X_MAX      CELER_BLAKE2XB_MAX
#include "blake2/blake2_word.inc"
#include "blake2/blake2p_word.inc"
#include "blake2/blake2x_word.inc"
#undef LETTER
#undef WORD
#undef LOAD
#undef STORE
#undef BLOCK
#undef MAX_WAYS
#undef MAX_LEN
#undef OFFSET_LEN
#undef LEAVES
#undef X_MAX
#undef OFFSET_WORD

#define LETTER     s
#define WORD       uint32_t
#define LOAD       load32_le
#define STORE      store32_le
#define BLOCK      BLAKE2S_BLOCK
#define MAX_WAYS   BLAKE2S_MAX_WAYS
#define MAX_LEN    CELER_BLAKE2S_LEN
#define OFFSET_LEN 6
#define LEAVES     8
#define X_MAX      CELER_BLAKE2XS_MAX
#include "blake2/blake2_word.inc"
#include "blake2/blake2p_word.inc"
#include "blake2/blake2x_word.inc"
