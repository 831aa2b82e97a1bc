/* keep.h: verdicts in the history. */
#ifndef COMPARE_KEEP_H
#define COMPARE_KEEP_H
#include "bench/store.h"
#include "choose.h"
#include "write.h"

/* Keeps every row of which a trial counts; a note says why, where that fails. False when out of memory. */
bool keep_verdicts(struct store *history, const struct compare_result *result, const struct plan *plan,
                   const struct pairs *pairs, const struct pairing *pairing);
#endif
