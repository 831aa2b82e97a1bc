/* places.h: a constant table for taking some of 8 words out of a vector, as backends without such an instruction do for
   rejection. For every set of words, given as bits: where their lower bytes are, that of the first in the lowest byte. */
#ifndef CELER_PLACES_H
#define CELER_PLACES_H
#include <stdint.h>

#define PLACES_HAVE(set, i)       ((uint64_t)(set) >> (i)&1)
#define PLACES_STEP(set, i, more) ((more) << 8 * PLACES_HAVE(set, i) | 2 * (i)*PLACES_HAVE(set, i))
#define PLACES_UPPER(set) \
  PLACES_STEP(set, 4, PLACES_STEP(set, 5, PLACES_STEP(set, 6, PLACES_STEP(set, 7, 0))))
#define PLACES(set) \
  PLACES_STEP(set, 0, PLACES_STEP(set, 1, PLACES_STEP(set, 2, PLACES_STEP(set, 3, PLACES_UPPER(set)))))
#define PLACES_4(set)  PLACES(set), PLACES(set + 1), PLACES(set + 2), PLACES(set + 3)
#define PLACES_16(set) PLACES_4(set), PLACES_4(set + 4), PLACES_4(set + 8), PLACES_4(set + 12)
#define PLACES_64(set) PLACES_16(set), PLACES_16(set + 16), PLACES_16(set + 32), PLACES_16(set + 48)
#define PLACES_OF_SETS PLACES_64(0), PLACES_64(64), PLACES_64(128), PLACES_64(192)
#endif
