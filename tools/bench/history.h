/* history.h: the history as the commands that measure use it. */
#ifndef BENCH_HISTORY_H
#define BENCH_HISTORY_H
#include <stdbool.h>
#include "store.h"

/* Opens it for writing: db, or the customary place if NULL. Without one a run goes on, after a note and with *history
   NULL; but not, after an error, with one that is damaged or not ours: false. */
bool history_open(struct store **history, const char *db);

/* What store_add or the like said: a note, if nothing was kept because the place cannot be used, for the results were
   printed all the same; but an error, and false, if the history turned out to be damaged. */
bool history_note(enum store_status status, const char *why);
#endif
