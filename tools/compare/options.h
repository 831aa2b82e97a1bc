/* options.h: the command line of `celer compare`. */
#ifndef COMPARE_OPTIONS_H
#define COMPARE_OPTIONS_H
#include "pairs.h"
#include "write.h"

/* Of a list with commas between them, or of options that may be given again; each once. */
struct words {
    const char **items;
    size_t count;
};

struct options {
    struct plan_request plan;
    struct words backends, with, plugins;
    const char *named[SIDES]; /* --base, --test; or what stands for one that is not given: */
    bool implied[SIDES];
    const char *files[SIDES]; /* --plugins */
    const char *runs[SIDES];  /* --runs */
    bool per_state;           /* widths of a permutation with one another */
    const char *db;           /* NULL: the customary place */
    bool no_db;
    char *texts[16]; /* that words point into */
    size_t text_count;
    double min_effect;     /* negative: the usual one */
    bool strict, measures; /* measures: an option about measuring was given */
    size_t trials;         /* 0: not given */
    enum compare_format format;
    enum mode mode;
    int cpu; /* negative: where it starts */
    uint64_t seed;
};

/* False: `code` is the exit status. When all is well and subjects are compared, both are named, and so are the backends
   and libraries that they need. */
bool compare_options_parse(struct options *options, int argc, char **argv, int *code);
void compare_options_free(struct options *options); /* also after false */
#endif
