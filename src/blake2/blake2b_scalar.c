/* blake2b_scalar.c: BLAKE2b in portable C. */
#include "blake2/blake2b.h"

#define WORD    uint64_t
#define BLOCK   BLAKE2B_BLOCK
#define LOAD    load64_le
#define IV      celer_blake2b_iv_
#define ROUNDS  12
#define ROTATE  32, 24, 16, 63
#define NAME(x) blake2b_##x
#include "blake2/blake2_scalar.inc"

void celer_blake2b_compress_x1_scalar_(uint64_t *s, const uint8_t *const *in, size_t stride, size_t nblocks)
{
    blake2b_blocks(s, in[0], stride, nblocks);
}
