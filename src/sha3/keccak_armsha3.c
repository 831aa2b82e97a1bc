/* keccak_armsha3.c: Keccak-p[1600] x1 and x2 with the SHA3 instructions of Armv8.2, which were made for it: 64 of them
   and two exclusive ors are a round. */
#include "sha3/keccak.h"
#include "base/bytes.h"

#if CELER_ARM
#  if defined(__clang__) /* takes the extension alone; gcc's intrinsics ask for the architecture too */
CELER_TARGET_BEGIN("sha3")
#  else
CELER_TARGET_BEGIN("arch=armv8.2-a+sha3")
#  endif
#  include <arm_neon.h>
#  include "sha3/keccak_arm.h"

#  define XOR_v(a, b)           veorq_u64(a, b)
#  define XOR3_v(a, b, c)       veor3q_u64(a, b, c)
#  define RAX1_v(a, b)          vrax1q_u64(a, b)
#  define XAR_v(to, from, d, n) to = vxarq_u64(from, d, 64 - (n))
#  define CHI_v(a, b, c)        vbcaxq_u64(a, c, b)
#  define SET_v(c)              vdupq_n_u64(c)

#  define WAYS   1
#  define SUFFIX x1_armsha3
#  include "sha3/keccak_arm.inc"

#  define WAYS   2
#  define SUFFIX x2_armsha3
#  include "sha3/keccak_arm.inc"

#  undef XOR_v
#  undef XOR3_v
#  undef RAX1_v
#  undef XAR_v
#  undef CHI_v
#  undef SET_v
CELER_TARGET_END
#endif
