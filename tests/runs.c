/* runs.c: see runs.h. */
#include "runs.h"
#include "support.h"

enum { EXIT_SKIPPED = 77 };

static int list(const struct celer_hash *hash, const char *row)
{
    printf("%s %s %s\n", hash->family, hash->name, row);
    return 0;
}

int runs_main(int argc, char **argv, int (*run)(const struct celer_hash *hash, const char *row),
              int (*wanted)(const struct celer_hash *hash))
{
    const int only_list = argc == 2 && strcmp(argv[1], "--list") == 0;
    const struct celer_hash *hash;
    const char *row;
    if (argc == 3 && (hash = celer_hash_find(argv[1])) != NULL && wanted(hash)) {
        const int failed = run(hash, argv[2]);
        return failed != 0 ? 1 : row_usable(hash->kernel, argv[2]) ? 0 : EXIT_SKIPPED;
    }
    if (argc != 1 && !only_list) {
        fprintf(stderr, "usage: %s [--list | HASH ROW]\n", argv[0]);
        return 2;
    }
    int failed = 0;
    for (size_t i = 0; (hash = celer_hash_at(i)) != NULL; i++)
        for (size_t r = 0; wanted(hash) && (row = row_name(hash->kernel, r)) != NULL; r++)
            failed += (only_list ? list : run)(hash, row);
    return failed != 0;
}
