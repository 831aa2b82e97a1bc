/* test_battery.c: the battery of hash_template.h, on each hash and row. Its arguments are in runs.h. */
#include "hash_template.h"
#include "runs.h"

static int run(const struct celer_hash *hash, const char *row)
{
    struct suite suite = {NULL, 0};
    hash_template_add(&suite, hash, row);
    return suite_run(&suite, hash->name);
}

static int every_hash(const struct celer_hash *hash)
{
    return hash != NULL;
}

int main(int argc, char **argv)
{
    return runs_main(argc, argv, run, every_hash);
}
