/* keccak_scalar.c: Keccak-p[1600] x1 for any processor. */
#include "sha3/keccak.h"
#include "base/bytes.h"

#define SUFFIX scalar
#include "sha3/keccak_scalar.inc"
