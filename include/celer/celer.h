/* celer.h: the whole library. */
#ifndef CELER_CELER_H
#define CELER_CELER_H
#include "common.h"
#include "cpu.h"
#include "sha2.h"
#include "sha3.h"
#include "blake2.h"
#include "chain.h"
#include "random.h"
#include "mlkem.h"
#include "hash.h"
#endif
