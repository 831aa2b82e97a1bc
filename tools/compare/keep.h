/* keep.h: verdicts in the history. */
#ifndef COMPARE_KEEP_H
#define COMPARE_KEEP_H
#include "bench/store.h"
#include "choose.h"
#include "write.h"

/* Keeps every row that was measured without a fault, even if none of its trials counts: the verdict on it was given all
   the same. A note says why not, where the place cannot be used. False after an error: the history is damaged, or out of
   memory. */
bool keep_verdicts(struct store *history, const struct compare_result *result, const struct plan *plan,
                   const struct pairs *pairs, const struct pairing *pairing);
#endif
