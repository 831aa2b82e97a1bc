/* runs.h: the main of test programs that ctest runs once for each hash and row: PROGRAM --list prints these
   as lines "family hash row"; PROGRAM HASH ROW runs one; without arguments, all. Exit code 77: skipped, the
   CPU lacks the row. */
#ifndef RUNS_H
#define RUNS_H
#include "celer/hash.h"

/* run returns the number of failed tests. wanted tells which hashes take part. */
int runs_main(int argc, char **argv, int (*run)(const struct celer_hash *hash, const char *row),
              int (*wanted)(const struct celer_hash *hash));
#endif
