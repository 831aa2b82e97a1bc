/* list.h: the families whose hashes the list holds, in this order. Each family's <family>_rows.c defines its rows; a family
   without its line here is not in the list, and its folder can be deleted. */
#ifndef CELER_LIST_H
#define CELER_LIST_H
#include "celer/hash.h"

#ifndef CELER_FAMILIES
#  define CELER_FAMILIES(F) \
    F(sha2)                 \
    F(sha3)                 \
    F(blake2)
#endif

#define CELER_DECLARE_FAMILY(name)                       \
  extern const struct celer_hash celer_##name##_rows_[]; \
  extern const size_t celer_##name##_row_count_;
CELER_FAMILIES(CELER_DECLARE_FAMILY)
#endif
