/* choose.h: which rows of a plan are compared with which. */
#ifndef COMPARE_CHOOSE_H
#define COMPARE_CHOOSE_H
#include "options.h"
#include "pairs.h"

struct pairs {
    struct pair *items;
    size_t count;
};

/* Of two plug-ins each backend with itself, of two subjects all that both have, or each width of the one with a narrow
   one of the other. False after an error, also when that is nothing. Either way the caller frees the pairs. */
bool choose_pairs(struct pairs *pairs, const struct options *options, const struct plan *plan,
                  const struct celer_provider *const providers[SIDES]);
void choose_free(struct pairs *pairs);
#endif
