/* hash_template.h: the battery that every hash inherits by being in the list, on every row of its kernel by
   name. */
#ifndef HASH_TEMPLATE_H
#define HASH_TEMPLATE_H
#include "support.h"

/* Adds the battery for that hash on the rows of that name (those of width 1 and all wider ones of the same
   name). */
void hash_template_add(struct suite *suite, const struct celer_hash *hash, const char *row);
#endif
