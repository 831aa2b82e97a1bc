/* crash.h: who it was, when code that others brought crashes: one line on stderr, and then the program ends as the
   signal demands. */
#ifndef BENCH_CRASH_H
#define BENCH_CRASH_H
#include "celer/provider.h"

/* From now on a crash in this thread is that of an object under way to be loaded; NULL: no longer. The name has to stay
   until then. The first call prepares the program for crashes of any thread. */
void crash_loading(const char *file);

/* Whose subjects may crash. Those that do not fit are named without their library. */
void crash_provider(const struct celer_provider *provider);

/* From now on a crash in this thread is that of the subject; NULL: of nobody whom we could name. Returns the former. */
const struct celer_subject *crash_subject(const struct celer_subject *subject);
#endif
