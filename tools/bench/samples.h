/* samples.h: the samples of a result, in a document and in few bytes.

   In a document: {"rounds": [0, 0, 1], "cycles": [812.5, 813, 812]}, of each accepted sample, in the order in which they
   were taken, the round and the cycles of a call, of which a float's digits are kept.
   Packed: of each sample, one after the other, the step from the round before it, as 7 bits a byte, least first, with
   bit 7 set in all bytes but the last; and the cycles as a float of 4 bytes, least first. That makes 5 bytes, for there
   are fewer rounds than samples. */
#ifndef BENCH_SAMPLES_H
#define BENCH_SAMPLES_H
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "measure.h"

/* NULL when out of memory. */
json_t *samples_of(const struct cell *cell, const struct measure *measure);

/* Whether these two arrays are such samples: equally many, rounds in order, cycles that a float holds. */
bool samples_check(const json_t *samples);

/* The bytes, which the caller frees; NULL when out of memory. */
uint8_t *samples_pack(const json_t *samples, size_t *size);

/* All samples of so many bytes; NULL when they are no such bytes, or when out of memory. */
json_t *samples_unpack(const uint8_t *bytes, size_t size);
#endif
