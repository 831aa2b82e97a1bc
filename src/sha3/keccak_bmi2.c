/* keccak_bmi2.c: Keccak-p[1600] x1 with rorx (rotate without a move) and andn (chi without a not). */
#include "sha3/keccak.h"
#include "base/bytes.h"
#include "base/wipe.h"

#if CELER_X86
CELER_TARGET_BEGIN("bmi,bmi2")

static inline void keccak_bmi2_gather2(uint64_t m[2], const uint8_t *p)
{
    m[0] = load64_le(p);
    m[1] = load64_le(p + 8);
}

#  define WAYS                   1
#  define SUFFIX                 x1_bmi2
#  define V                      uint64_t
#  define LOAD(p)                (*(p))
#  define STORE(p, v)            (*(p) = (v))
#  define GATHER(in, offset)     load64_le((in)[0] + (offset))
#  define GATHER2(m, in, offset) keccak_bmi2_gather2(m, (in)[0] + (offset))
#  define SET(c)                 (c)
#  define XOR(a, b)              ((a) ^ (b))
#  define ANDNOT(a, b)           (~(a) & (b))
#  define ROL(a, n)              ((a) << (n) | (a) >> (64 - (n)))
#  define IN_REGISTER(v)         __asm__("" : "+r"(v))
#  define FINISH()               (void)0
#  include "sha3/keccak_planes.inc"

CELER_TARGET_END
#endif
