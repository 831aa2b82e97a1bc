/* blake2s_scalar.c: BLAKE2s in portable C. */
#include "blake2/blake2s.h"

#define WORD    uint32_t
#define BLOCK   BLAKE2S_BLOCK
#define LOAD    load32_le
#define IV      celer_blake2s_iv_
#define ROUNDS  10
#define ROTATE  16, 12, 8, 7
#define NAME(x) blake2s_##x
#include "blake2/blake2_scalar.inc"

void celer_blake2s_compress_x1_scalar_(uint32_t *s, const uint8_t *const *in, size_t stride, size_t nblocks)
{
    blake2s_blocks(s, in[0], stride, nblocks);
}
