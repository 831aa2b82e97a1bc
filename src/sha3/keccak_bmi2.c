/* keccak_bmi2.c: the scalar code with rorx (rotate without a move) and andn (chi without a not). */
#include "sha3/keccak.h"
#include "base/bytes.h"

#if CELER_X86
CELER_TARGET_BEGIN("bmi,bmi2")
#  define SUFFIX bmi2
#  include "sha3/keccak_scalar.inc"
CELER_TARGET_END
#endif
